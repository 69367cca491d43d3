"""Practice tables of Uno Dominoes for tests: positions by their lines, seeded games, and other hidden racks."""

from collections.abc import Callable
from random import Random

from games.moves import Play
from league.house.levels import Level
from league.house.uno_knowledge import known_at_uno
from league.house.uno_levels import choose_uno
from league.play.acts import AnyTable
from league.play.table import PLAYER, Terms
from league.play.uno_table import UnoTable

SYSTEM = "uno-dominoes"
QUICK_LEVELS = (Level.RANDOM, Level.GREEDY, Level.CAREFUL)
"""Levels that choose without samples."""
Habit = Callable[[UnoTable, Random], None]


def uno_terms(seed: object, level: Level = Level.GREEDY, seats: int = 4, **options: str) -> Terms:
    return Terms(SYSTEM, level, str(seed), options, seats)


def uno_at(*lines: str, seed: object = "here", level: Level = Level.GREEDY, **options: str) -> UnoTable:
    """A table after these lines of its first hand; as many seats as hands."""
    seats = sum(" hand " in line for line in lines)
    return UnoTable(uno_terms(seed, level, seats, **options), ["round 1", *lines])


def uno_step(table: UnoTable, level: Level = Level.GREEDY) -> None:
    """Let a player of this level do the next thing; it says uno, and neither catches nor challenges."""
    if table.between:
        table.deal()
    elif table.reopener == PLAYER:
        table.leave()
    elif table.victim == PLAYER:
        table.take_four()
    elif table.paused:
        table.wait()
    else:
        _turn(table, level)


def _turn(table: UnoTable, level: Level) -> None:
    if table.may_say_uno(PLAYER):
        table.say_uno(PLAYER)
    move = choose_uno(known_at_uno(PLAYER, table.colours), level, f"player {table.seed} {len(table.lines)}")
    if isinstance(move, Play):
        table.move(move)
    else:
        table.draw_or_pass()


def turn_of_the_player(table: AnyTable) -> bool:
    if isinstance(table, UnoTable):
        return table.live is not None and table.awaited == PLAYER and table.victim is None
    return table.live is not None and table.live.to_act == PLAYER


def lively(table: UnoTable, chance: Random) -> None:
    """Do the next thing as somebody who tries every button."""
    if table.live is not None and chance.random() < 0.15:
        table.catch(PLAYER, chance.choice(table.seats[1:]))
    if table.reopener == PLAYER and chance.random() < 0.7:
        doublets = table.colours.layout.table & table.colours.tiles.doubles
        table.open_again(next(table.game.rules.tiles.in_mask(doublets)), "red")
    elif table.victim == PLAYER and chance.random() < 0.5:
        table.doubt_four()
    elif turn_of_the_player(table) and table.colours.layout.table and chance.random() < 0.1:
        table.draw_or_pass()
    else:
        uno_step(table, chance.choice(QUICK_LEVELS))


def played_uno(agreed: Terms, habit: Habit = lively) -> UnoTable:
    """A whole game."""
    table, chance = UnoTable(agreed), Random(f"habit {agreed.seed}")
    while not table.over:
        habit(table, chance)
    return table


def uno_in_play(seed: object, seats: int = 4, **options: str) -> UnoTable:
    """A game at a turn of the player, some way into a hand."""
    return uno_live(seed, seats, turn_of_the_player, **options)


def uno_live(
    seed: object, seats: int = 4, wanted: Callable[[UnoTable], object] = lambda table: table.live, **options: str
) -> UnoTable:
    """A game some way into a hand, where the player has something to decide."""
    for attempt in range(300):
        chance = Random(f"so far {seed} {attempt}")
        table = UnoTable(uno_terms(f"{seed} {attempt}", seats=seats, **options))
        table.deal()
        least = chance.randint(1, 8)
        for act in range(20):
            if table.between or table.over:
                break
            if act >= least and table.live is not None and wanted(table) and table.colours.layout.table:
                return table
            lively(table, chance)
    raise AssertionError("no such position")


def with_other_hidden_racks(table: UnoTable, chance: Random) -> list[str] | None:
    """The lines of the same public history, with other tiles on the other racks and in the draw pile.

    None if no legal one was found.
    """
    live, tiles = table.colours, table.game.rules.tiles
    start = max(n for n, line in enumerate(table.lines) if line.startswith("round "))
    shown = {word for line in table.lines[start:] if " shows " in line for word in line.split()}
    hidden = [
        tile.name
        for tile in tiles.in_mask(tiles.all & ~live.layout.table & ~live.hands[PLAYER])
        if tile.name not in shown
    ]
    for _attempt in range(60):
        swapped = dict(zip(hidden, chance.sample(hidden, len(hidden)), strict=True))
        lines = [*table.lines[:start], *(_swapped(line, swapped) for line in table.lines[start:])]
        twin = UnoTable(table.terms, lines)
        legal = not {one.severity for one in twin.game.findings} - {"note"}
        if lines != table.lines and legal and twin.live and twin.awaited == table.awaited:
            return lines
    return None


def _swapped(line: str, tiles: dict[str, str]) -> str:
    if line.startswith("A ") or not (" hand " in line or " draw " in line):
        return line
    return " ".join(tiles.get(word, word) for word in line.split())
