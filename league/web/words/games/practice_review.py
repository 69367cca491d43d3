"""Words of the hint, and of the review of a game."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from league.play.hints import Hint
from league.play.review_view import HandReview, MissedPoints, ReviewedDecision, ReviewedMove, ReviewView
from league.play.shared_reviews import SharedReview
from league.web.words.games.replay import COLOURS


def hint(moves: Sequence[Hint]) -> str:
    """Write a hint with the next best move: "Best: 6-3 on 6-6, +12 points expected. Then: 5-0, +8."; "" without."""
    if not moves:
        return ""
    facts = {"move": _move(moves[0]), "points": signed(moves[0].points)}
    if len(moves) == 1:
        return _("Only move: %(move)s. Expected for the rest of the hand: %(points)s points.") % facts
    facts |= {"other": _move(moves[1]), "less": signed(moves[1].points)}
    return _("Best: %(move)s, expected %(points)s points for the rest of the hand. Next: %(other)s, %(less)s.") % facts


def _move(move: Hint | ReviewedMove) -> str:
    if not move.tile:
        return _("draw a tile") if move.draw else _("pass")
    facts = {"tile": move.tile, "on": move.on}
    said = _("%(tile)s on %(on)s") % facts if move.on else _("lead %(tile)s") % facts
    if not move.colour:
        return said
    return pgettext("practice: a wild tile", "%(move)s in %(colour)s") % {"move": said, "colour": COLOURS[move.colour]}


def signed(points: float) -> str:
    """Write whole points with their sign: +12, −3, 0."""
    whole = round(points)
    return f"+{whole}" if whole > 0 else f"−{-whole}" if whole else "0"


@dataclass(frozen=True, slots=True)
class ReviewWords:
    """Labels of a review: the player against the computer, or a person against others.

    `others`, `draws`, `choices`, `move`: columns; `luck`, `result`, `expected`: what these are; `forced`: a hand
    without a choice. `own`: it speaks to the player.
    """

    others: str
    draws: str
    choices: str
    move: str
    luck: str
    result: str
    expected: str
    forced: str
    own: bool


def against_computer() -> ReviewWords:
    return ReviewWords(
        others=pgettext("review: column", "Computer"),
        draws=pgettext("review: column", "Your draws"),
        choices=pgettext("review: column", "Your choices"),
        move=pgettext("review: column", "Your move"),
        luck=pgettext("review: what luck is", "deals, draws, the computer’s tiles and plays"),
        result=pgettext("review: what the result is", "your points less the computer’s"),
        expected=pgettext(
            "review",
            "Expected points are an average over many hands that fit what you saw: your points less the computer’s "
            "until the end of the hand.",
        ),
        forced=pgettext("review", "You had no choice in this hand."),
        own=True,
    )


def between_people() -> ReviewWords:
    return ReviewWords(
        others=pgettext("review: column", "Opponent"),
        draws=pgettext("review: column", "Draws"),
        choices=pgettext("review: column", "Choices"),
        move=pgettext("review: column", "Move"),
        luck=pgettext("review: what luck is", "deals, draws, the opponent’s tiles and plays"),
        result=pgettext("review: what the result is", "own points less the opponent’s"),
        expected=pgettext(
            "review",
            "Expected points are an average over many hands that fit what the player saw: own points less the "
            "opponent’s until the end of the hand. With several opponents their average counts.",
        ),
        forced=pgettext("review", "No choice in this hand."),
        own=False,
    )


def game_in_words(system: str, scores: Sequence[int]) -> str:
    """Name a practice game: "Muggins, 100–85"."""
    facts = {"name": system, "own": scores[0], "other": scores[1]}
    return pgettext("practice", "%(name)s, %(own)s–%(other)s") % facts


def names_in_words(names: Sequence[str]) -> str:
    """Name a game between people: "Ana – Bo"."""
    return " – ".join(names)


@dataclass(frozen=True, slots=True)
class SharingWords:
    """Readers of a review in words, and what its player can do: `share`, `hide`, or "" for nothing."""

    sentence: str
    act: str


def shared_in_words(found: SharedReview) -> SharingWords | None:
    """Write who reads the review, for its player once it was asked for; None for others."""
    if found.seat != found.game.own or not (found.view.waits or found.view.hands is not None):
        return None
    if found.game.with_minor:
        return SharingWords(
            _("Only your side sees this review. Reviews of a game with a player under 18 are never public."), ""
        )
    if found.public:
        return SharingWords(_("Everybody who sees this game sees the reviews of all its players."), "hide")
    if found.agrees:
        return SharingWords(
            _("Only your side sees this review. You agree: the reviews are public once all players agree."), "hide"
        )
    if found.others_agree:
        return SharingWords(
            _("Only your side sees this review. The other players agree to make the reviews public."), "share"
        )
    return SharingWords(_("Only your side sees this review. The reviews are public once all players agree."), "share")


@dataclass(frozen=True, slots=True)
class DecisionInWords:
    """A decision in words; `step`: its address in the replay, `lost` "" for a best move, `hinted`: after a hint."""

    step: str
    played: str
    best: str
    points: str
    lost: str
    hinted: bool


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


def hands_in_words(view: ReviewView, words: ReviewWords) -> list[HandInWords]:
    return [_hand(view, hand, words) for hand in view.hands or []]


def _hand(view: ReviewView, hand: HandReview, words: ReviewWords) -> HandInWords:
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
        missed=[_missed(view, one, words) for one in hand.missed],
    )


def _decision(view: ReviewView, one: ReviewedDecision) -> DecisionInWords:
    return DecisionInWords(
        step=view.steps.get(one.line, ""),
        played=_move(one.played),
        best=_move(one.best),
        points=signed(one.best_points),
        lost=signed(-one.lost) if one.lost else "",
        hinted=one.line in view.hinted,
    )


def _missed(view: ReviewView, one: MissedPoints, words: ReviewWords) -> MissedLine:
    sentences = _your_missed(one) if words.own else _missed_points(one)
    return MissedLine(view.steps.get(one.line, ""), sentences % {"tile": one.tile, "count": one.points})


def _your_missed(one: MissedPoints) -> str:
    if one.muggins:
        return ngettext(
            "%(tile)s: muggins missed, the computer left %(count)s point.",
            "%(tile)s: muggins missed, the computer left %(count)s points.",
            one.points,
        )
    return ngettext(
        "%(tile)s: you did not announce %(count)s point.",
        "%(tile)s: you did not announce %(count)s points.",
        one.points,
    )


def _missed_points(one: MissedPoints) -> str:
    if one.muggins:
        return ngettext(
            "%(tile)s: muggins missed, the opponent left %(count)s point.",
            "%(tile)s: muggins missed, the opponent left %(count)s points.",
            one.points,
        )
    return ngettext("%(tile)s: %(count)s point not announced.", "%(tile)s: %(count)s points not announced.", one.points)
