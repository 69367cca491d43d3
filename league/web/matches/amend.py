"""Amendment of an official result: preview of the effect, public reason.

A second official confirms it.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy

from league.accounts.graphemes import points
from league.accounts.models import LONGEST_NAME
from league.competitions.amendments.services import (
    Outlooks,
    again_now,
    close_amendment,
    confirm_amendment,
    effect_now,
    outlooks,
    propose_amendment,
    word_to_type,
)
from league.competitions.queries.lists import competition_of
from league.errors import NotAllowed, Refused
from league.matches import permissions
from league.matches.amendments import Wanted, amendment_for, other_officials
from league.matches.models import Amendment, Game, KnownBy, Match, Result
from league.matches.queries import lists as queries
from league.matches.queries.lines import MatchLine, by_side, match_lines
from league.matches.results.standing import official_result
from league.web.components.score_fields import ENDS, NOBODY, TypedScore, result_in_words, score_in_words, typed_score
from league.web.shared.forms import first_error
from league.web.shared.return_address import next_page
from league.web.words.amendments import EffectWords, in_choice, in_words

NOTHING_SEEN = "-"
AMENDED = gettext_lazy("The result is corrected, and everything that follows from it.")
KINDS: Mapping[str, Any] = {
    KnownBy.SCORE: pgettext_lazy("amendment rests on", "The score was noted or typed wrongly: this is what was played"),
    KnownBy.LOG: pgettext_lazy(
        "amendment rests on", "A corrected log, which is pasted below; the points follow from it"
    ),
    KnownBy.RULED: pgettext_lazy("amendment rests on", "A ruling: this is what counts, whatever was played"),
}
LATER: Mapping[str, Any] = {
    Amendment.Later.STAND: gettext_lazy("Keep the later matches as played, with a permanent note."),
    Amendment.Later.VOID: gettext_lazy("Cancel and replay the later matches that depend on it."),
}


# The same choice where nobody has begun the matches that would change.
LATER_UNBEGUN: Mapping[str, Any] = {
    Amendment.Later.STAND: gettext_lazy("Keep the knock-out as drawn, with a permanent note."),
    Amendment.Later.VOID: gettext_lazy("Replace the players in these matches. None of them has begun."),
}


AGAIN = "again"
"""Value of the field `pairings`: pair the published round again."""


class AmendForm(forms.Form):
    """The form around the `typed` score; unbound it shows `initial` without a check."""

    kind = forms.TypedChoiceField(choices=KINDS, coerce=KnownBy, empty_value=KnownBy.SCORE, required=False)
    reason = forms.CharField(required=False)
    log = forms.CharField(strip=False, required=False)
    later = forms.ChoiceField(choices=LATER, required=False)
    pairings = forms.ChoiceField(choices=[(AGAIN, AGAIN)], required=False)
    word = forms.CharField(required=False)
    seen = forms.CharField(required=False)

    def __init__(self, typed: TypedScore, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.typed = typed
        self.fields["seen-void"] = forms.CharField(required=False)
        self.fields["seen-again"] = forms.CharField(required=False)

    @property
    def shown(self) -> str:
        """Digest of the effect that was shown for the choice about later matches, or about pairings.

        A form sent without a preview names no effect, and gets a preview.
        """
        if self.again:
            return self.cleaned_data["seen-again"] or NOTHING_SEEN
        void = self.cleaned_data["later"] == Amendment.Later.VOID
        return self.cleaned_data["seen-void" if void else "seen"] or NOTHING_SEEN

    @property
    def again(self) -> bool:
        return bool(self.cleaned_data["pairings"] == AGAIN)

    def wanted(self) -> Wanted:
        """Return the proposed change. Raises Refused as `TypedScore.sheet` does."""
        kind, log, reason, later = (self.cleaned_data[name] for name in ("kind", "log", "reason", "later"))
        if kind == KnownBy.LOG:
            return Wanted(kind=kind, data={"log": log}, reason=reason, later=later)
        sheet = self.typed.sheet()
        data = _ruling(sheet, self.typed) if kind == KnownBy.RULED else sheet
        return Wanted(kind=kind, data=data, reason=reason, later=later)


def _ruling(sheet: Mapping[str, Any], typed: TypedScore) -> dict[str, Any]:
    scores: Sequence[int] = sheet["scores"]
    if typed.winner == NOBODY:
        winner = None
    else:
        winner = sheet["winner"] + 1 if "winner" in sheet else scores.index(max(scores)) + 1
    return {"scores": list(scores), "winner": winner, "ended": sheet.get("ended", "")}


@login_required
def amend(request: HttpRequest, match_id: int, number: int) -> HttpResponse:
    """Show, preview and propose an amendment of a game's official result.

    `do` of the form: `look` shows the effect and stores nothing, `change` returns to the typed values, `propose`
    proposes the amendment.
    """
    game = _game(request, match_id, number)
    if waiting := game.amendments.filter(state=Amendment.State.PROPOSED).first():
        return redirect("matches:amendment", match_id, waiting.pk)
    old = official_result(game)
    if old is None:
        messages.info(request, _("Only a confirmed result can be amended. This is the current one."))
        return redirect("matches:detail", match_id)
    with timezone.override(game.match.league.time_zone):
        if request.method != "POST":
            return _form(request, game, old, AmendForm(_as_it_stands(old), initial={"kind": KnownBy.SCORE}))
        typed = typed_score(request.POST, len(old.scores))
        if request.POST.get("do") == "change":
            return _form(request, game, old, AmendForm(typed, initial=request.POST.dict()))
        form = AmendForm(typed, request.POST)
        if not form.is_valid():
            return _form(request, game, old, form, first_error(form))
        act = _propose if request.POST.get("do") == "propose" else _look
        return act(request, game, old, form)


def _game(request: HttpRequest, match_id: int, number: int) -> Game:
    try:
        game = queries.game_of(request.user, match_id, number)
    except Game.DoesNotExist as absent:
        raise Http404 from absent
    if refusal := permissions.why_not_amend(permissions.actor(request.user, game.match)):
        raise PermissionDenied(str(refusal))
    return game


def _as_it_stands(old: Result) -> TypedScore:
    """Return the present score; its winner too, where the points do not say who won."""
    points = by_side(old.scores)
    best = [number for number in points if points[number] == max(points.values())]
    winner = "" if best == [old.winner] else str(old.winner or NOBODY)
    return TypedScore(points=tuple(str(points[number]) for number in sorted(points)), winner=winner)


def _look(request: HttpRequest, game: Game, old: Result, form: AmendForm, error: str = "") -> HttpResponse:
    try:
        found = outlooks(game, request.user, form.wanted(), again=True)
    except NotAllowed as refused:
        raise PermissionDenied(str(refused)) from refused
    except Refused as refused:
        return _form(request, game, old, form, str(refused))
    return _form(request, game, old, form, error, found=found)


def _propose(request: HttpRequest, game: Game, old: Result, form: AmendForm) -> HttpResponse:
    try:
        word = form.cleaned_data["word"]
        done = propose_amendment(game, request.user, form.wanted(), seen=form.shown, typed=word, again=form.again)
    except NotAllowed as refused:
        raise PermissionDenied(str(refused)) from refused
    except Refused as refused:
        return _look(request, game, old, form, str(refused))
    if done.state == Amendment.State.CONFIRMED:
        messages.success(request, AMENDED)
        return redirect(next_page(request, reverse("matches:detail", args=[game.match_id])))
    messages.success(request, _("It is proposed. Nothing changes until another official confirms it."))
    return redirect("matches:amendment", game.match_id, done.pk)


def _form(
    request: HttpRequest,
    game: Game,
    old: Result,
    form: AmendForm,
    error: str = "",
    *,
    found: Outlooks | None = None,
) -> HttpResponse:
    line = _line(request, game.match)
    names = [side.name for side in line.sides]
    alone = not game.match.league.confirmation_required or permissions.actor(request.user, game.match).decides_alone
    word = word_to_type(game) if found and found.void and found.void.of("void") else ""
    context = {
        "line": line,
        "game": game,
        "back": next_page(request, reverse("matches:detail", args=[line.id])),
        "place": competition_of([line.id]).get(line.id),
        "now_words": result_in_words(names, old),
        "form": form,
        "fields": list(zip(range(1, len(names) + 1), names, form.typed.points, strict=False)),
        "kinds": KINDS,
        "ends": ENDS,
        "nobody": NOBODY,
        "error": error,
        "further": bool(error) or form.typed.winner or form.typed.ended or form["kind"].value() != KnownBy.SCORE,
        "found": found,
        "then_words": _then(names, form.typed) if found and form.cleaned_data["kind"] != KnownBy.LOG else "",
        "stand": in_words(found.stand) if found else None,
        "void": in_words(found.void) if found and found.void else None,
        "again": in_choice(found.again) if found and found.again else None,
        "later": LATER if word else LATER_UNBEGUN,
        "word": word,
        "alone": alone,
        "others": [str(user) for user in other_officials(game.match, request.user)] if found and not alone else [],
        "area": "competitions",
    }
    return render(request, "matches/amend.html", context, status=422 if error else 200)


def _then(names: Sequence[str], typed: TypedScore) -> str:
    ruled = _ruling(typed.sheet(), typed)
    return score_in_words(names, ruled["scores"], ruled["winner"])


def _line(request: HttpRequest, match: Match) -> MatchLine:
    return match_lines(Match.objects.filter(pk=match.pk), request.user)[0]


# --- Confirmation by a second official ---


@login_required
def amendment(request: HttpRequest, match_id: int, amendment_id: int) -> HttpResponse:
    """Show a proposed amendment with its effect recomputed.

    `do`: `confirm`, or `close` to refuse or withdraw it.
    """
    try:
        found = amendment_for(request.user, amendment_id)
    except Amendment.DoesNotExist as absent:
        raise Http404 from absent
    if found.game.match_id != match_id:
        raise Http404
    with timezone.override(found.game.match.league.time_zone):
        return _decide(request, found) if request.method == "POST" else _proposal(request, found)


def _decide(request: HttpRequest, found: Amendment) -> HttpResponse:
    try:
        if request.POST.get("do") == "confirm":
            seen, word = request.POST.get("seen", "")[:64], request.POST.get("word", "")[: points(LONGEST_NAME)]
            again = request.POST.get("pairings") == AGAIN
            if again:
                seen = request.POST.get("seen-again", "")[:64] or NOTHING_SEEN
            confirm_amendment(found, request.user, seen=seen, typed=word, again=again)
            messages.success(request, AMENDED)
            return redirect("matches:detail", found.game.match_id)
        close_amendment(found, request.user)
    except NotAllowed as refused:
        raise PermissionDenied(str(refused)) from refused
    except Refused as refused:
        return _proposal(request, amendment_for(request.user, found.pk), str(refused))
    messages.success(request, _("The amendment is closed. The result has not changed."))
    return redirect("matches:detail", found.game.match_id)


def _proposal(request: HttpRequest, found: Amendment, error: str = "") -> HttpResponse:
    match = found.game.match
    one = permissions.actor(request.user, match)
    line = _line(request, match)
    names = [side.name for side in line.sides]
    waits = found.state == Amendment.State.PROPOSED
    effect, blocked = _effect(found, request) if waits else (None, "")
    may_confirm = waits and permissions.why_not_confirm_amendment(one, found) is None
    again = again_now(found, request.user, effect.effect) if effect and may_confirm else None
    context = {
        "amendment": found,
        "line": line,
        "place": competition_of([line.id]).get(line.id),
        "now_words": result_in_words(names, found.old),
        "then_words": score_in_words(names, [found.scores[key] for key in sorted(found.scores, key=int)], found.winner),
        "kind": KINDS.get(found.kind, found.get_state_display()),
        "words": effect,
        "blocked": blocked,
        "changed": effect is not None and effect.effect.digest != found.effect,
        "later": LATER.get(found.later, ""),
        "word": word_to_type(found.game) if effect and effect.effect.of("void") else "",
        "may_confirm": may_confirm,
        "again": in_choice(again) if again else None,
        "may_close": waits and permissions.why_not_close_amendment(one, found) is None,
        "mine": found.proposed_by_id == request.user.pk,
        "others": [str(user) for user in other_officials(match, found.proposed_by)] if waits else [],
        "error": error,
        "area": "competitions",
    }
    return render(request, "matches/amendment.html", context, status=422 if error else 200)


def _effect(found: Amendment, request: HttpRequest) -> tuple[EffectWords | None, str]:
    """Return the effect in words, or the refusal if it can no longer be applied."""
    try:
        return in_words(effect_now(found, request.user)), ""
    except Refused as refused:
        return None, str(refused)
