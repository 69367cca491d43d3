"""Names of entrants as plain values, because building hundreds of rows is slow."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from league.accounts.naming import is_minor
from league.players.models import Player, shown_name, together

_PLAYER = ("code", "name", "born", "apart", "user")


@dataclass(frozen=True, slots=True)
class Person:
    """A player of an entrant, with public name."""

    name: str
    code: str
    apart: str


@dataclass(frozen=True, slots=True)
class PlayerRow:
    """The columns of a player needed for names; the same fields as `Player`."""

    code: str
    shown_name: str
    is_minor: bool
    apart: str
    user_id: int | None


@dataclass(frozen=True)
class Who:
    """The names of an entrant: one player, or the two of a pair in their order."""

    players: Sequence[Player | PlayerRow]

    @cached_property
    def name(self) -> str:
        return together(one.shown_name for one in self.players)

    @cached_property
    def code(self) -> str:
        return "-".join(one.code for one in self.players)

    @cached_property
    def apart(self) -> str:
        return " / ".join(one.apart for one in self.players if one.apart)

    @cached_property
    def is_minor(self) -> bool:
        return any(one.is_minor for one in self.players)

    @cached_property
    def people(self) -> tuple[Person, ...]:
        return tuple(Person(one.shown_name, one.code, one.apart) for one in self.players)


def who_values(entrant: str = "entrant") -> list[str]:
    """Return the columns that `who` needs, for rows with such an entrant."""
    return [f"{entrant}__{one}__{what}" for one in ("player", "partner") for what in _PLAYER]


def who(values: Sequence[Any]) -> Who:
    """Build the entrant from the values of `who_values`."""
    half = len(_PLAYER)
    player, partner = values[:half], values[half:]
    return Who([_player(*player), _player(*partner)] if partner[0] else [_player(*player)])


def _player(code: str, name: str, born: int | None, apart: str, user_id: int | None) -> PlayerRow:
    minor = is_minor(born)
    return PlayerRow(code, shown_name(code, name, minor=minor), minor, apart, user_id)
