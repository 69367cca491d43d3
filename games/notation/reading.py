"""Domino Game Notation, version 1: text to :class:`GameLog` and back.

Source: NOTATION.md sections 2, 3 and 7. Reading is spelling only: it never needs a position. The first error raises
:class:`NotationError` with its line and column. Comments and blank lines mean nothing and are not kept.

>>> (log,) = loads('[Ruleset "udl"]\\nround 1\\n0:04 A 6-6\\n0:09 B 3-6 on 6-6 call 15 # 6+6+3\\n')
>>> log.entries[2]
Entry(line=4, at=90, event=Play(seat=1, tile=Tile('6-3'), on=Tile('6-6'), call=15, colour=None))
>>> loads(dumps(log)) == [log]
True
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import compress, repeat

from games.errors import OptionError, nearest
from games.moves import SEATS, Event
from games.notation.gamelog import Columns, GameLog, Tenths
from games.notation.lines import LineReader, NotationError, read_tag
from games.notation.memory import KNOWN_TAGS, UNTIMED
from games.notation.writing import write_event
from games.ruleset import Ruleset
from games.rulesets import RULESETS

__all__ = ["MAX_BYTES", "NotationError", "dumps", "loads", "write_time"]

MAX_BYTES = 256 * 1024
"""Most bytes of a game's text, as UTF-8."""
MAX_LINE = 500
MAX_EVENTS = 5_000

FORBIDDEN = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f]")
_ALLOWED = bytes(code for code in range(256) if not FORBIDDEN.match(chr(code)))
_READERS: dict[str, LineReader] = {}
_PLAIN_HEADERS: dict[tuple[str, ...], LineReader] = {}
"""Valid headers without options, by their ruleset and the names of their tags."""


def loads(text: str) -> list[GameLog]:
    """Read every game of a text, at least one.

    Raises :class:`NotationError` for the first error.
    """
    text = text.removeprefix("\ufeff")
    if "\r" in text:
        text = text.replace("\r\n", "\n")
    lines = text.split("\n")
    limit = None if _is_small(text, lines) else _passed_limit(lines)
    if limit is not None:
        _games(lines[: limit.line - 1], whole=False)
        raise limit
    if not lines[-1]:
        lines.pop()
    return _games(lines, last_bracket=text.count("\n", 0, text.rfind("[")))


def dumps(logs: GameLog | Iterable[GameLog]) -> str:
    """Write a game or several as text.

    Raises ``ValueError`` for a value that the notation can't write.
    """
    games = [logs] if isinstance(logs, GameLog) else list(logs)
    return "\n".join("\n".join(_written(log)) + "\n" for log in games)


def _written(log: GameLog) -> Iterator[str]:
    for name, value in log.tags.items():
        if FORBIDDEN.search(value) or any(c in value for c in "\r\n\t"):
            raise ValueError(f"the value of {name} has a character that a tag can't hold: {value!r}")
        escaped = value.replace("\\", "\\\\").replace('"', '\\"')
        yield f'[{name} "{escaped}"]'
    yield ""
    for entry in log.entries:
        words = write_event(entry.event)
        yield words if entry.at is None else f"{write_time(entry.at)} {words}"


def write_time(at: Tenths) -> str:
    """Write match-clock time in the notation.

    >>> write_time(90), write_time(9004)
    ('0:09', '15:00.4')
    """
    seconds, tenths = divmod(at, 10)
    return f"{seconds // 60}:{seconds % 60:02d}" + (f".{tenths}" if tenths else "")


# ---- Reading


def _games(lines: list[str], *, whole: bool = True, last_bracket: int | None = None) -> list[GameLog]:
    """Read the games of these lines; no line after index ``last_bracket`` has a ``[``."""
    games: list[GameLog] = []
    number = 0
    while number < len(lines):
        header = _Header()
        number = header.read(lines, number, whole=whole)
        if header.reader is None:
            break
        rows = lines[number : None if last_bracket is not None and number > last_bracket else _next_tag(lines, number)]
        columns = _read_events(rows, number + 1, header.reader) if rows else None
        games.append(GameLog(header.tags, tag_lines=header.lines, columns=columns))
        number += len(rows)
    if not games and whole:
        raise NotationError(1, 1, 'a game begins with a tag: [Ruleset "udl"]; this file has none')
    return games


def _next_tag(lines: list[str], start: int) -> int:
    """Return the index of the first tag from ``start`` on, or of the end."""
    for number in range(start, len(lines)):
        if lines[number].lstrip(" \t\r").startswith("["):
            return number
    return len(lines)


def _read_events(rows: list[str], first: int, reader: LineReader) -> Columns | None:
    """Read event lines, at least one; ``None`` where no line has words.

    The first line has the number ``first``. Nearly every time and event was read before, so the lines are looked up
    column by column, without a step of the interpreter for each line.
    """
    heads, _, words = zip(*map(str.partition, rows, repeat(" ")), strict=True)
    times: list[Tenths | None] = list(map(reader.times.__getitem__, heads))
    if UNTIMED in times:
        words = tuple(row if at == UNTIMED else word for row, word, at in zip(rows, words, times, strict=True))
        times = [None if at == UNTIMED else at for at in times]
    events: list[Event | None] = list(map(reader.known.__getitem__, words))
    lines = range(first, first + len(rows))
    if not all(events):  # Every event is true and None is false: so C can test whether every line was known.
        return _spelled_out(rows, lines, times, events, reader)
    return Columns(lines, times, events)  # type: ignore[arg-type]  # none is None


def _spelled_out(
    rows: list[str], lines: range, times: list[Tenths | None], events: list[Event | None], reader: LineReader
) -> Columns | None:
    """Return the columns after reading the unknown lines word by word.

    Lines without words go.
    """
    for index, event in enumerate(events):
        if event is None:
            read = reader.read(lines[index], rows[index])
            if read is not None:
                times[index], events[index] = read
    left = [number for number, event in zip(lines, events, strict=True) if event is not None]
    if not left:
        return None
    return Columns(left, list(compress(times, events)), list(filter(None, events)))


class _Header:
    """Tags of one game, and the line reader for them."""

    def __init__(self) -> None:
        self.tags: dict[str, str] = {}
        self.lines: dict[str, int] = {}
        self.reader: LineReader | None = None

    def read(self, lines: list[str], number: int, *, whole: bool) -> int:
        """Read tags from index ``number`` on; return the index of the first other line."""
        try:
            number = self._tags(lines, number)
        except NotationError as error:
            self._check_ruleset(error)
            raise
        if not self.tags:
            if number < len(lines):
                raise NotationError(number + 1, 1, 'expected a tag such as [Ruleset "udl"] before the first event')
            return number
        if not whole and number == len(lines):
            self._check_ruleset(None)
            return number
        self.reader = self._reader()
        return number

    def _reader(self) -> LineReader:
        """Return the reader for the events of such a game.

        Raises the first error in ruleset, options or seats.
        """
        names = (self.tags.get("Ruleset", ""), *self.tags)
        reader = _PLAIN_HEADERS.get(names)
        if reader is not None:
            return reader
        rules = self._rules()
        reader = _READERS.setdefault(rules.tiles.name, LineReader(rules.tiles))
        if not any(name.startswith("Option.") for name in names) and len(names) < 20:
            if len(_PLAIN_HEADERS) >= 1_000:
                _PLAIN_HEADERS.clear()
            _PLAIN_HEADERS[names] = reader
        return reader

    def _tags(self, lines: list[str], start: int) -> int:
        for number in range(start, len(lines)):
            line = lines[number]
            tag = KNOWN_TAGS.get(line)
            if tag is None:
                words = line.strip(" \t\r")
                if not words or words[0] == "#":
                    continue
                if words[0] != "[":
                    return number
                tag = read_tag(number + 1, line)
            name, value = tag
            if name in self.tags:
                template = "the tag %(tag)s stands twice; first in line %(first)s"
                raise NotationError(number + 1, 1, template, tag=name, first=self.lines[name])
            self.tags[name] = value
            self.lines[name] = number + 1
        return len(lines)

    def _check_ruleset(self, later: NotationError | None) -> None:
        """Report an unknown ruleset before an error in a later tag."""
        key = self.tags.get("Ruleset")
        if key is not None and key not in RULESETS and (later is None or self.lines["Ruleset"] < later.line):
            self._rules()

    def _rules(self) -> Ruleset:
        """Return the ruleset with the options of the tags; raise the first line's error."""
        key = self.tags.get("Ruleset")
        if key is None:
            meant = next((name for name in self.tags if name.lower() == "ruleset"), None)
            if meant is not None:
                template = "the tag %(tag)s is written Ruleset"
                raise NotationError(self.lines[meant], 1, template, tag=meant)
            raise NotationError(1, 1, 'a game needs a tag that names its rules: [Ruleset "udl"]')
        wrong: list[NotationError] = []
        rules = RULESETS.get(key)
        if rules is None:
            template = "unknown ruleset %(key)s; registered are %(known)s"
            facts = {"key": repr(key), "known": ", ".join(RULESETS)}
            meant = nearest(key.replace(" ", "-"), RULESETS)
            if meant:
                template = "unknown ruleset %(key)s; registered are %(known)s: did you mean %(meant)s?"
                facts["meant"] = meant
            raise NotationError(self.lines["Ruleset"], 1, template, **facts)
        for name, value in self.tags.items():
            if name.startswith("Option."):
                try:
                    rules = rules.with_options({name[7:]: value})
                except OptionError as error:
                    wrong.append(NotationError(self.lines[name], 1, error.template, **error.facts))
        wrong += self._wrong_seats(rules)
        if wrong:
            raise min(wrong, key=lambda error: error.line)
        return rules

    def _wrong_seats(self, rules: Ruleset) -> list[NotationError]:
        named = sorted(
            name[5:] for name in self.tags if len(name) == 6 and name.startswith("Seat.") and name[5].isupper()
        )
        low, high = rules.seats
        if "".join(named) == SEATS[: len(named)] and rules.seats_allowed(len(named) or 2):
            return []
        for letter, expected in zip(named, SEATS + "?" * len(named), strict=False):
            if letter != expected:
                line = self.lines[f"Seat.{letter}"]
                if letter > SEATS[-1]:
                    return [NotationError(line, 1, "there are six seats at most, A to F")]
                return [NotationError(line, 1, "seat %(seat)s without a seat %(other)s", seat=letter, other=expected)]
        if named and not low <= len(named) <= high:
            line = self.lines[f"Seat.{named[min(len(named) - 1, high)]}"]
            allowed = str(low) if low == high else f"{low} to {high}"
            template = "%(ruleset)s has %(allowed)s seats, not %(seats)s"
            return [NotationError(line, 1, template, ruleset=rules.name, allowed=allowed, seats=len(named))]
        return [self._seats_not_played(rules, len(named) or 2)]

    def _seats_not_played(self, rules: Ruleset, seats: int) -> NotationError:
        """Return the error for a number of seats that the options exclude."""
        if seats in rules.hand:
            value = rules.overrides["players"]
            template = "players is %(value)s, and there are %(seats)s seats"
            return NotationError(self.lines["Option.players"], 1, template, value=value, seats=seats)
        template = "%(seats)s hands of %(value)s are more tiles than the set has"
        return NotationError(self.lines["Option.hand"], 1, template, value=rules.overrides["hand"], seats=seats)


def _is_small(text: str, lines: list[str]) -> bool:
    """Return whether the text is safely below every limit of NOTATION.md section 2.

    A cheap test; in doubt it says no.
    """
    if len(text) * 4 > MAX_BYTES or len(lines) > MAX_EVENTS:
        return False
    start, last = 0, len(text) - MAX_LINE
    while start < last:  # In steps from one line end to the last within reach, not line by line.
        start = text.rfind("\n", start, start + MAX_LINE + 1) + 1
        if not start:
            return False
    return not text.encode("utf-8", "surrogatepass").translate(None, _ALLOWED)


def _passed_limit(lines: list[str]) -> NotationError | None:
    """Return the first limit of NOTATION.md section 2 that the text passes."""
    events = size = 0
    for number, line in enumerate(lines, 1):
        words = line.lstrip(" \t\r")
        if words.startswith("[") and events:
            events = size = 0
        elif words and words[0] not in "[#":
            events += 1
        forbidden = FORBIDDEN.search(line)
        if forbidden:
            code = ord(forbidden.group())
            return NotationError(
                number, forbidden.start() + 1, "a character that no text has: U+%(code)s", code=f"{code:04X}"
            )
        if len(line) > MAX_LINE:
            return NotationError(number, MAX_LINE + 1, "the line is longer than %(most)s characters", most=MAX_LINE)
        if events > MAX_EVENTS:
            return NotationError(number, 1, "the game has more than %(most)s event lines", most=f"{MAX_EVENTS:,}")
        size += len(line.encode("utf-8", "surrogatepass")) + 1
        if size > MAX_BYTES + 1:
            return NotationError(number, 1, "the game is longer than %(most)s KiB", most=MAX_BYTES // 1024)
    return None
