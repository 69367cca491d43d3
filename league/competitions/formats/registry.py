"""Competition formats as data: one `FormatSpec` a format. Pure.

Code asks the spec of a format and never compares keys. Choices of fields and forms: `models.choices`.
"""

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum

from league.competitions.formats.double_elimination import FEWEST_FOR_TWO_LIVES, double_elimination
from league.competitions.formats.drawn import DrawnRound
from league.competitions.formats.final_places import FinalPlaces
from league.competitions.formats.groups import FEWEST_IN_A_GROUP, group_stage
from league.competitions.formats.match_length import OF_ONE_LIFE, OF_TWO_LIVES, OwnLength
from league.competitions.formats.round_robin import round_robin
from league.competitions.formats.single_elimination import FEWEST_FOR_THIRD_PLACE, single_elimination
from league.competitions.formats.table_rounds import FEWEST_SEATS, MOST_SEATS, table_rounds
from league.translation_marks import pgettext_noop

FEWEST = 2
"""Least number of entrants for any draw."""
MOST_ROUNDS = 64
MOST_GROUPS = 64
MOST_REACH = 100
MOST_DAYS = 366


class LateEntry(Enum):
    """Place of a late entry; `attendance.late_places` finds it."""

    NONE = "none"
    BYE_OR_PRELIMINARY = "bye_or_preliminary"
    """One bye of the first round, and the byes that follow from it; of a full draw a preliminary match."""
    EVERY_BYE = "every_bye"
    """Every bye; without byes, once play has begun, a match more against everybody."""
    SMALLEST_GROUP = "smallest_group"
    """The same in the smallest group with byes, else in the smallest one."""
    NEXT_PAIRINGS = "next_pairings"
    EMPTY_SEATS = "empty_seats"
    LAST_PLACE = "last_place"


@dataclass(frozen=True, slots=True, kw_only=True)
class FormatSettings:
    """Settings of a stage that decide on its layout and its least number of entrants.

    `late`: slots of a knock-out's first round whose byes late entries took.
    """

    third_place: bool = False
    reset: bool = True
    rounds: int = 0
    groups: int = 0
    seats: int = 0
    late: tuple[int, ...] = ()


def fewest_of_any(_settings: FormatSettings) -> int:
    """Give the least number of entrants for any draw."""
    return FEWEST


def no_layout(_entrants: int, _settings: FormatSettings) -> list[DrawnRound]:
    """Give no rounds: they are paired one at a time, or made by challenges."""
    return []


@dataclass(frozen=True, slots=True, kw_only=True)
class FormatSpec:
    """One format of a stage.

    `name`: in English; `models.choices` translates it.
    `has_table`: it has standings. A knock-out has a bracket, and the only table of a ladder is its order.
    `has_fixed_layout`: integrity compares its rounds with a new layout of the same size.
    `plays_in_turn`: a dispatcher calls a person's matches in the order of the rounds.
    `is_of_division`: it can be a division of a season, which ends with one table.
    `own_lengths`: its matches that may have a number of games of their own.
    `takes_requests`: an entrant can ask for a bye in a round to come, which is then paired without it.
    `annuls`: the matches of an entrant who leaves can be annulled, because everybody meets everybody.
    `may_follow`: it can be a second stage. `may_be_followed`: a second stage can follow it.
    `layout`: all its rounds for a number of entrants; empty if paired one at a time. For two or more but fewer than
    `fewest`, who can only be left after an earlier stage, without the match or the bracket that takes more.

    Settings of a plan with their allowed values, None if the format does not have them: `rounds` (0 in a Swiss system:
    as many as it needs), `groups`, `seats` (sides at a full table), `challenge_reach`, `challenge_days` (0: a challenge
    never lapses).
    """

    key: str
    name: str
    is_knock_out: bool = False
    is_paired_by_round: bool = False
    is_at_tables: bool = False
    is_ladder: bool = False
    has_table: bool = True
    has_fixed_layout: bool = False
    has_trf_report: bool = True
    plays_in_turn: bool = False
    is_of_division: bool = False
    annuls: bool = False
    takes_requests: bool = False
    own_lengths: frozenset[OwnLength] = frozenset()
    may_follow: bool = False
    may_be_followed: bool = True
    rounds: range | None = None
    groups: range | None = None
    seats: range | None = None
    challenge_reach: range | None = None
    challenge_days: range | None = None
    has_place_points: bool = False
    has_third_place: bool = False
    fewest: Callable[[FormatSettings], int] = fewest_of_any
    layout: Callable[[int, FormatSettings], list[DrawnRound]] = no_layout
    late_entry: LateEntry = LateEntry.NONE
    final_places: FinalPlaces = FinalPlaces.TABLE


ROUND_ROBIN = FormatSpec(
    key="round_robin",
    name=pgettext_noop("format", "round robin"),
    has_fixed_layout=True,
    is_of_division=True,
    layout=lambda entrants, _settings: round_robin(entrants),
    annuls=True,
    late_entry=LateEntry.EVERY_BYE,
)
DOUBLE_ROUND_ROBIN = FormatSpec(
    key="double_round_robin",
    name=pgettext_noop("format", "double round robin"),
    has_fixed_layout=True,
    is_of_division=True,
    layout=lambda entrants, _settings: round_robin(entrants, double=True),
    annuls=True,
    late_entry=LateEntry.EVERY_BYE,
)
SINGLE_ELIMINATION = FormatSpec(
    key="single_elimination",
    name=pgettext_noop("format", "knock-out"),
    is_knock_out=True,
    has_table=False,
    has_fixed_layout=True,
    has_trf_report=False,
    may_follow=True,
    may_be_followed=False,
    has_third_place=True,
    own_lengths=OF_ONE_LIFE,
    fewest=lambda settings: FEWEST_FOR_THIRD_PLACE if settings.third_place else FEWEST,
    layout=lambda entrants, settings: single_elimination(
        entrants, third_place=settings.third_place and entrants >= FEWEST_FOR_THIRD_PLACE, late=settings.late
    ),
    late_entry=LateEntry.BYE_OR_PRELIMINARY,
    final_places=FinalPlaces.LAST_LOSS,
)
DOUBLE_ELIMINATION = FormatSpec(
    key="double_elimination",
    name=pgettext_noop("format", "double elimination"),
    is_knock_out=True,
    has_table=False,
    has_fixed_layout=True,
    has_trf_report=False,
    may_follow=True,
    may_be_followed=False,
    own_lengths=OF_TWO_LIVES,
    fewest=lambda _settings: FEWEST_FOR_TWO_LIVES,
    layout=lambda entrants, settings: (
        double_elimination(entrants, reset=settings.reset, late=settings.late)
        if entrants >= FEWEST_FOR_TWO_LIVES
        else single_elimination(entrants, late=settings.late)
    ),
    late_entry=LateEntry.BYE_OR_PRELIMINARY,
    final_places=FinalPlaces.LAST_LOSS,
)
GROUPS = FormatSpec(
    key="groups",
    name=pgettext_noop("format", "groups"),
    has_fixed_layout=True,
    plays_in_turn=True,
    groups=range(2, MOST_GROUPS + 1),
    fewest=lambda settings: FEWEST_IN_A_GROUP * settings.groups,
    layout=lambda entrants, settings: group_stage(entrants, settings.groups),
    annuls=True,
    late_entry=LateEntry.SMALLEST_GROUP,
)
SWISS = FormatSpec(
    key="swiss",
    name=pgettext_noop("format", "Swiss system"),
    is_paired_by_round=True,
    is_of_division=True,
    takes_requests=True,
    rounds=range(MOST_ROUNDS + 1),
    late_entry=LateEntry.NEXT_PAIRINGS,
)
TABLE_ROUNDS = FormatSpec(
    key="table_rounds",
    name=pgettext_noop("format", "rounds at tables of 3 to 6"),
    is_at_tables=True,
    has_trf_report=False,
    plays_in_turn=True,
    rounds=range(1, MOST_ROUNDS + 1),
    seats=range(FEWEST_SEATS, MOST_SEATS + 1),
    has_place_points=True,
    fewest=lambda settings: max(FEWEST_SEATS, settings.seats - 1),
    layout=lambda entrants, settings: table_rounds(entrants, settings.seats, settings.rounds),
    late_entry=LateEntry.EMPTY_SEATS,
)
LADDER = FormatSpec(
    key="ladder",
    name=pgettext_noop("format", "ladder"),
    is_ladder=True,
    has_table=False,
    has_trf_report=False,
    may_be_followed=False,
    challenge_reach=range(1, MOST_REACH + 1),
    challenge_days=range(MOST_DAYS + 1),
    late_entry=LateEntry.LAST_PLACE,
    final_places=FinalPlaces.LADDER,
)

SPECS = {
    one.key: one
    for one in (
        ROUND_ROBIN,
        DOUBLE_ROUND_ROBIN,
        SINGLE_ELIMINATION,
        DOUBLE_ELIMINATION,
        GROUPS,
        SWISS,
        TABLE_ROUNDS,
        LADDER,
    )
}


def spec_of(key: str) -> FormatSpec:
    """Give the spec of a format. Raises KeyError for an unknown key."""
    return SPECS[key]


def keys(wanted: Callable[[FormatSpec], bool]) -> tuple[str, ...]:
    """Give the keys of the formats with that property, for queries and choices."""
    return tuple(one.key for one in SPECS.values() if wanted(one))


KNOCK_OUTS = keys(lambda spec: spec.is_knock_out)
PAIRED_BY_ROUND = keys(lambda spec: spec.is_paired_by_round)
TABLE_FORMATS = keys(lambda spec: spec.is_at_tables)
IN_TURN = keys(lambda spec: spec.plays_in_turn)
LADDERS = keys(lambda spec: spec.is_ladder)
DIVISION_FORMATS = keys(lambda spec: spec.is_of_division)
SECOND_STAGES = keys(lambda spec: spec.may_follow)
