"""Rows of sign-ups and invitations."""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from league.accounts.lettered import NameColumn
from league.players.models import LONGEST, LONGEST_CLUB, Entrant, Player, together

LONGEST_NAMES = 130
LONGEST_CONTACT = 120
LONGEST_WORD = 300
LONGEST_FOR = 80


class Invitation(models.Model):
    """A link for a number of sign-ups; only the SHA-256 of its secret is stored."""

    competition = models.ForeignKey(
        "competitions.Competition", models.CASCADE, related_name="invitations", verbose_name=_("competition")
    )
    digest = models.CharField(_("SHA-256"), max_length=64, unique=True, editable=False)
    whom = NameColumn(_("invited person"), letters=LONGEST_FOR, blank=True)
    uses = models.PositiveSmallIntegerField(_("uses"), default=1)
    made_at = models.DateTimeField(_("made"))
    made_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, related_name="invitations_made", verbose_name=_("made by")
    )
    expires_at = models.DateTimeField(_("expires"))
    revoked_at = models.DateTimeField(_("revoked"), null=True, blank=True)
    revoked_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.PROTECT,
        null=True,
        blank=True,
        related_name="invitations_revoked",
        verbose_name=_("revoked by"),
    )

    class Meta:
        ordering = ["-made_at", "-pk"]
        constraints = [
            models.CheckConstraint(condition=Q(uses__gte=1), name="an_invitation_is_for_somebody"),
            models.CheckConstraint(
                condition=Q(revoked_at__isnull=True, revoked_by__isnull=True)
                | Q(revoked_at__isnull=False, revoked_by__isnull=False),
                name="an_invitation_is_revoked_by_somebody",
            ),
        ]
        verbose_name = _("invitation")
        verbose_name_plural = _("invitations")

    def __str__(self) -> str:
        return self.whom or f"{self.competition}, {self.made_at:%Y-%m-%d}"


class Applicant(models.Model):
    """A sign-up for a competition.

    `made_at` is the order of arrival; sign-ups beyond the free places are on the waiting list, which is computed and
    not stored.
    """

    class State(models.TextChoices):
        WAITING = "waiting", pgettext_lazy("sign-up", "waiting")
        ACCEPTED = "accepted", pgettext_lazy("sign-up", "accepted")
        REFUSED = "refused", pgettext_lazy("sign-up", "refused")
        WITHDRAWN = "withdrawn", pgettext_lazy("sign-up", "withdrawn")

    competition = models.ForeignKey(
        "competitions.Competition", models.CASCADE, related_name="applicants", verbose_name=_("competition")
    )
    # As typed. Empty if `player` is set, or after erasure.
    name = NameColumn(_("name"), letters=LONGEST_NAMES, blank=True)
    club = NameColumn(pgettext_lazy("of a player", "club"), letters=LONGEST_CLUB, blank=True)
    # The partner in a pair, as typed; erased with the name.
    partner_name = NameColumn(_("partner"), letters=LONGEST, blank=True)
    partner_born = models.PositiveSmallIntegerField(_("partner’s year of birth"), null=True, blank=True)
    player = models.ForeignKey(
        Player, models.PROTECT, null=True, blank=True, related_name="applications", verbose_name=_("player")
    )
    born = models.PositiveSmallIntegerField(_("year of birth"), null=True, blank=True)
    contact = models.CharField(_("contact"), max_length=LONGEST_CONTACT, blank=True)
    word = models.CharField(_("a word to the organizer"), max_length=LONGEST_WORD, blank=True)
    # Of the secret in the address of the status page.
    digest = models.CharField(_("SHA-256"), max_length=64, unique=True, editable=False)
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.SET_NULL,
        null=True,
        blank=True,
        related_name="applications",
        verbose_name=_("account"),
    )
    invitation = models.ForeignKey(
        Invitation, models.PROTECT, null=True, blank=True, related_name="applicants", verbose_name=_("invitation")
    )
    state = models.CharField(_("state"), max_length=9, choices=State, default=State.WAITING)
    made_at = models.DateTimeField(_("made"))
    decided_at = models.DateTimeField(_("decided"), null=True, blank=True)
    # Null if the league admitted its own player at once, or the person withdrew.
    decided_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.PROTECT,
        null=True,
        blank=True,
        related_name="applicants_decided",
        verbose_name=_("decided by"),
    )
    # The entrant made from the sign-up.
    entrant = models.ForeignKey(
        Entrant, models.PROTECT, null=True, blank=True, related_name="applications", verbose_name=_("entrant")
    )
    # Withdrawn after the draw: an organizer removes the entrant, because only organizers undo a draw.
    leaves_since = models.DateTimeField(_("leaves the draw since"), null=True, blank=True)

    class Meta:
        ordering = ["made_at", "pk"]
        indexes = [models.Index(fields=["competition", "state", "made_at"], name="applicants_in_order")]
        constraints = [
            models.CheckConstraint(
                condition=Q(state="waiting", decided_at__isnull=True)
                | ~Q(state="waiting") & Q(decided_at__isnull=False),
                name="an_applicant_waits_until_decided",
            ),
            models.CheckConstraint(
                condition=~Q(state="accepted") | Q(entrant__isnull=False), name="an_accepted_applicant_is_an_entrant"
            ),
        ]
        verbose_name = _("sign-up")
        verbose_name_plural = _("sign-ups")

    def __str__(self) -> str:
        first = str(self.player) if self.player else self.name or "–"
        return together([first, self.partner_name]) if self.partner_name else first
