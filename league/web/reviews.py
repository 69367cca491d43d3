"""A result under review on the page of its match: disagree, accept the other entry, take one as an official."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404, redirect
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_POST

from league.errors import NotAllowed, Refused
from league.matches import reviews
from league.matches.lines import SideScore
from league.matches.match_page import GameView
from league.matches.models import Result
from league.matches.queries import visible_matches
from league.matches.standing import is_official
from league.matches.weighing import Awards
from league.web.grid_rows import ObjectionLine, how_it_came, objection_of
from league.web.scores import result_in_words


@dataclass(frozen=True, slots=True, kw_only=True)
class EntryCard:
    """One of the entries that differ. `only_here`: awards that the other one does not list, in words."""

    pk: int
    record: int
    words: str
    who: str
    how: str
    at: datetime
    only_here: str
    reason: str
    counts: bool
    may_take: bool
    may_accept: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class ReviewCard:
    entries: list[EntryCard]
    objections: list[ObjectionLine]
    is_open: bool

    @property
    def may_take(self) -> bool:
        return any(one.may_take for one in self.entries)


def review_card(view: GameView, sides: Sequence[SideScore]) -> ReviewCard | None:
    if view.review is None:
        return None
    names = [side.name for side in sides]
    cards = [
        EntryCard(
            pk=one.result.pk,
            record=one.result.record_id,
            words=result_in_words(names, one.result),
            who=_who(one.result, names),
            how=how_it_came(one.result.record),
            at=one.result.record.submitted_at,
            only_here=_by_side(one.only_here, names),
            reason=one.result.record.reason,
            counts=one.result.current,
            may_take=one.may_take,
            may_accept=one.may_accept,
        )
        for one in view.review.entries
    ]
    return ReviewCard(
        entries=cards,
        objections=[objection_of(one, names) for one in view.review.objections],
        is_open=view.review.is_open,
    )


def _by_side(awards: Awards, names: Sequence[str]) -> str:
    points = {side: ", ".join(str(points) for of, points in awards if of == side) for side, _points in awards}
    return "; ".join(f"{names[side - 1]} {said}" for side, said in points.items())


def _who(result: Result, names: Sequence[str]) -> str:
    side = result.record.for_side
    return names[side - 1] if side else str(result.record.submitted_by or "")


def _disagree(request: HttpRequest, result: Result) -> object:
    reviews.disagree(result, request.user, sentence=request.POST.get("sentence", ""))
    return _("Under review now. An official decides, unless you two agree before.")


def _accept(request: HttpRequest, result: Result) -> object:
    standing = reviews.accept(result, request.user)
    if is_official(standing):
        return _("You accepted it: the result is official. The standings count it.")
    return _("You accepted it. Somebody else still says something different.")


def _take(request: HttpRequest, result: Result) -> object:
    reviews.choose(result, request.user, reason=request.POST.get("reason", ""))
    return _("Decided: it is official now, and the other entry does not count.")


ACTS: dict[str, Callable[[HttpRequest, Result], object]] = {"disagree": _disagree, "accept": _accept, "take": _take}
UNKNOWN = gettext_lazy("Choose one of the buttons.")


@require_POST
@login_required
def review(request: HttpRequest, match_id: int) -> HttpResponse:
    """`do` of the form: `disagree`, `accept`, `take`; `result` names the entry. A refusal changes nothing."""
    match = get_object_or_404(visible_matches(request.user), pk=match_id)
    wanted = request.POST.get("result", "")
    results = Result.objects.filter(game__match=match).select_related("record", "game__match__league")
    result = results.filter(pk=int(wanted)).first() if wanted.isdecimal() and len(wanted) < 18 else None
    act = ACTS.get(request.POST.get("do", ""))
    if result is None or act is None:
        messages.error(request, UNKNOWN if act is None else _("Meanwhile something else was entered. Look at it."))
        return redirect("matches:detail", match_id)
    try:
        messages.success(request, act(request, result))
    except NotAllowed as refused:
        if refused.code != "under-review":
            raise PermissionDenied(str(refused)) from refused
        messages.error(request, str(refused))
    except Refused as refused:
        messages.error(request, str(refused))
    return _back(match_id, result.game.number)


def _back(match_id: int, game: int) -> HttpResponseRedirect:
    answer = redirect("matches:detail", match_id)
    answer["Location"] += f"#g{game}"
    return answer
