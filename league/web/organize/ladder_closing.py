"""Page to close and reopen a ladder."""

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache

from league.accounts.models import League
from league.accounts.permissions import Act
from league.competitions.formats.registry import LADDERS
from league.competitions.ladders.closing import close_ladder, reopen_ladder, word_to_close
from league.competitions.ladders.services import open_challenges
from league.competitions.models import Competition
from league.errors import NotAllowed, Refused
from league.web.organize.forms.one_field_forms import TypedForm
from league.web.shared.staff import competition_of, of_league


@never_cache
@of_league(Act.MANAGE_COMPETITIONS)
def close(request: HttpRequest, league: League, slug: str) -> HttpResponse:
    """Show the consequences; close or reopen the ladder.

    `do` is "close", with typed confirmation if challenges are open, or "reopen".
    """
    competition = competition_of(league, slug)
    stage = competition.stages.filter(format__in=LADDERS).first()
    if stage is None:
        raise Http404
    form = TypedForm(request.POST if request.method == "POST" else None)
    if form.is_valid():
        try:
            _carry_out(request, competition, form.cleaned_data["word"])
        except NotAllowed as refused:
            raise PermissionDenied(str(refused)) from refused
        except Refused as refused:
            if refused.code != "type-it":
                messages.error(request, str(refused))
                return redirect("organize:competition", league.slug, slug)
            form.add_error("word", str(refused))
        else:
            return redirect("organize:competition", league.slug, slug)
    context = {
        "league": league,
        "competition": competition,
        "closed_at": stage.finished_at,
        "open": open_challenges(stage).count(),
        "word": word_to_close(competition),
        "form": form,
        "area": "organize",
    }
    return render(request, "organize/close_ladder.html", context, status=422 if form.errors else 200)


def _carry_out(request: HttpRequest, competition: Competition, typed: str) -> None:
    """Close or reopen the ladder; raises the errors of both services."""
    if request.POST.get("do") == "reopen":
        done = reopen_ladder(competition, user=request.user)
        told = _("The ladder is open again: it goes on from its places.")
    else:
        done = close_ladder(competition, user=request.user, typed=typed)
        told = _("The ladder is closed: its places are final.")
    if done:
        messages.success(request, told)
    else:
        messages.info(request, _("It was so already. Nothing changed."))
