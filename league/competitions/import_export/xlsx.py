"""Spreadsheets (XLSX) as the text that `tabular.read_sheet` reads.

Pure: bytes in, text out. A workbook is a zip of XML from an unknown source: its size is checked before anything is
unpacked, entities are refused (defusedxml, which openpyxl uses if installed), and of a formula only the stored value is
read; nothing is computed.
"""

import csv
import io
import warnings
import zipfile
from collections.abc import Iterable, Iterator, Sequence
from datetime import date, datetime, time
from importlib.util import find_spec
from typing import Any

from django.utils.translation import gettext_lazy as _

from league.competitions.import_export.tabular import guarded
from league.errors import Refused

# A table with as many letters as a pasted table may have, and its numbers, takes half of this.
MOST_PACKED = 2 * 1024 * 1024
MOST_UNPACKED = 6 * 1024 * 1024
# Limit of a part that is no table: openpyxl makes an object of each of its elements.
MOST_BESIDE = 256 * 1024
MOST_PARTS = 500
MOST_ROWS = 20_000
MOST_CELLS = 120_000
MOST_COLUMNS = 60
# Last row of any spreadsheet.
LAST_ROW = 1_048_576
ZIP = b"PK\x03\x04"
OLD_OR_LOCKED = b"\xd0\xcf\x11\xe0"

if find_spec("defusedxml") is None:
    raise ImportError("Without defusedxml a workbook could blow up.")


def is_workbook(raw: bytes) -> bool:
    """Tell whether a file is a spreadsheet of any kind, not text."""
    return raw.startswith((ZIP, OLD_OR_LOCKED))


def workbook_text(raw: bytes) -> str:
    """Return the text of the first sheet of `workbook_sheets`, an empty text without one."""
    return next((text for _title, text in workbook_sheets(raw)), "")


def workbook_sheets(raw: bytes) -> list[tuple[str, str]]:
    """Return title and text of the visible sheets that are not empty, a row a line, cells with tabs.

    Numbers without trailing zeros, days as ISO, lines in the order and with the numbers of the sheet's rows.

    Raises Refused `too-large`, `old-workbook`, `no-workbook`.
    """
    if raw.startswith(OLD_OR_LOCKED):
        raise Refused(
            "old-workbook",
            _("This is a spreadsheet of the old kind (XLS), or one with a password. Save it as XLSX or CSV."),
        )
    _refuse_if_large(raw)
    try:
        with warnings.catch_warnings():
            # Warnings about charts and rules, which are not read.
            warnings.simplefilter("ignore")
            return _texts(raw)
    except Refused:
        raise
    except Exception as error:  # any error of the library about a malformed file
        raise _broken() from error


def _broken() -> Refused:
    return Refused("no-workbook", _("This file can't be read as a spreadsheet (XLSX). Save it again, or as CSV."))


def _too_large() -> Refused:
    return Refused("too-large", _("This table is too large. Bring it in parts."))


def _refuse_if_large(raw: bytes) -> None:
    """Refuse a large file by the sizes in the zip's directory.

    No part unpacks to more than its size there.
    """
    if len(raw) > MOST_PACKED:
        raise _too_large()
    try:
        with zipfile.ZipFile(io.BytesIO(raw)) as packed:
            parts = packed.infolist()
    except (zipfile.BadZipFile, ValueError, NotImplementedError) as error:
        raise _broken() from error
    if len(parts) > MOST_PARTS or sum(part.file_size for part in parts) > MOST_UNPACKED:
        raise _too_large()
    if any(part.file_size > MOST_BESIDE for part in parts if _is_beside(part.filename)):
        raise _too_large()


def _is_beside(name: str) -> bool:
    """Whether a part is read, and holds no cells."""
    return name.endswith((".xml", ".rels")) and not name.startswith(("xl/worksheets/sheet", "xl/sharedStrings"))


def _texts(raw: bytes) -> list[tuple[str, str]]:
    # Imported at use, with numpy: every start of a site would take a fifth of a second longer.
    from openpyxl import DEFUSEDXML, load_workbook

    if not DEFUSEDXML:
        raise ImportError("openpyxl does not use defusedxml.")
    book = load_workbook(io.BytesIO(raw), read_only=True, data_only=True, keep_links=False)
    try:
        visible = [sheet for sheet in book.worksheets if sheet.sheet_state == "visible"]
        return [(sheet.title, _joined(rows)) for sheet in visible if (rows := _rows(sheet))]
    finally:
        book.close()


def _rows(sheet: Any) -> list[list[str]]:
    """Rows up to the last row with content."""
    # The size in the sheet itself may be wrong.
    sheet.reset_dimensions()
    found: list[list[str]] = []
    empty = filled = 0
    for number, values in enumerate(_values(sheet), start=1):
        cells = [] if values.count(None) == len(values) else [_cell(value) for value in values]
        if not any(cells):
            empty += 1
            continue
        filled += sum(map(bool, cells))
        if number > MOST_ROWS or filled > MOST_CELLS:
            raise _too_large()
        found += [[] for _row in range(empty)]
        found.append(cells)
        empty = 0
    return found


def _values(sheet: Any) -> Iterator[Sequence[Any]]:
    rows: Iterable[Sequence[Any]] = sheet.iter_rows(max_col=MOST_COLUMNS, values_only=True)
    for number, values in enumerate(rows, start=1):
        if number > LAST_ROW:
            raise _broken()
        yield values


def _cell(value: object) -> str:
    match value:
        case None:
            return ""
        case bool():
            return "TRUE" if value else "FALSE"
        case float():
            return f"{value:.15g}"
        case datetime() if value.time() == time():
            return value.date().isoformat()
        case datetime():
            return value.isoformat(" ", "minutes")
        case date():
            return value.isoformat()
        case _:
            return " ".join(str(value).split())


def _joined(rows: Sequence[Sequence[str]]) -> str:
    """Join rows as `tabular` reads them.

    A text that looks like a formula stays text in all later steps.
    """
    out = io.StringIO()
    writer = csv.writer(out, delimiter="\t", lineterminator="\n")
    width = max(number for row in rows for number, cell in enumerate(row, start=1) if cell)
    for row in rows:
        writer.writerow([guarded(cell) for cell in row[:width]])
    return out.getvalue()
