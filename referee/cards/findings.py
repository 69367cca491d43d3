"""Findings of score cards and tallies: codes, findings, and the whole check.

Findings have the shape of a verdict's.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from typing import Any, NamedTuple

from games.moves import Seat
from games.ruleset import Ruleset
from referee.cards.sentences import CARD_SENTENCES
from referee.verdict import Severity, Status


class CardReason(Enum):
    """Error in a line of a card or in a tap of a tally; the value is the finding code."""

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
"""Rule cited by a finding, by its slug.

``record`` for every other code, and where a system does not have the rule.
"""


def card_severity(reason: CardReason) -> Severity:
    """Return the severity of a reason.

    A note leaves the card as it is; a correction contradicts another figure; the rest is impossible in any game.
    """
    if reason in _NOTES:
        return Severity.NOTE
    return Severity.CORRECTION if reason in _CORRECTIONS else Severity.IMPOSSIBLE


class CardFinding(NamedTuple):
    """One finding on a card or a tally.

    ``row`` is the number of the round, 0 for the card as a whole; or of a tap, and then ``facts`` have ``tap``. ``say``
    names the sentence in `referee.cards.sentences`, ``facts`` fill it; seats in it are letters.
    """

    row: int
    code: str
    severity: str
    rule: str
    say: str
    facts: Mapping[str, Any]

    @property
    def message(self) -> str:
        """Sentence in English."""
        return CARD_SENTENCES[self.say] % self.facts

    def as_json(self) -> dict[str, Any]:
        """Return the finding as plain data, with the facts for a translation."""
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
    """Make a finding with its severity and the rule that it cites."""
    slug = _RULE_OF.get(reason, "record")
    if reason is CardReason.NOT_FIVES and rules.chips:
        slug = "chips"
    rule = rules.rule_id(slug if slug in rules.rules else "record")
    return CardFinding(row, reason.value, card_severity(reason).value, rule, f"card-{say or reason.value}", facts)


class CardCheck(NamedTuple):
    """Result of a card or a tally: score, winner, end, and findings.

    ``winner`` is ``None`` for a tie; ``ended`` is as written, or as the score implies.
    """

    scores: tuple[int, ...]
    winner: Seat | None
    ended: str | None
    findings: tuple[CardFinding, ...]

    @property
    def status(self) -> str:
        """Status ``verified``, or ``violation`` after a finding worse than a note.

        Then an official decides.
        """
        worse = any(finding.severity != Severity.NOTE.value for finding in self.findings)
        return Status.VIOLATION.value if worse else Status.VERIFIED.value
