"""Review of a result on the match page: disagree, accept or choose an entry.

Name and accept a judge.
"""

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

from league.accounts.graphemes import points
from league.errors import NotAllowed, Refused
from league.matches.models import Result
from league.matches.queries.lines import SideScore
from league.matches.queries.match import GameView
from league.matches.results import judges, reviews
from league.matches.results.judges import JudgeView
from league.matches.results.standing import is_official
from league.matches.results.weighing import Awards
from league.matches.visibility import visible_matches
from league.players.models import LONGEST
from league.web.components.result_row import ObjectionLine, how_it_came, objection_of
from league.web.components.score_fields import number_of, result_in_words


@dataclass(frozen=True, slots=True, kw_only=True)
class EntryCard:
    """One of the differing entries.

    `only_here`: awards missing in the other entry, in words.
    """

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
class JudgeCard:
    """The judge of a match.

    `accepted`: names of the sides that accepted; `waits`: names of the other sides.
    """

    player: int
    name: str
    accepted: list[str]
    waits: list[str]
    may_accept: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class ReviewCard:
    """The review of one game; `result`: the key of the current result."""

    entries: list[EntryCard]
    objections: list[ObjectionLine]
    is_open: bool
    result: int
    judge: JudgeCard | None = None
    may_name: bool = False

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
        result=view.result.pk,
        judge=judge_card(view.review.judge, sides),
        may_name=view.review.may_name,
    )


def judge_card(judge: JudgeView | None, sides: Sequence[SideScore]) -> JudgeCard | None:
    if judge is None:
        return None
    return JudgeCard(
        player=judge.player,
        name=judge.name,
        accepted=[side.name for side in sides if side.number in judge.accepted],
        waits=[side.name for side in sides if side.number not in judge.accepted],
        may_accept=judge.may_accept,
    )


def _by_side(awards: Awards, names: Sequence[str]) -> str:
    points = {side: ", ".join(str(points) for of, points in awards if of == side) for side, _points in awards}
    return "; ".join(f"{names[side - 1]} {said}" for side, said in points.items())


def _who(result: Result, names: Sequence[str]) -> str:
    side = result.record.for_side
    return names[side - 1] if side else str(result.record.submitted_by or "")


def _disagree(request: HttpRequest, result: Result) -> object:
    reviews.disagree(result, request.user, sentence=request.POST.get("sentence", ""))
    return _("Under review now. It ends when both sides agree, or when an official decides.")


def _accept(request: HttpRequest, result: Result) -> object:
    standing = reviews.accept(result, request.user)
    if is_official(standing):
        return _("You accepted it: the result is official. The standings count it.")
    return _("You accepted it. Another entry still differs.")


def _take(request: HttpRequest, result: Result) -> object:
    reviews.choose(result, request.user, reason=request.POST.get("reason", ""))
    return _("Decided: it is official now, and everybody can read why.")


def _name_judge(request: HttpRequest, result: Result) -> object:
    named = judges.name_judge(result.game.match, request.POST.get("name", "")[: points(LONGEST)], by=request.user)
    return _("%(name)s is named. Once both sides accept, %(name)s decides.") % {"name": named}


def _accept_judge(request: HttpRequest, result: Result) -> object:
    named = judges.accept_judge(result.game.match, request.user, number_of(request.POST.get("judge", "")) or 0)
    return _("You accept %(name)s as the judge of this match.") % {"name": named}


ACTS: dict[str, Callable[[HttpRequest, Result], object]] = {
    "disagree": _disagree,
    "accept": _accept,
    "take": _take,
    "name-judge": _name_judge,
    "accept-judge": _accept_judge,
}
UNKNOWN = gettext_lazy("Choose one of the buttons.")


@require_POST
@login_required
def review(request: HttpRequest, match_id: int) -> HttpResponse:
    """Act on a review: `do` is one of `ACTS`, `result` names the entry.

    A refusal changes nothing.
    """
    match = get_object_or_404(visible_matches(request.user), pk=match_id)
    wanted = request.POST.get("result", "")
    results = Result.objects.filter(game__match=match).select_related("record", "game__match__league")
    result = results.filter(pk=int(wanted)).first() if wanted.isdecimal() and len(wanted) < 18 else None
    act = ACTS.get(request.POST.get("do", ""))
    if result is None or act is None:
        changed = _("Meanwhile something else was entered. Check the current result.")
        messages.error(request, UNKNOWN if act is None else changed)
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
