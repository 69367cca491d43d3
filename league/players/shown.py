"""Who an entrant is, read as plain values: where hundreds are named, their rows would be most of the work."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from league.accounts.naming import is_minor
from league.players.models import Player, shown_name, together

_PLAYER = ("code", "name", "born", "apart", "user")


@dataclass(frozen=True, slots=True)
class Person:
    """One of those who play for an entrant, as everybody may read it."""

    name: str
    code: str
    apart: str


@dataclass(frozen=True, slots=True)
class PlayerRow:
    """A player as far as names go; as `Player` says it."""

    code: str
    shown_name: str
    is_minor: bool
    apart: str
    user_id: int | None


@dataclass(frozen=True)
class Who:
    """An entrant as `Entrant` says it: one player, or the two of a pair in their order."""

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
    """What `who` wants of a row that has such an entrant."""
    return [f"{entrant}__{one}__{what}" for one in ("player", "partner") for what in _PLAYER]


def who(values: Sequence[object]) -> Who:
    """From the values of `who_values`."""
    half = len(_PLAYER)
    player, partner = values[:half], values[half:]
    return Who([_player(*player), _player(*partner)] if partner[0] else [_player(*player)])


def _player(code: str, name: str, born: int | None, apart: str, user_id: int | None) -> PlayerRow:
    minor = is_minor(born)
    return PlayerRow(code, shown_name(code, name, minor=minor), minor, apart, user_id)
