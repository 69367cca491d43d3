"""Decision of a protest: the proposal with the fact that an official found, as a ruling text.

A fact that nobody finds has an outcome too, by the league's rule of proof.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from games.moves import Note, RoundStart
from games.notation.writing import write_event
from games.wording.base import Sentence
from referee.rulings.proposal import Certainty, Proposal
from referee.rulings.protests import CaseFile, Version
from referee.rulings.text import LineChange, RulingText, Verb, ruling_on


class FactFound(Enum):
    """Answer of an official to the question of a proposal."""

    YES = "yes"
    NO = "no"
    NOT_KNOWN = "not known"


class ProofRule(Enum):
    """Outcome of a fact that nobody finds, where neither side's record stands."""

    NOBODY = "nobody"
    """The points in question go to nobody."""
    CLAIMANT = "claimant"
    """The protester has to show it."""
    REPLAY = "replay"
    """The hand is played again."""


@dataclass(frozen=True, slots=True)
class CourtDecision:
    """Decided version of the log, the reason, and the ruling text; ``None`` where the log stands as it is."""

    version: Version
    reason: Sentence
    ruling: RulingText | None


def decide(
    case: CaseFile, proposal: Proposal, found: FactFound | None = None, proof: ProofRule = ProofRule.NOBODY
) -> CourtDecision:
    """Decide a protest by its proposal and the fact that was found.

    ``found`` is needed where the proposal follows from a fact, and has no effect elsewhere. Raises ``ValueError``
    without it.
    """
    version, reason = _decided(case, proposal, found, proof)
    if not version.changes:
        return CourtDecision(version, reason, None)
    rules = " ".join(rule.id for rule in proposal.rules)[:200]
    return CourtDecision(version, reason, ruling_on(case.text, reason.text[:200], *version.changes, Rule=rules))


def _decided(case: CaseFile, proposal: Proposal, found: FactFound | None, proof: ProofRule) -> tuple[Version, Sentence]:
    question = proposal.question
    if proposal.certainty is Certainty.NOT_KNOWN:
        return _unproved(case, proposal, proof)
    if question is None:
        reason = proposal.league_rule or Sentence("It follows from the log and the rules")
        return proposal.proposed, reason
    if found is None:
        raise ValueError("the fact in question has to be found: yes, no or not known")
    if found is FactFound.NOT_KNOWN:
        return _unproved(case, proposal, proof)
    answer = {"question": question.question, "answer": found.value}
    return question.yes if found is FactFound.YES else question.no, Sentence("%(question)s %(answer)s", answer)


def _unproved(case: CaseFile, proposal: Proposal, proof: ProofRule) -> tuple[Version, Sentence]:
    """Return the version by the rule of proof."""
    question = proposal.question
    if case.agreed_to >= case.protest.line:
        return proposal.record, Sentence("Not known: the record that both agreed on or one shared pad made stands")
    if proof is ProofRule.REPLAY:
        return case.version(*from_hand(case)), Sentence("Not known: the hand is played again")
    if question is None:
        return _unquestioned(proposal, proof)
    if proof is ProofRule.CLAIMANT:
        against = question.no if question.favours else question.yes
        return against, Sentence("Not known: the protester has to show it, and has not")
    return question.neither, Sentence("Not known: the points in question go to nobody")


def _unquestioned(proposal: Proposal, proof: ProofRule) -> tuple[Version, Sentence]:
    if proposal.nobody is None or proof is ProofRule.CLAIMANT:
        return proposal.record, Sentence("Not known: the log stands")
    return proposal.nobody, Sentence("Not known: the points in question go to nobody")


def from_hand(case: CaseFile) -> list[LineChange]:
    """Return the changes to a log that ends before the hand of the protest."""
    starts = [entry.line for entry in case.log.entries if isinstance(entry.event, RoundStart)]
    first = max((line for line in starts if line <= case.protest.line), default=0)
    gone = [entry.line for entry in case.log.entries if entry.line >= first]
    # A remark keeps the tags of this game apart from those of the next one in the file.
    remark = LineChange(Verb.REPLACE, gone[0], write_event(Note("the hand is played again")))
    return [remark, *(LineChange(Verb.REMOVE, line) for line in gone[1:])]
