"""Forecast of a competition: rounds, matches and hours before it is fully drawn."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from league.competitions.draw.laying_out import fewest, rounds_of
from league.competitions.draw.schedule.bookings import taken
from league.competitions.draw.schedule.seating import usable_tables
from league.competitions.draw.schedule.timetable import Bookings, Timetable
from league.competitions.entrants import rounds_to_pair
from league.competitions.formats.table_rounds import table_sizes
from league.competitions.models import Competition, Stage


@dataclass(frozen=True, slots=True)
class Expected:
    """Expected size and hours of a competition.

    `rounds` of all stages; `matches` without byes. Hours are None if the plan has none; `finish` is the end of the last
    match. A deciding match counts as played.
    """

    rounds: int
    matches: int
    starts_at: datetime | None
    finish: datetime | None


def expected(competition: Competition) -> Expected:
    """Forecast for the present registrations; zero rounds and matches if too few."""
    sizes = list(_sizes(competition))
    timetable = Timetable(
        starts_at=competition.starts_at,
        zone=ZoneInfo(competition.league.time_zone),
        minutes=competition.minutes,
        days_between=competition.days_between,
        tables=[table.pk for table in usable_tables(competition)],
        taken=taken(competition, since=competition.starts_at) if competition.starts_at else Bookings(),
    )
    hours = [seat.starts_at for one in timetable.plan([[()] * size for size in sizes]) for seat in one]
    known = [hour for hour in hours if hour]
    return Expected(
        rounds=len(sizes),
        matches=sum(sizes),
        starts_at=min(known, default=None),
        finish=max(known) + timedelta(minutes=competition.minutes) if known else None,
    )


def _sizes(competition: Competition) -> Iterator[int]:
    """Yield the number of matches of each round, stage after stage."""
    entrants = competition.registrations.count()
    for stage in competition.stages.order_by("number"):
        yield from stage_sizes(stage, entrants)
        entrants = min(entrants, going_on(stage))


def stage_sizes(stage: Stage, entrants: int, *, one_round: bool = False) -> list[int]:
    """Give the number of matches of each round.

    `one_round`: only the first round, if rounds are paired one at a time. Empty if there are too few entrants.
    """
    if entrants < fewest(stage):
        return []
    if stage.is_ladder:
        return [0]
    if stage.is_paired_by_round:
        return [entrants // 2] * (1 if one_round else rounds_to_pair(stage, entrants))
    if stage.is_at_tables:  # without looking for the seating
        return [len(table_sizes(entrants, stage.seats))] * stage.rounds
    return [sum(not slot.is_bye for slot in one.slots) for one in rounds_of(stage, entrants)]


def going_on(stage: Stage) -> int:
    tables = stage.groups if stage.spec.groups else 1
    return tables * stage.advance_each + stage.advance_rest
