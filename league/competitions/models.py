"""Tournaments and seasons: stages of matchdays, whose slots point at matches."""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext, pgettext_lazy

from league.accounts.codes import LENGTH, new_code
from league.accounts.models import League
from league.competitions.rating_rows import RatedGame, Rating, RatingList  # noqa: F401
from league.matches.models import LEVELS, Amendment, KnownBy, Match, Table
from league.players.models import Entrant

LEVEL_CHOICES = [(one.value, one.label) for one in LEVELS]


class TieBreak(models.TextChoices):
    """What places entrants, in the order that the organizer chose (COMPETITIONS.md, standings and tie-breaks)."""

    WINS = "wins", pgettext_lazy("tie-break", "matches won")
    MATCH_POINTS = "match_points", pgettext_lazy("tie-break", "match points")
    GAME_POINTS = "game_points", pgettext_lazy("tie-break", "games won")
    WON = "won", pgettext_lazy("tie-break", "matches won at the table")
    DIRECT_ENCOUNTER = "direct_encounter", pgettext_lazy("tie-break", "direct encounter")
    DIFFERENCE = "difference", pgettext_lazy("tie-break", "points difference")
    POINTS_FOR = "points_for", pgettext_lazy("tie-break", "points for")
    AVERAGE = "average", pgettext_lazy("tie-break", "points a game")
    BUCHHOLZ = "buchholz", pgettext_lazy("tie-break", "Buchholz")
    BUCHHOLZ_CUT_1 = "buchholz_cut_1", pgettext_lazy("tie-break", "Buchholz without the lowest")
    BUCHHOLZ_MEDIAN_1 = "buchholz_median_1", pgettext_lazy("tie-break", "Buchholz without lowest and highest")
    AVERAGE_BUCHHOLZ = "average_buchholz", pgettext_lazy("tie-break", "average Buchholz of the opponents")
    FORE_BUCHHOLZ = "fore_buchholz", pgettext_lazy("tie-break", "Fore Buchholz")
    SONNEBORN_BERGER = "sonneborn_berger", pgettext_lazy("tie-break", "Sonneborn-Berger")
    SONNEBORN_BERGER_CUT_1 = (
        "sonneborn_berger_cut_1",
        pgettext_lazy("tie-break", "Sonneborn-Berger without the lowest"),
    )
    PROGRESSIVE = "progressive", pgettext_lazy("tie-break", "progressive score")
    KOYA = "koya", pgettext_lazy("tie-break", "Koya")
    OPPONENTS_RATING = "opponents_rating", pgettext_lazy("tie-break", "average rating of the opponents")
    PERFORMANCE = "performance", pgettext_lazy("tie-break", "performance")
    MUGGINS = "muggins", pgettext_lazy("tie-break", "muggins taken")
    LOT = "lot", pgettext_lazy("tie-break", "lot")


def usual_tie_breaks() -> list[str]:
    return [TieBreak.WINS, TieBreak.DIFFERENCE, TieBreak.POINTS_FOR]


# Nobody has a rating here yet, so these cannot be chosen.
NEED_RATINGS = (TieBreak.OPPONENTS_RATING, TieBreak.PERFORMANCE)


class Competition(models.Model):
    """A tournament or a division of a season. Outsiders see it once `published_at` is set."""

    class Release(models.TextChoices):
        """When the rounds of a published competition are shown."""

        ALL = "all", pgettext_lazy("rounds", "all rounds at once")
        ROUND_BY_ROUND = "round_by_round", pgettext_lazy("rounds", "round by round")

    class TieBreakEdition(models.IntegerChoices):
        """Of the tie-break regulations, FIDE C.07: how unplayed rounds count."""

        OF_2024 = 2024, pgettext_lazy("edition of the tie-breaks", "FIDE C.07 of August 2024")
        OF_2026 = 2026, pgettext_lazy("edition of the tie-breaks", "FIDE C.07 of March 2026")

    league = models.ForeignKey(League, models.PROTECT, related_name="competitions", verbose_name=_("league"))
    name = models.CharField(_("name"), max_length=120)
    slug = models.SlugField(_("address"), max_length=60)
    ruleset = models.CharField(_("ruleset"), max_length=40)
    options = models.JSONField(_("options"), default=dict, blank=True)
    best_of = models.PositiveSmallIntegerField(_("best of"), default=1)
    tie_breaks = models.JSONField(_("tie-breaks"), default=usual_tie_breaks, help_text=_("In this order."))
    tie_break_edition = models.PositiveSmallIntegerField(
        _("edition of the tie-breaks"), choices=TieBreakEdition, default=TieBreakEdition.OF_2026
    )
    # Match points.
    win_points = models.PositiveSmallIntegerField(_("points for a win"), default=2)
    draw_points = models.PositiveSmallIntegerField(_("points for a draw"), default=1)
    loss_points = models.PositiveSmallIntegerField(_("points for a loss"), default=0)
    bye_points = models.PositiveSmallIntegerField(_("points for a bye"), default=2)
    release = models.CharField(_("rounds are shown"), max_length=16, choices=Release, default=Release.ALL)
    # What the draw plans with: a match takes `minutes` of a table; without `days_between` the next round begins
    # when the one before should be over.
    starts_at = models.DateTimeField(_("starts"), null=True, blank=True)
    minutes = models.PositiveSmallIntegerField(_("minutes a match"), default=30)
    days_between = models.PositiveSmallIntegerField(_("days between rounds"), default=0)
    tables = models.ManyToManyField(Table, blank=True, related_name="competitions", verbose_name=_("tables"))
    # The fee in hundredths of the currency; none where it is 0.
    fee = models.PositiveIntegerField(_("fee"), default=0)
    currency = models.CharField(_("currency"), max_length=8, blank=True)
    level = models.CharField(_("results need"), max_length=8, choices=LEVEL_CHOICES, default=KnownBy.SCORE)
    final_level = models.CharField(_("finals need"), max_length=8, choices=LEVEL_CHOICES, default=KnownBy.SCORE)
    # So long a side that is not there is waited for (RULES.md 10).
    forfeit_after_min = models.PositiveSmallIntegerField(_("minutes until a forfeit"), default=15)
    check_in_open = models.BooleanField(
        _("players check in by themselves"),
        default=False,
        help_text=_("With the personal link or code that each of them has."),
    )
    rated = models.BooleanField(
        _("rated"), default=True, help_text=_("Its official games count for the ratings of the league.")
    )
    published_at = models.DateTimeField(_("published"), null=True, blank=True)
    # By what a file names it, wherever it goes: imported twice into a league, it is there once.
    key = models.CharField(_("key"), max_length=2 * LENGTH, default=new_code, editable=False)
    imported_at = models.DateTimeField(_("imported"), null=True, blank=True, editable=False)
    imported_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.PROTECT,
        null=True,
        blank=True,
        editable=False,
        related_name="imported_competitions",
        verbose_name=_("imported by"),
    )

    class Meta:
        ordering = ["name"]
        constraints = [
            models.UniqueConstraint(fields=["league", "slug"], name="a_competition_address_once"),
            models.UniqueConstraint(fields=["league", "key"], name="a_competition_key_once"),
            models.CheckConstraint(
                condition=Q(imported_at__isnull=True, imported_by__isnull=True)
                | Q(imported_at__isnull=False, imported_by__isnull=False),
                name="imported_by_somebody",
            ),
        ]
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
    checked_in_at = models.DateTimeField(_("checked in"), null=True, blank=True)
    # Empty where the player did it, by the personal link.
    checked_in_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.PROTECT,
        null=True,
        blank=True,
        related_name="checked_in",
        verbose_name=_("checked in by"),
    )
    # Drawn once, the last resort of the table: 1 is the best.
    lot = models.PositiveSmallIntegerField(_("lot"), null=True, blank=True)
    # Of the fee; why is always said.
    free_reason = models.CharField(_("plays free because"), max_length=120, blank=True)
    # What the file from which the competition was imported calls the entrant; elsewhere the player's code does.
    key = models.CharField(_("key"), max_length=2 * LENGTH, blank=True, editable=False)

    class Meta:
        ordering = ["competition", "seed"]
        constraints = [
            models.UniqueConstraint(fields=["competition", "entrant"], name="registered_once"),
            models.UniqueConstraint(fields=["competition", "seed"], name="a_seed_once"),
            models.UniqueConstraint(fields=["competition", "lot"], name="a_lot_once"),
            models.CheckConstraint(
                condition=Q(checked_in_by__isnull=True) | Q(checked_in_at__isnull=False), name="checked_in_at_an_hour"
            ),
        ]
        verbose_name = _("registration")
        verbose_name_plural = _("registrations")

    def __str__(self) -> str:
        return str(self.entrant)


class Payment(models.Model):
    """Money that somebody took from an entrant, in hundredths. It stays in the sums when the entrant is taken out of
    the competition; a mistake is taken back, never removed.
    """

    competition = models.ForeignKey(Competition, models.PROTECT, related_name="payments", verbose_name=_("competition"))
    entrant = models.ForeignKey(Entrant, models.PROTECT, related_name="payments", verbose_name=_("entrant"))
    amount = models.PositiveIntegerField(_("amount"))
    taken_at = models.DateTimeField(_("taken"))
    taken_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, related_name="payments_taken", verbose_name=_("taken by")
    )
    returned_at = models.DateTimeField(_("given back"), null=True, blank=True)
    returned_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.PROTECT,
        null=True,
        blank=True,
        related_name="payments_returned",
        verbose_name=_("given back by"),
    )

    class Meta:
        ordering = ["taken_at", "pk"]
        constraints = [
            models.CheckConstraint(condition=Q(amount__gt=0), name="a_payment_is_more_than_nothing"),
            models.CheckConstraint(
                condition=Q(returned_at__isnull=True, returned_by__isnull=True)
                | Q(returned_at__isnull=False, returned_by__isnull=False),
                name="a_payment_is_given_back_by_somebody",
            ),
        ]
        verbose_name = _("payment")
        verbose_name_plural = _("payments")

    def __str__(self) -> str:
        return f"{self.entrant}, {self.taken_at:%Y-%m-%d}"


class Withdrawal(models.Model):
    """An entrant leaves a competition that is drawn and published. What was not played by then is forfeited; what was
    played stands.
    """

    competition = models.ForeignKey(
        Competition, models.PROTECT, related_name="withdrawals", verbose_name=_("competition")
    )
    entrant = models.ForeignKey(Entrant, models.PROTECT, related_name="withdrawals", verbose_name=_("entrant"))
    reason = models.CharField(_("reason"), max_length=200)
    made_at = models.DateTimeField(_("made"))
    made_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, related_name="withdrawals_made", verbose_name=_("made by")
    )
    # Keys of the records of its forfeits: what is taken back when it is undone.
    forfeits = models.JSONField(_("forfeits"), default=list, blank=True)
    undone_at = models.DateTimeField(_("undone"), null=True, blank=True)
    undone_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.PROTECT,
        null=True,
        blank=True,
        related_name="withdrawals_undone",
        verbose_name=_("undone by"),
    )

    class Meta:
        ordering = ["made_at", "pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["competition", "entrant"], condition=Q(undone_at__isnull=True), name="withdrawn_once"
            ),
        ]
        verbose_name = _("withdrawal")
        verbose_name_plural = _("withdrawals")

    def __str__(self) -> str:
        return f"{self.entrant} – {self.competition}"


class Stage(models.Model):
    """One format within a competition."""

    class Format(models.TextChoices):
        ROUND_ROBIN = "round_robin", pgettext_lazy("format", "round robin")
        DOUBLE_ROUND_ROBIN = "double_round_robin", pgettext_lazy("format", "double round robin")
        SINGLE_ELIMINATION = "single_elimination", pgettext_lazy("format", "knock-out")
        DOUBLE_ELIMINATION = "double_elimination", pgettext_lazy("format", "double elimination")
        GROUPS = "groups", pgettext_lazy("format", "groups")
        SWISS = "swiss", pgettext_lazy("format", "Swiss system")

    competition = models.ForeignKey(Competition, models.CASCADE, related_name="stages", verbose_name=_("competition"))
    number = models.PositiveSmallIntegerField(_("number"), default=1)
    format = models.CharField(_("format"), max_length=20, choices=Format, default=Format.ROUND_ROBIN)
    third_place = models.BooleanField(_("match for third place"), default=False)
    reset = models.BooleanField(
        _("deciding match"), default=True, help_text=_("When the grand final is the first loss of the one who lost it.")
    )
    # Of a Swiss system; 0 is as many as its entrants need.
    rounds = models.PositiveSmallIntegerField(_("rounds"), default=0)
    groups = models.PositiveSmallIntegerField(_("groups"), default=0)
    # Who goes on to the next stage: so many of each table, and so many of the best of those behind them.
    advance_each = models.PositiveSmallIntegerField(_("go on, of each"), default=0)
    advance_rest = models.PositiveSmallIntegerField(_("go on, of the rest"), default=0)
    finished_at = models.DateTimeField(_("finished"), null=True, blank=True)

    class Meta:
        ordering = ["competition", "number"]
        constraints = [models.UniqueConstraint(fields=["competition", "number"], name="a_stage_number_once")]
        verbose_name = _("stage")
        verbose_name_plural = _("stages")

    def __str__(self) -> str:
        return f"{self.competition}: {self.get_format_display()}"

    @property
    def is_knock_out(self) -> bool:
        """Whoever loses goes down or home; the others have a table."""
        return self.format in KNOCK_OUTS

    @property
    def is_paired_by_round(self) -> bool:
        """Each round follows from the results before it."""
        return self.format == Stage.Format.SWISS


KNOCK_OUTS = (Stage.Format.SINGLE_ELIMINATION, Stage.Format.DOUBLE_ELIMINATION)


class StageEntry(models.Model):
    """Who plays in a stage after the first one, and at which seed there. Those of the first are the registered."""

    stage = models.ForeignKey(Stage, models.CASCADE, related_name="entries", verbose_name=_("stage"))
    entrant = models.ForeignKey(Entrant, models.PROTECT, related_name="stage_entries", verbose_name=_("entrant"))
    seed = models.PositiveSmallIntegerField(_("seed"))
    # Where they come from: their place, in which group (0 where there was one table only).
    place = models.PositiveSmallIntegerField(_("place"))
    group = models.PositiveSmallIntegerField(_("group"), default=0)

    class Meta:
        ordering = ["stage", "seed"]
        constraints = [
            models.UniqueConstraint(fields=["stage", "entrant"], name="in_a_stage_once"),
            models.UniqueConstraint(fields=["stage", "seed"], name="a_seed_of_a_stage_once"),
        ]
        verbose_name = _("stage entry")
        verbose_name_plural = _("stage entries")

    def __str__(self) -> str:
        return f"{self.seed}. {self.entrant}"


class DrawJob(models.Model):
    """Somebody asked for a draw. A large one is made in the background; this row is what a sweep finds again."""

    class What(models.TextChoices):
        FIRST = "first", pgettext_lazy("draw", "the draw")
        NEXT = "next", pgettext_lazy("draw", "the next round")
        ANEW = "anew", pgettext_lazy("draw", "the draft round anew")

    competition = models.ForeignKey(
        Competition, models.CASCADE, related_name="draw_jobs", verbose_name=_("competition")
    )
    what = models.CharField(_("what"), max_length=5, choices=What)
    asked_at = models.DateTimeField(_("asked"))
    asked_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, related_name="draw_jobs", verbose_name=_("asked by")
    )
    # In which the refusal is written.
    language = models.CharField(_("language"), max_length=16, blank=True)
    tries = models.PositiveSmallIntegerField(_("tries"), default=0)
    done_at = models.DateTimeField(_("done"), null=True, blank=True)
    # The number of the round that it made, or why it made none.
    made = models.PositiveSmallIntegerField(_("round made"), null=True, blank=True)
    refused_code = models.CharField(_("refused: code"), max_length=40, blank=True)
    refused = models.CharField(_("refused"), max_length=1000, blank=True)

    class Meta:
        ordering = ["asked_at", "pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["competition"], condition=Q(done_at__isnull=True), name="one_draw_at_a_time"
            ),
        ]
        verbose_name = _("draw asked for")
        verbose_name_plural = _("draws asked for")

    def __str__(self) -> str:
        return f"{self.competition}: {self.get_what_display()}"


class Matchday(models.Model):
    """A round of a stage, under the name that people see: "Round 3", "Quarter-finals"."""

    class Kind(models.TextChoices):
        ROUND = "round", pgettext_lazy("matchday", "Round")
        ROUND_OF_16 = "round_of_16", pgettext_lazy("matchday", "Round of 16")
        QUARTER_FINALS = "quarter_finals", pgettext_lazy("matchday", "Quarter-finals")
        SEMI_FINALS = "semi_finals", pgettext_lazy("matchday", "Semi-finals")
        FINAL = "final", pgettext_lazy("matchday", "Final")
        DECIDER = "decider", pgettext_lazy("matchday", "Deciding match")

    class Section(models.TextChoices):
        """Which part of its stage it belongs to."""

        MAIN = "", pgettext_lazy("part of a draw", "all")
        WINNERS = "winners", pgettext_lazy("part of a draw", "winners’ bracket")
        LOSERS = "losers", pgettext_lazy("part of a draw", "losers’ bracket")
        FINAL = "final", pgettext_lazy("part of a draw", "final")

    stage = models.ForeignKey(Stage, models.CASCADE, related_name="matchdays", verbose_name=_("stage"))
    # Through the whole competition, stage after stage: what its address says.
    number = models.PositiveSmallIntegerField(_("number"))
    section = models.CharField(_("part"), max_length=8, choices=Section, default=Section.MAIN, blank=True)
    # Its number among the rounds of its stage and part, which its name says.
    nth = models.PositiveSmallIntegerField(_("number within its part"), default=1)
    # SHA-256 of the official results that it was paired from; empty where the draw is older than any result.
    results_hash = models.CharField(_("hash of the results"), max_length=64, blank=True)
    kind = models.CharField(_("kind"), max_length=16, choices=Kind, default=Kind.ROUND)
    name = models.CharField(_("name"), max_length=60, blank=True, help_text=_("Instead of the usual one."))
    published_at = models.DateTimeField(_("published"), null=True, blank=True)
    published_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.PROTECT,
        null=True,
        blank=True,
        related_name="published_matchdays",
        verbose_name=_("published by"),
    )
    # It was published while matches before it had no official result: how many, of which rounds (by number), and why.
    # Shown for ever.
    missing_before = models.PositiveIntegerField(_("results missing before"), default=0)
    missing_rounds = models.JSONField(_("rounds with missing results"), default=list, blank=True)
    reason = models.CharField(_("reason"), max_length=200, blank=True)
    # One more each time a pairing, a table or an hour changes after the round is published: a sheet on a wall says
    # which version it is.
    version = models.PositiveSmallIntegerField(_("version"), default=1)

    class Meta:
        ordering = ["stage", "number"]
        constraints = [models.UniqueConstraint(fields=["stage", "number"], name="a_matchday_number_once")]
        verbose_name = _("matchday")
        verbose_name_plural = _("matchdays")

    def __str__(self) -> str:
        if self.name or self.kind != Matchday.Kind.ROUND:
            return self.name or str(Matchday.Kind(self.kind).label)
        if self.section == Matchday.Section.WINNERS:
            return pgettext("matchday", "Winners’ round %(number)d") % {"number": self.nth}
        if self.section == Matchday.Section.LOSERS:
            return pgettext("matchday", "Losers’ round %(number)d") % {"number": self.nth}
        return pgettext("matchday", "Round %(number)d") % {"number": self.nth}


class Slot(models.Model):
    """A place in the draw. Its match is scheduled once both of its berths are known, at the table and hour planned
    here; a slot with a single berth is a bye.
    """

    matchday = models.ForeignKey(Matchday, models.CASCADE, related_name="slots", verbose_name=_("matchday"))
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
    # Played only if the second berth of the slot that it comes from wins there; `not_needed` once it did not.
    conditional = models.BooleanField(_("only if needed"), default=False)
    not_needed = models.BooleanField(_("not needed"), default=False)
    # Why these two meet, as codes with their facts (formats/swiss.py), and whether they stay when it is paired anew.
    reasons = models.JSONField(_("reasons"), default=list, blank=True)
    locked = models.BooleanField(_("locked"), default=False)
    # The last change after its round was published.
    changed_at = models.DateTimeField(_("changed"), null=True, blank=True)

    class Meta:
        ordering = ["matchday", "number"]
        constraints = [models.UniqueConstraint(fields=["matchday", "number"], name="a_slot_number_once")]
        verbose_name = pgettext_lazy("draw", "slot")
        verbose_name_plural = pgettext_lazy("draw", "slots")

    def __str__(self) -> str:
        return f"{self.matchday}, {self.number}"


class Berth(models.Model):
    """One of the two places of a slot: an entrant, or whoever wins or loses an earlier slot."""

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
    # Since when everybody waits for this one, who is not at the table: the countdown to a forfeit.
    awaited_since = models.DateTimeField(_("awaited since"), null=True, blank=True)
    # The earlier match sends somebody else here since its result was amended; what was begun stands as it was played.
    stands_although = models.ForeignKey(
        Amendment, models.PROTECT, null=True, blank=True, related_name="berths", verbose_name=_("stands although")
    )

    class Meta:
        ordering = ["slot", "number"]
        constraints = [
            models.UniqueConstraint(fields=["slot", "number"], name="a_berth_number_once"),
            models.CheckConstraint(condition=Q(number__in=[1, 2]), name="a_slot_has_two_berths"),
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
