"""QR codes: half blocks for a terminal, one path for a page.

Both keep the quiet zone that scanners need.
"""

import qrcode

QUIET = 4  # modules, as ISO/IEC 18004 asks
# A character shows two modules, one above the other; light modules are drawn.
HALVES = {(False, False): "█", (False, True): "▀", (True, False): "▄", (True, True): " "}


def modules(text: str, *, on_paper: bool = False) -> list[list[bool]]:
    """Return rows from the top, True for dark, with the quiet zone around.

    `on_paper`: a quarter of it may be smudged (level Q), against 15 % on a screen (M).
    """
    level = qrcode.ERROR_CORRECT_Q if on_paper else qrcode.ERROR_CORRECT_M
    code = qrcode.QRCode(border=QUIET, error_correction=level)
    code.add_data(text)
    return code.get_matrix()


def half_blocks(text: str) -> list[str]:
    """Lines for a terminal with light letters on a dark ground."""
    rows = modules(text)
    rows += [[False] * len(rows)] * (len(rows) % 2)
    return [
        "".join(HALVES[above, below] for above, below in zip(upper, lower, strict=True))
        for upper, lower in zip(rows[::2], rows[1::2], strict=True)
    ]


def path(text: str, *, on_paper: bool = False) -> tuple[int, str]:
    """Return the width in modules, and the dark modules as data of an SVG path.

    Each run of dark modules in a row is one piece.
    """
    rows = modules(text, on_paper=on_paper)
    pieces = []
    for y, row in enumerate(rows):
        x = 0
        while x < len(row):
            end = next((at for at in range(x, len(row)) if row[at] != row[x]), len(row))
            if row[x]:
                pieces.append(f"M{x} {y}h{end - x}v1h-{end - x}z")
            x = end
    return len(rows), "".join(pieces)
