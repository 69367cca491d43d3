"""Cache of tables, in parts: a page of a large table reads only the rows it shows.

An entry contains its fingerprint; another fingerprint is a miss. Entries may disappear at any time, and are then
recomputed.
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, TypeVar

from django.core.cache import cache

from league.competitions.draw_shape import Shape, read_shape
from league.competitions.entrant_names import Placed, everybody, placed, placed_in
from league.competitions.models import Competition, Matchday, Stage
from league.competitions.standings.compute import Row
from league.competitions.standings.facts import TableDay, fingerprint, table_days
from league.competitions.standings.reachable_places import TableOutlook
from league.competitions.standings.table import GroupTable, TableRules, any_provisional, group_table

T = TypeVar("T")

# Raise it when the entries or the computation change, so that an upgrade finds no old entries.
EDITION_KEPT = 5
KEPT_S = 3600
# From this many registrations on, a page may show a table up to this many seconds old.
THOUSANDS, LATELY_S = 1000, 3
# Few large parts, because a cache without Redis holds three hundred entries.
ROWS_A_PART = 200
ROWS_IN_FULL_A_PART = 100


@dataclass(frozen=True, slots=True)
class Listing:
    """Order of a table, by entrant.

    `before`: the ranks one round earlier; `drawn`: whether the table has a draw.
    """

    entrant_ids: tuple[int, ...]
    codes: tuple[str, ...]
    before: Mapping[int, int]
    drawn: bool


@dataclass(frozen=True, slots=True)
class TableHead:
    """A table without its rows.

    `waits`: whether unconfirmed results change the table; otherwise both listings are the same.
    """

    rounds_over: int
    rules: TableRules
    waits: bool
    official: Listing
    provisional: Listing


@dataclass(frozen=True, slots=True)
class DrawHead:
    """Data shared by all tables of a competition. `group_of`: by entrant."""

    groups: list[int]
    group_of: Mapping[int, int]
    has_provisional: bool


@dataclass(frozen=True)
class Shelf:
    """Cache entries of a competition.

    Their number is constant: a newer entry replaces the older.
    """

    name: str
    print: str
    print_now: Callable[[], str] = field(repr=False)

    def is_now(self) -> bool:
        return self.print_now() == self.print

    def get(self, key: str) -> Any:
        return self.get_many([key]).get(key)

    def get_many(self, keys: Iterable[str]) -> dict[str, Any]:
        names = {f"{self.name}:{key}": key for key in keys}
        found = cache.get_many(names)
        return {names[name]: entry for name, (made_of, entry) in found.items() if made_of == self.print}

    def put(self, entries: Mapping[str, Any]) -> None:
        cache.set_many({f"{self.name}:{key}": (self.print, entry) for key, entry in entries.items()}, KEPT_S)


@dataclass(frozen=True)
class Registered:
    """Registrations of one competition: a selection, or all once they are read."""

    competition: Competition

    @cached_property
    def rows(self) -> list[list[Any]]:
        return everybody(self.competition)

    def placed(self, only: Collection[int]) -> list[Placed]:
        return placed_in(self.rows, only) if "rows" in self.__dict__ else placed(self.competition, only=only)


@dataclass(frozen=True)
class KeptTable:
    """A cached table with the interface of `GroupTable`, read in parts."""

    shelf: Shelf
    registered: Registered = field(repr=False)
    group: int
    after: int | None
    compute: Callable[[], GroupTable] = field(repr=False)

    @property
    def head(self) -> TableHead:
        """The head; from the computed table if one was computed, so that all parts agree."""
        return self._made["head"] if "_made" in self.__dict__ else self._head

    @cached_property
    def _head(self) -> TableHead:
        head: TableHead = self.shelf.get(self._key("head")) or self._made["head"]
        return head

    @property
    def state(self) -> str:
        """Sixteen letters that change with any result or name.

        Two printed sheets with the same letters have the same content.
        """
        return self.shelf.print[:16]

    @property
    def rounds_over(self) -> int:
        return self.head.rounds_over

    @property
    def rules(self) -> TableRules:
        return self.head.rules

    def listing(self, *, official_only: bool) -> Listing:
        return self.head.official if official_only else self.head.provisional

    def placed(self, only: Collection[int]) -> list[Placed]:
        """Give these entrants in seed order. One statement at most."""
        return self.registered.placed(only)

    def rows(self, places: Sequence[int], *, official_only: bool) -> list[Row]:
        """Give the rows at these places, from 0, with the terms of all figures."""
        return self._at(places, "full", ROWS_IN_FULL_A_PART, official_only=official_only)

    def plain_rows(self, places: Sequence[int], *, official_only: bool) -> list[Row]:
        """Give the rows without terms, which take most of the reading time."""
        return self._at(places, "rows", ROWS_A_PART, official_only=official_only)

    def order(self, sort: str, by: Callable[[list[Row]], list[Row]], *, official_only: bool) -> Sequence[int]:
        """Give the places of the table in another order."""
        key = f"order:{sort}:{self.which(official_only=official_only)}"

        def ordered() -> dict[str, Any]:
            everybody = self.listing(official_only=official_only).entrant_ids
            rows = self.plain_rows(range(len(everybody)), official_only=official_only)
            places = {one: place for place, one in enumerate(everybody)}
            return {key: [places[row.entrant_id] for row in by(rows)]}

        places: Sequence[int] = self.kept([key], ordered)[key]
        return places

    def kept(self, names: Collection[str], make: Callable[[], dict[str, Any]]) -> dict[str, Any]:
        """Cache other values of the table by name, from `make`, for the same fingerprint."""
        keys = {self._key(name): name for name in names}
        found = {keys[key]: entry for key, entry in self.shelf.get_many(keys).items()}
        if len(found) == len(keys):
            return found
        made = make()
        if self.shelf.is_now():
            self.shelf.put({self._key(name): entry for name, entry in made.items()})
        return made

    def outlook(self, *, official_only: bool) -> TableOutlook | None:
        name = self._outlook(official_only=official_only)
        found: TableOutlook | None = self._entries(lambda: {name})[name]
        return found

    def which(self, *, official_only: bool) -> str:
        """Choose between the two tables; official if both are the same."""
        return "official" if official_only or not self.head.waits else "all"

    def _outlook(self, *, official_only: bool) -> str:
        return f"outlook:{self.which(official_only=official_only)}"

    def _at(self, places: Sequence[int], what: str, size: int, *, official_only: bool) -> list[Row]:
        def part(place: int) -> str:
            return f"{what}:{self.which(official_only=official_only)}:{place // size}"

        found = self._entries(lambda: {part(place) for place in places})
        return [found[part(one)][one % size] for one in places]

    def _key(self, name: str) -> str:
        return f"{self.group}:{self.after or ''}:{name}"

    def _entries(self, wanted: Callable[[], Iterable[str]]) -> dict[str, Any]:
        """Read entries; if one is missing, compute all: other keys may then be wanted."""
        if "_made" in self.__dict__:
            return self._made
        keys = {self._key(name): name for name in wanted()}
        found = {keys[key]: entry for key, entry in self.shelf.get_many(keys).items()}
        return found if len(found) == len(keys) else self._made

    @cached_property
    def _made(self) -> dict[str, Any]:
        made = _parts(self.compute())
        # A change during the computation may be taken back, and the older fingerprint become valid again.
        if self.shelf.is_now():
            self.shelf.put({self._key(name): entry for name, entry in made.items()})
        return made


def _parts(table: GroupTable) -> dict[str, Any]:
    """Give the cache entries of a table, by name."""
    waits = table.provisional is not table.official
    official = _listing(table, official_only=True)
    # The rows already contain ratings, lots and muggins.
    rules = replace(table.rules, muggins=(), scoring=replace(table.rules.scoring, ratings={}, lots={}))
    head = TableHead(
        table.rounds_over, rules, waits, official, _listing(table, official_only=False) if waits else official
    )
    found: dict[str, Any] = {"head": head}
    for which, rows, official_only in (("official", table.official, True), ("all", table.provisional, False)):
        if which == "official" or waits:
            found[f"outlook:{which}"] = table.outlook(official_only=official_only)
            found |= _cut(f"full:{which}", rows, ROWS_IN_FULL_A_PART)
            found |= _cut(f"rows:{which}", [without_terms(row) for row in rows], ROWS_A_PART)
    return found


def _cut(name: str, rows: Sequence[Row], size: int) -> dict[str, Any]:
    return {f"{name}:{at // size}": rows[at : at + size] for at in range(0, len(rows), size)}


def without_terms(row: Row) -> Row:
    """Remove the terms, which take most of the reading time of a row."""
    return replace(row, figures={key: replace(one, terms=()) for key, one in row.figures.items()})


def _listing(table: GroupTable, *, official_only: bool) -> Listing:
    rows = table.rows(official_only=official_only)
    return Listing(
        entrant_ids=tuple(row.entrant_id for row in rows),
        codes=tuple(row.code for row in rows),
        before={row.entrant_id: row.rank for row in table.rows_before(official_only=official_only)},
        drawn=any(row.drawn for row in rows),
    )


@dataclass(frozen=True)
class KeptTables:
    """Cached tables of a competition with a table stage, for staff or for others.

    Missing entries are computed when needed: three statements, one more if muggins are a tie-break.
    """

    competition: Competition
    stage: Stage
    days: list[Matchday]
    registered: Registered = field(repr=False)
    shelf: Shelf

    @cached_property
    def draw(self) -> DrawHead:
        return self._kept("draw", self._draw)

    @cached_property
    def shape(self) -> Shape:
        return self._kept("shape", lambda: read_shape(self.competition))

    def table(self, *, group: int = 0, after: int | None = None) -> KeptTable:
        """Give a table; `after`: after that round, or now if no later round has results."""
        now = KeptTable(self.shelf, self.registered, group, None, lambda: self._compute(group, None))
        if after is None or not 0 < after < now.rounds_over:
            return now
        return KeptTable(self.shelf, self.registered, group, after, lambda: self._compute(group, after))

    def _kept(self, key: str, compute: Callable[[], T]) -> T:
        found: T | None = self.shelf.get(key)
        if found is None:
            found = compute()
            if self.shelf.is_now():
                self.shelf.put({key: found})
        return found

    def _draw(self) -> DrawHead:
        slots = [slot for day in self._everything for slot in day.slots]
        own = [slot for day in self._everything if day.stage == self.stage.number for slot in day.slots if slot.group]
        return DrawHead(
            groups=sorted({slot.group for slot in own}),
            group_of={one: slot.group for slot in reversed(own) for one in slot.entrant_ids},
            has_provisional=any_provisional(slots),
        )

    @cached_property
    def _everything(self) -> list[TableDay]:
        return table_days(self.days, everything=self.competition.for_staff)

    def _compute(self, group: int, after: int | None) -> GroupTable:
        days = [day for day in self._everything if day.stage == self.stage.number]
        people = placed_in(self.registered.rows)
        return group_table(self.competition, self.stage, people, days, group=group, after=after)


def kept_tables(competition: Competition, days: list[Matchday]) -> KeptTables | None:
    """Give the cached tables of a `seen_competition` with all its rounds.

    None if every stage is a knock-out or a ladder. As many statements as the fingerprint. With tens of thousands of
    slots the fingerprint is most of a page view, so views within LATELY_S seconds share it.
    """
    stage = next((one for one in competition.stages.all() if one.spec.has_table), None)
    if stage is None:
        return None
    name = f"tables:{EDITION_KEPT}:{competition.pk}:{int(competition.for_staff)}"
    registered = Registered(competition)
    made_of = cache.get(f"{name}:lately")
    if made_of is None:
        made_of = fingerprint(competition, days, registered.rows)
        if len(registered.rows) >= THOUSANDS:
            cache.set(f"{name}:lately", made_of, LATELY_S)
    shelf = Shelf(name, made_of, lambda: fingerprint(competition, days, everybody(competition)))
    return KeptTables(competition, stage, days, registered, shelf)
