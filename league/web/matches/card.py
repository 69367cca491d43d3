"""Score card entry: by a side of the match, or by the desk from a signed card."""

from dataclasses import dataclass

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from league.errors import NotAllowed, Refused
from league.matches import permissions
from league.matches.models import Game, KnownBy
from league.matches.queries import lists as queries
from league.matches.queries.lines import match_lines
from league.matches.results.entering import Entered, enter_sheet
from league.matches.results.judging import rules_of_match
from league.matches.results.standing import is_official
from league.web.matches.card_form import MOST_ROUNDS, TypedCard, rounds_asked
from league.web.shared.guests import person_of


@dataclass(frozen=True, slots=True)
class CardPage:
    """The page of one game's card: rights of the user and content of the form."""

    game: Game
    card: TypedCard
    for_desk: bool


@require_http_methods(["GET", "HEAD", "POST"])
def card(request: HttpRequest, code: str) -> HttpResponse:
    """Show and enter the score card of one game.

    The form depends on the ruleset. `add` adds a round and checks nothing.
    """
    game = _game(request, code)
    one = permissions.actor(request.user, game.match)
    sides = match_lines([game.match], request.user)[0].sides
    refusal, adds = permissions.why_not_enter(one), "add" in request.POST
    rounds = rounds_asked(request.POST)
    typed = TypedCard(
        request.POST if request.method == "POST" and not (refusal or adds) else None,
        initial=request.POST.dict(),
        rules=rules_of_match(game.match),
        names=[side.name for side in sides],
        rounds=min(MOST_ROUNDS, rounds + 1) if adds else rounds,
    )
    page = CardPage(game, typed, for_desk=one.enters and not one.plays)
    if refusal:
        return _not_allowed(request, page, refusal)
    return _enter(request, page) if typed.is_bound else _answer(request, page)


def _game(request: HttpRequest, code: str) -> Game:
    try:
        return queries.game_to_submit(request.user, code)
    except Game.DoesNotExist as absent:
        raise Http404 from absent


def _not_allowed(request: HttpRequest, page: CardPage, refusal: NotAllowed) -> HttpResponse:
    """Refuse a signed-in user; ask others to sign in, with the typed values kept."""
    if request.user.is_authenticated:
        raise PermissionDenied(str(refusal))
    if request.method != "POST":
        from django.contrib.auth.views import redirect_to_login

        return redirect_to_login(request.get_full_path())
    told = _("You are signed out. Sign in in another tab, then send the card again: what you typed is still here.")
    return _answer(request, page, error=told, status=403)


def _enter(request: HttpRequest, page: CardPage) -> HttpResponse:
    """Enter the card, or show the form again with its errors."""
    if not page.card.is_valid():
        return _answer(request, page, error=_("Some fields can't be read. They are marked below."), status=422)
    sheet = page.card.sheet()
    try:
        entered = enter_sheet(
            page.game,
            person_of(request, page.game.match),
            sheet,
            kind=KnownBy.CARD if sheet["rounds"] else KnownBy.SCORE,
            signed=page.card.cleaned_data["signed"] and page.for_desk,
            insist="insist" in request.POST,
        )
    except Refused as refused:
        return _refused(request, page, refused)
    _tell(request, entered)
    return redirect("matches:detail", page.game.match_id)


def _refused(request: HttpRequest, page: CardPage, refused: Refused) -> HttpResponse:
    status = 403 if isinstance(refused, NotAllowed) else 422
    if refused.code == "unreadable-sheet":
        page.card.refuse(refused.facts["at"])
        return _answer(request, page, error=_("Some fields can't be read. They are marked below."), status=status)
    if refused.code == "does-not-add-up":
        page.card.tell(refused.facts["judged"])
        return _answer(
            request, page, error=_("This card does not add up. See below where."), status=status, insist=True
        )
    return _answer(request, page, error=str(refused), status=status)


def _tell(request: HttpRequest, entered: Entered) -> None:
    if not entered.created:
        messages.info(request, _("This very card was entered before. Nothing changed."))
    elif entered.contested:
        messages.warning(request, _("The card is saved. It is under review: another person entered another result."))
    elif entered.result.needs_decision:
        messages.warning(request, _("The card is saved. An official decides what counts."))
    elif is_official(entered.result):
        messages.success(request, _("The card is entered, and the result is confirmed."))
    else:
        messages.success(request, _("The card was entered."))


def _answer(
    request: HttpRequest, page: CardPage, *, error: str = "", status: int = 200, insist: bool = False
) -> HttpResponse:
    context = {
        "page": page,
        "card": page.card,
        "line": match_lines([page.game.match], request.user)[0],
        "error": error,
        "insist": insist,
        "may_add": page.card.rounds < MOST_ROUNDS,
        "added": "add" in request.POST,
        "area": "submit",
    }
    return render(request, "matches/card.html", context, status=status)
