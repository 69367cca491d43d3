"""What those who run a competition ask: its draft, and every table with what is played on it."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import Q
from django.utils import timezone

from league.accounts.models import League
from league.accounts.permissions import STAFF, Act, Asker, leagues_where, may
from league.competitions.drawing import in_order
from league.competitions.models import Competition, DrawJob, Slot, Stage
from league.competitions.slots import MatchdayView, Placed, SlotView, matchday_views, placed
from league.competitions.stages import NextDraw, next_draw
from league.matches.lines import MatchLine, match_lines
from league.matches.models import Match, Table

# What began earlier is at no table any more, decided or not (see `desk.further_matches`).
REMEMBERED = timedelta(hours=12)


@dataclass(frozen=True, slots=True)
class DraftPage:
    """`next_round`: the first round that is not published; `blocking`: matches before it without an official result.
    `next_draw`: what is to be drawn from the results, once every drawn round is published. `job`: the last draw that
    somebody asked for, which may be under way.
    """

    competition: Competition
    stage: Stage | None
    draft: bool
    drawn: bool
    entrants: list[Placed]
    matchdays: list[MatchdayView]
    tables: list[Table]
    next_round: MatchdayView | None
    blocking: list[SlotView]
    may_manage: bool
    stages: list[Stage]
    next_draw: NextDraw | None
    job: DrawJob | None

    @property
    def draws_stage_anew(self) -> bool:
        """Whether the next round belongs to a stage that was drawn from a table, and of which no round is shown."""
        number = self.next_round.stage_number if self.next_round else 0
        shown = any(day.published_at for day in self.matchdays if day.stage_number == number)
        return number > 1 and not shown and not self.pairs_next_round

    @property
    def pairs_next_round(self) -> bool:
        """Whether the next round is a draft that was paired from results, and can be changed by hand."""
        number = self.next_round.stage_number if self.next_round else 0
        return any(one.number == number and one.is_paired_by_round for one in self.stages)


def draft_page(user: Asker, league_slug: str, slug: str) -> DraftPage:
    """A competition as its organizers work on it, published or not. Raises Competition.DoesNotExist for all but the
    staff.
    """
    competition = (
        Competition.objects.filter(league__in=leagues_where(user, STAFF))
        .select_related("league")
        .get(league__slug=league_slug, slug=slug)
    )
    entrants = placed(competition)
    days = matchday_views(competition, entrants, user, everything=True)
    stages = list(competition.stages.order_by("number"))
    coming = next((day for day in days if day.published_at is None), None)
    return DraftPage(
        competition=competition,
        stage=stages[0] if stages else None,
        draft=competition.published_at is None,
        drawn=bool(days),
        entrants=entrants,
        matchdays=days,
        tables=in_order(competition.tables.all()),
        next_round=coming,
        blocking=_open_before(days, coming) if coming else [],
        may_manage=may(user, Act.MANAGE_COMPETITIONS, competition.league),
        stages=stages,
        next_draw=next_draw(competition),
        job=competition.draw_jobs.order_by("-asked_at", "-pk").first(),
    )


def _open_before(days: Sequence[MatchdayView], coming: MatchdayView) -> list[SlotView]:
    before = days[: days.index(coming)]
    before = [day for day in before if day.stage_number == coming.stage_number]
    return [slot for day in before for slot in day.slots if not (slot.bye or slot.decided or slot.not_needed)]


# --- Tables ---


@dataclass(frozen=True, slots=True)
class TableMatch:
    """`competition`, `matchday`: where it belongs, empty outside of competitions. `no_winner`: a match of a knock-out
    that is decided and that nobody won, so that an official decides who goes on.
    """

    line: MatchLine
    competition: str
    matchday: str
    no_winner: bool


@dataclass(frozen=True, slots=True)
class TableView:
    """`now`: the match at the table, or the last one that was; `coming`: the one after it."""

    name: str
    now: TableMatch | None
    coming: TableMatch | None
    id: int = 0


@dataclass(frozen=True, slots=True)
class TablesPage:
    league: League
    tables: list[TableView]


def tables_page(user: Asker, league_slug: str, slug: str | None = None, *, now: datetime | None = None) -> TablesPage:
    """Every table of the league, or those of one competition, with published matches. For the staff; for others
    League.DoesNotExist. Eight statements.
    """
    now = now or timezone.now()
    league = League.objects.filter(pk__in=leagues_where(user, STAFF)).get(slug=league_slug)
    tables = in_order(league.tables.filter(competitions__slug=slug) if slug else league.tables.all())
    matches = Match.objects.filter(_on_screen(now), table__in=tables, published_at__isnull=False)
    if slug:
        matches = matches.filter(slot__matchday__stage__competition__slug=slug)
    by_table: dict[int, list[Match]] = {}
    rows = list(matches.select_related("league", "table").order_by("starts_at", "pk"))
    for match in rows:
        by_table.setdefault(match.table_id, []).append(match)
    shown = {table.pk: _now_and_next(by_table.get(table.pk, ()), now) for table in tables}
    named = _table_matches(user, [match for both in shown.values() for match in both if match])
    views = [TableView(table.name, *(named.get(one) for one in shown[table.pk]), id=table.pk) for table in tables]
    return TablesPage(league, views)


def _on_screen(now: datetime) -> Q:
    return Q(starts_at__gt=now - REMEMBERED) | Q(starts_at=None) & ~Q(state=Match.State.DECIDED)


def _now_and_next(matches: Sequence[Match], now: datetime) -> tuple[Match | None, Match | None]:
    """An open match that has begun is at the table, else the latest decided one; the next open one comes."""
    begun = [one for one in matches if one.state != Match.State.SCHEDULED or (one.starts_at and one.starts_at <= now)]
    still = [one for one in begun if one.state != Match.State.DECIDED]
    at = still[0] if still else begun[-1] if begun else None
    after = [one for one in matches if one.state != Match.State.DECIDED and one is not at]
    return at, after[0] if after else None


def _table_matches(user: Asker, matches: Sequence[Match]) -> dict[Match, TableMatch]:
    slots = {
        slot.match_id: slot
        for slot in Slot.objects.filter(match__in=matches).select_related("matchday__stage__competition")
    }
    return {
        match: _table_match(line, slots.get(match.pk))
        for match, line in zip(matches, match_lines(matches, user), strict=True)
    }


def _table_match(line: MatchLine, slot: Slot | None) -> TableMatch:
    stage = slot.matchday.stage if slot else None
    knock_out = stage is not None and stage.is_knock_out
    return TableMatch(
        line=line,
        competition=stage.competition.name if stage else "",
        matchday=str(slot.matchday) if slot else "",
        no_winner=knock_out and line.state == Match.State.DECIDED and not any(side.won for side in line.sides),
    )
