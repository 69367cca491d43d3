"""Rows of a draw: rounds, slots, berths, and draw jobs."""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.functional import cached_property
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext, pgettext_lazy

from league.accounts.lettered import NameColumn
from league.matches.models import Amendment, Match, Table
from league.players.models import Entrant

LONGEST_ROUND = 60
LONGEST_PLACE = 40

MOST_BERTHS = 6
# Filter of slots with two berths or more; with a single berth it is a bye.
IS_PLAYED = Q(berths__number=2)


class DrawJob(models.Model):
    """Request for a draw of a competition, or of all divisions of a season.

    A large draw is made in the background; the sweep finds missed ones by this row.
    """

    class What(models.TextChoices):
        FIRST = "first", pgettext_lazy("draw", "the draw")
        NEXT = "next", pgettext_lazy("draw", "the next round")
        ANEW = "anew", pgettext_lazy("draw", "the draft round again")
        HERE = "here", pgettext_lazy("draw", "the draw with those who are here")
        ALL = "all", pgettext_lazy("draw", "all divisions")
        DATED = "dated", pgettext_lazy("draw", "what was drawn, on other dates")

    competition = models.ForeignKey(
        "competitions.Competition",
        models.CASCADE,
        null=True,
        blank=True,
        related_name="draw_jobs",
        verbose_name=_("competition"),
    )
    season = models.ForeignKey(
        "competitions.Season",
        models.CASCADE,
        null=True,
        blank=True,
        related_name="draw_jobs",
        verbose_name=_("season"),
    )
    what = models.CharField(_("what"), max_length=5, choices=What)
    asked_at = models.DateTimeField(_("asked"))
    asked_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, related_name="draw_jobs", verbose_name=_("asked by")
    )
    # Language of the refusal.
    language = models.CharField(_("language"), max_length=16, blank=True)
    # Entrants shown to the organizer as absent: removed first, if they are still the same.
    absent = models.JSONField(_("absent"), default=list, blank=True)
    tries = models.PositiveSmallIntegerField(_("tries"), default=0)
    done_at = models.DateTimeField(_("done"), null=True, blank=True)
    # The number of the new round, for a season the number of divisions drawn; null if refused.
    made = models.PositiveSmallIntegerField(_("round made"), null=True, blank=True)
    refused_code = models.CharField(_("refused: code"), max_length=40, blank=True)
    refused = models.CharField(_("refused"), max_length=1000, blank=True)

    class Meta:
        ordering = ["asked_at", "pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["competition"], condition=Q(done_at__isnull=True), name="one_draw_at_a_time"
            ),
            models.UniqueConstraint(
                fields=["season"], condition=Q(done_at__isnull=True), name="one_draw_of_a_season_at_a_time"
            ),
            models.CheckConstraint(
                condition=Q(competition__isnull=True, season__isnull=False, what__in=["all", "dated"])
                | Q(competition__isnull=False, season__isnull=True) & ~Q(what__in=["all", "dated"]),
                name="a_draw_of_a_competition_or_a_season",
            ),
        ]
        verbose_name = _("draw asked for")
        verbose_name_plural = _("draws asked for")

    def __str__(self) -> str:
        return f"{self.competition or self.season}: {self.get_what_display()}"


class Matchday(models.Model):
    """A round of a stage, with its displayed name: "Round 3", "Quarter-finals"."""

    class Kind(models.TextChoices):
        ROUND = "round", pgettext_lazy("matchday", "Round")
        ROUND_OF_16 = "round_of_16", pgettext_lazy("matchday", "Round of 16")
        QUARTER_FINALS = "quarter_finals", pgettext_lazy("matchday", "Quarter-finals")
        SEMI_FINALS = "semi_finals", pgettext_lazy("matchday", "Semi-finals")
        FINAL = "final", pgettext_lazy("matchday", "Final")
        DECIDER = "decider", pgettext_lazy("matchday", "Deciding match")

    class Section(models.TextChoices):
        """Part of the stage."""

        MAIN = "", pgettext_lazy("part of a draw", "all")
        WINNERS = "winners", pgettext_lazy("part of a draw", "winners’ bracket")
        LOSERS = "losers", pgettext_lazy("part of a draw", "losers’ bracket")
        FINAL = "final", pgettext_lazy("part of a draw", "final")

    stage = models.ForeignKey("competitions.Stage", models.CASCADE, related_name="matchdays", verbose_name=_("stage"))
    # Counted through the whole competition, across stages: used in its address.
    number = models.PositiveSmallIntegerField(_("number"))
    section = models.CharField(_("part"), max_length=8, choices=Section, default=Section.MAIN, blank=True)
    # Counted within its stage and section: used in its name.
    nth = models.PositiveSmallIntegerField(_("number within its part"), default=1)
    # SHA-256 of the official results that it was paired from; empty for a draw before any result.
    results_hash = models.CharField(_("hash of the results"), max_length=64, blank=True)
    kind = models.CharField(_("kind"), max_length=16, choices=Kind, default=Kind.ROUND)
    name = NameColumn(_("name"), letters=LONGEST_ROUND, blank=True, help_text=_("Instead of the usual one."))
    published_at = models.DateTimeField(_("published"), null=True, blank=True)
    published_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.PROTECT,
        null=True,
        blank=True,
        related_name="published_matchdays",
        verbose_name=_("published by"),
    )
    # Published although earlier matches had no official result: how many, in which rounds (by number), and the reason.
    # Shown permanently.
    missing_before = models.PositiveIntegerField(_("results missing before"), default=0)
    missing_rounds = models.JSONField(_("rounds with missing results"), default=list, blank=True)
    reason = models.CharField(_("reason"), max_length=200, blank=True)
    # Raised with each change of a pairing, a table or an hour after publication: printed sheets show it.
    version = models.PositiveSmallIntegerField(_("version"), default=1)

    class Meta:
        ordering = ["stage", "number"]
        constraints = [models.UniqueConstraint(fields=["stage", "number"], name="a_matchday_number_once")]
        verbose_name = _("round")
        verbose_name_plural = _("rounds")

    def __str__(self) -> str:
        if self.name or self.kind != Matchday.Kind.ROUND:
            return self.name or str(Matchday.Kind(self.kind).label)
        if self.section == Matchday.Section.WINNERS:
            return pgettext("matchday", "Winners’ round %(number)d") % {"number": self.nth}
        if self.section == Matchday.Section.LOSERS:
            return pgettext("matchday", "Losers’ round %(number)d") % {"number": self.nth}
        return pgettext("matchday", "Round %(number)d") % {"number": self.nth}

    @cached_property
    def is_last_of_section(self) -> bool:
        """Whether it is the last round of its part of the draw. One statement."""
        return not Matchday.objects.filter(stage=self.stage_id, section=self.section, nth__gt=self.nth).exists()

    @property
    def place(self) -> str:
        """Return its name without language: "1.losers.round.2", "2..final". Equal in two draws of a competition."""
        nth = f".{self.nth}" if self.kind == Matchday.Kind.ROUND else ""
        return f"{self.stage.number}.{self.section}.{self.kind}{nth}"


class Slot(models.Model):
    """A place in the draw, with the planned table and start.

    Its match is scheduled once all its berths are known; a slot with a single berth is a bye.
    """

    matchday = models.ForeignKey(Matchday, models.CASCADE, related_name="slots", verbose_name=_("round"))
    number = models.PositiveSmallIntegerField(_("number"))
    match = models.OneToOneField(
        Match, models.PROTECT, null=True, blank=True, related_name="slot", verbose_name=_("match")
    )
    table = models.ForeignKey(
        Table,
        models.SET_NULL,
        null=True,
        blank=True,
        related_name="slots",
        verbose_name=pgettext_lazy("furniture", "table"),
    )
    starts_at = models.DateTimeField(_("starts"), null=True, blank=True)
    third_place = models.BooleanField(_("match for third place"), default=False)
    group = models.PositiveSmallIntegerField(_("group"), default=0)
    # `conditional`: played only if the second berth of its source slot wins that. `not_needed`: it did not, or at a
    # table nobody is left to play with.
    conditional = models.BooleanField(_("only if needed"), default=False)
    not_needed = models.BooleanField(_("not needed"), default=False)
    # A bye that its entrant asked for: it gives what the plan says, not the points of a bye.
    requested_bye = models.BooleanField(_("requested bye"), default=False)
    # Pairing reasons, as codes with facts (formats/swiss/values.py); a locked pair stays when the round is redrawn.
    reasons = models.JSONField(_("reasons"), default=list, blank=True)
    locked = models.BooleanField(_("locked"), default=False)
    # For the stream table, chosen by hand or as the top board of its round.
    for_stream = models.BooleanField(_("for the stream"), default=False)
    # The amendment that would pair others here, once it is confirmed and the round is paired again.
    questioned_by = models.ForeignKey(
        Amendment,
        models.SET_NULL,
        null=True,
        blank=True,
        related_name="questioned_slots",
        verbose_name=_("questioned by"),
    )
    # Last change after publication of its round.
    changed_at = models.DateTimeField(_("changed"), null=True, blank=True)

    class Meta:
        ordering = ["matchday", "number"]
        constraints = [models.UniqueConstraint(fields=["matchday", "number"], name="a_slot_number_once")]
        verbose_name = pgettext_lazy("draw", "slot")
        verbose_name_plural = pgettext_lazy("draw", "slots")

    def __str__(self) -> str:
        return f"{self.matchday}, {self.number}"


class Berth(models.Model):
    """A place in a slot; a slot has two or, in rounds at tables, up to six.

    It holds an entrant, or the winner or loser of an earlier slot.
    """

    class Takes(models.TextChoices):
        WINNER = "winner", pgettext_lazy("draw", "winner")
        LOSER = "loser", pgettext_lazy("draw", "loser")

    slot = models.ForeignKey(Slot, models.CASCADE, related_name="berths", verbose_name=pgettext_lazy("draw", "slot"))
    number = models.PositiveSmallIntegerField(_("number"))
    entrant = models.ForeignKey(
        Entrant, models.PROTECT, null=True, blank=True, related_name="berths", verbose_name=_("entrant")
    )
    from_slot = models.ForeignKey(
        Slot, models.CASCADE, null=True, blank=True, related_name="leads_to", verbose_name=_("comes from")
    )
    takes = models.CharField(_("takes"), max_length=6, choices=Takes, blank=True)
    # Start of the wait for this absent entrant: the countdown to a forfeit.
    awaited_since = models.DateTimeField(_("awaited since"), null=True, blank=True)
    # In rounds at tables: start of play without this entrant, who gets the last place and no points.
    absent_since = models.DateTimeField(_("absent since"), null=True, blank=True)
    # The amendment after which the earlier match sends another entrant here; a match that had begun stays as played.
    stands_although = models.ForeignKey(
        Amendment, models.PROTECT, null=True, blank=True, related_name="berths", verbose_name=_("stands although")
    )

    class Meta:
        ordering = ["slot", "number"]
        constraints = [
            models.UniqueConstraint(fields=["slot", "number"], name="a_berth_number_once"),
            models.CheckConstraint(
                condition=Q(number__gte=1, number__lte=MOST_BERTHS), name="a_slot_has_up_to_six_berths"
            ),
            models.CheckConstraint(
                condition=Q(from_slot__isnull=True, takes="", entrant__isnull=False)
                | Q(from_slot__isnull=False) & ~Q(takes=""),
                name="a_berth_is_known_or_comes_from_a_slot",
            ),
        ]
        verbose_name = pgettext_lazy("draw", "berth")
        verbose_name_plural = pgettext_lazy("draw", "berths")

    def __str__(self) -> str:
        return str(self.entrant or self.from_slot)
