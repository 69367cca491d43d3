"""Running totals of a card: bounds for each round and seat.

Written numbers are exact; other numbers lie between 0 and the most that a round can give (`referee.cards.yields`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from games.moves import Seat
from games.ruleset import BlockedBy, BlockTie, Deadlock, EndCheck, Matching, Muggins, Ruleset, Settlement, Tie
from games.settlement import RoundScore, settle
from referee.cards.sheet import Card, CardRound, Numbers
from referee.cards.yields import bounded, most_at_round_end, most_in_play, plays_of_all, plays_of_one

ANY: Final = 10**9
"""Bound of an unbounded number."""


class Span(NamedTuple):
    """A number between two bounds, both included."""

    least: int
    most: int

    def plus(self, other: Span) -> Span:
        """Return the sum of both."""
        return Span(self.least + other.least, min(ANY, self.most + other.most))

    def holds(self, number: int) -> bool:
        """Return whether the number lies in the span."""
        return self.least <= number <= self.most


Spans = tuple[Span, ...]


def exactly(numbers: Sequence[int]) -> Spans:
    """Return the spans of known numbers."""
    return tuple(Span(number, number) for number in numbers)


def add(these: Spans, those: Spans) -> Spans:
    """Add spans by seat."""
    return tuple(one.plus(other) for one, other in zip(these, those, strict=True))


def at_target(rules: Ruleset, points: int) -> bool:
    """Return whether these points end a game (Q15)."""
    return points > rules.target or (points == rules.target and not rules.target_strict)


def shared(rules: Ruleset, seats: int) -> bool:
    """Return whether round-end points can go to seats besides the winner.

    By a split tie, or by a call on them.
    """
    return (rules.block_tie is BlockTie.SPLIT and seats > 2) or rules.muggins_on_round_end


@dataclass(slots=True)
class LedgerLine:
    """One round of the ledger.

    Totals ``before`` it, its points ``in_play`` and at its end (``bonus``), and totals ``after``. ``reckoned`` are the
    totals by its own figures; ``after`` those that the next round starts from. ``due`` is its settlement by the hands
    left, where these are known.
    """

    round: CardRound
    last: bool
    before: Spans
    in_play: Spans
    bonus: Spans
    reckoned: Spans
    after: Spans
    due: RoundScore | None
    most_of_all: int
    most_of_one: int


@dataclass(slots=True)
class Ledger:
    """A card with its running totals.

    ``explained`` are rounds with figures already found wrong: their sum proves nothing new; 0 is the card as a whole.
    """

    card: Card
    lines: list[LedgerLine]
    explained: set[int]

    def blurred(self, number: int) -> bool:
        """Return whether the totals after this round depend on an explained round.

        Totals written since then end the dependence.
        """
        for line in reversed(self.lines[:number]):
            if None not in line.round.totals:
                return False
            if line.round.number in self.explained:
                return True
        return False

    @property
    def end(self) -> Spans:
        """Totals of all rounds; unbounded if no round is written."""
        return self.lines[-1].after if self.lines else (Span(0, ANY),) * self.card.seats


def ledger(card: Card) -> Ledger:
    """Make the running totals of a card."""
    return Ledger(card, list(_lines(card)), set())


def _lines(card: Card) -> Iterator[LedgerLine]:
    before = exactly((0,) * card.seats)
    for number, row in enumerate(card.rounds):
        last = number == len(card.rounds) - 1
        most_of_all, most_of_one = _bounds(card, row)
        in_play = _in_play(card, row, most_of_all, most_of_one)
        due = _due(card, row, add(before, in_play), last=last)
        bonus = _bonus(card, row, due)
        reckoned = _capped(card, add(add(before, in_play), bonus), last=last)
        after = _after(card, number, reckoned)
        yield LedgerLine(row, last, before, in_play, bonus, reckoned, after, due, most_of_all, most_of_one)
        before = after


def _bounds(card: Card, row: CardRound) -> tuple[int, int]:
    """Return the most points by plays of a round: for all seats, and for one seat."""
    rules = card.rules
    if not bounded(rules):
        return ANY, ANY
    # For tiles that match by colour, or for impossible written pips, no count is possible.
    known = rules.matching is Matching.PIPS and sum(n or 0 for n in row.pips) <= sum(rules.tiles.pips)
    nothing: Numbers = (None,) * card.seats
    left = (row.pips, row.tiles) if known else (nothing, nothing)
    plays = max(0, plays_of_all(rules, card.seats, *left))
    most = most_in_play(rules, plays)
    return most, min(most, most_in_play(rules, min(plays, plays_of_one(rules, card.seats))))


def _in_play(card: Card, row: CardRound, most_of_all: int, most_of_one: int) -> Spans:
    spans = []
    calls = card.rules.muggins is not Muggins.OFF
    for played, called, given in zip(row.play, row.muggins, row.penalties, strict=True):
        own = Span(0, most_of_one) if played is None else Span(played, played)
        taken = Span(0, most_of_all if calls else 0) if called is None else Span(called, called)
        least, most = own.plus(taken)
        spans.append(Span(least, max(least, min(most, most_of_all))).plus(Span(given or 0, given or 0)))
    return tuple(spans)


def _due(card: Card, row: CardRound, totals: Spans, *, last: bool) -> RoundScore | None:
    """Return the settlement of the round by the hands left.

    ``None`` where they are not known, or the game may have been over.
    """
    if row.ended not in ("domino", "blocked"):
        return None
    rules = card.rules
    if last and may_be_over(card, totals):
        return None
    blocked = row.ended == "blocked"
    if blocked and rules.matching is Matching.MARKINGS and rules.block is Deadlock.VOID:
        return RoundScore(None, (0,) * card.seats)
    by_tiles = (rules.blocked_points if blocked else rules.domino_points) is Settlement.TILES_X5
    needs_tiles = by_tiles or (blocked and rules.blocked_by is BlockedBy.TILES)
    needs_pips = not by_tiles or (blocked and rules.blocked_by is BlockedBy.PIPS)
    if (needs_tiles and None in row.tiles) or (needs_pips and None in row.pips):
        return None
    went_out = None
    if not blocked:
        went_out = who_went_out(row)
        if went_out is None:
            return None
    return settle(rules, [n or 0 for n in row.tiles], [n or 0 for n in row.pips], went_out)


def may_be_over(card: Card, totals: Spans) -> bool:
    """Return whether points in play may have ended the game with these totals.

    Then the end of the round gives nothing.
    """
    rules = card.rules
    if card.ended == "overtime" and rules.tie is Tie.OVERTIME:
        return True
    return rules.end_check is EndCheck.IMMEDIATE and any(at_target(rules, most) for _, most in totals)


def who_went_out(row: CardRound) -> Seat | None:
    """Return the seat that played the last tile: as written, or the only candidate."""
    if row.winner is not None:
        return row.winner
    for left in (row.tiles, row.pips):
        if None not in left and left.count(0) == 1:
            return left.index(0)
    return None


def _bonus(card: Card, row: CardRound, due: RoundScore | None) -> Spans:
    most = most_at_round_end(card.rules, card.seats)
    if row.ended == "bell":
        most = 0
    only = row.winner if not shared(card.rules, card.seats) else None
    spans = []
    for seat, written in enumerate(row.bonus):
        if written is not None:
            spans.append(Span(written, written))
        elif due is not None and not card.rules.muggins_on_round_end:
            spans.append(Span(due.points[seat], due.points[seat]))
        else:
            spans.append(Span(0, most if only is None or only == seat else 0))
    return tuple(spans)


def _capped(card: Card, totals: Spans, *, last: bool) -> Spans:
    if not (last and card.rules.cap_at_target):
        return totals
    target = card.rules.target
    return tuple(Span(min(least, target), min(most, target)) for least, most in totals)


def _after(card: Card, number: int, reckoned: Spans) -> Spans:
    """Return the totals that the next round starts from.

    They are the totals as written, unless the next line shows that they were miswritten.
    """
    written = card.rounds[number].totals
    wrong = any(n is not None and not span.holds(n) for n, span in zip(written, reckoned, strict=True))
    as_written = tuple(span if n is None else Span(n, n) for n, span in zip(written, reckoned, strict=True))
    if wrong and _leads_on(card, number, reckoned) and not _leads_on(card, number, as_written):
        return reckoned
    return as_written


def _leads_on(card: Card, number: int, totals: Spans) -> bool:
    """Return whether these totals agree with the next written totals.

    Those are the totals of the next round, or the final score.
    """
    last = number + 1 == len(card.rounds)
    target: Numbers = card.scores
    if not last:
        row = card.rounds[number + 1]
        if None in row.totals:
            return False
        target = row.totals
        most_of_all, most_of_one = _bounds(card, row)
        totals = add(totals, add(_in_play(card, row, most_of_all, most_of_one), _bonus(card, row, None)))
        totals = _capped(card, totals, last=number + 2 == len(card.rounds))
    return all(n is not None and span.holds(n) for n, span in zip(target, totals, strict=True))
