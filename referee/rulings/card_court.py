"""Protest about a hand of a score card or a tally: what the card itself shows, and the rule of proof.

A card has no plays, so no question of the rules leads to an outcome: either the card contradicts itself, or the fact is
not known.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from games.moves import Seat
from games.wording.base import Sentence
from referee.cards.check import check, known_totals
from referee.cards.findings import CardFinding
from referee.cards.ledger import at_target
from referee.cards.sheet import Card
from referee.rulings.court import ProofRule
from referee.rulings.outcomes import LogOutcome
from referee.rulings.proposal import Certainty
from referee.verdict import Severity, Status


@dataclass(frozen=True, slots=True, kw_only=True)
class HandProtest:
    """Protest of the seat ``by`` about hand ``hand`` of a card, from 1.

    ``column`` is ``play``, ``muggins``, ``penalties`` or ``bonus``; ``seat`` has those points, and should have
    ``claimed``.
    """

    by: Seat
    hand: int
    column: str
    seat: Seat
    claimed: int


class CardProposal(NamedTuple):
    """Certainty of a protest about a card.

    ``proved``: the ``findings`` contradict the hand, and an official corrects the card. ``in_question`` are the points
    that the seat has beyond those that it should have, below 0 if it should have more.
    """

    certainty: Certainty
    findings: tuple[CardFinding, ...]
    in_question: int


class CardDecision(NamedTuple):
    """Decided outcome of a card with a reason; not ``ended`` where the game has to go on."""

    outcome: LogOutcome
    reason: Sentence


def propose_on_card(card: Card, protest: HandProtest) -> CardProposal:
    """Make the proposal for a protest about a card.

    Raises ``ValueError`` for a hand that the card does not have, or points that it does not have written.
    """
    if not 0 < protest.hand <= len(card.rounds):
        raise ValueError(f"the card has no hand {protest.hand}")
    written = getattr(card.rounds[protest.hand - 1], protest.column)[protest.seat]
    if written is None:
        raise ValueError(f"hand {protest.hand} has no {protest.column} of this seat")
    findings = tuple(
        one for one in check(card).findings if one.row == protest.hand and one.severity != Severity.NOTE.value
    )
    certainty = Certainty.PROVED if findings else Certainty.NOT_KNOWN
    return CardProposal(certainty, findings, written - protest.claimed)


def decide_on_card(
    card: Card, protest: HandProtest, *, agreed: bool = False, proof: ProofRule = ProofRule.NOBODY
) -> CardDecision:
    """Decide a protest about a card by the rule of proof.

    ``agreed``: both signed the card, or one shared pad recorded it before the dispute. Points that the seat should have
    more are not on the card, so nobody has them already.
    """
    in_question = propose_on_card(card, protest).in_question
    stands = LogOutcome(check(card).status, card.scores, check(card).winner, card.ended)
    if agreed:
        return CardDecision(stands, Sentence("Not known: the record that both agreed on or one shared pad made stands"))
    if proof is ProofRule.REPLAY:
        return CardDecision(_before(card, protest.hand), Sentence("Not known: the hand is played again"))
    if proof is ProofRule.CLAIMANT:
        return CardDecision(stands, Sentence("Not known: the protester has to show it, and has not"))
    reason = Sentence("Not known: the points in question go to nobody")
    return CardDecision(_less(card, protest.seat, max(0, in_question), stands), reason)


def _before(card: Card, hand: int) -> LogOutcome:
    """Return the score before a hand; 0 where the card leaves it open."""
    totals = known_totals(card)[hand - 2] if hand > 1 else (0,) * card.seats
    return LogOutcome(Status.INCOMPLETE.value, tuple(one or 0 for one in totals), None, None)


def _less(card: Card, seat: Seat, points: int, stands: LogOutcome) -> LogOutcome:
    """Return the outcome with fewer points for a seat; the game goes on if they ended it."""
    if not points:
        return stands
    scores = tuple(total - points * (at == seat) for at, total in enumerate(card.scores))
    best = max(scores)
    winner = scores.index(best) if scores.count(best) == 1 else None
    over = winner is not None and (card.ended != "target" or at_target(card.rules, best))
    return LogOutcome(stands.status, scores, winner if over else None, card.ended if over else None)
