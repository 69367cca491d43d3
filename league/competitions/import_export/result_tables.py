"""Past seasons from tables of results: meaning of columns, content of rows.

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
from league.competitions.import_export.tabular import Sheet, guess_columns, word
from league.competitions.import_export.values import (
    LONGEST_KEY,
    MOST_POINTS,
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
# Known headings of a column, as `tabular.word` makes them: English, Spanish, and those of our own files.
RESULT_WORDS: Mapping[str, Sequence[str]] = {
    "round": ("round", "ronda", "jornada", "matchday", "match day", "week", "semana", "rd", "round number"),
    "date": ("date", "fecha", "day", "dia", "played", "played on"),
    "player_a": ("player a", "jugador a", "player 1", "jugador 1", "player1", "jugador1", "side a", "pair a",
                 "pareja a", "pareja 1", "home", "local", "white", "player", "jugador", "a"),
    "player_b": ("player b", "jugador b", "player 2", "jugador 2", "player2", "jugador2", "side b", "pair b",
                 "pareja b", "pareja 2", "away", "visitante", "black", "opponent", "rival", "contrario", "b"),
    "points_a": ("points a", "puntos a", "points 1", "puntos 1", "points1", "puntos1", "score a", "score 1", "score1",
                 "tantos a", "tantos 1", "home points", "home score", "puntos local", "tantos local"),
    "points_b": ("points b", "puntos b", "points 2", "puntos 2", "points2", "puntos2", "score b", "score 2", "score2",
                 "tantos b", "tantos 2", "away points", "away score", "puntos visitante", "tantos visitante"),
    "score": ("score", "result", "resultado", "marcador", "tanteo"),
    "winner": ("winner", "ganador", "gana", "won by"),
    "ended": ("ended", "ended by", "termina"),
    "division": ("division", "categoria", "category", "league", "liga"),
}  # fmt: skip
# In our own files: tables of more than two.
MORE_THAN_TWO = frozenset({"player c", "points c"})
BYES = frozenset({"", "bye", "libre", "descansa", "descanso", "-", "–"})
FORFEIT = frozenset({"forfeit", "walkover", "wo", "incomparecencia", "no presentado"})


def words_of(kinds: Mapping[str, Sequence[str]]) -> frozenset[str]:
    return frozenset(one for known in kinds.values() for one in known)


def guess(sheet: Sheet, kinds: Mapping[str, Sequence[str]]) -> dict[str, int]:
    """Field → column from 0: by the headings, or by the usual order without headings."""
    if sheet.named:
        return guess_columns(sheet.head, kinds)
    if kinds is RESULT_WORDS:
        order = ["round", "player_a", "player_b", "points_a", "points_b"]
        return dict(zip(order, range(sheet.width), strict=False)) if sheet.width >= len(order) else {}
    columns = [n for n in range(sheet.width) if not all("@" in cells[n] for _line, cells in sheet.rows)]
    return dict(zip(("name", "club", "number"), columns, strict=False))


# --- Results ---


@dataclass(frozen=True, slots=True, kw_only=True)
class ResultRow:
    """A game in a line of the table. `b` is empty for a bye."""

    line: int
    round: str
    on: date | None
    a: str
    b: str
    points: tuple[int, int] = (0, 0)
    winner: int | None = None
    forfeit: bool = False


@dataclass(frozen=True, slots=True)
class ReadResults:
    """Outcome of reading. `filed` is None if a line must be corrected first."""

    filed: FiledCompetition | None
    mistakes: tuple[Mistake, ...]


def read_results(sheet: Sheet, columns: Mapping[str, int], *, name: str, ruleset: str, zone: ZoneInfo) -> ReadResults:
    """Read a finished competition from a table of its games.

    Games of the same two in one round are one match. Without a column for the round each day is a round; without days
    too, everybody plays once a round.
    """
    mistakes: list[Mistake] = []
    if missing := _missing(columns):
        return ReadResults(None, (Mistake("columns", "no-column", ", ".join(missing)),))
    if more := [heading for heading in sheet.head if word(heading) in MORE_THAN_TWO]:
        return ReadResults(None, (Mistake("columns", "more-than-two", first_letters(more[0], TOLD)),))
    texts = [cells[columns["date"]] for _line, cells in sheet.rows] if "date" in columns else []
    month_first = _month_first(texts)
    rows = [row for line, cells in sheet.rows if (row := _row(line, cells, columns, month_first, mistakes))]
    if not rows and not mistakes:
        mistakes.append(Mistake("line 1", "no-rows"))
    rounds = _rounds(rows)
    best_of = max((len(games) for _label, slots in rounds for games in slots), default=1)
    best_of += best_of % 2 == 0
    mistakes += _undecided(rounds, best_of)
    if mistakes:
        return ReadResults(None, tuple(mistakes[:20]))
    return ReadResults(_filed(rounds, best_of, name=name, ruleset=ruleset, zone=zone), ())


def _missing(columns: Mapping[str, int]) -> list[str]:
    needed = ["player_a", "player_b"]
    if "score" not in columns:
        needed += ["points_a", "points_b"]
    return [one for one in needed if one not in columns]


def _row(
    line: int, cells: Sequence[str], columns: Mapping[str, int], month_first: bool, mistakes: list[Mistake]
) -> ResultRow | None:
    at = {key: cells[column].strip() for key, column in columns.items()}
    place = f"line {line}"
    a, b = clean_words(at["player_a"]), clean_words(at["player_b"])
    on = _date(at.get("date", ""), month_first)
    if at.get("date") and on is None:
        mistakes.append(Mistake(place, "bad-date", first_letters(at["date"], TOLD)))
    if not a or any(longer_than(one, LONGEST) for one in (*parted(a), *parted(b))):
        mistakes.append(Mistake(place, "no-name", first_letters(a or b, TOLD)))
        return None
    given = ResultRow(line=line, round=first_letters(clean_words(at.get("round", "")), LONGEST_ROUND), on=on, a=a, b="")
    if word(b) in BYES or b in BYES:
        return given
    if same(a) == same(b):
        mistakes.append(Mistake(place, "against-oneself", a))
        return None
    points = _points(at)
    if points is None:
        mistakes.append(Mistake(place, "bad-points", at.get("score") or f"{at.get('points_a')} {at.get('points_b')}"))
        return None
    winner, known = _winner(at.get("winner", ""), a, b, points)
    if not known:
        mistakes.append(Mistake(place, "bad-winner", first_letters(at["winner"], TOLD)))
    return replace(given, b=b, points=points, winner=winner, forfeit=word(at.get("ended", "")) in FORFEIT)


def _points(at: Mapping[str, str]) -> tuple[int, int] | None:
    both: tuple[str, ...] = (at.get("points_a", ""), at.get("points_b", ""))
    if not all(both) and "score" in at:
        found = re.fullmatch(r"(\d+)\s*[-–:/]\s*(\d+)", at["score"])
        both = found.groups() if found else ("", "")
    if not all(re.fullmatch(r"\d{1,6}", one) for one in both):
        return None
    points = int(both[0]), int(both[1])
    return points if max(points) <= MOST_POINTS else None


def _winner(text: str, a: str, b: str, points: tuple[int, int]) -> tuple[int | None, bool]:
    """The number of the winning side, and whether the text names a side."""
    if not text:
        return (None if points[0] == points[1] else 1 if points[0] > points[1] else 2), True
    names = {same(a): 1, same(b): 2, "a": 1, "b": 2, "1": 1, "2": 2}
    return names.get(same(text)), same(text) in names


def _date(text: str, month_first: bool) -> date | None:
    """Parse ISO, or day, month and year in the order of the whole column."""
    if found := re.match(r"(\d{4})-(\d{2})-(\d{2})", text):
        year, month, day = map(int, found.groups())
    elif found := re.fullmatch(r"(\d{1,2})[./-](\d{1,2})[./-](\d{2}|\d{4})", text):
        first, second, year = map(int, found.groups())
        day, month = (second, first) if month_first else (first, second)
        year += 2000 if year < 100 else 0
    else:
        return None
    try:
        return date(year, month, day)
    except ValueError:
        return None


def _month_first(texts: Iterable[str]) -> bool:
    """Tell whether dates are 11/28/2026: a second part above 12 occurs, no first part."""
    found = [one for text in texts if (one := re.fullmatch(r"(\d{1,2})[./-](\d{1,2})[./-]\d+", text.strip()))]
    return any(int(one[2]) > 12 for one in found) and all(int(one[1]) <= 12 for one in found)


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
        for row in rows:
            gathered.add(_free_round(gathered, row), row)
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
    for _label, slots in rounds:
        for games in slots:
            place = f"line {games[-1].line}"
            if best_of > MOST_GAMES:
                yield Mistake(place, "too-many-games", str(best_of))
            elif games[0].b and not _over(games, best_of):
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
            for count, row in enumerate((_as_first(first, one) for one in games), start=1)
        ),
        place=f"line {first.line}",
    )


def _hour(on: date, zone: ZoneInfo) -> datetime:
    """Noon of the day.

    The hour is unknown, and noon is on the same day for most readers.
    """
    return datetime.combine(on, NOON, tzinfo=zone)
