"""Practice tables for tests: seeded games, positions by their lines, and the same position with other hidden hands."""

from collections.abc import Sequence
from random import Random

from django.utils import timezone

from games.round import Move
from league.house.knowledge import known_to
from league.house.levels import Level, choose
from league.play.models import PracticeGame
from league.play.table import PLAYER, PracticeTable, Terms
from referee import verify

SYSTEM = "double-six"


def terms(seed: object, level: Level = Level.GREEDY, ruleset: str = SYSTEM, **options: str) -> Terms:
    return Terms(ruleset, level, str(seed), options)


def at(*lines: str, seed: object = "here", **options: str) -> PracticeTable:
    """A table after these lines of its first hand."""
    return PracticeTable(terms(seed, **options), ["round 1", *lines])


def next_move(table: PracticeTable, level: Level) -> Move:
    assert table.live is not None
    return choose(known_to(PLAYER, table.live), level, f"player {table.terms.seed} {len(table.lines)}")


def step(table: PracticeTable, level: Level = Level.GREEDY) -> None:
    """Let the player do the next thing."""
    if table.live is None:
        table.deal()
    else:
        table.move(next_move(table, level))


def played(agreed: Terms, level: Level = Level.GREEDY) -> PracticeTable:
    """A whole game of a player of this level."""
    table = PracticeTable(agreed)
    while not table.over:
        step(table, level)
    return table


def in_play(seed: object, ruleset: str = SYSTEM) -> PracticeTable:
    """A game at a turn of the player, some way into it."""
    table, chance = PracticeTable(terms(seed, ruleset=ruleset)), Random(f"so far {seed}")
    wanted = chance.randint(1, 40)
    while wanted or table.live is None or not table.live.layout.table:
        step(table)
        wanted = max(0, wanted - 1)
        if table.over:
            table = PracticeTable(terms(f"{seed} again", ruleset=ruleset))
    return table


def with_other_hidden_tiles(table: PracticeTable, chance: Random) -> list[str]:
    """The lines of the same public history, with other tiles in the computer's hand and in the boneyard."""
    assert table.live is not None
    tiles = table.game.rules.tiles
    hidden = [tile.name for tile in tiles.in_mask(tiles.all & ~table.live.layout.table & ~table.live.hands[PLAYER])]
    start = max(n for n, line in enumerate(table.lines) if line.startswith("round "))
    for _try in range(200):
        swapped = dict(zip(hidden, chance.sample(hidden, len(hidden)), strict=True))
        lines = [*table.lines[:start], *(_swapped(line, swapped) for line in table.lines[start:])]
        twin = PracticeTable(table.terms, lines)
        if lines != table.lines and not twin.game.findings and twin.live and twin.live.to_act == PLAYER:
            return lines
    raise AssertionError(f"no other deal of {table.terms.seed}")


def _swapped(line: str, tiles: dict[str, str]) -> str:
    if not line.startswith(("B hand", "B draw")):
        return line
    return " ".join(tiles.get(word, word) for word in line.split())


def saved(table: PracticeTable) -> PracticeGame:
    """The row of a game at this table."""
    now = timezone.now()
    return PracticeGame.objects.create(
        ruleset=table.terms.ruleset,
        level=table.terms.level.value,
        options=dict(table.terms.options),
        seed=table.terms.seed,
        lines="\n".join(table.lines),
        status=verify(table.log).status if table.over else "",
        started_at=now,
        moved_at=now,
        ended_at=now if table.over else None,
    )


def says(table: PracticeTable, since: Sequence[str]) -> list[str]:
    """The lines that were written after `since`."""
    return table.lines[len(since) :]
