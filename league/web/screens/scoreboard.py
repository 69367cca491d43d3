"""One match on the screen of a hall: names, score and clock, read from the last row."""

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
from league.web.screens.hall import LOOK_AGAIN_S, dial
from league.web.words import labels
from league.web.words.labels import Label

OUTSIDER = AnonymousUser()
NOT_STARTED = Label(word=pgettext_lazy("match", "Not started"), icon="clock")
LIVE = Label(word=pgettext_lazy("match", "Live"), icon="play", tone="good")
PAUSED = Label(word=pgettext_lazy("match", "Paused"), icon="pause", tone="warm")
# What a list says of a match that is still to be played, or is being played; a screen tells more.
OPEN = (labels.PLAYING, labels.AWAITED, labels.NOT_PLAYED)
AT_THE_CLOCK = {ClockState.RUNNING, ClockState.RUNG, ClockState.OVERTIME}
STILL_PLAYED = {Match.State.SCHEDULED, Match.State.PLAYING}
# Units of the drawing: a digit in letters of 100, and the longest name in large letters, and in middle ones.
DIGIT_WIDTH = 58
LONG_NAME, VERY_LONG_NAME = 18, 36
MOST_IN_TWO_COLUMNS = 4


@dataclass(frozen=True, kw_only=True)
class ScorePlate:
    """One side of the board. `digits`: "" before any score; `width`: of their drawing, by which it is squeezed into its
    place; `size`: of the name, so that a long one takes two lines.
    """

    side: SideScore
    digits: str
    width: int
    size: str


@require_safe
@never_cache
def page(request: HttpRequest, match_id: int) -> HttpResponse:
    """As everybody sees it. As many statements for any number of sides and games."""
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
    return render(request, "matches/scoreboard.html", context)


def state_of(line: MatchLine, clock: ClockView | None) -> Label:
    """As lists have it; of a match that is not over whether it has begun, and whether its clock stands."""
    told = labels.of_match(line)
    if not any(told is one for one in OPEN):
        return told
    clocked = clock.reading.state if clock else None
    if clocked is ClockState.PAUSED:
        return PAUSED
    begun = line.live is not None or line.state == Match.State.PLAYING or clocked in AT_THE_CLOCK
    return LIVE if begun else NOT_STARTED


def _clock_of(line: MatchLine, views: list[ClockView]) -> ClockView | None:
    """Of the game that is on."""
    if line.state not in STILL_PLAYED:
        return None
    number = line.live.number if line.live else line.game_now
    return next((view for view in views if view.number == number), None)


def _plate(side: SideScore, line: MatchLine) -> ScorePlate:
    """Large are the points of the game that is tallied, else what stands beside the name in a list."""
    points = line.live.points.get(side.number) if line.live else side.score
    digits = "" if points is None else str(points)
    length = count_letters(f"{side.name} {side.apart}".strip())
    size = "very-long" if length > VERY_LONG_NAME else "long" if length > LONG_NAME else ""
    return ScorePlate(side=side, digits=digits, width=DIGIT_WIDTH * max(len(digits), 1), size=size)


def _refresh_s(clock: ClockView | None) -> int:
    """After how many seconds a page without a script looks again: right after the bell."""
    if clock is None or clock.reading.state is not ClockState.RUNNING:
        return LOOK_AGAIN_S
    return min(LOOK_AGAIN_S, clock.reading.remaining_ms // SECOND + 1)
