"""Bytes and tags of a log, read without judging the game. Pure: no ORM.

The notation reader stops at the first syntax error; the fixture check must know whose log it is even then, so tags are
found here line by line.
"""

import re
import unicodedata
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field

from django.utils.translation import gettext_lazy as _

from games.notation.lines import read_tag
from games.notation.reading import MAX_BYTES, NotationError
from league.errors import Refused

PERSON_TAG = re.compile(r"[ \t\r]*\[[ \t\r]*(Seat\.[A-F]|Referee|Annotator)(?![^ \t\r\"\[\]#])")
"""Beginning of a tag with a person's name, broken or whole."""
# A page reads no more of an upload, so the true size of a larger one is not known.
READ_AT_MOST = 32 * MAX_BYTES
CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f]")


@dataclass(frozen=True, slots=True)
class Header:
    """The tags of a file's first game by name, and the number of its games."""

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
    """Return the text of an upload, without a byte order mark.

    Refused: `empty-file`, `too-large` (over 256 KiB), `binary`, `not-utf8`, `control-character`.
    """
    if not raw.strip(b"\xef\xbb\xbf \t\r\n"):
        raise Refused("empty-file", _('The file is empty. A log begins with its tags, such as [Ruleset "udl"].'))
    if len(raw) >= READ_AT_MOST:
        raise Refused(
            "too-large",
            _("The log has %(mib)d MiB or more; at most %(limit)d bytes (256 KiB) are taken for one game."),
            mib=READ_AT_MOST // 2**20,
            limit=MAX_BYTES,
        )
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


def as_one(raw: bytes) -> bytes:
    """Normalize a log for all systems: no byte order mark, lines ended by LF."""
    return raw.removeprefix(b"\xef\xbb\xbf").replace(b"\r\n", b"\n")


def read_header(text: str) -> Header:
    """Return the readable tags of the first game, the first of each name.

    Lines are read by the notation's own tag reader, so that both see the same. A broken tag line is left to that
    reader.
    """
    tags: dict[str, str] = {}
    games, in_tags = 0, False
    for number, line in enumerate(text.split("\n"), 1):
        bare = line.strip(" \t\r")
        if not bare or bare.startswith("#"):
            continue
        starts = bare.startswith("[")
        if starts and not in_tags:
            games += 1
        in_tags = starts
        if starts and games == 1 and (read := tag_of(number, line)):
            tags.setdefault(*read)
    return Header(tags, games)


def tag_of(number: int, line: str) -> tuple[str, str] | None:
    """Return name and value of a tag line, None if it is broken."""
    try:
        return read_tag(number, line.removesuffix("\r"))
    except NotationError:
        return None


def escape(value: str) -> str:
    return value.replace("\\", "\\\\").replace('"', '\\"')


def same_name(name: str) -> str:
    """Normalize a name: compatibility forms, case and runs of spaces do not count."""
    return " ".join(unicodedata.normalize("NFKC", name).casefold().split())


def without_names(text: str, person: Callable[[str], str], codes: Mapping[str, str]) -> str:
    """Replace names by codes; all other lines stay as they are.

    The value of a tag with a person's name becomes `person(tag)`, and the rest of its line is removed. A broken one
    keeps its fault for the reader to point at, but loses its words. Known names (name → code) are replaced as whole
    words everywhere.
    """
    lines = text.split("\n")
    for index, line in enumerate(lines):
        found = PERSON_TAG.match(line)
        if found and tag_of(index, line):
            ending = "\r" if line.endswith("\r") else ""
            lines[index] = f'[{found[1]} "{escape(person(found[1]))}"]{ending}'
        elif found:
            coded = replace_names(line[found.end() :], codes)
            lines[index] = line[: found.end()] + mask(coded, codes.values())
        else:
            lines[index] = replace_names(line, codes)
    return "\n".join(lines)


def replace_names(line: str, codes: Mapping[str, str]) -> str:
    for name, code in codes.items():
        line = re.sub(rf"(?<!\w){re.escape(name)}(?!\w)", code, line, flags=re.IGNORECASE)
    return line


def mask(text: str, kept: Collection[str]) -> str:
    """Replace every word but the kept ones by x's, so that columns stay."""
    return re.sub(r"\w+", lambda word: word[0] if word[0] in kept else "x" * len(word[0]), text)
