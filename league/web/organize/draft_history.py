"""Draft history: undo, and discarded drafts."""

from collections.abc import Sequence

from django.conf import settings
from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST

from league.accounts.models import League
from league.accounts.permissions import Act
from league.competitions.draw import undo as undo_module
from league.competitions.draw.undo import Situation, Undone, bring_back, discarded, situation, word_to_discard
from league.competitions.models import Competition, EarlierState
from league.competitions.snapshots import undoable
from league.errors import NotAllowed, Refused
from league.web.organize.forms.one_field_forms import TypedForm
from league.web.shared.pagination import page_of
from league.web.shared.staff import competition_of, id_of, of_league

PER_PAGE = 20


def last_act(competition: Competition) -> EarlierState | None:
    """Return the latest act that can be undone now, for the button on the page.

    At most six statements.
    """
    last = undoable(competition).defer("rows").select_related("made_by").first()
    if last is None or situation(competition).in_the_way(last):
        return None
    return last


@never_cache
@of_league(Act.MANAGE_COMPETITIONS)
def index(request: HttpRequest, league: League, slug: str) -> HttpResponse:
    competition = competition_of(league, slug)
    states = undoable(competition).defer("rows").select_related("made_by", "restored_by")
    page = page_of(request, states, PER_PAGE)
    context = {
        "league": league,
        "competition": competition,
        "page": page,
        "lines": _lines(situation(competition), page.object_list),
        "newest": states.first(),
        "area": "organize",
    }
    return render(request, "organize/earlier_states.html", context)


def _lines(now: Situation, states: Sequence[EarlierState]) -> list[tuple[EarlierState, Refused | None]]:
    """Pair each state with the reason why it cannot be restored, if any."""
    return [(state, now.in_the_way(state)) for state in states]


@require_POST
@of_league(Act.MANAGE_COMPETITIONS)
def undo(request: HttpRequest, league: League, slug: str) -> HttpResponse:
    """Restore `state`; `newest` is the latest act that the page showed."""
    competition = competition_of(league, slug)
    state, newest = (id_of(request.POST.get(name, "")) for name in ("state", "newest"))
    try:
        done = undo_module.undo(competition, state, newest=newest, user=request.user)
    except NotAllowed as refused:
        raise PermissionDenied(str(refused)) from refused
    except Refused as refused:
        messages.error(request, str(refused))
    else:
        _tell(request, done)
    return HttpResponseRedirect(reverse("organize:competition", args=[league.slug, competition.slug]))


def _tell(request: HttpRequest, done: Undone) -> None:
    if not done.done:
        messages.info(request, _("This was taken back already. Nothing changed."))
        return
    messages.success(request, _("It is as it was before."))
    if done.left_out:
        messages.warning(
            request, _("Added since, and not in it any more: %(names)s.") % {"names": ", ".join(done.left_out)}
        )


@never_cache
@of_league(Act.MANAGE_COMPETITIONS)
def discard(request: HttpRequest, league: League, slug: str) -> HttpResponse:
    """Discard a draft after showing the loss.

    Needs typed confirmation if the draft has entrants or sign-ups.
    """
    competition = competition_of(league, slug)
    form = TypedForm(request.POST if request.method == "POST" else None)
    if form.is_valid():
        try:
            undo_module.discard(competition, user=request.user, typed=form.cleaned_data["word"])
        except NotAllowed as refused:
            raise PermissionDenied(str(refused)) from refused
        except Refused as refused:
            if refused.code != "type-it":
                messages.error(request, str(refused))
                return redirect("organize:competition", league.slug, competition.slug)
            form.add_error("word", str(refused))
        else:
            messages.success(request, _("%(name)s is discarded.") % {"name": competition.name})
            return redirect("organize:discarded", league.slug)
    context = {
        "league": league,
        "competition": competition,
        "word": word_to_discard(competition),
        "form": form,
        "entrants": competition.registrations.count(),
        "sign_ups": competition.applicants.exists(),
        "days": settings.EARLIER_DAYS,
        "area": "organize",
    }
    return render(request, "organize/discard.html", context, status=422 if form.errors else 200)


@never_cache
@of_league(Act.MANAGE_COMPETITIONS)
def discards(request: HttpRequest, league: League) -> HttpResponse:
    """List the discarded drafts of a league; a POST restores `state`."""
    if request.method == "POST":
        try:
            back = bring_back(league, id_of(request.POST.get("state", "")), user=request.user)
        except NotAllowed as refused:
            raise PermissionDenied(str(refused)) from refused
        except Refused as refused:
            messages.error(request, str(refused))
            return redirect("organize:discarded", league.slug)
        messages.success(request, _("%(name)s is back as it was.") % {"name": back.name})
        return redirect("organize:competition", league.slug, back.slug)
    page = page_of(request, discarded(league).filter(restored_at=None).defer("rows"), PER_PAGE)
    context = {"league": league, "page": page, "days": settings.EARLIER_DAYS, "area": "organize"}
    return render(request, "organize/discarded.html", context)
