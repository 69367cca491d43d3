"""The matches of a competition by hour, and its entrants, each in pages."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import F, QuerySet
from django.db.models.functions import Coalesce

from league.accounts.permissions import Asker
from league.competitions.draw_shape import shape_of
from league.competitions.draw_view import MatchdayView, SlotView, window_views
from league.competitions.models import IS_PLAYED, Competition, Matchday, Registration, Slot
from league.matches.models import Match
from league.players.models import PEOPLE

OVER = (Match.State.DECIDED,)


@dataclass(frozen=True, slots=True)
class ScheduledSlot:
    """A match of the draw, with its round."""

    day: MatchdayView
    slot: SlotView


@dataclass(frozen=True, slots=True)
class Scheduled:
    """The matches of a competition by hour.

    `keys`: of the slots that the asker of `seen_competition` may see, those without an hour last. `current`: number of
    slots before the first that is not over; all but the last once all are over.
    """

    competition: Competition
    keys: list[int]
    current: int

    def read(self, keys: Sequence[int], user: Asker) -> list[ScheduledSlot]:
        """Read these slots, in this order. As many statements for any number."""
        competition = self.competition
        numbers = shape_of(competition).numbers
        days = window_views(competition, numbers, set(keys), user, everything=competition.for_staff)
        found = {slot.id: ScheduledSlot(day, slot) for day in days for slot in day.slots}
        return [found[key] for key in keys]


def scheduled(competition: Competition) -> Scheduled:
    """List the matches of a competition by hour. One statement."""
    slots = Slot.objects.filter(IS_PLAYED, matchday__stage__competition=competition, not_needed=False)
    if not competition.for_staff:
        slots = slots.filter(matchday__published_at__isnull=False)
    hour = Coalesce("match__starts_at", "starts_at")
    ordered = slots.order_by(
        hour.asc(nulls_last=True), "matchday__stage__number", "matchday__number", "number", F("pk")
    )
    rows = list(ordered.values_list("pk", "match__state"))
    current = next((place for place, (_key, state) in enumerate(rows) if state not in OVER), max(len(rows) - 1, 0))
    return Scheduled(competition, [key for key, _state in rows], current)


def to_be_published(competition: Competition) -> int:
    """Number of drawn rounds that an outsider cannot see yet.

    One statement, none for the staff.
    """
    if competition.for_staff:
        return 0
    return Matchday.objects.filter(stage__competition=competition, published_at__isnull=True).count()


def entrants_listed(competition: Competition) -> QuerySet[Registration]:
    """Registrations in the order of the seeds."""
    return Registration.objects.filter(competition=competition).select_related(*PEOPLE).order_by("seed", "pk")
