"""Log submission as text or file, for a chosen game or the game named in the log."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import wraps

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _

from games.notation.reading import MAX_BYTES
from league.competitions.queries.lists import competition_of
from league.errors import NotAllowed, Refused
from league.matches.log_text import READ_AT_MOST
from league.matches.logs import submission as services
from league.matches.models import Game, Record
from league.matches.queries import lists as queries
from league.matches.queries.lines import match_lines
from league.matches.queries.match import GameView, match_page
from league.web.components.caret import Caret, caret_at_error
from league.web.matches.rounds import by_weight
from league.web.shared.staff import number_in
from league.web.words import labels
from league.web.words.games.log_lines import LINES


@dataclass(kw_only=True)
class Draft:
    """Content of the form, kept after a mistake so that nothing is typed twice."""

    raw: bytes = b""
    filename: str = ""
    text: str = ""
    code: str = ""
    error: str = ""
    caret: Caret | None = None
    choices: dict[str, list[queries.GameChoice]] = field(default_factory=dict)
    # The game with the log to be fixed, and its findings.
    mending: GameView | None = None


def signed_in(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Require a login like `login_required`; show again a text sent after the session."""
    guarded = login_required(view)

    @wraps(view)
    def answer(request: HttpRequest, *args: object, **kwargs: object) -> HttpResponse:
        if request.method == "POST" and not request.user.is_authenticated:
            return render(request, "matches/submit_signed_out.html", {"text": _draft(request).text}, status=403)
        return guarded(request, *args, **kwargs)

    return answer


@signed_in
def index(request: HttpRequest) -> HttpResponse:
    """Submit a log for a chosen game, or for the log's own `[Game "…"]`."""
    draft = _draft(request)
    draft.choices = _by_competition(queries.games_to_submit(request.user))
    if request.method != "POST":
        return _answer(request, draft)
    try:
        chosen = _game_of(request, draft)
    except Refused as refused:
        draft.error = str(refused)
        return _answer(request, draft, status=422)
    return _submit(request, draft, chosen)


@signed_in
def game(request: HttpRequest, code: str) -> HttpResponse:
    """Submit a log for one game; `?mend=` fills the form with an earlier log."""
    try:
        chosen = queries.game_to_submit(request.user, code)
    except Game.DoesNotExist as absent:
        raise Http404 from absent
    draft = _draft(request)
    draft.code = chosen.code
    draft.mending = _mended(request, chosen)
    if request.method == "POST":
        return _submit(request, draft, chosen)
    try:
        services.check_may_submit(request.user, chosen)
    except NotAllowed as refused:
        raise PermissionDenied(str(refused)) from refused
    except Refused as refused:
        return _answer(request, draft, chosen, closed=str(refused))
    if draft.mending:
        draft.text = "".join(f"{line.text}\n" for line in draft.mending.log)
        draft.caret = caret_at_error(draft.text)
    return _answer(request, draft, chosen)


def _by_competition(choices: Iterable[queries.GameChoice]) -> dict[str, list[queries.GameChoice]]:
    """Group the games by competition name.

    The name separates the matches of two opponents in several competitions. With several leagues the league's name is
    added, since their competitions may share a name.
    """
    found = list(choices)
    places, leagues = competition_of(one.match_id for one in found), {one.league.pk for one in found}
    groups: dict[str, list[queries.GameChoice]] = {}
    for one in found:
        place = places.get(one.match_id)
        names = [place.competition] if place else []
        names += [one.league.name] if len(leagues) > 1 or not place else []
        groups.setdefault(" · ".join(names), []).append(one)
    return groups


def _game_of(request: HttpRequest, draft: Draft) -> Game:
    """Return the chosen game, else the game in the log's Game tag.

    Raises Refused, also for bytes that are not text.
    """
    draft.code = request.POST.get("game", "") or services.game_named_in(draft.raw) or ""
    if not draft.code:
        raise Refused("no-game", _("Which game is it? Choose it from the list; the log does not say it."))
    try:
        if not draft.code.strip().isalnum():  # U+0000 among them, which PostgreSQL would not take
            raise Game.DoesNotExist
        return queries.game_to_submit(request.user, draft.code)
    except Game.DoesNotExist as absent:
        unknown = _("There is no game %(code)s that you can see. Choose the game from the list.")
        raise Refused("unknown-game", unknown, code=draft.code) from absent


def _draft(request: HttpRequest) -> Draft:
    """Return the draft that was sent.

    A chosen file replaces the text, unless it cannot be shown as text.
    """
    # Browsers send the lines of a form with CR LF; a log has LF (NOTATION.md 2 takes both).
    typed = request.POST.get("text", "").replace("\r\n", "\n")
    upload = request.FILES.get("file")
    if upload is None:
        return Draft(raw=typed.encode("utf-8", "surrogatepass"), text=typed)
    raw = upload.read(READ_AT_MOST)
    return Draft(raw=raw, filename=upload.name or "", text=_as_text(raw) or typed)


def _as_text(raw: bytes) -> str:
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError:
        return ""
    return "" if "\x00" in text or len(raw) > MAX_BYTES else text


def _mended(request: HttpRequest, chosen: Game) -> GameView | None:
    """Return the log named by `?mend=`, or None. A log of another game is absent."""
    mend = number_in(request.GET, "mend")
    if mend is None:
        return None
    page = match_page(request.user, chosen.match_id, record_id=mend)
    view = next((view for view in page.games if view.record and view.record.pk == mend), None)
    if view is None or view.game.pk != chosen.pk:
        raise Http404
    return view


def _submit(request: HttpRequest, draft: Draft, chosen: Game) -> HttpResponse:
    try:
        submission = services.submit_log(game=chosen, user=request.user, raw=draft.raw, filename=draft.filename)
    except Refused as refused:
        draft.error = str(refused)
        return _answer(request, draft, chosen, status=403 if isinstance(refused, NotAllowed) else 422)
    draft.caret = caret_at_error(draft.text)
    if draft.caret:
        draft.code = chosen.code
        return _answer(request, draft, chosen, status=422)
    _tell(request, submission)
    return redirect("matches:detail", chosen.match_id)


def _tell(request: HttpRequest, submission: services.Submission) -> None:
    """Report the state of the log.

    The match page itself says which log it shows (earlier_log.py).
    """
    if submission.created:
        messages.success(request, _("The log was received and is kept."))
    elif submission.restored and submission.record.state == Record.State.RECEIVED:
        messages.success(request, _("This earlier log counts again once it is checked."))
    elif submission.restored:
        messages.success(request, _("This earlier log counts again."))
    elif submission.no_result:
        told = _("This log was submitted before and checked: %(word)s. It gives no result, so nothing changed.")
        messages.warning(request, told % {"word": labels.VERDICTS[submission.no_result].word})
    else:
        messages.info(request, _("This very log was submitted before. Nothing changed."))


def _answer(
    request: HttpRequest, draft: Draft, chosen: Game | None = None, status: int = 200, *, closed: str = ""
) -> HttpResponse:
    # After a mistake on the page of all games the list is still needed, with the chosen game marked.
    fixed = chosen if chosen and not draft.choices else None
    line = match_lines([chosen.match], request.user)[0] if chosen else None
    context = {
        "draft": draft,
        "mending": draft.mending,
        "findings": by_weight(draft.mending.findings) if draft.mending else [],
        "fixed": fixed,
        "line": line,
        "closed": closed,
        "words": LINES,
        "area": "submit",
        "most_kib": MAX_BYTES // 1024,
    }
    template = "matches/submit_game.html" if fixed else "matches/submit.html"
    return render(request, template, context, status=status)
