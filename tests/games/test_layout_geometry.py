"""The counters of `games.layout` held against pieces on a table, on random layouts in every spinner mode."""

from random import Random

import pytest

from games.layout import Layout
from games.ruleset import Spinner
from games.tiles import DOUBLE_SIX
from tests.games.geometry import Piece, Table


def names(layout: Layout, mask: int) -> set[str]:
    return {tile.name for tile in DOUBLE_SIX.in_mask(mask)}


def name(piece: Piece) -> str:
    return f"{max(piece.a, piece.b)}-{min(piece.a, piece.b)}"


def assert_same(layout: Layout, table: Table) -> None:
    """Count, summands, spinner, open ends, what fits, and where."""
    assert layout.count == table.count() == sum(layout.terms())
    spinner = table.spinner()
    assert layout.spinner == (None if spinner is None else DOUBLE_SIX.tile(name(spinner)).index)
    ends = {(end.tile.name, end.face.pips) for end in layout.open_ends}
    assert ends == {(name(piece), place.pips) for piece in table.pieces for place in piece.open_places()}
    fitting = {tile.name for tile in DOUBLE_SIX.tiles if table.takers(tile.high, tile.low)}
    assert names(layout, layout.fitting()) == fitting
    for tile in DOUBLE_SIX.tiles:
        if not layout.table & tile.bit:
            takers = {name(piece) for piece in table.takers(tile.high, tile.low)}
            assert names(layout, layout.places(tile.index)) == takers


@pytest.mark.parametrize("mode", list(Spinner), ids=lambda mode: mode.value)
def test_random_layouts_are_what_lies_on_the_table(mode):
    rng = Random(mode.value)
    for _ in range(25):
        layout, table = Layout(DOUBLE_SIX, mode), Table(mode.value)
        tiles = list(DOUBLE_SIX.tiles)
        rng.shuffle(tiles)
        lead = tiles.pop()
        layout.place(lead.index, None)
        table.put(lead.high, lead.low, None)
        assert_same(layout, table)
        while True:
            fitting = [(tile, on) for tile in tiles for on in table.takers(tile.high, tile.low)]
            if not fitting:
                break
            tile, on = rng.choice(fitting)
            tiles.remove(tile)
            layout.place(tile.index, DOUBLE_SIX.tile(name(on)).index)
            table.put(tile.high, tile.low, on)
            assert_same(layout, table)
