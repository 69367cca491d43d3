"""The first three places of finished competitions: copies, so that the page of a player need not compute a table for
every competition that somebody ever played in.
"""

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from league.players.models import Entrant

LAST_PLACE = 3


class Honour(models.Model):
    """Who came where. Whoever is level in everything shares a place. It counts while its competition is finished and
    `Competition.honours_at` says since when its places are these (league/competitions/honours.py).
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
