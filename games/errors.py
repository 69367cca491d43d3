"""Error reasons and option errors, as values with a code.

The edge makes the sentences. The codes are those of NOTATION.md section 4.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from enum import Enum


class Reason(Enum):
    """Reason why a move or a line of a record is wrong."""

    # Findings are looked up by reason. Each member is one object, so the hash of `object`, in C, serves.
    __hash__ = object.__hash__

    UNKNOWN_TILE = "unknown-tile"
    DUPLICATE_TILE = "duplicate-tile"
    TILE_ALREADY_PLAYED = "tile-already-played"
    TILE_NOT_IN_HAND = "tile-not-in-hand"
    NO_OPEN_END = "no-open-end"
    DOES_NOT_MATCH = "does-not-match"
    AMBIGUOUS_PLAY = "ambiguous-play"
    OUT_OF_TURN = "out-of-turn"
    ROUND_OVER = "round-over"
    GAME_OVER = "game-over"
    NO_ROUND = "no-round"
    DRAW_FROM_EMPTY = "draw-from-empty"
    NOT_BLOCKED = "not-blocked"
    NOT_OUT = "not-out"
    AFTER_BELL = "after-bell"
    CLOCK_BACKWARDS = "clock-backwards"
    BAD_EVENT = "bad-event"
    NO_CONSISTENT_DEAL = "no-consistent-deal"

    WRONG_LEAD = "wrong-lead"
    HAND_SIZE = "hand-size"
    DRAW_WHEN_ABLE = "draw-when-able"
    PASS_WHEN_ABLE = "pass-when-able"  # noqa: S105  # a pass, no password
    PASS_WITH_BONEYARD = "pass-with-boneyard"  # noqa: S105
    MUST_PLAY_DRAWN = "must-play-drawn"
    TILE_COUNT = "tile-count"
    FORCED_DRAW = "forced-draw"
    UNCLEAR_OFFENCE = "unclear-offence"

    WRONG_COUNT = "wrong-count"
    WRONG_POINTS = "wrong-points"
    WRONG_TOTAL = "wrong-total"
    WRONG_CHIPS = "wrong-chips"
    WRONG_RESULT = "wrong-result"
    WRONG_RULING = "wrong-ruling"

    CLAIM_UPHELD = "claim-upheld"
    CLAIM_REJECTED = "claim-rejected"
    MISSED_POINTS = "missed-points"
    UNVERIFIED_POINTS = "unverified-points"
    INCOMPLETE = "incomplete"
    CLOCK_UNKNOWN = "clock-unknown"


class IllegalMove(ValueError):
    """A move that the rules forbid; ``reason`` gives the rule."""

    def __init__(self, reason: Reason) -> None:
        super().__init__(reason.value)
        self.reason = reason


class OptionError(ValueError):
    """An unknown ruleset option, or a value that is not allowed.

    The message names the allowed options or values. `filled` makes it from ``template`` and ``facts``.
    """

    def __init__(self, key: str, template: str, **facts: object) -> None:
        super().__init__(filled(template, facts))
        self.key = key
        self.template = template
        self.facts = facts


def nearest(word: str, known: Iterable[str]) -> str:
    """Guess the name in ``known`` meant by ``word``; an empty text if unclear.

    >>> [nearest(word, ["target", "udl", "uno-dominoes"]) for word in ("traget", "ULD", "uno", "tempo")]
    ['target', 'udl', 'uno-dominoes', '']
    """
    names, word = list(known), word.lower()
    begins = [name for name in names if len(word) > 2 and name.startswith(word)]
    near = begins if len(begins) == 1 else get_close_matches(word, names, n=1)
    return near[0] if near else ""


def filled(template: str, facts: Mapping[str, object]) -> str:
    """Fill a template with facts.

    The fact ``expected`` is a template too, filled with the other facts.

    >>> filled(
    ...     "expected %(expected)s, found %(found)s", {"expected": "one of %(words)s", "words": "a, b", "found": "c"}
    ... )
    'expected one of a, b, found c'
    """
    if "expected" in facts:
        facts = {**facts, "expected": str(facts["expected"]) % facts}
    return template % facts
