"""Seats that keep a game waiting: out of time for a move, or away for too long. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from games.moves import Seat
from league.play.online.table import OnlineTable

TIME, AWAY = "time for a move", "away"
"""Reasons of a forfeit, as a log writes them."""
THERE: Final = 25
"""Seconds since the last question of a page in which its player is there."""


@dataclass(frozen=True, slots=True)
class Attendance:
    """A seat: when its page last asked, and the hand for whose end it has pressed the button of the next one."""

    number: Seat
    seen_at: datetime
    ready_hand: int


@dataclass(frozen=True, slots=True)
class Patience:
    """Limits: seconds a move (0: none), seconds of an absence; since when the table waits."""

    move_s: int
    absence_s: int
    since: datetime


def waited_for(table: OnlineTable, seats: Sequence[Attendance]) -> list[Attendance]:
    """Return the seats that the game waits for."""
    if table.over or table.belled:
        return []
    if table.to_act is not None:
        return [one for one in seats if one.number == table.to_act]
    return [one for one in seats if one.ready_hand < table.game.number]


def overdue(
    table: OnlineTable, seats: Sequence[Attendance], patience: Patience, now: datetime
) -> dict[Seat, tuple[str, datetime]]:
    """Return the seats that can be forfeited, each with the reason and since when; the longest late first."""
    found: dict[Seat, tuple[str, datetime]] = {}
    for one in waited_for(table, seats):
        move_ends = patience.since + timedelta(seconds=patience.move_s)
        absence_ends = max(one.seen_at, patience.since) + timedelta(seconds=patience.absence_s)
        if patience.move_s and table.to_act is not None and now >= move_ends:
            found[one.number] = (TIME, move_ends)
        elif now >= absence_ends and now - one.seen_at >= timedelta(seconds=patience.absence_s):
            found[one.number] = (AWAY, absence_ends)
    return dict(sorted(found.items(), key=lambda late: late[1][1]))
