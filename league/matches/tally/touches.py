"""Touches as a pad sends them: JSON, in the order in which they were made.

    {"pad": UUID, "after": 12, "taps": [{"id": UUID, "kind": "points", "seat": 0, "points": 10, "spinner": "6-6",
     "ended": "domino", "winner": 0, "left": [0, 23], "of": UUID, "clock_ms": 61000, "at": 1790000000000,
     "mono": 61234}, …]}

`after`: number of the last tap that the pad knows; `of`: the touch that an undo takes back; `at`: time of the device in
milliseconds since 1970; `mono`: its monotonic timer. A tile pad sends `{"kind": "line", "line": "round 1\nA 6-6", …}`,
the lines of the notation that one touch made. A `take_over` may have a `seat` (two_phones.py), or as `line` a reason.
Only the shape is checked here: a tally records people's acts, and the rules are checked when it is submitted.
"""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

from django.utils.translation import gettext_lazy as _

from games.notation.lines import LineReader
from games.rulesets import RULESETS
from league.errors import Refused
from league.matches.models.tally import TallyTap

Kind = TallyTap.Kind
MOST_AT_ONCE = 500
MOST_POINTS = 1000
MOST_LINES = 12  # of one touch: the end of a hand of four seats
MOST_LETTERS = 500  # of a line, as in a log
MOST_MS = 2**31 - 1  # of a clock
MOST_MONO = 2**53  # of numbers in JavaScript
SPINNER = re.compile(r"none|([0-6])-\1")
ROUND_ENDS = frozenset({"domino", "blocked"})
GAME_ENDS = frozenset({"target", "bell", "overtime", "forfeit"})
GIVES_POINTS = frozenset({Kind.POINTS, Kind.MUGGINS, Kind.PENALTY})
# The facts of each kind, beside `id`, `at`, `mono` and `clock_ms`.
FACTS: Mapping[str, frozenset[str]] = {
    Kind.POINTS: frozenset({"seat", "points"}),
    Kind.MUGGINS: frozenset({"seat", "points"}),
    Kind.PENALTY: frozenset({"seat", "points"}),
    Kind.ROUND_END: frozenset({"spinner", "ended", "winner", "points", "left"}),
    Kind.BELL: frozenset(),
    Kind.UNDO: frozenset({"of"}),
    Kind.END: frozenset({"spinner", "ended", "winner"}),
    Kind.TAKE_OVER: frozenset({"seat", "line"}),
    Kind.LINE: frozenset({"line"}),
}


class BadTap(Refused):
    """A touch that cannot be kept. `touch` is its id as sent, "" for the whole batch."""

    def __init__(self, touch: str = "") -> None:
        super().__init__("bad-tap", _("This tap cannot be read. Tell the desk what it was."))
        self.touch = touch


@dataclass(frozen=True, slots=True, kw_only=True)
class Touch:
    """One touch as sent by a device; see `TallyTap` for the fields."""

    id: UUID
    kind: str
    at: datetime
    mono_ms: int = 0
    seat: int | None = None
    points: int = 0
    spinner: str = ""
    ended: str = ""
    winner: int | None = None
    line: str | None = None
    left: list[int | None] | None = None
    of: UUID | None = None
    clock_ms: int | None = None


@dataclass(frozen=True, slots=True)
class Batch:
    """A batch of touches. `insist`: submit the tally although it does not add up."""

    pad: UUID
    after: int
    touches: list[Touch]
    insist: bool = False


def read_batch(body: bytes) -> Batch:
    """Read a batch. Raises BadTap."""
    try:
        sent = json.loads(body)
        pad, after, taps = UUID(sent["pad"]), sent["after"], sent.get("taps", [])
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        raise BadTap from None
    if not pad.int or not _whole(after, MOST_MS) or not isinstance(taps, list) or len(taps) > MOST_AT_ONCE:
        raise BadTap
    return Batch(pad, after, [_touch(one) for one in taps], sent.get("insist") is True)


def _touch(sent: Any) -> Touch:
    if not isinstance(sent, dict):
        raise BadTap
    try:
        return _read(sent)
    except (ValueError, TypeError, KeyError, AttributeError, OverflowError):
        raise BadTap(str(sent.get("id", ""))) from None


def _read(sent: Mapping[str, Any]) -> Touch:
    kind, facts = Kind(sent["kind"]), FACTS[sent["kind"]]
    given = {name: sent[name] for name in facts if sent.get(name) is not None}
    _check(kind, given)
    clock, mono = sent.get("clock_ms"), sent.get("mono", 0)
    if not (clock is None or _whole(clock, MOST_MS)) or not _whole(mono, MOST_MONO):
        raise ValueError
    if kind is Kind.UNDO:
        given["of"] = UUID(given["of"])
    at = datetime.fromtimestamp(sent["at"] // 1000, UTC)
    return Touch(id=UUID(sent["id"]), kind=kind, at=at, mono_ms=mono, clock_ms=clock, **given)


def _check(kind: Kind, given: Mapping[str, Any]) -> None:
    """Raise ValueError for a missing or invalid fact."""
    fine = (
        (kind not in GIVES_POINTS or ({"seat", "points"} <= given.keys() and given["points"] > 0))
        and _whole(given.get("points", 0), MOST_POINTS)
        and all(_whole(given[name], 1) for name in ("seat", "winner") if name in given)
        and (not given.get("spinner") or SPINNER.fullmatch(given["spinner"]) is not None)
        and ("ended" not in given or given["ended"] in (GAME_ENDS if kind is Kind.END else ROUND_ENDS))
        and (kind is not Kind.UNDO or "of" in given)
        and (kind not in {Kind.ROUND_END, Kind.END} or "ended" in given)
        and not (given.get("points") and kind is Kind.ROUND_END and "winner" not in given)
        and ("left" not in given or _hands(given["left"]))
        and (kind is not Kind.LINE or _readable(given["line"]))
        and (kind is not Kind.TAKE_OVER or _is_reason(given.get("line", "")))
    )
    if not fine:
        raise ValueError


def _readable(text: Any) -> bool:
    """Return whether these are lines of the notation, each an event without a time. May raise NotationError."""
    if not isinstance(text, str) or len(lines := text.split("\n")) > MOST_LINES:
        return False
    # How a tile is spelled is the same for every ruleset; whether the set has it is for the referee.
    reader = LineReader(RULESETS["udl"].tiles)
    found = [reader.read(1, line) for line in lines if len(line) <= MOST_LETTERS and line.isprintable()]
    return len(found) == len(lines) and all(one is not None and one[0] is None for one in found)


def _is_reason(text: Any) -> bool:
    """Return whether this may be the reason of a change of the pad."""
    return isinstance(text, str) and len(text) <= MOST_LETTERS and text.isprintable()


def _hands(left: Any) -> bool:
    """Return whether these are the numbers of two hands, None if not counted."""
    return isinstance(left, list) and len(left) == 2 and all(one is None or _whole(one, MOST_POINTS) for one in left)


def _whole(value: Any, most: int) -> bool:
    return type(value) is int and 0 <= value <= most
