"""Contenders of the next round, from the rounds played. Pure."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from league.competitions.formats.swiss.values import Contender


class PastKind(StrEnum):
    PLAYED = "played"
    FORFEIT = "forfeit"
    BYE = "bye"
    ABSENT = "absent"


@dataclass(frozen=True, slots=True)
class Past:
    """Result of one slot of a past round, by entrant ids.

    `first` led; `second` is None for a bye and an absence. `winner`: None for a draw, and for a forfeit of both.
    """

    first: int
    second: int | None = None
    winner: int | None = None
    kind: str = PastKind.PLAYED


@dataclass(frozen=True, slots=True)
class SwissPoints:
    """Match points; `absent` for a round with an excused absence."""

    win: int = 2
    draw: int = 1
    loss: int = 0
    bye: int = 2
    absent: int = 0


@dataclass(slots=True)
class _Card:
    """Running totals of one entrant."""

    score: int = 0
    met: set[int] = field(default_factory=set)
    byes: int = 0
    floats: list[int] = field(default_factory=list)
    leads: int = 0
    led_last: bool | None = None


def state_of(
    entrants: Sequence[tuple[int, int]], rounds: Sequence[Sequence[Past]], points: SwissPoints | None = None
) -> list[Contender]:
    """Give the contenders of the next round.

    `entrants` as (id, pairing number), `rounds` oldest first. A withdrawn entrant is left out of `entrants` and stays
    in `rounds`; a late entry is missing in earlier rounds. A forfeited match is neither a meeting nor a lead (FIDE
    Handbook C.04.2, 3.5: two "who did not play their game or match, may be paired together in a future round").
    """
    points = points or SwissPoints()
    cards: defaultdict[int, _Card] = defaultdict(_Card)
    for number, one in enumerate(rounds, start=1):
        before = {id_: card.score for id_, card in cards.items()}
        for past in one:
            for id_, floated, scored in _outcomes(past, before, points):
                card = cards[id_]
                card.score += scored
                card.floats += [0] * (number - 1 - len(card.floats)) + [floated]
            _note(past, cards, points)
    return [_contender(id_, number, cards[id_], len(rounds)) for id_, number in entrants]


def _contender(id_: int, number: int, card: _Card, rounds: int) -> Contender:
    return Contender(
        id=id_,
        number=number,
        score=card.score,
        met=frozenset(card.met),
        byes=card.byes,
        floats=(*card.floats, *[0] * (rounds - len(card.floats))),
        leads=card.leads,
        led_last=card.led_last,
    )


def _outcomes(past: Past, before: dict[int, int], points: SwissPoints) -> Iterator[tuple[int, int, int]]:
    """Yield (id, float, points) of each entrant concerned."""
    if past.kind == PastKind.PLAYED and past.second is not None:
        difference = before.get(past.first, 0) - before.get(past.second, 0)
        floated = (difference > 0) - (difference < 0)
        yield past.first, floated, _scored(past, past.first, points)
        yield past.second, -floated, _scored(past, past.second, points)
        return
    for id_ in _unplayed(past):
        scored = _scored(past, id_, points)
        # A score above a loss without playing is a downfloat (FIDE C.04.3, 1.4.3, from 2025).
        yield id_, int(past.kind == PastKind.BYE or scored > points.loss), scored


def _scored(past: Past, id_: int, points: SwissPoints) -> int:
    match PastKind(past.kind):
        case PastKind.BYE:
            return points.bye
        case PastKind.ABSENT:
            return points.absent
        case kind:
            if past.winner is None:
                return points.draw if kind == PastKind.PLAYED else points.loss
            return points.win if past.winner == id_ else points.loss


def _note(past: Past, cards: defaultdict[int, _Card], points: SwissPoints) -> None:
    """Record meeting and leads of a played match, or a bye."""
    if past.kind == PastKind.PLAYED and past.second is not None:
        cards[past.first].met.add(past.second)
        cards[past.second].met.add(past.first)
        for id_, led in ((past.first, True), (past.second, False)):
            cards[id_].leads += 1 if led else -1
            cards[id_].led_last = led
        return
    for id_ in _unplayed(past):
        # FIDE C.04.1, 4: a bye, or as many points as a win in a round without playing.
        cards[id_].byes += past.kind == PastKind.BYE or _scored(past, id_, points) >= points.win


def _unplayed(past: Past) -> list[int]:
    return [past.first] if past.second is None else [past.first, past.second]
