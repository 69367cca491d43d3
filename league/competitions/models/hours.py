"""Hours that a side of a match proposes to the other side."""

from collections.abc import Sequence
from datetime import datetime

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from league.matches.models import Match
from league.players.models import Entrant


class HourProposal(models.Model):
    """One or two hours for a match, proposed by an entrant; at most one is open, and agreed ones are kept.

    `instead_of`: the hour of the match when it was proposed. With any other hour the proposal has lapsed.
    """

    match = models.ForeignKey(Match, models.CASCADE, related_name="hour_proposals", verbose_name=_("match"))
    entrant = models.ForeignKey(Entrant, models.CASCADE, related_name="hour_proposals", verbose_name=_("proposed by"))
    first = models.DateTimeField(_("first hour"))
    second = models.DateTimeField(_("second hour"), null=True, blank=True)
    instead_of = models.DateTimeField(_("instead of"), null=True, blank=True)
    made_at = models.DateTimeField(_("made"))
    agreed_at = models.DateTimeField(_("agreed"), null=True, blank=True)

    class Meta:
        ordering = ["made_at", "pk"]
        constraints = [
            models.UniqueConstraint(fields=["match"], condition=Q(agreed_at=None), name="one_open_proposal_a_match"),
        ]
        verbose_name = _("proposal of hours")
        verbose_name_plural = _("proposals of hours")

    def __str__(self) -> str:
        return f"{self.match}: {self.entrant}"

    def hours(self, now: datetime) -> Sequence[datetime]:
        """Return the proposed hours that are still to come, in their order."""
        return sorted(hour for hour in {self.first, self.second} if hour is not None and hour > now)
