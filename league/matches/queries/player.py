"""Data of the page of a player or a pair."""

from dataclasses import dataclass
from datetime import datetime

from django.db.models import F, Min, Q, QuerySet

from league.accounts.models import League
from league.accounts.permissions import Asker
from league.matches.models import Match
from league.matches.queries.career import Career, career
from league.matches.queries.lines import people_of
from league.matches.visibility import matches_of, visible_matches, visible_pairs, visible_players
from league.players.models import Entrant, Player, plays
from league.players.pairs import by_codes
from league.players.shown import Person


@dataclass(frozen=True, slots=True)
class PairPage:
    """A pair that shares a seat: its matches and its career in them."""

    pair: Entrant
    people: tuple[Person, ...]
    career: Career
    matches: QuerySet[Match]


def pair_page(user: Asker, code: str, now: datetime) -> PairPage:
    """Return the page of a pair by both codes with a hyphen between, in either order.

    Raises Entrant.DoesNotExist.
    """
    pair = visible_pairs(user).filter(by_codes(code)).order_by("pk").first()
    if pair is None:
        raise Entrant.DoesNotExist
    matches = visible_matches(user).filter(sides__entrant=pair)
    return PairPage(
        pair=pair,
        people=people_of(pair),
        career=career(Entrant.objects.filter(pk=pair.pk), matches, now),
        matches=matches.order_by(F("starts_at").desc(nulls_last=True), "-pk"),
    )


@dataclass(frozen=True, slots=True)
class PlayerPage:
    """Data of the player page.

    `career` covers `matches`: those visible to the asker and asked for. `first_at`: start of the first match, if there
    is no result yet.
    """

    player: Player
    leagues: list[League]
    career: Career
    matches: QuerySet[Match]
    first_at: datetime | None = None


def player_page(user: Asker, code: str, now: datetime) -> PlayerPage:
    """Return the page of a player. Raises Player.DoesNotExist.

    The number of statements does not depend on the number of matches.
    """
    return page_of_player(user, found_player(user, code), now)


def found_player(user: Asker, code: str) -> Player:
    """Return a visible player by code. Raises Player.DoesNotExist."""
    return visible_players(user).get(code=code.strip().upper())


def seen_matches(user: Asker, player: Player) -> QuerySet[Match]:
    return visible_matches(user).filter(pk__in=matches_of(player).values("pk"))


def page_of_player(user: Asker, player: Player, now: datetime, *, within: Q | None = None) -> PlayerPage:
    """Return the page of a visible player.

    `within`: a filter on the matches, None for all.
    """
    everything = seen_matches(user, player)
    matches = everything.filter(within) if within else everything
    done = career(Entrant.objects.filter(plays(player)), matches, now, code=player.code)
    nothing = not done.known.games and not done.played
    return PlayerPage(
        player=player,
        leagues=list(League.objects.filter(matches__in=everything.order_by()).distinct().order_by("name")),
        career=done,
        matches=matches.order_by(F("starts_at").desc(nulls_last=True), "-pk"),
        first_at=everything.aggregate(first=Min("starts_at"))["first"] if nothing else None,
    )
