"""Rows of a ladder: challenges. Its order follows from the seeds and the results."""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from league.competitions.models.draw import Slot
from league.players.models import Entrant


class Challenge(models.Model):
    """A challenge for the place of a higher entrant.

    It has a slot of the draw, whose first berth is the challenged; a challenge closed unplayed has no slot.
    """

    class Closed(models.TextChoices):
        """Reasons for closing an unplayed challenge."""

        WITHDRAWN = "withdrawn", pgettext_lazy("challenge", "withdrawn")
        EXPIRED = "expired", pgettext_lazy("challenge", "not played in time")

    stage = models.ForeignKey("competitions.Stage", models.CASCADE, related_name="challenges", verbose_name=_("stage"))
    challenger = models.ForeignKey(
        Entrant, models.PROTECT, related_name="challenges_made", verbose_name=_("challenger")
    )
    challenged = models.ForeignKey(Entrant, models.PROTECT, related_name="challenges_met", verbose_name=_("challenged"))
    slot = models.OneToOneField(
        Slot,
        models.SET_NULL,
        null=True,
        blank=True,
        related_name="challenge",
        verbose_name=pgettext_lazy("draw", "slot"),
    )
    made_at = models.DateTimeField(_("made"))
    # Null if made by the personal link, without an account.
    made_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.PROTECT,
        null=True,
        blank=True,
        related_name="challenges",
        verbose_name=_("made by"),
    )
    closed_at = models.DateTimeField(_("closed unplayed"), null=True, blank=True)
    closed_how = models.CharField(_("how"), max_length=10, choices=Closed, blank=True)

    class Meta:
        ordering = ["made_at", "pk"]
        constraints = [
            models.CheckConstraint(condition=~Q(challenger=models.F("challenged")), name="nobody_challenges_oneself"),
            models.CheckConstraint(
                condition=Q(closed_at__isnull=True, closed_how="")
                | Q(closed_at__isnull=False, slot__isnull=True) & ~Q(closed_how=""),
                name="a_closed_challenge_is_not_played",
            ),
        ]
        verbose_name = _("challenge")
        verbose_name_plural = _("challenges")

    def __str__(self) -> str:
        return f"{self.challenger} – {self.challenged}"
