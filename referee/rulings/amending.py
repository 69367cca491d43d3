"""Rulings applied to the text of a log, and the verdict on the text that results."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from games.notation.lines import NotationError
from games.notation.reading import loads
from referee.replay import verify_text
from referee.rulings.text import LineChange, RulingError, RulingText, Verb, digest
from referee.verdict import Unreadable, Verdict

_SHOWN = 12
"""Digits of a SHA-256 in an error."""


class AppliedChange(NamedTuple):
    """One change in the text that results.

    ``ruling`` is the number of the ruling, from 1, ``says`` its decision. ``line`` counts lines of the resulting text;
    for a removed line it is the line before, 0 for the beginning. ``was`` and ``now`` are the line before and after the
    change, ``None`` for no line.
    """

    ruling: int
    says: str
    verb: Verb
    line: int
    was: str | None
    now: str | None

    def as_json(self) -> dict[str, Any]:
        """Return the change as plain data."""
        words = {"line": self.line, "ruling": self.ruling, "says": self.says, "change": self.verb.value}
        return {**words, "was": self.was, "now": self.now}


class AmendedText(NamedTuple):
    """Text that results from rulings, and their changes in the order of its lines."""

    text: str
    changes: tuple[AppliedChange, ...]


class AmendedVerdict(NamedTuple):
    """Verdict on one game of an amended text, and the changes in that game."""

    verdict: Verdict | Unreadable
    changes: tuple[AppliedChange, ...]

    def as_json(self) -> dict[str, Any]:
        """Return the verdict as plain data, with the changes if any."""
        data = self.verdict.as_json()
        return data | {"amendments": [change.as_json() for change in self.changes]} if self.changes else data


class UnfitRuling(Exception):
    """The ruling with this ``number``, from 1, does not fit: ``error`` has the reason."""

    def __init__(self, number: int, error: RulingError) -> None:
        super().__init__(f"ruling {number}: {error}")
        self.number = number
        self.error = error


def amend(text: str, *rulings: RulingText) -> AmendedText:
    """Apply rulings in order, each to the text that results from those before.

    A new line gets the line ends of the text, and a text without a newline at its end stays without. Raises
    :class:`UnfitRuling`.
    """
    sheet = _AmendedSheet(text)
    for number, ruling in enumerate(rulings, 1):
        try:
            sheet.apply(number, ruling)
        except RulingError as error:
            raise UnfitRuling(number, error) from None
    return AmendedText(sheet.text(), tuple(sheet.changes()))


def verify_amended(text: str, rulings: Sequence[RulingText], file: str = "") -> list[AmendedVerdict]:
    """Return the verdict on every game of the text that results from rulings.

    Raises :class:`UnfitRuling`.
    """
    if not rulings:
        return [AmendedVerdict(verdict, ()) for verdict in verify_text(text, file)]
    amended = amend(text, *rulings)
    verdicts = verify_text(amended.text, file)
    starts = _first_lines(amended.text)
    found: list[list[AppliedChange]] = [[] for _ in verdicts]
    for change in amended.changes:
        game = sum(start <= change.line for start in starts[1:])
        found[game].append(change)
    return [AmendedVerdict(verdict, tuple(changes)) for verdict, changes in zip(verdicts, found, strict=True)]


def _first_lines(text: str) -> list[int]:
    """Return the first line of each game; one for an unreadable text."""
    try:
        return [min(log.tag_lines.values()) for log in loads(text)]
    except NotationError:
        return [1]


# ---- The sheet


@dataclass(slots=True)
class _Line:
    """A line with its end, and the changes made to it; a removed line stays in its place."""

    text: str
    end: str
    gone: bool = False
    changes: list[tuple[int, RulingText, LineChange, str | None]] = field(default_factory=list)


class _AmendedSheet:
    """Lines of a text under change."""

    def __init__(self, text: str) -> None:
        self.mark = "\ufeff" if text.startswith("\ufeff") else ""
        self.newline = "\r\n" if text.partition("\n")[0].endswith("\r") else "\n"
        self.lines = [_Line(line, end) for line, end in _split(text.removeprefix("\ufeff"))]
        self.ends = not self.lines or bool(self.lines[-1].end)

    def text(self) -> str:
        """Return the text of the lines that are left."""
        left = self.left()
        body = "".join(line.text + (line.end or self.newline) for line in left[:-1])
        last = left[-1].text + ((left[-1].end or self.newline) if self.ends else "") if left else ""
        return self.mark + body + last

    def left(self) -> list[_Line]:
        return [line for line in self.lines if not line.gone]

    def changes(self) -> Iterator[AppliedChange]:
        """Yield the changes in the order of the lines, each with its line in the resulting text."""
        number = 0
        for line in self.lines:
            number += not line.gone
            for ruling, by, change, was in line.changes:
                now = None if change.verb is Verb.REMOVE else change.text
                yield AppliedChange(ruling, by.says, change.verb, number, was, now)

    def apply(self, number: int, ruling: RulingText) -> None:
        """Apply one ruling.

        Raises :class:`RulingError` if it does not fit this text, or changes nothing.
        """
        before = self.text()
        _check_digest(before, ruling)
        left = self.left()
        inserted: dict[int, list[_Line]] = {}
        for change in ruling.changes:
            if change.number > len(left):
                raise RulingError(change.line, change.column, _beyond(left), number=change.number, lines=len(left))
            if change.verb is Verb.INSERT:
                new = _Line(change.text, self.newline, changes=[(number, ruling, change, None)])
                inserted.setdefault(change.number, []).append(new)
            else:
                _change(left[change.number - 1], number, ruling, change)
        self._insert(left, inserted)
        if self.text() == before:
            raise RulingError(ruling.line, 1, "the ruling changes nothing: the text that results is the amended text")

    def _insert(self, left: Sequence[_Line], inserted: Mapping[int, list[_Line]]) -> None:
        after = {id(left[number - 1]): lines for number, lines in inserted.items() if number}
        lines = list(inserted.get(0, ()))
        for line in self.lines:
            lines += [line, *after.get(id(line), ())]
        self.lines = lines


def _split(text: str) -> Iterator[tuple[str, str]]:
    """Yield each line and its end: a newline, with the carriage return before it, or nothing."""
    lines = text.split("\n")
    last = lines.pop()
    for line in lines:
        yield (line[:-1], "\r\n") if line.endswith("\r") else (line, "\n")
    if last:
        yield last, ""


def _beyond(left: Sequence[_Line]) -> str:
    if not left:
        return "there is no line %(number)s: the amended text is empty"
    return "there is no line %(number)s: the amended text has %(lines)s lines"


def _change(line: _Line, number: int, ruling: RulingText, change: LineChange) -> None:
    if change.verb is Verb.REPLACE and line.text == change.text:
        raise RulingError(change.line, change.column, "line %(number)s reads so already", number=change.number)
    line.changes.append((number, ruling, change, line.text))
    line.gone = change.verb is Verb.REMOVE
    line.text = change.text if change.verb is Verb.REPLACE else line.text


def _check_digest(text: str, ruling: RulingText) -> None:
    if digest(text) == ruling.amends:
        return
    template = "the ruling amends another text: Amends is %(amends)s…, the SHA-256 of this text is %(digest)s…"
    plain = text.replace("\r\n", "\n")
    written = (plain, plain.rstrip("\n"), plain.rstrip("\n") + "\n", plain.replace("\n", "\r\n"))
    if any(digest(one) == ruling.amends for one in written):
        template = "the ruling amends this text with other line ends; give the file with the line ends that it had"
    raise RulingError(ruling.line, 1, template, amends=ruling.amends[:_SHOWN], digest=digest(text)[:_SHOWN])
