"""Review of a result on the match page: disagree, accept or choose an entry, or take one back.

Name and accept a judge.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404, redirect
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_POST

from league.accounts.lettered import NameField
from league.accounts.models import User
from league.errors import NotAllowed, Refused
from league.matches.models import Match, Result
from league.matches.queries.lines import SideScore
from league.matches.queries.match import GameView
from league.matches.queries.review import GameReview, ReviewedEntry
from league.matches.results import judges, reviews
from league.matches.results.entering import undo_entry
from league.matches.results.judges import JudgeView
from league.matches.results.standing import is_official
from league.matches.results.weighing import Awards
from league.matches.visibility import visible_matches
from league.players.models import LONGEST
from league.web.components.result_row import ObjectionLine, how_it_came, objection_of
from league.web.components.score_fields import result_in_words
from league.web.shared.forms import first_error
from league.web.shared.return_address import own_correction


@dataclass(frozen=True, slots=True)
class EntryCard:
    """One of the differing entries in words.

    `only_here`: awards missing in the other entry.
    """

    entry: ReviewedEntry
    words: str
    who: str
    how: str
    only_here: str


@dataclass(frozen=True, slots=True)
class JudgeCard:
    """The judge of a match.

    `accepted`: names of the sides that accepted; `waits`: names of the other sides.
    """

    view: JudgeView
    accepted: list[str]
    waits: list[str]


@dataclass(frozen=True, slots=True)
class ReviewCard:
    """The review of one game in words."""

    review: GameReview
    entries: list[EntryCard]
    objections: list[ObjectionLine]
    judge: JudgeCard | None

    @property
    def may_take(self) -> bool:
        return any(one.may_take for one in self.review.entries)


def review_card(view: GameView, sides: Sequence[SideScore]) -> ReviewCard | None:
    if view.review is None:
        return None
    names = [side.name for side in sides]
    return ReviewCard(
        review=view.review,
        entries=[_entry_card(one, names) for one in view.review.entries],
        objections=[objection_of(one, names) for one in view.review.objections],
        judge=judge_card(view.review.judge, sides),
    )


def _entry_card(one: ReviewedEntry, names: Sequence[str]) -> EntryCard:
    return EntryCard(
        entry=one,
        words=result_in_words(names, one.result),
        who=_who(one.result, names),
        how=how_it_came(one.result.record),
        only_here=_by_side(one.only_here, names),
    )


def judge_card(judge: JudgeView | None, sides: Sequence[SideScore]) -> JudgeCard | None:
    if judge is None:
        return None
    return JudgeCard(
        view=judge,
        accepted=[side.name for side in sides if side.number in judge.accepted],
        waits=[side.name for side in sides if side.number not in judge.accepted],
    )


def _by_side(awards: Awards, names: Sequence[str]) -> str:
    points = {side: ", ".join(str(points) for of, points in awards if of == side) for side, _points in awards}
    return "; ".join(f"{names[side - 1]} {said}" for side, said in points.items())


def _who(result: Result, names: Sequence[str]) -> str:
    side = result.record.for_side
    return names[side - 1] if side else str(result.record.submitted_by or "")


Said = Mapping[str, Any]


def _disagree(user: User, result: Result, said: Said) -> object:
    reviews.disagree(result, user, sentence=said["sentence"])
    return _("Under review now. It ends when both sides agree, or when an official decides.")


def _accept(user: User, result: Result, said: Said) -> object:
    standing = reviews.accept(result, user)
    if is_official(standing):
        return _("You accepted it: the result is confirmed. The standings count it.")
    return _("You accepted it. Another entry still differs.")


def _take(user: User, result: Result, said: Said) -> object:
    reviews.choose(result, user, reason=said["reason"])
    return _("Decided. Everybody can read why.")


def _name_judge(user: User, result: Result, said: Said) -> object:
    named = judges.name_judge(result.game.match, said["name"], by=user)
    return _("%(name)s is named. Once both sides accept, %(name)s decides.") % {"name": named}


def _accept_judge(user: User, result: Result, said: Said) -> object:
    named = judges.accept_judge(result.game.match, user, said["judge"])
    return _("You accept %(name)s as the judge of this match.") % {"name": named}


def _take_back(user: User, result: Result, _said: Said) -> object:
    undo_entry(result.record, user)
    return _("Taken back. It stays on record and counts for nothing.")


ACTS: dict[str, Callable[[User, Result, Said], object]] = {
    "disagree": _disagree,
    "accept": _accept,
    "take": _take,
    "take-back": _take_back,
    "name-judge": _name_judge,
    "accept-judge": _accept_judge,
}
UNKNOWN = gettext_lazy("Choose one of the buttons.")
CHANGED = gettext_lazy("Meanwhile something else was entered. Check the current result.")


class ReviewForm(forms.Form):
    """Fields of the buttons of a review; each button sends its own."""

    do = forms.ChoiceField(
        choices=[(one, one) for one in ACTS],
        error_messages=dict.fromkeys(("required", "invalid_choice"), UNKNOWN),
    )
    result = forms.ModelChoiceField(
        Result.objects.none(), error_messages=dict.fromkeys(("required", "invalid_choice"), CHANGED)
    )
    sentence = forms.CharField(required=False)
    reason = forms.CharField(required=False)
    name = NameField(letters=LONGEST, required=False)
    judge = forms.IntegerField(required=False, error_messages={"invalid": CHANGED})

    def __init__(self, *args: Any, match: Match) -> None:
        super().__init__(*args)
        results = Result.objects.filter(game__match=match)
        self.fields["result"].queryset = results.select_related("record", "game__match__league")


@require_POST
@login_required
def review(request: HttpRequest, match_id: int) -> HttpResponse:
    """Act on a review: `do` is one of `ACTS`, `result` names the entry.

    A refusal changes nothing.
    """
    form = ReviewForm(request.POST, match=get_object_or_404(visible_matches(request.user), pk=match_id))
    if not form.is_valid():
        messages.error(request, first_error(form))
        return redirect("matches:detail", match_id)
    said = form.cleaned_data
    try:
        messages.success(request, ACTS[said["do"]](request.user, said["result"], said))
    except NotAllowed as refused:
        if refused.code != "under-review":
            raise PermissionDenied(str(refused)) from refused
        messages.error(request, str(refused))
    except Refused as refused:
        messages.error(request, str(refused))
        if said["do"] == "take-back" and (to := own_correction(request, said["result"].game, back="")):
            return redirect(to)
    return _back(match_id, said["result"].game.number)


def _back(match_id: int, game: int) -> HttpResponseRedirect:
    answer = redirect("matches:detail", match_id)
    answer["Location"] += f"#g{game}"
    return answer
