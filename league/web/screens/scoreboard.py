"""Scoreboard of one match for the hall screen: names, score and clock.

Readable from the last row.
"""

from dataclasses import dataclass

from django.contrib.auth.models import AnonymousUser
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.translation import pgettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from league.accounts.graphemes import count_letters
from league.competitions.queries.lists import competition_of
from league.matches.clock.queries import ClockView, clocks_in
from league.matches.clock.state import SECOND, ClockState, since_epoch
from league.matches.models import Match
from league.matches.queries.lines import MatchLine, SideScore, match_lines
from league.matches.visibility import visible_matches
from league.web.matches.clock import ring_what_is_due
from league.web.screens.dials import LOOK_AGAIN_S, dial
from league.web.words import labels
from league.web.words.labels import Label

OUTSIDER = AnonymousUser()
NOT_STARTED = Label(word=pgettext_lazy("match", "Not started"), icon="clock")
LIVE = Label(word=pgettext_lazy("match", "Live"), icon="play", tone="good")
PAUSED = Label(word=pgettext_lazy("match", "Paused"), icon="pause", tone="warm")
# Labels in lists for matches that are upcoming or live; the scoreboard replaces them with finer ones.
OPEN = (labels.PLAYING, labels.AWAITED, labels.NOT_PLAYED)
AT_THE_CLOCK = {ClockState.RUNNING, ClockState.RUNG, ClockState.OVERTIME}
STILL_PLAYED = {Match.State.SCHEDULED, Match.State.PLAYING}
# Width of a digit at font size 100, in units of the drawing; lengths from which a name takes smaller letters.
DIGIT_WIDTH = 58
LONG_NAME, VERY_LONG_NAME = 18, 36
MOST_IN_TWO_COLUMNS = 4


@dataclass(frozen=True, kw_only=True)
class ScorePlate:
    """One side of the scoreboard.

    `digits`: "" before any score; `width`: of their drawing, which is squeezed into its place; `size`: of the name, so
    that a long name takes two lines.
    """

    side: SideScore
    digits: str
    width: int
    size: str


@require_safe
@never_cache
def page(request: HttpRequest, match_id: int) -> HttpResponse:
    """Show the scoreboard as the public sees it.

    The number of statements does not grow with sides and games.
    """
    shown = match_lines(visible_matches(OUTSIDER).filter(pk=match_id))
    if not shown:
        raise Http404
    line, now = shown[0], timezone.now()
    views = clocks_in([match_id], now)
    if ring_what_is_due(views):
        views = clocks_in([match_id], now)
    clock = _clock_of(line, views)
    state = state_of(line, clock)
    context = {
        "line": line,
        "plates": [_plate(side, line) for side in line.sides],
        "columns": "pair" if len(line.sides) == 2 else "four" if len(line.sides) <= MOST_IN_TWO_COLUMNS else "six",
        "state": state,
        "begins": line.starts_at if state is NOT_STARTED else None,
        "clock": dial(clock, "main") if clock else None,
        "place": competition_of([match_id]).get(match_id),
        "refresh": _refresh_s(clock),
        "now": now,
        "now_ms": since_epoch(now),
    }
    return render(request, "screens/scoreboard.html", context)


def state_of(line: MatchLine, clock: ClockView | None) -> Label:
    """Return the match's label; if unfinished whether it has begun or is paused."""
    told = labels.of_match(line)
    if not any(told is one for one in OPEN):
        return told
    clocked = clock.reading.state if clock else None
    if clocked is ClockState.PAUSED:
        return PAUSED
    begun = line.live is not None or line.state == Match.State.PLAYING or clocked in AT_THE_CLOCK
    return LIVE if begun else NOT_STARTED


def _clock_of(line: MatchLine, views: list[ClockView]) -> ClockView | None:
    """Return the clock of the current game."""
    if line.state not in STILL_PLAYED:
        return None
    number = line.live.number if line.live else line.game_now
    return next((view for view in views if view.number == number), None)


def _plate(side: SideScore, line: MatchLine) -> ScorePlate:
    """Show the points of the live tally, else the score of the list."""
    points = line.live.points.get(side.number) if line.live else side.score
    digits = "" if points is None else str(points)
    length = count_letters(f"{side.name} {side.apart}".strip())
    size = "very-long" if length > VERY_LONG_NAME else "long" if length > LONG_NAME else ""
    return ScorePlate(side=side, digits=digits, width=DIGIT_WIDTH * max(len(digits), 1), size=size)


def _refresh_s(clock: ClockView | None) -> int:
    """Return the seconds until a page without a script reloads: right after the bell."""
    if clock is None or clock.reading.state is not ClockState.RUNNING:
        return LOOK_AGAIN_S
    return min(LOOK_AGAIN_S, clock.reading.remaining_ms // SECOND + 1)
