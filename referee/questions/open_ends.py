"""Layouts that leave given ends open, for questions about a count (RULES.md 1.2).

People remember open ends, not the plays before. The tiles found here are real, joined as the rules allow, so that every
question to the engine is about a possible position.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import islice, pairwise, permutations
from typing import NamedTuple

from games.layout import Layout
from games.ruleset import Spinner
from games.tile import Mask, Tile
from games.tiles import DOUBLE_SIX

MOST_ENDS = 16
"""Most open ends: 28 sides of seven spinners, less the twelve used by six tiles.

Every double is a spinner with four sides, and six tiles join the seven.
"""
_HALVES = 6
"""Number of tiles with a single half of a face."""
_MOST_STEPS = 100
"""Most steps of a search from one row of spinners: many times a good row's need."""
_MOST_ROWS = 15
"""Most rows of spinners tried; for positions of real games the first rows suffice."""


class QuestionError(ValueError):
    """A question without an answer.

    ``field`` is the wrong part of it, ``template`` and ``facts`` give the reason.
    """

    def __init__(self, field: str, template: str, **facts: object) -> None:
        super().__init__(template % facts)
        self.field = field
        self.template = template
        self.facts = facts


class ToldEnd(NamedTuple):
    """An open end as people say it: a half, or a double with a free side.

    The double counts both halves.
    """

    face: int
    double: bool

    @property
    def terms(self) -> tuple[int, ...]:
        """Summands in the open-end count."""
        return (self.face, self.face) if self.double else (self.face,)


class Joined(NamedTuple):
    """A tile on the table, and the tile it was joined to; ``None`` for the lead."""

    tile: Tile
    on: Tile | None


def read_ends(text: str) -> tuple[ToldEnd, ...]:
    """Read the open ends of a line such as ``6-6 5 3``.

    Raises :class:`QuestionError` for the field ``ends``. A tile alone has two ends, unless it is a double.

    >>> read_ends("6-6, 5, 3")
    (ToldEnd(face=6, double=True), ToldEnd(face=5, double=False), ToldEnd(face=3, double=False))
    """
    words = re.split(r"[\s,;+]+", text.strip(" \t\r\n,;+")) if text.strip() else []
    if not words:
        raise QuestionError("ends", "Say what lay open: pips, and doubles as 6-6.")
    if len(words) > MOST_ENDS:
        raise QuestionError("ends", "No table has more than %(most)s open ends.", most=MOST_ENDS)
    if len(words) == 1 and re.fullmatch(r"[0-6]-[0-6]", words[0]) and words[0][0] != words[0][2]:
        return ToldEnd(int(words[0][0]), False), ToldEnd(int(words[0][2]), False)
    return tuple(map(_read_end, words))


def _read_end(word: str) -> ToldEnd:
    if re.fullmatch(r"[0-6]", word):
        return ToldEnd(int(word), False)
    halves = re.fullmatch(r"([0-6])-([0-6])", word)
    if halves is None:
        raise QuestionError(
            "ends", "%(word)s is no open end: write pips from 0 to 6, and a double as 6-6.", word=word[:20]
        )
    if halves[1] != halves[2]:
        raise QuestionError(
            "ends", "%(word)s is a tile with two halves: write only the half that lies open.", word=word
        )
    return ToldEnd(int(halves[1]), True)


def lay_out(ends: Sequence[ToldEnd], spinner: Spinner) -> list[Joined]:
    """Find tiles that can be joined in order and leave exactly these ends open.

    ``spinner`` is the spinner rule. Raises :class:`QuestionError` for the field ``ends`` if no tiles do, with the
    reason if it is simple.
    """
    _refuse_what_is_plain(ends, spinner)
    found = _Search(ends, spinner).found()
    if found is None:
        raise QuestionError("ends", "No tiles of one set can leave these ends open.")
    return found


def _refuse_what_is_plain(ends: Sequence[ToldEnd], spinner: Spinner) -> None:
    if len(ends) == 1 and not ends[0].double:
        raise QuestionError("ends", "One end alone lies open only at a single double: write every end, a blank as 0.")
    doubles = [end.face for end in ends if end.double]
    twice = next((face for face in doubles if doubles.count(face) > 1), None)
    if twice is not None:
        raise QuestionError("ends", "There is only one %(tile)s in the set.", tile=f"{twice}-{twice}")
    halves = [end.face for end in ends if not end.double]
    often = next((face for face in halves if halves.count(face) > _HALVES), None)
    if often is not None:
        raise QuestionError("ends", "Only %(most)s tiles have a single %(face)s.", most=_HALVES, face=often)
    most = {Spinner.NONE: 2, Spinner.FIRST: 4, Spinner.ALL: MOST_ENDS}[spinner]
    if len(ends) > most:
        raise QuestionError("ends", "Under these rules at most %(most)s ends lie open.", most=most)


def layout_of(tiles: Sequence[Joined], spinner: Spinner) -> Layout:
    """Put the tiles on the table.

    Raises :class:`QuestionError` for the field ``board`` at the first that does not fit.
    """
    layout = Layout(DOUBLE_SIX, spinner)
    for tile, on in tiles:
        if layout.table & tile.bit:
            raise QuestionError("board", "%(tile)s is on the table already.", tile=tile.name)
        if layout.join(tile, tile.takes if on is None else tile.takes & on.places) is not None:
            continue
        if not layout.fitting() & tile.bit:
            raise QuestionError("board", "%(tile)s fits no open end.", tile=tile.name)
        if on is None:
            raise QuestionError("board", "Say which tile %(tile)s was joined to.", tile=tile.name)
        raise QuestionError("board", "%(tile)s does not fit an open end of %(on)s.", tile=tile.name, on=on.name)
    return layout


class _Search:
    """Search for tiles: a chain for two ends, arms from a row of spinners for more.

    Each arm is as short as possible.
    """

    def __init__(self, ends: Sequence[ToldEnd], spinner: Spinner) -> None:
        self.ends = ends
        self.spinner = spinner
        self.steps = 0
        self.reserved: Mask = sum(_tile(end.face, end.face).bit for end in ends if end.double)

    def found(self) -> list[Joined] | None:
        if len(self.ends) <= 2:
            return next(self._chains(), None)
        # A spinner with its pips open elsewhere needs long arms, so the others come first.
        told = [end.face for end in self.ends]
        faces = sorted((f for f in range(7) if not _tile(f, f).bit & self.reserved), key=told.count)
        spines = permutations(faces, (len(self.ends) - 1) // 2)
        return next((tiles for spine in islice(spines, _MOST_ROWS) for tiles in self._grown(spine)), None)

    def _chains(self) -> Iterator[list[Joined]]:
        first, *others = sorted(self.ends, key=lambda end: not end.double)
        if not others:
            yield [Joined(_tile(first.face, first.face), None)]
            return
        if first.double:
            lead = _tile(first.face, first.face)
            for arm in self._arms(lead, first.face, others[0], self.reserved):
                yield [Joined(lead, None), *arm]
            return
        for inner in (others[0].face, *range(7)):
            if inner != first.face:
                lead = _tile(first.face, inner)
                if inner == others[0].face:
                    yield [Joined(lead, None)]
                for arm in self._arms(lead, inner, others[0], lead.bit):
                    yield [Joined(lead, None), *arm]

    def _grown(self, spine: tuple[int, ...]) -> Iterator[list[Joined]]:
        """Yield layouts grown from these spinners, joined in a row.

        Each takes four tiles, and at least two, which cover its sides.
        """
        tiles = [Joined(_tile(spine[0], spine[0]), None)]
        for before, face in pairwise(spine):
            between = _tile(before, face)
            tiles += [Joined(between, tiles[-1].tile), Joined(_tile(face, face), between)]
        used = self.reserved | sum(tile.bit for tile, _ in tiles)
        inner = len(spine) > 1
        room = {face: 4 - (1 + (0 < n < len(spine) - 1) if inner else 0) for n, face in enumerate(spine)}
        self.steps = 0
        for arms in self._placed(sorted(self.ends, key=lambda end: not end.double), room, used):
            laid = tiles + arms
            layout = layout_of(laid, self.spinner)
            if sorted(layout.terms()) == sorted(term for end in self.ends for term in end.terms):
                yield laid

    def _placed(self, ends: list[ToldEnd], room: dict[int, int], used: Mask) -> Iterator[list[Joined]]:
        """Yield the arms to these ends, each from a spinner with room for it."""
        if not ends:
            yield []
            return
        end, *others = ends
        for face, free in room.items():
            if not free:
                continue
            for arm in self._arms(_tile(face, face), face, end, used):
                self.steps += 1
                if self.steps > _MOST_STEPS:
                    return
                taken = used | sum(tile.bit for tile, _ in arm)
                for rest in self._placed(others, {**room, face: free - 1}, taken):
                    yield arm + rest

    def _arms(self, start: Tile, face: int, end: ToldEnd, used: Mask) -> Iterator[list[Joined]]:
        """Yield tiles from an open half of ``start`` to this end, unused, shortest first."""
        last = [_tile(end.face, end.face)] if end.double else []
        for length in (0, 1, 2) if face != end.face else (2,):
            for inner in permutations((f for f in range(7) if f not in (face, end.face)), length):
                stops = (face, *inner, end.face)
                arm = [_tile(a, b) for a, b in pairwise(stops)]
                if not any(tile.bit & used for tile in arm):
                    yield _joined(start, arm + last)
        if face == end.face and end.double and start.double is False:
            yield _joined(start, last)


def _joined(start: Tile, arm: list[Tile]) -> list[Joined]:
    return [Joined(tile, on) for tile, on in zip(arm, [start, *arm], strict=False)]


_TILES = [[DOUBLE_SIX.tile(f"{a}-{b}") for b in range(7)] for a in range(7)]


def _tile(a: int, b: int) -> Tile:
    return _TILES[a][b]
