"""Import formats as data: one `ImportFormat` a kind of file. Pages and API ask this registry.

The heading words of a table's columns: `result_columns.RESULT_WORDS`, `player_tables.PLAYER_WORDS`.
"""

import json
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from typing import Any

from django.utils.translation import gettext_lazy as _

from league.competitions.import_export import reading
from league.competitions.import_export.exporting import competition_file
from league.competitions.import_export.season_exporting import season_file
from league.competitions.import_export.season_reading import is_season, read_season
from league.competitions.import_export.tabular import decoded
from league.competitions.import_export.xlsx import is_workbook, workbook_sheets, workbook_text
from league.errors import Refused


class Holds(Enum):
    """Content of a file, which decides on its page and on the outcome of `ImportFormat.read`."""

    COMPETITION = "competition"  # reading.ReadFile
    SEASON = "season"  # season_reading.ReadSeason
    TABLE = "table"  # the text that tabular.read_sheet reads


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportFormat:
    """A kind of file that can be imported.

    `accept`: endings and media types for the file picker.
    `recognizes`, `read`: of the file's bytes, or the value of a JSON file (`content_of`); of a table always bytes.
    `sheets`: (title, text) of each table of a file that may hold several.
    `write`: writer of the same content for (asker, league, slug), whose value a repeated import is compared with.
    """

    key: str
    holds: Holds
    accept: tuple[str, ...]
    recognizes: Callable[[Any], bool]
    read: Callable[[Any], Any]
    sheets: Callable[[bytes], list[tuple[str, str]]] | None = None
    write: Callable[..., dict[str, Any]] | None = None

    def comparable(self, content: Any) -> Any:
        """Return the content as `preview_import` compares it, None if it has no writer."""
        return content if self.write else None


SEASON_FILE = ImportFormat(
    key="season.json",
    holds=Holds.SEASON,
    accept=(".json", "application/json"),
    recognizes=is_season,
    read=read_season,
    write=season_file,
)
COMPETITION_FILE = ImportFormat(
    key="competition.json",
    holds=Holds.COMPETITION,
    accept=(".json", "application/json"),
    recognizes=lambda content: not isinstance(content, bytes),
    read=reading.read,
    write=competition_file,
)
WORKBOOK = ImportFormat(
    key="xlsx",
    holds=Holds.TABLE,
    accept=(".xlsx", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"),
    recognizes=is_workbook,
    read=workbook_text,
    sheets=workbook_sheets,
)
TEXT_TABLE = ImportFormat(
    key="csv",
    holds=Holds.TABLE,
    accept=(".csv", ".txt", ".tsv", "text/csv", "text/plain"),
    recognizes=lambda _raw: True,
    read=decoded,
)

IMPORT_FORMATS = [SEASON_FILE, COMPETITION_FILE, WORKBOOK, TEXT_TABLE]
"""The first that recognizes a content reads it. COMPETITION_FILE takes any JSON and TEXT_TABLE any bytes: put a new
format before them.
"""


def content_of(raw: bytes) -> Any:
    """Return the value of a JSON file, or the bytes of any other file."""
    try:
        return json.loads(raw)
    except (ValueError, RecursionError):
        return raw


def format_of(content: Any, *holds: Holds) -> ImportFormat:
    """Return the format of a content, of those that hold one of `holds`. Raises Refused `no-json`."""
    for one in IMPORT_FORMATS:
        if one.holds in holds and one.recognizes(content):
            return one
    raise Refused("no-json", _("This is not a competition file: it is not JSON."))


def accepted(*holds: Holds) -> str:
    """Return the `accept` of a file picker for these contents."""
    return ",".join(dict.fromkeys(part for one in IMPORT_FORMATS if one.holds in holds for part in one.accept))
