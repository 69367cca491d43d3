"""Meaning of the columns of a table: by headings, merged headings, or content. Pure."""

from collections.abc import Callable, Mapping, Sequence

from league.competitions.import_export.cross_tables import find_cross_table
from league.competitions.import_export.result_cells import are_wins, day_in, games_in, is_unplayed, points_in, round_in
from league.competitions.import_export.tabular import Sheet, guess_columns, word

# Known headings of a column, as `tabular.word` makes them: English, Spanish, German, and those of our own files.
RESULT_WORDS: Mapping[str, Sequence[str]] = {
    "round": ("round", "ronda", "jornada", "matchday", "match day", "week", "semana", "rd", "round number", "runde",
              "spieltag"),
    "date": ("date", "fecha", "day", "dia", "played", "played on", "datum", "tag"),
    "player_a": ("player a", "jugador a", "player 1", "jugador 1", "player1", "jugador1", "side a", "pair a",
                 "pareja a", "pareja 1", "spieler a", "spieler 1", "spieler1", "paar a", "paar 1", "home", "local",
                 "heim", "white", "player", "jugador", "jugadora", "spieler", "pareja", "a"),
    "player_b": ("player b", "jugador b", "player 2", "jugador 2", "player2", "jugador2", "side b", "pair b",
                 "pareja b", "pareja 2", "spieler b", "spieler 2", "spieler2", "paar b", "paar 2", "away", "visitante",
                 "gast", "black", "opponent", "rival", "contrario", "gegner", "b"),
    "points_a": ("points a", "puntos a", "points 1", "puntos 1", "points1", "puntos1", "score a", "score 1", "score1",
                 "tantos a", "tantos 1", "punkte a", "punkte 1", "punkte1", "home points", "home score",
                 "puntos local", "tantos local", "punkte heim"),
    "points_b": ("points b", "puntos b", "points 2", "puntos 2", "points2", "puntos2", "score b", "score 2", "score2",
                 "tantos b", "tantos 2", "punkte b", "punkte 2", "punkte2", "away points", "away score",
                 "puntos visitante", "tantos visitante", "punkte gast"),
    "score": ("score", "result", "resultado", "marcador", "tanteo", "ergebnis", "resultat", "points", "puntos",
              "tantos", "punkte"),
    "sets": ("sets", "games", "games won", "partidas", "juegos", "satze", "spiele"),
    "sets_a": ("sets a", "sets 1", "games a", "games 1", "partidas a", "partidas 1", "juegos a", "juegos 1",
               "satze a", "satze 1", "home sets", "sets local"),
    "sets_b": ("sets b", "sets 2", "games b", "games 2", "partidas b", "partidas 2", "juegos b", "juegos 2",
               "satze b", "satze 2", "away sets", "sets visitante"),
    "winner": ("winner", "ganador", "gana", "won by", "sieger", "gewinner"),
    "ended": ("ended", "ended by", "termina"),
    "division": ("division", "categoria", "category", "league", "liga", "klasse", "staffel"),
    "cross": (),
}  # fmt: skip
AS_WINS = {"score": "sets", "points_a": "sets_a", "points_b": "sets_b"}
TWINS = (("player_a", "player_b"), ("points_a", "points_b"), ("sets_a", "sets_b"))
MOSTLY = 0.8


def words_of(kinds: Mapping[str, Sequence[str]]) -> frozenset[str]:
    return frozenset(one for known in kinds.values() for one in known)


def guess(sheet: Sheet, kinds: Mapping[str, Sequence[str]]) -> dict[str, int]:
    """Field → column from 0: by the headings, or without headings by the content."""
    if kinds is RESULT_WORDS:
        return _guess_results(sheet)
    if sheet.named:
        return guess_columns(sheet.head, kinds)
    columns = [n for n in range(sheet.width) if not all("@" in cells[n] for _line, cells in sheet.rows)]
    while columns and not any(any(map(str.isalpha, cells[columns[0]])) for _line, cells in sheet.rows):
        columns.pop(0)  # numbers of the lines
    return dict(zip(("name", "club", "number"), columns, strict=False))


def _guess_results(sheet: Sheet) -> dict[str, int]:
    if cross := find_cross_table(sheet):
        return {"cross": cross.name_column}
    columns = _with_twins(sheet, guess_columns(sheet.head, RESULT_WORDS)) if sheet.named else _by_content(sheet)
    return _without_doubles(_counted_in_wins(sheet, columns))


def _with_twins(sheet: Sheet, columns: dict[str, int]) -> dict[str, int]:
    """Add second columns: the same heading twice, or one merged heading above two columns of numbers."""
    for first, second in TWINS:
        again = _again(sheet, columns, first) if first in columns and second not in columns else None
        columns |= {} if again is None else {second: again}
    both = {"score": ("points_a", "points_b"), "sets": ("sets_a", "sets_b")}
    for key, names in both.items():
        if key not in columns or names[0] in columns:
            continue
        other = _again(sheet, columns, key)
        other = _under_one_heading(sheet, columns[key]) if other is None else other
        if other is not None:
            columns |= dict(zip(names, (columns.pop(key), other), strict=True))
    return columns


def _again(sheet: Sheet, columns: Mapping[str, int], key: str) -> int | None:
    heading, taken = word(sheet.head[columns[key]]), set(columns.values())
    return next((n for n, one in enumerate(sheet.head) if word(one) == heading and n not in taken), None)


def _under_one_heading(sheet: Sheet, column: int) -> int | None:
    """Return the second column of numbers below a merged heading, next to the first or behind a column of signs."""
    if not _mostly(_cells(sheet, column), lambda cell: points_in(cell) is not None):
        return None
    for other in range(column + 1, min(column + 3, sheet.width)):
        if sheet.head[other]:
            return None
        if _mostly(_cells(sheet, other), lambda cell: points_in(cell) is not None):
            return other
    return None


def _counted_in_wins(sheet: Sheet, columns: dict[str, int]) -> dict[str, int]:
    """Rename columns of scores, such as 2–1, that count games won."""
    if "score" in columns:
        games = [games_in(cell) for cell in _cells(sheet, columns["score"])]
        scores = [one[0] for one in games if one]
        if any(one and len(one) > 1 for one in games):
            return columns
    elif "points_a" in columns and "points_b" in columns:
        both = [
            (points_in(cells[columns["points_a"]]), points_in(cells[columns["points_b"]])) for _n, cells in sheet.rows
        ]
        scores = [(a, b) for a, b in both if a is not None and b is not None]
    else:
        return columns
    return {AS_WINS.get(key, key): n for key, n in columns.items()} if are_wins(scores) else columns


def _without_doubles(columns: dict[str, int]) -> dict[str, int]:
    """Keep one account of a match: games won by number before a sum of points."""
    wins = "sets" in columns or "sets_a" in columns
    return {key: n for key, n in columns.items() if not (wins and key in AS_WINS)}


# --- Without headings ---


def _by_content(sheet: Sheet) -> dict[str, int]:
    kinds = [_kind(_cells(sheet, column)) for column in range(sheet.width)]
    names = [n for n, kind in enumerate(kinds) if kind == "name"][:2]
    if len(names) < 2:
        return {}
    found = dict(zip(("player_a", "player_b"), names, strict=True))
    numbers = [n for n, kind in enumerate(kinds) if kind == "number"]
    rounds = [n for n, kind in enumerate(kinds) if kind == "round"]
    rounds += [n for n in numbers if n < names[0] and not _counts_lines(_cells(sheet, n))]
    points = [n for n in numbers if n > names[0]]
    found |= {"date": kinds.index("date")} if "date" in kinds else {}
    found |= {"round": rounds[0]} if rounds else {}
    if "score" in kinds:
        return found | {"score": kinds.index("score")}
    return found | dict(zip(("points_a", "points_b"), points, strict=False))


def _kind(cells: Sequence[str]) -> str:
    tests: dict[str, Callable[[str], object]] = {
        "number": lambda cell: points_in(cell) is not None,
        "date": day_in,
        "score": games_in,
        "round": round_in,
        "name": lambda cell: any(map(str.isalpha, cell)),
    }
    return next((kind for kind, test in tests.items() if _mostly(cells, test)), "")


def _counts_lines(cells: Sequence[str]) -> bool:
    """Tell whether a column numbers the lines: 1, 2, 3, 4 and on."""
    numbers = [points_in(cell) for cell in cells]
    return len(numbers) > 3 and numbers == list(range(numbers[0] or 0, (numbers[0] or 0) + len(numbers)))


def _cells(sheet: Sheet, column: int) -> list[str]:
    """Return the cells of a column that say something, of the rows that have more than one."""
    rows = [cells for _line, cells in sheet.rows if sum(map(bool, cells)) > 1]
    return [cells[column] for cells in rows if not is_unplayed(cells[column])]


def _mostly(cells: Sequence[str], test: Callable[[str], object]) -> bool:
    return bool(cells) and sum(bool(test(cell)) for cell in cells) >= MOSTLY * len(cells)
