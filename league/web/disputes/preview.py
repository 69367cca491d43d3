"""Preview of a ruling in words: the new result, and what it changes."""

from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from league.accounts.permissions import Asker
from league.competitions.amendments.services import effect_now, word_to_type
from league.disputes.models import Dispute
from league.disputes.queries import CaseView
from league.disputes.ruling import RulingPreview, WantedRuling, preview
from league.errors import Refused
from league.matches.amendments import judge
from league.matches.models import Amendment
from league.matches.results.standing import official_result
from league.web.components.score_fields import score_in_words
from league.web.disputes.ruling_form import outcome_in_words
from league.web.words.amendments import EffectWords, in_words
from league.web.words.disputes import OUTCOMES


@dataclass(frozen=True, slots=True, kw_only=True)
class PreviewWords:
    """`stand`: the effect, `void` that with later matches void; `plain`: a sentence where nothing changes.

    `unfinished`: by the ruling nobody has won, with points that differ.
    """

    then: str
    unfinished: bool
    stand: EffectWords | None
    void: EffectWords | None
    word: str
    plain: str
    confirms: str


@dataclass(frozen=True, slots=True)
class ConfirmingWords:
    """The effect of a waiting ruling as it would be now, or the reason why it cannot be carried out."""

    words: EffectWords | None
    blocked: str
    word: str


def preview_words(view: CaseView, user: Asker, wanted: WantedRuling, names: list[str]) -> PreviewWords:
    """Raises Refused as `ruling.preview` does."""
    found = preview(view.dispute, user, wanted)
    choices = found.outlooks
    void = choices.void if choices else None
    effect = choices.stand if choices else found.effect
    then, unfinished = _then(view, wanted, found, names)
    return PreviewWords(
        then=then,
        unfinished=unfinished,
        stand=in_words(effect) if effect else None,
        void=in_words(void) if void else None,
        word=word_to_type(view.dispute.game) if void and void.of("void") else "",
        plain="" if effect else _plain(view, wanted),
        confirms=_confirms(found),
    )


def _then(view: CaseView, wanted: WantedRuling, found: RulingPreview, names: list[str]) -> tuple[str, bool]:
    """Return the outcome in words, and whether it leaves the game unfinished."""
    new = found.decided.new
    if new is None:
        return outcome_in_words(wanted.outcome, view.stage), False
    judged = judge(view.dispute.match, new.kind, new.data)
    scores: Any = judged.scores
    points = [scores[key] for key in sorted(scores, key=int)]
    told = score_in_words(names, points, judged.winner)
    return f"{OUTCOMES[wanted.outcome].word}: {told}", judged.winner is None and len(set(points)) > 1


def _plain(view: CaseView, wanted: WantedRuling) -> str:
    if wanted.outcome == Dispute.Outcome.DISMISSED:
        return _("The result stays as it is.")
    if official_result(view.dispute.game) is not None:
        return _("The hand or game is played again. The confirmed result counts until it is amended.")
    return _("The hand or game is played again. Its entries no longer count.")


def _confirms(found: RulingPreview) -> str:
    told = (
        _("It counts once another official confirms it.")
        if found.waits
        else _("One official is enough: it counts at once.")
    )
    return told if found.appeal else f"{told} {_('Nobody is left to hear an appeal: this ruling is the last one.')}"


def confirming_words(view: CaseView, user: Asker) -> ConfirmingWords | None:
    """Return the effect of a waiting ruling that amends an official result; None for another ruling."""
    waiting = view.stage.waiting
    key = waiting.data.get("amendment") if waiting else None
    row = Amendment.objects.select_related("game__match__league").filter(pk=key).first() if key else None
    if row is None or row.state != Amendment.State.PROPOSED:
        return None
    try:
        effect = effect_now(row, user)
    except Refused as refused:
        return ConfirmingWords(None, str(refused), "")
    return ConfirmingWords(in_words(effect), "", word_to_type(row.game) if effect.of("void") else "")
