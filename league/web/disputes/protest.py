"""Protest page of a game: what is wrong, where, in a sentence; by account, slip, PIN, official or desk."""

from typing import Any

from django.contrib import messages
from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache

from games.wording.rulebook import articles
from league.competitions.queries.lists import competition_of
from league.disputes.models import Dispute
from league.disputes.models.dispute import OPEN
from league.disputes.permissions import why_not_file
from league.disputes.protests import photos
from league.disputes.protests.protesting import Point, protest
from league.errors import NotAllowed, Refused
from league.matches import guests, permissions
from league.matches.models import Match, Record
from league.matches.permissions import Guest, Visitor
from league.matches.queries.match import MatchPage
from league.matches.rules import rules_agreed
from league.web.disputes.evidence import rule_line
from league.web.disputes.places import RESULT, place_of_step, places_of
from league.web.disputes.protest_form import ProtestForm
from league.web.matches.detail import match_page_or_404
from league.web.matches.guest import visitor
from league.web.matches.rounds import GameSheet, sheet_of
from league.web.shared.guests import proved_device
from league.web.shared.return_address import next_page
from league.web.shared.staff import number_in
from league.web.words.disputes import refusal_in_words


@never_cache
def page(request: HttpRequest, match_id: int, number: int) -> HttpResponse:
    """Show and file a protest about a game.

    `?line=` or `?step=` (address of the step in the replay) or `?hand=` choose the place, `?record=` the record.
    """
    wanted = number_in(request.POST if request.method == "POST" else request.GET, "record")
    found = match_page_or_404(request, match_id, wanted)
    view = next((one for one in found.games if one.game.number == number), None)
    if view is None:
        raise Http404
    who = speaker_of(request, found.match)
    one = permissions.actor(who, found.match)
    if refusal := why_not_file(one, side=1 if one.enters and not one.official else None):
        if refusal.code == "sign-in":
            return redirect_to_login(request.get_full_path(), reverse("accounts:sign_in"))
        raise PermissionDenied(str(refusal))
    sheet = sheet_of(view, found.sides)
    with timezone.override(found.match.league.time_zone):
        form = _form(request, sheet, found, who, one)
        if request.method == "POST" and form.is_valid():
            try:
                return _filed(request, sheet, who, form)
            except Refused as refused:
                return _page(request, sheet, found, one, form, refused)
        return _page(request, sheet, found, one, form)


def speaker_of(request: HttpRequest, match: Match) -> Visitor:
    """Return the player, the side of the phone, or the account."""
    return visitor(request, match) or request.user


def _form(
    request: HttpRequest, sheet: GameSheet, found: MatchPage, who: Visitor, one: permissions.Actor
) -> ProtestForm:
    hands = places_of(sheet)
    line, hand = number_in(request.GET, "line"), number_in(request.GET, "hand")
    where = f"line:{line}" if line else f"hand:{hand}" if hand else place_of_step(hands, request.GET.get("step", ""))
    sent: tuple[Any, ...] = (request.POST, request.FILES) if request.method == "POST" else ()
    return ProtestForm(
        *sent,
        hands=hands,
        rules=rules_agreed(found.match.ruleset, found.match.options),
        sides=[(side.number, side.name) for side in found.sides],
        by_desk=not one.plays,
        proves=isinstance(who, Guest) and not who.is_proved,
        on_card=sheet.view.sheet is not None,
        initial={"where": where or RESULT},
    )


def _filed(request: HttpRequest, sheet: GameSheet, who: Visitor, form: ProtestForm) -> HttpResponse:
    said_by = proved(request, sheet.view.game.match, who)
    data = form.cleaned_data
    point = Point(
        kind=data["kind"],
        line=form.line,
        filed_line=form.filed_line,
        hand=form.hand if data.get("column") else None,
        column=data.get("column", ""),
        number=data["number"],
        against=int(data["against"]) if data.get("against") else None,
        miswritten=data["miswritten"],
    )
    record = Record.objects.filter(pk=sheet.view.record.pk).first() if sheet.view.record else None
    dispute = protest(sheet.view.game, said_by, point, data["sentence"], record=record, side=form.for_side)
    messages.success(request, _("The protest is filed. Both sides and the officials see that it is under review."))
    if data["photo"]:
        _add_photo(request, dispute, said_by, form)
    return redirect("disputes:case", dispute.code)


def _add_photo(request: HttpRequest, dispute: Dispute, who: Visitor, form: ProtestForm) -> None:
    """Add the photo; a photo that is refused leaves the protest as it is."""
    try:
        photos.add_photo(dispute, who, form.cleaned_data["photo"].read(), side=form.for_side)
    except Refused as refused:
        messages.error(request, str(refused))


def proved(request: HttpRequest, match: Match, who: Visitor) -> Visitor:
    """Return the visitor, proved by the PIN of the form if it has one."""
    if "pin" not in request.POST or not isinstance(who, Guest):
        return who
    known = proved_device(request, match, who.side)
    return guests.side_by_pin(match, who.side, request.POST["pin"][:20], known=known, at_any_time=True)


def _page(
    request: HttpRequest,
    sheet: GameSheet,
    found: MatchPage,
    one: permissions.Actor,
    form: ProtestForm,
    refused: Refused | None = None,
) -> HttpResponse:
    match = found.match
    context = {
        "line": found.line,
        "game": sheet.view.game,
        "place": competition_of([match.pk]).get(match.pk),
        "form": form,
        "record": sheet.view.record.pk if sheet.view.record else None,
        "me": next((side.name for side in found.sides if side.number == one.side), ""),
        "open_one": Dispute.objects.filter(match=match, state__in=OPEN).exists(),
        "refused": refusal_in_words(refused) if refused else "",
        "rule": _rule(found, refused) if refused else None,
        "back": next_page(request, reverse("matches:detail", args=[match.pk])),
        "area": "competitions",
    }
    status = 200
    if refused or form.errors:
        status = 403 if isinstance(refused, NotAllowed) else 422
    return render(request, "disputes/protest.html", context, status=status)


def _rule(found: MatchPage, refused: Refused) -> dict[str, str] | None:
    rules = rules_agreed(found.match.ruleset, found.match.options)
    cited = refused.facts.get("rule")
    return next((rule_line(one) for one in articles(rules) if one.id == cited), None) if rules and cited else None
