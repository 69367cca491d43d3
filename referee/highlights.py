"""Highlights of one game: its best play and hand, muggins, and its time. No judgement.

From a log by its replay, from a card or tally by its totals.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from games.claims import PlayScore
from games.moves import Deal, Lot, Play, RoundStart, Seat
from games.notation.gamelog import GameLog, Tenths
from referee.cards.check import known_totals
from referee.cards.sheet import Card
from referee.replay import rules_of, verify
from referee.verdict import Verdict


@dataclass(frozen=True, slots=True)
class BestPlay:
    """The play with the most points for its player.

    ``times``: number of plays with so many points. ``step``: its number among the frames of its round.
    """

    points: int
    times: int
    seat: Seat
    round: int
    step: int
    tile: str


@dataclass(frozen=True, slots=True)
class BestHand:
    """The most points of a seat in one hand, whatever their origin; ``times``: how often a seat got so many."""

    points: int
    times: int
    seat: Seat
    round: int


@dataclass(frozen=True, slots=True)
class Highlights:
    """Highlights of a game; of equal ones the first.

    ``scores``: the final score that they belong to. ``play`` and ``hand``: None without points, or if not known.
    ``muggins``: upheld calls by seat; empty without a log. ``tenths``: the time of the last play of a game that ended
    at the target, None if not written. ``entries`` and ``rounds`` of a log: for its pages.
    """

    scores: tuple[int, ...]
    play: BestPlay | None = None
    hand: BestHand | None = None
    muggins: tuple[int, ...] = ()
    tenths: Tenths | None = None
    entries: int = 0
    rounds: int = 0


def log_highlights(log: GameLog) -> Highlights:
    """Return the highlights of a log."""
    verdict = verify(log)
    return Highlights(
        scores=verdict.totals,
        play=_best_play(log, verdict),
        hand=_best_hand([one.scores for one in verdict.rounds], [one.number for one in verdict.rounds]),
        muggins=_muggins(log, verdict),
        tenths=_last_play(log) if verdict.ended == "target" else None,
        entries=sum(1 for _entry in log.each()),
        rounds=len(verdict.rounds),
    )


def card_highlights(card: Card) -> Highlights:
    """Return the highlights of a card or tally; without a hand unless all totals are known."""
    totals = known_totals(card)
    known = [tuple(points for points in one if points is not None) for one in totals]
    complete = all(len(one) == card.seats for one in known)
    return Highlights(
        scores=card.scores, hand=_best_hand(known, range(1, len(known) + 1)) if complete else None, rounds=len(known)
    )


def _best_play(log: GameLog, verdict: Verdict) -> BestPlay | None:
    scored = [play for play in verdict.plays if isinstance(play, PlayScore) and _own(play)]
    if not scored:
        return None
    best = max(scored, key=_own)
    times = sum(_own(play) == _own(best) for play in scored)
    number, step = next((number, step) for line, number, step in _steps(log) if line == best.line)
    return BestPlay(_own(best), times, best.seat, number, step, verdict.tiles.tiles[best.tile].name)


def _own(play: PlayScore) -> int:
    return play.awarded.get(play.seat, 0)


def _steps(log: GameLog) -> Iterator[tuple[int, int, int]]:
    """Yield line, round and step of every entry in a round, as `referee.frames` numbers them."""
    number = step = 0
    for line, _at, event in log.each():
        if isinstance(event, RoundStart):
            number, step = event.number, 0
        elif not isinstance(event, Deal | Lot):
            step += 1
        if number:
            yield line, number, step


def _best_hand(totals: Sequence[Sequence[int]], numbers: Sequence[int]) -> BestHand | None:
    """Return the largest gain between the totals after each hand; ``numbers``: those of the hands."""
    gains = [
        (after - (totals[place - 1][seat] if place else 0), seat, number)
        for place, (number, scores) in enumerate(zip(numbers, totals, strict=True))
        for seat, after in enumerate(scores)
    ]
    most = max((points for points, _seat, _number in gains), default=0)
    best = [one for one in gains if one[0] == most]
    return BestHand(most, len(best), *best[0][1:]) if most > 0 else None


def _muggins(log: GameLog, verdict: Verdict) -> tuple[int, ...]:
    rules = rules_of(log)
    rule = rules.rule_id("muggins") if "muggins" in rules.rules else ""
    upheld = [one.claimant for one in verdict.rulings if one.upheld and one.rule == rule]
    return tuple(upheld.count(seat) for seat in range(len(verdict.totals)))


def _last_play(log: GameLog) -> Tenths | None:
    """Return the time of the last play; None unless every play has one."""
    times = [at for _line, at, event in log.each() if isinstance(event, Play)]
    return None if None in times or not times else times[-1]
