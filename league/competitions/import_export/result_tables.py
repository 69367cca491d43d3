"""Past seasons from tables of results: content of the rows, and the rounds that they make.

Pure, except that names are cleaned as everywhere.
"""

import hashlib
import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, datetime, time
from typing import Any
from zoneinfo import ZoneInfo

from league.accounts.graphemes import first_letters, longer_than
from league.competitions.formats.round_robin import berger
from league.competitions.import_export.cross_tables import CrossResult, find_cross_table, results_of
from league.competitions.import_export.result_cells import (
    BYES,
    FORFEIT,
    Games,
    are_wins,
    day_in,
    day_within,
    games_in,
    games_of_wins,
    is_clock_or_day,
    is_month_first,
    is_unplayed,
    name_in,
    points_in,
    round_in,
)
from league.competitions.import_export.tabular import Row, Sheet, word
from league.competitions.import_export.values import (
    LONGEST_KEY,
    TOLD,
    FiledBerth,
    FiledCompetition,
    FiledGame,
    FiledRound,
    FiledSlot,
    FiledStage,
    Mistake,
)
from league.competitions.models.draw import LONGEST_ROUND
from league.competitions.registration.enrolment import FiledEntrant, FiledPartner
from league.matches.results.match_outcome import GameOutcome, official_standing
from league.players.naming import LONGEST, clean_words, same
from league.players.pairs import parted

MOST_GAMES = 11
NOON = time(12)
# In our own files: tables of more than two.
MORE_THAN_TWO = frozenset({"player c", "points c"})


# --- Results ---


@dataclass(frozen=True, slots=True, kw_only=True)
class ResultRow:
    """A game in a line of the table. `b` is empty for a bye; `open`: without a result; `wins`: games that decide."""

    line: int
    round: str
    on: date | None
    a: str
    b: str
    points: tuple[int, int] = (0, 0)
    winner: int | None = None
    forfeit: bool = False
    open: bool = False
    wins: int = 0


@dataclass(frozen=True, slots=True)
class ReadResults:
    """Outcome of reading. `filed` is None if a line must be corrected first.

    `names`: those of the table in their order, as written; `unread`: lines without a match, such as titles and notes.
    """

    filed: FiledCompetition | None
    mistakes: tuple[Mistake, ...]
    names: tuple[str, ...] = ()
    unread: tuple[tuple[int, str], ...] = ()


@dataclass
class _ResultReader:
    """Reading of the rows in their order; a round or day stands for the lines below it too.

    `renamed`: the spelling to take for a name, by the name as compared.
    """

    columns: Mapping[str, int]
    renamed: Mapping[str, str]
    month_first: bool
    mistakes: list[Mistake] = field(default_factory=list)
    names: dict[str, None] = field(default_factory=dict)
    unread: list[tuple[int, str]] = field(default_factory=list)
    round: str = ""
    on: date | None = None

    def wrong(self, line: int, code: str, found: str = "", key: str = "") -> None:
        self.mistakes.append(Mistake(f"line {line}", code, first_letters(found, TOLD), self.columns.get(key)))

    def name(self, cell: str) -> str:
        name = name_in(cell)
        if name:
            self.names.setdefault(name)
        return self.renamed.get(same(name), name)

    def above(self, rows: Iterable[Row]) -> None:
        """Read titles, of which the last round and day hold for the rows below."""
        for line, cells in rows:
            self.alone(line, " ".join(dict.fromkeys(filter(None, cells))))

    def alone(self, line: int, text: str) -> None:
        """Read a line with a single text: a round with its day, or a note."""
        found, on = round_in(text), day_within(text, month_first=self.month_first)
        if found:
            self.round, self.on = first_letters(clean_words(found), LONGEST_ROUND), on
        elif on and day_in(text, month_first=self.month_first):
            self.on = on
        else:
            self.unread.append((line, text))

    def rows(self, rows: Iterable[Row]) -> Iterable[ResultRow]:
        players = {self.columns["player_a"], self.columns["player_b"]}
        for line, cells in rows:
            filled = [n for n, cell in enumerate(cells) if cell]
            if len({cells[n] for n in filled}) > 1:
                yield from self.row(line, cells)
            elif len(filled) == 1 and filled[0] in players and not round_in(cells[filled[0]]):
                self.wrong(line, "lone-name", cells[filled[0]], "player_a")
            else:
                self.alone(line, cells[filled[0]])

    def row(self, line: int, cells: Sequence[str]) -> Iterable[ResultRow]:
        at = {key: cells[column] for key, column in self.columns.items()}
        self._carry(line, at)
        a, b = self.name(at["player_a"]), at["player_b"]
        if a and word(a) in BYES and word(b) not in BYES:
            a, b = self.name(b), ""
        if not a or any(longer_than(one, LONGEST) for one in (*parted(a), *parted(b))):
            self.wrong(line, "no-name", a or b, "player_b" if a else "player_a")
            return
        given = ResultRow(line=line, round=self.round, on=self.on, a=a, b="")
        if word(b) in BYES:
            yield given
            return
        b = self.name(b)
        if same(a) == same(b):
            self.wrong(line, "against-oneself", a, "player_b")
            return
        yield from self.games(replace(given, b=b), at)

    def _carry(self, line: int, at: Mapping[str, str]) -> None:
        """Take the round and day of the line; an empty cell is one merged with the cell above."""
        label = at.get("round", "")
        if label and not is_unplayed(label):
            label = first_letters(clean_words(label), LONGEST_ROUND)
            self.round, self.on = label, self.on if label == self.round else None
        text = at.get("date", "")
        if not text:
            return
        self.on = None if is_unplayed(text) else day_in(text, month_first=self.month_first)
        if self.on is None and not is_unplayed(text):
            self.wrong(line, "bad-date", text, "date")

    def games(self, given: ResultRow, at: Mapping[str, str]) -> Iterable[ResultRow]:
        keys = [key for key in ("sets", "sets_a", "score", "points_a", "sets_b", "points_b") if at.get(key)]
        texts = [at[key] for key in keys if not is_unplayed(at[key])]
        if not texts and not word(at.get("winner", "")) and word(at.get("ended", "")) not in FORFEIT:
            yield replace(given, open=True)
            return
        games, wins = _games(at)
        if games is None:
            said = at.get("score") or at.get("sets") or " ".join(texts)
            code = "score-is-day" if any(map(is_clock_or_day, texts)) else "bad-wins" if wins else "bad-points"
            self.wrong(given.line, code, said, keys[0] if keys else "points_a")
            return
        for points in games:
            winner, known = _winner(
                at.get("winner", "") if len(games) == 1 else "", given.a, given.b, points, self.renamed
            )
            if not known:
                self.wrong(given.line, "bad-winner", at["winner"], "winner")
            forfeit = word(at.get("ended", "")) in FORFEIT
            yield replace(given, points=points, winner=winner, forfeit=forfeit, wins=wins)


def read_results(
    sheet: Sheet,
    columns: Mapping[str, int],
    *,
    name: str,
    ruleset: str,
    zone: ZoneInfo,
    renamed: Mapping[str, str] | None = None,
) -> ReadResults:
    """Read a competition from a table of its games, or a cross-table (`columns` has `cross`, the column of names).

    Games of the same two in one round are one match; a line without a result is an open match. Without a column for
    the round each line that names one begins it, or each day is a round; without days too, everybody plays once a
    round. `renamed`: the spelling to take, by the name as compared.
    """
    if missing := _missing(columns):
        return ReadResults(None, (Mistake("columns", "no-column", ", ".join(missing)),))
    if more := [heading for heading in sheet.head if word(heading) in MORE_THAN_TWO]:
        return ReadResults(None, (Mistake("columns", "more-than-two", first_letters(more[0], TOLD)),))
    texts = [cells[columns["date"]] for _line, cells in sheet.rows] if "date" in columns else []
    reader = _ResultReader(columns, renamed or {}, is_month_first(texts))
    if "cross" in columns:
        rows = _crossed(sheet, columns["cross"], reader)
    else:
        reader.above(sheet.above)
        rows = list(reader.rows(sheet.rows))
    mistakes, names = reader.mistakes, tuple(reader.names)
    if not rows and not mistakes:
        mistakes.append(Mistake("line 1", "no-rows"))
    rounds = _rounds(rows)
    best_of = max((_most_games(games) for _label, slots in rounds for games in slots), default=1)
    best_of += best_of % 2 == 0
    mistakes += _undecided(rounds, best_of)
    if mistakes:
        return ReadResults(None, tuple(mistakes[:20]), names, tuple(reader.unread))
    filed = _filed(rounds, best_of, name=name, ruleset=ruleset, zone=zone)
    return ReadResults(filed, (), names, tuple(reader.unread))


def _missing(columns: Mapping[str, int]) -> list[str]:
    if "cross" in columns:
        return []
    needed = ["player_a", "player_b"]
    if not {"score", "sets"} & set(columns):
        needed += ["sets_a", "sets_b"] if "sets_a" in columns or "sets_b" in columns else ["points_a", "points_b"]
    return [one for one in needed if one not in columns]


def _games(at: Mapping[str, str]) -> tuple[Games | None, int]:
    """Return the games of a line, None if its cells give none, and how many games decide (0 if not said)."""
    if "sets" in at or "sets_a" in at:
        scores = games_in(at.get("sets", "")) or _two(at, "sets_a", "sets_b")
        if not scores or len(scores) > 1:
            return scores, 0
        return games_of_wins(scores[0]), max(scores[0])
    return _two(at, "points_a", "points_b") or games_in(at.get("score", "")), 0


def _two(at: Mapping[str, str], first: str, second: str) -> Games | None:
    both = points_in(at.get(first, "")), points_in(at.get(second, ""))
    return ((both[0], both[1]),) if both[0] is not None and both[1] is not None else None


def _winner(text: str, a: str, b: str, points: tuple[int, int], renamed: Mapping[str, str]) -> tuple[int | None, bool]:
    """The number of the winning side, and whether the text names a side."""
    if not word(text):
        return (None if points[0] == points[1] else 1 if points[0] > points[1] else 2), True
    names = {same(a): 1, same(b): 2, "a": 1, "b": 2, "1": 1, "2": 2}
    name = same(name_in(text))
    name = same(renamed.get(name, name))
    return names.get(name), name in names


def _crossed(sheet: Sheet, column: int, reader: _ResultReader) -> list[ResultRow]:
    """Return the rows of a cross-table, in the rounds of a round robin."""
    cross = find_cross_table(sheet, column)
    if cross is None:
        reader.mistakes.append(Mistake("columns", "no-cross-table"))
        return []
    lines = {cross.head_line, *(line for line, _cells in cross.rows)}
    apart = [*sheet.above, *(row for row in sheet.rows if row[0] not in lines)]
    reader.unread += [(line, " ".join(filter(None, cells))) for line, cells in apart]
    names = [reader.name(cells[column]) for _line, cells in cross.rows]
    twice = [n for n, name in enumerate(names) if same(name) in map(same, names[:n])]
    for n in twice:
        reader.wrong(cross.rows[n][0], "name-twice", names[n], "cross")
    found = results_of(cross, reader.mistakes)
    wins = are_wins(one.games[0] for one in found if len(one.games) == 1) and all(len(one.games) < 2 for one in found)
    matches = {(one.first, one.second): one for one in found}
    rows: list[ResultRow] = []
    for number, paired in enumerate(berger(len(names), double=any(one.leg == 2 for one in found)), start=1):
        for pair in paired.pairings:
            a, b = pair.first - 1, pair.second - 1
            one = matches.pop((a, b), None) or matches.pop((b, a))
            rows += _cross_rows(one, str(number), names, wins=wins)
        if paired.bye:
            line = cross.rows[paired.bye - 1][0]
            rows.append(ResultRow(line=line, round=str(number), on=None, a=names[paired.bye - 1], b=""))
    return rows


def _cross_rows(one: CrossResult, label: str, names: Sequence[str], *, wins: bool) -> Iterable[ResultRow]:
    row = ResultRow(line=one.line, round=label, on=None, a=names[one.first], b=names[one.second])
    games = games_of_wins(one.games[0]) if wins and one.games else one.games
    if not games:
        yield replace(row, open=True)
    for points in games or ():
        winner = None if points[0] == points[1] else 1 if points[0] > points[1] else 2
        yield replace(row, points=points, winner=winner, wins=max(one.games[0]) if wins else 0)


def _most_games(games: Sequence[ResultRow]) -> int:
    return max(len(games), *(2 * one.wins - 1 for one in games))


# --- From rows to rounds ---

Slots = list[list[ResultRow]]
"""A list of matches, each a list of its games in order."""


@dataclass
class _Gathered:
    rounds: dict[str, dict[frozenset[str], list[ResultRow]]] = field(default_factory=dict)

    def add(self, label: str, row: ResultRow) -> None:
        pair = frozenset({same(row.a), same(row.b)})
        self.rounds.setdefault(label, {}).setdefault(pair, []).append(row)


def _rounds(rows: Sequence[ResultRow]) -> list[tuple[str, Slots]]:
    """(label, matches); the label is empty if the table gives none."""
    gathered = _Gathered()
    if any(row.round for row in rows):
        for row in rows:
            gathered.add(row.round, row)
        order = sorted(gathered.rounds, key=_round_order(rows))
    elif any(row.on for row in rows):
        for row in rows:
            gathered.add(row.on.isoformat() if row.on else "", row)
        order = sorted(gathered.rounds)
    else:
        label, line = "", 0
        for row in rows:
            label, line = (label if row.line == line else _free_round(gathered, row)), row.line
            gathered.add(label, row)
        order = sorted(gathered.rounds)
    return [
        ("" if _number(one) or not any(row.round for row in rows) else one, list(gathered.rounds[one].values()))
        for one in order
    ]


def _number(label: str) -> int | None:
    """ "Round 3", "Jornada 3" and "3" are round 3."""
    found = re.fullmatch(r"(?:[^\W\d]+\.?\s*)?(\d{1,4})", label)
    return int(found[1]) if found else None


def _round_order(rows: Sequence[ResultRow]) -> Callable[[str], Any]:
    """Sort key of rounds: by number if all have a number, else in the order of rows."""
    labels = list(dict.fromkeys(row.round for row in rows))
    if all(_number(one) for one in labels):
        return _number
    return labels.index


def _free_round(gathered: _Gathered, row: ResultRow) -> str:
    for label, pairs in gathered.rounds.items():
        if not any({same(row.a), same(row.b)} & (pair - {""}) for pair in pairs):
            return label
    return f"{len(gathered.rounds) + 1:05}"


def _undecided(rounds: Sequence[tuple[str, Slots]], best_of: int) -> Iterable[Mistake]:
    """Yield matches that their games do not decide, unless a game is open."""
    for _label, slots in rounds:
        for games in slots:
            place = f"line {games[-1].line}"
            if best_of > MOST_GAMES:
                yield Mistake(place, "too-many-games", str(best_of))
            elif games[0].b and not any(one.open for one in games) and not _over(games, best_of):
                yield Mistake(place, "not-decided", f"{games[0].a} – {games[0].b}")


def _over(games: Sequence[ResultRow], best_of: int) -> bool:
    outcomes = [GameOutcome(_as_first(games[0], one).winner, official=True) for one in games]
    return official_standing(best_of, outcomes).over


def _as_first(first: ResultRow, row: ResultRow) -> ResultRow:
    """The same game with the sides as in the first game of its match."""
    if same(row.a) == same(first.a):
        return row
    winner = {1: 2, 2: 1}.get(row.winner or 0)
    return replace(row, a=row.b, b=row.a, points=(row.points[1], row.points[0]), winner=winner)


# --- File ---


def _filed(
    rounds: Sequence[tuple[str, Slots]], best_of: int, *, name: str, ruleset: str, zone: ZoneInfo
) -> FiledCompetition:
    names: dict[str, str] = {}
    for _label, slots in rounds:
        for games in slots:
            for one in (games[0].a, games[0].b):
                names.setdefault(same(one), one)
    names.pop("", None)
    keys = {one: f"E{count}" for count, one in enumerate(names, start=1)}
    # A season in which every name is a double name was played by pairs.
    pairs = bool(names) and all(len(parted(one)) == 2 for one in names.values())
    text = repr((name, ruleset, rounds))
    hours = [row.on for _label, slots in rounds for games in slots for row in games if row.on]
    return FiledCompetition(
        key=hashlib.sha256(text.encode()).hexdigest()[:LONGEST_KEY].upper(),
        plan={
            "name": name,
            "ruleset": ruleset,
            "best_of": best_of,
            "pairs": pairs,
            "starts_at": _hour(min(hours), zone) if hours else None,
        },
        stages=(FiledStage(format=_format(rounds)),),
        entrants=tuple(_one_or_two(keys[one], shown, pairs=pairs) for one, shown in names.items()),
        rounds=tuple(
            FiledRound(
                stage=1,
                number=number,
                name=label,
                slots=tuple(_slot(count, games, keys, zone) for count, games in enumerate(slots, start=1)),
            )
            for number, (label, slots) in enumerate(rounds, start=1)
        ),
    )


def _one_or_two(key: str, name: str, *, pairs: bool) -> FiledEntrant:
    if not pairs:
        return FiledEntrant(key=key, name=name)
    first, second = parted(name)
    return FiledEntrant(key=key, name=first, partner=FiledPartner(name=second))


def _format(rounds: Sequence[tuple[str, Slots]]) -> str:
    """Guess the format. A bracket does not show in a table of results, only standings."""
    met = Counter(frozenset({same(games[0].a), same(games[0].b)}) for _label, slots in rounds for games in slots)
    return "double_round_robin" if any(count > 1 for pair, count in met.items() if "" not in pair) else "round_robin"


def _slot(number: int, games: Sequence[ResultRow], keys: Mapping[str, str], zone: ZoneInfo) -> FiledSlot:
    first = games[0]
    if not first.b:
        return FiledSlot(number=number, berths=(FiledBerth(keys[same(first.a)]),))
    return FiledSlot(
        number=number,
        berths=(FiledBerth(keys[same(first.a)]), FiledBerth(keys[same(first.b)])),
        starts_at=_hour(first.on, zone) if first.on else None,
        has_match=True,
        games=tuple(
            FiledGame(count, row.points, row.winner, "forfeit" if row.forfeit else "", ruled=row.forfeit)
            for count, row in enumerate((_as_first(first, one) for one in games if not one.open), start=1)
        ),
        place=f"line {first.line}",
    )


def _hour(on: date, zone: ZoneInfo) -> datetime:
    """Noon of the day.

    The hour is unknown, and noon is on the same day for most readers.
    """
    return datetime.combine(on, NOON, tzinfo=zone)
