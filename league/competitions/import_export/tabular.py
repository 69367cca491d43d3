"""Tables as files and pasted text: cells safe from formulas, columns by heading.

Pure: text and bytes in, rows out.
"""

import csv
import io
import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

# First characters that make a spreadsheet compute a cell (OWASP, CSV Injection; ASVS 5, 1.2.10).
FORMULA_SIGNS = frozenset("=+-@\t\r\n\0")
MARK = "'"
SEPARATORS = "\t;,|"
Cell = str | int | float | None
Row = tuple[int, tuple[str, ...]]
"""Line of the text, cells."""

FURTHEST_HEAD = 40
"""Filled rows among which the headings are looked for."""


# --- Writing ---


def guarded(text: str) -> str:
    """Return the text as a cell that is no formula.

    An apostrophe goes before a text that a spreadsheet would compute, and before an apostrophe that could be taken for
    that mark, so that `unguarded` gives the same text back.
    """
    return f"{MARK}{text}" if _is_risky(text) or _is_marked(text) else text


def unguarded(cell: str) -> str:
    return cell[1:] if _is_marked(cell) else cell


def _is_risky(text: str) -> bool:
    # Some spreadsheets treat a full-width sign the same: ＝, ＋, －, ＠.
    return bool(text) and (text[0] in FORMULA_SIGNS or unicodedata.normalize("NFKC", text[0]) in FORMULA_SIGNS)


def _is_marked(cell: str) -> bool:
    return cell.startswith(MARK) and (_is_risky(cell[1:]) or cell[1:].startswith(MARK))


def to_csv(columns: Sequence[str], rows: Iterable[Mapping[str, Cell]]) -> bytes:
    """Write rows as a CSV file.

    Comma-separated, every text in quotation marks (RFC 4180), UTF-8 with a byte order mark, by which spreadsheets
    recognize it. Numbers are written as numbers, also negative ones; None is an empty cell.
    """
    out = io.StringIO()
    writer = csv.writer(out, quoting=csv.QUOTE_NONNUMERIC, lineterminator="\r\n")
    writer.writerow(columns)
    for row in rows:
        writer.writerow([_cell(row.get(column)) for column in columns])
    return out.getvalue().encode("utf-8-sig")


def _cell(value: Cell) -> Cell:
    return guarded(value) if isinstance(value, str) else "" if value is None else value


# --- Reading ---


@dataclass(frozen=True, slots=True)
class Sheet:
    """A table as read.

    `head`: its headings, empty strings without headings; `rows`: (line of the text, cells), each as long as the widest;
    `named`: a line was taken for headings; `above`: the rows above the headings (titles, notes).
    """

    head: tuple[str, ...]
    rows: tuple[Row, ...]
    named: bool
    above: tuple[Row, ...] = ()

    @property
    def width(self) -> int:
        return len(self.head)


def decoded(raw: bytes) -> str:
    """Decode UTF-8, UTF-16 with or without its mark, or Latin-1 as Windows writes it.

    The last can decode any bytes.
    """
    if raw.startswith((b"\xff\xfe", b"\xfe\xff")):
        return raw.decode("utf-16", errors="replace")
    for coding, high in (("utf-16-le", raw[1:2000:2]), ("utf-16-be", raw[0:2000:2])):
        if high.count(0) > len(high) * 0.6:
            return raw.decode(coding, errors="replace")
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError:
        return raw.decode("cp1252", errors="replace")


def read_sheet(text: str, known: frozenset[str] = frozenset()) -> Sheet:
    """Read a CSV file, or a selection pasted from a spreadsheet or a web page.

    The separator is tab, semicolon, comma or stroke: the sign that divides the most lines into equally many cells, or
    that of a line `sep=;`. The headings are the row with the most cells among the `known` words (as `word` makes them);
    titles may stand above it. The same headings again, above a later part of the table, are left out.
    """
    text = text.replace("\ufeff", "").replace("\r\n", "\n").replace("\r", "\n")
    rows = _filled(text)
    width = max((len(cells) for _line, cells in rows), default=0)
    padded = [(line, cells + ("",) * (width - len(cells))) for line, cells in rows]
    at = _head_row(padded, known)
    if at is None:
        return Sheet(("",) * width, tuple(padded), named=False)
    head = padded[at][1]
    return Sheet(head, tuple(row for row in padded[at + 1 :] if not _repeats(row, head)), True, tuple(padded[:at]))


def _filled(text: str) -> list[Row]:
    """Return the rows with content."""
    said = re.match(r"sep=([\t;,|])\n", text, re.IGNORECASE)
    separator = said[1] if said else _separator(text)
    rows: list[Row] = []
    # An unclosed quotation mark is part of a name.
    quoting: Literal[0, 3] = csv.QUOTE_NONE if text.count('"') % 2 else csv.QUOTE_MINIMAL
    reader = csv.reader(io.StringIO(text), delimiter=separator, skipinitialspace=separator != "\t", quoting=quoting)
    before = 0
    while True:
        try:
            cells = next(reader, None)
        except csv.Error:
            cells = []
        if cells is None:
            return rows
        line, before = before + 1, max(reader.line_num, before + 1)
        if any(cell.strip() for cell in cells) and not (said and line == 1):
            rows.append((line, tuple(unguarded(cell.strip()) for cell in cells)))


def _head_row(rows: Sequence[Row], known: frozenset[str]) -> int | None:
    """Return the row of the headings, None without one.

    A single known word is a heading in the first row, or alone in its row below titles.
    """
    counts = [sum(word(cell) in known for cell in cells) for _line, cells in rows[:FURTHEST_HEAD]]
    most = max(counts, default=0)
    if most > 1 or (most and counts[0]):
        return counts.index(most)
    alone = [sum(map(bool, cells)) == 1 for _line, cells in rows[:FURTHEST_HEAD]]
    return counts.index(1) if most and all(alone[: counts.index(1) + 1]) else None


def _repeats(row: Row, head: Sequence[str]) -> bool:
    filled = [(cell, heading) for cell, heading in zip(row[1], head, strict=True) if cell]
    return len(filled) > 1 and all(word(cell) == word(heading) for cell, heading in filled)


def column_letter(column: int) -> str:
    """Name a column from 0 as spreadsheets do: A, B, … Z, AA."""
    return (column_letter(column // 26 - 1) if column > 25 else "") + chr(ord("A") + column % 26)


def _separator(text: str) -> str:
    lines = [line for line in text.split("\n") if line.strip()][:50]

    def parted(sign: str) -> tuple[int, int]:
        counts = [line.count(sign) for line in lines]
        most = max(set(counts), key=counts.count, default=0) if counts else 0
        return (counts.count(most) if most else 0, -SEPARATORS.index(sign))

    return max(SEPARATORS, key=parted)


def word(heading: str) -> str:
    """Normalize a heading.

    "Player A" and "player_a" become equal, and "JUGADOR  á" loses its accent.
    """
    plain = "".join(c for c in unicodedata.normalize("NFKD", heading.casefold()) if unicodedata.category(c) != "Mn")
    return " ".join(re.sub(r"[\W_]+", " ", plain).split())


def guess_columns(head: Sequence[str], words: Mapping[str, Sequence[str]]) -> dict[str, int]:
    """Field → number of its column from 0, each column for one field only.

    The first words of a field are the surest.
    """
    found: dict[str, int] = {}
    cells = [word(cell) for cell in head]
    offers = [(place, key, one) for key, known in words.items() for place, one in enumerate(known)]
    for _place, key, one in sorted(offers, key=lambda offer: offer[0]):
        if key in found:
            continue
        column = next((n for n, cell in enumerate(cells) if cell == one and n not in found.values()), None)
        if column is not None:
            found[key] = column
    return found
