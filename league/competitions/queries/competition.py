"""Everything that the pages of one competition show, in a constant number of statements."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from games.rulesets import RULESETS
from league.accounts.permissions import Asker
from league.competitions.draw_view import MatchdayView, SlotView, matchday_views
from league.competitions.entrant_names import Placed, placed
from league.competitions.ladders.queries import Ladder, ladder_view
from league.competitions.models import Competition, Matchday, Stage
from league.competitions.standings.compute import Row
from league.competitions.standings.table import (
    GroupTable,
    any_provisional,
    counted_muggins,
    group_table,
)
from league.competitions.visibility import seen_competition


class WithStages:
    """What the stages of a competition make of its pages."""

    __slots__ = ()
    stages: list[Stage]

    @property
    def knock_out(self) -> bool:
        """Whether one of its stages is a knock-out, drawn or still to come."""
        return any(stage.is_knock_out for stage in self.stages)

    @property
    def table_stage(self) -> Stage | None:
        """The stage that has a table."""
        return next((stage for stage in self.stages if not (stage.is_knock_out or stage.is_ladder)), None)

    @property
    def crossed(self) -> bool:
        """Whether two meet at a time in the stage that has a table: then there is a cross-table."""
        return self.table_stage is not None and not self.table_stage.is_at_tables

    @property
    def on_ladder(self) -> bool:
        return any(stage.is_ladder for stage in self.stages)

    @property
    def charted(self) -> bool:
        """Whether there are places that change from round to round, or from challenge to challenge."""
        return self.table_stage is not None or self.on_ladder


@dataclass(frozen=True, slots=True)
class CompetitionPage(WithStages):
    """`table`: of the stage that has one, or of one of its `groups`; None where every stage is a knock-out,
    and of a `ladder`.

    `matchdays`: every round of the draw; of one that the asker may not see yet, no more than its shape.
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
        """The rows of the table that is shown, by official results; none where every stage is a knock-out."""
        return self.table.official if self.table else []

    @property
    def provisional(self) -> list[Row]:
        """The same with the results that wait for confirmation."""
        return self.table.provisional if self.table else []

    @property
    def bracket(self) -> list[MatchdayView]:
        """The rounds of the knock-out."""
        numbers = {stage.number for stage in self.stages if stage.is_knock_out}
        return [day for day in self.matchdays if day.stage_number in numbers]

    @property
    def places(self) -> list[tuple[int, Placed]]:
        """The final ranking of a knock-out, as far as official results decide it, or the places of a ladder: (rank,
        entrant).
        """
        if self.ladder:
            return [(rung.place, rung.entrant) for rung in self.ladder.rungs]
        days = self.bracket
        if any(day.section for day in days):
            return list(_places_after_two_lives(days))
        first = 1
        found = []
        for slot in days[-1].slots if days else ():
            if slot.decided and slot.winner:
                found += [(first, slot.winner), (first + 1, _loser(slot))]
            first += 2
        return found

    @property
    def shown(self) -> list[MatchdayView]:
        """The rounds that the asker may see."""
        return [day for day in self.matchdays if not day.hidden]


def _loser(slot: SlotView) -> Placed:
    return next(berth.entrant for berth in slot.berths if not berth.won)


def _places_after_two_lives(days: Sequence[MatchdayView]) -> Iterator[tuple[int, Placed]]:
    """Of a double elimination: the last final that is played decides the first two, the losers' last round the third
    place.
    """
    last_days = [day for day in days if day.section == Matchday.Section.FINAL]
    finals = [slot for day in last_days for slot in day.slots if not slot.not_needed]
    if finals and finals[-1].decided and finals[-1].winner:
        yield 1, finals[-1].winner
        yield 2, _loser(finals[-1])
    losers = [day for day in days if day.section == Matchday.Section.LOSERS]
    for slot in losers[-1].slots if losers else ():
        if slot.decided and slot.winner:
            yield 3, _loser(slot)


def competition_page(
    user: Asker, league_slug: str, slug: str, *, after: int | None = None, group: int | None = None, code: str = ""
) -> CompetitionPage:
    """`after`: with the standings as they were after that round. `group`: whose table is wanted, else that of the
    player with this `code`, else the first. Raises Competition.DoesNotExist.
    """
    competition = seen_competition(user, league_slug, slug)
    return page_of_competition(user, competition, after=after, group=group, code=code)


def page_of_competition(
    user: Asker, competition: Competition, *, after: int | None = None, group: int | None = None, code: str = ""
) -> CompetitionPage:
    """The same of one that `seen_competition` gave."""
    stages = list(competition.stages.all())
    entrants = placed(competition)
    days = matchday_views(competition, entrants, user, everything=competition.for_staff)
    slots = [slot for day in days for slot in day.slots]
    stage = next((one for one in stages if not (one.is_knock_out or one.is_ladder)), None)
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
    if not groups or group in groups:
        return group if group in groups else 0
    own = next((one.entrant_id for one in entrants if one.answers_to(code.upper())), None)
    return next((slot.group for day in days for slot in day.slots if own in slot.entrant_ids), groups[0])


def group_tables(page: CompetitionPage) -> list[GroupTable]:
    """Of every group of the stage that has a table, or its one table; none where every stage is a knock-out. One
    statement at most.
    """
    if page.table is None or not page.groups:
        return [page.table] if page.table else []
    stage = next(one for one in page.stages if not one.is_knock_out)
    days = [day for day in page.matchdays if day.stage_number == stage.number]
    taken = counted_muggins(page.competition, [slot for day in days for slot in day.slots])
    return [group_table(page.competition, stage, page.entrants, days, group=one, taken=taken) for one in page.groups]
