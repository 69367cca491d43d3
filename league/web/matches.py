"""One match: score, rounds, verdict, findings and log; and the act of confirming its result."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from league.competitions.queries import competition_of
from league.errors import NotAllowed, Refused
from league.matches import services
from league.matches.match_page import MatchPage, match_page
from league.matches.models import Match
from league.web.rounds import GameSheet, sheet_of


def detail(request: HttpRequest, match_id: int) -> HttpResponse:
    """`?record=` shows an older log of the match instead of the one its result rests on."""
    page = _page(request, match_id)
    sheets: list[GameSheet] = [sheet_of(view, page.sides) for view in page.games]
    context = {
        "page": page,
        "sheets": sheets,
        "single": sheets[0] if len(sheets) == 1 else None,
        "checking": any(view.checking for view in page.games),
        "place": competition_of([match_id]).get(match_id),
        "area": "competitions",
    }
    return render(request, "matches/detail.html", context)


@require_POST
@login_required
def confirm(request: HttpRequest, match_id: int) -> HttpResponse:
    """Make the result named in the form official. A refusal is told on the match page, and nothing changes."""
    page = _page(request, match_id)
    wanted = request.POST.get("result", "")
    result = next((view.result for view in page.games if view.result and str(view.result.pk) == wanted), None)
    if result is None:
        messages.error(request, _("That result was replaced while you were looking. Please check the one shown now."))
        return redirect("matches:detail", match_id)
    try:
        services.confirm_result(result=result, user=request.user)
    except NotAllowed as refused:
        raise PermissionDenied(str(refused)) from refused
    except Refused as refused:
        messages.error(request, str(refused))
    else:
        messages.success(request, _("The result is official now. The standings count it."))
    return redirect("matches:detail", match_id)


def _page(request: HttpRequest, match_id: int) -> MatchPage:
    record = request.GET.get("record", "")
    try:
        return match_page(request.user, match_id, record_id=int(record) if record.isdecimal() else None)
    except Match.DoesNotExist as absent:
        raise Http404 from absent
