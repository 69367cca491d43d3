"""Check-in desk: list, fees, draw without absent players, and cash report."""

from collections.abc import Callable
from dataclasses import replace

from django import forms
from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.http import urlencode
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST

from league.accounts.graphemes import points
from league.accounts.models import League
from league.accounts.permissions import Act, may
from league.competitions.attendance.check_in import check_in, check_out, open_check_in
from league.competitions.attendance.late_entry_undo import undoable_entry
from league.competitions.attendance.requested_byes import open_rounds, request_bye, take_request_back
from league.competitions.formats.registry import MOST_ROUNDS
from league.competitions.jobs import ask_to_draw, word_to_draw
from league.competitions.models import Competition, DrawJob, Payment
from league.competitions.queries.check_in import CheckInPage, check_in_page
from league.competitions.registration import fees
from league.competitions.registration.fees import give_back, let_off, take_fee
from league.errors import NotAllowed, Refused
from league.players.models import Entrant
from league.web.organize.forms.one_field_forms import OptionalReasonForm, TypedForm
from league.web.shared.fields import KeyField, KeysField, cleaned
from league.web.shared.money import AmountField
from league.web.shared.pagination import page_of
from league.web.shared.staff import carry_out, competition_of, id_of, of_league, sent_row

LONGEST_SEARCH = points(60)
ROWS_A_PAGE = 200
PAYMENTS_A_PAGE = 200


class PaymentForm(forms.Form):
    owed = KeyField(required=False)
    amount = AmountField(required=False)


class ByeForm(forms.Form):
    number = forms.IntegerField(min_value=1, max_value=MOST_ROUNDS)


class PresentForm(TypedForm):
    absent = KeysField(required=False)


@never_cache
@of_league(Act.RUN_DESK)
def index(request: HttpRequest, league: League, slug: str) -> HttpResponse:
    """Show the registered entrants by name.

    `?q=` is a part of a name or a whole code; `?done=` the entrant checked in last, to get the focus back.
    """
    competition = competition_of(league, slug)
    wanted = request.GET.get("q", "").strip()[:LONGEST_SEARCH]
    found = replace(check_in_page(competition, wanted), bye_rounds=open_rounds(competition))
    manages = may(request.user, Act.MANAGE_COMPETITIONS, league)
    context = {
        "league": league,
        "competition": competition,
        "found": found,
        "page": page_of(request, found.rows, ROWS_A_PAGE),
        "wanted": wanted,
        "done": id_of(request.GET.get("done", "")),
        "only": _only_absent(found, wanted),
        "manages": manages,
        "undoable": undoable_entry(competition) if manages and competition.published_at else None,
        "area": "organize",
    }
    return render(request, "organize/check_in.html", context)


def _only_absent(found: CheckInPage, wanted: str) -> int:
    """Return the entrant that another Enter checks in, or 0.

    That is the only absent person in the search results.
    """
    absent = [row.entrant_id for row in found.rows if not row.here]
    return absent[0] if wanted and len(absent) == 1 else 0


@require_POST
@of_league(Act.RUN_DESK)
def act(request: HttpRequest, league: League, slug: str) -> HttpResponse:
    """Carry out one tap.

    `do` is "in", "out", "paid" (of the amount shown in `owed`, or `amount`), "free" (with `reason`), "back" (with the
    `payment` to refund), "bye" or "no-bye" (in the round `number`).
    """
    competition = competition_of(league, slug)
    entrant = sent_row(request, "entrant", Entrant, league=league)
    what = request.POST.get("do", "")
    acts: dict[str, Callable[[], object]] = {
        "in": lambda: check_in(competition, entrant, user=request.user),
        "out": lambda: check_out(competition, entrant, user=request.user),
        "paid": lambda: take_fee(competition, entrant, user=request.user, **cleaned(PaymentForm(request.POST))),
        "free": lambda: let_off(competition, entrant, user=request.user, **cleaned(OptionalReasonForm(request.POST))),
        "bye": lambda: request_bye(competition, entrant, user=request.user, **cleaned(ByeForm(request.POST))),
        "no-bye": lambda: take_request_back(competition, entrant, user=request.user, **cleaned(ByeForm(request.POST))),
        "back": lambda: give_back(sent_row(request, "payment", Payment, competition=competition), user=request.user),
    }
    if what in acts:
        carry_out(request, acts[what])
    wanted = request.POST.get("q", "")[:LONGEST_SEARCH]
    # After a check-in the search field is empty for the next name.
    asked = {"done": entrant.pk} | ({"q": wanted} if wanted and what != "in" else {})
    return _back("check_in", competition, f"?{urlencode(asked)}#entrant-{entrant.pk}")


@require_POST
@of_league(Act.MANAGE_COMPETITIONS)
def opening(request: HttpRequest, league: League, slug: str) -> HttpResponse:
    """Open or close self check-in for players (`open`)."""
    competition = competition_of(league, slug)
    to_players = request.POST.get("open") == "yes"
    told = (
        _("Players can check in by themselves now, with their personal link.")
        if to_players
        else _("From now on the desk alone checks in.")
    )
    if carry_out(request, lambda: open_check_in(competition, user=request.user, to_players=to_players)):
        messages.success(request, told)
    return _back("check_in", competition)


@never_cache
@of_league(Act.MANAGE_COMPETITIONS)
def present(request: HttpRequest, league: League, slug: str) -> HttpResponse:
    """Show the absent players to take out; a POST with the same list draws."""
    competition = competition_of(league, slug)
    if competition.published_at:
        messages.info(request, _("It is published. Withdraw absent players with a reason."))
        return _back("competition", competition)
    if request.method == "POST":
        return _draw_present(request, competition)
    return _present_page(request, competition, PresentForm())


def _present_page(request: HttpRequest, competition: Competition, form: TypedForm) -> HttpResponse:
    found = check_in_page(competition)
    context = {
        "word": word_to_draw(competition),
        "form": form,
        "league": competition.league,
        "competition": competition,
        "found": found,
        "absent": [row for row in found.rows if not row.here],
        "drawn": competition.stages.filter(matchdays__isnull=False).exists(),
        "area": "organize",
    }
    return render(request, "organize/present.html", context, status=422 if form.errors else 200)


def _draw_present(request: HttpRequest, competition: Competition) -> HttpResponse:
    """Draw without the absent players.

    For a large draw the competition's page shows progress and outcome.
    """
    form = PresentForm(request.POST)
    if not form.is_valid():
        return _present_page(request, competition, form)
    absent, typed = form.cleaned_data["absent"], form.cleaned_data["word"]
    try:
        job = ask_to_draw(competition, DrawJob.What.HERE, user=request.user, absent=absent, typed=typed)
    except NotAllowed as refused:
        raise PermissionDenied(str(refused)) from refused
    except Refused as refused:
        form.add_error("word", str(refused))
        return _present_page(request, competition, form)
    if job.refused:
        messages.error(request, job.refused)
        return _back("present", competition)
    if job.done_at is None:
        return _back("competition", competition, "#drawing")
    told = ngettext(
        "%(count)d player was taken out, and the draw is made.",
        "%(count)d players were taken out, and the draw is made.",
        len(absent),
    )
    messages.success(request, told % {"count": len(absent)})
    return _back("competition", competition, "#rounds")


@never_cache
@of_league(Act.RUN_DESK)
def cash(request: HttpRequest, league: League, slug: str) -> HttpResponse:
    """Show the money taken by each official and in total, to print.

    A `payment` in a POST is given back.
    """
    competition = competition_of(league, slug, even_cancelled=True)
    if "payment" in request.POST:
        payment = sent_row(request, "payment", Payment, competition=competition)
        carry_out(request, lambda: give_back(payment, user=request.user))
        return redirect(request.get_full_path())
    found = fees.cash(competition)
    context = {
        "league": league,
        "competition": competition,
        "cash": found,
        "page": page_of(request, found.payments, PAYMENTS_A_PAGE),
        "now": timezone.now(),
        "area": "organize",
    }
    return render(request, "organize/cash.html", context)


# --- Shared ---


def _back(name: str, competition: Competition, more: str = "") -> HttpResponse:
    address = reverse(f"organize:{name}", args=[competition.league.slug, competition.slug])
    return HttpResponseRedirect(f"{address}{more}")
