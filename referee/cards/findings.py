"""What is found in a score card or a tally: codes, findings in the shape of a verdict's, and the check as a whole."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from typing import Any, NamedTuple

from games.moves import Seat
from games.ruleset import Ruleset
from referee.cards.sentences import CARD_SENTENCES
from referee.verdict import Severity, Status


class CardReason(Enum):
    """Why a line of a card, or a tap of a tally, is not in order; its value is the code of the finding."""

    __hash__ = object.__hash__

    NOT_FIVES = "not-fives"
    ROUND_TOO_MUCH = "round-too-much"
    NO_PLAY_POINTS = "no-play-points"
    NO_MUGGINS = "no-muggins"
    NO_SPINNER = "no-spinner"
    NOT_A_DOUBLE = "not-a-double"
    WRONG_LEAD = "wrong-lead"
    OVER_BEFORE = "over-before"
    VOID_POINTS = "void-points"
    TWO_AT_TARGET = "two-at-target"
    TOO_FAR = "too-far"
    LEVEL = "level"
    NO_CLOCK = "no-clock"
    NO_CHIPS = "no-chips"
    NO_BONUS = "no-bonus"
    WRONG_PIPS = "wrong-pips"
    AWARD_TOO_BIG = "award-too-big"
    AFTER_END = "after-end"

    WRONG_TOTAL = "wrong-total"
    WRONG_SCORE = "wrong-score"
    WRONG_WINNER = "wrong-winner"
    WRONG_END = "wrong-end"
    WRONG_CLOCK = "wrong-clock"
    WRONG_CHIPS = "wrong-chips"
    WRONG_BONUS = "wrong-bonus"
    BONUS_OF_LOSER = "bonus-of-loser"
    WRONG_ROUND_WINNER = "wrong-round-winner"
    WRONG_FORFEIT = "wrong-forfeit"
    CLOCK_BACKWARDS = "clock-backwards"

    RARE_LEAD = "rare-lead"
    LONG_GAME = "long-game"
    MISSING_SPINNER = "missing-spinner"


_CORRECTIONS = frozenset(
    {
        CardReason.WRONG_TOTAL,
        CardReason.WRONG_SCORE,
        CardReason.WRONG_WINNER,
        CardReason.WRONG_END,
        CardReason.WRONG_CLOCK,
        CardReason.WRONG_CHIPS,
        CardReason.WRONG_BONUS,
        CardReason.BONUS_OF_LOSER,
        CardReason.WRONG_ROUND_WINNER,
        CardReason.WRONG_FORFEIT,
        CardReason.CLOCK_BACKWARDS,
    }
)
_NOTES = frozenset({CardReason.RARE_LEAD, CardReason.LONG_GAME, CardReason.MISSING_SPINNER})

_RULE_OF: Mapping[CardReason, str] = {
    CardReason.NOT_FIVES: "score",
    CardReason.ROUND_TOO_MUCH: "score",
    CardReason.NO_PLAY_POINTS: "muggins",
    CardReason.NO_MUGGINS: "muggins",
    CardReason.NO_SPINNER: "match",
    CardReason.NOT_A_DOUBLE: "match",
    CardReason.WRONG_LEAD: "lead",
    CardReason.RARE_LEAD: "lead",
    CardReason.MISSING_SPINNER: "match",
    CardReason.OVER_BEFORE: "target",
    CardReason.VOID_POINTS: "target",
    CardReason.TWO_AT_TARGET: "target",
    CardReason.TOO_FAR: "target",
    CardReason.LEVEL: "target",
    CardReason.WRONG_WINNER: "target",
    CardReason.WRONG_END: "target",
    CardReason.AFTER_END: "target",
    CardReason.WRONG_FORFEIT: "target",
    CardReason.NO_CLOCK: "bell",
    CardReason.NO_BONUS: "bell",
    CardReason.WRONG_CLOCK: "bell",
    CardReason.LONG_GAME: "bell",
    CardReason.NO_CHIPS: "chips",
    CardReason.WRONG_CHIPS: "chips",
    CardReason.WRONG_PIPS: "set",
    CardReason.WRONG_BONUS: "domino",
    CardReason.BONUS_OF_LOSER: "domino",
    CardReason.WRONG_ROUND_WINNER: "blocked",
    CardReason.AWARD_TOO_BIG: "score",
    CardReason.WRONG_TOTAL: "total",
    CardReason.WRONG_SCORE: "total",
}
"""The rule that a finding cites, by its slug; where a system has no such rule, and for every other code, ``record``."""


def card_severity(reason: CardReason) -> Severity:
    """A note leaves the card as it is; a correction contradicts another figure; the rest can't be in any game."""
    if reason in _NOTES:
        return Severity.NOTE
    return Severity.CORRECTION if reason in _CORRECTIONS else Severity.IMPOSSIBLE


class CardFinding(NamedTuple):
    """One thing found. ``row`` is the number of the round, 0 for the card as a whole; or of a tap, then ``facts`` have
    ``tap``. ``say`` names the sentence in `referee.cards.sentences`, ``facts`` fill it; seats in it are letters.
    """

    row: int
    code: str
    severity: str
    rule: str
    say: str
    facts: Mapping[str, Any]

    @property
    def message(self) -> str:
        """The sentence in English."""
        return CARD_SENTENCES[self.say] % self.facts

    def as_json(self) -> dict[str, Any]:
        """The finding as plain data, with what a translation needs."""
        return {
            "row": self.row,
            "code": self.code,
            "severity": self.severity,
            "rule": self.rule,
            "message": self.message,
            "say": self.say,
            "facts": dict(self.facts),
        }


def found(rules: Ruleset, reason: CardReason, row: int, say: str = "", /, **facts: Any) -> CardFinding:
    """A finding with its severity and the rule that it cites."""
    slug = _RULE_OF.get(reason, "record")
    if reason is CardReason.NOT_FIVES and rules.chips:
        slug = "chips"
    rule = rules.rule_id(slug if slug in rules.rules else "record")
    return CardFinding(row, reason.value, card_severity(reason).value, rule, f"card-{say or reason.value}", facts)


class CardCheck(NamedTuple):
    """What a card or a tally proves: the score, who won it, how, and what is found.

    ``winner`` is ``None`` where nobody leads; ``ended`` as it is written, or as it follows from the score.
    """

    scores: tuple[int, ...]
    winner: Seat | None
    ended: str | None
    findings: tuple[CardFinding, ...]

    @property
    def status(self) -> str:
        """``verified``, or ``violation`` if a finding is worse than a note: then an official decides."""
        worse = any(finding.severity != Severity.NOTE.value for finding in self.findings)
        return Status.VIOLATION.value if worse else Status.VERIFIED.value
