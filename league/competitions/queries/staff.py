"""Pages for the staff: draft of a competition, all tables with their matches."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.core.paginator import Page, Paginator
from django.db.models import F, Q
from django.utils import timezone

from league.accounts.models import League
from league.accounts.permissions import STAFF, Act, Asker, leagues_where, may
from league.competitions.draw.schedule.seating import in_order
from league.competitions.draw.stages import NextDraw, next_draw
from league.competitions.draw_shape import shape_of
from league.competitions.draw_view import MatchdayView, window_views
from league.competitions.models import Competition, DrawJob, Matchday, Slot, Stage
from league.competitions.queries.hall_tables import TONIGHT
from league.competitions.queries.next_step import DayFacts, DayRound
from league.competitions.queries.next_step_facts import day_facts
from league.competitions.visibility import refuse_if_cancelled
from league.matches.models import Match, Table
from league.matches.queries.lines import MatchLine, match_lines

MATCHES_AT_ONCE = 64
"""A larger draw is shown by rounds, and a round with more matches in parts."""
# Matches that began earlier are at no table any more (see `desk.further_matches`).
REMEMBERED = timedelta(hours=12)


@dataclass(frozen=True, slots=True)
class RoundPart:
    """A round with the matches of one page.

    `page` has the keys of their slots, byes last.
    """

    day: MatchdayView
    page: Page[int]


@dataclass(frozen=True, slots=True)
class DraftPage:
    """The page of a draft, or of a published competition, for its organizers.

    `rounds`: every round; of a large draw only the chosen round and the next to publish. `next_round`: the first
    unpublished round; `missing`: number of matches before it without an official result. `next_draw`: the next draw
    from results, once every drawn round is published. `job`: the last requested draw, possibly still running. `day`:
    facts of the steps.
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
        """Whether the page shows only some of the rounds."""
        return len(self.rounds) < len(self.day.rounds)

    @property
    def releases(self) -> bool:
        """Whether rounds can be published at once or one by one.

        Not if each round is paired from results.
        """
        return len(self.stages) == 1 and not (self.stages[0].is_paired_by_round or self.stages[0].is_ladder)

    @property
    def shows_later_rounds(self) -> bool:
        """Whether the later rounds of its stage are published with the next round."""
        if self.next_round is None or self.competition.release != Competition.Release.ALL:
            return False
        return [one.stage for one in self.day.rounds if not one.shown].count(self.next_round.stage) > 1

    @property
    def unchallenged(self) -> bool:
        """Whether this is a ladder without any challenge yet."""
        return self.day.endless and not any(one.matches for one in self.day.rounds)

    @property
    def draws_stage_anew(self) -> bool:
        """Whether the next round can be redrawn with its whole stage.

        The stage was drawn from standings, and none of its rounds is published.
        """
        number = self.next_round.stage if self.next_round else 0
        shown = any(one.shown for one in self.day.rounds if one.stage == number)
        return number > 1 and not shown and not self.pairs_next_round

    @property
    def pairs_next_round(self) -> bool:
        """Whether the next round is a draft paired from results.

        Such a round can be changed by hand.
        """
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
    """Return the page of a competition for its organizers, published or not.

    `number`: the chosen round; `slot`: instead the round and the part with this slot; `part`: the requested part of a
    round, by its number. Raises Competition.DoesNotExist for all but the staff. A constant number of statements.
    """
    rows = Competition.objects.filter(league__in=leagues_where(user, STAFF))
    rows = rows.select_related("league", "division__season")
    competition = refuse_if_cancelled(rows.get(league__slug=league_slug, slug=slug))
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
    """Numbers of the rounds whose matches are on the page.

    All of a small draw, else the chosen round and the next round to publish.
    """
    if chosen is None or sum(one.matches for one in facts.rounds) <= MATCHES_AT_ONCE:
        return [one.number for one in facts.rounds]
    return sorted({chosen.number} | ({facts.hidden.number} if facts.hidden else set()))


class _Draw:
    """The draw of a competition, read in parts."""

    def __init__(self, competition: Competition) -> None:
        self.competition = competition
        self.shape = shape_of(competition)
        days = Matchday.objects.filter(stage__competition=competition)
        self.keys = dict(days.values_list("number", "pk"))

    def round_of(self, slot: int) -> int:
        """Return the number of the round with the slot; 0 for a slot of another draw."""
        return next((number for number, day in self.keys.items() if slot in self.shape.days.get(day, ())), 0)

    def page(self, number: int, asked: str | None, slot: int) -> Page[int]:
        """Return the requested part of a round, else the part with this slot."""
        slots = sorted(self.shape.days.get(self.keys[number], ()), key=lambda one: one not in self.shape.numbers)
        if asked is None and slot in slots:
            asked = str(slots.index(slot) // MATCHES_AT_ONCE + 1)
        return Paginator(slots, MATCHES_AT_ONCE).get_page(asked)

    def views(self, pages: Iterable[Page[int]], user: Asker) -> list[MatchdayView]:
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
    """A match at a table.

    `competition`, `matchday`: empty outside of competitions. `no_winner`: a decided match of a knock-out without a
    winner, so that an official decides which side goes on.
    """

    line: MatchLine
    competition: str
    matchday: str
    no_winner: bool


@dataclass(frozen=True, slots=True)
class TableView:
    """A table of the hall.

    `now`: the current or last match at the table; `coming`: the match after it.
    """

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
    """Return all tables of the league, or of one competition, with published matches.

    For the staff; raises League.DoesNotExist for others. Eight statements.
    """
    now = now or timezone.now()
    league = League.objects.filter(pk__in=leagues_where(user, STAFF)).get(slug=league_slug)
    tables = in_order(league.tables.filter(competitions__slug=slug) if slug else league.tables.all())
    matches = Match.objects.filter(_on_screen(now), table__in=tables, published_at__isnull=False)
    if slug:
        matches = matches.filter(slot__matchday__stage__competition__slug=slug)
    by_table: dict[int | None, list[Match]] = {}
    # A called match is before those whose table is a forecast.
    called_first = F("called_at").asc(nulls_last=True)
    rows = list(matches.select_related("league", "table").order_by(called_first, "starts_at", "pk"))
    for match in rows:
        by_table.setdefault(match.table_id, []).append(match)
    shown = {table.pk: _now_and_next(by_table.get(table.pk, ()), now) for table in tables}
    named = _table_matches(user, [match for both in shown.values() for match in both if match])
    views = [_table_view(table, [named.get(one) if one else None for one in shown[table.pk]]) for table in tables]
    return TablesPage(league, views)


def _table_view(table: Table, both: Sequence[TableMatch | None]) -> TableView:
    now, coming = both
    return TableView(table.name, now, coming, id=table.pk, accessible=table.accessible, on_stream=table.stream)


def _on_screen(now: datetime) -> Q:
    return Q(starts_at__gt=now - REMEMBERED) | Q(starts_at=None) & ~Q(state=Match.State.DECIDED)


def _now_and_next(matches: Sequence[Match], now: datetime) -> tuple[Match | None, Match | None]:
    """The match at a table now, and the next.

    Now: an open match that has begun; else the next match of this evening, because rounds may run ahead of their hours;
    else the latest decided match. Next: the first open match after it.
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
