"""What those who run a competition ask: its draft, and every table with what is played on it."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.core.paginator import Page, Paginator
from django.db.models import Q
from django.utils import timezone

from league.accounts.models import League
from league.accounts.permissions import STAFF, Act, Asker, leagues_where, may
from league.competitions.draw.laying_out import in_order
from league.competitions.draw.stages import NextDraw, next_draw
from league.competitions.draw_shape import shape_of
from league.competitions.draw_view import MatchdayView, window_views
from league.competitions.models import Competition, DrawJob, Matchday, Slot, Stage
from league.competitions.queries.hall import TONIGHT
from league.competitions.queries.next_step import DayFacts, DayRound
from league.competitions.queries.next_step_facts import day_facts
from league.matches.models import Match, Table
from league.matches.queries.lines import MatchLine, match_lines

MATCHES_AT_ONCE = 64
"""A draw with more matches is shown by rounds, and a round with more of them in parts."""
# What began earlier is at no table any more, decided or not (see `desk.further_matches`).
REMEMBERED = timedelta(hours=12)


@dataclass(frozen=True, slots=True)
class RoundPart:
    """A round with the matches of one page of it; `page` has the keys of their slots, byes behind the matches."""

    day: MatchdayView
    page: Page


@dataclass(frozen=True, slots=True)
class DraftPage:
    """`rounds`: every round, or of a large draw the one that was asked for and those that something is done about.
    `next_round`: the first round that is not published; `missing`: how many matches before it have no official result.
    `next_draw`: what is to be drawn from the results, once every drawn round is published. `job`: the last draw that
    somebody asked for, which may be under way. `day`: what the strip of the day is made of.
    """

    competition: Competition
    stage: Stage | None
    draft: bool
    drawn: bool
    rounds: list[RoundPart]
    has_stream: bool
    next_round: DayRound | None
    missing: int
    may_manage: bool
    stages: list[Stage]
    next_draw: NextDraw | None
    job: DrawJob | None
    day: DayFacts
    chosen: DayRound | None

    @property
    def in_parts(self) -> bool:
        """Whether a page shows some of the rounds only."""
        return len(self.rounds) < len(self.day.rounds)

    @property
    def releases(self) -> bool:
        """Whether rounds can be shown at once or one by one: not where each follows from results."""
        return len(self.stages) == 1 and not (self.stages[0].is_paired_by_round or self.stages[0].is_ladder)

    @property
    def unchallenged(self) -> bool:
        """A ladder on which nobody has challenged anybody yet."""
        return self.day.endless and not any(one.matches for one in self.day.rounds)

    @property
    def draws_stage_anew(self) -> bool:
        """Whether the next round belongs to a stage that was drawn from a table, and of which no round is shown."""
        number = self.next_round.stage if self.next_round else 0
        shown = any(one.shown for one in self.day.rounds if one.stage == number)
        return number > 1 and not shown and not self.pairs_next_round

    @property
    def pairs_next_round(self) -> bool:
        """Whether the next round is a draft that was paired from results, and can be changed by hand."""
        number = self.next_round.stage if self.next_round else 0
        return any(one.number == number and one.is_paired_by_round for one in self.stages)


def draft_page(
    user: Asker,
    league_slug: str,
    slug: str,
    *,
    number: int = 0,
    slot: int = 0,
    part: Callable[[int], str | None] = lambda number: None,
    now: datetime | None = None,
    with_needs: bool = False,
) -> DraftPage:
    """A competition as its organizers work on it, published or not. `number`: the round that is looked at; `slot`:
    instead the round and the part of it with this slot; `part`: which part of a round is asked for, by its number.
    Raises Competition.DoesNotExist for all but the staff. A constant number of statements.
    """
    competition = (
        Competition.objects.filter(league__in=leagues_where(user, STAFF))
        .select_related("league", "division__season")
        .get(league__slug=league_slug, slug=slug)
    )
    facts = day_facts(competition, now or timezone.now(), with_needs=with_needs)
    draw = _Draw(competition)
    number = draw.round_of(slot) or number
    chosen = next((one for one in facts.rounds if one.number == number), None)
    chosen = chosen or facts.current or facts.hidden or (facts.rounds[-1] if facts.rounds else None)
    pages = {one: draw.page(one, part(one), slot) for one in _shown_rounds(facts, chosen)}
    stages = list(competition.stages.order_by("number"))
    return DraftPage(
        competition=competition,
        stage=stages[0] if stages else None,
        draft=competition.published_at is None,
        drawn=bool(facts.rounds),
        rounds=[RoundPart(day, pages[day.number]) for day in draw.views(pages.values(), user)],
        has_stream=competition.tables.filter(stream=True).exists(),
        next_round=facts.hidden,
        missing=_missing_before(facts),
        may_manage=may(user, Act.MANAGE_COMPETITIONS, competition.league),
        stages=stages,
        next_draw=next_draw(competition) if competition.published_at else None,
        job=competition.draw_jobs.order_by("-asked_at", "-pk").first(),
        day=facts,
        chosen=chosen,
    )


def _shown_rounds(facts: DayFacts, chosen: DayRound | None) -> list[int]:
    """Those of which a page shows matches: all of a small draw, else the one that is looked at and, where a round is to
    be published, that one.
    """
    if chosen is None or sum(one.matches for one in facts.rounds) <= MATCHES_AT_ONCE:
        return [one.number for one in facts.rounds]
    return sorted({chosen.number} | ({facts.hidden.number} if facts.hidden else set()))


class _Draw:
    """The draw of a competition, of which parts are read."""

    def __init__(self, competition: Competition) -> None:
        self.competition = competition
        self.shape = shape_of(competition)
        days = Matchday.objects.filter(stage__competition=competition)
        self.keys = dict(days.values_list("number", "pk"))

    def round_of(self, slot: int) -> int:
        """Its number; 0 of no slot of this draw."""
        return next((number for number, day in self.keys.items() if slot in self.shape.days.get(day, ())), 0)

    def page(self, number: int, asked: str | None, slot: int) -> Page:
        """The part of a round that was asked for, else the one with this slot."""
        slots = sorted(self.shape.days.get(self.keys[number], ()), key=lambda one: one not in self.shape.numbers)
        if asked is None and slot in slots:
            asked = str(slots.index(slot) // MATCHES_AT_ONCE + 1)
        return Paginator(slots, MATCHES_AT_ONCE).get_page(asked)

    def views(self, pages: Iterable[Page], user: Asker) -> list[MatchdayView]:
        slots = [slot for page in pages for slot in page]
        return window_views(self.competition, self.shape.numbers, slots, user, everything=True)


def _missing_before(facts: DayFacts) -> int:
    hidden = facts.hidden
    if hidden is None:
        return 0
    return sum(one.open for one in facts.rounds if one.number < hidden.number and one.stage == hidden.stage)


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
    accessible: bool = False
    on_stream: bool = False


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
    return TablesPage(league, [_table_view(table, [named.get(one) for one in shown[table.pk]]) for table in tables])


def _table_view(table: Table, both: Sequence[TableMatch | None]) -> TableView:
    now, coming = both
    return TableView(table.name, now, coming, id=table.pk, accessible=table.accessible, on_stream=table.stream)


def _on_screen(now: datetime) -> Q:
    return Q(starts_at__gt=now - REMEMBERED) | Q(starts_at=None) & ~Q(state=Match.State.DECIDED)


def _now_and_next(matches: Sequence[Match], now: datetime) -> tuple[Match | None, Match | None]:
    """An open match that has begun is at the table; else the next one of this evening, for rounds run ahead of
    their hours; else the latest decided one. The open one after it comes.
    """
    begun = [one for one in matches if one.state != Match.State.SCHEDULED or (one.starts_at and one.starts_at <= now)]
    unplayed = [one for one in matches if one.state != Match.State.DECIDED]
    still = [one for one in unplayed if one in begun]
    soon = [one for one in unplayed if one.starts_at is None or one.starts_at - now < TONIGHT]
    at = next(iter((*still, *soon, *reversed(begun))), None)
    return at, next((one for one in unplayed if one is not at), None)


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
