"""Page of the followed players, pairs and competitions; the button that follows."""

from django.conf import settings
from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from league.competitions import following
from league.competitions.following import MOST, watched
from league.competitions.queries.lists import competition_of
from league.errors import Refused
from league.matches.queries.lines import match_lines
from league.web.components.match_rows import by_round
from league.web.shared.following import COOKIE, names_followed
from league.web.shared.pagination import page_of
from league.web.shared.phone import calls_for
from league.web.shared.return_address import next_page

# Longest lifetime of a cookie in browsers.
KEPT_S = 400 * 24 * 3600
MATCHES_A_PAGE = 12
LONGEST_NAME = 60


@never_cache
@require_safe
def index(request: HttpRequest) -> HttpResponse:
    """Show the followed names with their next matches and latest results."""
    names = names_followed(request)
    found = watched(request.user, names)
    coming, last = following.next_and_last(request.user, found, timezone.now())
    pages = {
        "coming": page_of(request, coming if found else [], MATCHES_A_PAGE, name="coming"),
        "last": page_of(request, last if found else [], MATCHES_A_PAGE, name="last"),
    }
    lines = {key: match_lines(page.object_list, request.user) if found else [] for key, page in pages.items()}
    places = competition_of([line.id for both in lines.values() for line in both]) if found else {}
    context = {
        "found": found,
        "gone": [name for name in names if name not in {**found.players, **found.pairs, **found.competitions}],
        "pages": pages,
        "coming": by_round(lines["coming"], places),
        "last": by_round(lines["last"], places),
        "now": timezone.now(),
        "most": MOST,
        "own": calls_for(request),
        "follows_people": bool(found.players or found.pairs),
        "area": "following",
    }
    return render(request, "following/index.html", context)


@require_POST
def act(request: HttpRequest) -> HttpResponse:
    """Follow `what`, or with `stop` end following it; then redirect to `next`."""
    name = request.POST.get("what", "").replace("\0", "")[:LONGEST_NAME]
    answer = HttpResponseRedirect(next_page(request, reverse("following:index")))
    try:
        if "stop" in request.POST:
            _stop(request, answer, name)
        elif watched(request.user, [name]):
            _start(request, answer, name)
        else:
            messages.error(request, _("There is nothing of that name to follow."))
    except Refused as refused:
        messages.error(request, str(refused))
    return answer


def _start(request: HttpRequest, answer: HttpResponse, name: str) -> None:
    names = [*names_followed(request), name]
    if request.user.is_authenticated:
        following.follow(request.user, names, timezone.now())
        answer.delete_cookie(COOKIE, samesite="Lax")
    else:
        names = list(dict.fromkeys(names))
        following.check_room(len(names))
        _keep(answer, names)
    messages.success(request, _("You follow this from now on: it comes first on the first page."))


def _stop(request: HttpRequest, answer: HttpResponse, name: str) -> None:
    names = [one for one in names_followed(request) if one != name]
    if request.user.is_authenticated:
        following.follow(request.user, names[:MOST], timezone.now())
        following.unfollow(request.user, name)
        answer.delete_cookie(COOKIE, samesite="Lax")
    else:
        _keep(answer, names)
    messages.success(request, _("You do not follow this any more."))


def _keep(answer: HttpResponse, names: list[str]) -> None:
    answer.set_signed_cookie(
        COOKIE,
        ",".join(names),
        salt=COOKIE,
        max_age=KEPT_S,
        httponly=True,
        samesite="Lax",
        secure=settings.SESSION_COOKIE_SECURE,
    )
