"""Page of a case: what the visitor may see of it, and the acts of sides and officials."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache

from league import qr
from league.competitions.queries.former_cards import new_places
from league.competitions.queries.lists import competition_of
from league.competitions.visibility import refuse_if_cancelled
from league.disputes import deciders, facts, proving, ruling
from league.disputes.judge_invitations import invite_judge
from league.disputes.models import Dispute
from league.disputes.protests import agreeing, appealing, effects, photos, statements
from league.disputes.queries import CaseView, view_of, visible_disputes
from league.errors import NotAllowed, Refused
from league.matches.permissions import Visitor
from league.matches.results import judges
from league.web.components.score_fields import NOBODY, typed_score
from league.web.disputes.case_words import case_words, is_official, is_public, offered
from league.web.disputes.places import places_of
from league.web.disputes.preview import confirming_words, preview_words
from league.web.disputes.protest import proved, speaker_of
from league.web.disputes.ruling_form import RulingForm, outcomes_of, reason_proposed
from league.web.matches.amend import LATER
from league.web.matches.detail import match_page_or_404
from league.web.matches.rounds import sheet_of
from league.web.shared.absolute_url import absolute
from league.web.shared.staff import number_in
from league.web.words.disputes import refusal_in_words
from referee.rulings.court import FactFound

MEANWHILE = "decided-meanwhile"


@dataclass(slots=True)
class CaseRequest:
    """A request about a case: the visitor, and the dispute with its game."""

    request: HttpRequest
    dispute: Dispute
    who: Visitor

    @property
    def seen(self) -> int | None:
        return number_in(self.request.POST, "seen")

    @property
    def text(self) -> str:
        return self.request.POST.get("text", "")

    def speaker(self) -> Visitor:
        """Return the side that speaks, proved by the PIN of the form."""
        return proved(self.request, self.dispute.match, self.who)


@never_cache
def page(request: HttpRequest, code: str) -> HttpResponse:
    """Show a case, and handle its forms.

    `do` of a form: one of `ACTS`, or `look` (preview of a ruling), `change`, `invite-judge` (shows a QR code). If
    somebody decided meanwhile, the answer is 409 with what happened since.
    """
    asked = _asked(request, code)
    with timezone.override(asked.dispute.match.league.time_zone):
        if request.method != "POST":
            return _page(asked)
        act = request.POST.get("do", "")
        if act == "invite-judge":
            return _invited(asked)
        if act in ("look", "change"):
            return _page(asked, preview=act == "look")
        try:
            said = ACTS[act](asked) if act in ACTS else _unknown()
        except Refused as refused:
            return _page(asked, refused=refused)
        if said:
            messages.success(request, said)
        return redirect("disputes:case", code)


def _asked(request: HttpRequest, code: str) -> CaseRequest:
    named = Dispute.objects.select_related("match__league").filter(code=code[:20].upper()).first()
    who = speaker_of(request, named.match) if named else request.user
    dispute = visible_disputes(who).filter(pk=named.pk).first() if named else None
    if dispute is None:
        if named and (found := new_places(match=named.match_id)):
            refuse_if_cancelled(found.competition)
        raise Http404
    return CaseRequest(request, dispute, who)


def _unknown() -> str:
    raise Refused("unknown-act", _("Choose one of the buttons."))


# --- Acts of officials ---


def _take(asked: CaseRequest) -> str:
    deciders.take_case(asked.dispute, asked.request.user, seen=asked.seen)
    return _("The case is yours. Statements and photos are open to you; each look is logged.")


def _step_back(asked: CaseRequest) -> str:
    deciders.step_back(asked.dispute, asked.request.user)
    return _("You stepped back. Another official takes the case.")


def _find(asked: CaseRequest) -> str:
    answer = asked.request.POST.get("answer", "")
    found = next((one for one in FactFound if one.value == answer), None)
    facts.find_facts(asked.dispute, asked.request.user, found, seen=asked.seen)
    return ""


def _rule(asked: CaseRequest) -> str:
    view = view_of(asked.dispute, asked.who, timezone.now())
    form = _ruling_form(asked, view, _names(asked))
    if not form.is_valid():
        raise Refused("bad-form", "%(told)s", told=next(iter(form.errors.values()))[0])
    posted = asked.request.POST
    effect = posted.get("effect-void" if posted.get("later") == "void" else "effect", "")[:64]
    ruled = ruling.rule(
        asked.dispute,
        asked.request.user,
        form.wanted(),
        seen=asked.seen,
        seen_effect=effect,
        typed=posted.get("word", ""),
    )
    if ruled.state == Dispute.State.WAITING:
        return _("The ruling is saved. Another official confirms it.")
    return _("The ruling is saved and in force.")


def _confirm(asked: CaseRequest) -> str:
    posted = asked.request.POST
    effect = posted.get("effect", "")[:64]
    ruling.confirm_ruling(
        asked.dispute, asked.request.user, seen=asked.seen, seen_effect=effect, typed=posted.get("word", "")
    )
    return _("The ruling is confirmed and in force.")


def _reject(asked: CaseRequest) -> str:
    ruling.reject_ruling(asked.dispute, asked.request.user, seen=asked.seen)
    return _("The ruling is rejected. Facts and ruling are open again.")


def _play_on(asked: CaseRequest) -> str:
    effects.choose_effect(asked.dispute, asked.request.user, Dispute.Effect.PLAY_ON)
    return _("Play goes on under reserve.")


def _hold(asked: CaseRequest) -> str:
    effects.choose_effect(asked.dispute, asked.request.user, Dispute.Effect.HOLD)
    return _("The next matches wait for the ruling.")


def _name_judge(asked: CaseRequest) -> str:
    name = asked.request.POST.get("name", "")[:120]
    named = judges.name_judge(asked.dispute.match, name, by=asked.request.user)
    return _("%(name)s is named. Once both sides accept, %(name)s decides.") % {"name": named}


# --- Acts of sides ---


def _state(asked: CaseRequest) -> str:
    statements.give_statement(asked.dispute, asked.speaker(), asked.text)
    return _("Your statement is given. The other side does not see it.")


def _offer(asked: CaseRequest) -> str:
    typed = typed_score(asked.request.POST, asked.dispute.match.sides.count())
    if asked.request.POST.get("what") != "score" and typed.empty:
        agreeing.offer(asked.dispute, asked.speaker())
    else:
        sheet = typed.sheet()
        winner = sheet.get("winner", sheet["scores"].index(max(sheet["scores"]))) + 1
        agreeing.offer(asked.dispute, asked.speaker(), scores=sheet["scores"], winner=winner)
    return _("The other side sees your proposal. It counts once they accept it.")


def _accept(asked: CaseRequest) -> str:
    agreeing.accept_offer(asked.dispute, asked.speaker(), number_in(asked.request.POST, "offer") or 0)
    return _("Agreed. The case is closed.")


def _withdraw(asked: CaseRequest) -> str:
    agreeing.withdraw(asked.dispute, asked.speaker())
    return _("The protest is withdrawn. The result stays as recorded.")


def _refuse(asked: CaseRequest) -> str:
    deciders.refuse_decider(asked.dispute, asked.speaker())
    return _("Refused. Another official takes the case.")


def _appeal(asked: CaseRequest) -> str:
    appealing.appeal(asked.dispute, asked.speaker(), asked.text)
    return _("The appeal is filed. The ruling holds until it is decided.")


def _accept_judge(asked: CaseRequest) -> str:
    player = number_in(asked.request.POST, "judge") or 0
    named = judges.accept_judge(asked.dispute.match, asked.speaker(), player)
    return _("You accept %(name)s as the judge of this match.") % {"name": named}


def _by_proof(asked: CaseRequest) -> str:
    proving.decide_by_proof(asked.dispute, asked.request.user)
    return _("The rule of proof has decided. The ruling says so.")


def _photo(asked: CaseRequest) -> str:
    sent = asked.request.FILES.get("photo")
    photos.add_photo(asked.dispute, asked.speaker(), sent.read() if sent else b"")
    return _("The photo is added. Only the judge of the case sees it.")


ACTS: Mapping[str, Callable[[CaseRequest], str]] = {
    "state": _state,
    "offer": _offer,
    "accept": _accept,
    "withdraw": _withdraw,
    "refuse": _refuse,
    "appeal": _appeal,
    "accept-judge": _accept_judge,
    "photo": _photo,
    "by-proof": _by_proof,
    "name-judge": _name_judge,
    "play-on": _play_on,
    "hold": _hold,
    "take": _take,
    "step-back": _step_back,
    "find": _find,
    "rule": _rule,
    "confirm": _confirm,
    "reject": _reject,
}


# --- Rendering ---


def _invited(asked: CaseRequest) -> HttpResponse:
    """Show a new invitation for a judge; its link and QR code are shown only in this answer."""
    try:
        secret = invite_judge(asked.dispute, asked.request.user)
    except Refused as refused:
        return _page(asked, refused=refused)
    address = absolute(asked.request, reverse("disputes:judge", args=[secret]))
    return _page(asked, invited=(address, *qr.path(address)))


def _names(asked: CaseRequest) -> list[str]:
    return [str(side) for side in asked.dispute.match.sides.order_by("number")]


def _ruling_form(asked: CaseRequest, view: CaseView, names: list[str], *, sent: bool = True) -> RulingForm:
    outcomes = outcomes_of(asked.dispute, view.case, view.decision)
    initial = {"outcome": outcomes[0], "reason": reason_proposed(view.case, view.decision, view.stage.answer)}
    told = [asked.request.POST] if sent else []
    return RulingForm(*told, outcomes=outcomes, stage=view.stage, names=names, initial=initial)


def _page(
    asked: CaseRequest,
    *,
    refused: Refused | None = None,
    preview: bool = False,
    invited: tuple[str, int, str] | None = None,
) -> HttpResponse:
    request, dispute = asked.request, asked.dispute
    found = match_page_or_404(request, dispute.match_id, dispute.record_id)
    game = next(one for one in found.games if one.game.pk == dispute.game_id)
    sheet = sheet_of(game, found.sides)
    if sheet.replay and dispute.line and (key := sheet.replay.key_of(dispute.line)):
        sheet = sheet_of(game, found.sides, key)
    names = [side.name for side in found.sides]
    view = view_of(visible_disputes(asked.who).get(pk=dispute.pk), asked.who, timezone.now())
    if not (view.one.plays or is_official(view)):
        return _for_others(view)
    photos.looked(view)
    case = case_words(view, sheet, found.sides, places_of(sheet), asked.who)
    context: dict[str, Any] = {
        "case": case,
        "dispute": view.dispute,
        "league": dispute.match.league,
        "line": found.line,
        "place": competition_of([dispute.match_id]).get(dispute.match_id),
        "later": LATER,
        "nobody": NOBODY,
        "invited": invited,
        "area": "organize" if is_official(view) else "competitions",
    }
    context |= _forms(asked, view, names, preview=preview, refused=refused)
    context |= {"error": refusal_in_words(refused), "news": _news(asked, view, refused)} if refused else {}
    context.setdefault("confirming", confirming_words(view, request.user) if "confirm" in view.may else None)
    return render(request, "disputes/case.html", context, status=_status(context, refused))


def _status(context: Mapping[str, Any], refused: Refused | None) -> int:
    if refused is not None and refused.code == MEANWHILE:
        return HTTPStatus.CONFLICT
    if isinstance(refused, NotAllowed):
        return HTTPStatus.FORBIDDEN
    return HTTPStatus.UNPROCESSABLE_ENTITY if refused or context.get("error") else HTTPStatus.OK


def _for_others(view: CaseView) -> HttpResponse:
    """Send others to the public ruling, or to the match."""
    dispute = view.dispute
    if is_public(dispute):
        return redirect("rulings:detail", dispute.match.league.slug, dispute.code)
    return redirect("matches:detail", dispute.match_id)


def _forms(
    asked: CaseRequest, view: CaseView, names: list[str], *, preview: bool, refused: Refused | None
) -> dict[str, Any]:
    """Return the form of the ruling, with its preview if asked for."""
    if not offered(view)["rule"]:
        return {}
    sent = asked.request.POST.get("do") in ("look", "change", "rule")
    form = _ruling_form(asked, view, names, sent=sent)
    again = preview or (sent and refused is not None and refused.code not in ("bad-form", MEANWHILE))
    if not again or not form.is_valid():
        return {"form": form}
    try:
        return {"form": form, "preview": preview_words(view, asked.request.user, form.wanted(), names)}
    except Refused as wrong:
        return {"form": form, "error": refusal_in_words(wrong)}


def _news(asked: CaseRequest, view: CaseView, refused: Refused) -> list[str]:
    """Return what happened in the case after the last entry that the page showed."""
    if refused.code != MEANWHILE or asked.seen is None:
        return []
    return [
        f"{entry.get_kind_display()} ({entry.by or ''})".replace(" ()", "")
        for entry in view.entries
        if entry.number > asked.seen
    ]
