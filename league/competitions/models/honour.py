"""Top three places of finished competitions.

Copies, so that a player page need not compute the table of every competition the player entered.
"""

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from league.players.models import Entrant

LAST_PLACE = 3


class Honour(models.Model):
    """A top place of an entrant; entrants level in all tie-breaks share a place.

    Valid while its competition is finished and `Competition.honours_at` is set (league/competitions/honours.py).
    """

    competition = models.ForeignKey(
        "competitions.Competition", models.CASCADE, related_name="honours", verbose_name=_("competition")
    )
    entrant = models.ForeignKey(Entrant, models.PROTECT, related_name="honours", verbose_name=_("entrant"))
    place = models.PositiveSmallIntegerField(_("place"))

    class Meta:
        ordering = ["competition", "place", "pk"]
        constraints = [
            models.UniqueConstraint(fields=["competition", "entrant"], name="one_place_in_a_competition"),
            models.CheckConstraint(condition=Q(place__gte=1, place__lte=LAST_PLACE), name="an_honour_is_of_the_first"),
        ]
        verbose_name = _("title")
        verbose_name_plural = _("titles")

    def __str__(self) -> str:
        return f"{self.competition}: {self.place}, {self.entrant}"
