"""Tally: every score tapped at the table, in order.

It folds into a card, and its order proves more. A tap is an object: ``n`` its number from 1, ``kind``, and the fields
of that kind.

- ``points``: ``seat`` scored ``points`` in play; ``muggins``: by a call; ``penalty``: for the penalty of
  another (an award, RULES.md C8: with three or four players one tap for each seat that gets it).
- ``round_end``: ``spinner``, ``ended``, ``winner``, and its round-end ``points``, or ``bonus`` by seat where a tie is
  split; ``pips`` and ``tiles`` by seat if they were counted. It closes the round.
- ``bell``: the clock ran out. ``end``: the game is over, with ``ended`` and ``winner`` if given, and the
  ``spinner`` of a round that the end cut short.
- ``undo``: takes back the tap ``of``, which may be an undo too.

``clock_ms`` is the time run on the game clock, in milliseconds. ``ruled`` is true for a ruling of an official at the
table, which counts as the tap that it is.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple

from games.moves import SEATS, Seat
from games.ruleset import BellMode, Matching, Muggins, Ruleset
from games.scorecard import Scorecard, chips_by_seat
from referee.cards.check import check as check_card
from referee.cards.findings import CardCheck, CardFinding, CardReason, found
from referee.cards.round_checks import text_of
from referee.cards.sheet import ROUND_ENDS, Card, CardError, Numbers, form, read, read_tap
from referee.cards.yields import bonus_step, bounded, largest_play, most_at_round_end, penalty_step, play_step

KINDS: Final = ("points", "muggins", "penalty", "round_end", "undo", "bell", "end")
AWARDS: Final = ("points", "muggins", "penalty")
_COLUMN: Final[Mapping[str, str]] = {"points": "play", "muggins": "muggins", "penalty": "penalties"}
_FIELDS: Final = (
    *("n", "kind", "seat", "points", "spinner", "ended", "winner", "bonus", "pips", "tiles", "of", "clock_ms"),
    "at",
    "ruled",
)
MOST_TAPS: Final = 5_000
_MOST_MS: Final = 86_400_000


class Tap(NamedTuple):
    """One tap as read. A field that its kind does not have is ``None``."""

    n: int
    kind: str
    seat: Seat | None
    points: int | None
    spinner: str | None
    ended: str | None
    winner: Seat | None
    bonus: Numbers
    pips: Numbers
    tiles: Numbers
    of: int | None
    clock_ms: int | None


def read_taps(taps: Sequence[Mapping[str, Any]], rules: Ruleset, seats: int = 2) -> tuple[Tap, ...]:
    """Read the taps, in order, without those undone.

    Raises :class:`CardError` that names tap and field.
    """
    every = [_read(tap, number, rules, seats) for number, tap in enumerate(taps, 1)]
    undone: set[int] = set()
    # A later undo decides first: an undo that it takes back has no effect.
    for tap in reversed(every):
        if tap.kind == "undo" and tap.n not in undone and tap.of is not None:
            undone.add(tap.of)
    return tuple(tap for tap in every if tap.n not in undone and tap.kind != "undo")


def _read(tap: Mapping[str, Any], number: int, rules: Ruleset, seats: int) -> Tap:
    if number > MOST_TAPS:
        raise CardError(number, "taps", "card-too-many", count=number, most=MOST_TAPS)
    reader = read_tap(tap, number, seats)
    reader.known(_FIELDS)
    if tap.get("n") != number:
        raise CardError(number, "n", "tally-order", due=number, given=tap.get("n"))
    kind = reader.needed("kind", reader.word("kind", KINDS))
    made = Tap(
        n=number,
        kind=kind,
        seat=reader.seat("seat"),
        points=reader.number("points"),
        spinner=reader.tile("spinner"),
        ended=reader.word("ended", ROUND_ENDS if kind == "round_end" else form(rules, seats).ends),
        winner=reader.seat("winner"),
        bonus=reader.numbers("bonus"),
        pips=reader.numbers("pips"),
        tiles=reader.numbers("tiles"),
        of=reader.number("of"),
        clock_ms=reader.number("clock_ms", _MOST_MS),
    )
    if kind in AWARDS:
        reader.needed("seat", made.seat)
        reader.needed("points", made.points)
    if kind == "undo" and not 0 < reader.needed("of", made.of) < number:
        raise CardError(number, "of", "tally-undo", given=made.of)
    return made


# ---- Folding


@dataclass(slots=True)
class _Sheet:
    """Card made from the taps."""

    rules: Ruleset
    seats: int
    rounds: list[dict[str, Any]] = field(default_factory=list)
    open: bool = False
    rung: bool = False

    def row(self) -> dict[str, Any]:
        """Return the current round; a new round after a round was closed."""
        if not self.open:
            self.open = True
            columns = [name for name in form(self.rules, self.seats).columns if name not in ("pips", "tiles", "totals")]
            self.rounds.append({name: [0] * self.seats for name in columns})
        return self.rounds[-1]

    def award(self, tap: Tap) -> None:
        assert tap.seat is not None
        column = self.row().setdefault(_COLUMN[tap.kind], [0] * self.seats)
        column[tap.seat] += tap.points or 0

    def close(self, tap: Tap) -> None:
        row = self.row()
        row["bonus"] = list(bonus_of(tap, self.seats))
        row |= {"spinner": tap.spinner, "ended": tap.ended, "winner": tap.winner}
        for name, left in (("pips", tap.pips), ("tiles", tap.tiles)):
            if any(number is not None for number in left):
                row[name] = list(left)
        self.open = False

    def stop(self, tap: Tap) -> None:
        """End the game, and keep the spinner of the round that it cut."""
        if self.open and tap.spinner is not None:
            self.rounds[-1]["spinner"] = tap.spinner


def bonus_of(tap: Tap, seats: int) -> tuple[int, ...]:
    """Return the round-end points by seat."""
    if any(number is not None for number in tap.bonus):
        return tuple(number or 0 for number in tap.bonus)
    winner = tap.seat if tap.winner is None else tap.winner
    return tuple((tap.points or 0) if seat == winner else 0 for seat in range(seats))


def card_of(taps: Sequence[Mapping[str, Any]], rules: Ruleset, seats: int = 2) -> dict[str, Any]:
    """Fold taps into a card: rounds with totals, scores, and chips if any.

    Raises :class:`CardError`. Nothing is guessed: ``ended`` and ``winner`` are those of the ``end`` tap.

    >>> from games.rulesets import get
    >>> taps = [{"n": 1, "kind": "points", "seat": 1, "points": 10}, {"n": 2, "kind": "undo", "of": 1}]
    >>> card_of(taps, get("udl"))["scores"]
    [0, 0]
    """
    sheet = _Sheet(rules, seats)
    ended: str | None = None
    winner: Seat | None = None
    clock_ms: int | None = None
    for tap in read_taps(taps, rules, seats):
        clock_ms = clock_ms if tap.clock_ms is None else tap.clock_ms
        if tap.kind in AWARDS:
            sheet.award(tap)
        elif tap.kind == "round_end":
            sheet.close(tap)
        elif tap.kind == "bell":
            sheet.rung = True
        elif tap.kind == "end":
            sheet.stop(tap)
            ended, winner = tap.ended, tap.winner
    if sheet.rung and sheet.open and rules.bell_mode is BellMode.STOP and ended != "overtime":
        sheet.rounds[-1]["ended"] = "bell"
    scores = _add_up(sheet)
    chips = chips_by_seat(rules.chips, scores) if rules.chips else None
    clock_s = None if clock_ms is None else clock_ms // 1000
    data = {"scores": scores, "ended": ended, "winner": winner, "chips": chips, "rounds": sheet.rounds}
    return data if clock_s is None else {**data, "clock_s": clock_s}


def _add_up(sheet: _Sheet) -> list[int]:
    """Write the totals into each round, and return the final score."""
    scores = [0] * sheet.seats
    for row in sheet.rounds:
        for name in ("play", "muggins", "penalties", "bonus"):
            scores = [one + other for one, other in zip(scores, row.get(name, [0] * sheet.seats), strict=True)]
        row["totals"] = scores[:]
    if sheet.rules.cap_at_target:
        scores = [min(points, sheet.rules.target) for points in scores]
        if sheet.rounds:
            sheet.rounds[-1]["totals"] = scores[:]
    return scores


# ---- Checks of the order


class _Walk:
    """Check of the taps in order, with the score of the game."""

    def __init__(self, rules: Ruleset, seats: int) -> None:
        self.rules = rules
        self.seats = seats
        self.card = Scorecard(rules, seats)
        self.fields = form(rules, seats)
        self.clock_ms = -1
        self.rung = False
        self.after_bell = 0
        self.after_end = False

    def judge(self, tap: Tap) -> Iterator[CardFinding]:
        """Find errors in the next tap, and book its points."""
        yield from self._clock(tap)
        if tap.kind in AWARDS:
            yield from self._over(tap)
            yield from self._award(tap)
            self.card.award(tap.seat or 0, tap.points or 0)
        elif tap.kind == "round_end":
            yield from self._over(tap)
            yield from self._round_end(tap)
        elif tap.kind == "bell":
            self.rung = True
            self.after_bell = 0

    def find(self, tap: Tap, reason: CardReason, say: str = "", /, **facts: Any) -> CardFinding:
        """Make a finding at a tap."""
        return found(self.rules, reason, tap.n, say, tap=tap.n, **facts)

    def _clock(self, tap: Tap) -> Iterator[CardFinding]:
        if tap.clock_ms is None:
            return
        if tap.clock_ms < self.clock_ms:
            facts = {"before": _time(self.clock_ms), "now": _time(tap.clock_ms)}
            yield self.find(tap, CardReason.CLOCK_BACKWARDS, **facts)
        self.clock_ms = max(self.clock_ms, tap.clock_ms)

    def _over(self, tap: Tap) -> Iterator[CardFinding]:
        """Find the first tap that scores after the end of the game."""
        gained = sum(bonus_of(tap, self.seats)) if tap.kind == "round_end" else tap.points or 0
        if self.after_end or not gained:
            return
        if self.card.ended is not None:
            self.after_end = True
            yield self.find(tap, CardReason.AFTER_END, scores=text_of(self.card.scores))
        elif self._stopped and tap.kind in ("points", "muggins") and bounded(self.rules):
            self.after_bell += gained
            if self.after_bell > largest_play(self.rules):
                self.after_end = True
                yield self.find(tap, CardReason.AFTER_END, "after-end-bell", most=largest_play(self.rules))

    @property
    def _stopped(self) -> bool:
        """Whether the bell has ended play with unequal scores, so without overtime."""
        return self.rung and self.rules.bell_mode is BellMode.STOP and self.card.leader is not None

    def _award(self, tap: Tap) -> Iterator[CardFinding]:
        points = tap.points or 0
        if tap.kind == "points" and self.rules.matching is Matching.MARKINGS and points:
            yield self.find(tap, CardReason.NO_PLAY_POINTS, "tap-no-play-points")
            return
        if tap.kind == "muggins" and self.rules.muggins is Muggins.OFF:
            yield self.find(tap, CardReason.NO_MUGGINS, "tap-no-muggins")
            return
        step = penalty_step(self.rules) if tap.kind == "penalty" else play_step(self.rules)
        if points % step:
            facts = {"seat": SEATS[tap.seat or 0], "points": points, "step": step}
            yield self.find(tap, CardReason.NOT_FIVES, "tap-not-fives", **facts)
        elif tap.kind != "penalty" and bounded(self.rules) and points > largest_play(self.rules):
            yield self.find(tap, CardReason.AWARD_TOO_BIG, points=points, most=largest_play(self.rules))

    def _round_end(self, tap: Tap) -> Iterator[CardFinding]:
        bonus = bonus_of(tap, self.seats)
        step, most = bonus_step(self.rules, self.seats), most_at_round_end(self.rules, self.seats)
        odd = [(seat, points) for seat, points in enumerate(bonus) if points % step]
        if odd:
            facts: dict[str, Any] = {"seat": SEATS[odd[0][0]], "points": odd[0][1], "step": step}
            yield self.find(tap, CardReason.NOT_FIVES, "tap-not-fives", **facts)
        elif max(bonus) > most:
            yield self.find(tap, CardReason.AWARD_TOO_BIG, "award-too-big-bonus", points=max(bonus), most=most)
        if self.fields.spinner and tap.spinner is None:
            yield self.find(tap, CardReason.MISSING_SPINNER)
        if self.card.ended is None:
            self.card.settle(bonus)
        if self.rung and self.card.ended is None and not self.card.overtime:
            self.card.ring()
        self.rung = False


def _time(clock_ms: int) -> str:
    return f"{clock_ms // 60_000}:{clock_ms // 1000 % 60:02d}"


TAP_CHECKS: Final = frozenset(
    {
        CardReason.AFTER_END,
        CardReason.AWARD_TOO_BIG,
        CardReason.CLOCK_BACKWARDS,
        CardReason.MISSING_SPINNER,
        CardReason.NOT_FIVES,
        CardReason.NO_MUGGINS,
        CardReason.NO_PLAY_POINTS,
    }
)
"""Finding codes checked at a tap."""

_TOLD: Final[Mapping[str, frozenset[str]]] = {
    "after-end": frozenset({"over-before", "void-points", "two-at-target", "wrong-end", "too-far", "no-bonus"}),
    "not-fives": frozenset({"not-fives"}),
    "no-muggins": frozenset({"no-muggins"}),
    "no-play-points": frozenset({"no-play-points", "round-too-much"}),
    "award-too-big": frozenset({"round-too-much", "too-far", "wrong-bonus"}),
}
"""Card findings that repeat a finding at a tap, by its code."""


def tap_findings(taps: Sequence[Mapping[str, Any]], rules: Ruleset, seats: int = 2) -> tuple[CardFinding, ...]:
    """Check each tap and the order of the taps.

    Raises :class:`CardError`.
    """
    walk = _Walk(rules, seats)
    made = (finding for tap in read_taps(taps, rules, seats) for finding in walk.judge(tap))
    return tuple(finding for finding in made if CardReason(finding.code) in TAP_CHECKS)


def read_card(data: Mapping[str, Any], rules: Ruleset, seats: int = 2) -> Card:
    """Read the card made by a tally.

    Raises :class:`CardError`. ``data`` is a sheet with ``taps``; its other fields (final score, chips, times of day)
    are written on the card.
    """
    if not isinstance(data, Mapping):
        raise CardError(0, "", "card-not-a-card", given=repr(data)[:40])
    taps = data.get("taps")
    if not isinstance(taps, list | tuple):
        raise CardError(0, "taps", "card-list", given=repr(taps)[:40])
    folded = card_of(taps, rules, seats)
    said = {name: value for name, value in data.items() if value is not None and name != "rounds"}
    return read({**folded, **said}, rules, seats)


def check(data: Mapping[str, Any], rules: Ruleset, seats: int = 2) -> CardCheck:
    """Check a tally: its order, and its card against the other fields of ``data``.

    Raises :class:`CardError`.
    """
    card = read_card(data, rules, seats)
    at_taps = tap_findings(data["taps"], rules, seats)
    told = frozenset[str]().union(*(_TOLD.get(finding.code, frozenset()) for finding in at_taps))
    checked = check_card(card)
    rest = tuple(finding for finding in checked.findings if finding.code not in told)
    return checked._replace(findings=at_taps + rest)


__all__ = ["AWARDS", "KINDS", "Tap", "bonus_of", "card_of", "check", "read_card", "read_taps", "tap_findings"]
