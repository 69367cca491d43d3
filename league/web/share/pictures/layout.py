"""Content of a share picture as plain values, and its layout.

The same values make the same picture.
"""

from dataclasses import dataclass
from hashlib import sha256

from league.web.charts.board.drawing import Picture
from league.web.share.pictures.lettering import font
from league.web.share.pictures.painting import HEIGHT, MARGIN, WIDTH, Canvas

EDITION = "3"
"""Edition of the layout; in the fingerprint, so that a change redraws every image."""
MOST_ROWS = 5


@dataclass(frozen=True, slots=True)
class ShareRow:
    """A name with its score or points at the end of the line."""

    name: str
    value: str = ""
    won: bool = False
    rank: str = ""


@dataclass(frozen=True, slots=True)
class SharePicture:
    """Content of a share picture.

    `over`: line above the `title`; without a title the rows fill the picture. `foot`: last line. `board`: the table at
    the end of the last round.
    """

    site: str
    over: str
    title: str
    rows: tuple[ShareRow, ...]
    foot: str
    board: Picture | None = None
    marked: bool = False

    @property
    def fingerprint(self) -> str:
        """SHA-256 of everything in the picture."""
        told = (EDITION, self.site, self.over, self.title, self.rows, self.foot, self.marked)
        tiles = self.board.tiles if self.board else ()
        return sha256(repr((told, tiles)).encode()).hexdigest()

    def png(self) -> bytes:
        canvas = Canvas(self.site)
        canvas.text((MARGIN, 62), self.over, 30, width=WIDTH - 2 * MARGIN, bold=False)
        top = 110.0
        if self.title:
            canvas.text((MARGIN, 140), self.title, 66, width=WIDTH - 2 * MARGIN)
            top = 210.0
        bottom = HEIGHT - 100
        rows = self.rows[:MOST_ROWS]
        pitch = min(92.0, (bottom - top) / max(len(rows), 1))
        for at, row in enumerate(rows):
            _draw_row(canvas, row, top + pitch * (at + 0.5), pitch)
        below = round(top + pitch * len(rows)) + 16
        if self.board and bottom - below > 120:
            canvas.board((MARGIN, below, WIDTH - MARGIN, HEIGHT - 84), self.board, marked=self.marked)
        canvas.foot(self.foot)
        return canvas.png()


def _draw_row(canvas: Canvas, row: ShareRow, y: float, pitch: float) -> None:
    size, left = round(pitch * 0.6), float(MARGIN)
    if row.rank:
        canvas.text((left, y), row.rank, size, width=70, bold=False)
        left += 80
    if row.won:
        canvas.crown((left, y), size)
        left += size * 1.25
    value = round(pitch * 0.76)
    beside = max(220, font(value).getlength(row.value) + 40)
    canvas.text((left, y), row.name, size, width=WIDTH - MARGIN - left - beside)
    if row.value:
        canvas.number((WIDTH - MARGIN, y), row.value, value)
