"""Clock control of a hall: all tables at once, or one table."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from django.views.decorators.cache import never_cache

from league.accounts.models import League
from league.accounts.permissions import Act
from league.competitions.queries.hall import Hall, HallRound, tables_for
from league.competitions.queries.hall_tables import HallTable, NotReady
from league.errors import NotAllowed, Refused
from league.matches.clock.hall import TOGETHER, Done, run_together
from league.matches.clock.state import ClockState, since_epoch
from league.matches.clock_acts import ClockAct
from league.web.matches.clock import DONE, VERBS, act_in
from league.web.screens.dials import Dial, dial, label_of, name_of, reason_of, refresh_s
from league.web.screens.hall import find
from league.web.shared.staff import of_league
from league.web.words.labels import Label

OF_ONE_TABLE = frozenset({ClockAct.START, ClockAct.PAUSE, ClockAct.RESUME, ClockAct.GIVE})
ROUNDS_NEAR = 3
"""Number of rounds offered before and after the current one."""
NAMED = 12
"""Most tables named in a message; others are counted, and the page lists them all."""


@dataclass(frozen=True, kw_only=True)
class ClockRow:
    """A table with its clock buttons."""

    table: HallTable
    name: str
    label: Label
    reason: str
    dial: Dial | None
    may: dict[str, bool]


@of_league(Act.RUN_CLOCKS)
@never_cache
def clock(request: HttpRequest, league: League) -> HttpResponse:
    """Show and run the clocks of a hall.

    `?competition=` and `&round=` narrow it. `act` of the form applies to all tables, or to the one named by `table`.
    """
    found, competition = find(request, league)
    if request.method == "POST":
        return _press(request, league, found)
    main = found.main
    context = {
        "league": league,
        "competition": competition,
        "hall": found,
        "main": dial(main, "main") if main else None,
        "rows": [_row(one) for one in found.tables],
        "counts": {act.value: len(tables_for(act, found)) for act in TOGETHER},
        "competitions": _competitions(found),
        "rounds": _near(found) if competition else [],
        "refresh": refresh_s(found),
        "now_ms": since_epoch(found.now),
        "area": "organize",
    }
    return render(request, "screens/clock_control.html", context)


def _competitions(found: Hall) -> list[Any]:
    return sorted({one.competition for one in (*found.rounds, *found.others)}, key=lambda one: (one.name, one.pk))


def _near(found: Hall) -> list[HallRound]:
    """Return the current round with up to `ROUNDS_NEAR` rounds before and after it."""
    rounds = sorted((*found.rounds, *found.others), key=lambda one: (one.matchday.stage_id, one.matchday.number))
    here = rounds.index(found.rounds[0]) if found.rounds else 0
    return rounds[max(here - ROUNDS_NEAR, 0) : here + ROUNDS_NEAR + 1]


def _row(one: HallTable) -> ClockRow:
    state = one.clock.reading.state if one.clock else None
    at_hand = one.why_not is not NotReady.PLAYED
    return ClockRow(
        table=one,
        name=name_of(one),
        label=label_of(one),
        reason=reason_of(one) if one.why_not and not one.on_the_clock else "",
        dial=dial(one.clock, one.key, name_of(one)) if one.clock and at_hand else None,
        may={
            "start": one.why_not is None,
            "pause": state is ClockState.RUNNING,
            "resume": state is ClockState.PAUSED,
            "give": state in {ClockState.NOT_STARTED, ClockState.RUNNING, ClockState.PAUSED},
        },
    )


# --- Actions ---


def _press(request: HttpRequest, league: League, found: Hall) -> HttpResponse:
    try:
        if key := request.POST.get("table"):
            _at_one(request, found, key)
        else:
            _at_all(request, found)
    except NotAllowed as refused:
        raise PermissionDenied(str(refused)) from refused
    except Refused as refused:
        messages.error(request, str(refused))
    chosen = {name: request.GET[name] for name in ("competition", "round") if request.GET.get(name)}
    address = reverse("organize:clock", args=[league.slug])
    return HttpResponseRedirect(f"{address}?{urlencode(chosen)}" if chosen else address)


def _at_one(request: HttpRequest, found: Hall, key: str) -> None:
    table = next((one for one in found.tables if one.key == key), None)
    if table is None or table.game is None:
        raise Refused("no-clock", _("There is no clock to run at this table any more."))
    act = act_in(request, OF_ONE_TABLE)
    VERBS[act](table.game, request)
    messages.success(request, f"{name_of(table)}: {DONE[act]}")


def _at_all(request: HttpRequest, found: Hall) -> None:
    act = act_in(request, TOGETHER)
    tables = tables_for(act, found)
    if not tables:
        raise Refused("no-clock", str(NOBODY[act]) + _left_out(act, found))
    done = run_together([one.game for one in tables], request.user, act, reason=request.POST.get("reason", ""))
    went = [one for one in done if one.event]
    refused = [(table, str(one.refusal)) for table, one in zip(tables, done, strict=True) if one.refusal]
    if went:
        messages.success(request, _went(act, went))
    if not_done := _not_done(refused) + _left_out(act, found):
        messages.info(request, not_done.strip())


def _went(act: ClockAct, went: Sequence[Done]) -> str:
    count = {"count": len(went)}
    if act is ClockAct.START:
        at = date_format(timezone.localtime(went[0].event.at), "H:i:s")
        return ngettext(
            "%(count)d clock was started at %(at)s.", "%(count)d clocks were started together at %(at)s.", len(went)
        ) % (count | {"at": at})
    if act is ClockAct.PAUSE:
        return ngettext("%(count)d clock is paused.", "%(count)d clocks are paused.", len(went)) % count
    if act is ClockAct.RESUME:
        return ngettext("%(count)d clock is running again.", "%(count)d clocks are running again.", len(went)) % count
    return (
        ngettext(
            "%(count)d start was undone: the clock is back at its full time.",
            "%(count)d starts were undone: the clocks are back at their full time.",
            len(went),
        )
        % count
    )


NOBODY: Mapping[ClockAct, Any] = {
    ClockAct.START: gettext_lazy("No clock can be started."),
    ClockAct.PAUSE: gettext_lazy("No clock is running."),
    ClockAct.RESUME: gettext_lazy("No clock is paused."),
    ClockAct.CANCEL: gettext_lazy("No clock was started within the last minute. Pause the clocks instead."),
}


def _not_done(refused: Sequence[tuple[HallTable, str]]) -> str:
    return "".join(f" {name_of(table)}: {sentence}" for table, sentence in refused)


def _left_out(act: ClockAct, found: Hall) -> str:
    """List the unfinished tables that the button left out, with the reason."""
    if act is ClockAct.START:
        left = [(one, reason_of(one)) for one in found.tables if one.why_not not in {None, NotReady.PLAYED}]
        words = _("Not started:")
    elif act is ClockAct.RESUME:
        meant = {one.key for one in tables_for(act, found)}
        stands = [one for one in found.tables if one.on_the_clock and one.clock.reading.state is ClockState.PAUSED]
        left = [(one, _("It was paused automatically.")) for one in stands if one.key not in meant]
        words = _("Still paused:")
    else:
        return ""
    if not left:
        return ""
    more = len(left) - NAMED
    rest = (
        ngettext("and %(count)d more table.", "and %(count)d more tables.", more) % {"count": more} if more > 0 else ""
    )
    return f" {words}{_not_done(left[:NAMED])} {rest}"
