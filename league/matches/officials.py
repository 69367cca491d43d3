"""Number of officials for one act in a match: two, or one if no second is free."""

from collections.abc import Collection

from league.accounts.models import League, Role, User
from league.accounts.permissions import OFFICIALS
from league.matches.models import Side


def taking_one(match_ids: Collection[int]) -> frozenset[int]:
    """Return those of the matches in which the act of one official is enough.

    Two statements. It is if the league requires one only, or it has fewer than two active officials outside the match.
    """
    rows = Side.objects.filter(match__in=match_ids).values_list(
        "match",
        "match__league",
        "match__league__officials_needed",
        "entrant__player__user",
        "entrant__partner__user",
    )
    league_of: dict[int, tuple[int, int]] = {}
    playing: dict[int, set[int | None]] = {}
    for match, league, needed, *accounts in rows:
        league_of[match] = (league, needed)
        playing.setdefault(match, set()).update(accounts)
    officials = _officials({league for league, needed in league_of.values() if needed > 1})
    return frozenset(
        match
        for match, (league, needed) in league_of.items()
        if needed == 1 or len(officials.get(league, set()) - playing[match]) < 2
    )


def is_official_free(match_id: int) -> bool:
    """Return whether an active official of the league does not play in the match.

    Two statements.
    """
    sides = Side.objects.filter(match=match_id).values_list(
        "match__league", "entrant__player__user", "entrant__partner__user"
    )
    leagues = {league for league, *_accounts in sides}
    playing = {account for _league, *accounts in sides for account in accounts}
    return any(officials - playing for officials in _officials(leagues).values())


def may_act_alone(league_id: int, needed: int) -> bool:
    """Return whether one official is enough for an act on the league as a whole.

    One statement at most.
    """
    return needed == 1 or len(_officials({league_id}).get(league_id, ())) < 2


def alone_in(leagues: Collection[League], user: User) -> frozenset[int]:
    """Return those of the leagues in which this official acts alone: one is enough, or there is no other.

    One statement.
    """
    others = Role.objects.filter(league__in=leagues, kind__in=OFFICIALS, user__is_active=True).exclude(user=user)
    shared = set(others.values_list("league", flat=True))
    return frozenset(one.pk for one in leagues if one.officials_needed == 1 or one.pk not in shared)


def _officials(leagues: Collection[int]) -> dict[int, set[int]]:
    """Return the accounts of active officials by league."""
    found: dict[int, set[int]] = {}
    if leagues:
        active = Role.objects.filter(league__in=leagues, kind__in=OFFICIALS, user__is_active=True)
        for league, user in active.values_list("league", "user"):
            found.setdefault(league, set()).add(user)
    return found
