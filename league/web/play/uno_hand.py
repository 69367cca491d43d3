"""Tiles of a player of Uno Dominoes and their places, with their words for screen readers."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.safestring import SafeString
from django.utils.translation import pgettext

from games.inventory import COLOURS as LETTERS
from league.play.hands import HeldTile
from league.web.components.tiles import tile
from league.web.words.games.halves import half_spoken
from league.web.words.games.replay import COLOURS
from referee.frames import RoundFrames


@dataclass(frozen=True, slots=True)
class WayChoice:
    """A tile with one half first; `on`: its places, separated by spaces."""

    value: str
    on: str
    fits: bool
    label: str


@dataclass(frozen=True, slots=True)
class TileChoice:
    """A tile in the hand, with one way for each half that can touch; a doublet has one."""

    drawn: SafeString
    spoken: str
    ways: list[WayChoice]

    @property
    def fits(self) -> bool:
        return any(way.fits for way in self.ways)


@dataclass(frozen=True, slots=True)
class OpenPlace:
    """A tile on the table with an open end, and what it shows there."""

    tile: str
    drawn: SafeString
    shows: str


def uno_hand(held: Sequence[HeldTile]) -> list[TileChoice]:
    """Return the tiles of a player in the order in which they came."""
    return [TileChoice(tile(one.name, upright=True), _spoken(one.name), list(map(_way, one.ways))) for one in held]


def _way(way: HeldTile) -> WayChoice:
    first, outer = map(half_spoken, way.name.split("-"))
    facts = {"first": first, "outer": outer, "on": ", ".join(way.on)}
    if not way.on:
        label = pgettext("practice", "%(first)s touches, %(outer)s outside: fits nowhere") % facts
    elif way.on[0]:
        label = pgettext("practice", "%(first)s touches, %(outer)s outside: fits on %(on)s") % facts
    else:
        label = pgettext("practice", "double %(first)s, can be led") % facts
    return WayChoice(way.name, " ".join(way.on), bool(way.on), label)


def _spoken(name: str) -> str:
    return " – ".join(map(half_spoken, name.split("-")))


def uno_places(shown: RoundFrames, joins: Sequence[str], doublets: Sequence[str]) -> list[OpenPlace]:
    """Return the places of the table; to reopen a dead end, its doublets."""
    if doublets:
        return [OpenPlace(name, tile(name), "") for name in doublets]
    faces = {shown.trail[end.tile].tile: end.face for end in shown.frames[-1].ends}
    return [OpenPlace(name, tile(name), _shows(faces[name])) for name in joins]


def colour_choices() -> list[tuple[str, str, object]]:
    """Return the key, name and word of each colour."""
    return [(letter, colour, COLOURS[colour]) for letter, colour in LETTERS.items()]


def _shows(face: str) -> str:
    return str(COLOURS[face]) if face in COLOURS else half_spoken(face)
