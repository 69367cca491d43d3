"""Search for players, leagues, competitions by a part of a name, in any spelling."""

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
    """Visible results of a search.

    Names that begin with the text come first, then names with a word that does.
    """

    players: QuerySet[Player]
    leagues: QuerySet[League]
    competitions: QuerySet[Competition]


def search(user: Asker, wanted: str) -> Found:
    """Search by name or code; runs no statement yet.

    A minor is found only by the whole code, so that guessing names reveals no child.
    """
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
