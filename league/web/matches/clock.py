"""Game clock on the match page: words and digits, buttons, state for the script.

The script counts between two requests.
"""

import json
from collections.abc import Callable, Container
from dataclasses import dataclass
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, pgettext_lazy
from django.views.decorators.http import require_POST, require_safe

from games.ruleset import BellMode, Tie
from league.errors import NotAllowed, Refused
from league.matches.clock import services as timekeeping
from league.matches.clock.log_times import Difference, Differs
from league.matches.clock.queries import ClockPage, ClockView, clocks_in
from league.matches.clock.state import SECOND, ClockReading, ClockState, Milliseconds
from league.matches.clock_acts import ClockAct
from league.matches.models import ClockEvent, Game
from league.matches.queries import lists as queries
from league.matches.visibility import visible_matches
from league.web.shared.staff import number_in
from league.web.words.labels import Label

MINUTE_S = 60
REFRESH_S = 30
"""Seconds until a page without a script refreshes; after the bell it refreshes at once."""

STATES: dict[ClockState, Label] = {
    ClockState.NOT_STARTED: Label(word=pgettext_lazy("clock", "Not started"), icon="clock"),
    ClockState.RUNNING: Label(word=pgettext_lazy("clock", "Running"), icon="play", tone="good"),
    ClockState.PAUSED: Label(word=pgettext_lazy("clock", "Paused"), icon="pause", tone="warm"),
    ClockState.RUNG: Label(word=pgettext_lazy("clock", "The bell has rung"), icon="bell", tone="bad"),
    ClockState.OVERTIME: Label(word=pgettext_lazy("clock", "Overtime"), icon="play", tone="cool"),
    ClockState.OVER: Label(word=pgettext_lazy("clock", "Stopped"), icon="halt", tone="over"),
}
REPLAY = Label(word=pgettext_lazy("clock", "Extra hands"), icon="play", tone="cool")
SOON_MS = MINUTE_S * SECOND

BELLS: dict[BellMode, Any] = {
    BellMode.STOP: gettext_lazy("The bell: %(clock)s. Play stops; a tile that was released before it counts."),
    BellMode.TURN: gettext_lazy("The bell: %(clock)s. The player whose turn it is finishes it, then play stops."),
    BellMode.ROUND: gettext_lazy("The bell: %(clock)s. Play the hand to its end; it counts."),
}
TIES: dict[Tie, Any] = {
    Tie.OVERTIME: gettext_lazy("Level scores: overtime without a clock, and the first points win."),
    Tie.REPLAY: gettext_lazy("Level scores: further hands without a clock, until one ends unequal."),
}

DONE: dict[ClockAct, Any] = {
    ClockAct.START: gettext_lazy("The clock is running."),
    ClockAct.PAUSE: gettext_lazy("The clock is paused."),
    ClockAct.RESUME: gettext_lazy("The clock is running again."),
    ClockAct.GIVE: gettext_lazy("The time was given."),
    ClockAct.OVERTIME: gettext_lazy("Play goes on without a bell."),
    ClockAct.STOP: gettext_lazy("The clock is stopped."),
    ClockAct.CANCEL: gettext_lazy("The start was undone. The clock is back at its full time."),
}

HISTORY: dict[str, Any] = {
    ClockAct.START: pgettext_lazy("history of a clock", "Started"),
    ClockAct.PAUSE: pgettext_lazy("history of a clock", "Paused"),
    ClockAct.RESUME: pgettext_lazy("history of a clock", "Resumed"),
    ClockAct.GIVE: pgettext_lazy("history of a clock", "Time given: %(given)s"),
    ClockAct.BELL: pgettext_lazy("history of a clock", "The bell"),
    ClockAct.OVERTIME: pgettext_lazy("history of a clock", "Level at %(level)s: play goes on without a bell"),
    ClockAct.STOP: pgettext_lazy("history of a clock", "Stopped"),
    ClockAct.CANCEL: pgettext_lazy("history of a clock", "The start was taken back"),
}

STOPPED_BY_RESULT = pgettext_lazy("history of a clock", "Stopped: the game has a result")
WITHOUT_TIME = frozenset({ClockAct.START, ClockAct.CANCEL})

DIFFERENCES: dict[Differs, Any] = {
    Differs.DATE: gettext_lazy("The log is dated %(log)s; the clock was started on %(clock)s."),
    Differs.START: gettext_lazy("The log says that the game began at %(log)s; the clock was started at %(clock)s."),
    Differs.PAUSED: gettext_lazy("The clock was paused for %(clock)s in all; the times of a log do not show that."),
    Differs.GIVEN: gettext_lazy("The table was given %(clock)s; the replay knows only the time of the rules."),
    Differs.BELL_TIME: gettext_lazy("The log has the bell at %(log)s; the clock rang at %(clock)s."),
    Differs.BELL_IN_LOG_ONLY: gettext_lazy("The log has a bell at %(log)s; the clock was stopped at %(clock)s."),
    Differs.BELL_ON_CLOCK_ONLY: gettext_lazy("The clock rang at %(clock)s; the log ends at %(log)s without a bell."),
    Differs.PLAY_AFTER_BELL: gettext_lazy("The log has a move at %(log)s, after the bell of the clock at %(clock)s."),
    Differs.LATER_THAN_CLOCK: gettext_lazy("The log goes on to %(log)s; the clock was stopped at %(clock)s."),
    Differs.OVERTIME_IN_LOG_ONLY: gettext_lazy("The log has hands after the bell; the clock knows of no overtime."),
    Differs.OVERTIME_ON_CLOCK_ONLY: gettext_lazy("The clock has an overtime; the log ends with the bell."),
}
UNTIMED: dict[Differs, Any] = {
    Differs.BELL_IN_LOG_ONLY: gettext_lazy("The log has a bell without a time; the clock was stopped at %(clock)s."),
    Differs.BELL_ON_CLOCK_ONLY: gettext_lazy("The clock rang at %(clock)s; the log has neither times nor a bell."),
}


@dataclass(frozen=True, kw_only=True)
class Chapter:
    """One line of the history in words; `clock`: the time counted, "" if irrelevant."""

    event: ClockEvent
    word: str
    clock: str
    set_back: str


@dataclass(frozen=True, kw_only=True)
class ClockFace:
    """Values for the template.

    `data`: the script's start values, as JSON; `refresh`: seconds until a page without a script refreshes, None if
    nothing moves.
    """

    page: ClockPage
    digits: str
    length: str
    played: str
    label: Label
    tone: str
    bell: str
    tie: Any
    data: str
    refresh: int | None
    may: dict[str, bool]
    chapters: list[Chapter]
    differences: list[str]


def face(page: ClockPage) -> ClockFace:
    shown, rules = page.view.reading, page.view.rules
    label = REPLAY if shown.state is ClockState.OVERTIME and rules.tie is Tie.REPLAY else STATES[shown.state]
    soon = shown.state is ClockState.RUNNING and shown.remaining_ms <= SOON_MS
    return ClockFace(
        page=page,
        digits=digits(shown),
        length=clock_time(shown.length_ms),
        played=clock_time(shown.elapsed_ms) if shown.state is ClockState.OVER else "",
        label=label,
        tone="warm" if soon else label.tone,
        bell=bell_words(page.view) if shown.state is ClockState.RUNG else "",
        tie=TIES[rules.tie] if shown.state is ClockState.RUNG else "",
        data=json.dumps(state_of(page.view) | spoken(page.view)),
        refresh=_refresh(shown),
        may={act.value: act in page.may for act in ClockAct},
        chapters=[
            Chapter(
                event=line.event,
                word=chapter_word(line.event),
                clock="" if line.event.kind in WITHOUT_TIME else clock_time(line.elapsed_ms),
                set_back=clock_time(line.event.set_back_ms) if line.event.set_back_ms else "",
            )
            for line in page.history
        ],
        differences=[difference_words(one) for one in page.differences],
    )


def digits(shown: ClockReading) -> str:
    """Return the time left, or the time since the start of an overtime.

    Rounded up, so that 0:00 comes with the bell.
    """
    if shown.state is ClockState.OVERTIME or shown.overtime_ms:
        return f"+{clock_time(shown.overtime_ms)}"
    return clock_time(-(-shown.remaining_ms // SECOND) * SECOND)


def clock_time(length: Milliseconds) -> str:
    """Return the length as `m:ss`, as in a log, without fractions of a second."""
    minutes, seconds = divmod(length // SECOND, MINUTE_S)
    return f"{minutes}:{seconds:02d}"


def bell_words(view: ClockView) -> str:
    return BELLS[view.rules.bell_mode] % {"clock": clock_time(view.reading.length_ms)}


def warning_words(before: Milliseconds) -> str:
    seconds = before // SECOND
    if seconds % MINUTE_S:
        return ngettext("%(count)d second left", "%(count)d seconds left", seconds) % {"count": seconds}
    minutes = seconds // MINUTE_S
    return ngettext("%(count)d minute left", "%(count)d minutes left", minutes) % {"count": minutes}


def chapter_word(event: ClockEvent) -> str:
    if event.kind == ClockAct.STOP and event.by_id is None:
        return str(STOPPED_BY_RESULT)
    return str(HISTORY[event.kind]) % {"given": clock_time(event.given_ms), "level": event.level_at}


def difference_words(one: Difference) -> str:
    template = UNTIMED[one.what] if one.log is None and one.what in UNTIMED else DIFFERENCES[one.what]
    said = {
        name: clock_time(value) if isinstance(value, int) else value
        for name, value in (("log", one.log), ("clock", one.clock))
    }
    return str(template) % said


def state_of(view: ClockView) -> dict[str, object]:
    """Return the script's start values, all in milliseconds."""
    shown = view.reading
    return {
        "game": view.number,
        "version": view.version,
        "state": shown.state,
        "remaining_ms": shown.remaining_ms,
        "overtime_ms": shown.overtime_ms,
    }


def spoken(view: ClockView) -> dict[str, object]:
    """Return the script's spoken texts, in the reader's language."""
    return {
        "warnings": [[before, warning_words(before)] for before, _at in view.reading.warnings],
        "bell": bell_words(view),
    }


def _refresh(shown: ClockReading) -> int | None:
    if shown.state is ClockState.OVERTIME:
        return REFRESH_S
    if shown.state is not ClockState.RUNNING:
        return None
    return min(REFRESH_S, shown.remaining_ms // SECOND + 1)


# --- Views ---


@require_safe
def state(request: HttpRequest, match_id: int) -> HttpResponse:
    """Answer the current clocks of a match as JSON, for the script.

    `{"clocks": [{"game": 1, "state": "running", …}]}`. The first request after a due bell rings it.
    """
    if not visible_matches(request.user).filter(pk=match_id).exists():
        raise Http404
    views = clocks_in([match_id], timezone.now())
    if ring_what_is_due(views):
        views = clocks_in([match_id], timezone.now())
    answer = JsonResponse({"clocks": [state_of(view) for view in views]})
    answer["Cache-Control"] = "no-store"
    return answer


def ring_what_is_due(views: list[ClockView]) -> bool:
    """Ring the due bells that have no event yet; return whether any was due."""
    due = [view for view in views if view.bell_due]
    for view in due:
        timekeeping.ring_if_due(view.game_id, view.now)
    return bool(due)


@require_POST
@login_required
def act(request: HttpRequest, match_id: int, number: int) -> HttpResponse:
    """Act on the clock as the form says.

    A refusal shows on the match page, and nothing changes.
    """
    try:
        game = queries.game_of(request.user, match_id, number)
    except Game.DoesNotExist as absent:
        raise Http404 from absent
    try:
        done = act_in(request, VERBS)
        VERBS[done](game, request)
    except NotAllowed as refused:
        raise PermissionDenied(str(refused)) from refused
    except Refused as refused:
        messages.error(request, str(refused))
    else:
        messages.success(request, str(DONE[done]))
    return redirect(f"{reverse('matches:detail', args=[match_id])}#clock-{number}")


def act_in(request: HttpRequest, offered: Container[str]) -> ClockAct:
    """Return the act of the button pressed. Raises Refused `unknown-act`."""
    wanted = request.POST.get("act", "")
    if wanted not in offered:
        raise Refused("unknown-act", _("Choose one of the buttons of the clock."))
    return ClockAct(wanted)


def _number(request: HttpRequest, name: str) -> int:
    """Return a whole number of a form, −1 for anything else.

    Every service refuses −1 in words.
    """
    number = number_in(request.POST, name)
    return -1 if number is None else number


def _reason(request: HttpRequest) -> str:
    return request.POST.get("reason", "")


Verb = Callable[[Game, HttpRequest], object]
VERBS: dict[str, Verb] = {
    ClockAct.START: lambda game, request: timekeeping.start_clock(game, request.user),
    ClockAct.PAUSE: lambda game, request: timekeeping.pause_clock(game, request.user),
    ClockAct.RESUME: lambda game, request: timekeeping.resume_clock(game, request.user),
    ClockAct.GIVE: lambda game, request: timekeeping.give_time(
        game, request.user, seconds=_number(request, "minutes") * MINUTE_S, reason=_reason(request)
    ),
    ClockAct.OVERTIME: lambda game, request: timekeeping.start_overtime(
        game, request.user, level_at=_number(request, "level_at")
    ),
    ClockAct.STOP: lambda game, request: timekeeping.stop_clock(game, request.user),
    ClockAct.CANCEL: lambda game, request: timekeeping.cancel_start(game, request.user, reason=_reason(request)),
}
