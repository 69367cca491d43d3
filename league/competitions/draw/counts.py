"""Counts of players, matches and decided matches for many competitions."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass

from django.db.models import Count, QuerySet

from league.competitions.models import IS_PLAYED, Competition, Registration, Slot
from league.matches.models import Match

# Listed by name, so that the query uses the index on `state`.
OPEN = [state for state in Match.State.values if state != Match.State.DECIDED]
COMPETITION = "matchday__stage__competition"


@dataclass(frozen=True, slots=True)
class DrawCount:
    players: int = 0
    matches: int = 0
    decided: int = 0


def draw_counts(competitions: Collection[int]) -> dict[int, DrawCount]:
    """Count by competition, with zeros for empty ones. Four statements.

    Fifty competitions have tens of thousands of matches. So the query reads only undecided matches, by their indexed
    state, and berths only of slots without a match: a slot has a match only if two entrants are in it.
    """
    slots = Slot.objects.filter(**{f"{COMPETITION}__in": competitions})
    players = Registration.objects.filter(competition__in=competitions).order_by().values_list("competition")
    registered = dict(players.annotate(found=Count("pk")))
    known = _by_competition(slots.filter(match__isnull=False))
    to_come = _by_competition(slots.filter(IS_PLAYED, match=None))
    still_open = _by_competition(slots.filter(match__in=Match.objects.filter(state__in=OPEN)))
    return {
        one: DrawCount(
            players=registered.get(one, 0),
            matches=known.get(one, 0) + to_come.get(one, 0),
            decided=known.get(one, 0) - still_open.get(one, 0),
        )
        for one in competitions
    }


def _by_competition(slots: QuerySet[Slot]) -> dict[int, int]:
    return dict(slots.order_by().values_list(COMPETITION).annotate(found=Count("pk")))


def with_counts(competitions: Iterable[Competition]) -> list[Competition]:
    """Give a page's competitions their `draw_count`. Four statements."""
    rows = list(competitions)
    counts = draw_counts([one.pk for one in rows])
    for one in rows:
        one.draw_count = counts[one.pk]
    return rows
