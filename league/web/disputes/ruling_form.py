"""Form of a ruling: outcome, reason, and another score than the proposed one."""

from collections.abc import Sequence
from typing import Any

from django import forms
from django.http import QueryDict
from django.utils.translation import ngettext, pgettext, pgettext_lazy

from league.disputes.case_file import Case, LogCase, ruling_to, text_now
from league.disputes.facts import question_of
from league.disputes.models import Dispute
from league.disputes.ruling import WantedRuling
from league.disputes.stage import CaseStage
from league.matches.amendments import LONGEST_REASON
from league.matches.models import Amendment
from league.web.components.score_fields import NOBODY, TypedScore, typed_score
from league.web.shared.forms import DressedForm
from league.web.words.disputes import OUTCOMES, capital, said
from league.web.words.findings import found_in_words
from referee.rulings.card_court import CardDecision
from referee.rulings.court import CourtDecision, FactFound

Outcome, Kind = Dispute.Outcome, Dispute.Kind
CALLS = frozenset({Kind.MUGGINS, Kind.CATCH, Kind.CHALLENGE})
KEPT = ("outcome", "reason", "winner", "ended")


class RulingForm(DressedForm):
    """Outcome and reason; the score of a result ruled is `typed`."""

    outcome = forms.TypedChoiceField(
        label=pgettext_lazy("ruling", "Outcome"), choices=(), coerce=Outcome, widget=forms.RadioSelect
    )
    reason = forms.CharField(
        label=pgettext_lazy("ruling", "Reason (everybody reads it)"),
        max_length=LONGEST_REASON,
        widget=forms.Textarea(attrs={"rows": 2}),
    )
    later = forms.ChoiceField(choices=Amendment.Later, required=False)

    def __init__(
        self, *args: Any, outcomes: Sequence[Outcome], stage: CaseStage, names: Sequence[str], **kwargs: Any
    ) -> None:
        super().__init__(*args, **kwargs)
        self.fields["outcome"].choices = [(one, outcome_in_words(one, stage)) for one in outcomes]
        self.names = names
        sent = self.data if self.is_bound else QueryDict()
        self.typed: TypedScore = typed_score(sent, len(names))

    @property
    def scores(self) -> list[tuple[int, str, str]]:
        """Number, name and typed points of each side."""
        return list(zip(range(1, len(self.names) + 1), self.names, self.typed.points, strict=True))

    @property
    def winner_value(self) -> str:
        return self.typed.winner

    @property
    def further(self) -> bool:
        return not self.typed.empty

    @property
    def kept(self) -> list[tuple[str, str]]:
        """Names and values that the preview keeps."""
        points = [(f"points-{number}", value) for number, _name, value in self.scores]
        return [(name, self.data.get(name, "")) for name in KEPT] + points

    def wanted(self) -> WantedRuling:
        """Return the ruling; a typed score makes it a result ruled. Raises Refused as `TypedScore.sheet` does."""
        told = self.cleaned_data
        if told["outcome"] == Outcome.RESULT or (told["outcome"] != Outcome.DISMISSED and not self.typed.empty):
            return self._with_score()
        return WantedRuling(outcome=told["outcome"], reason=told["reason"], later=told["later"])

    def _with_score(self) -> WantedRuling:
        sheet = self.typed.sheet()
        scores = sheet["scores"]
        level = self.typed.winner == NOBODY
        winner = None if level else sheet.get("winner", scores.index(max(scores))) + 1
        return WantedRuling(
            outcome=Outcome.RESULT,
            reason=self.cleaned_data["reason"],
            scores=tuple(scores),
            winner=winner,
            ended=sheet.get("ended", "target"),
            later=self.cleaned_data["later"],
        )


def outcome_in_words(outcome: Outcome, stage: CaseStage) -> str:
    """Return the label of an outcome; a dismissed appeal leaves the first ruling."""
    if outcome == Outcome.DISMISSED and stage.ruling is not None and stage.ruling.data["outcome"] != outcome:
        return pgettext("ruling", "Appeal dismissed: the first ruling stands")
    return str(OUTCOMES[outcome].word)


def outcomes_of(dispute: Dispute, case: Case | None, decision: CourtDecision | CardDecision | None) -> list[Outcome]:
    """Return the outcomes to choose from, the proposed one first."""
    others = [Outcome.HAND, Outcome.GAME, Outcome.RESULT, Outcome.DISMISSED]
    if decision is None or not _changes(dispute, case, decision):
        return [Outcome.DISMISSED, *others[:-1]]
    return [_by_kind(dispute, case), *others]


def _changes(dispute: Dispute, case: Case | None, decision: CourtDecision | CardDecision) -> bool:
    """Return whether the decision differs from the record with the rulings on it, as after an appeal."""
    if isinstance(decision, CourtDecision) and isinstance(case, LogCase):
        return ruling_to(text_now(dispute.record), decision, case.file.text)[0] is not None
    return case is not None and not isinstance(case, LogCase) and decision.outcome.scores != case.sheet.scores


def _by_kind(dispute: Dispute, case: Case | None) -> Outcome:
    if isinstance(case, LogCase) and case.proposal.league_rule is not None:
        return Outcome.PENALTY
    if dispute.kind == Kind.COUNT:
        return Outcome.COUNT
    return Outcome.CALL if dispute.kind in CALLS else Outcome.UPHELD


def reason_proposed(case: Case | None, decision: CourtDecision | CardDecision | None, answer: FactFound | None) -> str:
    """Return the finding and its rules in plain words, which the official may change; "" without a decision."""
    if decision is None:
        return ""
    asked = question_of(case)
    found = answer in (FactFound.YES, FactFound.NO)
    told = found_in_words(asked.question, answer) if asked and answer and found else said(decision.reason)
    rules = case.proposal.rules if isinstance(case, LogCase) else ()
    return _with_rules(capital(told), [one.number for one in rules])


def _with_rules(told: str, numbers: Sequence[str]) -> str:
    if not numbers:
        return f"{told}."
    cited = ngettext("rule %(numbers)s", "rules %(numbers)s", len(numbers)) % {"numbers": ", ".join(numbers)}
    whole = f"{told} ({cited})."
    return whole if len(whole) <= LONGEST_REASON else f"{told}."[:LONGEST_REASON]
