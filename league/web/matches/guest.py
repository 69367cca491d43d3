"""Guest access to a match: enter and confirm results by the code on its card."""

from collections.abc import Callable

from allauth.core.internal import ratelimit
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.translation import gettext as _

from league.competitions.queries.results_grid import rows_of_match
from league.errors import NotAllowed, Refused
from league.matches import guests, permissions
from league.matches.models import Match, Side
from league.matches.permissions import Guest, Visitor
from league.matches.queries.lines import match_lines
from league.matches.results import judges, second_side
from league.matches.results.standing import is_official
from league.players.models import PEOPLE
from league.players.services import renew_pin
from league.web.matches import entry
from league.web.matches.entry import ScoreDraft
from league.web.matches.guest_page import Seen, Wrong, answer, closed, is_asked, moved_code
from league.web.shared.guests import (
    DEVICE,
    SLIP,
    behind_code,
    device_of,
    guest_of,
    person_of,
    proved_device,
    remember_proof,
)
from league.web.shared.staff import number_in

# The address limit serves a whole hall; the phone-and-match limit is above any manual use.
LIMITS = {"table": "1200/m/ip,40/m/key"}


@behind_code
def page(request: HttpRequest, door: str) -> HttpResponse:
    """Show the match page of a table code, and handle its forms.

    `do` of a form: `side`, `move`, `leave`, `check`, `change`, `send`, `confirm`, `disagree`, `accept`, `accept-judge`,
    `affirm`, `pin`, `undo`; for the desk `open`, `new-pin`.
    """
    try:
        match = guests.match_by_door(door[:40])
    except Match.DoesNotExist:
        return moved_code(request, door) or closed(request, None)
    with timezone.override(match.league.time_zone):
        if request.method == "POST":
            key = f"{match.pk} {request.session.get(DEVICE, '')} {request.META.get('REMOTE_ADDR', '')}"
            if limited := ratelimit.consume_or_429(request, app="league", action="table", config=LIMITS, key=key):
                return limited
            return _posted(request, match)
        seen = _seen(request, match)
        if not seen.open and match.state != Match.State.DECIDED:
            return closed(request, match)
        return answer(request, seen)


def visitor(request: HttpRequest, match: Match) -> Visitor | None:
    """Return the signed-in player of the match, else the phone's side, else None."""
    if request.user.is_authenticated and permissions.actor(request.user, match).plays:
        return person_of(request, match)
    return guest_of(request, match)


def _seen(request: HttpRequest, match: Match) -> Seen:
    who = visitor(request, match)
    one = permissions.actor(who, match) if who else permissions.Actor(None, sees=True)
    rows = rows_of_match(match.pk, one, timezone.now())
    return Seen(
        match=match,
        line=rows[0].line if rows else match_lines([match])[0],
        rows=rows,
        who=who,
        side=one.side,
        open=guests.is_open(match, timezone.now()),
        # Needs the PIN before it confirms; a proved phone confirms with one tap.
        proves=isinstance(who, Guest) and not who.is_proved and second_side.must_prove(match.pk),
    )


def _posted(request: HttpRequest, match: Match) -> HttpResponse:
    seen = _seen(request, match)
    act = ACTS.get(request.POST.get("do", ""))
    if act is None:
        return answer(request, seen, Wrong(told=_("Choose one of the buttons.")), status=422)
    try:
        if act not in ANY_TIME:
            _check_open(seen, act)
        done = act(request, seen)
    except Refused as refused:
        if refused.code in {"door-early", "door-closed"}:
            return closed(request, match)
        return _refused(request, _seen(request, match), refused)
    return done or redirect("table:match", match.door)


def _check_open(seen: Seen, act: Callable[[HttpRequest, Seen], HttpResponse | None]) -> None:
    """Check that guest access is open for this act.

    After the decision, only a side that another phone spoke for may act; it proves itself with its PIN first. The PIN
    opens this page at any time after it, for a protest.
    Raises Refused `match-decided`, `door-early`, `door-closed`.
    """
    match = seen.match
    if match.state == Match.State.DECIDED and act is _move:
        return
    asked = any(is_asked(seen, row) for row in seen.rows)
    if match.state == Match.State.DECIDED and not (seen.open and asked):
        raise Refused("match-decided", _("This match is over by now. Here is its result."))
    guests.check_open(match, timezone.now())


def _refused(request: HttpRequest, seen: Seen, refused: Refused) -> HttpResponse:
    """Show the page with the refusal and the typed values."""
    row = next((one for one in seen.rows if one.game.pk == number_in(request.POST, "game")), None)
    draft = ScoreDraft()
    if row and request.POST.get("do") == "send":
        draft = entry.check(request, row)
        draft = ScoreDraft(game=row.game.pk, typed=draft.typed, error=str(refused))
    wrong = Wrong(
        told=str(refused),
        side=number_in(request.POST, "side"),
        game=row.game.pk if row else 0,
        draft=draft,
    )
    return answer(request, seen, wrong, status=403 if isinstance(refused, NotAllowed) else 422)


# --- Form actions ---


def _number(request: HttpRequest) -> int:
    """Return the number of the side named in the form; the services refuse 0."""
    return number_in(request.POST, "side") or 0


def _side(request: HttpRequest, seen: Seen) -> None:
    guests.take_side(seen.match, _number(request), device_of(request))


def _move(request: HttpRequest, seen: Seen) -> None:
    number = _number(request)
    pin, known = request.POST.get("pin", "")[:20], proved_device(request, seen.match, number)
    decided = seen.match.state == Match.State.DECIDED
    guests.move_here(seen.match, number, pin, device_of(request), known=known, at_any_time=decided)
    remember_proof(request, Side.objects.select_related("entrant").get(match=seen.match, number=number).entrant.door)


def _leave(request: HttpRequest, seen: Seen) -> None:
    guests.leave_side(seen.match, device_of(request))
    request.session.pop(SLIP, None)


def _known(seen: Seen) -> Visitor:
    if seen.who is None:
        raise Refused("who-are-you", _("Say first who you are."))
    return seen.who


def _speaker(request: HttpRequest, seen: Seen) -> Visitor:
    """Return the visitor, or the side named in the form if the form has a PIN."""
    visitor = _known(seen)
    if "pin" not in request.POST:
        return visitor
    number = _number(request)
    known = proved_device(request, seen.match, number)
    return guests.side_by_pin(seen.match, number, request.POST["pin"][:20], known=known)


def _check(request: HttpRequest, seen: Seen) -> HttpResponse:
    _known(seen)
    draft = entry.check(request, entry.row_asked_for(request, seen.rows))
    return answer(request, seen, draft=draft, status=422 if draft.error else 200)


def _change(request: HttpRequest, seen: Seen) -> HttpResponse:
    """Return to the form with the typed values."""
    _known(seen)
    draft = entry.check(request, entry.row_asked_for(request, seen.rows))
    return answer(request, seen, draft=ScoreDraft(game=draft.game, typed=draft.typed))


def _send(request: HttpRequest, seen: Seen) -> None:
    said = entry.send(request, entry.row_asked_for(request, seen.rows), _known(seen))
    messages.success(request, _("Entered: %(result)s.") % {"result": said})


def _confirm(request: HttpRequest, seen: Seen) -> None:
    entry.confirm(request, entry.row_asked_for(request, seen.rows), _speaker(request, seen))
    messages.success(request, _("Confirmed. The result counts now."))


def _disagree(request: HttpRequest, seen: Seen) -> None:
    entry.disagree(request, entry.row_asked_for(request, seen.rows), _speaker(request, seen))
    messages.success(request, _("Under review now. It ends when both sides agree, or when an official decides."))


def _accept(request: HttpRequest, seen: Seen) -> None:
    standing = entry.accept(request, entry.row_asked_for(request, seen.rows), _speaker(request, seen))
    if is_official(standing):
        messages.success(request, _("You accepted it: the result is confirmed. The standings count it."))
    else:
        messages.success(request, _("You accepted it. Another entry still differs."))


def _accept_judge(request: HttpRequest, seen: Seen) -> None:
    named = judges.accept_judge(seen.match, _speaker(request, seen), number_in(request.POST, "judge") or 0)
    messages.success(request, _("You accept %(name)s as the judge of this match.") % {"name": named})


def _affirm(request: HttpRequest, seen: Seen) -> None:
    """Affirm the result for the second side after one phone spoke for both."""
    row = entry.row_asked_for(request, seen.rows)
    if row.current is None:
        raise Refused("no-result", _("Meanwhile something else was entered. Check the current result."))
    second_side.affirm(row.current.result, _known(seen))
    messages.success(request, _("Thank you. The result is confirmed."))


def _undo(request: HttpRequest, seen: Seen) -> None:
    entry.take_back(request, entry.row_asked_for(request, seen.rows), _known(seen))
    messages.success(request, _("Taken back. It stays on record and counts for nothing."))


def _open(request: HttpRequest, seen: Seen) -> None:
    guests.open_door(seen.match, by=request.user)
    messages.success(request, _("Entry by code is open now."))


def _new_pin(request: HttpRequest, seen: Seen) -> None:
    """Make a new PIN for a player; the player's slip and phone stay valid."""
    side = Side.objects.select_related(*PEOPLE).filter(match=seen.match, number=_number(request)).first()
    if side is None:
        raise Refused("no-side", _("Choose one of the two sides."))
    entrant = renew_pin(side.entrant, by=request.user)
    messages.success(request, _("The new PIN of %(name)s is %(pin)s.") % {"name": side, "pin": entrant.pin})


ACTS: dict[str, Callable[[HttpRequest, Seen], HttpResponse | None]] = {
    "side": _side,
    "move": _move,
    "leave": _leave,
    "check": _check,
    "change": _change,
    "send": _send,
    "confirm": _confirm,
    "disagree": _disagree,
    "accept": _accept,
    "accept-judge": _accept_judge,
    "affirm": _affirm,
    "pin": _confirm,
    "undo": _undo,
    "open": _open,
    "new-pin": _new_pin,
}
# An entry can be undone within minutes even if it made the match official; the desk acts while guest access is closed.
ANY_TIME = {_undo, _open, _new_pin}
