"""Practice tables for tests: seeded games, positions by their lines, and the same position with other hidden hands."""

from collections.abc import Sequence
from random import Random

from django.utils import timezone

from games.round import Move
from league.house.knowledge import known_to
from league.house.levels import Level, choose
from league.play.acts import AnyTable
from league.play.models import PracticeGame
from league.play.table import PLAYER, PracticeTable, Terms
from league.play.terms import NO_CLOCK, SYSTEMS
from referee import verify

SYSTEM = "double-six"
PIP_SYSTEMS = [one for one in SYSTEMS if one != "uno-dominoes"]


def terms(seed: object, level: Level = Level.GREEDY, ruleset: str = SYSTEM, seats: int = 2, **options: str) -> Terms:
    return Terms(ruleset, level, str(seed), {**options, **NO_CLOCK.get(ruleset, {})}, seats)


def at(
    *lines: str, seed: object = "here", ruleset: str = SYSTEM, level: Level = Level.GREEDY, **options: str
) -> PracticeTable:
    """A table after these lines of its first hand; as many seats as hands."""
    seats = sum(" hand " in line for line in lines) or 2
    return PracticeTable(terms(seed, level, ruleset, seats, **options), ["round 1", *lines])


def next_move(table: PracticeTable, level: Level) -> Move:
    assert table.live is not None
    return choose(known_to(PLAYER, table.live, table.events), level, f"player {table.terms.seed} {len(table.lines)}")


def step(table: PracticeTable, level: Level = Level.GREEDY) -> None:
    """Let the player do the next thing."""
    if table.live is None:
        table.deal()
    elif table.paused:
        table.wait()
    elif table.live.to_act is None:  # nobody holds a double: it is drawn for
        table.draw_or_pass()
    else:
        table.move(next_move(table, level))


def played(agreed: Terms, level: Level = Level.GREEDY) -> PracticeTable:
    """A whole game of a player of this level."""
    table = PracticeTable(agreed)
    while not table.over:
        step(table, level)
    return table


def in_play(seed: object, ruleset: str = SYSTEM, seats: int = 2) -> PracticeTable:
    """A game at a turn of the player, some way into it."""
    table, chance = PracticeTable(terms(seed, ruleset=ruleset, seats=seats)), Random(f"so far {seed}")
    wanted = chance.randint(1, 40)
    while wanted or table.live is None or table.paused or not table.live.layout.table:
        step(table)
        wanted = max(0, wanted - 1)
        if table.over:
            table = PracticeTable(terms(f"{seed} again", ruleset=ruleset, seats=seats))
    return table


def with_other_hidden_tiles(table: PracticeTable, chance: Random) -> list[str] | None:
    """The lines of the same public history, with other tiles in the computers' hands and in the boneyard.

    None if no legal one was found: who drew had no tile that fits.
    """
    assert table.live is not None
    tiles = table.game.rules.tiles
    hidden = [tile.name for tile in tiles.in_mask(tiles.all & ~table.live.layout.table & ~table.live.hands[PLAYER])]
    start = max(n for n, line in enumerate(table.lines) if line.startswith("round "))
    for attempt in range(120):
        moved = hidden if attempt < 40 else chance.sample(hidden, min(2, len(hidden)))
        swapped = dict(zip(moved, chance.sample(moved, len(moved)), strict=True))
        lines = [*table.lines[:start], *(_swapped(line, swapped) for line in table.lines[start:])]
        twin = PracticeTable(table.terms, lines)
        legal = not {one.severity for one in twin.game.findings} - {"note"}
        if lines != table.lines and legal and twin.live and twin.live.to_act == PLAYER:
            return lines
    return None


def _swapped(line: str, tiles: dict[str, str]) -> str:
    if line.startswith("A ") or line.split()[1:2] not in (["hand"], ["draw"]):
        return line
    return " ".join(tiles.get(word, word) for word in line.split())


def saved(table: AnyTable) -> PracticeGame:
    """The row of a game at this table."""
    now = timezone.now()
    return PracticeGame.objects.create(
        ruleset=table.terms.ruleset,
        level=table.terms.level.value,
        options=dict(table.terms.options),
        seats=table.terms.seats,
        seed=table.terms.seed,
        lines="\n".join(table.lines),
        status=verify(table.log).status if table.over else "",
        started_at=now,
        moved_at=now,
        ended_at=now if table.over else None,
    )


def says(table: AnyTable, since: Sequence[str]) -> list[str]:
    """The lines that were written after `since`."""
    return table.lines[len(since) :]
