"""Table assignment of matches. Pure.

In this order: pinned tables, accessible tables, the stream table, all other matches.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum


@dataclass(frozen=True, slots=True)
class TableTurn:
    """A table during one turn of a round; `starts_at` is None without hours."""

    turn: int
    table: int
    starts_at: datetime | None


Fits = Callable[[Sequence[int], TableTurn], bool]
"""Whether every entrant of a match is free at that turn."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Wishes:
    """Table wishes, by the keys of tables and entrants.

    `pinned`: entrant to the only table they play at. `needs`: entrants who need an accessible table. `seeds`: if two
    entrants with different pinned tables meet, the lower seed number gets its table.
    """

    pinned: Mapping[int, int] = field(default_factory=dict)
    needs: frozenset[int] = frozenset()
    accessible: frozenset[int] = frozenset()
    stream: frozenset[int] = frozenset()
    seeds: Mapping[int, int] = field(default_factory=dict)

    @property
    def any(self) -> bool:
        return bool(self.pinned or self.needs)

    def pins(self, entrants: Iterable[int]) -> list[tuple[int, int]]:
        """Give (entrant, table) of the pinned entrants, best seed first."""
        return [(one, self.pinned[one]) for one in sorted(entrants, key=self.rank) if one in self.pinned]

    def rank(self, entrant: int) -> tuple[int, int]:
        return self.seeds.get(entrant, len(self.seeds) + 1), entrant

    def need(self, entrants: Iterable[int]) -> bool:
        return any(one in self.needs for one in entrants)


class Wish(StrEnum):
    """Kinds of unmet wishes."""

    PINNED = "pinned"
    NEEDS = "needs-accessible"
    STREAM = "not-on-stream"


@dataclass(frozen=True, slots=True)
class Unmet:
    """An unmet wish.

    `entrant`: None for the stream. `table`: the pinned table. `rival`: the opponent who is pinned to the match's table.
    """

    wish: Wish
    entrant: int | None = None
    table: int | None = None
    rival: int | None = None


def unmet(entrants: Sequence[int], table: int | None, wishes: Wishes, *, streamed: bool = False) -> list[Unmet]:
    """List the wishes that are unmet if a match is played at `table`."""
    pins = wishes.pins(entrants)
    here = next((one for one, where in pins if where == table), None)
    found = [Unmet(Wish.PINNED, one, where, here) for one, where in pins if where != table]
    if table not in wishes.accessible:
        found += [Unmet(Wish.NEEDS, one) for one in entrants if one in wishes.needs]
    if streamed and table not in wishes.stream:
        found.append(Unmet(Wish.STREAM))
    return found


def cost(entrants: Sequence[int], table: int | None, wishes: Wishes, *, streamed: bool = False) -> tuple[int, int, int]:
    """Count unmet wishes: pins, accessible tables, stream; compared in this order."""
    pins = wishes.pins(entrants)
    missed = sum(2 if place == 0 else 1 for place, (_one, where) in enumerate(pins) if where != table)
    needs = wishes.need(entrants) and table not in wishes.accessible
    return missed, int(needs), int(streamed and table not in wishes.stream)


def seated(
    matches: Sequence[Sequence[int]],
    near: Sequence[TableTurn],
    further: Iterator[TableTurn],
    wishes: Wishes,
    fits: Fits,
    *,
    streamed: Collection[int] = (),
) -> list[TableTurn]:
    """Assign each match a turn at a table.

    `streamed`: indexes of the stream matches. Wishes are granted only within `near`, so that they never make a round
    longer. A match with an unmet wish is seated with the rest, if necessary in `further`, and `unmet` reports it.
    """
    free, got = list(near), {}

    def give(match: int, turn: TableTurn) -> None:
        got[match] = turn
        free.remove(turn)

    for match, table in _pins(matches, wishes):
        if found := _first(free, matches[match], fits, {table}):
            give(match, found)
    needing = [match for match, who in enumerate(matches) if match not in got and wishes.need(who)]
    for match, turn in _most(needing, matches, [one for one in free if one.table in wishes.accessible], wishes, fits):
        give(match, turn)
    for match in sorted(streamed):
        if match not in got and (found := _first(free, matches[match], fits, wishes.stream)):
            give(match, found)
    # A match with an unmet need for an accessible table chooses before the others.
    for match in sorted(set(range(len(matches))) - set(got), key=lambda one: (one not in needing, one)):
        got[match] = _next(free, further, matches[match], fits, wishes.accessible if match in needing else ())
    return [got[match] for match in range(len(matches))]


def _pins(matches: Sequence[Sequence[int]], wishes: Wishes) -> list[tuple[int, int]]:
    """Give (match, table), best seed first; only the better seed's table of a match."""
    found = [
        (wishes.rank(pins[0][0]), match, pins[0][1]) for match, who in enumerate(matches) if (pins := wishes.pins(who))
    ]
    return [(match, table) for _rank, match, table in sorted(found)]


def _first(free: Iterable[TableTurn], who: Sequence[int], fits: Fits, tables: Collection[int]) -> TableTurn | None:
    return next((one for one in free if one.table in tables and fits(who, one)), None)


def _most(
    wanting: Sequence[int], matches: Sequence[Sequence[int]], turns: Sequence[TableTurn], wishes: Wishes, fits: Fits
) -> list[tuple[int, TableTurn]]:
    """Match as many matches with turns as possible, by augmenting paths.

    Stream tables are used last.
    """
    liked = sorted(range(len(turns)), key=lambda at: (turns[at].turn, turns[at].table in wishes.stream, at))
    held: dict[int, int] = {}

    def find(match: int, tried: set[int]) -> bool:
        open_to = [at for at in liked if at not in tried and fits(matches[match], turns[at])]
        for at in sorted(open_to, key=lambda at: at in held):  # a free turn before a held one
            if at in tried:  # visited on a path without success
                continue
            tried.add(at)
            if at not in held or find(held[at], tried):
                held[at] = match
                return True
        return False

    for match in wanting:
        if len(held) < len(turns):
            find(match, set())
    return [(match, turns[at]) for at, match in held.items()]


def _next(
    free: list[TableTurn], further: Iterator[TableTurn], who: Sequence[int], fits: Fits, liked: Collection[int]
) -> TableTurn:
    """Take the earliest turn that fits, preferring liked tables within its turn.

    Skipped turns stay free.
    """
    found: TableTurn | None = None
    at = 0
    while True:
        if at == len(free):
            free.append(next(further))
        one = free[at]
        if found is not None and one.turn > found.turn:
            break
        if fits(who, one) and (found is None or one.table in liked):
            found = one
            if not liked or one.table in liked:
                break
        at += 1
    free.remove(found)
    return found
