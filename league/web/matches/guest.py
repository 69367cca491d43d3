"""Guest access to a match: enter and confirm results by the code on its card."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from allauth.core.internal import ratelimit
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _

from league.accounts.permissions import Act, may
from league.competitions.queries.former_cards import new_places
from league.competitions.queries.results_grid import GridRow, rows_of_match
from league.errors import NotAllowed, Refused
from league.matches import guests, permissions
from league.matches.models import KnownBy, Match, Reply, Side
from league.matches.permissions import Guest, Visitor
from league.matches.queries.lines import MatchLine, match_lines
from league.matches.results import judges, second_side
from league.matches.results.judges import judge_view
from league.matches.results.reviews import objections
from league.matches.results.standing import is_official
from league.players.models import PEOPLE
from league.players.services import renew_pin
from league.web.components.disputes import dispute_notices
from league.web.components.score_fields import BEATS, ENDS, LEVEL, NOBODY, score_in_words
from league.web.matches import entry
from league.web.matches.entry import Panel, ScoreDraft
from league.web.matches.moved import moved
from league.web.matches.reviews import JudgeCard, judge_card
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
from league.web.shared.phone import calls_for
from league.web.shared.referee_strip import strip_at_table
from league.web.shared.staff import number_in
from league.web.words import labels

# The address limit serves a whole hall; the phone-and-match limit is above any manual use.
LIMITS = {"table": "1200/m/ip,40/m/key"}
PRIVATE = {"Cache-Control": "no-store", "X-Robots-Tag": "noindex, nofollow", "Referrer-Policy": "same-origin"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Seen:
    """Match as seen by one visitor; `who` is None until the visitor chooses a side."""

    match: Match
    line: MatchLine
    rows: list[GridRow]
    who: Visitor | None
    side: int | None
    open: bool
    proves: bool

    @property
    def unproved(self) -> bool:
        """Whether the phone only chose the name of a side."""
        return isinstance(self.who, Guest) and not self.who.is_proved

    @property
    def me(self) -> str:
        return next((one.name for one in self.line.sides if one.number == self.side), "")


@dataclass(frozen=True, slots=True, kw_only=True)
class Wrong:
    """A refusal and its place on the page."""

    told: str
    side: int | None = None
    game: int = 0
    draft: ScoreDraft = field(default_factory=ScoreDraft)


@behind_code
def page(request: HttpRequest, door: str) -> HttpResponse:
    """Show the match page of a table code, and handle its forms.

    `do` of a form: `side`, `move`, `leave`, `check`, `change`, `send`, `confirm`, `disagree`, `accept`, `accept-judge`,
    `affirm`, `pin`, `undo`; for the desk `open`, `new-pin`.
    """
    try:
        match = guests.match_by_door(door[:40])
    except Match.DoesNotExist:
        return _moved(request, door) or _closed(request, None)
    with timezone.override(match.league.time_zone):
        if request.method == "POST":
            key = f"{match.pk} {request.session.get(DEVICE, '')} {request.META.get('REMOTE_ADDR', '')}"
            if limited := ratelimit.consume_or_429(request, app="league", action="table", config=LIMITS, key=key):
                return limited
            return _posted(request, match)
        seen = _seen(request, match)
        if not seen.open and match.state != Match.State.DECIDED:
            return _closed(request, match)
        return _answer(request, seen)


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
        return _answer(request, seen, Wrong(told=_("Choose one of the buttons.")), status=422)
    try:
        if act not in ANY_TIME:
            _check_open(seen, act)
        answer = act(request, seen)
    except Refused as refused:
        if refused.code in {"door-early", "door-closed"}:
            return _closed(request, match)
        return _refused(request, _seen(request, match), refused)
    return answer or redirect("table:match", match.door)


def _check_open(seen: Seen, act: Callable[[HttpRequest, Seen], HttpResponse | None]) -> None:
    """Check that guest access is open for this act.

    After the decision, only a side that another phone spoke for may act; it proves itself with its PIN first. The PIN
    opens this page at any time after it, for a protest.
    Raises Refused `match-decided`, `door-early`, `door-closed`.
    """
    match = seen.match
    if match.state == Match.State.DECIDED and act is _move:
        return
    asked = any(_is_asked(seen, row) for row in seen.rows)
    if match.state == Match.State.DECIDED and not (seen.open and asked):
        raise Refused("match-decided", _("This match is through meanwhile. Here is its result."))
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
    return _answer(request, seen, wrong, status=403 if isinstance(refused, NotAllowed) else 422)


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
    return _answer(request, seen, draft=draft, status=422 if draft.error else 200)


def _change(request: HttpRequest, seen: Seen) -> HttpResponse:
    """Return to the form with the typed values."""
    _known(seen)
    draft = entry.check(request, entry.row_asked_for(request, seen.rows))
    return _answer(request, seen, draft=ScoreDraft(game=draft.game, typed=draft.typed))


def _send(request: HttpRequest, seen: Seen) -> None:
    said = entry.send(request, entry.row_asked_for(request, seen.rows), _known(seen))
    messages.success(request, _("Entered: %(result)s.") % {"result": said})


def _confirm(request: HttpRequest, seen: Seen) -> None:
    entry.confirm(request, entry.row_asked_for(request, seen.rows), _speaker(request, seen))
    messages.success(request, _("Confirmed. The result is official."))


def _disagree(request: HttpRequest, seen: Seen) -> None:
    entry.disagree(request, entry.row_asked_for(request, seen.rows), _speaker(request, seen))
    messages.success(request, _("Under review now. It ends when both sides agree, or when an official decides."))


def _accept(request: HttpRequest, seen: Seen) -> None:
    standing = entry.accept(request, entry.row_asked_for(request, seen.rows), _speaker(request, seen))
    if is_official(standing):
        messages.success(request, _("You accepted it: the result is official. The standings count it."))
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
    messages.success(request, _("Thank you. The result stands."))


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


# --- Rendering ---


def _answer(
    request: HttpRequest, seen: Seen, wrong: Wrong | None = None, *, draft: ScoreDraft | None = None, status: int = 200
) -> HttpResponse:
    draft = draft or (wrong.draft if wrong else ScoreDraft())
    league = seen.match.league
    desk = may(request.user, Act.ENTER_RESULTS, league)
    against = objections([row.game.pk for row in seen.rows if row.contested], sentences=desk or seen.side is not None)
    panels = [_panel(seen, row, draft, against.get(row.game.pk, ())) for row in seen.rows]
    referee = strip_at_table(seen.match)
    context = {
        "match": seen.match,
        "line": seen.line,
        "seen": seen,
        "own": calls_for(request, seen.match),
        "referee": referee,
        "panels": panels,
        "done": _done(seen),
        "protests": dispute_notices(
            seen.match.pk, [side.name for side in seen.line.sides], concerned=seen.side is not None or desk
        ),
        "judge": _judge(seen, panels),
        "takers": _takers(seen) if seen.who is None else [],
        "wrong": wrong,
        "ends": ENDS,
        "nobody": NOBODY,
        "beats": BEATS,
        "level": LEVEL,
        "official_label": labels.OFFICIAL,
        "waits": _waits(seen, panels) and not draft.game and wrong is None,
        "version": f"{_version(seen, panels)}.{referee.words}",
        "desk": desk and not isinstance(seen.who, Guest),
        "league": league,
        "needs_more": seen.match.level != KnownBy.SCORE,
        "matchday": seen.rows[0].matchday if seen.rows else "",
        "competition": seen.rows[0].competition if seen.rows else "",
    }
    return _private(render(request, "matches/guest.html", context, status=status))


def _panel(seen: Seen, row: GridRow, draft: ScoreDraft, against: Sequence[Reply]) -> Panel:
    """Return a row's panel; state `asked`: this side must affirm the other's entry."""
    panel = entry.panel(row, seen.side, draft, against)
    return replace(panel, state="asked") if _is_asked(seen, row) else panel


def _judge(seen: Seen, panels: Sequence[Panel]) -> JudgeCard | None:
    if seen.who is None or not any(one.state == "review" for one in panels):
        return None
    return judge_card(judge_view(seen.match, permissions.actor(seen.who, seen.match)), seen.line.sides)


def _is_asked(seen: Seen, row: GridRow) -> bool:
    return bool(seen.open and row.current and second_side.asks(seen.who, seen.side, row.current.result))


def _private(answer: HttpResponse) -> HttpResponse:
    for name, value in PRIVATE.items():
        answer[name] = value
    return answer


def _closed(request: HttpRequest, match: Match | None) -> HttpResponse:
    """Answer an unknown or currently invalid code with the next step."""
    context: dict[str, object] = {"match": match}
    status = 404
    if match is not None:
        context["line"] = match_lines([match])[0]
        early = guests.is_early(match, timezone.now())
        context["opens_at"] = guests.opens_at(match) if early else None
        context["desk"] = may(request.user, Act.ENTER_RESULTS, match.league)
        status = 403 if early else 410
    return _private(render(request, "matches/guest_closed.html", context, status=status))


def _moved(request: HttpRequest, door: str) -> HttpResponse | None:
    """Answer the code of a match that a new draw does not have; None if it never had one."""
    found = new_places(door="".join(door[:40].split()).upper())
    return None if found is None else _private(moved(request, found))


def _done(seen: Seen) -> list[tuple[int, str]]:
    """Return the finished games in words, without those shown in a panel."""
    shown = {row.game.number for row in seen.rows}
    names = [side.name for side in seen.line.sides]
    return [
        (one.number, score_in_words(names, [one.points[number] for number in sorted(one.points)], one.outcome.winner))
        for one in seen.line.games
        if one.number not in shown
    ]


def _takers(seen: Seen) -> list[tuple[int, str, str, bool]]:
    """Return the sides to choose: number, name, namesake's text, need of the PIN.

    A side needs the PIN if another phone holds it, or if the match is decided.
    """
    decided = seen.match.state == Match.State.DECIDED
    taken = dict(Side.objects.filter(match=seen.match).values_list("number", "device"))
    return [(one.number, one.name, one.apart, decided or bool(taken.get(one.number))) for one in seen.line.sides]


def _waits(seen: Seen, panels: list[Panel]) -> bool:
    """Whether somebody else acts next, so that the page refreshes automatically."""
    return seen.who is not None and any(one.state in {"mine", "review", "decide", "checking"} for one in panels)


def _version(seen: Seen, panels: list[Panel]) -> str:
    said = [f"{one.row.game.pk}{one.state}{'-'.join(str(said.pk) for said in one.entries)}" for one in panels]
    return f"{seen.side or 0}.{seen.match.state}.{'.'.join(said)}"
