"""Enrolment of people named in a file, with their years of birth."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.utils import timezone

from league.accounts.models import League, User
from league.players.enrolling import check_born
from league.players.models import Entrant, Player
from league.players.naming import same, tell_apart
from league.players.pairs import Fields, Partners
from league.players.services import paste_rows


@dataclass(frozen=True, slots=True, kw_only=True)
class FiledPartner:
    """Second player of a pair; the first is described by the entrant."""

    name: str
    club: str = ""
    number: str = ""
    born: int | None = None
    minor: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class FiledAdjustment:
    """Match points given to an entrant, or taken if negative."""

    points: int
    reason: str
    made_at: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class FiledEntrant:
    key: str
    name: str
    club: str = ""
    number: str = ""
    born: int | None = None
    minor: bool = False
    rating: int | None = None
    free_reason: str = ""
    withdrawn_because: str = ""
    place: str = ""
    partner: FiledPartner | None = None
    adjustments: tuple[FiledAdjustment, ...] = ()
    byes: tuple[int, ...] = ()


def rows_of(entrants: Iterable[FiledEntrant]) -> list[tuple[int, Fields]]:
    """Convert to pasted rows; the line is the entrant's number in the file."""
    return [(count, _fields(one)) for count, one in enumerate(entrants, start=1)]


def _fields(one: FiledEntrant) -> Fields:
    first, other = [one.name, one.club, one.number], one.partner
    return Partners([first, [other.name, other.club, other.number]]) if other else first


def store_people(league: League, entrants: Sequence[FiledEntrant], user: User) -> list[Entrant]:
    """Find known players and enrol new ones, in list order. Raises as `paste_rows`."""
    stored = paste_rows(league, rows_of(entrants), user=user, since=timezone.localdate()).entrants
    for one, entrant in zip(entrants, stored, strict=True):
        for player, born in _years(one, entrant):
            if born is not None:  # a known player keeps the stored year
                Player.objects.filter(pk=player.pk, born=None).update(born=check_born(born))
    tell_apart(player.folded for entrant in stored for player in entrant.players)
    return stored


def _years(one: FiledEntrant, entrant: Entrant) -> Iterable[tuple[Player, int | None]]:
    """Match players and years; a stored pair may have its partners in reverse order."""
    if one.partner is None:
        return [(entrant.player, one.born)]
    first, second = entrant.players
    if one.name != first.code and same(one.name) != same(first.name):
        first, second = second, first
    return [(first, one.born), (second, one.partner.born)]
