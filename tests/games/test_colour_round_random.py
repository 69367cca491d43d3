"""Random rounds of Uno Dominoes: what may be played, against the rules read off the names of tiles; tiles conserved."""

from random import Random

import pytest

from games.moves import Draw, Pass, Play
from games.ruleset import Lead
from games.rulesets import get
from games.uno.markings import COLOUR_NAMES, UNO
from games.uno.round import ColourRound


def colour(half):
    return half[0] if half[0] in "rgyb" else ""


def fits(half, shown):
    """RULES.md 2.7, 2.16, 2.17; ``shown`` is a half, or the colour that was named for a wild one."""
    if half == "DE":
        return False
    if half in ("W", "WD4"):
        return True
    if shown in COLOUR_NAMES:
        return colour(half) == shown[0]
    return colour(half) == colour(shown) or half[1:] == shown[1:]


def expected_plays(table, rack, *, only):
    """Every play that RULES.md allows: ``table`` maps a tile's name to what it shows; ``only`` is the drawn tile."""
    plays = set()
    for name in rack if only is None else [only]:
        a, b = name.split("-")
        for touching, outer in {(a, b), (b, a)}:
            for on, shown in table.items():
                double = a == b and len(set(on.split("-"))) == 1
                if fits(touching, shown) and not double:
                    colours = COLOUR_NAMES if outer in ("W", "WD4") else (None,)
                    plays |= {(f"{touching}-{outer}", on, named) for named in colours}
    return plays


@pytest.mark.parametrize("seed", range(40))
def test_the_legal_plays_are_those_of_the_rules(seed):
    rng = Random(seed)
    seats = 2 + seed % 5
    rules = get("uno-dominoes").with_options({"all_doublet": "true" if seed % 3 == 0 else "false"})
    live = ColourRound(rules, seats, Lead.HIGHEST_DOUBLE)
    pile = list(UNO.tiles)
    rng.shuffle(pile)
    racks = []
    for seat in range(seats):
        racks.append({pile.pop().name for _ in range(6)})
        live.deal(seat, 6, tuple(map(UNO.tile, racks[seat])))

    def draw(seat, count):
        tiles = tuple(pile.pop() for _ in range(count))
        live.apply(Draw(seat, count, tiles))
        racks[seat].update(tile.name for tile in tiles)
        return tiles[0].name

    while live.leader is None:
        draw(live.next_lead_drawer, 1)
    (lead,) = live.legal_moves()
    live.apply(lead)
    racks[lead.seat].remove(lead.tile.name)
    table = {lead.tile.name: lead.tile.name.split("-")[0]}
    drawn = None
    while live.ended is None:
        for seat in live.unpaid:
            draw(seat, min(live.debts[seat], len(pile)))
        if live.ended is not None:
            break
        seat = live.to_act
        found = [move for move in (*live.legal_moves(), *live.bluffs()) if isinstance(move, Play)]
        assert {(m.tile.name, m.on.name, m.colour) for m in found} == expected_plays(table, racks[seat], only=drawn)
        assert len(pile) + sum(map(len, racks)) + live.layout.table.bit_count() == 81
        assert [len(rack) for rack in racks] == live.held
        if drawn is None and pile and (not found or rng.random() < 0.2):
            drawn = draw(seat, 1)
            continue
        drawn = None
        if not found:
            live.apply(Pass(seat))
            continue
        move = rng.choice(found)
        live.apply(move)
        racks[seat].remove(UNO.tiles[move.tile.index].name)
        table[UNO.tiles[move.tile.index].name] = move.colour or move.tile.name.split("-")[1]
        table = {name: shown for name, shown in table.items() if UNO.tile(name).index in live.layout.ends}
    assert live.layout.table.bit_count() >= 2
