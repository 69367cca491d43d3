"""Running score of a live game, from the taps of a tally.

A tap is a mapping as in `referee.cards.tally`: `kind`, `seat`, `points`, `winner`, `of`. Announced points count only
after the opponents' claim window has closed (RULES.md 1.5): the window of a tapped score is over when another tap
follows it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from games.ruleset import Muggins, Ruleset

Tap = Mapping[str, Any]

SCORING: Final = ("points", "muggins", "penalty")
"""Kinds of taps that give `points` to `seat`; a round end gives them to `winner`."""


@dataclass(frozen=True, slots=True)
class Running:
    """Running score of a live game.

    ``points`` by seat; ``round_number`` is that of the round in play, from 1; ``counted`` is the number of taps
    included. ``open_points``: seat and points of the last tap, which count once its claim window is over.
    """

    points: tuple[int, ...]
    round_number: int
    counted: int
    open_points: tuple[int, int] | None = None


def standing_taps(taps: Sequence[Tap]) -> list[Tap]:
    """Return the taps that were not undone, without undos."""
    gone: set[int] = set()
    # A later undo decides first: an undo that it takes back has no effect.
    for tap in reversed(taps):
        if tap["kind"] == "undo" and tap["n"] not in gone:
            gone.add(tap["of"])
    return [tap for tap in taps if tap["kind"] != "undo" and tap["n"] not in gone]


def running(taps: Sequence[Tap], rules: Ruleset, seats: int = 2, *, open_shown: bool = False) -> Running:
    """Return the running score; with ``open_shown`` the last tap counts at once.

    >>> from games.rulesets import get
    >>> ten = {"n": 1, "kind": "points", "seat": 0, "points": 10}
    >>> running([ten], get("udl"))
    Running(points=(0, 0), round_number=1, counted=0, open_points=(0, 10))
    >>> running([ten], get("double-six"))
    Running(points=(10, 0), round_number=1, counted=1, open_points=None)
    """
    last = taps[-1] if taps else None
    waits = last is not None and not open_shown and has_window(last, rules)
    told = taps[:-1] if waits else taps
    points, ended = [0] * seats, 0
    for tap in standing_taps(told):
        if tap["kind"] in SCORING:
            points[tap["seat"]] += tap["points"]
        elif tap["kind"] == "round_end":
            ended += 1
            if tap.get("winner") is not None:
                points[tap["winner"]] += tap["points"]
    held = (last["seat"], last["points"]) if waits and last is not None else None
    return Running(tuple(points), ended + 1, len(told), held)


def has_window(tap: Tap, rules: Ruleset) -> bool:
    """Return whether opponents may still claim a tap.

    It must be the score of a play, under rules with muggins, and no ruling.
    """
    return tap["kind"] == "points" and not tap.get("ruled") and rules.muggins is not Muggins.OFF
