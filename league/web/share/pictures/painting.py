"""Share picture drawn with Pillow: 1200 × 630 on felt.

The colours are those of the light theme (tokens.css).
"""

from io import BytesIO

from PIL import Image, ImageDraw

from games.inventory import COLOURS
from league.web.charts.board.drawing import DrawnTile, Picture
from league.web.share.pictures.lettering import fitted, font

SIZE = WIDTH, HEIGHT = 1200, 630
MARGIN = 60
FELT, FELT_DEEP, ON_FELT, SOFT = "#0d4f3b", "#093c2d", "#f4f1e6", "#cfdcd3"
TILE, EDGE, PIP, BRASS, SPINNER = "#fffaf0", "#6f6a5c", "#1b1b1b", "#ffd48a", "#fbe9b4"
# Colours of tokens.css.
MARKS = {"red": "#c8102e", "green": "#1a7a34", "yellow": "#f3c316", "blue": "#1d5fbf"}
PALETTE = 96
SMOOTH = 2
# Positions of the pips on a half of an upright tile; a half is 1 wide, its middle is (0, 0).
_A, _B, _C = -0.27, 0.0, 0.27
PIPS = {
    "0": (),
    "1": ((_B, _B),),
    "2": ((_A, _A), (_C, _C)),
    "3": ((_A, _A), (_B, _B), (_C, _C)),
    "4": ((_A, _A), (_C, _A), (_A, _C), (_C, _C)),
    "5": ((_A, _A), (_C, _A), (_B, _B), (_A, _C), (_C, _C)),
    "6": ((_A, _A), (_C, _A), (_A, _B), (_C, _B), (_A, _C), (_C, _C)),
}
TURNED = {0: lambda x, y: (x, y), 90: lambda x, y: (-y, x), 180: lambda x, y: (-x, -y), 270: lambda x, y: (y, -x)}


class Canvas:
    """A picture being drawn; lengths in pixels."""

    def __init__(self, site: str) -> None:
        self._image = Image.new("RGB", SIZE, FELT)
        self._pen = ImageDraw.Draw(self._image)
        self._pen.rectangle((0, HEIGHT - 74, WIDTH, HEIGHT), fill=FELT_DEEP)
        width = font(26).getlength(site)
        self._pen.text((WIDTH - MARGIN - width, HEIGHT - 37), site, SOFT, font(26), anchor="lm")
        self._foot = WIDTH - 2 * MARGIN - width - 40

    def text(self, at: tuple[float, float], words: str, size: int, *, width: float, bold: bool = True) -> None:
        """Write one line with its middle at `at`; shrink it to fit the width."""
        shown, size = fitted(words, width, size, bold=bold)
        self._pen.text(at, shown, ON_FELT if bold else SOFT, font(size, bold=bold), anchor="lm")

    def number(self, at: tuple[float, float], words: str, size: int) -> None:
        """Write a line that ends at `at`."""
        self._pen.text(at, words, ON_FELT, font(size), anchor="rm")

    def foot(self, words: str) -> None:
        """Write the text of the dark strip at the bottom."""
        self.text((MARGIN, HEIGHT - 37), words, 26, width=self._foot, bold=False)

    def crown(self, at: tuple[float, float], size: float) -> None:
        """Draw the winner's crown."""
        x, y = at
        points = ((0, 0.75), (0, 0.2), (0.25, 0.45), (0.5, 0), (0.75, 0.45), (1, 0.2), (1, 0.75))
        self._pen.polygon([(x + px * size, y - size * 0.4 + py * size) for px, py in points], fill=BRASS)

    def board(self, box: tuple[int, int, int, int], drawn: Picture, *, marked: bool) -> None:
        """Draw the tiles of a table as large as the box (left, top, right, bottom) allows."""
        room = (box[2] - box[0]) * SMOOTH, (box[3] - box[1]) * SMOOTH
        left, top, width, height = drawn.box
        unit = min(room[0] / width, room[1] / height, 46 * SMOOTH)
        layer = Image.new("RGB", room, FELT)
        middle = room[0] / 2 - (left + width / 2) * unit, room[1] / 2 - (top + height / 2) * unit
        table = _PaintedTable(ImageDraw.Draw(layer), unit, *middle)
        for tile in drawn.tiles:
            table.lay(tile, marked=marked)
        self._image.paste(layer.resize((box[2] - box[0], box[3] - box[1]), Image.Resampling.LANCZOS), box[:2])

    def png(self) -> bytes:
        file = BytesIO()
        self._image.quantize(PALETTE, dither=Image.Dither.NONE).save(file, "PNG", optimize=True)
        return file.getvalue()


class _PaintedTable:
    """Tiles on a layer.

    `unit` is half a tile in pixels, (`x`, `y`) the table's middle.
    """

    def __init__(self, pen: ImageDraw.ImageDraw, unit: float, x: float, y: float) -> None:
        self._pen, self._unit, self._x, self._y = pen, unit, x, y

    def _at(self, x: float, y: float) -> tuple[float, float]:
        return self._x + x * self._unit, self._y + y * self._unit

    def lay(self, tile: DrawnTile, *, marked: bool) -> None:
        upright = tile.turn % 180 == 0
        wide, high = (0.5, 1.0) if upright else (1.0, 0.5)
        line = max(1, round(self._unit * 0.05))
        ring = line * 2 if tile.spinner else line
        corners = (*self._at(tile.x - wide, tile.y - high), *self._at(tile.x + wide, tile.y + high))
        fill, edge = (SPINNER, BRASS) if tile.spinner else (TILE, EDGE)
        self._pen.rounded_rectangle(corners, self._unit * 0.18, fill, edge, ring)
        across = (0.34, 0.0) if upright else (0.0, 0.34)
        self._pen.line(
            (*self._at(tile.x - across[0], tile.y - across[1]), *self._at(tile.x + across[0], tile.y + across[1])),
            EDGE,
            line,
        )
        turned = TURNED[tile.turn]
        for value, y in ((tile.first, -0.5), (tile.second, 0.5)):
            x, y = turned(0.0, y)
            middle = tile.x + x, tile.y + y
            if marked:
                self._mark(value, middle)
            else:
                for pip in PIPS.get(value, ()):
                    self._dot(middle, turned(*pip))

    def _dot(self, middle: tuple[float, float], pip: tuple[float, float]) -> None:
        x, y = self._at(middle[0] + pip[0], middle[1] + pip[1])
        reach = self._unit * 0.1
        self._pen.ellipse((x - reach, y - reach, x + reach, y + reach), PIP)

    def _mark(self, value: str, middle: tuple[float, float]) -> None:
        """Draw a half of an Uno Dominoes tile: its colour and symbol."""
        colour = COLOURS.get(value[0], "")
        x, y = self._at(*middle)
        reach = self._unit * 0.34
        self._pen.ellipse((x - reach, y - reach, x + reach, y + reach), MARKS.get(colour, TILE), EDGE)
        words = value[1:] if colour else value
        ink = PIP if colour in {"yellow", ""} else TILE
        shown, size = fitted(words, reach * 1.6, round(self._unit * 0.5), least=8)
        self._pen.text((x, y), shown, ink, font(size), anchor="mm")
