"""Printed codes of matches that were published before their competition was reopened."""

from django.db import models
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from league.accounts.codes import DOOR_OF_MATCH
from league.competitions.models.draw import LONGEST_PLACE
from league.players.models import Entrant


class FormerCard(models.Model):
    """A match of a reopened draw: its key and its codes, as cards and addresses have them.

    A new draw gives them to the match of the same entrants in the same place. Without such a match the code answers
    with the new tables of these entrants.
    """

    competition = models.ForeignKey(
        "competitions.Competition", models.CASCADE, related_name="former_cards", verbose_name=_("competition")
    )
    # Of a match that may be gone, so no foreign key.
    match = models.PositiveBigIntegerField(_("key of the match"), unique=True)
    door = models.CharField(max_length=DOOR_OF_MATCH, unique=True)
    # Codes of its games, in order.
    codes = models.JSONField(_("codes of the games"), default=list)
    # Place in the draw: the round as it is named (`Matchday.place`), and the number of the slot.
    round = models.CharField(_("round"), max_length=LONGEST_PLACE)
    slot = models.PositiveSmallIntegerField(pgettext_lazy("draw", "slot"))

    class Meta:
        ordering = ["competition", "round", "slot", "pk"]
        verbose_name = _("former card")
        verbose_name_plural = _("former cards")

    def __str__(self) -> str:
        return f"{self.competition}, {self.round}.{self.slot}"


class FormerSeat(models.Model):
    """An entrant on a former card, by number of the side."""

    card = models.ForeignKey(FormerCard, models.CASCADE, related_name="seats", verbose_name=_("former card"))
    number = models.PositiveSmallIntegerField(_("number"))
    entrant = models.ForeignKey(Entrant, models.CASCADE, related_name="former_seats", verbose_name=_("entrant"))

    class Meta:
        ordering = ["card", "number"]
        constraints = [models.UniqueConstraint(fields=["card", "number"], name="a_former_side_number_once")]
        verbose_name = _("seat of a former card")
        verbose_name_plural = _("seats of former cards")

    def __str__(self) -> str:
        return str(self.entrant)
