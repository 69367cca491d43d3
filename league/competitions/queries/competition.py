"""Everything that the pages of one competition show, in a constant number of statements."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from django.db.models import BooleanField, ExpressionWrapper, Prefetch, Q, QuerySet

from games.rulesets import RULESETS
from league.accounts.permissions import STAFF, Asker, leagues_where
from league.competitions.draw_view import MatchdayView, SlotView, matchday_views
from league.competitions.entrant_names import Placed, placed
from league.competitions.entrants import rounds_to_pair
from league.competitions.ladders.queries import Ladder, ladder_view
from league.competitions.models import Competition, Matchday, Stage
from league.competitions.standings.compute import Row
from league.competitions.standings.reachable_places import TableOutlook
from league.competitions.standings.table import (
    TableRules,
    counted_muggins,
    counting,
    outlook_of,
    rounds_played,
    standings_of,
    table_rules,
)
from league.matches.muggins_taken import Taken


@dataclass(frozen=True, slots=True)
class GroupTable:
    """The table of a stage, or of one of its groups (from 1; 0 where there is one table only). `official` counts
    confirmed results only; `provisional` those that wait for confirmation too. `after`: the round after which they
    stand so, None for now; `rounds_over`: the last round of which a match is over.
    """

    group: int
    entrants: list[Placed]
    slots: list[SlotView]
    rules: TableRules
    official: list[Row]
    provisional: list[Row]
    after: int | None
    rounds_over: int

    def rows(self, *, official_only: bool) -> list[Row]:
        return self.official if official_only else self.provisional

    def rows_before(self, *, official_only: bool) -> list[Row]:
        """As the table stood a round earlier; none while nobody had played."""
        last = (self.after or self.rounds_over) - 1
        if last < 1:
            return []
        rows = standings_of(self.entrants, self.slots, self.rules, official_only=official_only, after=last)
        return rows if any(row.played for row in rows) else []

    def outlook(self, *, official_only: bool) -> TableOutlook | None:
        """What everybody can still come to; nothing of a table of the past."""
        if self.after is not None:
            return None
        return outlook_of(self.entrants, self.slots, self.rules, official_only=official_only)


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


def visible_competitions(user: Asker) -> QuerySet[Competition]:
    """Published ones, and the drafts of the leagues whose staff the asker is."""
    seen = Q(published_at__isnull=False)
    if user.is_authenticated:
        seen |= Q(league__in=leagues_where(user, STAFF))
    return Competition.objects.filter(seen).select_related("league")


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


def any_provisional(slots: Iterable[SlotView]) -> bool:
    """Whether a result that counts in one of the matches waits for its confirmation."""
    return any(not game.outcome.official for slot in slots if slot.match for game in counting(slot.match))


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


def group_table(
    competition: Competition,
    stage: Stage,
    entrants: Sequence[Placed],
    days: Sequence[MatchdayView],
    *,
    group: int = 0,
    after: int | None = None,
    taken: Taken | None = None,
) -> GroupTable:
    """Of a stage with its rounds, or of one of its groups. `taken`: the muggins, where they are known already."""
    slots = [slot for day in days for slot in day.slots if slot.group == group]
    members = {one for slot in slots for one in slot.entrant_ids}
    people = [one for one in entrants if not group or one.entrant_id in members]
    rounds = rounds_to_pair(stage, len(people)) if stage.is_paired_by_round else len(days)
    rules = table_rules(competition, stage, people, slots, rounds=rounds, taken=taken)
    over = rounds_played(slots)
    at = after if after is not None and 0 < after < over else None
    official = standings_of(people, slots, rules, official_only=True, after=at)
    waits = any_provisional(slots)
    return GroupTable(
        group=group,
        entrants=people,
        slots=slots,
        rules=rules,
        official=official,
        # Where nothing waits the two are one table.
        provisional=standings_of(people, slots, rules, official_only=False, after=at) if waits else official,
        after=at,
        rounds_over=over,
    )


def seen_competition(user: Asker, league_slug: str, slug: str) -> Competition:
    """With its stages, in order, and `for_staff`: whether the asker sees what is not published. Two statements. Raises
    Competition.DoesNotExist.
    """
    staff = Q(league__in=leagues_where(user, STAFF)) if user.is_authenticated else Q(pk__in=[])
    seen = visible_competitions(user).annotate(for_staff=ExpressionWrapper(staff, BooleanField()))
    stages = Prefetch("stages", Stage.objects.order_by("number"))
    rows = seen.select_related("league", "division__season").prefetch_related(stages)
    return rows.get(league__slug=league_slug, slug=slug)
