"""One search for players, leagues and competitions, by any part of a name, however it is spelt."""

from dataclasses import dataclass

from django.db.models import F, QuerySet

from league.accounts.folding import fold, holds, nearness
from league.accounts.models import League
from league.accounts.permissions import Asker
from league.competitions.models import Competition
from league.competitions.visibility import visible_competitions
from league.matches.visibility import visible_players
from league.players.models import Player
from league.players.queries import found_by_name


@dataclass(frozen=True, slots=True)
class Found:
    """What the asker may find: names that begin with it first, then those with a word that does."""

    players: QuerySet[Player]
    leagues: QuerySet[League]
    competitions: QuerySet[Competition]


def search(user: Asker, wanted: str) -> Found:
    """A minor is found by nobody who only tries names, but by the whole code. No statement yet."""
    part = fold(wanted)
    near = nearness(part)
    return Found(
        players=visible_players(user)
        .filter(found_by_name(wanted))
        .annotate(near=near)
        .order_by("near", "listed", "code"),
        leagues=League.objects.filter(holds(part)).annotate(near=near).order_by("near", "name", "pk"),
        competitions=visible_competitions(user)
        .filter(holds(part))
        .annotate(near=near)
        .order_by("near", F("published_at").desc(nulls_first=True), "name", "pk"),
    )
