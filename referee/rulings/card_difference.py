"""Difference of a log and a score card or tally, hand by hand.

An unwritten figure of a card proves nothing and is no difference.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from games.claims import PlayScore
from games.moves import Penalty, RoundStart, Seat
from games.notation.gamelog import GameLog
from games.wording.base import Sentence
from referee.cards.check import check
from referee.cards.sheet import NO_SPINNER, Card, CardRound, Numbers
from referee.replay import verify
from referee.rulings.outcomes import LogOutcome, Names, names_of, outcome_of
from referee.verdict import RoundRecord, Verdict

_COLUMNS = ("play", "muggins", "penalties", "bonus")


class HandDifference(NamedTuple):
    """One figure that log and card have differently.

    ``hand`` is the number of the hand, 0 for the game. ``figure`` names it: a column of the card (``play``,
    ``muggins``, ``penalties``, ``bonus``), ``points`` of a hand together, ``spinner``, ``ended``, ``winner``,
    ``scores``, or ``hand``: missing in one of them. ``seat`` is ``None`` for a figure of no seat.
    """

    hand: int
    figure: str
    seat: Seat | None
    log: int | str | None
    card: int | str | None

    def sentence(self, names: Names) -> Sentence:
        """Return the difference as a sentence with names."""
        facts: dict[str, object] = {"hand": self.hand, "log": self.log, "card": self.card}
        if self.figure == "winner":
            facts |= {"log": _winner(self.log, names), "card": _winner(self.card, names)}
        if self.seat is not None:
            facts["name"] = names[self.seat]
        return _SENTENCES[self.figure if self.hand else f"game-{self.figure}"]._replace(facts=facts)


def _winner(seat: int | str | None, names: Names) -> object:
    return names[seat] if isinstance(seat, int) else Sentence("nobody")


_SENTENCES = {
    "hand": Sentence("hand %(hand)s: only in one of both"),
    "play": Sentence("hand %(hand)s: %(name)s has %(log)s from own plays by the log, %(card)s on the card"),
    "muggins": Sentence("hand %(hand)s: %(name)s has %(log)s by muggins by the log, %(card)s on the card"),
    "penalties": Sentence("hand %(hand)s: %(name)s has %(log)s for penalties by the log, %(card)s on the card"),
    "bonus": Sentence("hand %(hand)s: %(name)s has %(log)s for the end by the log, %(card)s on the card"),
    "points": Sentence("hand %(hand)s: %(name)s has %(log)s points together by the log, %(card)s on the card"),
    "spinner": Sentence("hand %(hand)s: the spinner is %(log)s by the log, %(card)s on the card"),
    "ended": Sentence("hand %(hand)s: its end is %(log)s by the log, %(card)s on the card"),
    "winner": Sentence("hand %(hand)s: the winner is %(log)s by the log, %(card)s on the card"),
    "game-scores": Sentence("%(name)s has %(log)s in the end by the log, %(card)s on the card"),
    "game-ended": Sentence("the end of the game is %(log)s by the log, %(card)s on the card"),
    "game-winner": Sentence("the winner is %(log)s by the log, %(card)s on the card"),
}


@dataclass(frozen=True, slots=True)
class CardComparison:
    """A log and a card of one game side by side, with the outcome of each."""

    names: Names
    log: LogOutcome
    card: LogOutcome
    differences: tuple[HandDifference, ...]


def compare_with_card(log: GameLog, card: Card) -> CardComparison:
    """Return the figures that a log and a card have differently, each with its outcome.

    A tally is read as a card: `referee.cards.tally.read_card`.
    """
    verdict = verify(log)
    hands = _hands(log, verdict)
    found = [*_differences(hands, card)]
    checked = check(card)
    outcome = LogOutcome(checked.status, card.scores, checked.winner, checked.ended)
    found += _game_differences(outcome_of(verdict), card)
    return CardComparison(names_of(log.seats), outcome_of(verdict), outcome, tuple(found))


# ---- Hands of the log


@dataclass(slots=True)
class _Hand:
    """Figures of one hand by the log; ``first`` is the line of its beginning."""

    record: RoundRecord
    first: int
    columns: dict[str, list[int]] = field(default_factory=dict)
    spinner: str = NO_SPINNER

    @property
    def points(self) -> list[int]:
        """Points of each seat together."""
        return [sum(numbers) for numbers in zip(*self.columns.values(), strict=True)]


def _hands(log: GameLog, verdict: Verdict) -> list[_Hand]:
    starts = [entry.line for entry in log.entries if isinstance(entry.event, RoundStart)]
    seats = len(verdict.totals)
    hands = [
        _Hand(record, first, {name: [0] * seats for name in _COLUMNS}, record.spinner or NO_SPINNER)
        for record, first in zip(verdict.rounds, starts, strict=False)
    ]
    for play in verdict.plays:
        for seat, points in play.awarded.items() if isinstance(play, PlayScore) else ():
            _hand_at(hands, play.line).columns["play" if seat == play.seat else "muggins"][seat] += points
    for entry in log.entries:
        if isinstance(entry.event, Penalty) and hands:
            _punish(_hand_at(hands, entry.line), entry.event)
    for hand in hands:
        hand.columns["bonus"] = list(hand.record.points)
    return hands


def _hand_at(hands: Sequence[_Hand], line: int) -> _Hand:
    """Return the hand of a line; a line before the first hand belongs to it."""
    return next((hand for hand in reversed(hands) if hand.first <= line), hands[0])


def _punish(hand: _Hand, penalty: Penalty) -> None:
    column = hand.columns["penalties"]
    for seat in range(len(column)):
        column[seat] += penalty.points if seat != penalty.seat else 0


# ---- Comparison


def _differences(hands: Sequence[_Hand], card: Card) -> Iterator[HandDifference]:
    before: Numbers = (0,) * card.seats
    for number in range(1, max(len(hands), len(card.rounds)) + 1):
        if number > len(card.rounds):
            if card.rounds:
                yield HandDifference(number, "hand", None, "played", None)
        elif number > len(hands):
            yield HandDifference(number, "hand", None, None, "played")
        else:
            row = card.rounds[number - 1]
            yield from _hand_differences(number, hands[number - 1], row, before)
            before = row.totals


def _hand_differences(number: int, hand: _Hand, row: CardRound, before: Numbers) -> Iterator[HandDifference]:
    named: set[Seat] = set()
    for name in _COLUMNS:
        for seat, written in enumerate(getattr(row, name)):
            due = hand.columns[name][seat]
            if written is not None and written != due:
                named.add(seat)
                yield HandDifference(number, name, seat, due, written)
    for seat, (first, last) in enumerate(zip(before, row.totals, strict=True)):
        due = hand.points[seat]
        if seat not in named and first is not None and last is not None and last - first != due:
            yield HandDifference(number, "points", seat, due, last - first)
    yield from _end_differences(number, hand, row)


def _end_differences(number: int, hand: _Hand, row: CardRound) -> Iterator[HandDifference]:
    record = hand.record
    if row.spinner is not None and row.spinner != hand.spinner:
        yield HandDifference(number, "spinner", None, hand.spinner, row.spinner)
    if row.ended is not None and row.ended != record.ended:
        yield HandDifference(number, "ended", None, record.ended or "open", row.ended)
    if row.winner is not None and row.winner != record.winner:
        yield HandDifference(number, "winner", None, record.winner, row.winner)


def _game_differences(log: LogOutcome, card: Card) -> Iterator[HandDifference]:
    for seat, (due, written) in enumerate(zip(log.scores, card.scores, strict=True)):
        if due != written:
            yield HandDifference(0, "scores", seat, due, written)
    if card.ended is not None and card.ended != log.ended:
        yield HandDifference(0, "ended", None, log.ended or "open", card.ended)
    if card.winner is not None and card.winner != log.winner:
        yield HandDifference(0, "winner", None, log.winner, card.winner)
