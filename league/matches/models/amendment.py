"""Model of amendments, re-exported by models/__init__.py."""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy


class Amendment(models.Model):
    """An amendment: a new result for a game that has an official one.

    One official proposes it, a second confirms it, for a reason that is public. The result before it and its record are
    kept for ever.
    """

    class State(models.TextChoices):
        PROPOSED = "proposed", pgettext_lazy("amendment", "waits for another official")
        CONFIRMED = "confirmed", pgettext_lazy("amendment", "confirmed")
        REFUSED = "refused", pgettext_lazy("amendment", "refused")
        WITHDRAWN = "withdrawn", pgettext_lazy("amendment", "withdrawn")

    class Later(models.TextChoices):
        """Effect on later matches already begun with an entrant who no longer qualifies."""

        STAND = "stand", pgettext_lazy("later matches", "they stand as played")
        VOID = "void", pgettext_lazy("later matches", "they are cancelled and replayed")

    game = models.ForeignKey("matches.Game", models.PROTECT, related_name="amendments", verbose_name=_("game"))
    # The official result at the proposal.
    old = models.ForeignKey(
        "matches.Result", models.PROTECT, related_name="amended_by", verbose_name=_("result before it")
    )
    # Null until it is confirmed.
    new = models.OneToOneField(
        "matches.Result",
        models.PROTECT,
        null=True,
        blank=True,
        related_name="amendment",
        verbose_name=_("result after it"),
    )
    # `KnownBy`: the source of the new result, and its content (as a ScoreSheet has it).
    kind = models.CharField(_("kind"), max_length=8)
    data = models.JSONField(_("what it says"))
    # A copy of the outcome, by number of the side as a result has it.
    scores = models.JSONField(_("scores"))
    winner = models.PositiveSmallIntegerField(_("winner"), null=True, blank=True)
    # Public. It may name somebody, so it can be emptied.
    reason = models.CharField(_("reason"), max_length=200)
    later = models.CharField(_("later matches"), max_length=5, choices=Later, blank=True)
    # SHA-256 of the effect shown to the proposer: a changed effect must be shown before it is confirmed.
    effect = models.CharField(max_length=64, editable=False)
    state = models.CharField(_("state"), max_length=9, choices=State, default=State.PROPOSED)
    proposed_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, related_name="amendments_proposed", verbose_name=_("proposed by")
    )
    proposed_at = models.DateTimeField(_("proposed"))
    # The user who confirmed, refused or withdrew it.
    closed_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.PROTECT,
        null=True,
        blank=True,
        related_name="amendments_closed",
        verbose_name=_("closed by"),
    )
    closed_at = models.DateTimeField(_("closed"), null=True, blank=True, db_index=True)

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(fields=["game"], condition=Q(state="proposed"), name="one_amendment_at_a_time"),
            models.CheckConstraint(
                condition=Q(state="proposed", closed_by__isnull=True, closed_at__isnull=True)
                | ~Q(state="proposed") & Q(closed_by__isnull=False, closed_at__isnull=False),
                name="an_amendment_is_closed_by_somebody",
            ),
            models.CheckConstraint(
                condition=Q(state="confirmed", new__isnull=False) | ~Q(state="confirmed") & Q(new__isnull=True),
                name="a_confirmed_amendment_has_a_result",
            ),
        ]
        # Every page of an organizer asks for waiting amendments, and there are few or none.
        indexes = [models.Index(fields=["state"], name="amendments_by_state")]
        verbose_name = _("amendment")
        verbose_name_plural = _("amendments")

    def __str__(self) -> str:
        return f"{self.old} → {'–'.join(str(points) for points in self.scores.values())}"

    @property
    def alone(self) -> bool:
        """Whether one official did both, in a league that asks for no confirmation."""
        return self.state == Amendment.State.CONFIRMED and self.closed_by_id == self.proposed_by_id
