"""The pages of a competition, in a constant number of statements."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from games.rulesets import RULESETS
from league.accounts.permissions import Asker
from league.competitions.draw_view import MatchdayView, SlotView, matchday_views
from league.competitions.entrant_names import Placed, placed
from league.competitions.ladders.queries import Ladder, ladder_view
from league.competitions.models import Competition, Stage
from league.competitions.queries.last_match import day_of
from league.competitions.standings.compute import Row
from league.competitions.standings.table import (
    GroupTable,
    any_provisional,
    counted_muggins,
    group_table,
)
from league.competitions.visibility import seen_competition


class WithStages:
    """Facts about a page that follow from the stages of its competition."""

    __slots__ = ()
    competition: Competition
    stages: list[Stage]

    @property
    def day(self) -> datetime | None:
        """Time of the last match, before the end the planned start.

        One statement once every stage is finished.
        """
        return day_of(self.competition)

    @property
    def knock_out(self) -> bool:
        """Whether a stage is a knock-out, drawn or not."""
        return any(stage.is_knock_out for stage in self.stages)

    @property
    def table_stage(self) -> Stage | None:
        """The stage with standings."""
        return next((stage for stage in self.stages if stage.spec.has_table), None)

    @property
    def crossed(self) -> bool:
        """Whether there is a cross-table.

        True if the stage with standings pairs two at a time.
        """
        return self.table_stage is not None and not self.table_stage.is_at_tables

    @property
    def on_ladder(self) -> bool:
        return any(stage.is_ladder for stage in self.stages)

    @property
    def charted(self) -> bool:
        """Whether places change from round to round, or from challenge to challenge."""
        return self.table_stage is not None or self.on_ladder


@dataclass(frozen=True, slots=True)
class CompetitionPage(WithStages):
    """The page of a competition.

    `table`: standings of the stage that has them, or of a group of it (`groups`); None for knock-outs alone and for a
    `ladder`. `matchdays`: every round of the draw; of a round that the asker may not see yet, only its shape.
    """

    competition: Competition
    stages: list[Stage]
    draft: bool
    edition: int | None
    entrants: list[Placed]
    table: GroupTable | None
    groups: list[int]
    has_provisional: bool
    matchdays: list[MatchdayView]
    ladder: Ladder | None = None

    @property
    def slots(self) -> list[SlotView]:
        return [slot for day in self.matchdays for slot in day.slots]

    @property
    def official(self) -> list[Row]:
        """Rows of the standings by official results; empty for knock-outs alone."""
        return self.table.official if self.table else []

    @property
    def provisional(self) -> list[Row]:
        """The same with the results that wait for confirmation."""
        return self.table.provisional if self.table else []

    @property
    def shown(self) -> list[MatchdayView]:
        """The rounds that the asker may see."""
        return [day for day in self.matchdays if not day.hidden]


def competition_page(
    user: Asker, league_slug: str, slug: str, *, after: int | None = None, group: int | None = None, code: str = ""
) -> CompetitionPage:
    """Return the page of a competition. Raises Competition.DoesNotExist.

    `after`: with the standings after that round. `group`: of the wanted standings, else the group of the player with
    this `code`, else the first.
    """
    competition = seen_competition(user, league_slug, slug)
    return page_of_competition(user, competition, after=after, group=group, code=code)


def page_of_competition(
    user: Asker, competition: Competition, *, after: int | None = None, group: int | None = None, code: str = ""
) -> CompetitionPage:
    """Return the page of a competition from `seen_competition`."""
    stages = list(competition.stages.all())
    entrants = placed(competition)
    days = matchday_views(competition, entrants, user, everything=competition.for_staff)
    slots = [slot for day in days for slot in day.slots]
    stage = next((one for one in stages if one.spec.has_table), None)
    ladder = next((one for one in stages if one.is_ladder), None)
    of_stage = [day for day in days if stage and day.stage_number == stage.number]
    groups = sorted({slot.group for day in of_stage for slot in day.slots if slot.group})
    chosen = _chosen(groups, of_stage, entrants, group, code)
    ruleset = RULESETS.get(competition.ruleset)
    return CompetitionPage(
        competition=competition,
        stages=stages,
        draft=competition.published_at is None,
        edition=ruleset.edition if ruleset else None,
        entrants=entrants,
        table=group_table(competition, stage, entrants, of_stage, group=chosen, after=after) if stage else None,
        groups=groups,
        has_provisional=any_provisional(slots),
        matchdays=days,
        ladder=ladder_view(ladder, entrants) if ladder else None,
    )


def _chosen(
    groups: Sequence[int], days: Sequence[MatchdayView], entrants: Sequence[Placed], group: int | None, code: str
) -> int:
    if group is not None and group in groups:
        return group
    if not groups:
        return 0
    own = next((one.entrant_id for one in entrants if one.answers_to(code.upper())), None)
    return next((slot.group for day in days for slot in day.slots if own in slot.entrant_ids), groups[0])


def group_tables(page: CompetitionPage) -> list[GroupTable]:
    """The standings of every group, or the only standings; empty for knock-outs alone.

    One statement at most.
    """
    if page.table is None or not page.groups:
        return [page.table] if page.table else []
    stage = next(one for one in page.stages if not one.is_knock_out)
    days = [day for day in page.matchdays if day.stage_number == stage.number]
    taken = counted_muggins(page.competition, [slot for day in days for slot in day.slots])
    return [group_table(page.competition, stage, page.entrants, days, group=one, taken=taken) for one in page.groups]
