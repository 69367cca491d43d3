"""The time of a competition's last match."""

from datetime import datetime
from typing import Any

from django.db.models import Case, Max, Min, OuterRef, Q, QuerySet, Subquery, When
from django.db.models.functions import Coalesce, Least

from league.competitions.models import Competition
from league.matches.models import ClockEvent, Match

PLACE = "slot__matchday__stage__competition"
# The plan fixes the days of a season and of rounds on several days; an imported result came in when it was imported.
DATED = (
    Q(**{f"{PLACE}__days_between__gt": 0})
    | Q(**{f"{PLACE}__division__isnull": False})
    | Q(**{f"{PLACE}__imported_at__isnull": False})
)


def last_match(competition: OuterRef | int) -> QuerySet[Match, Any]:
    """Select the time of the last match that has a result; one value, or none.

    The start of its clock. Without a clock: in an evening, whose hours are a forecast, the time of its first record;
    else its scheduled start, or that record if it is earlier, because results may be typed days later.
    """
    matches = Match.objects.filter(**{PLACE: competition}, games__results__current=True)
    started = Q(games__clock_events__kind=ClockEvent.Kind.START)
    timed = matches.annotate(
        handed_in=Min("games__records__submitted_at"), begun=Max("games__clock_events__at", filter=started)
    )
    planned = Least(Coalesce("starts_at", "handed_in"), "handed_in")
    hours = timed.annotate(hour=Coalesce("begun", Case(When(DATED, then=planned), default="handed_in")))
    return hours.order_by("-hour").values("hour")[:1]


def day_of(competition: Competition) -> datetime | None:
    """Return the time of the last match of a finished competition; before its end the planned start.

    One statement once it is finished, else none; kept on the row. Needs its stages.
    """
    if not hasattr(competition, "last_day"):
        over = all(stage.finished_at for stage in competition.stages.all())
        hours = [row["hour"] for row in last_match(competition.pk)] if over else []
        competition.last_day = hours[0] if hours else competition.starts_at
    return competition.last_day


def last_day() -> Subquery:
    """The same hour in a query of competitions."""
    return Subquery(last_match(OuterRef("pk")))
