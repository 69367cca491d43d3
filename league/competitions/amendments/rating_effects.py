"""Ratings of a league that include a match in its current state.

Whether or not the match is rated yet.
"""

from collections.abc import Iterable
from dataclasses import replace

from django.db import transaction

from league.accounts.models import User
from league.competitions.amendments.diff import Effect, RatingChange
from league.competitions.models import Competition, Rating
from league.competitions.ratings.services import count_for_ratings, rate_league, rate_match
from league.matches.models import Match
from league.players.models import Player


def ratings_with(match: Match, voided: Iterable[int] = ()) -> dict[int, int]:
    """Return ratings by player, in whole numbers. `voided`: keys of matches that no longer count.

    Empty if no game of the match counts. `rate_match` rates it, and is rolled back: the stored ratings follow after the
    commit, as ever.
    """
    if not Competition.objects.filter(stages__matchdays__slots__match=match, rated=True).exists():
        return {}
    with transaction.atomic():
        for one in (match.pk, *voided):
            rate_match(one)
        found = _whole_ratings(match)
        transaction.set_rollback(True)
    return found


def with_names(effect: Effect) -> Effect:
    """Fill in the names of rating changes.

    One statement if a rating changes, else none.
    """
    if not effect.ratings:
        return effect
    names = {one.pk: str(one) for one in Player.objects.filter(pk__in=[one.player for one in effect.ratings])}
    return replace(effect, ratings=tuple(replace(one, name=names.get(one.player, "")) for one in effect.ratings))


def ratings_without(competition: Competition, *, user: User) -> list[RatingChange]:
    """Return the changes of ratings if the competition's games did not count, by name. Nothing is stored.

    Empty if it is not rated, or nobody's rating would change.
    """
    if not competition.rated:
        return []
    with transaction.atomic():
        rate_league(competition.league_id)  # results that no worker has rated yet
        before = _whole_ratings(competition)
        count_for_ratings(competition, user=user, rated=False)
        after = _whole_ratings(competition)
        transaction.set_rollback(True)
    changed = [
        RatingChange(player, before.get(player), after.get(player))
        for player in {*before, *after}
        if before.get(player) != after.get(player)
    ]
    names = {one.pk: str(one) for one in Player.objects.filter(pk__in=[one.player for one in changed])}
    named = [replace(one, name=names[one.player]) for one in changed]
    return sorted(named, key=lambda one: (one.name.casefold(), one.player))


def _whole_ratings(of: Competition | Match) -> dict[int, int]:
    rows = Rating.objects.filter(rating_list__league=of.league_id, rating_list__ruleset=of.ruleset, latest=True)
    return {player: round(rating) for player, rating in rows.values_list("player", "rating")}
