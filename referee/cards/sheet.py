"""Score card as data: its content, its fields by ruleset, and its reader.

Source: RULES.md 2.2. A card is one JSON object: ``scores`` by seat, and everything else that was written down. Numbers
by seat are in seat order. An unwritten value is absent or ``null`` and proves nothing, also in one place of a list;
only an unwritten penalty means none, because the referee writes every penalty.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple, TypeVar

from games.moves import Seat
from games.ruleset import BlockedBy, Matching, Muggins, Ruleset, Settlement, Spinner
from referee.cards.sentences import CARD_SENTENCES

_Value = TypeVar("_Value")

Numbers = tuple[int | None, ...]
"""Numbers by seat; ``None`` for an unwritten number."""

MOST: Final = 99_999
"""Largest points, chips and seconds accepted on a card."""
MOST_ROUNDS: Final = 200
NO_SPINNER: Final = "none"
"""Word on a card for a round in which no double was played."""

_TIME = re.compile(r"([01]?\d|2[0-3]):([0-5]\d)", re.ASCII)
_TILE = re.compile(r"(\d)[-/ ]?(\d)", re.ASCII)


class CardError(ValueError):
    """An unreadable card.

    ``row`` is the round (0: the card; of a tally, the tap), ``field`` the field. ``say`` names the sentence in
    `referee.cards.sentences`, ``facts`` fill it.
    """

    def __init__(self, row: int, field: str, say: str, **facts: object) -> None:
        self.row = row
        self.field = field
        self.say = say
        self.template = CARD_SENTENCES[say]
        self.facts = {"field": field, **facts}
        super().__init__(self.template % self.facts)


@dataclass(frozen=True, slots=True, kw_only=True)
class CardRound:
    """One line of a card.

    ``play``: points of a seat's own plays, ``muggins``: of calls, ``penalties``: given to the seat for another's
    penalty (C8), ``bonus``: round-end points; ``pips`` and ``tiles`` are left in the hands.
    """

    number: int
    spinner: str | None
    ended: str | None
    winner: Seat | None
    play: Numbers
    muggins: Numbers
    penalties: Numbers
    bonus: Numbers
    pips: Numbers
    tiles: Numbers
    totals: Numbers


@dataclass(frozen=True, slots=True, kw_only=True)
class Card:
    """A card as read.

    ``started`` and ``stopped`` are minutes after midnight, ``clock_s`` the seconds run on the game clock at the end.
    """

    rules: Ruleset
    seats: int
    scores: tuple[int, ...]
    ended: str | None
    winner: Seat | None
    chips: Numbers
    started: int | None
    stopped: int | None
    clock_s: int | None
    rounds: tuple[CardRound, ...]


class CardForm(NamedTuple):
    """Fields on the card of a ruleset; pages and printed cards use it.

    ``spinner``: the tile, with ``spinners`` as the choices. ``pips`` or ``tiles``: those counted at the end of a round.
    ``ends`` and ``round_ends`` are the words for the end of a game and of a round. ``clock_s`` is 0 without a clock.
    """

    seats: int
    spinner: bool
    spinners: tuple[str, ...]
    play: bool
    muggins: bool
    bonus: bool
    penalties: bool
    pips: bool
    tiles: bool
    chips: int
    clock_s: int
    target: int
    ends: tuple[str, ...]
    round_ends: tuple[str, ...]

    @property
    def columns(self) -> tuple[str, ...]:
        """Columns of numbers by seat in a round, in the order of a card."""
        offered = ("play", "muggins", "penalties", "bonus", "pips", "tiles")
        return (*(name for name in offered if getattr(self, name)), "totals")


def form(rules: Ruleset, seats: int = 2) -> CardForm:
    """Return the card form of a ruleset, house rules included.

    >>> from games.rulesets import get
    >>> form(get("udl")).columns
    ('play', 'muggins', 'penalties', 'bonus', 'pips', 'totals')
    """
    plays = rules.matching is Matching.PIPS
    spinner = plays and rules.spinner is not Spinner.NONE
    doubles = tuple(tile.name for tile in reversed(list(rules.tiles.in_mask(rules.tiles.doubles)))) if plays else ()
    kinds = {rules.domino_points, rules.blocked_points}
    by_tiles = Settlement.TILES_X5 in kinds or rules.blocked_by is BlockedBy.TILES
    return CardForm(
        seats=seats,
        spinner=spinner,
        spinners=(*doubles, NO_SPINNER) if spinner else (),
        play=plays,
        muggins=rules.muggins is not Muggins.OFF,
        bonus=True,
        penalties=True,
        pips=kinds != {Settlement.TILES_X5} or rules.blocked_by is BlockedBy.PIPS,
        tiles=by_tiles,
        chips=rules.chips,
        clock_s=rules.clock_s,
        target=rules.target,
        ends=("target", "bell", "overtime", "forfeit") if rules.clock_s else ("target", "forfeit"),
        round_ends=("domino", "blocked") + (() if plays else ("dead-end",)) + (("bell",) if rules.clock_s else ()),
    )


ENDS: Final = ("target", "bell", "overtime", "forfeit")
ROUND_ENDS: Final = ("domino", "blocked", "dead-end", "bell")
NUMBER_COLUMNS: Final = ("play", "muggins", "penalties", "bonus", "pips", "tiles", "totals")
CARD_FIELDS: Final = ("scores", "ended", "winner", "chips", "started", "stopped", "clock_s", "rounds", "taps")
ROUND_FIELDS: Final = ("number", "spinner", "ended", "winner", *NUMBER_COLUMNS)


class FieldReader:
    """Reader of the fields of one object; errors name ``row``."""

    def __init__(self, data: Mapping[str, Any], row: int, seats: int) -> None:
        self.data = data
        self.row = row
        self.seats = seats

    def refuse(self, field: str, say: str, **facts: object) -> CardError:
        return CardError(self.row, field, say, given=_shown(self.data.get(field)), **facts)

    def known(self, fields: Sequence[str]) -> None:
        """Raise for a field not in ``fields``: a card loses nothing written on it."""
        for field in self.data:
            if field not in fields:
                raise CardError(self.row, str(field), "card-unknown-field", known=", ".join(fields))

    def numbers(self, field: str) -> Numbers:
        """Read numbers by seat; all ``None`` if none is written."""
        value = self.data.get(field)
        if value is None:
            return (None,) * self.seats
        if isinstance(value, list | tuple) and len(value) == self.seats and all(n is None or _fits(n) for n in value):
            return tuple(value)
        raise self.refuse(field, "card-numbers", seats=self.seats, most=MOST)

    def scores(self, field: str) -> tuple[int, ...]:
        """Read numbers by seat, each of them written."""
        numbers = self.numbers(field)
        if self.data.get(field) is None:
            raise CardError(self.row, field, "card-missing")
        if None in numbers:
            raise self.refuse(field, "card-numbers", seats=self.seats, most=MOST)
        return tuple(number for number in numbers if number is not None)

    def number(self, field: str, most: int = MOST) -> int | None:
        value = self.data.get(field)
        if value is None or _fits(value, most):
            return value
        raise self.refuse(field, "card-number", most=most)

    def needed(self, field: str, value: _Value | None) -> _Value:
        """Return the value of a field that must be written."""
        if value is None:
            raise CardError(self.row, field, "card-missing")
        return value

    def word(self, field: str, words: Sequence[str]) -> str | None:
        value = self.data.get(field)
        if value is None or value in words:
            return value
        raise self.refuse(field, "card-word", known=", ".join(words))

    def seat(self, field: str) -> Seat | None:
        value = self.data.get(field)
        if value is None or (_fits(value) and value < self.seats):
            return value
        raise self.refuse(field, "card-seat", last=self.seats - 1)

    def tile(self, field: str) -> str | None:
        """Read a tile, higher half first as in the set, or ``none``."""
        value = self.data.get(field)
        if value is None or value == NO_SPINNER:
            return value
        halves = _TILE.fullmatch(value.strip()) if isinstance(value, str) else None
        if halves is None:
            raise self.refuse(field, "card-tile")
        return "-".join(sorted(halves.groups(), reverse=True))

    def time(self, field: str) -> int | None:
        value = self.data.get(field)
        if value is None:
            return None
        parts = _TIME.fullmatch(value.strip()) if isinstance(value, str) else None
        if parts is None:
            raise self.refuse(field, "card-time")
        return 60 * int(parts[1]) + int(parts[2])

    def lines(self, field: str, most: int) -> Sequence[Mapping[str, Any]]:
        """Read the objects of a list; empty if the list is not written."""
        value = self.data.get(field)
        if value is None:
            return ()
        if not isinstance(value, list | tuple):
            raise self.refuse(field, "card-list")
        if len(value) > most:
            raise CardError(self.row, field, "card-too-many", count=len(value), most=most)
        for number, line in enumerate(value, 1):
            if not isinstance(line, Mapping):
                raise CardError(number, field, "card-object", given=_shown(line))
        return value


def _fits(value: object, most: int = MOST) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= most


def _shown(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 40 else text[:37] + "..."


def read_tap(tap: Mapping[str, Any], number: int, seats: int) -> FieldReader:
    """Return a reader of one tap of a tally.

    Raises :class:`CardError` for a value that is no object.
    """
    if not isinstance(tap, Mapping):
        raise CardError(number, "taps", "card-object", given=_shown(tap))
    return FieldReader(tap, number, seats)


def read(data: Mapping[str, Any], rules: Ruleset, seats: int = 2) -> Card:
    """Read a card.

    Raises :class:`CardError` that names row and field if it can't be read.
    """
    if not isinstance(data, Mapping):
        raise CardError(0, "", "card-not-a-card", given=_shown(data))
    if not rules.seats_allowed(seats):
        raise CardError(0, "scores", "card-seats", seats=seats)
    reader = FieldReader(data, 0, seats)
    reader.known(CARD_FIELDS)
    return Card(
        rules=rules,
        seats=seats,
        scores=reader.scores("scores"),
        ended=reader.word("ended", ENDS),
        winner=reader.seat("winner"),
        chips=reader.numbers("chips"),
        started=reader.time("started"),
        stopped=reader.time("stopped"),
        clock_s=reader.number("clock_s"),
        rounds=tuple(
            _read_round(FieldReader(line, number, seats))
            for number, line in enumerate(reader.lines("rounds", MOST_ROUNDS), 1)
        ),
    )


def _read_round(reader: FieldReader) -> CardRound:
    reader.known(ROUND_FIELDS)
    columns: Mapping[str, Callable[[str], Numbers]] = dict.fromkeys(NUMBER_COLUMNS, reader.numbers)
    return CardRound(
        number=reader.row,
        spinner=reader.tile("spinner"),
        ended=reader.word("ended", ROUND_ENDS),
        winner=reader.seat("winner"),
        **{name: numbers(name) for name, numbers in columns.items()},
    )
