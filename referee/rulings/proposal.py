"""Proposal for a protest: the play's worth, the calls, the points owed, the rules, and how sure it is.

`referee.rulings.proposing.propose` makes one; `referee.rulings.court.decide` turns it into a ruling.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from typing import NamedTuple

from games.moves import Seat
from games.notation.gamelog import Tenths
from games.wording.base import Sentence
from games.wording.rulebook import Article
from referee.rulings.protests import Admission, Version


class Certainty(Enum):
    """How sure a proposal is.

    ``not known``: neither the record nor one fact of the game decides it, as with fraud or unseen tiles; the rule of
    proof does.
    """

    PROVED = "proved"
    FOLLOWS_IF = "follows if"
    NOT_KNOWN = "not known"


class Fact(Enum):
    """Fact that a person has to find. Each is decisive by a number of RULES.md."""

    ANNOUNCED = "announced"
    ANNOUNCED_IN_HOLD = "announced-in-hold"
    CALLED = "called"
    CALLED_FIRST = "called-first"
    CALLED_AFTER_BELL = "called-after-bell"
    OBJECTED = "objected"
    RELEASED = "released-before-bell"
    CAUGHT = "caught"
    SAID_UNO = "said-uno"
    CHALLENGED = "challenged"
    HELD_COLOUR = "held-colour"


DECISIVE: Mapping[Fact, tuple[str, str]] = {
    Fact.ANNOUNCED: ("announce", "1.5"),
    Fact.ANNOUNCED_IN_HOLD: ("muggins", "1.5"),
    Fact.CALLED: ("muggins", "1.5"),
    Fact.CALLED_FIRST: ("muggins", "Q23"),
    Fact.CALLED_AFTER_BELL: ("muggins", "1.5"),
    Fact.OBJECTED: ("match", "Q25"),
    Fact.RELEASED: ("bell", "Q17"),
    Fact.CAUGHT: ("catch", "2.29"),
    Fact.SAID_UNO: ("uno", "2.28"),
    Fact.CHALLENGED: ("challenge", "2.23"),
    Fact.HELD_COLOUR: ("draw-four", "2.18"),
}
"""Rule by its slug, and the number of RULES.md that makes the fact decisive."""


class FactQuestion(NamedTuple):
    """The one fact to find, as a question, with the version of the log for each answer.

    ``favours``: a yes is the protester's version. ``neither`` is the version in which nobody has the points in
    question.
    """

    fact: Fact
    question: Sentence
    yes: Version
    no: Version
    neither: Version
    favours: bool = True

    @property
    def decisive(self) -> bool:
        """Whether the answers have different outcomes, of the game or of the play."""
        return self.yes[1:] != self.no[1:]


class PlayWorth(NamedTuple):
    """Count of the play in question: its sum ``terms``, the points, and the announcement."""

    line: int
    seat: Seat
    terms: str
    total: int
    worth: int
    announced: int | None
    announced_line: int | None
    awarded: Mapping[Seat, int]


class ClaimedPoints(NamedTuple):
    """One muggins call about the play, by its line, with the ruling on it."""

    line: int
    seat: Seat
    at: Tenths | None
    upheld: bool
    points: int
    reason: Sentence


class CallWindow(NamedTuple):
    """Lines that bound the rights on a play, ``None`` for one that the log has not reached.

    The scorer may announce until ``announce_until``; opponents may call from ``call_from`` until ``call_until``.
    """

    announce_until: int | None
    call_from: int | None
    call_until: int | None
    calls: tuple[ClaimedPoints, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposal:
    """Outcome of a protest by the record, or by the one fact that the record does not have.

    ``record`` is the version of the log as it is; ``proposed`` the version that is proposed without a further fact.
    ``nobody`` is the version in which nobody has points that no question decides. ``league_rule``: a penalty of the
    league is part of it.
    """

    admission: Admission
    certainty: Certainty
    record: Version
    proposed: Version
    reasons: tuple[Sentence, ...]
    rules: tuple[Article, ...]
    play: PlayWorth | None = None
    window: CallWindow | None = None
    question: FactQuestion | None = None
    nobody: Version | None = None
    league_rule: Sentence | None = None

    @property
    def owed(self) -> Mapping[Seat, int]:
        """Points of the play by seat, by the proposed version."""
        return self.proposed.awarded
