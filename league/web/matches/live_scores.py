"""Live scores on a page: the matches to ask for, and a fingerprint of their state."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from hashlib import sha256

from league.matches.clock.state import since_epoch
from league.matches.models import Match
from league.matches.queries.lines import MatchLine

MOST_WATCHED = 64
SOON = timedelta(days=1)
TO_PLAY = (Match.State.SCHEDULED, Match.State.PLAYING)


@dataclass(frozen=True, slots=True)
class AwaitedScores:
    """The live scores for a page's script.

    `matches`: keys of unplayed matches, the next ones first; any may be played before its day. `stands`: a fingerprint
    that changes with everything but a running score. `begins`: the first start, in milliseconds since 1970; 0 once a
    match has begun. `soon`: it begins within a day.
    """

    matches: list[int]
    stands: str
    begins: int
    soon: bool


def watched(lines: Iterable[MatchLine], now: datetime) -> AwaitedScores:
    """Choose the unplayed matches of a page. No statement."""
    to_play = (one for one in lines if one.state in TO_PLAY)
    asked = sorted(to_play, key=lambda one: (one.live is None, _begins(one, now)))[:MOST_WATCHED]
    first = min((_begins(one, now) for one in asked), default=now)
    return AwaitedScores(
        matches=[one.id for one in asked],
        stands=stands(asked),
        begins=since_epoch(first) if first > now else 0,
        soon=bool(asked) and first <= now + SOON,
    )


def _begins(line: MatchLine, now: datetime) -> datetime:
    if line.state != Match.State.SCHEDULED or line.starts_at is None:
        return now
    return line.starts_at


def stands(lines: Iterable[MatchLine]) -> str:
    """Return a fingerprint of the state and the scores of these matches."""
    told = sorted(
        (one.id, str(one.state), one.checking, one.contested, one.needs_decision, [side.score for side in one.sides])
        for one in lines
    )
    return sha256(repr(told).encode()).hexdigest()[:16]
