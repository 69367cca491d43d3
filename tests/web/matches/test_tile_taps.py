"""Touches on the tile pad: how many a hand of UDL takes, over simulated games.

Counted by the ways of docs/pad.md; the browser test of a whole game holds them against the pad itself
(tests/browser/test_tiles.py).
"""

from collections.abc import Iterable, Iterator
from itertools import groupby
from random import Random
from statistics import median, quantiles
from typing import NamedTuple

from games.layout import Layout
from games.moves import Blocked, Call, Draw, Event, Pass, Play, RoundPoints, RoundStart, Show
from games.rulesets import get
from referee.playouts.habits import Habits
from referee.playouts.pips import playout
from tests.volume import amount


class Step(NamedTuple):
    """The touches of one line. `laid`: those of a tile; `asked`: of them a name."""

    hand: int
    event: Event
    seat: int
    touches: int
    laid: int = 0
    asked: int = 0


def steps(events: Iterable[Event]) -> Iterator[Step]:
    rules, hand, seat = get("udl"), 0, 0
    layout, led, seen = Layout(rules.tiles, rules.spinner), False, list[Event]()
    for event in events:
        if isinstance(event, RoundStart):
            hand += 1
            layout = Layout(rules.tiles, rules.spinner)
            led = event.number > 1 and any(isinstance(one, RoundPoints) for one in seen)
            seen = []
            continue
        if not hand:
            continue
        seen.append(event)
        seat = getattr(event, "seat", seat)
        if isinstance(event, Play):
            places = layout.places(event.tile.index).bit_count() if layout.table else int(not led) + 1
            asked = int(not layout.table and not led)
            layout.place(event.tile.index, event.on.index if event.on else None)
            laid = 1 + (places > 1)
            yield Step(hand, event, seat, laid + (event.call is not None), laid, asked)
        elif isinstance(event, Draw):
            yield Step(hand, event, seat, event.count)
        elif isinstance(event, Pass | Call):
            yield Step(hand, event, seat, 1)
        elif isinstance(event, Show):
            yield Step(hand, event, seat, len(event.tiles))
        elif isinstance(event, Blocked | RoundPoints):
            yield Step(hand, event, seat, 2)


def touches_of_hands(events: Iterable[Event]) -> list[tuple[int, int, int]]:
    """Return touches, touches of tiles, and plays of each hand."""
    return [
        (sum(one.touches for one in hand), sum(one.laid for one in hand), sum(one.laid > 0 for one in hand))
        for hand in (list(some) for _number, some in groupby(steps(events), lambda one: one.hand))
    ]


def touches_of_phones(events: Iterable[Event]) -> list[int]:
    """Return the touches of each phone in each hand on two phones: no name is asked, each counts the own tiles."""
    found: dict[tuple[int, int], int] = {}
    for one in steps(events):
        touches = one.touches - one.asked + 2 * isinstance(one.event, Show)
        place = one.hand, one.seat
        found[place] = found.get(place, 0) + (0 if isinstance(one.event, RoundPoints) else touches)
    return list(found.values())


def logs() -> Iterator[list[Event]]:
    """Simulated games of UDL, greedy and random."""
    for number in range(amount(300)):
        habits = Habits(style="greedy" if number % 2 else "random", timed=False, says_blocked=True)
        yield [entry.event for entry in playout("udl", rng=Random(number), habits=habits).log.entries]


def test_a_hand_takes_few_touches(capsys) -> None:
    games = list(logs())
    hands = [hand for events in games for hand in touches_of_hands(events)]
    whole = [touches for touches, _laid, _plays in hands]
    a_play = sum(laid for _touches, laid, _plays in hands) / sum(plays for _touches, _laid, plays in hands)
    most = quantiles(whole, n=10)[-1]
    phones = [touches for events in games for touches in touches_of_phones(events)]
    low, *_rest, high = quantiles(phones, n=10)
    with capsys.disabled():
        print(f"\nOn two phones: median {median(phones)} a phone, 80 % within {low:g} to {high:g}", end="")
        print(f"\n{len(hands)} hands: median {median(whole)} touches, 90 % within {most:g}, {a_play:.2f} a play")
    assert a_play <= 1.5
    assert median(whole) <= 32
    assert most <= 50
    assert median(phones) <= 15
