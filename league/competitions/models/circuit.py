"""Circuits: competitions of a league with one ranking by points a place."""

from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from league.accounts.lettered import NameColumn
from league.accounts.models import LONGEST_NAME, League
from league.competitions.formats.circuit import CircuitRule, PointsBy
from league.competitions.models.registration import Registration


class Circuit(models.Model):
    """Several evenings with one ranking; public from the start.

    An evening counts once it is published and finished (queries/circuits.py).
    """

    class Points(models.TextChoices):
        """Source of the points of a place, by `formats.circuit.PointsBy`."""

        LIST = PointsBy.LIST, pgettext_lazy("circuit", "a list: points for each place")
        ENTRANTS = PointsBy.ENTRANTS, pgettext_lazy("circuit", "1 for the last place, 1 more for each place before it")
        PERCENT = PointsBy.PERCENT, pgettext_lazy("circuit", "100 for the first place, less in equal steps")

    league = models.ForeignKey(League, models.PROTECT, related_name="circuits", verbose_name=_("league"))
    name = NameColumn(_("name"), letters=LONGEST_NAME)
    slug = models.SlugField(_("address"), max_length=60)
    points_by = models.CharField(_("points"), max_length=8, choices=Points, default=Points.LIST)
    # Whole numbers from the first place on; empty with a formula.
    points = models.JSONField(_("points by place"), default=list, blank=True)
    # The best evenings of each entrant; 0 is all.
    counted = models.PositiveSmallIntegerField(_("best evenings that count"), default=0)
    competitions = models.ManyToManyField(
        "competitions.Competition", blank=True, related_name="circuits", verbose_name=_("evenings")
    )

    class Meta:
        ordering = ["-pk"]
        constraints = [models.UniqueConstraint(fields=["league", "slug"], name="a_circuit_address_once")]
        verbose_name = _("circuit")
        verbose_name_plural = _("circuits")

    def __str__(self) -> str:
        return self.name

    @property
    def rule(self) -> CircuitRule:
        return CircuitRule(PointsBy(self.points_by), tuple(self.points), self.counted)


class CircuitPlace(models.Model):
    """Final place of an entrant in a finished competition of a circuit, for pages over many evenings.

    A copy, valid as long as a title is: while the competition is finished and `Competition.honours_at` is set.
    """

    registration = models.OneToOneField(
        Registration, models.CASCADE, related_name="circuit_place", verbose_name=_("registration")
    )
    first = models.PositiveSmallIntegerField(_("first of the shared places"))
    last = models.PositiveSmallIntegerField(_("last of the shared places"))

    class Meta:
        ordering = ["first", "pk"]
        constraints = [
            models.CheckConstraint(condition=Q(first__gte=1, last__gte=F("first")), name="a_circuit_place_in_order")
        ]
        verbose_name = _("place in a circuit")
        verbose_name_plural = _("places in a circuit")

    def __str__(self) -> str:
        return f"{self.registration}: {self.first}"
