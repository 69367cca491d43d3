"""Rows of a season: divisions, round dates, play-offs, promotions and relegations."""

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from league.accounts.lettered import NameColumn
from league.accounts.models import LONGEST_NAME, League
from league.matches.models import Amendment
from league.players.models import Entrant

LONGEST_DIVISION = 60


class Season(models.Model):
    """A year of a league, with divisions in levels; public once `published_at` is set.

    After it is closed nothing is planned in it; an amended result can still change its tables.
    """

    league = models.ForeignKey(League, models.PROTECT, related_name="seasons", verbose_name=_("league"))
    name = NameColumn(_("name"), letters=LONGEST_NAME)
    slug = models.SlugField(_("address"), max_length=60)
    starts_on = models.DateField(_("begins"))
    ends_on = models.DateField(_("ends"), null=True, blank=True)
    follows = models.OneToOneField(
        "self", models.PROTECT, null=True, blank=True, related_name="followed_by", verbose_name=_("follows")
    )
    play_off_best_of = models.PositiveSmallIntegerField(_("best of, in a play-off"), default=1)
    published_at = models.DateTimeField(_("published"), null=True, blank=True)
    closed_at = models.DateTimeField(_("closed"), null=True, blank=True)
    closed_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.PROTECT,
        null=True,
        blank=True,
        related_name="closed_seasons",
        verbose_name=_("closed by"),
    )

    class Meta:
        ordering = ["-starts_on", "-pk"]
        constraints = [
            models.UniqueConstraint(fields=["league", "slug"], name="a_season_address_once"),
            models.CheckConstraint(
                condition=Q(ends_on__isnull=True) | Q(ends_on__gte=F("starts_on")), name="a_season_ends_after_it_began"
            ),
        ]
        verbose_name = _("season")
        verbose_name_plural = _("seasons")

    def __str__(self) -> str:
        return self.name


class Division(models.Model):
    """A competition of a season, with its numbers of promotion and relegation places.

    `play_off`: number of places after the promoted that meet as many of the division above.
    """

    season = models.ForeignKey(Season, models.CASCADE, related_name="divisions", verbose_name=_("season"))
    # 1 is the top.
    level = models.PositiveSmallIntegerField(_("level"))
    name = NameColumn(_("name"), letters=LONGEST_DIVISION)
    competition = models.OneToOneField(
        "competitions.Competition", models.CASCADE, related_name="division", verbose_name=_("competition")
    )
    promote = models.PositiveSmallIntegerField(_("go up"), default=0)
    relegate = models.PositiveSmallIntegerField(_("go down"), default=0)
    play_off = models.PositiveSmallIntegerField(_("play off to go up"), default=0)

    class Meta:
        ordering = ["season", "level"]
        constraints = [
            models.UniqueConstraint(fields=["season", "level"], name="a_level_of_a_season_once"),
            models.CheckConstraint(condition=Q(level__gte=1), name="levels_count_from_one"),
        ]
        verbose_name = _("division")
        verbose_name_plural = _("divisions")

    def __str__(self) -> str:
        return self.name


class SeasonDate(models.Model):
    """Start of a round in every division."""

    season = models.ForeignKey(Season, models.CASCADE, related_name="dates", verbose_name=_("season"))
    number = models.PositiveSmallIntegerField(_("number"))
    starts_at = models.DateTimeField(_("starts"))

    class Meta:
        ordering = ["season", "number"]
        constraints = [models.UniqueConstraint(fields=["season", "number"], name="a_date_of_a_season_once")]
        verbose_name = _("date of a season")
        verbose_name_plural = _("dates of a season")

    def __str__(self) -> str:
        return f"{self.season}, {self.number}"


class PlayOff(models.Model):
    """A competition of two, from neighbouring divisions, for a place in the upper one.

    It is valid as long as the tables give the same pair.
    """

    upper = models.ForeignKey(Division, models.CASCADE, related_name="play_offs", verbose_name=_("upper division"))
    # From 1: the best of the lower division meets the last of the upper one.
    number = models.PositiveSmallIntegerField(_("number"))
    competition = models.OneToOneField(
        "competitions.Competition", models.CASCADE, related_name="play_off", verbose_name=_("competition")
    )

    class Meta:
        ordering = ["upper", "number", "pk"]
        verbose_name = _("play-off")
        verbose_name_plural = _("play-offs")

    def __str__(self) -> str:
        return f"{self.upper}: {self.number}"


class SeasonMove(models.Model):
    """Move of an entrant, as stored when the next season was made.

    Later changes of the tables are compared with it and do not change it.
    """

    class Reason(models.TextChoices):
        """The codes of `formats.promotion.Fate`, without WAITS."""

        STAYS = "stays", pgettext_lazy("end of a season", "stays")
        PROMOTED = "promoted", pgettext_lazy("end of a season", "promoted")
        RELEGATED = "relegated", pgettext_lazy("end of a season", "relegated")
        WON_UP = "won-up", pgettext_lazy("end of a season", "promoted by the play-off")
        MISSED_UP = "missed-up", pgettext_lazy("end of a season", "stays after the play-off")
        HELD = "held", pgettext_lazy("end of a season", "stays by the play-off")
        LOST_DOWN = "lost-down", pgettext_lazy("end of a season", "relegated by the play-off")
        LEFT = "left", pgettext_lazy("end of a season", "has left")

    season = models.ForeignKey(Season, models.CASCADE, related_name="moves", verbose_name=_("season"))
    entrant = models.ForeignKey(Entrant, models.PROTECT, related_name="season_moves", verbose_name=_("entrant"))
    from_level = models.PositiveSmallIntegerField(_("from level"))
    # Null after a withdrawal.
    to_level = models.PositiveSmallIntegerField(_("to level"), null=True, blank=True)
    place = models.PositiveSmallIntegerField(_("place"))
    why = models.CharField(_("why"), max_length=12, choices=Reason)
    # The amendment after which the tables give another division; the next season stays as made.
    stands_although = models.ForeignKey(
        Amendment, models.PROTECT, null=True, blank=True, related_name="season_moves", verbose_name=_("stands although")
    )

    class Meta:
        ordering = ["season", "from_level", "place"]
        constraints = [models.UniqueConstraint(fields=["season", "entrant"], name="moved_once_at_the_end_of_a_season")]
        verbose_name = _("move at the end of a season")
        verbose_name_plural = _("moves at the end of a season")

    def __str__(self) -> str:
        return f"{self.entrant}: {self.get_why_display()}"
