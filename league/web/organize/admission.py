"""Admission page: the organizer accepts and refuses sign-ups."""

from collections.abc import Callable
from dataclasses import dataclass

from django import forms
from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, pgettext
from django.views.decorators.cache import never_cache

from league.accounts.models import League
from league.accounts.permissions import Act
from league.competitions.models import Applicant, Competition
from league.competitions.registration.admission import (
    NEW,
    Admitted,
    Application,
    accept_all,
    accept_sign_ups,
    applications,
    reconsider_sign_up,
    refuse_sign_ups,
    take_out_who_left,
)
from league.errors import NotAllowed, Refused
from league.players.models import PEOPLE, Player
from league.players.pasting import PastedLine, PasteNote, sentence
from league.web.shared.fields import KeysField, cleaned
from league.web.shared.pagination import page_of
from league.web.shared.staff import competition_of, id_of, of_league

SIGN_UPS_A_PAGE = 50
# Prefixes of the form fields that pick a player for the applicant and for the partner; the sign-up's number follows.
FIELDS = ("who", "partner")


class TickedForm(forms.Form):
    chosen = KeysField(error_messages={"required": gettext_lazy("Tick the players, then press the button.")})


@dataclass(frozen=True, slots=True)
class MeantPerson:
    """The applicant of a sign-up, or one partner of a pair.

    `sentence`: only for a partner of a pair. `choices`: (value, label) of the players with this name, empty if clear.
    `field`: name of the form field; `chosen`: its value in a refused form.
    """

    person: PastedLine
    field: str
    choices: list[tuple[str, str]]
    sentence: str = ""
    chosen: str = ""


@dataclass(frozen=True, slots=True)
class Answerable:
    """A waiting sign-up in words; `tone` is that of the sentence."""

    application: Application
    sentence: str
    tone: str
    meant: list[MeantPerson]
    ticked: bool = False


@never_cache
@of_league(Act.MANAGE_COMPETITIONS)
def sign_ups(request: HttpRequest, league: League, slug: str) -> HttpResponse:
    """List the sign-ups of one state (`?show=`); a POST answers them.

    `do` is "accept" or "refuse" for the `chosen`, "all" for every clear one with a free place, "again" for a refused
    one, "left" for entrants who withdrew their sign-up after the draw.
    """
    chosen = competition_of(league, slug)
    if request.method != "POST":
        return _sign_ups_page(request, chosen)
    act = ANSWERS.get(request.POST.get("do", ""))
    try:
        if act is None:
            raise Refused("no-answer", _("Choose one of the buttons."))
        act(request, chosen)
    except NotAllowed as refused:
        raise PermissionDenied(str(refused)) from refused
    except Refused as refused:
        return _sign_ups_page(request, chosen, refused=str(refused), status=422)
    return redirect("organize:sign_ups", league.slug, slug)


def _chosen(request: HttpRequest) -> list[int]:
    return cleaned(TickedForm(request.POST))["chosen"]


def _who(request: HttpRequest, field: str, ids: list[int]) -> dict[int, str]:
    """Return the chosen player (code or `NEW`) by sign-up."""
    return {pk: value for pk in ids if (value := request.POST.get(f"{field}-{pk}"))}


def _accept(request: HttpRequest, chosen: Competition) -> None:
    ids = _chosen(request)
    who, partners = (_who(request, field, ids) for field in FIELDS)
    _tell(request, chosen, accept_sign_ups(chosen, ids, user=request.user, who=who, partners=partners))


def _accept_all(request: HttpRequest, chosen: Competition) -> None:
    done = accept_all(chosen, user=request.user)
    _tell(request, chosen, done.admitted)
    if done.unclear:
        told = ngettext(
            "%(count)d sign-up is not clear and waits on: %(names)s.",
            "%(count)d sign-ups are not clear and wait on: %(names)s.",
            len(done.unclear),
        )
        messages.warning(request, told % {"count": len(done.unclear), "names": ", ".join(done.unclear)})
    if done.queue:
        told = ngettext("%(count)d waits on the waiting list.", "%(count)d wait on the waiting list.", done.queue)
        messages.info(request, told % {"count": done.queue})


def _tell(request: HttpRequest, chosen: Competition, done: Admitted) -> None:
    if done.entered:
        count = len(done.entered)
        if chosen.pairs:
            told = ngettext("%(count)d pair was let in.", "%(count)d pairs were let in.", count)
        else:
            told = ngettext("%(count)d player was let in.", "%(count)d players were let in.", count)
        messages.success(request, told % {"count": count})
    if done.before:
        told = ngettext(
            "%(count)d was registered already; the sign-up is answered.",
            "%(count)d were registered already; their sign-ups are answered.",
            done.before,
        )
        messages.info(request, told % {"count": done.before})
    if not done.entered and not done.before:
        messages.info(request, _("Nothing was left to answer. Nothing changed."))


def _refuse(request: HttpRequest, chosen: Competition) -> None:
    count = refuse_sign_ups(chosen, _chosen(request), user=request.user)
    told = ngettext("%(count)d sign-up is refused.", "%(count)d sign-ups are refused.", count)
    messages.success(request, told % {"count": count})


def _again(request: HttpRequest, chosen: Competition) -> None:
    if reconsider_sign_up(chosen, id_of(request.POST.get("applicant", "")), user=request.user):
        messages.success(request, _("It waits again, where it stood in the order of arrival."))
    else:
        messages.info(request, _("It waits already, or was withdrawn. Nothing changed."))


def _left(request: HttpRequest, chosen: Competition) -> None:
    count = take_out_who_left(chosen, user=request.user)
    if chosen.pairs:
        told = ngettext("%(count)d pair was taken out. Redraw.", "%(count)d pairs were taken out. Redraw.", count)
    else:
        told = ngettext("%(count)d player was taken out. Redraw.", "%(count)d players were taken out. Redraw.", count)
    messages.success(request, told % {"count": count})


ANSWERS: dict[str, Callable[[HttpRequest, Competition], None]] = {
    "accept": _accept,
    "refuse": _refuse,
    "all": _accept_all,
    "again": _again,
    "left": _left,
}


def _sign_ups_page(request: HttpRequest, chosen: Competition, *, refused: str = "", status: int = 200) -> HttpResponse:
    shown = request.GET.get("show", "")
    shown = shown if shown in Applicant.State.values else Applicant.State.WAITING
    found = applications(chosen, user=request.user)
    waits = shown == Applicant.State.WAITING
    rows = found.waiting if waits else _decided(chosen, shown)
    page = page_of(request, rows, SIGN_UPS_A_PAGE)
    context = {
        "league": chosen.league,
        "competition": chosen,
        "found": found,
        "page": page,
        "lines": [_line(one, request) for one in page] if waits else [],
        "shown": shown,
        "states": [(state.value, state.label) for state in Applicant.State],
        "refused": refused,
        "area": "organize",
    }
    return render(request, "organize/sign_ups.html", context, status=status)


def _decided(chosen: Competition, state: str) -> QuerySet[Applicant]:
    rows = chosen.applicants.filter(state=state).select_related("player", *PEOPLE, "decided_by")
    return rows.order_by("-decided_at", "-pk")


def _line(one: Application, request: HttpRequest) -> Answerable:
    pk, sent = one.applicant.pk, request.POST
    meant = [
        MeantPerson(
            person=person,
            field=f"{field}-{pk}",
            choices=_choices(one, person),
            sentence=_of_person(one, person) if one.partner else "",
            chosen=sent.get(f"{field}-{pk}", ""),
        )
        for field, person in zip(FIELDS, one.people, strict=False)
    ]
    return Answerable(one, _sentence(one), _tone(one), meant, ticked=str(pk) in sent.getlist("chosen"))


def _sentence(one: Application) -> str:
    """Return the sign-up's sentence; for a pair only facts about both together.

    Facts about each partner are in that partner's sentence.
    """
    if one.twin:
        return _("The same name as sign-up %(number)d. Refuse one of them, or say that they are two people.") % {
            "number": one.twin
        }
    if one.registered:
        return _("Registered already")
    if one.elsewhere:
        return _("One of them plays already, in the pair %(pair)s. Nobody plays in two pairs: refuse it.") % {
            "pair": one.elsewhere.full_name
        }
    if not one.fits:
        return _("The plan was another one when they signed up. Refuse it, and ask them to sign up again.")
    return "" if one.partner else _of_person(one, one.pasted)


def _of_person(one: Application, person: PastedLine) -> str:
    player, candidates = person.player, one.candidates(person)
    if person.note in {PasteNote.REPEATED, PasteNote.ONE_PERSON}:
        return sentence(person) if person.note == PasteNote.ONE_PERSON else _("The same name as another sign-up")
    if person.note == PasteNote.UNCLEAR:
        return _("Which one? Several players have this name")
    if player and one.applicant.player_id and person is one.pasted:
        return _("By the account of %(name)s") % {"name": _told(player)}
    if player:
        return _("Is this %(name)s? Then leave it so") % {"name": _told(player)}
    if candidates:
        names = ", ".join(_told(other) for other in candidates)
        return _("A new player, or %(names)s? Choose one.") % {"names": names}
    if person.alike:
        told = _("A new player, or the same as sign-up %(number)d? The names differ by accents only.")
        return told % {"number": person.alike}
    return sentence(person)


def _told(player: Player) -> str:
    return f"{player.name} ({player.apart or player.code})"


def _tone(one: Application) -> str:
    if one.undecided:
        return "bad"
    if one.registered or any(one.candidates(person) for person in one.people):
        return "warm"
    return "good" if all(person.player for person in one.people) else "cool"


def _choices(one: Application, person: PastedLine) -> list[tuple[str, str]]:
    found = [(player.code, _told(player)) for player in one.candidates(person)]
    if one.may_be_new(person):
        found.append((NEW, pgettext("choice", "A new player of this name")))
    if not found:
        return []
    player = person.player
    first = _told(player) if player else pgettext("choice", "As it was written")
    return [("", first), *found]
