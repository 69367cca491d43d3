"""Sign-up settings of a draft, and its invitations."""

from django import forms
from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import pgettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST

from league import qr
from league.accounts.lettered import NameField
from league.accounts.models import League
from league.accounts.permissions import Act
from league.competitions.models import Competition, Invitation
from league.competitions.models.sign_up import LONGEST_FOR
from league.competitions.registration import opening
from league.competitions.registration.admission import to_answer
from league.competitions.registration.opening import (
    INVITED_FOR_DAYS,
    MOST_DAYS,
    MOST_PLACES,
    MOST_USES,
    RegistrationTerms,
    counted_invitations,
    places_of,
    revoke_invitation,
    set_registration,
    takes_sign_ups,
)
from league.errors import NotAllowed, Refused
from league.web.shared.absolute_url import absolute
from league.web.shared.forms import dress
from league.web.shared.pagination import page_of
from league.web.shared.staff import carry_out, competition_of, of_league

INVITATIONS_A_PAGE = 50


class TermsForm(forms.Form):
    """Sign-up settings. Hours are in the league's time zone."""

    registration = forms.ChoiceField(
        label=pgettext_lazy("form field", "Sign-up access"),
        choices=Competition.Opening.choices,
        widget=forms.RadioSelect,
    )
    admission = forms.ChoiceField(
        label=pgettext_lazy("form field", "New sign-ups"),
        choices=Competition.Admission.choices,
        widget=forms.RadioSelect,
    )
    closes_at = forms.DateTimeField(
        label=pgettext_lazy("form field", "Until (optional)"),
        required=False,
        widget=forms.DateTimeInput(format="%Y-%m-%dT%H:%M", attrs={"type": "datetime-local"}),
    )
    places = forms.IntegerField(
        label=pgettext_lazy("form field", "Places (optional)"),
        required=False,
        min_value=1,
        max_value=MOST_PLACES,
        help_text=pgettext_lazy("hint", "Further sign-ups join a waiting list, in order of arrival."),
    )

    def __init__(self, *args: object, **kwargs: object) -> None:
        super().__init__(*args, **kwargs)
        for name in ("closes_at", "places"):
            self.fields[name].widget.attrs["class"] = "input"

    def terms(self) -> RegistrationTerms:
        """Return the settings of a valid form."""
        data = self.cleaned_data
        return RegistrationTerms(
            registration=Competition.Opening(data["registration"]),
            admission=Competition.Admission(data["admission"]),
            closes_at=data["closes_at"],
            places=data["places"] or 0,
        )


class InvitationForm(forms.Form):
    whom = NameField(
        label=pgettext_lazy("form field", "Invited person (optional)"), letters=LONGEST_FOR, required=False
    )
    uses = forms.IntegerField(
        label=pgettext_lazy("form field", "For how many people"), min_value=1, max_value=MOST_USES, initial=1
    )
    days = forms.IntegerField(
        label=pgettext_lazy("form field", "Days of validity"),
        min_value=1,
        max_value=MOST_DAYS,
        initial=INVITED_FOR_DAYS,
    )

    def __init__(self, *args: object, **kwargs: object) -> None:
        super().__init__(*args, **kwargs)
        dress(self)


# --- Settings and invitations ---


@never_cache
@of_league(Act.MANAGE_COMPETITIONS)
def terms(request: HttpRequest, league: League, slug: str) -> HttpResponse:
    """Show and change the sign-up settings, with the public address."""
    chosen = competition_of(league, slug)
    if request.method != "POST":
        return _terms_page(request, chosen)
    form = TermsForm(request.POST)
    if form.is_valid():
        try:
            set_registration(chosen, form.terms(), user=request.user)
        except NotAllowed as refused:
            raise PermissionDenied(str(refused)) from refused
        except Refused as refused:
            form.add_error("places" if refused.code == "bad-places" else None, str(refused))
    if form.errors:
        return _terms_page(request, chosen, form=form, status=422)
    messages.success(request, _("Stored."))
    return redirect("organize:registration", league.slug, slug)


@never_cache
@require_POST
@of_league(Act.MANAGE_COMPETITIONS)
def invite(request: HttpRequest, league: League, slug: str) -> HttpResponse:
    """Create an invitation; its link is shown only in this answer."""
    chosen = competition_of(league, slug)
    form = InvitationForm(request.POST)
    secret = ""
    if form.is_valid():
        try:
            secret = opening.invite(chosen, user=request.user, **form.cleaned_data)
        except NotAllowed as refused:
            raise PermissionDenied(str(refused)) from refused
        except Refused as refused:
            form.add_error(None, str(refused))
    if not secret:
        return _terms_page(request, chosen, invitation=form, status=422)
    return _terms_page(request, chosen, made=absolute(request, reverse("sign_ups:invited", args=[secret])))


@require_POST
@of_league(Act.MANAGE_COMPETITIONS)
def revoke(request: HttpRequest, league: League, slug: str, invitation_id: int) -> HttpResponse:
    chosen = competition_of(league, slug)
    link = get_object_or_404(Invitation, pk=invitation_id, competition=chosen)
    if carry_out(request, lambda: revoke_invitation(link, user=request.user)):
        messages.success(request, _("The invitation no longer works. Players who used it stay signed up."))
    return redirect(f"{reverse('organize:registration', args=[league.slug, slug])}#invitations")


def _terms_page(
    request: HttpRequest,
    chosen: Competition,
    *,
    form: TermsForm | None = None,
    invitation: InvitationForm | None = None,
    made: str = "",
    status: int = 200,
) -> HttpResponse:
    now = timezone.now()
    invitations = counted_invitations().filter(competition=chosen).select_related("made_by", "revoked_by")
    address = absolute(request, reverse("competitions:sign_up", args=[chosen.league.slug, chosen.slug]))
    context = {
        "league": chosen.league,
        "competition": chosen,
        "form": form or TermsForm(initial=_as_decided(chosen)),
        "invitation": invitation or InvitationForm(),
        "page": page_of(request, invitations.order_by("-made_at", "-pk"), INVITATIONS_A_PAGE),
        "made": made,
        "made_code": qr.path(made) if made else (),
        "now": now,
        "places": places_of(chosen),
        "to_answer": to_answer(chosen),
        "open_to_all": chosen.registration == Competition.Opening.OPEN and takes_sign_ups(chosen, now),
        "address": address,
        "code": qr.path(address),
        "area": "organize",
    }
    return render(request, "organize/registration.html", context, status=status)


def _as_decided(chosen: Competition) -> dict[str, object]:
    return {
        "registration": chosen.registration,
        "admission": chosen.admission,
        "closes_at": chosen.registration_closes_at,
        "places": chosen.places or None,
    }
