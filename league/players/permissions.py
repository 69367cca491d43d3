"""What outsiders do not learn about minors."""

from collections.abc import Iterable

from league.accounts.permissions import STAFF, Asker, leagues_where
from league.players.models import Player
from league.players.shown import PlayerRow


def hides_table(user: Asker, league_id: int, players: Iterable[Player | PlayerRow], staff_of: frozenset[int]) -> bool:
    """Whether the asker must not learn at which table these players sit while their match is open: one of them may be
    under age, and the asker is neither of the league's staff nor one of them. No statement.
    """
    seated = list(players)
    if not any(player.is_minor for player in seated):
        return False
    if not user.is_authenticated:
        return True
    return league_id not in staff_of and all(player.user_id != user.pk for player in seated)


def staff_leagues(user: Asker) -> frozenset[int]:
    """Ids of the leagues whose staff the asker is; one statement for whoever is signed in."""
    if not user.is_authenticated:
        return frozenset()
    return frozenset(leagues_where(user, STAFF).values_list("league_id", flat=True))
