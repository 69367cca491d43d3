"""Bracket on sheets of paper: whole rounds side by side.

Neighbouring sheets share one round and one match, so that every box is whole on one of them and names are at both
edges.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil

from league.web.charts.bracket import MARGIN, Box, Connector, Drawing, Title
from league.web.charts.bracket_layout import PAPER, TITLE
from league.web.charts.bracket_parts import BracketPart

EDGE_MM, HEAD_MM = 8.0, 25.0
POINT_MM = 25.4 / 72
SMALLEST_LETTER, LEAST_PT = 13, 7
"""Smallest letters are above a box, smaller than any name (bracket-print.css); they keep at least this size."""
LEAST = LEAST_PT * POINT_MM / SMALLEST_LETTER
MOST = 1.7 * LEAST


@dataclass(frozen=True, slots=True)
class PaperSize:
    """Paper size, upright, in millimetres."""

    key: str
    name: str
    width: float
    height: float


SIZES = (PaperSize("a4", "A4", 210, 297), PaperSize("a3", "A3", 297, 420), PaperSize("letter", "Letter", 215.9, 279.4))


@dataclass(frozen=True, slots=True)
class SheetCell:
    """A sheet on the map of sheets, in units of the map; `here`: the current sheet."""

    number: int
    x: int
    y: int
    here: bool


@dataclass(frozen=True, slots=True)
class PrintedSheet:
    """Content of one sheet.

    In units of the drawing from `left` and `top` on; `mm_wide` and `mm_high` on paper. `titles` are above the drawing,
    `inner` titles within it. `number` of `count` counts through all parts; `cells` is the map of this part's sheets,
    empty for a single sheet.
    """

    number: int
    count: int
    part: BracketPart
    wide: bool
    left: int
    top: int
    width: int
    height: int
    scale: float
    titles: Sequence[Title]
    inner: Sequence[Title]
    boxes: Sequence[Box]
    connectors: Sequence[Connector]
    cells: Sequence[SheetCell]
    across: int
    down: int

    @property
    def mm_wide(self) -> str:
        return f"{self.width * self.scale:.2f}"

    @property
    def mm_high(self) -> str:
        return f"{self.height * self.scale:.2f}"

    @property
    def mm_title(self) -> str:
        return f"{TITLE * self.scale:.2f}"


@dataclass(frozen=True, slots=True)
class _Cut:
    """A drawing in columns and rows of sheets.

    `columns`, `rows`: their beginnings, in rounds and in rows of matches; `rounds`, `matches`: their lengths.
    """

    columns: Sequence[int]
    rounds: int
    rows: Sequence[int]
    matches: int
    scale: float

    @property
    def sheets(self) -> int:
        return len(self.columns) * len(self.rows)


def fit_one_sheet(parts: Sequence[tuple[BracketPart, Drawing]], size: PaperSize) -> list[PrintedSheet]:
    """Return the only sheet if everything fits on it, else nothing.

    Larger drawings cut both brackets of a double elimination separately, since their rows differ.
    """
    made = sheets(parts, size)
    return made if len(made) == 1 else []


def names_in_full(sheets: Sequence[PrintedSheet]) -> list[tuple[str, str]]:
    """Return names cut in the drawing, as shown and in full: paper has no tooltips."""
    lines = (line for sheet in sheets for box in sheet.boxes for line in box.lines)
    return sorted({(line.text, line.full) for line in lines if line.text != line.full}, key=lambda both: both[1])


def size_of(key: str) -> PaperSize:
    return next((one for one in SIZES if one.key == key), SIZES[0])


def sheets(parts: Sequence[tuple[BracketPart, Drawing]], size: PaperSize) -> list[PrintedSheet]:
    """Return the sheets of all parts, all upright or all landscape.

    The choice takes fewer sheets, then the larger scale.
    """
    ways = {wide: [_cut(part, one, size, wide=wide) for part, one in parts] for wide in (False, True)}
    wide = min(
        ways, key=lambda way: (sum(cut.sheets for cut in ways[way]), -min((c.scale for c in ways[way]), default=0))
    )
    found = [
        [one for row in range(len(cut.rows)) for one in _row_of_sheets(part, made, cut, row)]
        for (part, made), cut in zip(parts, ways[wide], strict=True)
    ]
    count = sum(map(len, found))
    numbered: list[PrintedSheet] = []
    for cut, tiles in zip(ways[wide], found, strict=True):
        first = len(numbered) + 1
        numbered += [
            _sheet(tile, cut, wide=wide, number=first + place, count=count, cells=_cells(tiles, first, place))
            for place, tile in enumerate(tiles)
        ]
    return numbered


def _cut(part: BracketPart, made: Drawing, size: PaperSize, *, wide: bool) -> _Cut:
    width, height = (size.height, size.width) if wide else (size.width, size.height)
    width, height = width - 2 * EDGE_MM, height - 2 * EDGE_MM - HEAD_MM
    step = _step(made)
    columns, rounds = _shared(_columns(made), int((width / LEAST - 2 * MARGIN + PAPER.gap) // step))
    body = ceil((made.height - MARGIN - TITLE) / PAPER.pitch)
    rows, matches = _shared(body, int((height / LEAST - TITLE - MARGIN) // PAPER.pitch))
    scale = min(
        width / (2 * MARGIN + rounds * step - PAPER.gap), height / (TITLE + MARGIN + matches * PAPER.pitch), MOST
    )
    return _Cut(columns, rounds, rows, matches, scale)


def _columns(made: Drawing) -> int:
    return (made.width - 2 * MARGIN + PAPER.gap) // _step(made)


def _step(made: Drawing) -> int:
    """Return the distance of rounds; boxes of pairs are wider."""
    return made.boxes[0].width + PAPER.gap if made.boxes else PAPER.gap


def _shared(total: int, most: int) -> tuple[Sequence[int], int]:
    """Split `total` into the fewest stretches of at most `most`.

    Return their beginnings and their common length. Neighbours share one item.
    """
    if total <= most:
        return [0], max(total, 1)
    count = ceil((total - 1) / max(most - 1, 1))
    each = ceil((total - 1) / count) + 1
    return range(0, (each - 1) * count, each - 1), each


@dataclass(frozen=True, slots=True)
class _Tile:
    part: BracketPart
    column: int
    row: int
    left: int
    top: int
    boxes: Sequence[Box]
    made: Drawing


def _row_of_sheets(part: BracketPart, made: Drawing, cut: _Cut, row: int) -> list[_Tile]:
    """Return this row's sheets with a box that is whole on no earlier sheet."""
    step = _step(made)
    top = TITLE + cut.rows[row] * PAPER.pitch
    bottom = top + cut.matches * PAPER.pitch + MARGIN
    found = []
    for column, first in enumerate(cut.columns):
        left, right = first * step, (first + cut.rounds) * step
        boxes = [box for box in made.boxes if left <= box.x < right and _within(box, top, bottom)]
        if boxes:
            found.append(_Tile(part, column, row, left, top, boxes, made))
    return found


def _within(box: Box, top: int, bottom: int) -> bool:
    return box.top - PAPER.head >= top and box.middle + box.row <= bottom


def _cells(tiles: Sequence[_Tile], first: int, here: int) -> list[SheetCell]:
    if len(tiles) < 2:
        return []
    return [
        SheetCell(first + place, tile.column * 14, tile.row * 10, place == here) for place, tile in enumerate(tiles)
    ]


def _sheet(tile: _Tile, cut: _Cut, *, wide: bool, number: int, count: int, cells: Sequence[SheetCell]) -> PrintedSheet:
    step = _step(tile.made)
    width = 2 * MARGIN + cut.rounds * step - PAPER.gap
    shown = {box.slot.id for box in tile.boxes}
    titles = [title for title in tile.made.titles if tile.left <= title.x < tile.left + width]
    return PrintedSheet(
        number=number,
        count=count,
        part=tile.part,
        wide=wide,
        left=tile.left,
        top=tile.top,
        width=width,
        height=cut.matches * PAPER.pitch + MARGIN,
        scale=cut.scale,
        titles=[title for title in titles if title.y < TITLE],
        inner=[title for title in titles if title.y >= TITLE],
        boxes=tile.boxes,
        connectors=[one for one in tile.made.connectors if one.start in shown or one.end in shown],
        cells=cells,
        across=14 * len(cut.columns),
        down=10 * len(cut.rows),
    )
