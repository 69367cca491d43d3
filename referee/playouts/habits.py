"""Habits of the people at a simulated table."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Style = Literal["greedy", "random"]


@dataclass(frozen=True, slots=True)
class Habits:
    """Habits of the people at a table: chances of events, from 0 to 1, and the pace.

    ``miss``: a score is not announced. ``muggins``: the opponent notices it. ``slip``: a wrong number is announced.
    ``late``: points are announced on a line of their own. ``terse``: ``on`` is left out where it can be. ``seconds``:
    the mean time between two events. ``whim``: a draw by choice, where allowed. ``no_double``: a deal without a double
    in any hand. ``unseen_lot``: an unwritten draw of lot. ``echo``: where muggins is called before the next turn, a
    second opponent calls too; and the scorer still announces. ``says_blocked``: a blocked round is declared on a line
    of its own, as needed for unseen hands.
    """

    style: Style = "greedy"
    miss: float = 0.08
    muggins: float = 0.7
    slip: float = 0.0
    late: float = 0.1
    terse: float = 0.3
    seconds: float = 4.0
    timed: bool = True
    whim: float = 0.1
    no_double: float = 0.02
    unseen_lot: float = 0.1
    echo: float = 0.4
    says_blocked: bool = False
