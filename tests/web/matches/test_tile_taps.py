"""Touches on the tile pad: how many a hand of UDL takes, over simulated games.

Counted by the ways of docs/pad.md; the browser test of a whole game holds them against the pad itself
(tests/browser/test_tiles.py).
"""

from collections.abc import Iterable
from random import Random
from statistics import median, quantiles

from games.layout import Layout
from games.moves import Blocked, Call, Draw, Event, Pass, Play, RoundPoints, RoundStart, Show
from games.rulesets import get
from referee.playouts.habits import Habits
from referee.playouts.pips import playout
from tests.volume import amount


def touches_of_hands(events: Iterable[Event]) -> list[tuple[int, int, int]]:
    """Return touches, touches of tiles, and plays of each hand."""
    rules, hands = get("udl"), list[list[int]]()
    layout, led, seen = Layout(rules.tiles, rules.spinner), False, list[Event]()
    for event in events:
        if isinstance(event, RoundStart):
            hands.append([0, 0, 0])
            layout = Layout(rules.tiles, rules.spinner)
            led = event.number > 1 and any(isinstance(one, RoundPoints) for one in seen)
            seen = []
            continue
        if not hands:
            continue
        seen.append(event)
        hand = hands[-1]
        if isinstance(event, Play):
            places = layout.places(event.tile.index).bit_count() if layout.table else int(not led) + 1
            laid = 1 + (places > 1)
            layout.place(event.tile.index, event.on.index if event.on else None)
            hand[0] += laid + (event.call is not None)
            hand[1] += laid
            hand[2] += 1
        elif isinstance(event, Draw):
            hand[0] += event.count
        elif isinstance(event, Pass | Call):
            hand[0] += 1
        elif isinstance(event, Blocked):
            hand[0] += 2
        elif isinstance(event, Show):
            hand[0] += len(event.tiles)
        elif isinstance(event, RoundPoints):
            hand[0] += 2
    return [(hand[0], hand[1], hand[2]) for hand in hands]


def test_a_hand_takes_few_touches(capsys) -> None:
    hands = []
    for number in range(amount(300)):
        habits = Habits(style="greedy" if number % 2 else "random", timed=False, says_blocked=True)
        log = playout("udl", rng=Random(number), habits=habits).log
        hands += touches_of_hands(entry.event for entry in log.entries)
    whole = [touches for touches, _laid, _plays in hands]
    a_play = sum(laid for _touches, laid, _plays in hands) / sum(plays for _touches, _laid, plays in hands)
    most = quantiles(whole, n=10)[-1]
    with capsys.disabled():
        print(f"\n{len(hands)} hands: median {median(whole)} touches, 90 % within {most:g}, {a_play:.2f} a play")
    assert a_play <= 1.5
    assert median(whole) <= 32
    assert most <= 50
