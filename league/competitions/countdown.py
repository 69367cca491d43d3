"""Countdown of a call: until when the players of a called match are awaited at their table."""

from datetime import datetime, timedelta

from league.competitions.models import Competition
from league.matches.models import Match


def ends_at(match: Match, competition: Competition) -> datetime:
    """Return the end of the countdown of a called match."""
    assert match.called_at is not None  # noqa: S101
    return match.called_at + timedelta(minutes=competition.forfeit_after_min)


def counts_down(match: Match, competition: Competition, now: datetime) -> bool:
    """Tell whether the match is called and its players are still awaited. No statement."""
    if match.called_at is None or match.here_at or match.state != Match.State.SCHEDULED:
        return False
    return now < ends_at(match, competition)
