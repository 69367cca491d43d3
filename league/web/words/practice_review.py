"""Words of the hint, and of the review of a practice game."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from league.play.hints import Hint
from league.play.reviews import HandReview, MissedPoints, ReviewedDecision, ReviewView


def hint(moves: Sequence[Hint]) -> str:
    """Write a hint with the next best move: "Best: 6-3 on 6-6, +12 points expected. Then: 5-0, +8."; "" without."""
    if not moves:
        return ""
    facts = {"move": _move(moves[0].tile, moves[0].on, draw=moves[0].draw), "points": signed(moves[0].points)}
    if len(moves) == 1:
        return _("Only move: %(move)s. Expected for the rest of the hand: %(points)s points.") % facts
    facts |= {"other": _move(moves[1].tile, moves[1].on, draw=moves[1].draw), "less": signed(moves[1].points)}
    return _("Best: %(move)s, expected %(points)s points for the rest of the hand. Next: %(other)s, %(less)s.") % facts


def _move(tile: str, on: str, *, draw: bool) -> str:
    if not tile:
        return _("draw a tile") if draw else _("pass")
    return _("%(tile)s on %(on)s") % {"tile": tile, "on": on} if on else _("lead %(tile)s") % {"tile": tile}


def signed(points: float) -> str:
    """Write whole points with their sign: +12, −3, 0."""
    whole = round(points)
    return f"+{whole}" if whole > 0 else f"−{-whole}" if whole else "0"


@dataclass(frozen=True, slots=True)
class DecisionInWords:
    """A decision in words; `step`: its address in the replay, `lost` "" for a best move."""

    step: str
    played: str
    best: str
    points: str
    lost: str


@dataclass(frozen=True, slots=True)
class MissedLine:
    """Points that were not announced or not claimed, in words."""

    step: str
    sentence: str


@dataclass(frozen=True, slots=True)
class HandInWords:
    """A hand of the review; points with their signs."""

    number: int
    deal: str
    draws: str
    others: str
    choices: str
    unannounced: str
    result: str
    best: int
    decisions: list[DecisionInWords]
    missed: list[MissedLine]


def sums(view: ReviewView) -> dict[str, str]:
    """Write the sums of the whole game, with their signs."""
    return {
        "luck": signed(view.luck),
        "choices": signed(-view.lost),
        "unannounced": signed(-view.unannounced),
        "result": signed(view.result),
    }


def hands_in_words(view: ReviewView) -> list[HandInWords]:
    return [_hand(view, hand) for hand in view.hands or []]


def _hand(view: ReviewView, hand: HandReview) -> HandInWords:
    return HandInWords(
        number=hand.number,
        deal=signed(hand.deal),
        draws=signed(hand.draws),
        others=signed(hand.others),
        choices=signed(-hand.lost),
        unannounced=signed(-hand.unannounced),
        result=signed(hand.result),
        best=sum(not one.lost for one in hand.decisions),
        decisions=[_decision(view, one) for one in hand.decisions],
        missed=[_missed(view, one) for one in hand.missed],
    )


def _decision(view: ReviewView, one: ReviewedDecision) -> DecisionInWords:
    return DecisionInWords(
        step=view.steps.get(one.line, ""),
        played=_move(one.played.tile, one.played.on, draw=one.played.draw),
        best=_move(one.best.tile, one.best.on, draw=one.best.draw),
        points=signed(one.best_points),
        lost=signed(-one.lost) if one.lost else "",
    )


def _missed(view: ReviewView, one: MissedPoints) -> MissedLine:
    if one.muggins:
        sentence = ngettext(
            "%(tile)s: muggins missed, the computer left %(count)s point.",
            "%(tile)s: muggins missed, the computer left %(count)s points.",
            one.points,
        )
    else:
        sentence = ngettext(
            "%(tile)s: you did not announce %(count)s point.",
            "%(tile)s: you did not announce %(count)s points.",
            one.points,
        )
    return MissedLine(view.steps.get(one.line, ""), sentence % {"tile": one.tile, "count": one.points})
