"""Clocks of a hall as the screens show them: digits, words, and the data of their script."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, pgettext_lazy

from league.competitions.queries.hall import Hall
from league.competitions.queries.hall_tables import HallTable, NotReady
from league.matches.clock.queries import ClockView
from league.matches.clock.state import SECOND, ClockState, Milliseconds
from league.web.matches.clock import MINUTE_S, STATES, bell_words, digits, spoken, state_of
from league.web.words.labels import Label

LOOK_AGAIN_S = 20
"""Seconds until a page without a script reloads; also right after the bell."""
BELL_SHOWN = timedelta(seconds=20)
"""Time for which the bell fills the screen."""
TONES: Mapping[Milliseconds, str] = {MINUTE_S * SECOND: "bad"}

NOT_READY: Mapping[NotReady, Any] = {
    NotReady.RUNNING: gettext_lazy("Its clock is running."),
    NotReady.PAUSED: gettext_lazy("Its clock is paused: let it run again."),
    NotReady.RUNG: gettext_lazy("Its bell has rung, and its result is missing."),
    NotReady.OVERTIME: gettext_lazy("It plays its overtime."),
    NotReady.STOPPED: gettext_lazy("Its clock was stopped, and its result is missing."),
    NotReady.UNTIMED: gettext_lazy("It is played without a clock."),
    NotReady.PLAYED: gettext_lazy("Its result is there."),
    NotReady.UNKNOWN: gettext_lazy("Its players are not known yet."),
    NotReady.QUEUED: gettext_lazy("Another match is played at this table first."),
}
READY = Label(word=pgettext_lazy("clock of a table", "Ready to start"), icon="check", tone="cool")
NO_CLOCK: Mapping[NotReady, Label] = {
    NotReady.UNTIMED: Label(word=pgettext_lazy("clock of a table", "Without a clock"), icon="note"),
    NotReady.PLAYED: Label(word=pgettext_lazy("clock of a table", "Played"), icon="seal", tone="over"),
    NotReady.UNKNOWN: Label(word=pgettext_lazy("clock of a table", "Players not known yet"), icon="note"),
    NotReady.QUEUED: Label(word=pgettext_lazy("clock of a table", "Waits for its table"), icon="clock"),
    NotReady.ELSEWHERE: Label(
        word=pgettext_lazy("clock of a table", "Still playing elsewhere"), icon="alert", tone="warm"
    ),
}


@dataclass(frozen=True, kw_only=True)
class Warned:
    """Warning for the last `before` milliseconds; `now`: it is current."""

    before: Milliseconds
    words: str
    tone: str
    now: bool


@dataclass(frozen=True, kw_only=True)
class Dial:
    """A clock as the hall screen shows it; `data` is the input of its script, as JSON."""

    digits: str
    label: Label
    tone: str
    data: str
    warned: list[Warned]
    bell: str
    ringing: bool


def dial(view: ClockView, key: str, name: str = "") -> Dial:
    """Build the dial; `name` is announced with the bell, empty for the common clock."""
    shown = view.reading
    warned = _warned(view)
    told = state_of(view) | spoken(view)
    rings = shown.rings_at.timestamp() if shown.rings_at else 0
    return Dial(
        digits=digits(shown),
        label=STATES[shown.state],
        tone=next((one.tone for one in warned if one.now), STATES[shown.state].tone),
        data=json.dumps(told | {"key": key, "rings": rings, "name": name}),
        warned=warned,
        bell=bell_words(view),
        ringing=shown.state is ClockState.RUNG and view.now - shown.rung_at < BELL_SHOWN,
    )


def _warned(view: ClockView) -> list[Warned]:
    """List the warnings, longest first; the shortest that applies is current."""
    left = view.reading.remaining_ms
    running = view.reading.state is ClockState.RUNNING
    known = sorted((one for one in view.rules.warnings_ms if one < view.reading.length_ms), reverse=True)
    holds = min((one for one in known if running and left <= one), default=None)
    return [Warned(before=one, words=_last(one), tone=TONES.get(one, "warm"), now=one == holds) for one in known]


def _last(before: Milliseconds) -> str:
    minutes = before // (MINUTE_S * SECOND)
    return ngettext("The last minute", "The last %(count)d minutes", minutes) % {"count": minutes}


def name_of(one: HallTable) -> str:
    return _("Table %(name)s") % {"name": one.name} if one.name else _("Without a table")


def reason_of(one: HallTable) -> str:
    """Explain in a sentence why its clock does not start with the others."""
    if one.why_not is NotReady.ELSEWHERE:
        return _("One of its players still plays at table %(name)s.") % {"name": one.busy_at or "–"}
    return str(NOT_READY[one.why_not]) if one.why_not else ""


def label_of(one: HallTable) -> Label:
    if one.why_not is None:
        return READY
    return NO_CLOCK[one.why_not] if one.why_not in NO_CLOCK else STATES[one.clock.reading.state]


def refresh_s(found: Hall) -> int:
    """Return the seconds until a page without a script reloads."""
    running = [one.clock.reading for one in found.tables if one.on_the_clock]
    left = [one.remaining_ms // SECOND + 1 for one in running if one.state is ClockState.RUNNING]
    return min([LOOK_AGAIN_S, *left])


def clock_context(found: Hall) -> dict[str, Any]:
    """Return the context of the large clock, of the tables that differ from it, and of the next rounds."""
    main = found.main
    going = main is not None and main.reading.state in {ClockState.RUNNING, ClockState.PAUSED}
    return {
        "hall": found,
        "main": dial(main, "main") if main else None,
        "only": [name_of(one) for one in found.with_main] if len(found.with_main) < len(found.different) else [],
        "different": [(one, name_of(one), dial(one.clock, one.key, name_of(one))) for one in found.different],
        "next_rounds": [] if going else found.next_rounds,
    }


def called(found: Hall) -> list[tuple[HallTable, str]]:
    """List the calls with the name of the table, empty for a minor, who asks at the desk."""
    return [(one, "" if one.minor else name_of(one)) for one in found.calls]
