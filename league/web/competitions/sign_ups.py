"""Sign-up for an open competition: public form, invitation form, and own sign-up.

Pages show nothing of the draft beyond the facts needed to sign up.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass

from allauth.core.internal import ratelimit
from django import forms
from django.contrib import messages
from django.db.models import Q, QuerySet
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import pgettext, pgettext_lazy
from django.views.decorators.cache import never_cache

from league.accounts.lettered import NameField
from league.competitions.models import Applicant, Competition, Invitation
from league.competitions.models.sign_up import LONGEST_CONTACT, LONGEST_NAMES, LONGEST_WORD
from league.competitions.registration.opening import check_open, digest_of, invitation_of, new_secret, places_of
from league.competitions.registration.sign_ups import (
    FIELD_OF,
    Introduction,
    applicant_of,
    apply_as_player,
    apply_by_name,
    own_applicants,
    standing_of,
    standings_of,
    withdraw_application,
)
from league.competitions.visibility import refuse_if_cancelled
from league.errors import Refused
from league.players.models import LONGEST_CLUB, Player
from league.players.queries import players_of
from league.web.shared.forms import DressedForm
from league.web.shared.staff import number_in

# The limit is high because a hall full of phones shares one IP address; each person signs up once.
LIMITS = {"sign_up": "40/m/ip,400/d/ip"}
PRIVATE = {"Cache-Control": "no-store", "X-Robots-Tag": "noindex, nofollow", "Referrer-Policy": "same-origin"}
_TICKET = re.compile(r"[\w-]{24}")


class PartnerForm(DressedForm):
    """Fields for the partner in a pair."""

    partner = NameField(
        label=pgettext_lazy("form field", "Your partner’s name"),
        letters=LONGEST_NAMES,
        required=False,
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )
    partner_born = forms.IntegerField(
        label=pgettext_lazy("form field", "Your partner’s year of birth (optional)"),
        required=False,
        min_value=1,
        max_value=9999,
    )


class IntroductionForm(DressedForm):
    """Sign-up without an account.

    `website` is a trap for bots: a field that only programs see and fill in.
    """

    name = NameField(
        label=pgettext_lazy("form field", "Your name"),
        letters=LONGEST_NAMES,
        help_text=pgettext_lazy(
            "hint", "Your name as shown in the draw. If you have played here before, use the same name."
        ),
        widget=forms.TextInput(attrs={"autocomplete": "name"}),
    )
    club = NameField(label=pgettext_lazy("form field", "Club (optional)"), letters=LONGEST_CLUB, required=False)
    born = forms.IntegerField(
        label=pgettext_lazy("form field", "Year of birth (optional)"),
        required=False,
        min_value=1,
        max_value=9999,
        help_text=pgettext_lazy("hint", "Seen by the organizers only. Minors are shown to others by their initials."),
    )
    contact = forms.CharField(
        label=pgettext_lazy("form field", "E-mail or telephone (optional)"),
        max_length=LONGEST_CONTACT,
        required=False,
        help_text=pgettext_lazy(
            "hint", "For the organizers only, should something change. It is erased a month after the draw."
        ),
    )
    word = forms.CharField(
        label=pgettext_lazy("form field", "A word to the organizers (optional)"),
        max_length=LONGEST_WORD,
        required=False,
        widget=forms.Textarea(attrs={"rows": 2}),
    )


class PairForm(IntroductionForm, PartnerForm):
    """Both names in two fields, or in one field with a stroke between them."""

    field_order = ("name", "partner", "club", "born", "partner_born")

    def __init__(self, *args: object, **kwargs: object) -> None:
        super().__init__(*args, **kwargs)
        self.fields["name"].help_text = pgettext(
            "hint", "The name for the draw. You can write both names here: Ana Gil / Leo Paz."
        )
        self.fields["club"].help_text = pgettext("hint", "It is that of both.")


def _form_of(competition: Competition, data: QueryDict | None = None) -> IntroductionForm:
    return PairForm(data) if competition.pairs else IntroductionForm(data)


@dataclass(frozen=True, slots=True)
class OwnPlayer:
    """A player of the account; for a pair with the form that asks for the partner."""

    player: Player
    form: PartnerForm | None


@dataclass(frozen=True, slots=True)
class Asked:
    """A competition opened for sign-up; `secret` is that of the invitation used."""

    competition: Competition
    invitation: Invitation | None
    secret: str


# --- Entry pages ---


@never_cache
def enter(request: HttpRequest, league_slug: str, slug: str) -> HttpResponse:
    """Show the public sign-up form; a POST signs up or withdraws.

    `do` is "player" (by `player`, a code), "name" or "withdraw" (of `applicant`). 404 for a draft that is not open
    for sign-up.
    """
    takes = Q(registration=Competition.Opening.OPEN) | Q(cancelled_at__isnull=False)
    rows = Competition.objects.select_related("league").filter(takes, league__slug=league_slug, slug=slug)
    competition = refuse_if_cancelled(get_object_or_404(rows))
    return _answer(request, Asked(competition, None, ""))


@never_cache
def invited(request: HttpRequest, secret: str) -> HttpResponse:
    """Show the sign-up form behind an invitation."""
    try:
        link = invitation_of(secret[:60], timezone.now())
    except Invitation.DoesNotExist:
        return _private(render(request, "competitions/sign_up_spent.html", status=404))
    answer = _answer(request, Asked(link.competition, link, secret))
    return _private(answer)


def _answer(request: HttpRequest, asked: Asked) -> HttpResponse:
    with timezone.override(asked.competition.league.time_zone):
        if request.method != "POST":
            return _page(request, asked, _form_of(asked.competition))
        if not ratelimit.consume(request, app="league", action="sign_up", config=LIMITS):
            told = _("Too many sign-ups came from here. Wait a minute, then send it again.")
            return _page(request, asked, _form_of(asked.competition, request.POST), told=told, status=429)
        act = ACTS.get(request.POST.get("do", ""), _by_name)
        return act(request, asked)


# --- Actions ---


def _ticket(request: HttpRequest) -> str:
    """Return the sign-up's secret from the form, so that sending twice signs up once."""
    given = request.POST.get("ticket", "")
    return given if _TICKET.fullmatch(given) else new_secret()


def _by_name(request: HttpRequest, asked: Asked) -> HttpResponse:
    form = _form_of(asked.competition, request.POST)
    if request.POST.get("website"):
        form.add_error(None, _("Leave the last field empty: only programs fill it in."))
    if not form.is_valid():
        return _page(request, asked, form, status=422)
    ticket, user = _ticket(request), request.user if request.user.is_authenticated else None
    try:
        apply_by_name(
            asked.competition,
            Introduction(**form.cleaned_data),
            secret=ticket,
            user=user,
            invitation=asked.secret,
        )
    except Refused as refused:
        form.add_error(FIELD_OF.get(refused.code), str(refused))
        return _page(request, asked, form, status=422)
    return redirect("sign_ups:mine", ticket)


def _as_player(request: HttpRequest, asked: Asked) -> HttpResponse:
    player = next((one for one in _players(request) if one.code == request.POST.get("player")), None)
    if player is None:
        return _page(request, asked, _form_of(asked.competition), told=_("Choose who you are."), status=422)
    ticket, empty = _ticket(request), _form_of(asked.competition)
    partner = PartnerForm(request.POST if asked.competition.pairs else {}, auto_id=_ids_of(player))
    mine = OwnPlayer(player, partner)
    if not partner.is_valid():
        return _page(request, asked, empty, mine=mine, status=422)
    try:
        made = apply_as_player(
            asked.competition,
            player,
            user=request.user,
            secret=ticket,
            invitation=asked.secret,
            **partner.cleaned_data,
        )
    except Refused as refused:
        field = FIELD_OF.get(refused.code)
        if field not in partner.fields or not asked.competition.pairs:
            return _page(request, asked, empty, told=str(refused), status=422)
        partner.add_error(field, str(refused))
        return _page(request, asked, empty, mine=mine, status=422)
    if made.digest != digest_of(ticket):
        messages.info(request, _("You have signed up already. Nothing changed."))
        return redirect(request.path)
    return redirect("sign_ups:mine", ticket)


def _withdraw(request: HttpRequest, asked: Asked) -> HttpResponse:
    """Withdraw a sign-up of the reader's account."""
    row = _own(request, asked.competition).filter(pk=number_in(request.POST, "applicant")).first()
    if row is None:
        raise Http404
    _take_back(request, row)
    return redirect(request.path)


def _take_back(request: HttpRequest, row: Applicant) -> None:
    if withdraw_application(row):
        messages.success(request, _("Your sign-up is withdrawn. The organizers see it."))
    else:
        messages.info(request, _("This sign-up was answered or withdrawn before. Nothing changed."))


ACTS: dict[str, Callable[[HttpRequest, Asked], HttpResponse]] = {
    "name": _by_name,
    "player": _as_player,
    "withdraw": _withdraw,
}


# --- Rendering ---


def _players(request: HttpRequest) -> list[Player]:
    return players_of(request.user) if request.user.is_authenticated else []


def _own(request: HttpRequest, competition: Competition) -> QuerySet[Applicant]:
    return own_applicants(request.user).filter(competition=competition)


def _ids_of(player: Player) -> str:
    """Make form ids by player, because an account with several has several forms."""
    return f"id_%s_{player.code}"


def _own_players(request: HttpRequest, competition: Competition, mine: OwnPlayer | None) -> list[OwnPlayer]:
    """List the account's players.

    `mine`: the player whose form was sent, with its input and errors.
    """
    sent = {mine.player.pk: mine.form} if mine else {}
    return [
        OwnPlayer(one, (sent.get(one.pk) or PartnerForm(auto_id=_ids_of(one))) if competition.pairs else None)
        for one in _players(request)
    ]


def _page(
    request: HttpRequest,
    asked: Asked,
    form: IntroductionForm,
    *,
    told: str = "",
    mine: OwnPlayer | None = None,
    status: int = 200,
) -> HttpResponse:
    competition = asked.competition
    closed = ""
    try:
        check_open(competition, asked.invitation, timezone.now())
    except Refused as refused:
        closed = str(refused)
    places = places_of(competition)
    own = standings_of(_own(request, competition))
    signed_up = {one.applicant.player_id for one in own}
    context = {
        "competition": competition,
        "league": competition.league,
        "stages": list(competition.stages.order_by("number")),
        "invitation": asked.invitation,
        "places": places,
        "closed": closed,
        "own": own,
        "players": [one for one in _own_players(request, competition, mine) if one.player.pk not in signed_up],
        "form": form,
        "ticket": _ticket(request),
        "told": told,
        "area": "competitions",
    }
    return render(request, "competitions/sign_up_enter.html", context, status=status)


# --- Own sign-up ---


@never_cache
def mine(request: HttpRequest, secret: str) -> HttpResponse:
    """Show a sign-up's state to the holder of its secret; a POST withdraws it."""
    try:
        row = applicant_of(secret[:60])
    except Applicant.DoesNotExist:
        return _private(render(request, "competitions/sign_up_spent.html", {"mine": True}, status=404))
    if request.method == "POST":
        _take_back(request, row)
        return _private(redirect("sign_ups:mine", secret))
    with timezone.override(row.competition.league.time_zone):
        context = {
            "standing": standing_of(row),
            "competition": row.competition,
            "league": row.competition.league,
            "stages": list(row.competition.stages.order_by("number")),
            "address": request.build_absolute_uri(),
            "area": "competitions",
        }
        return _private(render(request, "competitions/sign_up_mine.html", context))


def _private(answer: HttpResponse) -> HttpResponse:
    """Add headers against leaks and caching, because the address alone allows acting."""
    for name, value in PRIVATE.items():
        answer[name] = value
    return answer
