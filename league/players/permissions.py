"""Privacy of minors."""

from collections.abc import Iterable

from league.accounts.permissions import STAFF, Asker, leagues_where
from league.players.models import Player
from league.players.shown import PlayerRow


def hides_table(user: Asker, league_id: int, players: Iterable[Player | PlayerRow], staff_of: frozenset[int]) -> bool:
    """Return whether the table of these players is hidden from the asker.

    No statement.

    It is while their match is open, if one of them may be a minor, and the asker is neither of the league's staff nor
    one of them.
    """
    seated = list(players)
    if not any(player.is_minor for player in seated):
        return False
    if not user.is_authenticated:
        return True
    return league_id not in staff_of and all(player.user_id != user.pk for player in seated)


def staff_leagues(user: Asker) -> frozenset[int]:
    """Return ids of the leagues where the asker is staff.

    One statement for signed-in users.
    """
    if not user.is_authenticated:
        return frozenset()
    return frozenset(leagues_where(user, STAFF).values_list("league_id", flat=True))
