"""Past seasons from a table of games with a column for the division.

Pure but for names.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from zoneinfo import ZoneInfo

from league.accounts.graphemes import first_letters, longer_than
from league.competitions.import_export.reading import MOST_MISTAKES
from league.competitions.import_export.result_cells import day_in, round_in
from league.competitions.import_export.result_tables import read_results
from league.competitions.import_export.season_reading import ReadSeason
from league.competitions.import_export.season_values import FiledDivision, FiledSeason
from league.competitions.import_export.tabular import Sheet
from league.competitions.import_export.values import TOLD, FiledCompetition, Mistake
from league.competitions.models.season import LONGEST_DIVISION
from league.competitions.seasons.plans import division_title
from league.players.naming import clean_words, same

Rows = list[tuple[int, tuple[str, ...]]]


@dataclass(frozen=True, slots=True)
class ReadSeasonTable(ReadSeason):
    """Outcome of reading a table. `names`, `unread`: as of `ReadResults`."""

    names: tuple[str, ...] = ()
    unread: tuple[tuple[int, str], ...] = ()


def read_season_results(
    sheet: Sheet,
    columns: Mapping[str, int],
    *,
    name: str,
    ruleset: str,
    zone: ZoneInfo,
    renamed: Mapping[str, str] | None = None,
) -> ReadSeasonTable:
    """Read a finished season from a table of games.

    Divisions from the top down in the order of their first rows, each read as a separate table
    (`result_tables.read_results`). Without dates the season has no beginning, which is a mistake.
    """
    if "date" not in columns:
        return ReadSeasonTable(None, (Mistake("columns", "season-without-day"),))
    mistakes: list[Mistake] = []
    parts = _parts(sheet, columns["division"], mistakes)
    divisions: list[FiledDivision] = []
    names: list[str] = []
    unread: dict[tuple[int, str], None] = {}
    for level, (title, rows) in enumerate(parts, start=1):
        part = replace(sheet, rows=tuple(rows))
        title_of = division_title(name, title)
        read = read_results(part, columns, name=title_of, ruleset=ruleset, zone=zone, renamed=renamed)
        mistakes += read.mistakes
        names += read.names
        unread |= dict.fromkeys(read.unread)
        if read.filed:
            divisions.append(FiledDivision(level=level, name=title, competition=read.filed))
    days = [hour.astimezone(zone).date() for one in divisions for hour in _hours(one.competition)]
    if not mistakes and not days:
        mistakes.append(Mistake("columns", "season-without-day"))
    if mistakes:
        return ReadSeasonTable(None, tuple(mistakes[:MOST_MISTAKES]), tuple(names), tuple(sorted(unread)))
    season = FiledSeason(name=name, starts_on=min(days), ends_on=max(days), divisions=tuple(divisions))
    return ReadSeasonTable(season, (), tuple(names), tuple(sorted(unread)))


def _parts(sheet: Sheet, column: int, mistakes: list[Mistake]) -> Sequence[tuple[str, Rows]]:
    """Name and lines of each division; an empty cell is one merged with the cell above.

    A line that names a round or a day holds for the rows below it in every division.
    """
    found: dict[str, tuple[str, Rows]] = {}
    of_all: Rows = []
    title = ""
    for line, cells in sheet.rows:
        if _is_heading(cells):
            for _title, rows in found.values():
                rows.append((line, cells))
            of_all.append((line, cells))
            continue
        title = clean_words(cells[column]) or title
        if not title or longer_than(title, LONGEST_DIVISION):
            mistakes.append(Mistake(f"line {line}", "no-division-name", first_letters(title, TOLD)))
            continue
        found.setdefault(same(title), (title, [*of_all]))[1].append((line, cells))
    if not found and not mistakes:
        mistakes.append(Mistake("line 1", "no-rows"))
    return list(found.values())


def _is_heading(cells: Sequence[str]) -> bool:
    """Tell whether the only text of a line is a round or a day."""
    texts = set(filter(None, cells))
    return len(texts) == 1 and any(round_in(one) or day_in(one) or day_in(one, month_first=True) for one in texts)


def _hours(competition: FiledCompetition) -> list[datetime]:
    return [slot.starts_at for one in competition.rounds for slot in one.slots if slot.starts_at]
