"""Page to cancel a published competition."""

from django import forms
from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache

from league.accounts.models import League
from league.accounts.permissions import Act
from league.competitions import cancelling
from league.competitions.amendments.rating_effects import ratings_without
from league.errors import NotAllowed, Refused
from league.web.organize.forms.one_field_forms import TypedForm
from league.web.shared.staff import competition_of, of_league

AT_FIELDS = {"type-it": "word", "no-reason": "reason", "long-reason": "reason"}


class CancelForm(TypedForm):
    """Reason, whether played matches stay rated, and the confirmation word."""

    reason = forms.CharField(required=False)
    rated = forms.BooleanField(required=False)


@never_cache
@of_league(Act.MANAGE_COMPETITIONS)
def cancel(request: HttpRequest, league: League, slug: str) -> HttpResponse:
    """Show the consequences of cancelling, or the reason against it; a POST cancels."""
    competition = competition_of(league, slug)
    refusal = cancelling.reason_against_cancelling(competition)
    form = CancelForm(request.POST if request.method == "POST" else None, initial={"rated": True})
    if form.is_valid():
        said = form.cleaned_data
        try:
            cancelling.cancel(
                competition, user=request.user, reason=said["reason"], rated=said["rated"], typed=said["word"]
            )
        except NotAllowed as refused:
            raise PermissionDenied(str(refused)) from refused
        except Refused as refused:
            form.add_error(AT_FIELDS.get(refused.code), str(refused))
        else:
            messages.success(request, _("%(name)s is cancelled.") % {"name": competition.name})
            return redirect("organize:home", league.slug)
    context = {
        "league": league,
        "competition": competition,
        "refusal": refusal,
        "form": form,
        "area": "organize",
    }
    if refusal is None:
        context |= {
            "effect": cancelling.consequences(competition),
            "ratings": ratings_without(competition, user=request.user),
            "word": cancelling.word_to_cancel(competition),
        }
    return render(request, "organize/cancel.html", context, status=422 if form.errors else 200)
