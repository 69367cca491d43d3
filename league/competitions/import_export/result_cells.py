"""Cells of a results table as clubs write them: names, days, scores, byes, rounds. Pure."""

import re
from collections.abc import Iterable, Sequence
from datetime import date

from league.competitions.import_export.tabular import word
from league.competitions.import_export.values import MOST_POINTS
from league.players.naming import clean_words
from league.players.pairs import parted

Games = tuple[tuple[int, int], ...]
"""Points of each game of a cell."""

BYES = frozenset({"", "bye", "libre", "descansa", "descanso", "freilos", "spielfrei", "n a", "na"})
FORFEIT = frozenset({"forfeit", "forfait", "walkover", "wo", "w o", "ff", "no show", "incomparecencia", "no presentado",
                     "kampflos", "nicht angetreten"})  # fmt: skip
# Words of a cell without a result; signs alone (-, ?, -:-) are no word.
UNPLAYED = frozenset({"", "x", "n a", "na", "tbd", "open", "not played", "postponed", "pendiente", "por jugar",
                      "no jugado", "sin jugar", "aplazado", "aplazada", "offen", "ausstehend", "verschoben",
                      "nicht gespielt"})  # fmt: skip
SUFFIXES = frozenset({"jr", "sr", "ii", "iii"})
MOST_WINS = 6
UNIT = r"(?:\s*(?:p|pts?|ptos?|puntos?|points?|pkte?|punkte?|tantos?)\.?)?"
SIGN = r"\s*[-–—−:/]\s*"
PAIR = rf"(\d{{1,6}}){UNIT}{SIGN}(\d{{1,6}}){UNIT}"
BARE = r"\d{1,6}\s*[-–—−:/]\s*\d{1,6}"
SEVERAL = re.compile(rf"(?:{BARE}\s*\(\s*)?{BARE}(?:\s*[,;|/ ]\s*{BARE})+\s*\)?|{BARE}\s*\(\s*{BARE}\s*\)")
ROUND = r"round|rd|ronda|jornada|matchday|week|semana|runde|spieltag"
ROUND_LABEL = re.compile(
    rf"(?:(?:{ROUND})\.?\s*(?:n[.ºo°]*\s*)?(\d{{1,4}})|(\d{{1,4}})\s*[.ªºa]{{0,2}}\s*(?:{ROUND}))\b", re.IGNORECASE
)
NAMED_ROUND = re.compile(
    r"(?:semi-?\s?|quarter-?\s?|viertel|halb|octavos de |cuartos de )?final(?:e|es|s)?|semifinale?s?", re.IGNORECASE
)
MONTHS = {
    start: number
    for number, starts in enumerate(
        ("jan ene", "feb", "mar mär mrz", "apr abr", "may mai", "jun", "jul", "aug ago", "sep set", "oct okt", "nov",
         "dec dic dez"), start=1
    )
    for start in starts.split()
}  # fmt: skip


def name_in(cell: str) -> str:
    """Return the name of a cell, "Ruiz, Ana" as "Ana Ruiz"; the partners of a pair are turned each."""
    cell = clean_words(cell)
    return " / ".join(map(_turned, parted(cell))) if "," in cell else cell


def _turned(name: str) -> str:
    last, comma, first = (part.strip() for part in name.partition(","))
    turned = comma and last and first and "," not in first and word(first) not in SUFFIXES
    return f"{first} {last}" if turned and any(map(str.isalpha, first)) else name


def points_in(cell: str) -> int | None:
    """Read "150", "150.0" or "150 pts"; not "1.000", which is a thousand or one."""
    found = re.fullmatch(rf"(\d{{1,6}})(?:[.,]0{{1,2}})?{UNIT}", cell.strip(), re.IGNORECASE)
    return int(found[1]) if found and int(found[1]) <= MOST_POINTS else None


def games_in(cell: str) -> Games | None:
    """Read a score, "150-95" or "150 : 95", or several of a match: "2-1 (150-95, 120-150, 150-80)"."""
    cell = cell.strip()
    found = re.fullmatch(PAIR, cell, re.IGNORECASE)
    if found:
        games: Games = ((int(found[1]), int(found[2])),)
    elif SEVERAL.fullmatch(cell):
        inner = cell.partition("(")[2] or cell
        games = tuple((int(a), int(b)) for a, b in re.findall(r"(\d+)\s*[-–—−:/]\s*(\d+)", inner))
    else:
        return None
    return games if max(map(max, games)) <= MOST_POINTS else None


def is_unplayed(cell: str) -> bool:
    return word(cell) in UNPLAYED


def is_clock_or_day(cell: str) -> bool:
    """Tell whether a spreadsheet made a day or an hour of a typed score: 2-1, 2:1."""
    return bool(re.fullmatch(r"\d{4}-\d\d-\d\d(?: \d\d:\d\d)?|\d\d:\d\d:\d\d", cell))


def are_wins(scores: Iterable[tuple[int, int]]) -> bool:
    """Tell whether scores count games won: every winner has the same two to six, every loser fewer."""
    pairs = {(max(one), min(one)) for one in scores}
    most = {high for high, _low in pairs}
    return len(most) == 1 and 2 <= min(most) <= MOST_WINS and all(low < high for high, low in pairs)


def games_of_wins(wins: tuple[int, int]) -> Games | None:
    """Return a game 1–0 for each game won, the last by the winner; None if nobody leads, or one wins too many."""
    high, low = max(wins), min(wins)
    if high == low or high > MOST_WINS:
        return None
    winner, loser = ((1, 0), (0, 1)) if wins[0] > wins[1] else ((0, 1), (1, 0))
    return (*[winner] * (high - 1), *[loser] * low, winner)


def round_in(cell: str) -> str:
    """Return the round that a line above its matches names, "Jornada 3 (17/10/2025)" as "3"; empty for other texts."""
    plain = cell.strip()
    if found := ROUND_LABEL.match(plain):
        return found[1] or found[2]
    return plain if NAMED_ROUND.fullmatch(plain) else ""


def day_in(text: str, *, month_first: bool = False) -> date | None:
    """Parse ISO, day, month and year in the order of the whole column, or a month's name.

    A day of the week before it and an hour behind it are ignored.
    """
    text = re.sub(r"[ T,]+\d{1,2}[:h]\d{2}.*$", "", text.strip())
    if found := re.fullmatch(r"(\d{4})-(\d{1,2})-(\d{1,2})", text):
        year, month, day = map(int, found.groups())
    elif found := re.fullmatch(r"([^\W\d]+)\.? (\d{1,2}),? (\d{4})", text):
        year, month, day = int(found[3]), _month(found[1]), int(found[2])
    elif found := re.fullmatch(r"(\d{1,2})[./-](\d{1,2})[./-](\d{4}|\d{2})", _without_weekday(text)):
        first, second, year = map(int, found.groups())
        day, month = (second, first) if month_first else (first, second)
    elif found := re.fullmatch(
        r"(\d{1,2})\.?[ -](?:de )?([^\W\d]+)\.?,?[ -](?:del? )?(\d{4}|\d{2})", _without_weekday(text)
    ):
        year, month, day = int(found[3]), _month(found[2]), int(found[1])
    else:
        return None
    try:
        return date(year + (2000 if year < 100 else 0), month, day)
    except ValueError:
        return None


def day_within(text: str, *, month_first: bool = False) -> date | None:
    """Return the first day in numbers inside a text."""
    found = re.search(r"\d{4}-\d{2}-\d{2}|\d{1,2}[./-]\d{1,2}[./-](?:\d{4}|\d{2})", text)
    return day_in(found[0], month_first=month_first) if found else None


def _without_weekday(text: str) -> str:
    return re.sub(r"^[^\W\d]{2,10}\.?,? +(?=\d)", "", text)


def _month(name: str) -> int:
    return MONTHS.get(name.casefold()[:3], 0)


def is_month_first(texts: Sequence[str]) -> bool:
    """Tell whether dates are 11/28/2026: a second part above 12 occurs, no first part."""
    parts = (re.match(r"(\d{1,2})[./-](\d{1,2})[./-]\d+", _without_weekday(text.strip())) for text in texts)
    found = [one for one in parts if one]
    return any(int(one[2]) > 12 for one in found) and all(int(one[1]) <= 12 for one in found)
