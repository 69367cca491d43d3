"""Running score of a live game, from the lines of its log.

A play, its call and its points become public together, once its claim window has closed (RULES.md 1.5). Every play of a
ruleset is held for the same number of completed turns, so that no pause is a hint.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from games.errors import Reason
from games.moves import Bell, ChipsLeft, End, Event, Pass, Play, RoundPoints, RoundStart, Settled, Show, Totals
from games.notation.gamelog import GameLog
from games.notation.reading import loads
from games.ruleset import Muggins, Ruleset
from referee.replay import verify
from referee.running import Running
from referee.verdict import Finding, Severity

_HELD_FOR: Mapping[Muggins, int] = {Muggins.OFF: 0, Muggins.BEFORE_NEXT: 1, Muggins.AFTER_NEXT: 2}
_CLOSES = (RoundStart, Settled, End)
_SETTLES = (Show, RoundPoints, Totals, ChipsLeft)


def running_log(rules: Ruleset, lines: Sequence[str], *, seats: int = 2, open_shown: bool = False) -> Running:
    """Return the running score after these lines; ``counted`` is the number of public lines.

    With ``open_shown`` every line counts at once. Raises `games.notation.reading.NotationError`.

    >>> from games.rulesets import get
    >>> running_log(get("udl"), ["round 1", "A 5-5 call 10", "B 5-0", "A 0-0"]).points
    (10, 0)
    >>> running_log(get("udl"), ["round 1", "A 5-5 call 10", "B 5-0"]).points
    (0, 0)
    """
    (log,) = loads("\n".join([*tags_of(rules, seats), *lines, ""]))
    events = [entry.event for entry in log.entries]
    told = len(events) if open_shown else public_events(events, rules)
    rounds = sum(isinstance(event, RoundStart) for event in events[:told])
    if not rounds:
        return Running((0,) * seats, 1, 0)
    verdict = verify(GameLog(log.tags, log.entries[:told]))
    return Running(tuple(verdict.totals), rounds, told)


def why_impossible(rules: Ruleset, lines: Sequence[str], more: Sequence[str], *, seats: int = 2) -> Finding | None:
    """Return the finding for the first of ``more`` that can't follow these lines, None if all can.

    Unknown hands are left out: a line that no deal fits is for the verdict. Raises
    `games.notation.reading.NotationError`.

    >>> from games.rulesets import get
    >>> why_impossible(get("udl"), ["round 1", "A 6-6"], ["A 6-5 on 6-6"]).message
    'it is the turn of B, not of A'
    """
    tags = tags_of(rules, seats)
    (log,) = loads("\n".join([*tags, *lines, *more, ""]))
    for finding in verify(log).findings:
        if finding.line > len(tags) + len(lines) and finding.severity == Severity.IMPOSSIBLE.value:
            return None if finding.code == Reason.NO_CONSISTENT_DEAL.value else finding
    return None


def tags_of(rules: Ruleset, seats: int) -> list[str]:
    """Return the header of a log of these rules, without names."""
    options = [f'[Option.{key} "{value}"]' for key, value in rules.overrides.items()]
    return [f'[Ruleset "{rules.key}"]', *options, *(f'[Seat.{letter} "{letter}"]' for letter in "ABCDEF"[:seats])]


def public_events(events: Sequence[Event], rules: Ruleset) -> int:
    """Return how many of these events the public may know: those before the first play with an open window."""
    held = _HELD_FOR[rules.muggins]
    turns: list[int] = []
    settling = False
    for place, event in enumerate(events):
        if isinstance(event, _CLOSES):
            turns, settling = [], False
        elif isinstance(event, (Play, Pass, Bell)):
            turns.append(place)
        elif isinstance(event, _SETTLES) and not settling:
            settling = True
            turns.append(place)
    if not held or not turns:
        return len(events)
    return turns[-held] if len(turns) >= held else turns[0]
