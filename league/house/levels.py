"""Levels of the computer at the practice table: the choice of a move from the knowledge of its seat. Pure.

The same knowledge and the same seed give the same move.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from enum import Enum
from random import Random
from typing import Final

from games.layout import Layout
from games.moves import Draw, Pass, Play
from games.round import Move
from games.ruleset import Announce
from games.scorecard import worths
from games.settlement import decided_by_tiles
from games.tile import Mask, Tile
from league.house.evaluation import SAMPLES, valued
from league.house.knowledge import Knowledge

OUT: Final = 40.0
"""Worth of the last tile: it ends the round, and the tiles left in the other hand score."""
MOBILE: Final = 1.5
"""Worth of a tile that can be played next time."""
PIP: Final = 0.2
"""Worth of a pip that is no longer in the hand, where pips settle a round."""


class Level(Enum):
    """Skill of the computer, who forgets on purpose at the lower levels."""

    RANDOM = "random"
    GREEDY = "greedy"
    CAREFUL = "careful"
    STRONG = "strong"


FORGETS: Final[Mapping[Level, float]] = {Level.RANDOM: 0.4, Level.GREEDY: 0.15, Level.CAREFUL: 0.0, Level.STRONG: 0.0}
"""Chance that the points of a play are not announced, or that uno is not said."""
NOTICES: Final[Mapping[Level, float]] = {Level.RANDOM: 0.3, Level.GREEDY: 0.7, Level.CAREFUL: 1.0, Level.STRONG: 1.0}
"""Chance that points left open are called, or that a missed uno is caught."""


def choose(known: Knowledge, level: Level, seed: str) -> Move:
    """Return the move of the seat: a legal play if it has any, else a draw, else a pass.

    The strong level also draws by choice. Where points must be announced, the play has its call, unless the computer
    forgets it.
    """
    if not known.plays:
        return Draw(known.seat, 1) if known.can_draw else Pass(known.seat)
    chance = Random(seed)
    move = _CHOICES[level](known, chance)
    if isinstance(move, Play) and chance.random() >= FORGETS[level]:
        return announced(known, move)
    return move


def announced(known: Knowledge, play: Play) -> Play:
    """Return a play with its points called, where points must be announced."""
    points = points_of(known, play) if known.rules.announce is Announce.MANUAL else 0
    return replace(play, call=points) if points else play


def forgets(level: Level, seed: str) -> bool:
    """Return whether the computer forgets to say uno."""
    return Random(seed).random() < FORGETS[level]


def notices(level: Level, seed: str) -> bool:
    """Return whether the computer notices points left open to muggins, or a missed uno."""
    return Random(seed).random() < NOTICES[level]


def _any(known: Knowledge, chance: Random) -> Play:
    return chance.choice(known.plays)


def _greedy(known: Knowledge, chance: Random) -> Play:
    """Return a play with the most points now, the heaviest tile among equals."""
    return _best(known.plays, chance, lambda play: (points_of(known, play), play.tile.pips))


def _careful(known: Knowledge, chance: Random) -> Play:
    """Return a play that leaves the opponents few points and the own hand many plays."""
    return _best(known.plays, chance, lambda play: _outlook(known, play))


def _strong(known: Knowledge, chance: Random) -> Move:
    """Return the move with the most expected points over sampled hands."""
    if len(known.plays) == 1 and not known.draws_by_choice:
        return known.plays[0]
    return valued(known, SAMPLES, str(chance.random()))[0].move


def _best(plays: Sequence[Play], chance: Random, value: Callable[[Play], float | tuple[float, ...]]) -> Play:
    values = [value(play) for play in plays]
    highest = max(values)
    return chance.choice([play for play, one in zip(plays, values, strict=True) if one == highest])


def points_of(known: Knowledge, play: Play) -> int:
    """Return the points of a legal play."""
    join = play.tile.joins[play.takes & known.layout.open]
    return _worths(known)[known.layout.count + join.change]


def _worths(known: Knowledge) -> tuple[int, ...]:
    return worths(known.rules.tiles, known.rules.play_divisor)


def _outlook(known: Knowledge, play: Play) -> float:
    after = known.layout.copy()
    after.join(play.tile, play.takes)
    hand = known.hand & ~play.tile.bit
    return (
        points_of(known, play)
        - expected_reply(known, after)
        + (OUT if not hand else MOBILE * (hand & after.fitting()).bit_count())
        + (0 if decided_by_tiles(known.rules) else PIP * play.tile.pips)
    )


def expected_reply(known: Knowledge, after: Layout) -> float:
    """Return the points that the next player scores on this layout, on average over the unseen tiles.

    Every unseen tile that it may hold is equally likely in the hand, and the hand plays its best tile.
    """
    seat = (known.seat + 1) % len(known.held)
    possible = known.may_hold(seat)
    there = min(1.0, known.held[seat] / max(1, possible.bit_count()))
    expected, without = 0.0, 1.0
    for points in sorted(_replies(known, after, possible), reverse=True):
        expected += without * there * points
        without *= 1 - there
    return expected


def _replies(known: Knowledge, after: Layout, unseen: Mask) -> Iterator[int]:
    """Yield the most points of each tile that scores."""
    worth = _worths(known)
    for tile in known.rules.tiles.in_mask(unseen & after.fitting()):
        most = max(worth[after.count + tile.joins[place].change] for place in _places(tile, after))
        if most:
            yield most


def _places(tile: Tile, layout: Layout) -> Iterator[Mask]:
    """Yield the open places that take a tile, one bit each."""
    places = tile.takes & layout.open
    while places:
        place = places & -places
        yield place
        places ^= place


_CHOICES: Mapping[Level, Callable[[Knowledge, Random], Move]] = {
    Level.RANDOM: _any,
    Level.GREEDY: _greedy,
    Level.CAREFUL: _careful,
    Level.STRONG: _strong,
}
