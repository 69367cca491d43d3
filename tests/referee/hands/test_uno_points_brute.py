"""Points of unseen racks of Uno Dominoes against brute force (NOTATION.md 4).

Small sets, every deal tried. Of ``referee`` only the verdict is used: a deal is played line by line, as in the record.
"""

from collections import Counter
from dataclasses import replace
from itertools import combinations
from random import Random

import pytest

from games.errors import IllegalMove
from games.inventory import packaged_inventory
from games.moves import Call, Deal, Draw, Pass, Play, RoundPoints, Said, Settled, Show, Totals
from games.notation.gamelog import Entry, GameLog
from games.notation.reading import dumps
from games.rulesets import RULESETS
from games.uno.markings import MarkedSet
from referee import verify_text
from referee.playouts.uno import UnoHabits, _UnoTable
from tests.referee.hands.test_points_brute import booked
from tests.volume import seeds

INVENTORY = list(packaged_inventory("uno_inventory.csv"))
HABITS = UnoHabits(miss=0.7, catch=0.4, renege=0.3, keep=0.3, challenge=0.6, bluff=0.8, timed=False, hidden=(9,))
TOO_MANY = 40_000
RECORDED = (0, 3, 7, 10, 16, 20, 25, 31, 40, 55, 70, 99)


class SmallTable(_UnoTable):
    """A table that notes the draws made for a turn.

    Players are often caught between a draw and its play.
    """

    def __init__(self, *args):
        super().__init__(*args)
        self.in_turn = set()

    def write(self, event):
        self.entries.append(Entry(len(self.entries) + 1, None, event))

    def draw(self, seat, count):
        last = self.live.last_tile
        for_turn = bool(self.live.layout.table) and not self.live.owed(seat)
        super().draw(seat, count)
        if for_turn:
            self.in_turn.add(len(self.entries))
            if last and not last.called and self.live.ended is None and self.chance(0.8):
                by = (last.seat + 1) % self.seats
                self.live.catch(by, last.seat)
                self.write(Call(by, Said.CATCH, whom=last.seat))
                self.pay()


def small_table(seed):
    """Play a round with a few tiles; ``None`` if it did not end."""
    rng = Random(seed)
    seats = rng.choice((2, 3, 3))
    tiles = MarkedSet(f"small-{seed}", rng.sample(INVENTORY, rng.choice((10, 11))))
    hand = {seats: 2 if seats == 3 else rng.choice((2, 3))}
    rules = replace(RULESETS["uno-dominoes"], key=tiles.name, tiles=tiles, hand=hand)
    table = SmallTable(rules, "ABC"[:seats], rng, HABITS)
    try:
        if tiles.starters:
            table.play_round()
            return table
    except (IndexError, IllegalMove):  # the pile ran out while a penalty was drawn
        pass
    return None


def hidden(table):
    """Return the record of a witness of a part, with random round-end points."""
    rng, unseen = table.rng, table.rng.choice((0.4, 0.8, 1.0))
    for entry in table.entries:
        event = entry.event
        if isinstance(event, Deal | Draw):
            tiles = tuple(None if rng.random() < unseen else tile for tile in event.tiles)
            yield entry._replace(event=type(event)(event.seat, event.count, tiles))
        elif isinstance(event, Show):
            if rng.random() < 0.3:
                tiles = tuple(None if rng.random() < 0.5 else tile for tile in event.tiles)
                yield entry._replace(event=Show(event.seat, tiles))
        elif not isinstance(event, Totals | Settled | RoundPoints):
            yield entry
    for seat in range(table.seats):
        if rng.random() < 0.7:
            yield Entry(99, None, RoundPoints(seat, rng.choice(RECORDED)))


class Deals:
    """Every deal that fits the record of a round.

    Only draws and passes may break a rule.
    """

    def __init__(self, table, record):
        self.record, self.in_turn = record, table.in_turn
        events = [entry.event for entry in record]
        named = {tile for event in events if isinstance(event, Deal | Draw) for tile in event.tiles if tile}
        self.pool = [tile for tile in table.rules.tiles.tiles if tile not in named]
        # After a tile was played or shown, no other hand can have held it.
        self.owner = {event.tile.index: event.seat for event in events if isinstance(event, Play)}
        self.owner |= {t.index: event.seat for event in events if isinstance(event, Show) for t in event.tiles if t}
        lead = next(event.tile.index for event in events if isinstance(event, Play))
        order = table.rules.tiles.starters
        drawn_for = next(type(event) for event in events if isinstance(event, Play | Draw)) is Draw
        self.before_the_lead = () if drawn_for else order[: order.index(lead)]
        self.steps = 0
        self.hands = set(self.rest(0, [frozenset()] * table.seats, frozenset(self.pool), None))

    def rest(self, n, hands, pool, drawn):
        """Yield the hands left after the lines from index ``n`` on.

        A tile just ``drawn`` is the only one to play.
        """
        self.steps += 1
        if self.steps > TOO_MANY:
            raise OverflowError
        if n == len(self.record):
            yield tuple(hands)
            return
        line, _, event = self.record[n]
        if isinstance(event, Deal | Draw):
            for some in self.taken(event, pool):
                got = some | {tile for tile in event.tiles if tile}
                if isinstance(event, Draw) or not any(tile.index in self.before_the_lead for tile in got):
                    now = next(iter(got)) if line in self.in_turn else drawn
                    yield from self.rest(n + 1, _with(hands, event.seat, hands[event.seat] | got), pool - some, now)
        elif isinstance(event, Play):
            tile = next((tile for tile in hands[event.seat] if tile.index == event.tile.index), None)
            if tile is not None and drawn in (None, tile):
                yield from self.rest(n + 1, _with(hands, event.seat, hands[event.seat] - {tile}), pool, None)
        elif isinstance(event, Show):
            if {t.index for t in event.tiles if t} <= {t.index for t in hands[event.seat]}:
                yield from self.rest(n + 1, hands, pool, drawn)
        else:
            yield from self.rest(n + 1, hands, pool, None if isinstance(event, Pass) else drawn)

    def taken(self, event, pool):
        """Return the sets of tiles that the unseen places of a deal or a draw may hold."""
        unseen = event.count - sum(tile is not None for tile in event.tiles)
        mine = [tile for tile in pool if self.owner.get(tile.index, event.seat) == event.seat]
        return map(frozenset, combinations(mine, unseen))


def _with(hands, seat, hand):
    return [hand if at == seat else other for at, other in enumerate(hands)]


def judged(seed, monkeypatch):
    """Play a round, write it down with unseen tiles, compare, and return the outcome."""
    table = small_table(seed)
    if table is None:
        return "no round"
    monkeypatch.setitem(RULESETS, table.rules.key, table.rules)
    record = list(hidden(table))
    head = {"Ruleset": table.rules.key} | {f"Seat.{letter}": letter for letter in "ABC"[: table.seats]}
    text = dumps(GameLog(head, record))
    try:
        deals = Deals(table, record).hands
    except OverflowError:
        return "too many"
    (verdict,) = verify_text(text)
    codes = Counter(finding.code for finding in verdict.findings)
    assert not any(finding.severity in ("impossible", "violation") for finding in verdict.findings), text
    (round_,) = verdict.rounds
    recorded = {entry.event.seat: entry.event.points for entry in record if isinstance(entry.event, RoundPoints)}
    went_out = None if round_.ended == "blocked" else table.live.scorer
    points, winner, proved = booked(table.rules, list(deals), went_out, recorded)
    assert (round_.points, round_.winner, not codes["unverified-points"]) == (points, winner, proved), text
    assert codes["wrong-points"] == sum(n != points[seat] for seat, n in recorded.items()), text
    return "proved" if proved else "wrong" if codes["wrong-points"] else "on word"


@pytest.mark.slow("every deal of small rounds")
def test_the_same_points_as_brute_force(monkeypatch):
    told = Counter(judged(seed, monkeypatch) for seed in seeds(600))
    assert min(told["proved"], told["wrong"], told["on word"]) > 0, told
    assert told["too many"] < sum(told.values()) // 5
