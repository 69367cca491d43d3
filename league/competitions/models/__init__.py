"""Competitions and seasons: stages of matchdays, whose slots point at matches."""

from datetime import datetime

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from league.accounts.codes import LENGTH, new_code
from league.accounts.folding import FOLDED, FoldedField
from league.accounts.lettered import NameColumn
from league.accounts.models import LONGEST_NAME, League
from league.competitions.formats.match_length import length_of
from league.competitions.formats.registry import SPECS, FormatSettings, FormatSpec
from league.competitions.models.adjustment import Adjustment  # noqa: F401
from league.competitions.models.choices import Format, format_choices
from league.competitions.models.circuit import Circuit, CircuitPlace  # noqa: F401
from league.competitions.models.draft_history import EarlierState  # noqa: F401
from league.competitions.models.draw import IS_PLAYED, Berth, DrawJob, Matchday, Slot  # noqa: F401
from league.competitions.models.follow import Followed  # noqa: F401
from league.competitions.models.former_card import FormerCard, FormerSeat  # noqa: F401
from league.competitions.models.honour import Honour  # noqa: F401
from league.competitions.models.hours import HourProposal  # noqa: F401
from league.competitions.models.ladder import Challenge  # noqa: F401
from league.competitions.models.notice import Notice, NoticeVersion  # noqa: F401
from league.competitions.models.push import Delivery, PushKey, PushSubscription  # noqa: F401
from league.competitions.models.rating import RatedGame, Rating, RatingList  # noqa: F401
from league.competitions.models.registration import Payment, Registration, Withdrawal  # noqa: F401
from league.competitions.models.rehearsal import Rehearsal  # noqa: F401
from league.competitions.models.season import Division, PlayOff, Season, SeasonDate, SeasonMove  # noqa: F401
from league.competitions.models.seeding import Seeding  # noqa: F401
from league.competitions.models.sign_up import Applicant, Invitation  # noqa: F401
from league.matches.models import LEVELS, KnownBy, Table
from league.players.models import Entrant

LEVEL_CHOICES = [(one.value, one.label) for one in LEVELS]


def usual_tie_breaks() -> list[str]:
    return ["wins", "difference", "points_for"]


def usual_tie_breaks_of_swiss() -> list[str]:
    return ["match_points", "direct_encounter", "buchholz_cut_1", "buchholz", "sonneborn_berger", "wins"]


def usual_tie_breaks_at_tables() -> list[str]:
    return ["place_points", "game_points", "difference"]


LONGEST_CANCEL_REASON = 200
YEARS = range(1900, 2201)
"""Years of dates: far enough from the ends of the calendar for every zone and every length of a competition."""


class Competition(models.Model):
    """A tournament or a division of a season; public once `published_at` is set."""

    class Release(models.TextChoices):
        """Release of the rounds of a published competition."""

        ALL = "all", pgettext_lazy("rounds", "all rounds at once")
        ROUND_BY_ROUND = "round_by_round", pgettext_lazy("rounds", "round by round")

    class TieBreakEdition(models.IntegerChoices):
        """Edition of the tie-break regulations FIDE C.07: how unplayed rounds count."""

        OF_2024 = 2024, pgettext_lazy("edition of the tie-breaks", "FIDE C.07 of August 2024")
        OF_2026 = 2026, pgettext_lazy("edition of the tie-breaks", "FIDE C.07 of March 2026")

    class DirectBy(models.TextChoices):
        """Numbers of the direct encounter, in the table of level entrants only."""

        POINTS = "points", pgettext_lazy("direct encounter", "wins, points difference, then points for among them")
        WINS = "wins", pgettext_lazy("direct encounter", "wins among them only")

    class LiveDelay(models.IntegerChoices):
        NONE = 0, pgettext_lazy("running scores", "At once")
        HALF_A_MINUTE = 30, pgettext_lazy("running scores", "After 30 seconds")
        A_MINUTE = 60, pgettext_lazy("running scores", "After 60 seconds")

    class Leaving(models.TextChoices):
        """Matches of an entrant who leaves a round robin or its group."""

        HALF = "half", pgettext_lazy("leaving", "kept from half of the matches on, else annulled")
        KEEP = "keep", pgettext_lazy("leaving", "kept, the rest forfeited")
        ANNUL = "annul", pgettext_lazy("leaving", "all annulled")

    class RequestedBye(models.TextChoices):
        """Worth of a bye that an entrant asked for."""

        DRAW = "draw", pgettext_lazy("requested bye", "the points of a draw")
        NONE = "none", pgettext_lazy("requested bye", "no points")
        WIN = "win", pgettext_lazy("requested bye", "the points of a win")

    class Opening(models.TextChoices):
        """Access to registration."""

        CLOSED = "closed", pgettext_lazy("registration", "nobody: the organizer registers")
        OPEN = "open", pgettext_lazy("registration", "everybody")
        INVITED = "invited", pgettext_lazy("registration", "anyone with an invitation")

    class Admission(models.TextChoices):
        """Admission of sign-ups."""

        BY_HAND = "by_hand", pgettext_lazy("registration", "an organizer looks at each")
        MEMBERS = "members", pgettext_lazy("registration", "members with an account are in at once, others wait")

    # Added by queries (visibility.py, draw/counts.py, queries/last_match.py).
    for_staff: bool
    draw_count: object
    last_day: datetime | None

    league = models.ForeignKey(League, models.PROTECT, related_name="competitions", verbose_name=_("league"))
    name = NameColumn(_("name"), letters=LONGEST_NAME)
    folded = FoldedField(of="name", max_length=FOLDED, db_index=True)
    slug = models.SlugField(_("address"), max_length=60)
    ruleset = models.CharField(_("ruleset"), max_length=40)
    options = models.JSONField(_("options"), default=dict, blank=True)
    best_of = models.PositiveSmallIntegerField(_("best of"), default=1)
    # Games of the matches that have a length of their own (formats/match_length.py).
    own_best_of = models.JSONField(_("best of, in the last rounds"), default=dict, blank=True)
    clubs_apart = models.BooleanField(
        _("club mates apart"),
        default=False,
        help_text=_("In a Swiss system among those level on points, and from the first round of a knock-out on."),
    )
    pairs = models.BooleanField(
        _("of pairs"), default=False, help_text=_("Two partners share a seat and alternate games.")
    )
    tie_breaks = models.JSONField(_("tie-breaks"), default=usual_tie_breaks, help_text=_("In this order."))
    tie_break_edition = models.PositiveSmallIntegerField(
        _("edition of the tie-breaks"), choices=TieBreakEdition, default=TieBreakEdition.OF_2026
    )
    # Match points.
    win_points = models.PositiveSmallIntegerField(_("points for a win"), default=2)
    draw_points = models.PositiveSmallIntegerField(_("points for a draw"), default=1)
    loss_points = models.PositiveSmallIntegerField(_("points for a loss"), default=0)
    bye_points = models.PositiveSmallIntegerField(_("points for a bye"), default=2)
    forfeit_points = models.BooleanField(
        _("forfeits count in the points"),
        default=False,
        help_text=_("Target to nothing; otherwise they add no points."),
    )
    direct_by = models.CharField(_("direct encounter by"), max_length=6, choices=DirectBy, default=DirectBy.POINTS)
    leaving = models.CharField(_("matches of a player who leaves"), max_length=5, choices=Leaving, default=Leaving.HALF)
    # Byes that an entrant of a Swiss system may ask for, without the last round, where a bye gives no points.
    requested_bye = models.CharField(
        _("a requested bye gives"), max_length=4, choices=RequestedBye, default=RequestedBye.DRAW
    )
    most_byes = models.PositiveSmallIntegerField(_("requested byes a player"), default=1)
    release = models.CharField(_("rounds are shown"), max_length=16, choices=Release, default=Release.ALL)
    # Basis of the timetable: a match takes `minutes` of a table; without `days_between` the next round begins when the
    # round before should end.
    starts_at = models.DateTimeField(_("starts"), null=True, blank=True)
    minutes = models.PositiveSmallIntegerField(_("minutes a match"), default=30)
    days_between = models.PositiveSmallIntegerField(_("days between rounds"), default=0)
    tables = models.ManyToManyField(Table, blank=True, related_name="competitions", verbose_name=_("tables"))
    top_board_streamed = models.BooleanField(
        _("the top board goes to the stream table"), default=False, help_text=_("Of each round, when it is drawn.")
    )
    # So that a streamed final is not told before its pictures.
    live_delay_s = models.PositiveSmallIntegerField(
        _("delay of running scores"), choices=LiveDelay, default=LiveDelay.NONE, editable=False
    )
    # Tables as they come free, to the ready match with the longest way to go; tables and hours of the plan are a
    # forecast.
    dispatches = models.BooleanField(
        _("the next ready match goes to the next free table"),
        default=False,
        help_text=_("Tables and hours of the plan are then a forecast."),
    )
    rest_minutes = models.PositiveSmallIntegerField(_("minutes of rest between two matches of a player"), default=0)
    # In hundredths of the currency; 0 is no fee.
    fee = models.PositiveIntegerField(_("fee"), default=0)
    currency = models.CharField(_("currency"), max_length=8, blank=True)
    level = models.CharField(_("results need"), max_length=8, choices=LEVEL_CHOICES, default=KnownBy.SCORE)
    final_level = models.CharField(_("finals need"), max_length=8, choices=LEVEL_CHOICES, default=KnownBy.SCORE)
    # Wait for an absent side (RULES.md 10).
    forfeit_after_min = models.PositiveSmallIntegerField(_("minutes until a forfeit"), default=15)
    check_in_open = models.BooleanField(
        _("players check in by themselves"),
        default=False,
        help_text=_("With the personal link or code that each of them has."),
    )
    registration = models.CharField(_("who may sign up"), max_length=8, choices=Opening, default=Opening.CLOSED)
    registration_closes_at = models.DateTimeField(_("registration closes"), null=True, blank=True)
    admission = models.CharField(_("sign-ups"), max_length=8, choices=Admission, default=Admission.BY_HAND)
    # Most entrants admitted by sign-up; 0 is unlimited.
    places = models.PositiveSmallIntegerField(_("places"), default=0)
    rated = models.BooleanField(
        _("rated"), default=True, help_text=_("Its official games count for the ratings of the league.")
    )
    published_at = models.DateTimeField(_("published"), null=True, blank=True)
    # A cancelled competition is in no list and gives no places; only its address says that it was cancelled.
    cancelled_at = models.DateTimeField(_("cancelled"), null=True, blank=True, editable=False)
    cancelled_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.PROTECT,
        null=True,
        blank=True,
        editable=False,
        related_name="cancelled_competitions",
        verbose_name=_("cancelled by"),
    )
    cancel_reason = models.CharField(_("reason"), max_length=LONGEST_CANCEL_REASON, blank=True, editable=False)
    # When its `honours` were written from its official results; null while they have to be recomputed.
    honours_at = models.DateTimeField(_("titles written"), null=True, blank=True, editable=False)
    # Identity in files: a league has it once, however often it is imported.
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
            models.CheckConstraint(
                condition=Q(cancelled_at=None, cancelled_by=None, cancel_reason="")
                | (Q(cancelled_at__isnull=False, cancelled_by__isnull=False) & ~Q(cancel_reason="")),
                name="cancelled_by_somebody_with_a_reason",
            ),
        ]
        verbose_name = _("competition")
        verbose_name_plural = _("competitions")

    def __str__(self) -> str:
        return self.name

    def games_in(self, day: Matchday, *, third_place: bool = False) -> int:
        """Return the most games of a match in a round."""
        return length_of(
            self.best_of,
            self.own_best_of,
            day.kind,
            section=day.section,
            third_place=third_place,
            last=lambda: day.is_last_of_section,
        )


class Stage(models.Model):
    """One format in a competition."""

    Format = Format

    competition = models.ForeignKey(Competition, models.CASCADE, related_name="stages", verbose_name=_("competition"))
    number = models.PositiveSmallIntegerField(_("number"), default=1)
    format = models.CharField(_("format"), max_length=20, choices=format_choices, default=Format.ROUND_ROBIN)
    third_place = models.BooleanField(_("match for third place"), default=False)
    reset = models.BooleanField(
        _("deciding match"), default=True, help_text=_("When the grand final is the first loss of the one who lost it.")
    )
    # Of a Swiss system (0: as many as its entrants need), and of rounds at tables.
    rounds = models.PositiveSmallIntegerField(_("rounds"), default=0)
    groups = models.PositiveSmallIntegerField(_("groups"), default=0)
    # Of rounds at tables: the seats of a full table, and the points for each place, first place first; empty: one point
    # less from place to place, down to 0.
    seats = models.PositiveSmallIntegerField(_("seats at a table"), default=0)
    place_points = models.JSONField(_("points by place"), default=list, blank=True)
    # Of a ladder: the most places above one's own that can be challenged, and the days until an unplayed challenge
    # lapses; 0 is never.
    challenge_reach = models.PositiveSmallIntegerField(_("challenge up to so many places above"), default=0)
    challenge_days = models.PositiveSmallIntegerField(_("days until a challenge lapses"), default=0)
    # Qualification for the next stage: this many of each table, and this many of the best of the others.
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
    def spec(self) -> FormatSpec:
        """Properties of the format; those of a round robin in a row that the site did not write."""
        return SPECS.get(self.format, SPECS[Stage.Format.ROUND_ROBIN])

    @property
    def format_settings(self) -> FormatSettings:
        """Settings that decide on the layout."""
        return FormatSettings(
            third_place=self.third_place, reset=self.reset, rounds=self.rounds, groups=self.groups, seats=self.seats
        )

    @property
    def is_knock_out(self) -> bool:
        """Whether losers are eliminated or drop a bracket; other formats have a table."""
        return self.spec.is_knock_out

    @property
    def is_paired_by_round(self) -> bool:
        """Whether each round is paired from the results before it."""
        return self.spec.is_paired_by_round

    @property
    def is_at_tables(self) -> bool:
        """Whether more than two meet in a match."""
        return self.spec.is_at_tables

    @property
    def is_ladder(self) -> bool:
        """Whether matches come from challenges.

        A ladder ends when an organizer closes it; its only table is its order.
        """
        return self.spec.is_ladder

    @property
    def points_by_place(self) -> list[int]:
        return list(self.place_points) or list(range(self.seats - 1, -1, -1))


class StageEntry(models.Model):
    """An entrant of a later stage, with the seed.

    The entrants of the first stage are the registrations.
    """

    stage = models.ForeignKey(Stage, models.CASCADE, related_name="entries", verbose_name=_("stage"))
    entrant = models.ForeignKey(Entrant, models.PROTECT, related_name="stage_entries", verbose_name=_("entrant"))
    seed = models.PositiveSmallIntegerField(_("seed"))
    # Origin: place and group in the stage before (0 without groups).
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
