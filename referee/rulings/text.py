"""Ruling text: an official's changes to a log, line by line (docs/notation.md, "Ruling texts").

A log is never retyped. Its text stays, and a ruling text says which of its lines count differently.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import Enum
from hashlib import sha256

from games.notation.lines import NotationError
from games.notation.reading import FORBIDDEN

MAX_QUOTED = 500
"""Most characters of a quoted line, as of a line of a log."""
MAX_CHANGES = 5_000
ENDING = ".ruling"
"""Ending of the file's name."""


class RulingError(NotationError):
    """A text that is no ruling text, or does not fit the text that it amends.

    Line and column are those of the ruling text.
    """


class Verb(Enum):
    """Effect of one change. The values are the words of a ruling text."""

    REPLACE = "replace"
    INSERT = "insert after"
    REMOVE = "remove"


@dataclass(frozen=True, slots=True)
class LineChange:
    """One change of a text: its line ``number``, from 1, and the new ``text``.

    ``number`` 0 stands for the beginning, to insert before the first line. A removed line has no new text. ``line`` and
    ``column`` are the place of the number in the ruling text; equal changes may have different places.
    """

    verb: Verb
    number: int
    text: str = ""
    line: int = field(default=1, compare=False)
    column: int = field(default=1, compare=False)


@dataclass(frozen=True, slots=True)
class RulingText:
    """Changes of one ruling, in order, with its tags.

    ``tags`` has ``Amends``, the SHA-256 of the amended text, and ``Ruling``, the decision in a sentence. ``line`` is
    the line of ``Amends``.
    """

    tags: dict[str, str]
    changes: tuple[LineChange, ...]
    line: int = field(default=1, compare=False)

    @property
    def amends(self) -> str:
        """SHA-256 of the amended text, 64 hexadecimal digits."""
        return self.tags["Amends"]

    @property
    def says(self) -> str:
        """Decision in a sentence."""
        return self.tags["Ruling"]


def digest(text: str) -> str:
    """Return the SHA-256 of a text as UTF-8, in hexadecimal digits."""
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def ruling_on(text: str, says: str, *changes: LineChange, **tags: str) -> RulingText:
    """Make a ruling text that amends ``text``."""
    return RulingText({"Amends": digest(text), "Ruling": says, **tags}, changes)


def write_ruling(ruling: RulingText) -> str:
    """Write a ruling text; `referee.rulings.reading.read_ruling` reads it.

    Raises ``ValueError`` for a text that cannot be quoted.

    >>> print(write_ruling(ruling_on("round 1", "Bo led", LineChange(Verb.INSERT, 1, "B 6-6"))), end="")
    [Amends "cf7c48aeb1cd27091452e65b1e67c73e78da676bc82fd86725c89d29a0b09f39"]
    [Ruling "Bo led"]
    <BLANKLINE>
    insert after 1 "B 6-6"
    """
    return "\n".join(_written(ruling)) + "\n"


def _written(ruling: RulingText) -> Iterator[str]:
    for name, value in ruling.tags.items():
        yield f"[{name} {_quoted(value)}]"
    yield ""
    for change in ruling.changes:
        words = f"{change.verb.value} {change.number}"
        yield words if change.verb is Verb.REMOVE else f"{words} {_quoted(change.text)}"


def _quoted(text: str) -> str:
    if FORBIDDEN.search(text) or "\n" in text or "\r" in text:
        raise ValueError(f"a quoted text is one line without control characters, not {text!r}")
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'
