"""Ratings of a league that include a match in its current state.

Whether or not the match is rated yet.
"""

from dataclasses import replace

from django.db import transaction

from league.competitions.amendments.diff import Effect
from league.competitions.models import Competition, Rating
from league.competitions.ratings.services import rate_match
from league.matches.models import Match
from league.players.models import Player


def ratings_with(match: Match) -> dict[int, int]:
    """Return ratings by player, in whole numbers.

    Empty if no game of the match counts. `rate_match` rates it, and is rolled back: the stored ratings follow after the
    commit, as ever.
    """
    if not Competition.objects.filter(stages__matchdays__slots__match=match, rated=True).exists():
        return {}
    with transaction.atomic():
        rate_match(match.pk)
        rows = Rating.objects.filter(
            rating_list__league=match.league_id, rating_list__ruleset=match.ruleset, latest=True
        )
        found = {player: round(rating) for player, rating in rows.values_list("player", "rating")}
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
