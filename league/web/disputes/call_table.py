"""Page of the referee at the table: the record of the table, one question, and the ruling."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache

from games.ruleset import Ruleset
from games.scorecard import awards_of_a_play
from league.accounts.models import User
from league.disputes.calls import ending, services
from league.disputes.calls.ending import TableFinding
from league.disputes.calls.queries import TableRecord, officials_of, table_record
from league.disputes.models import RefereeCall
from league.errors import NotAllowed, Refused
from league.matches.clock.state import ClockState
from league.matches.visibility import visible_matches
from league.web.matches.clock import STATES, digits
from league.web.shared.staff import number_in, sent_row
from league.web.words.referee_calls import ruling_words, state_words, tap_words
from league.web.words.sentences import told
from referee.rulings.at_the_table import kinds_of
from referee.rulings.protests import ProtestKind

PENALTIES = (10, 20, 30, 50)


@dataclass(frozen=True, slots=True, kw_only=True)
class Ask:
    """Choice of the referee so far: the matter, the side that claims the points, and the points, 0 if not known.

    `on_pad`: the last score on the pad is that of this play.
    """

    about: str
    side: int
    points: int
    on_pad: bool

    @property
    def address(self) -> str:
        """Query of the page with this choice."""
        return f"?about={self.about}&side={self.side}&points={self.points}&on_pad={int(self.on_pad)}#ruling"


@login_required
@never_cache
def page(request: HttpRequest, match_id: int, call_id: int) -> HttpResponse:
    """Show a call at its table. GET `about`, `side`, `points` and `on_pad` choose the question.

    POST `do` is "go", "hand" with `to`, "pause", "yes" or "no" with the choice and `favours`, or "close" with
    `sentence`, `against` and `penalty`.
    """
    rows = RefereeCall.objects.select_related("match__league", "match__table", "game", "pause", "taken_by", "ended_by")
    call = rows.filter(pk=call_id, match=match_id, match__in=visible_matches(request.user)).first()
    if call is None:
        raise Http404
    try:
        services.check_answers(call, request.user)
    except NotAllowed as refused:
        raise PermissionDenied(str(refused)) from refused
    with timezone.override(call.match.league.time_zone):
        if request.method == "POST":
            return _act(request, call)
        return render(request, "disputes/calls/table.html", _context(request, call))


# --- The question ---


def _ask(request: HttpRequest, call: RefereeCall, rules: Ruleset | None, found: TableRecord) -> Ask | None:
    """Return the choice: as asked, else from the callers and the pad. None where the rules have no claim window."""
    kinds = [kind.value for kind in kinds_of(rules)] if rules else []
    if not kinds:
        return None
    about = request.GET.get("about") or call.reason
    about = about if about in kinds else kinds[0]
    side = number_in(request.GET, "side")
    points = number_in(request.GET, "points")
    last = found.last.points if found.last else 0
    points = last if points is None else points
    on_pad = number_in(request.GET, "on_pad")
    return Ask(
        about=about,
        side=side if side in (1, 2) else _claims(call, about, found),
        points=points,
        on_pad=bool(found.last) and (points == last if on_pad is None else bool(on_pad)),
    )


def _claims(call: RefereeCall, about: str, found: TableRecord) -> int:
    """Return the side that probably claims: by the last score on the pad, else the caller."""
    callers = [one.side for one in call.callers.filter(withdrawn_at=None) if one.side in (1, 2)]
    if found.last is not None and found.last.seat is not None:
        scorer, count = found.last.seat + 1, about == ProtestKind.COUNT.value
        return scorer if count == (found.last.kind == "points") else 3 - scorer
    return callers[0] if callers else 1


def _asked(ask: Ask | None, rules: Ruleset | None, names: list[str], found: TableRecord) -> dict[str, Any]:
    """Return the question in words, and the outcome of each answer; nothing while the points are not known."""
    if ask is None or rules is None or not ask.points:
        return {}
    asked = ending.question_of(rules, ask.about, ask.side, ask.points, names, found.last if ask.on_pad else None)
    if asked is None:
        return {}
    facts = {"about": ask.about, "side": ask.side, "points": ask.points}
    yes, no = (ruling_words(RefereeCall(**facts, upheld=one), names) for one in (asked.favours, not asked.favours))
    return {"question": told(asked.question), "favours": asked.favours, "yes": yes, "no": no}


def _context(request: HttpRequest, call: RefereeCall) -> dict[str, Any]:
    now = timezone.now()
    found = table_record(call, request.user, now)
    rules = ending.rules_of_call(call)
    names = [side.name for side in found.line.sides]
    ask = _ask(request, call, rules, found) if call.ended_at is None else None
    context = {
        "call": call,
        "league": call.match.league,
        "line": found.line,
        "names": list(enumerate(names, start=1)),
        "words": state_words(call, now),
        "ruling": ruling_words(call, names) if call.about else "",
        "callers": call.callers.filter(withdrawn_at=None).select_related("by"),
        "scores": list(zip(names, found.scores, strict=True)) if found.scores else None,
        "taps": [tap_words(tap, names) for tap in reversed(found.taps)],
        "pad": found.scores is not None,
        "two": len(names) == 2,
        "ask": ask,
        "penalties": PENALTIES,
        "last": tap_words(found.last, names) if found.last else "",
        "officials": [one for one in officials_of(call.match.league, call.match) if one != request.user],
        "area": "organize",
    }
    context |= _asked(ask, rules, names, found)
    if ask:
        context["choices"] = _choices(ask, [kind.value for kind in kinds_of(rules)] if rules else [], rules, names)
    if found.clock is not None:
        state = found.clock.reading.state
        context |= {"digits": digits(found.clock.reading), "clock": STATES[state]}
        context["pauses"] = state is ClockState.RUNNING and call.ended_at is None
    return context


def _choices(
    ask: Ask, kinds: list[str], rules: Ruleset | None, names: list[str]
) -> dict[str, list[tuple[Any, str, bool]]]:
    """Return for each choice the value, the address of the page with it, and whether it is chosen."""

    def options(name: str, values: Sequence[Any]) -> list[tuple[Any, str, bool]]:
        return [(one, replace(ask, **{name: one}).address, one == getattr(ask, name)) for one in values]

    sides = options("side", range(1, len(names) + 1))
    return {
        # Another matter has another side that claims.
        "about": [(one, f"?about={one}&points={ask.points}#ruling", one == ask.about) for one in kinds],
        "side": [(names[number - 1], address, chosen) for number, address, chosen in sides],
        "points": options("points", awards_of_a_play(rules) if rules else ()),
        "on_pad": options("on_pad", (True, False)),
    }


# --- Acts ---


def _act(request: HttpRequest, call: RefereeCall) -> HttpResponse:
    do = request.POST.get("do", "")
    try:
        if do in ("yes", "no"):
            _rule(request, call, upheld=(do == "yes") == (request.POST.get("favours") != "no"))
            return redirect("organize:referee_calls", call.match.league.slug)
        if do == "close":
            _close(request, call)
            return redirect("organize:referee_calls", call.match.league.slug)
        if do == "pause":
            services.pause_for_call(call, request.user)
        elif do == "hand":
            services.hand_over(call, request.user, sent_row(request, "to", User))
        else:
            services.go_to_table(call, request.user)
    except NotAllowed as refused:
        raise PermissionDenied(str(refused)) from refused
    except Refused as refused:
        messages.error(request, str(refused))
    return redirect(request.get_full_path())


def _rule(request: HttpRequest, call: RefereeCall, *, upheld: bool) -> None:
    found = TableFinding(
        about=request.POST.get("about", ""),
        side=number_in(request.POST, "side") or 0,
        points=number_in(request.POST, "points") or 0,
        upheld=upheld,
        on_pad="on_pad" in request.POST,
    )
    ended = ending.rule_at_table(call, request.user, found)
    names = [str(side) for side in call.match.sides.select_related("entrant__player", "entrant__partner")]
    messages.success(request, ruling_words(ended, names))
    if ended.tap is None and ended.upheld and not found.on_pad:
        messages.info(request, _("No pad keeps the score of this game: write the points on the card."))


def _close(request: HttpRequest, call: RefereeCall) -> None:
    against = number_in(request.POST, "against") or 0
    points = (number_in(request.POST, "penalty") or 0) if against else 0
    ending.close_call(call, request.user, request.POST.get("sentence", ""), against=against, points=points)
    messages.success(request, _("The call is closed. Play goes on."))
