"""The list of Uno tiles and the checks V1 to V8 of RULES.md 4.2: each fails on a file that is broken for it."""

from importlib.resources import files

import pytest

from games.inventory import COLOURS, MARKINGS, PRINTED, InventoryError, read_inventory
from games.uno.markings import UNO

TEXT = (files("games") / "data" / "uno_inventory.csv").read_text(encoding="utf-8")


def changed(old, new):
    assert TEXT.count(old) == 1, old
    return TEXT.replace(old, new)


BROKEN = [
    ("V1", "".join(line for line in TEXT.splitlines(keepends=True) if not line.startswith("81,"))),
    ("V1", TEXT + "82,S,blue,R,red\n"),
    ("V2", changed("81,S,blue,R,red", "81,X,blue,R,red")),
    ("V2", changed("81,S,blue,R,red", "81,S,pink,R,red")),
    ("V2", changed("81,S,blue,R,red", "81,S,,R,red")),
    ("V2", changed("79,8,blue,DE,", "79,8,blue,DE,red")),
    ("V2", changed("81,S,blue,R,red", "81,,blue,R,red")),
    ("V3", changed("81,S,blue,R,red", "81,S,green,R,red")),
]
# What the table implies shows only where the table is not asked.
BROKEN_BESIDE_THE_TABLE = [
    ("V4", changed("20,WD4,,WD4,", "20,WD4,,1,red")),
    ("V5", changed("19,W,,W,", "19,W,,1,red")),
    ("V6", changed("20,WD4,,WD4,", "20,WD4,,1,red")),
    ("V6", changed("79,8,blue,DE,", "79,DE,,DE,")),
    ("V7", changed("43,3,red,S,red", "43,3,red,S,blue")),
    ("V8", changed("81,S,blue,R,red", "81,S,blue,S,red")),
]


@pytest.mark.parametrize(("check", "text"), BROKEN)
def test_a_broken_list_is_refused_and_the_check_is_named(check, text):
    with pytest.raises(InventoryError, match=f"^{check}: ") as refused:
        read_inventory(text)
    assert refused.value.check == check


@pytest.mark.parametrize(("check", "text"), BROKEN_BESIDE_THE_TABLE)
def test_what_the_table_implies_is_checked_too(check, text):
    others = {"V3", "V4", "V5", "V6", "V7", "V8"} - {check}
    with pytest.raises(InventoryError, match=f"^{check}: "):
        read_inventory(text, without=others)


def test_a_check_that_was_switched_off_does_not_refuse():
    """RULES.md 4.2: V6 to V8 may be switched off when a real list is found."""
    for check, text in BROKEN_BESIDE_THE_TABLE:
        assert len(read_inventory(text, without={"V3", "V4", "V5", "V6", "V7", "V8"})) == 81, check


def test_the_printed_table_adds_up():
    """RULES.md 4.1: the rows and columns as printed, 142 in all; 51 markings, of which green 3 is on no tile."""
    totals = [sum(PRINTED[kind]) for kind in PRINTED]
    assert totals == [12, 12, 11, 11, 12, 12, 12, 12, 11, 9, 9, 9, 6, 1, 3]
    columns = [sum(row[n] for row in PRINTED.values() if len(row) == 4) for n in range(4)]
    assert (columns, sum(totals)) == ([34, 33, 31, 34], 142)
    assert len(MARKINGS) == 51
    assert list(COLOURS) == ["r", "g", "y", "b"]


def test_the_set_is_the_reconstruction():
    """RULES.md 4.2: 81 different tiles, 20 doublets, 1165 points, 162 halves."""
    assert len({tile.name for tile in UNO.tiles}) == 81
    assert UNO.doubles.bit_count() == 20
    assert UNO.pips_in(UNO.all) == 1165
    ends = {kind: sum(m.kind == kind for t in UNO.tiles for m in faces(t)) for kind in PRINTED}
    assert list(ends.values()) == [13] * 9 + [11] * 3 + [6, 2, 4]
    colours = [sum(m.colour == n for t in UNO.tiles for m in faces(t)) for n in range(4)]
    assert colours == [38, 37, 37, 38]


def faces(tile):
    return UNO.markings[tile.high], UNO.markings[tile.low]


def test_a_tile_has_two_spellings_and_one_index():
    """NOTATION.md 2: the half written first is the one that touches."""
    one, other = UNO.tile("b4-gS"), UNO.tile("gS-b4")
    assert one is not other
    assert (one.index, one.bit, one.high, one.low) == (other.index, other.bit, other.low, other.high)
    assert UNO.turned(one) is other
    assert UNO.turned(other) is one
    assert UNO.turned(UNO.tile("W-W")) is UNO.tile("W-W")
    assert not UNO.read("r4-b9").bit


@pytest.mark.parametrize(
    ("racks", "points"),
    [("r7 gS W W", 67), ("WD4 WD4", 40), ("b3 DE", 23), ("r3 rS y9 y9 gD2 yS", 51), ("r1 b3 y2 g6 r3 gR", 25)],
)
def test_u10_points_of_racks(racks, points):
    """RULES.md 9.6, U10 and the racks of U07."""
    worth = {marking.name: marking.pips for marking in UNO.markings}
    assert sum(worth[half] for half in racks.split()) == points


def test_each_marking_has_its_printed_points():
    """RULES.md 2.33."""
    actions = {"R": 10, "S": 10, "D2": 10, "DE": 20, "WD4": 20, "W": 25}
    assert {one.kind: one.pips for one in UNO.markings} == {**{str(n): n for n in range(1, 10)}, **actions}
