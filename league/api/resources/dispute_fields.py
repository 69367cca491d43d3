"""Fields of disputes: a row for everybody, and a case as its asker may see it."""

from collections.abc import Callable, Sequence
from typing import Any

from django.utils.translation import gettext_lazy as _
from rest_framework import serializers

from games.moves import SEATS
from games.wording.rulebook import Article
from league.api.base.fields import Link
from league.api.resources.results import SidePoints
from league.api.resources.verdicts import ENDS
from league.disputes.models import Dispute, DisputeEntry
from league.disputes.queries import CaseView
from league.matches.results.judges import judge_view
from referee.rulings.card_court import CardDecision, CardProposal
from referee.rulings.court import CourtDecision, FactFound
from referee.rulings.outcomes import LogOutcome, Names
from referee.rulings.proposal import Certainty, Fact, FactQuestion, Proposal
from referee.rulings.protests import Version

ACTS = ("take", "find", "rule", "step-back", "confirm", "reject", "state", "offer", "accept", "withdraw")
ACTS += ("refuse", "appeal", "set-effect", "name-judge", "accept-judge")
Kind = DisputeEntry.Kind


class DisputeFields(serializers.Serializer):
    """A dispute. The words of the protest are in the case, for those who may read them."""

    code = serializers.CharField(help_text=_("Permanent code of the dispute."))
    game = serializers.CharField(source="game.code", help_text=_("Code of the game."))
    match = serializers.IntegerField(source="match_id")
    kind = serializers.ChoiceField(Dispute.Kind.values, help_text=_("Matter of the protest."))
    record = serializers.IntegerField(
        source="record_id", allow_null=True, help_text=_("Number of the record in dispute; null without a record.")
    )
    line = serializers.IntegerField(allow_null=True, help_text=_("Line of the log."))
    hand = serializers.IntegerField(allow_null=True, help_text=_("Hand of the card or tally."))
    side = serializers.IntegerField(
        source="for_side", allow_null=True, help_text=_("Side that protests; null for an official.")
    )
    state = serializers.ChoiceField(Dispute.State.values)
    outcome = serializers.ChoiceField(
        ["", *Dispute.Outcome.values], help_text=_("Of the ruling in force; empty before it.")
    )
    effect = serializers.ChoiceField(
        Dispute.Effect.values, help_text=_("Play goes on under reserve, or the next matches wait.")
    )
    raised_at = serializers.DateTimeField()
    hold_until = serializers.DateTimeField(
        allow_null=True, help_text=_("End of the wait; null until the ruling, or without a wait.")
    )
    appeal_until = serializers.DateTimeField(source="deadline", allow_null=True)
    closed_at = serializers.DateTimeField(allow_null=True)
    url = Link("api:dispute", code="code")


class ActedFields(DisputeFields):
    """A dispute after an act. It has no words, so that it may be stored for a retry."""

    seen = serializers.IntegerField(help_text=_("Number of the last entry: send it back as “seen”."))


class OutcomeFields(serializers.Serializer):
    """Outcome of a version of the record, by side."""

    scores = SidePoints(many=True)
    winner = serializers.IntegerField(allow_null=True, help_text=_("Number of a side."))
    ended = serializers.ChoiceField(ENDS, allow_null=True)
    message = serializers.CharField(help_text=_("In a sentence, in English."))


class CitedRuleFields(serializers.Serializer):
    id = serializers.CharField(help_text=_("Id of the rule: udl.muggins."))
    number = serializers.CharField(help_text=_("Number of the rule in the rules of its system."))
    text = serializers.CharField(help_text=_("In English."))


class FactQuestionFields(serializers.Serializer):
    """The one fact that a person has to find."""

    fact = serializers.ChoiceField([one.value for one in Fact])
    message = serializers.CharField(help_text=_("The question, in English."))


class AnswerOutcomes(FactQuestionFields):
    """The question with the outcome of each answer."""

    yes = OutcomeFields()
    no = OutcomeFields()


class ProposalFields(serializers.Serializer):
    """Proposal of the referee; for officials after the facts, for the sides with the ruling."""

    certainty = serializers.ChoiceField([one.value for one in Certainty])
    reasons = serializers.ListField(child=serializers.CharField(), help_text=_("Sentences in English."))
    rules = CitedRuleFields(many=True)
    question = AnswerOutcomes(allow_null=True)
    record = OutcomeFields(allow_null=True, help_text=_("Outcome of the record as it is; null for a card."))
    decided = OutcomeFields(allow_null=True, help_text=_("Outcome by the facts that were found; null before them."))


class OfferFields(serializers.Serializer):
    """Outcome that a side proposes; without scores the record stands."""

    scores = serializers.ListField(child=serializers.IntegerField(), help_text=_("In the order of the sides."))
    winner = serializers.IntegerField(allow_null=True, help_text=_("Number of a side."))
    ended = serializers.CharField(allow_blank=True)


class EntryFields(serializers.Serializer):
    """One act in a dispute. Members that the asker may not see are null."""

    number = serializers.IntegerField()
    kind = serializers.ChoiceField(Kind.values)
    side = serializers.IntegerField(allow_null=True, help_text=_("Side that acted; null for an official."))
    at = serializers.DateTimeField()
    words = serializers.CharField(allow_null=True, help_text=_("Protest, statement, appeal, or reason of a ruling."))
    offer = OfferFields(allow_null=True)
    answer = serializers.ChoiceField(
        [one.value for one in FactFound], allow_null=True, help_text=_("Answer to the question.")
    )
    outcome = serializers.ChoiceField(Dispute.Outcome.values, allow_null=True)
    waits = serializers.BooleanField(allow_null=True, help_text=_("The ruling needed a second official."))
    text = serializers.URLField(allow_null=True, help_text=_("Address of the ruling text; null without one."))
    photo = serializers.URLField(allow_null=True, help_text=_("Address of the photo, for those who may see it."))


class NamedJudgeFields(serializers.Serializer):
    """Member named as the judge of a case that no official is free to decide."""

    name = serializers.CharField()
    accepted = serializers.ListField(child=serializers.IntegerField(), help_text=_("Sides that accepted."))


class CaseFields(ActedFields):
    """A dispute as the asker may see it."""

    may = serializers.ListField(child=serializers.ChoiceField(ACTS), help_text=_("Acts of the asker now."))
    entries = EntryFields(many=True)
    question = FactQuestionFields(allow_null=True, help_text=_("For officials who find the facts."))
    proposal = ProposalFields(allow_null=True)
    appeal = serializers.BooleanField(help_text=_("Somebody is left to hear an appeal."))
    hold = serializers.BooleanField(help_text=_("The next matches of both sides wait now."))
    judge = NamedJudgeFields(allow_null=True, help_text=_("For the desk and the sides; null where none is named."))


# ---- From rows and proposals to these fields


def case_input(view: CaseView, address: Callable[[DisputeEntry], str]) -> dict[str, Any]:
    """Return the input of `CaseFields`; `address(entry)` is the address of a ruling text or photo."""
    dispute = view.dispute
    names = {name: getattr(dispute, name) for name in COPIED}
    more = {
        "seen": view.stage.last,
        "may": [act for act in ACTS if act in view.may],
        "entries": [_entry(view, entry, address) for entry in view.entries],
        "question": view.question and _question(view.question),
        "proposal": _proposal(view),
        "appeal": view.appeal,
        "hold": view.hold,
        "judge": _judge(view),
    }
    return {**names, **more}


COPIED = (
    *("code", "game", "match_id", "kind", "record_id", "line", "hand", "for_side", "state", "outcome", "effect"),
    *("raised_at", "hold_until", "deadline", "closed_at"),
)


def _judge(view: CaseView) -> dict[str, Any] | None:
    if not {"name-judge", "accept-judge"} & view.may:
        return None
    judge = judge_view(view.dispute.match, view.one)
    return judge and {"name": judge.name, "accepted": sorted(judge.accepted)}


def _entry(view: CaseView, entry: DisputeEntry, address: Callable[[DisputeEntry], str]) -> dict[str, Any]:
    ruled = entry.kind == Kind.RULED and entry.data
    return {
        "number": entry.number,
        "kind": entry.kind,
        "side": entry.for_side,
        "at": entry.at,
        "words": view.words.get(entry.number),
        "offer": entry.data if entry.kind == Kind.OFFERED else None,
        "answer": entry.data.get("answer") if entry.kind == Kind.FOUND else None,
        "outcome": entry.data["outcome"] if ruled else None,
        "waits": entry.data["waits"] if ruled else None,
        "text": address(entry) if ruled and entry.data.get("ruling") else None,
        "photo": address(entry) if entry.number in view.photos else None,
    }


def _proposal(view: CaseView) -> dict[str, Any] | None:
    found, decided = view.proposal, view.decision
    if found is None:
        return None
    if isinstance(found, CardProposal):
        outcome = decided.outcome if isinstance(decided, CardDecision) else None
        reasons = [decided.reason.text] if decided is not None else []
        empty: dict[str, Any] = {"rules": [], "question": None, "record": None}
        told = outcome and _outcome(outcome, *_by_side(view))
        return {"certainty": found.certainty.value, "reasons": reasons, "decided": told, **empty}
    return _log_proposal(view, found, decided)


def _log_proposal(view: CaseView, found: Proposal, decided: CourtDecision | CardDecision | None) -> dict[str, Any]:
    seated, names = view.dispute.record.seats, view.case.file.names
    sides = [seated[SEATS[seat]] for seat in range(len(names))]

    def told(version: Version) -> dict[str, Any]:
        return _outcome(version.outcome, sides, names)

    asked = found.question
    answers = asked and {**_question(asked), "yes": told(asked.yes), "no": told(asked.no)}
    return {
        "certainty": found.certainty.value,
        "reasons": [reason.text for reason in found.reasons],
        "rules": [_rule(one) for one in found.rules],
        "question": answers,
        "record": told(found.record),
        "decided": told(decided.version) if isinstance(decided, CourtDecision) else None,
    }


def _by_side(view: CaseView) -> tuple[list[int], list[str]]:
    """Return the sides and names of a card, whose figures are in the order of the sides."""
    sides = sorted(view.dispute.match.sides.all(), key=lambda side: side.number)
    return [side.number for side in sides], [str(side) for side in sides]


def _outcome(outcome: LogOutcome, sides: Sequence[int], names: Names) -> dict[str, Any]:
    points = sorted(zip(sides, outcome.scores, strict=False))
    return {
        "scores": [{"side": side, "points": score} for side, score in points],
        "winner": None if outcome.winner is None else sides[outcome.winner],
        "ended": outcome.ended,
        "message": outcome.sentence(names).text,
    }


def _question(asked: FactQuestion) -> dict[str, str]:
    return {"fact": asked.fact.value, "message": asked.question.text}


def _rule(one: Article) -> dict[str, str]:
    return {"id": one.id, "number": one.number, "text": one.text}
