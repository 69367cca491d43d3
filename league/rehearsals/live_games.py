"""Games of the live tables, touch by touch, as a tile pad or a score pad sends them. Pure."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from functools import lru_cache
from random import Random
from uuid import NAMESPACE_URL, UUID, uuid5

from games.moves import Blocked, ChipsLeft, Deal, End, Event, RoundPoints, RoundStart, Settled, Show, Totals
from games.notation.gamelog import Entry, GameLog
from games.notation.reading import dumps, loads
from games.notation.writing import write_event
from league.house.computer_players import HABITS
from league.matches.models.tally import TallyTap
from league.matches.tally.step_down import scores_of
from league.matches.tally.touches import Touch
from referee import verify
from referee.playouts.pips import playout
from referee.playouts.simulate import Hidden, hide

RULESET = "all-fives"
AT_TABLE = replace(HABITS, timed=False, late=0.0, says_blocked=True)
AT_THE_END = (Blocked, Show, RoundPoints, Totals, ChipsLeft, Settled)
"""Events that a tile pad writes with one touch at the end of a hand."""
LATER = datetime.min.replace(tzinfo=UTC)
NO_ID = UUID(int=0)
Kind = TallyTap.Kind


@lru_cache(maxsize=8)
def planned(game_id: int, by_tiles: bool) -> tuple[Touch, ...]:
    """Return every touch of a game, with a time to be set. The same game has the same touches."""
    log = playout(RULESET, rng=Random(f"live game {game_id}"), habits=AT_TABLE).log
    entries = [one for one in log.entries if not isinstance(one.event, End)]
    # Read again for the numbers of its lines.
    (whole,) = loads(dumps(GameLog(log.tags, [*entries, Entry(0, None, End())])))
    touches = _lines(whole) if by_tiles else _scores(whole)
    return tuple(
        replace(one, id=uuid5(NAMESPACE_URL, f"touch {number} of game {game_id}"))
        for number, one in enumerate(touches, start=1)
    )


def begins_hand(touches: Sequence[Touch], place: int) -> bool:
    """Return whether the tiles are dealt again before this touch."""
    if not 0 < place < len(touches):
        return False
    return touches[place - 1].kind == Kind.ROUND_END or (touches[place].line or "").startswith("round ")


def _lines(log: GameLog) -> Iterator[Touch]:
    """Yield the lines of a log as one touch of a tile pad makes them. A pad sees no hand."""
    events = [one.event for one in hide(log, Hidden.HANDS).entries if not isinstance(one.event, Deal)]
    portion: list[Event] = []
    for event in events:
        if portion and not _joins(portion[-1], event):
            yield _line(portion)
            portion = []
        portion.append(event)
    yield _line(portion)


def _joins(before: Event, event: Event) -> bool:
    return isinstance(before, RoundStart) or (isinstance(before, AT_THE_END) and isinstance(event, AT_THE_END))


def _line(events: Sequence[Event]) -> Touch:
    return Touch(id=NO_ID, kind=Kind.LINE, at=LATER, line="\n".join(map(write_event, events)))


def _scores(log: GameLog) -> Iterator[Touch]:
    """Yield the points of a log as touches of a score pad, and the end of the game."""
    verdict = verify(log)
    yield from scores_of(log, verdict, LATER)
    spinner = verdict.rounds[-1].spinner or "none"
    yield Touch(id=NO_ID, kind=Kind.END, at=LATER, ended=verdict.ended or "", winner=verdict.won_by, spinner=spinner)
