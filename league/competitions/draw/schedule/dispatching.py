"""Dispatcher of an evening: the next ready match goes to the next free table. Pure.

Longest remaining path first, all parts of a draw side by side. Hours of the plan play no part.
"""

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from graphlib import TopologicalSorter

from league.competitions.draw.schedule.table_assignment import Wishes


@dataclass(frozen=True, slots=True, kw_only=True)
class DueMatch:
    """A match that is still to be played; list them in the order of the plan.

    `entrants` and their `people`: as far as they are known. `comes_from`: keys of the matches that decide its other
    entrants. `waits`: it is not called now, because its entrants are not known, it was called, or it is on hold.
    `planned`: its table in the plan. `in_turn`: its people first play their matches in turn before it in the plan,
    because a round out of turn makes many others wait; a match that is put off has no turn.
    """

    key: int
    entrants: tuple[int, ...] = ()
    people: frozenset[int] = frozenset()
    comes_from: tuple[int, ...] = ()
    waits: bool = False
    for_stream: bool = False
    planned: int | None = None
    in_turn: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Floor:
    """The hall at `now`.

    `tables`: those in use, in the order of the hall, without tables out of order. `free`: those without a match.
    `playing`: people with a match at a table. `ended`: end of the last match of each person, who then rests for `rest`.
    """

    tables: Sequence[int]
    free: Collection[int]
    now: datetime
    wishes: Wishes = field(default_factory=Wishes)
    playing: Collection[int] = frozenset()
    ended: Mapping[int, datetime] = field(default_factory=dict)
    rest: timedelta = timedelta()


@dataclass(frozen=True, slots=True)
class TableCall:
    """A match, and the table that it is called to now."""

    match: int
    table: int


def calls(matches: Sequence[DueMatch], floor: Floor) -> list[TableCall]:
    """Choose the matches to call now, and their tables; most urgent match first.

    No person is in two of them. A match that is not called has a person who plays or rests, or no table that it may use
    is free. Among equally urgent matches the plan decides; a match gets its planned table if that costs no other wish.
    """
    held: dict[int, DueMatch] = {}
    playing = set(floor.playing)
    early, called = out_of_turn(matches), []
    # Of equally urgent ones first those that may use the fewest tables.
    for match in by_urgency(sorted(matches, key=lambda one: len(may_use(one, floor)))):
        if match.waits or match.key in early or not _are_free(match.people, playing, floor):
            continue
        if _finds_table(match, held, floor, set()):
            playing |= match.people
            called.append(match.key)
    tables = {match.key: table for table, match in held.items()}
    return [TableCall(key, tables[key]) for key in called]


def may_use(match: DueMatch, floor: Floor) -> Collection[int]:
    """Give the tables that a match may use: its wishes among the tables in use.

    Pinned table, accessible table, stream, in this order. A wish that no table in use can meet is left aside.
    """
    wishes, tables = floor.wishes, set(floor.tables)
    pins = wishes.pins(match.entrants)
    if pins and pins[0][1] in tables:
        return {pins[0][1]}
    if wishes.need(match.entrants):
        tables = tables & wishes.accessible or tables
    if match.for_stream:
        tables = tables & wishes.stream or tables
    return tables


def out_of_turn(matches: Sequence[DueMatch]) -> set[int]:
    """Give the matches whose people have an earlier one to play, among those that are played in turn."""
    early: set[int] = set()
    before: set[int] = set()
    for match in matches:
        if match.in_turn:
            if not before.isdisjoint(match.people):
                early.add(match.key)
            before |= match.people
    return early


def longest_paths(matches: Sequence[DueMatch]) -> dict[int, int]:
    """Count the matches that must be played one after another from each match on, itself included.

    A person with n open matches needs n of them one after another, as does each chain of winners and losers.
    """
    left = _matches_left(matches)
    found = {match.key: max((left[one] for one in match.people), default=1) for match in matches}
    sources = {match.key: match.comes_from for match in matches}
    for key in reversed(list(TopologicalSorter(sources).static_order())):
        for source in sources.get(key, ()):
            if source in found:
                found[source] = max(found[source], found[key] + 1)
    return found


def _matches_left(matches: Sequence[DueMatch]) -> Counter[int]:
    """Count the open matches of each person."""
    return Counter(one for match in matches for one in match.people)


def by_urgency(matches: Sequence[DueMatch]) -> list[DueMatch]:
    """Sort by the longest remaining path, then by the matches that its people have left; else as planned."""
    paths, left = longest_paths(matches), _matches_left(matches)
    return sorted(matches, key=lambda match: (-paths[match.key], -sum(left[one] for one in match.people)))


def _are_free(people: Collection[int], playing: Collection[int], floor: Floor) -> bool:
    return not any(one in playing or _rests(one, floor) for one in people)


def _rests(person: int, floor: Floor) -> bool:
    return person in floor.ended and floor.ended[person] + floor.rest > floor.now


def _finds_table(match: DueMatch, held: dict[int, DueMatch], floor: Floor, tried: set[int]) -> bool:
    """Give a match a free table, by an augmenting path: matches called before it may change tables."""
    for table in _liked(match, floor):
        if table not in held:
            held[table] = match
            return True
    for table in _liked(match, floor):
        if table not in tried:
            tried.add(table)
            if _finds_table(held[table], held, floor, tried):
                held[table] = match
                return True
    return False


def _liked(match: DueMatch, floor: Floor) -> Iterator[int]:
    """Yield the free tables that a match may use; last those that others wish for."""
    allowed, wishes = may_use(match, floor), floor.wishes
    special = wishes.accessible | wishes.stream | set(wishes.pinned.values())
    free = [table for table in floor.tables if table in floor.free and table in allowed]
    yield from sorted(free, key=lambda table: (table in special, table != match.planned))
