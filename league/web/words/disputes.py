"""Words of protests and rulings: one table for each kind, and sentences of the judge in the reader's language."""

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import pgettext_lazy

from games.wording.base import Sentence
from league.disputes.models import Dispute
from league.errors import Refused
from league.web.words.labels import Label
from referee.rulings.court import FactFound, ProofRule
from referee.rulings.penalties import DRAW_WHEN_ABLE, HAND_SIZE, OUT_OF_TURN, PASS_WHEN_ABLE
from referee.rulings.proposal import Certainty, Fact

KINDS: Mapping[str, Any] = {
    Dispute.Kind.COUNT: pgettext_lazy("protest", "A count: it was announced, or not, or too late"),
    Dispute.Kind.MUGGINS: pgettext_lazy("protest", "Muggins: it was called, or not, or too late"),
    Dispute.Kind.MISPLAY: pgettext_lazy("protest", "A tile that does not fit"),
    Dispute.Kind.DRAW: pgettext_lazy("protest", "A draw or a pass against the rules"),
    Dispute.Kind.CLOCK: pgettext_lazy("protest", "The clock: a tile before or after the bell"),
    Dispute.Kind.RESULT: pgettext_lazy("protest", "Points of a hand, the score, or the winner"),
    Dispute.Kind.CATCH: pgettext_lazy("protest", "Uno: caught, or not caught"),
    Dispute.Kind.CHALLENGE: pgettext_lazy("protest", "A challenge of the Wild Draw Four"),
    Dispute.Kind.FRAUD: pgettext_lazy("protest", "Cheating"),
    Dispute.Kind.IDENTITY: pgettext_lazy("protest", "Somebody else played"),
    Dispute.Kind.CONDUCT: pgettext_lazy("protest", "Conduct of a player"),
}
"""What is wrong, as a player chooses it."""

SHORT_KINDS: Mapping[str, Any] = {
    Dispute.Kind.COUNT: pgettext_lazy("kind of a protest", "Count"),
    Dispute.Kind.MUGGINS: pgettext_lazy("kind of a protest", "Muggins"),
    Dispute.Kind.MISPLAY: pgettext_lazy("kind of a protest", "Misplay"),
    Dispute.Kind.DRAW: pgettext_lazy("kind of a protest", "Draw or pass"),
    Dispute.Kind.CLOCK: pgettext_lazy("kind of a protest", "Clock"),
    Dispute.Kind.RESULT: pgettext_lazy("kind of a protest", "Result"),
    Dispute.Kind.CATCH: pgettext_lazy("kind of a protest", "Catch"),
    Dispute.Kind.CHALLENGE: pgettext_lazy("kind of a protest", "Challenge"),
    Dispute.Kind.FRAUD: pgettext_lazy("kind of a protest", "Cheating"),
    Dispute.Kind.IDENTITY: pgettext_lazy("kind of a protest", "Identity"),
    Dispute.Kind.CONDUCT: pgettext_lazy("kind of a protest", "Conduct"),
}

ANSWERS: Mapping[FactFound, Any] = {
    FactFound.YES: pgettext_lazy("finding", "yes"),
    FactFound.NO: pgettext_lazy("finding", "no"),
    FactFound.NOT_KNOWN: pgettext_lazy("finding", "not known"),
}

CERTAINTIES: Mapping[Certainty, Label] = {
    Certainty.PROVED: Label(word=pgettext_lazy("proposal", "Proved by the log"), icon="check", tone="good"),
    Certainty.FOLLOWS_IF: Label(
        word=pgettext_lazy("proposal", "Follows from the fact that is found"), icon="part", tone="cool"
    ),
    Certainty.NOT_KNOWN: Label(
        word=pgettext_lazy("proposal", "Not known: the rule of proof decides"), icon="scales", tone="warm"
    ),
}

PROOF_RULES: Mapping[ProofRule, Any] = {
    ProofRule.NOBODY: pgettext_lazy("rule of proof", "The points in question go to nobody"),
    ProofRule.CLAIMANT: pgettext_lazy("rule of proof", "The side that protests has to show it"),
    ProofRule.REPLAY: pgettext_lazy("rule of proof", "The hand is played again"),
}

STATES: Mapping[str, Label] = {
    Dispute.State.OPEN: Label(word=pgettext_lazy("result", "Under review"), icon="scales", tone="warm"),
    Dispute.State.FOUND: Label(word=pgettext_lazy("protest", "Facts found"), icon="part", tone="warm"),
    Dispute.State.WAITING: Label(
        word=pgettext_lazy("protest", "Ruling waits for another official"), icon="clock", tone="warm"
    ),
    Dispute.State.RULED: Label(word=pgettext_lazy("protest", "Ruled"), icon="seal", tone="good"),
    Dispute.State.APPEALED: Label(word=pgettext_lazy("protest", "Appealed"), icon="scales", tone="warm"),
    Dispute.State.AGREED: Label(word=pgettext_lazy("protest", "Agreed by both sides"), icon="check", tone="good"),
    Dispute.State.WITHDRAWN: Label(word=pgettext_lazy("protest", "Withdrawn"), icon="undo"),
}

OUTCOMES: Mapping[str, Label] = {
    Dispute.Outcome.UPHELD: Label(word=pgettext_lazy("ruling", "Protest upheld"), icon="check", tone="good"),
    Dispute.Outcome.COUNT: Label(word=pgettext_lazy("ruling", "Count corrected"), icon="amended", tone="good"),
    Dispute.Outcome.CALL: Label(word=pgettext_lazy("ruling", "Call corrected"), icon="amended", tone="good"),
    Dispute.Outcome.PENALTY: Label(word=pgettext_lazy("ruling", "Penalty"), icon="alert", tone="warm"),
    Dispute.Outcome.HAND: Label(word=pgettext_lazy("ruling", "Hand replayed"), icon="undo", tone="warm"),
    Dispute.Outcome.GAME: Label(word=pgettext_lazy("ruling", "Game replayed"), icon="undo", tone="warm"),
    Dispute.Outcome.RESULT: Label(word=pgettext_lazy("ruling", "Result ruled"), icon="scales", tone="warm"),
    Dispute.Outcome.DISMISSED: Label(word=pgettext_lazy("ruling", "Protest dismissed"), icon="remove"),
}

FACTS: Mapping[str, Any] = {
    Fact.ANNOUNCED.value: pgettext_lazy("fact", "announced in time"),
    Fact.ANNOUNCED_IN_HOLD.value: pgettext_lazy("fact", "announced within three seconds"),
    Fact.CALLED.value: pgettext_lazy("fact", "muggins called in time"),
    Fact.CALLED_FIRST.value: pgettext_lazy("fact", "muggins called before the score was announced"),
    Fact.CALLED_AFTER_BELL.value: pgettext_lazy("fact", "muggins called in time after the bell"),
    Fact.OBJECTED.value: pgettext_lazy("fact", "objected in time"),
    Fact.RELEASED.value: pgettext_lazy("fact", "released before the bell"),
    Fact.CAUGHT.value: pgettext_lazy("fact", "caught in time"),
    Fact.CHALLENGED.value: pgettext_lazy("fact", "challenged in time"),
    Fact.HELD_COLOUR.value: pgettext_lazy("fact", "held a tile of the colour"),
}
"""Fact of a precedent, without persons."""

EFFECTS: Mapping[str, Any] = {
    Dispute.Effect.PLAY_ON: pgettext_lazy("protest", "Play goes on under reserve."),
    Dispute.Effect.HOLD: pgettext_lazy("protest", "The next matches wait for the ruling."),
}

PENALTIES: Mapping[str, Any] = {
    DRAW_WHEN_ABLE: pgettext_lazy("penalty", "Drew although able to play"),
    PASS_WHEN_ABLE: pgettext_lazy("penalty", "Passed although able to play"),
    HAND_SIZE: pgettext_lazy("penalty", "Wrong number of tiles in a hand"),
    OUT_OF_TURN: pgettext_lazy("penalty", "Played out of turn"),
}


def said(sentence: Sentence) -> str:
    """Return a sentence of the judge in the reader's language; a fact may be a sentence too."""
    return _(sentence.template) % {key: _fact(value) for key, value in sentence.facts.items()}


def _fact(value: object) -> object:
    if isinstance(value, Sentence):
        return said(value)
    answers = {one.value: word for one, word in ANSWERS.items()}
    return answers.get(value, value) if isinstance(value, str) else value


def refusal_in_words(refused: Refused) -> str:
    """Return a refusal in the reader's language; its reason may be a sentence of the judge."""
    if sentence := refused.facts.get("sentence"):
        return str(refused.message) % {**refused.facts, "reason": said(sentence)}
    return str(refused)


def capital(text: str) -> str:
    """Return a sentence with a capital letter."""
    return text[:1].upper() + text[1:]
