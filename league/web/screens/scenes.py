"""Scenes of the show of a competition: which have something to show, and a page of each."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property
from typing import Any

from django.contrib.auth.models import AnonymousUser
from django.core.paginator import Paginator
from django.http import HttpRequest
from django.utils.translation import pgettext

from league.competitions.draw.schedule.seating import natural
from league.competitions.formats.registry import KNOCK_OUTS
from league.competitions.models import Berth, Competition, Matchday
from league.competitions.queries.bracket import bracket_page
from league.competitions.queries.calls import coming_lines
from league.competitions.queries.hall import Hall
from league.matches.models import Match, Result
from league.matches.queries.lines import MatchLine, SideScore, match_lines
from league.matches.visibility import visible_matches
from league.web.competitions.bracket import screen_context
from league.web.competitions.standings_view import asked_number
from league.web.components.text_width import WallRow, sizes_on_wall
from league.web.screens.dials import called, clock_context
from league.web.screens.scoreboard import LIVE
from league.web.screens.standings import standings_context
from league.web.words import labels
from league.web.words.labels import Label

OUTSIDER = AnonymousUser()
# Rows that fit the height of a screen in letters for the last row (show.css).
MATCHES_A_SCREEN, CALLS_A_SCREEN, CLOCKS_A_SCREEN = 10, 6, 6
TABLES_OF_MANY_A_SCREEN = 5
MOST_COMING = 6
MOST_SIDES = 2
# States without a badge: the numbers of the row say them.
PLAIN = (labels.OFFICIAL, labels.NOT_PLAYED, labels.AWAITED)
ENDED = {Match.State.PROVISIONAL, Match.State.DECIDED}
SMALLER = {"long": 2.7, "longer": 2.2, "longest": 1.6}
SIDE = WallRow(height=7.7, line=1.16, widths={"narrow": 23, "wide": 30}, sizes={"": 3.2, **SMALLER})
"""Room of a name in a row with two sides, in bold letters and the sizes of show.css; below in a row with more."""
SIDE_OF_MANY = WallRow(height=5.2, line=1.16, widths={"narrow": 28, "wide": 38}, sizes={"": 3.2, **SMALLER})
# Room of all names of a call, and of a match to be called.
CALL = WallRow(height=9.6, line=1.2, widths={"narrow": 42, "wide": 62}, sizes={"": 3.8, **SMALLER})
COMING = WallRow(height=11.6, line=1.25, widths={"narrow": 28, "wide": 40}, sizes={"": 3, **SMALLER})


class SceneName(StrEnum):
    """A scene by its name in the address, in the order of the show."""

    CALLS = "calls"
    PAIRINGS = "pairings"
    CLOCKS = "clocks"
    STANDINGS = "standings"
    BRACKET = "bracket"


@dataclass(frozen=True, kw_only=True)
class Evening:
    """Facts of a competition for its scenes: its hall as the public sees it, and the next matches to be called."""

    competition: Competition
    hall: Hall
    coming: list[MatchLine]

    @property
    def scenes(self) -> list[SceneName]:
        """The scenes that have something to show; the clocks say that nothing runs where no other has."""
        has = {
            SceneName.CALLS: bool(self.hall.calls or self.coming),
            SceneName.PAIRINGS: bool(self.rounds),
            SceneName.CLOCKS: self.hall.main is not None,
            SceneName.STANDINGS: _has_standings(self.competition),
            SceneName.BRACKET: _has_bracket(self.competition),
        }
        return [name for name in SceneName if has[name]] or [SceneName.CLOCKS]

    @cached_property
    def rounds(self) -> list[Matchday]:
        """The rounds at the tables; between two rounds the last one."""
        return self.hall.rounds_at_tables or _last_round(self.competition)


@dataclass(frozen=True, kw_only=True)
class ScenePage:
    """A page of a scene. `note`: beside the heading; `following`: query of its next page, empty after the last one."""

    heading: str
    context: Mapping[str, Any]
    note: str = ""
    number: int = 1
    pages: int = 1
    following: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class MatchRow:
    """A match in the scene of the pairings.

    `sides` with their points as text, empty before any; `state`: None where the numbers say it; `sizes`: classes of its
    letters.
    """

    line: MatchLine
    sides: list[tuple[SideScore, str]]
    state: Label | None
    sizes: str


def evening_of(competition: Competition, found: Hall) -> Evening:
    return Evening(competition=competition, hall=found, coming=coming_lines(competition, found.now, MOST_COMING))


def _has_standings(competition: Competition) -> bool:
    """Tell whether the competition has a table with a result in it. One statement at most."""
    results = Result.objects.filter(current=True, game__match__slot__matchday__stage__competition=competition)
    return any(stage.spec.has_table for stage in competition.stages.all()) and results.exists()


def _has_bracket(competition: Competition) -> bool:
    """Tell whether a knock-out has entrants that the public sees. One statement."""
    days = Matchday.objects.filter(stage__competition=competition, stage__format__in=KNOCK_OUTS)
    return Berth.objects.filter(
        slot__matchday__in=days.filter(published_at__isnull=False), entrant__isnull=False
    ).exists()


def _last_round(competition: Competition) -> list[Matchday]:
    days = Matchday.objects.filter(
        stage__competition=competition, published_at__isnull=False, slots__match__isnull=False
    ).select_related("stage__competition")
    return list(days.order_by("-stage__number", "-number")[:1])


# --- The scenes ---


def calls(evening: Evening, request: HttpRequest) -> ScenePage:
    """Show who is called to which table, the latest call first, and who is called next."""
    heading = pgettext("hall", "Please go to your table") if evening.hall.calls else pgettext("hall", "Next")
    shown = Paginator(called(evening.hall), CALLS_A_SCREEN).get_page(asked_number(request, "page") or 1)
    rows = [(one, name, *_in_lines(one.names, CALL)) for one, name in shown.object_list]
    coming = [_in_lines([side.name for side in line.sides], COMING) for line in evening.coming]
    return _paged(heading, shown, {"calls": rows, "coming": coming})


def _in_lines(names: Sequence[str], row: WallRow) -> tuple[list[str], str]:
    """Return the lines of the names, one for more than two, and the classes of their letters."""
    lines = list(names) if len(names) <= MOST_SIDES else [" · ".join(names)]
    return lines, sizes_on_wall(lines, row=row)


def pairings(evening: Evening, request: HttpRequest) -> ScenePage:
    """Show the matches of the round by table, with their scores."""
    rounds = evening.rounds
    lines = [line for line in _round_lines(evening, rounds) if not _forfeited(line)]
    of_many = any(len(line.sides) > MOST_SIDES for line in lines)
    size = TABLES_OF_MANY_A_SCREEN if of_many else MATCHES_A_SCREEN
    shown = Paginator(lines, size).get_page(asked_number(request, "page") or 1)
    rows = [_row(line) for line in shown.object_list]
    questioned = any(one.may_change for one in evening.hall.rounds)
    note = pgettext("hall", "Pairings may change") if questioned else ""
    return _paged(" · ".join(str(day) for day in rounds), shown, {"rows": rows}, note)


def _round_lines(evening: Evening, rounds: Sequence[Matchday]) -> list[MatchLine]:
    """Read the matches by table; those without a public table come last, so that their place tells nothing."""
    keys = [one.match.pk for one in evening.hall.tables if one.match]
    matches = visible_matches(OUTSIDER)
    matches = matches.filter(pk__in=keys) if keys else matches.filter(slot__matchday__in=rounds)
    return sorted(match_lines(matches), key=_by_table)


def _by_table(line: MatchLine) -> tuple[object, ...]:
    starts = line.starts_at.timestamp() if line.starts_at else 0
    return not line.table, natural(line.table), starts, line.id


def _forfeited(line: MatchLine) -> bool:
    """Tell whether it ended without a played game: nobody sits at its table."""
    return line.state in ENDED and bool(line.games) and all(game.forfeited for game in line.games)


def _row(line: MatchLine) -> MatchRow:
    told = LIVE if line.live else labels.of_match(line)
    names = [f"{side.name} {side.apart}".strip() for side in line.sides]
    room = SIDE if len(names) <= MOST_SIDES else SIDE_OF_MANY
    return MatchRow(
        line=line,
        sides=[(side, _points(side, line)) for side in line.sides],
        state=None if any(told is one for one in PLAIN) else told,
        sizes=sizes_on_wall([max(names, key=len, default="")], row=room),
    )


def _points(side: SideScore, line: MatchLine) -> str:
    points = line.live.points.get(side.number) if line.live else side.score
    return "" if points is None else str(points)


def clocks(evening: Evening, request: HttpRequest) -> ScenePage:
    """Show the clock of the round, and the tables with another time."""
    context = clock_context(evening.hall)
    shown = Paginator(context["different"], CLOCKS_A_SCREEN).get_page(asked_number(request, "page") or 1)
    return _paged(pgettext("heading", "Hall clock"), shown, context | {"different": shown.object_list})


def standings(evening: Evening, request: HttpRequest) -> ScenePage:
    """Show ten places of the table, group after group."""
    context = standings_context(request, evening.competition) or {}
    heading = pgettext("heading", "Standings")
    if not context:
        return ScenePage(heading=heading, context={})
    if group := context["page"].table.group:
        heading = f"{heading}, {pgettext('draw', 'Group %(number)s') % {'number': group}}"
    screen, following = context["screen"], context.pop("following") or {}
    return ScenePage(
        heading=heading,
        context=context,
        note=pgettext("standings", "Including unconfirmed results") if context["page"].has_provisional else "",
        number=screen.number,
        pages=screen.paginator.num_pages,
        following={name: value for name, value in following.items() if value},
    )


def bracket(evening: Evening, request: HttpRequest) -> ScenePage:
    """Show four matches of the current knock-out round, and those that follow from them."""
    cup = evening.competition
    page = bracket_page(OUTSIDER, cup.league.slug, cup.slug)
    heading = pgettext("heading", "Bracket")
    if not page.days:
        return ScenePage(heading=heading, context={})
    context = screen_context(request, page)
    heading = next((day.name for day, _slots in context["part"].days), heading) if context["part"] else heading
    return _paged(heading, context.pop("screen"), context)


def _paged(heading: str, shown: Any, context: Mapping[str, Any], note: str = "") -> ScenePage:
    return ScenePage(
        heading=heading,
        context=context,
        note=note,
        number=shown.number,
        pages=shown.paginator.num_pages,
        following={"page": shown.next_page_number()} if shown.has_next() else {},
    )


SCENES: Mapping[SceneName, Callable[[Evening, HttpRequest], ScenePage]] = {
    SceneName.CALLS: calls,
    SceneName.PAIRINGS: pairings,
    SceneName.CLOCKS: clocks,
    SceneName.STANDINGS: standings,
    SceneName.BRACKET: bracket,
}
