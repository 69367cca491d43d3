"""The outside of a log: its bytes and its tags, read without judging the game.

The reader of the notation stops at the first syntax error; the door must know whose log it is even then, so tags are
found here line by line. Pure: no ORM.
"""

import re
import unicodedata
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from django.utils.translation import gettext_lazy as _

from games.notation import MAX_BYTES
from league.errors import Refused

TAG = re.compile(r'^([ \t]*\[([A-Za-z][A-Za-z0-9_.]*)[ \t]+")((?:[^"\\]|\\.)*)("[ \t]*\][^\r\n]*)')
NAMED_TAG = re.compile(r"^[ \t]*\[(?:Seat\.[A-F]|Referee)\b")
CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f]")


@dataclass(frozen=True, slots=True)
class Header:
    """The tags of the first game of a file by name, and how many games it has."""

    tags: Mapping[str, str] = field(default_factory=dict)
    games: int = 0

    @property
    def seats(self) -> dict[str, str]:
        """`{"A": "Ana Ruiz", "B": "Bo Chen"}`"""
        return {name[-1]: value for name, value in self.tags.items() if re.fullmatch(r"Seat\.[A-F]", name)}

    @property
    def options(self) -> dict[str, str]:
        """`{"target": "100"}` from `[Option.target "100"]`"""
        return {name.removeprefix("Option."): value for name, value in self.tags.items() if name.startswith("Option.")}


def decode(raw: bytes) -> str:
    """The text of an upload, without a byte order mark.

    Refused: `empty-file`, `too-large` (over 256 KiB), `binary`, `not-utf8`, `control-character`.
    """
    if not raw.strip(b"\xef\xbb\xbf \t\r\n"):
        raise Refused("empty-file", _('The file is empty. A log begins with its tags, such as [Ruleset "udl"].'))
    if len(raw) > MAX_BYTES:
        raise Refused(
            "too-large",
            _("The log has %(bytes)d bytes; at most %(limit)d (256 KiB) are taken for one game."),
            bytes=len(raw),
            limit=MAX_BYTES,
        )
    if b"\x00" in raw:
        raise Refused("binary", _("This is not a text file. A log is plain text in UTF-8."))
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise Refused(
            "not-utf8",
            _("Line %(line)d is not UTF-8 text. Save the log as UTF-8 and send it again."),
            line=raw.count(b"\n", 0, error.start) + 1,
        ) from None
    if found := CONTROL.search(text):
        raise Refused(
            "control-character",
            _("Line %(line)d holds the control character U+%(point)s, which a log may not have."),
            line=text.count("\n", 0, found.start()) + 1,
            point=f"{ord(found[0]):04X}",
        )
    return text


def read_header(text: str) -> Header:
    """The tags that can be read, the first of each name, of the first game; a broken tag line is left to the
    notation's reader.
    """
    tags: dict[str, str] = {}
    games, in_tags = 0, False
    for line in text.split("\n"):
        bare = line.strip()
        if not bare or bare.startswith("#"):
            continue
        starts = bare.startswith("[")
        if starts and not in_tags:
            games += 1
        in_tags = starts
        if starts and games == 1 and (found := TAG.match(line)):
            tags.setdefault(found[2], unescape(found[3]))
    return Header(tags, games)


def unescape(value: str) -> str:
    return re.sub(r"\\(.)", r"\1", value)


def escape(value: str) -> str:
    return value.replace("\\", "\\\\").replace('"', '\\"')


def same_name(name: str) -> str:
    """What two spellings of one name share: compatibility forms, case and runs of spaces do not count."""
    return " ".join(unicodedata.normalize("NFKC", name).casefold().split())


def rewrite(text: str, replace: Callable[[str, str], str]) -> str:
    """The text with the values of its seat and referee tags replaced by `replace(tag, value)`; every other character
    as it was.
    """
    return "\n".join(rewrite_line(line, replace) for line in text.split("\n"))


def rewrite_line(line: str, replace: Callable[[str, str], str]) -> str:
    if not NAMED_TAG.match(line):
        return line
    if found := TAG.match(line):
        return found[1] + escape(replace(found[2], unescape(found[3]))) + found[4] + line[found.end() :]
    return line


def blot(text: str, codes: Mapping[str, str]) -> str:
    """Broken seat and referee tags keep their fault for the reader to point at, and lose the names that are known
    (name → code).
    """
    lines = text.split("\n")
    for index, line in enumerate(lines):
        if NAMED_TAG.match(line) and not TAG.match(line):
            for name, code in codes.items():
                line = re.sub(re.escape(name), code, line, flags=re.IGNORECASE)
            lines[index] = line
    return "\n".join(lines)
