"""Cross-tables: a row and a column for each player, in each cell the result of the row's player. Pure."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from league.accounts.folding import fold
from league.competitions.import_export.result_cells import Games, games_in, is_unplayed, name_in, points_in
from league.competitions.import_export.tabular import Row, Sheet, word
from league.competitions.import_export.values import Mistake

FEWEST = 3
FURTHEST = 8
DIAGONAL = frozenset({"", "x", "xx", "xxx", "0"})


@dataclass(frozen=True, slots=True)
class CrossTable:
    """Where a cross-table stands in a sheet.

    `rows`: a row for each player; `opponents`: the column of each, in the same order; `head_line`: the line of its
    headings if they are no headings of the sheet.
    """

    name_column: int
    rows: tuple[Row, ...]
    opponents: tuple[int, ...]
    head_line: int = 0

    @property
    def names(self) -> list[str]:
        return [name_in(cells[self.name_column]) for _line, cells in self.rows]


@dataclass(frozen=True, slots=True)
class CrossResult:
    """A match of a cross-table between the players `first` and `second`, from 0; no games if it is open."""

    line: int
    column: int
    first: int
    second: int
    games: Games
    leg: int = 1


def find_cross_table(sheet: Sheet, name_column: int | None = None) -> CrossTable | None:
    """Find a cross-table below any titles, with numbers, names or nothing above its columns."""
    heads: list[tuple[Row, Sequence[Row]]] = [((0, sheet.head), sheet.rows)]
    for n, row in enumerate(sheet.rows[:FURTHEST]):
        heads.append((row, sheet.rows[n + 1 :]))
    for (line, head), rows in heads:
        for column in range(sheet.width) if name_column is None else [name_column]:
            if found := _at(head, rows, column):
                return replace(found, head_line=line)
    return None


def _at(head: Sequence[str], rows: Sequence[Row], column: int) -> CrossTable | None:
    players: list[Row] = []
    for row in rows:
        if not any(map(str.isalpha, row[1][column])) or sum(map(bool, row[1])) < 2:
            break
        players.append(row)
    count = len(players)
    if count < FEWEST:
        return None
    for start in range(column + 1, len(head) - count + 1):
        columns = range(start, start + count)
        if _fits_above([head[n] for n in columns], players, column) and _fits(players, columns):
            return CrossTable(column, tuple(players), tuple(columns))
    return None


def _fits_above(heads: Sequence[str], players: Sequence[Row], column: int) -> bool:
    """Tell whether the headings are empty, count from 1, or name the players of the rows."""
    if not any(heads) or [points_in(one) for one in heads] == list(range(1, len(heads) + 1)):
        return True
    return all(_names(one, cells[column]) for one, (_line, cells) in zip(heads, players, strict=True))


def _names(heading: str, name: str) -> bool:
    short, words = fold(heading).rstrip("."), fold(name_in(name)).split()
    initials = "".join(one[0] for one in words)
    return bool(short) and (
        fold(name_in(heading)) == " ".join(words) or short == initials or any(one.startswith(short) for one in words)
    )


def _fits(players: Sequence[Row], columns: Sequence[int]) -> bool:
    results = 0
    for n, (_line, cells) in enumerate(players):
        for m, column in enumerate(columns):
            cell = cells[column]
            if n == m:
                if word(cell) not in DIAGONAL:
                    return False
            elif games_in(cell) or points_in(cell) is not None:
                results += 1
            elif not is_unplayed(cell):
                return False
    return results >= len(players) - 1


# --- Results ---


def results_of(cross: CrossTable, mistakes: list[Mistake]) -> list[CrossResult]:
    """Return a result for each two players; two if the halves of the table are two legs.

    A half that repeats the other, turned, is the same match. A player's own points alone need those of the other.
    """
    found = list(_cells(cross, mistakes))
    pairs = {(one.first, one.second): one for one in found}
    upper = [(n, m) for n, m in pairs if n < m and pairs[n, m].games and pairs[m, n].games]
    mirrored = [(n, m) for n, m in upper if pairs[m, n].games == _turned(pairs[n, m].games)]
    double = bool(upper) and 2 * len(mirrored) < len(upper)
    if not double:
        mistakes += [_contradiction(cross, pairs, pair) for pair in upper if pair not in mirrored]
    return list(_matches(pairs, double=double))


def _cells(cross: CrossTable, mistakes: list[Mistake]) -> Iterator[CrossResult]:
    for n, (line, cells) in enumerate(cross.rows):
        for m, column in enumerate(cross.opponents):
            if n == m:
                continue
            cell, turned = cells[column], cross.rows[m][1][cross.opponents[n]]
            games = games_in(cell)
            own, other = points_in(cell), points_in(turned)
            if games is None and own is not None and other is not None:
                games = ((own, other),)
            elif games is None and not is_unplayed(cell):
                mistakes.append(Mistake(f"line {line}", "half-result", cell, column))
            yield CrossResult(line, column, n, m, games or ())


def _contradiction(cross: CrossTable, pairs: Mapping[tuple[int, int], CrossResult], pair: tuple[int, int]) -> Mistake:
    one, other = pairs[pair], pairs[pair[1], pair[0]]
    cells = [dict(cross.rows)[each.line][each.column] for each in (one, other)]
    return Mistake(f"line {other.line}", "contradicts", f"{cells[1]} / {cells[0]}", other.column)


def _matches(pairs: Mapping[tuple[int, int], CrossResult], *, double: bool) -> Iterator[CrossResult]:
    for (n, m), one in pairs.items():
        if n < m:
            other = pairs[m, n]
            same = one if one.games or double or not other.games else other
            yield same
            if double:
                yield CrossResult(other.line, other.column, m, n, other.games, leg=2)


def _turned(games: Games) -> Games:
    return tuple((b, a) for a, b in games)
