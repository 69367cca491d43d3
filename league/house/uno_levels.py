"""Levels of the computer at Uno Dominoes: tile and colour, and the challenge of a Wild Draw Four. Pure.

The same knowledge and the same seed give the same move.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from random import Random
from typing import Final

from games.moves import Draw, Pass, Play
from games.tile import Mask
from games.uno.layout import ColourLayout
from games.uno.markings import COLOUR_NAMES
from league.house.levels import Level
from league.house.uno_evaluation import UNO_SAMPLES, moves_at_uno, valued_at_uno
from league.house.uno_knowledge import UnoKnowledge, WildFourSeen

BLUFFS: Final[Mapping[Level, float]] = {Level.RANDOM: 0.5, Level.GREEDY: 0.3, Level.CAREFUL: 0.1, Level.STRONG: 0.1}
"""Chance that a player thinks of an unlawful Wild Draw Four."""
CHALLENGES: Final[Mapping[Level, float]] = {Level.RANDOM: 0.5, Level.GREEDY: 0.3}
"""Chance of a challenge, of the levels that do not weigh it."""
BLUFF_OF_OTHERS: Final = 0.3
"""Chance that another player bluffs, as a careful player believes."""
SAVED: Final = 8
"""Tiles between both players that a right challenge changes: four are not drawn here, four are drawn there."""
POINT: Final = 0.1
"""Worth of a point that is no longer on the rack."""
MOBILE: Final = 1.0
"""Worth of a tile that can be played next time."""
STOPS: Final[Mapping[str, float]] = {"S": 1.0, "R": 0.3, "D2": 3.0, "WD4": 6.0}
"""Worth of an action against the next player."""
KEPT: Final = 7.0
"""Worth of a wild half that stays on the rack."""
NEAR: Final = 2
"""A player with so few tiles may go out: nothing is kept for later."""

UnoMove = Play | Draw | Pass


def choose_uno(known: UnoKnowledge, level: Level, seed: str) -> UnoMove:
    """Return the move of the seat: a play if it has any, else a draw, else a pass."""
    chance = Random(seed)
    plays = known.plays + (known.bluffs if chance.random() < BLUFFS[level] else ())
    if plays:
        return _CHOICES[level](known, plays, chance)
    return Draw(known.seat, 1) if known.can_draw else Pass(known.seat)


def challenges(seen: WildFourSeen, level: Level, seed: str) -> bool:
    """Return whether the victim of a Wild Draw Four challenges it.

    A careful or strong player weighs the tiles that it would save against those that a wrong challenge draws.
    """
    if level in CHALLENGES:
        return Random(seed).random() < CHALLENGES[level]
    could = seen.banned_held
    guilty = could * BLUFF_OF_OTHERS / (could * BLUFF_OF_OTHERS + 1 - could) if could else 0.0
    return guilty * SAVED > (1 - guilty) * max(seen.risk - 4, 0)


def _any(_known: UnoKnowledge, plays: tuple[Play, ...], chance: Random) -> UnoMove:
    return chance.choice(plays)


def _greedy(_known: UnoKnowledge, plays: tuple[Play, ...], chance: Random) -> UnoMove:
    """Return a play of the tile with the most points."""
    return _best(plays, chance, lambda play: play.tile.pips)


def _careful(known: UnoKnowledge, plays: tuple[Play, ...], chance: Random) -> UnoMove:
    """Return a play that sheds points, hinders the next player, and keeps wilds and plays for later."""
    return _best(plays, chance, lambda play: outlook(known, play))


def _strong(known: UnoKnowledge, plays: tuple[Play, ...], chance: Random) -> UnoMove:
    """Return the play, or a draw or pass in its place, with the most expected points over sampled racks."""
    if len(moves_at_uno(known, plays)) == 1:
        return plays[0]
    return valued_at_uno(known, plays, UNO_SAMPLES, str(chance.random()))[0].move


def _best(plays: tuple[Play, ...], chance: Random, value: Callable[[Play], float]) -> Play:
    values = [value(play) for play in plays]
    highest = max(values)
    return chance.choice([play for play, one in zip(plays, values, strict=True) if one == highest])


def outlook(known: UnoKnowledge, play: Play) -> float:
    """Return the worth of a play to a careful player, in no unit."""
    left = known.hand & ~play.tile.bit
    fewest = min(held for seat, held in enumerate(known.held) if seat != known.seat)
    hurry = fewest <= NEAR
    wild = known.tiles.wild >> play.tile.high & 1 or known.tiles.wild >> play.tile.low & 1
    return (
        POINT * play.tile.pips * (3 if hurry else 1)
        + MOBILE * (left & _after(known, play).playable()).bit_count()
        + _stopped(known, play) * (3 if known.held[known.next_seat] <= NEAR else 1)
        + _own_colour(known, left, play)
        - (KEPT if wild and not hurry and left else 0)
    )


def _after(known: UnoKnowledge, play: Play) -> ColourLayout:
    after = known.layout.copy()
    if play.on is None:
        after.lead(play.tile, play.colour)
    else:
        after.place(play.tile, play.on.index, play.colour)
    return after


def _stopped(known: UnoKnowledge, play: Play) -> float:
    return STOPS.get(known.tiles.markings[play.tile.high].kind, 0.0)


def _own_colour(known: UnoKnowledge, left: Mask, play: Play) -> float:
    """Return a small worth of the colour named: the share of it on the rack."""
    if play.colour is None:
        return 0.0
    colour = COLOUR_NAMES.index(play.colour)
    return 0.5 * (left & known.tiles.coloured_like[known.tiles.named_faces[colour]]).bit_count()


_CHOICES: Mapping[Level, Callable[[UnoKnowledge, tuple[Play, ...], Random], UnoMove]] = {
    Level.RANDOM: _any,
    Level.GREEDY: _greedy,
    Level.CAREFUL: _careful,
    Level.STRONG: _strong,
}
