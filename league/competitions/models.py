"""Tournaments and seasons: stages of matchdays, whose slots point at matches."""

from django.db import models
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from league.accounts.models import League
from league.matches.models import Match
from league.players.models import Entrant


class Competition(models.Model):
    """A tournament or a division of a season. Outsiders see it once `published_at` is set."""

    league = models.ForeignKey(League, models.PROTECT, related_name="competitions", verbose_name=_("league"))
    name = models.CharField(_("name"), max_length=120)
    slug = models.SlugField(_("address"), max_length=60)
    ruleset = models.CharField(_("ruleset"), max_length=40)
    options = models.JSONField(_("options"), default=dict, blank=True)
    best_of = models.PositiveSmallIntegerField(_("best of"), default=1)
    published_at = models.DateTimeField(_("published"), null=True, blank=True)

    class Meta:
        ordering = ["name"]
        constraints = [models.UniqueConstraint(fields=["league", "slug"], name="a_competition_address_once")]
        verbose_name = _("competition")
        verbose_name_plural = _("competitions")

    def __str__(self) -> str:
        return self.name


class Registration(models.Model):
    """Who takes part, and at which seed."""

    competition = models.ForeignKey(
        Competition, models.CASCADE, related_name="registrations", verbose_name=_("competition")
    )
    entrant = models.ForeignKey(Entrant, models.PROTECT, related_name="registrations", verbose_name=_("entrant"))
    seed = models.PositiveSmallIntegerField(_("seed"))

    class Meta:
        ordering = ["competition", "seed"]
        constraints = [
            models.UniqueConstraint(fields=["competition", "entrant"], name="registered_once"),
            models.UniqueConstraint(fields=["competition", "seed"], name="a_seed_once"),
        ]
        verbose_name = _("registration")
        verbose_name_plural = _("registrations")

    def __str__(self) -> str:
        return str(self.entrant)


class Stage(models.Model):
    """One format within a competition."""

    class Format(models.TextChoices):
        ROUND_ROBIN = "round_robin", _("round robin")

    competition = models.ForeignKey(Competition, models.CASCADE, related_name="stages", verbose_name=_("competition"))
    number = models.PositiveSmallIntegerField(_("number"), default=1)
    format = models.CharField(_("format"), max_length=20, choices=Format, default=Format.ROUND_ROBIN)
    finished_at = models.DateTimeField(_("finished"), null=True, blank=True)

    class Meta:
        ordering = ["competition", "number"]
        constraints = [models.UniqueConstraint(fields=["competition", "number"], name="a_stage_number_once")]
        verbose_name = _("stage")
        verbose_name_plural = _("stages")

    def __str__(self) -> str:
        return f"{self.competition}: {self.get_format_display()}"


class Matchday(models.Model):
    """A round of a stage, under the name that people see: "Round 3", "Quarter-finals"."""

    stage = models.ForeignKey(Stage, models.CASCADE, related_name="matchdays", verbose_name=_("stage"))
    number = models.PositiveSmallIntegerField(_("number"))
    name = models.CharField(_("name"), max_length=60, blank=True)

    class Meta:
        ordering = ["stage", "number"]
        constraints = [models.UniqueConstraint(fields=["stage", "number"], name="a_matchday_number_once")]
        verbose_name = _("matchday")
        verbose_name_plural = _("matchdays")

    def __str__(self) -> str:
        return self.name or pgettext_lazy("matchday", "Round %(number)d") % {"number": self.number}


class Slot(models.Model):
    """A place in the draw, and the match that is played there."""

    matchday = models.ForeignKey(Matchday, models.CASCADE, related_name="slots", verbose_name=_("matchday"))
    number = models.PositiveSmallIntegerField(_("number"))
    match = models.OneToOneField(Match, models.PROTECT, related_name="slot", verbose_name=_("match"))

    class Meta:
        ordering = ["matchday", "number"]
        constraints = [models.UniqueConstraint(fields=["matchday", "number"], name="a_slot_number_once")]
        verbose_name = pgettext_lazy("draw", "slot")
        verbose_name_plural = pgettext_lazy("draw", "slots")

    def __str__(self) -> str:
        return f"{self.matchday}, {self.number}"
