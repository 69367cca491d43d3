"""Simulated games of any ruleset, as texts: for tests, demonstrations, benchmarks."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from enum import Enum
from random import Random

from games.moves import Deal, Draw, Event
from games.notation.gamelog import GameLog
from games.notation.reading import dumps
from games.ruleset import Matching
from games.rulesets import get
from referee.playouts.habits import Habits, Style
from referee.playouts.pips import playout
from referee.playouts.uno import NAMES, UnoHabits, playout_uno


class Hidden(Enum):
    """Tiles that the scorer of a simulated game did not see."""

    NOTHING = "nothing"
    HANDS = "hands"
    DRAWS = "draws"


def simulate(
    ruleset: str,
    *,
    games: int,
    seed: int,
    players: int | None = None,
    style: Style = "greedy",
    hidden: Hidden = Hidden.NOTHING,
    options: Mapping[str, str] | None = None,
) -> Iterator[str]:
    """Yield the texts of ``games`` simulated games.

    The same arguments give the same texts, for any ``games``. ``players`` defaults to the fewest that the ruleset
    allows. Raises ``KeyError`` for an unknown ruleset, :class:`~games.errors.OptionError` for an option, ``ValueError``
    for a number of players that the system does not have.
    """
    rules = get(ruleset).with_options(options or {})
    seats = rules.seats[0] if players is None else players
    if not rules.seats_allowed(seats):
        low, high = rules.players or rules.seats
        allowed = str(low) if low == high else f"{low} to {high}"
        raise ValueError(f"{rules.name} is for {allowed} players, not {seats}")
    for number in range(games):
        rng = Random(f"{ruleset} {seed} {number}")
        if rules.matching is Matching.MARKINGS:
            habits = UnoHabits(style=style, says_blocked=hidden is not Hidden.NOTHING)
            log = playout_uno(ruleset=ruleset, rng=rng, seats=seats, habits=habits, options=options).log
        else:
            at_table = Habits(style=style, says_blocked=hidden is not Hidden.NOTHING)
            log = playout(ruleset, rng=rng, seats=NAMES[:seats], habits=at_table, options=options).log
        yield dumps(hide(log, hidden))


def hide(log: GameLog, hidden: Hidden) -> GameLog:
    """Return the log as written by a scorer who did not see these tiles."""
    if hidden is Hidden.NOTHING:
        return log
    entries = [entry._replace(event=_unseen(entry.event, hidden)) for entry in log.entries]
    return GameLog(log.tags, entries)


def _unseen(event: Event, hidden: Hidden) -> Event:
    """Return the event as written without seeing the tiles.

    Hidden hands hide the draws to them too.
    """
    if isinstance(event, Draw):
        return Draw(event.seat, event.count)
    if isinstance(event, Deal) and hidden is Hidden.HANDS:
        return Deal(event.seat, event.count)
    return event
