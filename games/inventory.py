"""Tile list of a printed set: read from a file and checked (RULES.md 4.1, 4.2).

Nobody has published the list of the 81 Uno Dominoes, so the list is data: a better list can replace it, and the checks
V1 to V8 test whether that list can be true.
"""

from __future__ import annotations

import csv
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from importlib.resources import files
from typing import Final, NamedTuple

COLOURS: Final[Mapping[str, str]] = {"r": "red", "g": "green", "y": "yellow", "b": "blue"}
"""The colours by their letters, in the order of the printed table."""
NUMBERS: Final = tuple("123456789")
ACTIONS: Final = ("D2", "S", "R")
COLOURLESS: Final = ("DE", "W", "WD4")
TILES: Final = 81
EXACT_DOUBLETS: Final = 20

PRINTED: Final[Mapping[str, tuple[int, ...]]] = {
    "1": (2, 2, 4, 4),
    "2": (4, 2, 2, 4),
    "3": (5, 0, 3, 3),
    "4": (2, 4, 2, 3),
    "5": (3, 2, 2, 5),
    "6": (3, 5, 2, 2),
    "7": (3, 4, 3, 2),
    "8": (3, 3, 4, 2),
    "9": (2, 4, 3, 2),
    "D2": (3, 2, 2, 2),
    "S": (2, 2, 2, 3),
    "R": (2, 3, 2, 2),
    "DE": (6,),
    "W": (1,),
    "WD4": (3,),
}
"""Tiles by marking, red green yellow blue, as printed (rules/uno-dominoes.txt)."""


class Half(NamedTuple):
    """Half of a listed tile: its kind and colour letter, empty for a colourless kind."""

    kind: str
    colour: str

    @property
    def name(self) -> str:
        """Half in the notation: ``r7``, ``gD2``, ``WD4``."""
        return self.colour + self.kind


MARKINGS: Final = tuple(
    Half(kind, colour) for kind, printed in PRINTED.items() for colour in (COLOURS if len(printed) > 1 else ("",))
)
"""The 51 markings of the printed table; no tile has the green 3."""

Listed = tuple[Half, Half]


class InventoryError(ValueError):
    """An impossible tile list; ``check`` is the number of its check (RULES.md 4.2)."""

    def __init__(self, check: str, message: str) -> None:
        super().__init__(f"{check}: {message}")
        self.check = check


@dataclass(frozen=True, slots=True)
class _Check:
    number: str
    wrong: Callable[[list[Listed]], str]


def _number_of_tiles(tiles: list[Listed]) -> str:
    return "" if len(tiles) == TILES else f"the set has {TILES} tiles, not {len(tiles)}"


def _printed_table(tiles: list[Listed]) -> str:
    for half in MARKINGS:
        printed = PRINTED[half.kind]
        due = printed[list(COLOURS).index(half.colour)] if half.colour else printed[0]
        found = sum(half in tile for tile in tiles)
        if found != due:
            return f"{due} tiles carry {half.name}, not {found}"
    return ""


def _exact_doublets(tiles: list[Listed]) -> str:
    found = sum(a == b for a, b in tiles)
    return "" if found == EXACT_DOUBLETS else f"the set has {EXACT_DOUBLETS} doublets, not {found}"


def _wild_doublet(tiles: list[Listed]) -> str:
    return "" if (Half("W", ""), Half("W", "")) in tiles else "the set has the tile W-W"


def _doublet_of_each_kind(tiles: list[Listed]) -> str:
    doublets = {a.kind for a, b in tiles if a == b}
    if "DE" in doublets:
        return "there is no tile DE-DE"
    missing = [kind for kind in PRINTED if kind not in doublets and kind != "DE"]
    return f"the set has a doublet of {missing[0]}" if missing else ""


def _named_tile(tiles: list[Listed]) -> str:
    named = {Half("3", "r"), Half("S", "r")}
    return "" if any({a, b} == named for a, b in tiles) else "the rules name the tile r3-rS"


def _one_colour_a_kind(tiles: list[Listed]) -> str:
    mixed = [f"{a.name}-{b.name}" for a, b in tiles if a.kind == b.kind and a.colour != b.colour]
    return f"{mixed[0]} has one kind in two colours" if mixed else ""


CHECKS: Final = (
    _Check("V1", _number_of_tiles),
    _Check("V3", _printed_table),
    _Check("V4", _exact_doublets),
    _Check("V5", _wild_doublet),
    _Check("V6", _doublet_of_each_kind),
    _Check("V7", _named_tile),
    _Check("V8", _one_colour_a_kind),
)
"""Checks of a whole list, each usable alone; V2 is made on each line at reading."""


def read_inventory(text: str, *, without: Collection[str] = ()) -> list[Listed]:
    """Read the tiles of a CSV list, in its order.

    Columns ``id,a_kind,a_colour,b_kind,b_colour``. Raises :class:`InventoryError` for the first of the checks V1 to V8
    that the list fails. ``without`` names checks to skip: V6 to V8 are guesses about the set, to be dropped when a real
    list is found.
    """
    tiles = [(_half(row, "a"), _half(row, "b")) for row in csv.DictReader(text.splitlines())]
    for check in CHECKS:
        wrong = "" if check.number in without else check.wrong(tiles)
        if wrong:
            raise InventoryError(check.number, wrong)
    return tiles


def _half(row: Mapping[str, str | None], side: str) -> Half:
    kind, colour = row.get(f"{side}_kind") or "", row.get(f"{side}_colour") or ""
    letter = {word: letter for letter, word in COLOURS.items()}.get(colour, "")
    tile = f"tile {row.get('id')}"
    if kind not in PRINTED:
        raise InventoryError("V2", f"{tile}: {kind!r} is no kind; kinds are {', '.join(PRINTED)}")
    if colour and not letter:
        raise InventoryError("V2", f"{tile}: {colour!r} is no colour; colours are {', '.join(COLOURS.values())}")
    if bool(letter) is (kind in COLOURLESS):
        needs = "has no colour" if letter else "needs a colour"
        raise InventoryError("V2", f"{tile}: {kind} {needs}")
    return Half(kind, letter)


def packaged_inventory(name: str) -> list[Listed]:
    """Read and check a tile list of the package, by the name of its file."""
    return read_inventory((files("games") / "data" / name).read_text(encoding="utf-8"))
