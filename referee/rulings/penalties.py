"""Penalties of a league for irregular play, as data (RULES.md 10). Off unless a league has one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from games.errors import Reason
from games.wording.base import Sentence

DRAW_WHEN_ABLE: Final = Reason.DRAW_WHEN_ABLE.value
PASS_WHEN_ABLE: Final = Reason.PASS_WHEN_ABLE.value
HAND_SIZE: Final = Reason.HAND_SIZE.value
OUT_OF_TURN: Final = Reason.OUT_OF_TURN.value


@dataclass(frozen=True, slots=True)
class PenaltyPolicy:
    """Points to every opponent by the code of a violation.

    A ruling by it cites the league's rule: no system has such penalties. A code without points has no penalty.
    """

    points: Mapping[str, int]

    def sentence(self, code: str) -> Sentence:
        """Return the league's rule for a violation."""
        return Sentence("League rule: %(points)s points to every opponent", {"points": self.points[code]})


TABLE_PLAY: Final = PenaltyPolicy({DRAW_WHEN_ABLE: 30, PASS_WHEN_ABLE: 30, HAND_SIZE: 30, OUT_OF_TURN: 10})
"""Recommended penalties for play at a table with a referee (RULES.md 10)."""
NO_PENALTIES: Final = PenaltyPolicy({})
