"""Line reader: words to a tag or an event (NOTATION.md sections 2 and 3)."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from games import moves
from games.errors import filled, nearest
from games.moves import SEATS, Event, Said, Seat
from games.notation.gamelog import Tenths
from games.notation.memory import KNOWN_TAGS, MEMORABLE, SEAT_NUMBERS, UNTIMED, KnownEvents, KnownTimes, remember
from games.tile import Tile
from games.tiles import TileSet

MAX_VALUE = 200
"""Most characters of a tag's value or of a quoted reason."""

_MEMORABLE_TAG = 48
"""Longest tag line worth remembering."""

_HALF = r"(?:[0-9]{1,2}|[rgyb](?:[1-9]|D2|S|R)|DE|WD4|W)"
_TILE = re.compile(f"{_HALF}-{_HALF}")
_NUMBER = re.compile(r"[0-9]+")
_NUMBERS = re.compile(r"[0-9]+(?:-[0-9]+)+")
_QUOTED = re.compile(r'"(?:[^"\\]|\\["\\])*"')
_WORD = re.compile(r'[^ \t\r"#]+')
_BLANK = re.compile(r"[ \t\r]*")
_TAG_NAME = re.compile(r'[^ \t\r"\[\]#]+')
_PLAIN_TAG = re.compile(r'\[([^ \t\r"\[\]#]+) "([^"\\]*)"\]')
COLOURS = ("red", "green", "yellow", "blue")


class NotationError(ValueError):
    """A text that is not Domino Game Notation: place, and what was expected there.

    ``template`` filled with ``facts`` is ``message``; the fact ``expected`` is a template too, filled with the other
    facts, so that both can be translated.
    """

    def __init__(self, line: int, column: int, template: str, **facts: object) -> None:
        self.message = filled(template, facts)
        super().__init__(f"line {line}, column {column}: {self.message}")
        self.line = line
        self.column = column
        self.template = template
        self.facts = facts


_EXPECTED = "expected %(expected)s, found %(found)s"
_EXPECTED_AT_END = "expected %(expected)s, found the end of the line"
_EXPECTED_DASH = "expected %(expected)s, found %(found)s; this is a long dash: write %(meant)s"
_EXPECTED_CASE = "expected %(expected)s, found %(found)s; words are lower case and seats are capitals: %(meant)s"
_EXPECTED_MEANT = "expected %(expected)s, found %(found)s; did you mean %(meant)s?"
_LONG_DASHES = str.maketrans(dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2015\u2212", "-"))
_NEARLY_TILE = re.compile(r"([0-6])[:/.,|]?([0-6])")


@dataclass(frozen=True, slots=True)
class _Word:
    column: int
    text: str

    @property
    def quoted(self) -> bool:
        return self.text.startswith('"')


class LineWords:
    """Words of a line with their columns, taken in order.

    ``words`` of :func:`split_words`, at least one.
    """

    __slots__ = ("_end", "_line", "_next", "_words")

    def __init__(self, line: int, words: list[_Word]) -> None:
        self._line = line
        self._end = words[-1].column + len(words[-1].text)
        self._words = words
        self._next = 0

    def __bool__(self) -> bool:
        return self._next < len(self._words)

    def peek(self) -> str:
        """Return the next word, empty at the end of the line."""
        return self._words[self._next].text if self else ""

    def take(self, expected: str, **facts: object) -> str:
        """Return the next word; at the end of the line raise an error with ``expected``."""
        if not self:
            raise NotationError(self._line, self._end, _EXPECTED_AT_END, expected=expected, **facts)
        self._next += 1
        return self._words[self._next - 1].text

    def wrong(self, expected: str, **facts: object) -> NotationError:
        """Return the error for the word taken last."""
        word = self._words[self._next - 1]
        facts |= {"expected": expected, "found": repr(word.text)}
        template, meant = _hint(word.text, filled(expected, facts))
        return NotationError(self._line, word.column, template, **facts, **({"meant": meant} if meant else {}))

    def number(self, expected: str = "a number") -> int:
        """Take a whole number."""
        word = self.take(expected)
        if not _NUMBER.fullmatch(word):
            raise self.wrong(expected)
        return int(word)

    def numbers(self, expected: str) -> tuple[int, ...]:
        """Take two whole numbers or more, joined by hyphens."""
        word = self.take(expected)
        if not _NUMBERS.fullmatch(word):
            raise self.wrong(expected)
        return tuple(map(int, word.split("-")))

    @property
    def column(self) -> int:
        """Column of the word taken last."""
        return self._words[self._next - 1].column

    def quoted(self, expected: str, most: int = MAX_VALUE) -> str:
        """Take a text in double quotes, and return it without them."""
        word = self.take(expected)
        if not word.startswith('"'):
            raise self.wrong(expected)
        value = unescape(word)
        if len(value) > most:
            raise NotationError(self._line, self.column, "the text is longer than %(most)s characters", most=most)
        return value

    def seat(self) -> Seat:
        """Take a seat letter."""
        word = self.take("a seat, A to F")
        if len(word) != 1 or word not in SEATS:
            raise self.wrong("a seat, A to F")
        return SEATS.index(word)

    def end(self) -> None:
        """Refuse any further word."""
        if self:
            self.take("")
            raise self.wrong("the end of the line")


def _hint(word: str, expected: str) -> tuple[str, str]:
    """Return the template for a wrong word, and the likely intended word, else ``""``.

    >>> [_hint(word, "a tile such as 6-4, or one of hand, draw")[1] for word in ("6–4", "Draw", "drwa", "64", "tree")]
    ['6-4', 'draw', 'draw', '6-4', '']
    """
    plain = word.translate(_LONG_DASHES)
    if plain != word:
        return _EXPECTED_DASH, plain
    words = [known for known in re.findall(r"[a-z]+", expected) if known in KEYWORDS]
    if word.lower() != word and word.lower() in words:
        return _EXPECTED_CASE, word.lower()
    if "seat" in expected and word.upper() != word and word.upper() in SEAT_NUMBERS:
        return _EXPECTED_CASE, word.upper()
    if "tile" in expected and (halves := _NEARLY_TILE.fullmatch(word)):
        return _EXPECTED_MEANT, "-".join(halves.groups())
    near = nearest(word, words)
    return (_EXPECTED_MEANT, near) if near else (_EXPECTED, "")


def unescape(quoted: str) -> str:
    r"""Return the value of a quoted text: ``\"`` and ``\\`` are escapes."""
    return re.sub(r"\\(.)", r"\1", quoted[1:-1])


def _quoted_at(line: int, text: str, start: int) -> re.Match[str]:
    match = _QUOTED.match(text, start)
    if match is None:
        raise NotationError(line, start + 1, 'a quoted text that does not end; inside it write \\" and \\\\')
    return match


def split_words(line: int, text: str) -> list[_Word]:
    """Split a line into words up to its comment; a quoted text is one word."""
    words: list[_Word] = []
    at = 0
    while True:
        at = _BLANK.match(text, at).end()  # type: ignore[union-attr]  # it matches at least the empty text
        if at == len(text) or text[at] == "#":
            return words
        match = _quoted_at(line, text, at) if text[at] == '"' else _WORD.match(text, at)
        assert match is not None
        words.append(_Word(at + 1, match.group()))
        at = match.end()


def read_tag(line: int, text: str) -> tuple[str, str]:
    """Read name and value of a tag line ``[Name "value"]``."""
    plain = _PLAIN_TAG.fullmatch(text)
    if plain is not None and len(plain[2]) <= MAX_VALUE:
        tag = (plain[1], plain[2])
        if len(text) <= _MEMORABLE_TAG:
            remember(KNOWN_TAGS, text, tag)
        return tag
    at = text.index("[") + 1
    at = _BLANK.match(text, at).end()  # type: ignore[union-attr]
    name = _TAG_NAME.match(text, at)
    if name is None:
        raise NotationError(line, at + 1, "expected the name of a tag")
    at = _BLANK.match(text, name.end()).end()  # type: ignore[union-attr]
    if text[at : at + 1] != '"':
        template = 'expected the value of %(tag)s in double quotes: [%(tag)s "…"]'
        raise NotationError(line, at + 1, template, tag=name.group())
    quoted = _quoted_at(line, text, at)
    value = unescape(quoted.group())
    if len(value) > MAX_VALUE:
        template = "the value of %(tag)s is longer than %(most)s characters"
        raise NotationError(line, at + 1, template, tag=name.group(), most=MAX_VALUE)
    at = _BLANK.match(text, quoted.end()).end()  # type: ignore[union-attr]
    if text[at : at + 1] != "]":
        raise NotationError(line, at + 1, "expected ] at the end of the tag")
    rest = split_words(line, " " * (at + 1) + text[at + 1 :])
    if rest:
        raise NotationError(line, rest[0].column, _EXPECTED, expected="the end of the line", found=repr(rest[0].text))
    return name.group(), value


class LineReader:
    """Reader of event lines for one tile set, with a memory of earlier lines.

    ``known`` maps the text of an event to the event, ``times`` the text of a time to tenths of a second. It remembers
    short texts, ``MEMORY`` of them at most, so that no input makes a reader grow without limit.
    """

    def __init__(self, tiles: TileSet) -> None:
        self.tiles = tiles
        self.known = KnownEvents(tiles)
        self.times = KnownTimes()

    def read(self, number: int, text: str) -> tuple[Tenths | None, Event] | None:
        """Read time and event of a line, ``None`` for a line without words.

        Raises :class:`NotationError`.
        """
        # Without a quoted text a # begins a comment, and the text before it may be known.
        return (None if '"' in text else self._known(text.partition("#")[0])) or self._spell(number, text)

    def _known(self, text: str) -> tuple[Tenths | None, Event] | None:
        """Return time and event of a remembered line; blanks at its end don't matter."""
        text = text.rstrip(" \t\r")
        head, _, words = text.partition(" ")
        at = self.times[head]
        event = self.known[text if at == UNTIMED else words]
        return None if event is None else (None if at == UNTIMED else at, event)

    def _spell(self, number: int, text: str) -> tuple[Tenths | None, Event] | None:
        split = split_words(number, text)
        if not split:
            return None
        words = LineWords(number, split)
        at = None
        if words.peek()[0].isdigit():
            at = self._time(words)
        first = words.take("an event")
        event = self._seat_event(SEAT_NUMBERS[first], words) if first in SEAT_NUMBERS else _read_line(first, words)
        words.end()
        self._remember(" ".join(word.text for word in split[0 if at is None else 1 :]), event)
        return at, event

    def _time(self, words: LineWords) -> Tenths:
        text = words.take("a time or an event")
        at = self.times[text]
        if at == UNTIMED:
            raise words.wrong("a time such as 4:07 or 4:07.5, or an event")
        return at

    def _remember(self, text: str, event: Event) -> None:
        # A hand never comes twice, unless it gives only a number: "A hand 7".
        if len(text) <= MEMORABLE and (len(text) < 10 or not isinstance(event, _NEVER_AGAIN)):
            remember(self.known, text, event)

    def _seat_event(self, seat: Seat, words: LineWords) -> Event:
        expected = "a tile such as 6-4, or one of %(words)s"
        word = words.take(expected, words=", ".join(_SEAT_EVENTS))
        read = _SEAT_EVENTS.get(word)
        if read is not None:
            return read(self, seat, words)
        if not _TILE.fullmatch(word):
            raise words.wrong(expected, words=", ".join(_SEAT_EVENTS))
        return self._play(seat, self.tiles.read(word), words)

    def tile(self, words: LineWords, expected: str = "a tile such as 6-4") -> Tile:
        """Take a tile."""
        word = words.take(expected)
        if not _TILE.fullmatch(word):
            raise words.wrong(expected)
        return self.tiles.read(word)

    def _play(self, seat: Seat, tile: Tile, words: LineWords) -> Event:
        on = call = colour = None
        if words.peek() == "on":
            words.take("")
            on = self.tile(words)
        while words:
            word = words.take("")
            if word == "call" and call is None:
                call = words.number("the points announced")
            elif word == "colour" and colour is None:
                colour = _colour(words)
            else:
                raise words.wrong("on, call, colour or the end of the line")
        return moves.Play(seat, tile, on, call, colour)

    def tiles_or_number(self, words: LineWords, *, least: int) -> tuple[int, tuple[Tile | None, ...]]:
        """Take a number such as ``7``, or tiles with ``?`` for each unseen tile.

        Returns the number of tiles, and the tiles.
        """
        if _NUMBER.fullmatch(words.peek()):
            count = words.number()
            if count < least:
                raise words.wrong("a number of tiles from %(least)s", least=least)
            return count, ()
        tiles = self.some_tiles(words)
        return len(tiles), tiles

    def some_tiles(self, words: LineWords) -> tuple[Tile | None, ...]:
        """Take one tile or more; ``None`` for a ``?``."""
        tiles: list[Tile | None] = []
        while words or not tiles:
            if words.peek() == "?":
                words.take("")
                tiles.append(None)
            else:
                tiles.append(self.tile(words, "a tile such as 6-4, or ? for one not seen"))
        return tuple(tiles)


_NEVER_AGAIN = (moves.Deal, moves.Note, moves.Penalty, moves.Forfeit)


def _colour(words: LineWords) -> str:
    word = words.take("a colour: red, green, yellow or blue")
    if word not in COLOURS:
        raise words.wrong("a colour: red, green, yellow or blue")
    return word


def _read_show(reader: LineReader, seat: Seat, words: LineWords) -> Event:
    if words.peek() == "none":
        words.take("")
        return moves.Show(seat, ())
    return moves.Show(seat, reader.some_tiles(words))


def _read_draw(reader: LineReader, seat: Seat, words: LineWords) -> Event:
    return moves.Draw(seat, *reader.tiles_or_number(words, least=1))


def _read_deal(reader: LineReader, seat: Seat, words: LineWords) -> Event:
    return moves.Deal(seat, *reader.tiles_or_number(words, least=0))


def _read_reopening(reader: LineReader, seat: Seat, words: LineWords) -> Event:
    tile = reader.tile(words)
    if words.take("on and a tile") != "on":
        raise words.wrong("on")
    on = reader.tile(words)
    if words.take("colour and a colour") != "colour":
        raise words.wrong("colour")
    return moves.Reopening(seat, tile, on, _colour(words))


def _read_muggins(_: LineReader, seat: Seat, words: LineWords) -> Event:
    return moves.Call(seat, Said.MUGGINS, words.number("the points claimed") if words else None)


_SEAT_EVENTS: dict[str, Callable[[LineReader, Seat, LineWords], Event]] = {
    "lot": lambda reader, seat, words: moves.Lot(seat, reader.tile(words)),
    "hand": _read_deal,
    "draw": _read_draw,
    "pass": lambda _, seat, __: moves.Pass(seat),
    "shows": _read_show,
    "scores": lambda _, seat, words: moves.RoundPoints(seat, words.number("the round-end points")),
    "call": lambda _, seat, words: moves.Call(seat, Said.COUNT, words.number("the points announced")),
    "muggins": _read_muggins,
    "domino": lambda _, seat, __: moves.Call(seat, Said.DOMINO),
    "uno": lambda _, seat, __: moves.Call(seat, Said.UNO),
    "catches": lambda _, seat, words: moves.Call(seat, Said.CATCH, whom=words.seat()),
    "challenges": lambda _, seat, __: moves.Call(seat, Said.CHALLENGE),
    "concedes": lambda _, seat, __: moves.Concession(seat),
    "forfeits": lambda _, seat, words: moves.Forfeit(seat, words.quoted("the reason in double quotes")),
    "reopens": _read_reopening,
}

_LINES: dict[str, Callable[[LineWords], Event]] = {
    "round": lambda words: moves.RoundStart(words.number("the number of the round")),
    "blocked": lambda _: moves.Blocked(),
    "score": lambda words: moves.Totals(words.numbers("the totals by seat such as 85-60")),
    "chips": lambda words: moves.ChipsLeft(words.numbers("the chips by seat such as 18-13")),
    "settled": lambda _: moves.Settled(),
    "bell": lambda _: moves.Bell(),
    "penalty": lambda words: moves.Penalty(
        words.seat(), words.number("the points of the penalty"), words.quoted("the reason in double quotes")
    ),
    "end": lambda _: moves.End(),
    "note": lambda words: moves.Note(words.quoted("a text in double quotes")),
    "upheld": lambda _: moves.ChallengeOutcome(upheld=True),
    "rejected": lambda _: moves.ChallengeOutcome(upheld=False),
}


_RULING_WORDS = ("replace", "insert", "after", "remove")
KEYWORDS = frozenset({*_SEAT_EVENTS, *_LINES, "on", "call", "colour", *COLOURS, *_RULING_WORDS})
"""All words of a line besides seats, tiles, numbers and texts; also those of a ruling text."""


def _read_line(word: str, words: LineWords) -> Event:
    read = _LINES.get(word)
    if read is None:
        raise words.wrong("a time, a seat A to F, or one of %(words)s", words=", ".join(_LINES))
    return read(words)
