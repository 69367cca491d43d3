"""Rules of one system as data: an enum or a number for every difference.

Defaults and option keys are those of RULES.md section 11. An organizer's house rule is an override of an option.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from enum import Enum
from typing import Any

from games.errors import OptionError, nearest
from games.tiles import TileSet


class Spinner(Enum):
    """Which doubles open their ends once both sides are covered (RULES.md 1.2)."""

    NONE = "none"
    FIRST = "first"
    ALL = "all"


class Lead(Enum):
    """Choice of the leader of a round."""

    HIGHEST_DOUBLE = "highest_double"
    LOT = "lot"
    DOMINOER_ANY = "dominoer_any"
    WINNER_ANY = "winner_any"


class NoDouble(Enum):
    """Lead of a round in which nobody holds a double."""

    HIGHEST_TILE = "highest_tile"
    DRAW_UNTIL = "draw_until"


class TileOrder(Enum):
    """Order of tiles for the highest: by halves, or by pips (Q5).

    By higher half then lower half, or by pips then higher half.
    """

    LEX = "lex"
    PIPS = "pips"


class Settlement(Enum):
    """Conversion of the tiles left at the end of a round into points."""

    OPP_R5 = "opp_r5"
    ALL_R5_DIV5 = "all_r5_div5"
    ALL = "all"
    OPP = "opp"
    DIFF = "diff"
    TILES_X5 = "tiles_x5"


class BlockedBy(Enum):
    """Winner of a blocked round: fewest pips or fewest tiles."""

    PIPS = "pips"
    TILES = "tiles"


class Scope(Enum):
    """Hands counted for round-end points, where the winner has tiles left too (Q11)."""

    ALL = "all"
    OPPONENTS = "opponents"


class BlockTie(Enum):
    """Result of a tie for the lowest hand in a blocked round (Q12)."""

    NONE = "none"
    SPLIT = "split"


class EndCheck(Enum):
    """Moment at which the target ends the game (Q16)."""

    IMMEDIATE = "immediate"
    ROUND = "round"


class BellMode(Enum):
    """Effect of the bell on a round in play (Q17)."""

    STOP = "stop"
    TURN = "turn"
    ROUND = "round"


class Tie(Enum):
    """Continuation after level scores at the bell (Q18)."""

    OVERTIME = "overtime"
    REPLAY = "replay"


class Announce(Enum):
    """Booking of points: on announcement, or automatic."""

    MANUAL = "manual"
    AUTO = "auto"


class Muggins(Enum):
    """Time window for opponents to claim unannounced points, if any (Q19)."""

    OFF = "off"
    AFTER_NEXT = "after_next"
    BEFORE_NEXT = "before_next"


class Overclaim(Enum):
    """Consequence of an announcement that is too high (Q21)."""

    CORRECT = "correct"
    FOSTER = "foster"


class FalseCall(Enum):
    """Reaction of an event to a false muggins call (NOTATION.md 7.9).

    It has no effect on a verdict.
    """

    WARN = "warn"
    ACC = "acc"
    FIXED = "fixed"


class Matching(Enum):
    """Condition for halves to fit: equal pips, or one colour or kind (RULES.md 2.7)."""

    PIPS = "pips"
    MARKINGS = "markings"


class StartTie(Enum):
    """Lead among equally high starting doublets: by colour or by lot (2.4).

    The order of colours is that of the table.
    """

    COLOUR = "colour"
    LOT = "lot"


class ReverseOfTwo(Enum):
    """Effect of an active Reverse with two players (2.15)."""

    SKIP = "skip"
    NONE = "none"


class Deadlock(Enum):
    """Result of a round in which nobody can or will move (2.27)."""

    LOW = "low"
    VOID = "void"


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule with its id in findings, ``<ruleset>.<slug>``, and number in RULES.md.

    ``text`` is for rules that no option changes. `games.wording.rulebook` writes the others from the data.
    """

    slug: str
    number: str
    text: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ruleset:
    """A rule system.

    ``hand`` holds the hand size for each number of seats; ``clock_s`` is 0 without a clock. The group from ``players``
    holds only changes made by an event: ``players`` narrows ``seats``; with ``bonus_scope``, ``blocked_scope``,
    ``round_bonus`` and ``bonus_divisor`` at ``None`` the name of the settlement decides.

    The default of an option is the most common value of the systems (RULES.md 11; S2: RULES.md 4); of ``spinner``
    without S2, which has no spinner. All systems differ in ``blocked_points``: its default is that of
    ``domino_points``.
    """

    key: str
    name: str
    edition: int
    tiles: TileSet
    seats: tuple[int, int]
    hand: Mapping[int, int]
    rules: Mapping[str, Rule]

    spinner: Spinner = Spinner.FIRST
    lead_first: Lead = Lead.HIGHEST_DOUBLE
    lead_forced: bool = True
    no_double: NoDouble = NoDouble.HIGHEST_TILE
    highest_tile: TileOrder = TileOrder.LEX
    lead_later: Lead = Lead.HIGHEST_DOUBLE
    lead_after_block: Lead = Lead.HIGHEST_DOUBLE
    voluntary_draw: bool = False
    must_play_drawn: bool = True
    boneyard_reserve: int = 0
    domino_points: Settlement = Settlement.OPP
    blocked_by: BlockedBy = BlockedBy.PIPS
    blocked_points: Settlement = Settlement.OPP
    round_per_hand: bool = False
    block_tie: BlockTie = BlockTie.NONE
    target: int = 100
    target_strict: bool = False
    end_check: EndCheck = EndCheck.ROUND
    clock_s: int = 0
    bell_mode: BellMode = BellMode.STOP
    tie: Tie = Tie.OVERTIME
    announce: Announce = Announce.AUTO
    muggins: Muggins = Muggins.OFF
    muggins_grace_s: int = 0
    announce_grace_s: int = 5
    post_bell_claim_s: int = 10
    overclaim: Overclaim = Overclaim.CORRECT
    false_call: FalseCall = FalseCall.WARN
    chips: int = 0

    players: tuple[int, int] | None = None
    bonus_scope: Scope | None = None
    blocked_scope: Scope | None = None
    round_bonus: bool | None = None
    bonus_divisor: int | None = None
    play_divisor: int = 1
    cap_at_target: bool = False
    muggins_on_round_end: bool = False
    next_action_counts_draw: bool = False
    overrides: Mapping[str, str] = field(default_factory=dict)

    matching: Matching = Matching.PIPS
    # Axes of systems whose tiles match by colour or kind.
    start_tie: StartTie = StartTie.COLOUR
    reverse_2p: ReverseOfTwo = ReverseOfTwo.SKIP
    failed_challenge: int = 6
    block: Deadlock = Deadlock.LOW
    all_doublet: bool = False
    reopening: bool = False

    notes: tuple[str, ...] = ()
    """Further advice for people at a table, for the page of rules."""

    options: frozenset[str] | None = None
    """Keys of the options of the system; ``None`` means every option of the pip games."""

    derived: dict[Any, Any] = field(init=False, repr=False, compare=False, default_factory=dict)
    """Results of functions marked with :func:`games.once.once`.

    Changed rules start empty.
    """

    def rule_id(self, slug: str) -> str:
        """Return the id of a rule, as cited in findings.

        Raises ``KeyError`` for a rule that the system does not have.
        """
        return f"{self.key}.{self.rules[slug].slug}"

    def hand_size(self, seats: int) -> int:
        """Return the number of tiles dealt to each seat."""
        return self.hand[seats]

    def seats_allowed(self, seats: int) -> bool:
        """Return whether this number of players is allowed.

        Limits: the system, the option ``players``, and the number of tiles.
        """
        low, high = self.players or self.seats
        return low <= seats <= high and seats in self.hand

    @property
    def option_keys(self) -> frozenset[str]:
        """Keys of the options of the system."""
        return PIP_OPTIONS if self.options is None else self.options

    def with_options(self, options: Mapping[str, str]) -> Ruleset:
        """Return this system with house rules.

        Raises :class:`OptionError` that names the allowed keys or values.

        >>> from games.rulesets import get
        >>> get("udl").with_options({"target": "100"}).target
        100
        """
        changes: dict[str, Any] = {}
        allowed = self.option_keys
        for key, text in options.items():
            option = OPTIONS.get(key) if key in allowed else None
            if option is None:
                template = "no option %(option)s; the options are %(known)s"
                facts = {"option": repr(key), "known": ", ".join(sorted(allowed))}
                if meant := nearest(key, allowed):
                    template = "no option %(option)s; the options are %(known)s: did you mean %(meant)s?"
                    facts["meant"] = meant
                raise OptionError(key, template, **facts)
            try:
                changes[key] = option.read(self, text)
            except ValueError:
                raise OptionError(
                    key, "%(option)s is %(expected)s, not %(given)s", option=key, given=repr(text), **option.facts
                ) from None
        return replace(self, **changes, overrides={**self.overrides, **options}) if changes else self


@dataclass(frozen=True, slots=True)
class Option:
    """Spelling of an option's value.

    ``expected`` are the allowed values in words, a template for ``span``; ``read`` raises ``ValueError`` for any other
    text.
    """

    expected: str
    read: Callable[[Ruleset, str], Any]
    span: Mapping[str, object] = field(default_factory=dict)

    @property
    def facts(self) -> Mapping[str, object]:
        """Facts for a sentence about the option (`games.errors.filled`)."""
        return {"expected": self.expected, **self.span}

    @property
    def allowed(self) -> str:
        """Allowed values in English."""
        return self.expected % self.span


def _word(kind: type[Enum], *only: Enum) -> Option:
    values = only or tuple(kind)

    def read(_: Ruleset, text: str) -> Enum:
        value = kind(text)
        if value not in values:
            raise ValueError(text)
        return value

    return Option("%(words)s", read, {"words": " or ".join(str(v.value) for v in values)})


def _number(lowest: int, highest: int) -> Option:
    def read(_: Ruleset, text: str) -> int:
        if not (text.isascii() and text.isdigit() and len(text) <= 9):
            raise ValueError(text)
        value = int(text)
        if not lowest <= value <= highest:
            raise ValueError(text)
        return value

    return Option("a number from %(lowest)s to %(highest)s", read, {"lowest": lowest, "highest": highest})


def _one_of(*numbers: int) -> Option:
    def read(_: Ruleset, text: str) -> int:
        return {str(number): number for number in numbers}[text] if text in map(str, numbers) else _refuse(text)

    return Option("%(words)s", read, {"words": " or ".join(map(str, numbers))})


def _read_flag(_: Ruleset, text: str) -> bool:
    return {"true": True, "false": False}[text] if text in ("true", "false") else _refuse(text)


def _refuse(text: str) -> bool:
    raise ValueError(text)


def _read_hand(rules: Ruleset, text: str) -> Mapping[int, int]:
    """Read one number, or one for each number of seats: ``7/5/5`` (NOTATION.md 7.16).

    One number may be too many tiles for the larger tables: those numbers of seats are then not allowed.
    """
    low, high = rules.seats
    numbers = text.split("/")
    if not all(n.isascii() and n.isdigit() and len(n) <= 2 for n in numbers):
        raise ValueError(text)
    one_for_all = len(numbers) == 1
    if one_for_all:
        numbers *= high - low + 1
    sizes = dict(zip(range(low, high + 1), map(int, numbers), strict=False))
    dealt = {seats: n for seats, n in sizes.items() if 1 <= n * seats <= len(rules.tiles.tiles)}
    if len(numbers) != high - low + 1 or not dealt or (dealt != sizes and not one_for_all):
        raise ValueError(text)
    return dealt


def _read_players(rules: Ruleset, text: str) -> tuple[int, int]:
    """Read a number of seats or a span, ``2-4``, within the limits of the system."""
    numbers = text.split("-")
    if len(numbers) > 2 or not all(n.isascii() and n.isdigit() and len(n) == 1 for n in numbers):
        raise ValueError(text)
    low, high = int(numbers[0]), int(numbers[-1])
    if not rules.seats[0] <= low <= high <= rules.seats[1]:
        raise ValueError(text)
    return low, high


_FLAG = Option("true or false", _read_flag)

OPTIONS: Mapping[str, Option] = {
    "players": Option("a number of seats that the system has, or a span of them such as 2-4", _read_players),
    "hand": Option("one number of tiles, or one for each number of seats such as 7/5/5", _read_hand),
    "spinner": _word(Spinner),
    "lead_first": _word(Lead, Lead.HIGHEST_DOUBLE, Lead.LOT),
    "lead_forced": _FLAG,
    "no_double": _word(NoDouble),
    "highest_tile": _word(TileOrder),
    "lead_later": _word(Lead, Lead.DOMINOER_ANY, Lead.WINNER_ANY, Lead.HIGHEST_DOUBLE),
    "lead_after_block": _word(Lead, Lead.HIGHEST_DOUBLE, Lead.WINNER_ANY, Lead.LOT),
    "voluntary_draw": _FLAG,
    "must_play_drawn": _FLAG,
    "boneyard_reserve": _number(0, 2),
    "domino_points": _word(Settlement, Settlement.OPP_R5, Settlement.ALL_R5_DIV5, Settlement.OPP, Settlement.TILES_X5),
    "blocked_by": _word(BlockedBy),
    "blocked_points": _word(Settlement),
    "round_per_hand": _FLAG,
    "round_bonus": _FLAG,
    "bonus_scope": _word(Scope),
    "blocked_scope": _word(Scope),
    "bonus_divisor": _number(1, 100),
    "play_divisor": _number(1, 100),
    "block_tie": _word(BlockTie),
    "target": _number(1, 100_000),
    "target_strict": _FLAG,
    "cap_at_target": _FLAG,
    "end_check": _word(EndCheck),
    "clock_s": _number(0, 86_400),
    "bell_mode": _word(BellMode),
    "tie": _word(Tie),
    "announce": _word(Announce),
    "muggins": _word(Muggins),
    "muggins_grace_s": _number(0, 600),
    "announce_grace_s": _number(0, 600),
    "post_bell_claim_s": _number(0, 600),
    "next_action_counts_draw": _FLAG,
    "muggins_on_round_end": _FLAG,
    "overclaim": _word(Overclaim),
    "false_call": _word(FalseCall),
    "chips": _number(0, 30),
    "start_tie": _word(StartTie),
    "reverse_2p": _word(ReverseOfTwo),
    "failed_challenge": _one_of(6, 4),
    "block": _word(Deadlock),
    "all_doublet": _FLAG,
    "reopening": _FLAG,
}
"""Options that a log's header may override (RULES.md 11 and its register, 8)."""

COLOUR_OPTIONS = frozenset({"start_tie", "reverse_2p", "failed_challenge", "block", "all_doublet", "reopening"})
"""Options of systems that match tiles by colour or kind; no pip game has them."""
PIP_OPTIONS = frozenset(OPTIONS) - COLOUR_OPTIONS
