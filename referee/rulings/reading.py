"""Reader of ruling texts (docs/notation.md, "Ruling texts").

It checks the ruling text alone; `referee.rulings.amending` checks that it fits the amended text.
"""

from __future__ import annotations

import re

from games.notation.lines import LineWords, NotationError, read_tag, split_words
from games.notation.reading import FORBIDDEN, MAX_BYTES
from referee.rulings.text import MAX_CHANGES, MAX_QUOTED, LineChange, RulingError, RulingText, Verb

_DIGEST = re.compile(r"[0-9a-fA-F]{64}")
_MOST_DIGITS = 9
_BAD_ESCAPE = re.compile(r'[^"]*"(?:[^"\\]|\\["\\])*(?=\\[^"\\])')
_FIRST_TAG = 'a ruling begins with a tag that names the amended text: [Amends "SHA-256 of the text"]'
_EXPECTED_CHANGE = "replace, insert or remove"
_VERBS = {verb.value.split()[0]: verb for verb in Verb}


def read_ruling(text: str) -> RulingText:
    """Read a ruling text.

    Raises :class:`RulingError` for the first error, with line, column and reason.
    """
    try:
        return _RulingReader().read(_lines(text))
    except RulingError:
        raise
    except NotationError as error:
        raise RulingError(error.line, error.column, error.template, **error.facts) from None


def _lines(text: str) -> list[str]:
    text = text.removeprefix("\ufeff").replace("\r\n", "\n")
    if len(text.encode("utf-8", "surrogatepass")) > MAX_BYTES:
        raise RulingError(1, 1, "the ruling is longer than %(most)s KiB", most=MAX_BYTES // 1024)
    lines = text.split("\n")
    for number, line in enumerate(lines, 1):
        if found := FORBIDDEN.search(line.replace("\r", "\0")):
            code = f"{ord(line[found.start()]):04X}"
            raise RulingError(number, found.start() + 1, "a character that no text has: U+%(code)s", code=code)
    return lines


class _RulingReader:
    """Tags and changes read so far, with the lines of the tags and of the changed lines."""

    def __init__(self) -> None:
        self.tags: dict[str, str] = {}
        self.tag_lines: dict[str, int] = {}
        self.changes: list[LineChange] = []
        self.changed: dict[int, LineChange] = {}

    def read(self, lines: list[str]) -> RulingText:
        for number, line in enumerate(lines, 1):
            words = line.strip(" \t")
            if words.startswith("["):
                self._tag(number, line)
            elif words and not words.startswith("#"):
                self._line(number, line)
        if "Amends" not in self.tags:
            raise RulingError(1, 1, _FIRST_TAG)
        if "Ruling" not in self.tags:
            template = 'a ruling needs a tag with the decision in a sentence: [Ruling "…"]'
            raise RulingError(self.tag_lines["Amends"], 1, template)
        if not self.changes:
            raise RulingError(len(lines), 1, "a ruling changes at least one line: replace, insert after or remove")
        return RulingText(self.tags, tuple(self.changes), self.tag_lines["Amends"])

    # ---- Tags

    def _tag(self, number: int, line: str) -> None:
        name, value = read_tag(number, line)
        column = line.index("[") + 1
        if self.changes:
            raise RulingError(number, column, "the tags of a ruling stand before its changes")
        if not self.tags and name != "Amends":
            raise RulingError(number, column, _FIRST_TAG)
        if name in self.tags:
            template = "the tag %(tag)s stands twice; first in line %(first)s"
            raise RulingError(number, column, template, tag=name, first=self.tag_lines[name])
        if name == "Amends":
            value = self._digest(number, line, value)
        if name == "Ruling" and not value.strip():
            raise RulingError(number, column, "the tag Ruling needs the decision in a sentence")
        self.tags[name], self.tag_lines[name] = value, number

    @staticmethod
    def _digest(number: int, line: str, value: str) -> str:
        if not _DIGEST.fullmatch(value):
            template = "Amends is a SHA-256: 64 hexadecimal digits, not %(found)s"
            found = repr(value if len(value) < 80 else value[:77] + "...")
            raise RulingError(number, line.index('"') + 2, template, found=found)
        return value.lower()

    # ---- Changes

    def _line(self, number: int, line: str) -> None:
        if not self.tags:
            raise RulingError(number, 1, _FIRST_TAG)
        if len(self.changes) >= MAX_CHANGES:
            raise RulingError(number, 1, "the ruling has more than %(most)s changes", most=f"{MAX_CHANGES:,}")
        if wrong := _BAD_ESCAPE.match(line):
            raise RulingError(number, wrong.end() + 1, 'a backslash in quotes is written \\\\, a quotation mark \\"')
        words = LineWords(number, split_words(number, line))
        change = _change(number, words)
        words.end()
        self._once(change)
        self.changes.append(change)

    def _once(self, change: LineChange) -> None:
        """Refuse a second change of one line; inserted lines leave it as it is."""
        if change.verb is Verb.INSERT:
            return
        before = self.changed.setdefault(change.number, change)
        if before is not change:
            template = "line %(number)s is changed already, in line %(first)s of the ruling"
            raise RulingError(change.line, change.column, template, number=change.number, first=before.line)


def _change(line: int, words: LineWords) -> LineChange:
    verb = _VERBS.get(words.take(_EXPECTED_CHANGE))
    if verb is None:
        raise words.wrong(_EXPECTED_CHANGE)
    if verb is Verb.INSERT and words.take("after and the number of a line") != "after":
        raise words.wrong("after")
    number = _number(words, least=0 if verb is Verb.INSERT else 1)
    column = words.column
    text = "" if verb is Verb.REMOVE else words.quoted("the new line in double quotes", MAX_QUOTED)
    return LineChange(verb, number, text, line, column)


def _number(words: LineWords, *, least: int) -> int:
    """Take the number of a line."""
    expected = "the number of a line from %(least)s"
    word = words.take(expected, least=least)
    plain = word.isascii() and word.isdigit() and len(word) <= _MOST_DIGITS
    if not plain or int(word) < least:
        raise words.wrong(expected, least=least)
    return int(word)
