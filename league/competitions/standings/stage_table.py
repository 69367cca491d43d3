"""Official tables of a stage, one for each group, for qualification."""

from collections.abc import Collection
from dataclasses import dataclass, replace

from django.contrib.auth.models import AnonymousUser

from league.competitions.draw_view import matchday_views
from league.competitions.entrant_names import placed
from league.competitions.entrants import seeded, standing_withdrawals
from league.competitions.models import Stage
from league.competitions.standings.compute import Row
from league.competitions.standings.table import group_table


@dataclass(frozen=True, slots=True)
class StageTable:
    """A table by official results, without withdrawn entrants.

    `group`: from 1; 0 in a stage with one table.
    """

    group: int
    rows: list[Row]


def stage_tables(stage: Stage, *, also: Collection[int] = ()) -> list[StageTable]:
    """Compute a stage's tables by group, by the same rules as on the page.

    A constant number of statements for each group. `also`: withdrawn entrants to include, with their rank.
    """
    competition = stage.competition
    wanted = {one.pk for one in seeded(stage)}
    entrants = [
        replace(one, left_at=None) if one.entrant_id in also else one
        for one in placed(competition)
        if one.entrant_id in wanted
    ]
    gone = set(standing_withdrawals(competition).values_list("entrant", flat=True)) - set(also)
    days = matchday_views(competition, entrants, AnonymousUser(), everything=True)
    days = [day for day in days if day.stage_number == stage.number]
    groups = sorted({slot.group for day in days for slot in day.slots})
    tables = [group_table(competition, stage, entrants, days, group=group) for group in groups]
    return [StageTable(one.group, [row for row in one.official if row.entrant_id not in gone]) for one in tables]
