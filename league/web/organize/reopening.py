"""Page to reopen a published competition."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache

from league.accounts.models import League
from league.accounts.permissions import Act
from league.competitions.draw import reopening
from league.web.shared.staff import carry_out, competition_of, of_league


@never_cache
@of_league(Act.MANAGE_COMPETITIONS)
def reopen(request: HttpRequest, league: League, slug: str) -> HttpResponse:
    """Show what reopening does, or why it can't be done; a POST does it."""
    competition = competition_of(league, slug)
    if request.method == "POST":
        if carry_out(request, lambda: reopening.reopen(competition, user=request.user)):
            messages.success(request, _("It is a draft again: change it, then publish it."))
        return redirect("organize:competition", league.slug, slug)
    context = {
        "league": league,
        "competition": competition,
        "refusal": reopening.reason_against(competition),
        "area": "organize",
    }
    return render(request, "organize/reopen.html", context)
