"""Tables that are kept in the cache, in parts: of thousands of rows a page reads those that it shows. An entry says of
which fingerprint it is, and is another's no more than a miss; it may be gone at any moment, and is then computed anew.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TypeVar

from django.core.cache import cache

from league.competitions.competition_page import GroupTable, any_provisional, group_table
from league.competitions.models import Competition, Matchday, Stage
from league.competitions.ranking import TableRules
from league.competitions.shape import Shape, read_shape
from league.competitions.slots import placed
from league.competitions.standings import Row
from league.competitions.table_facts import TableDay, fingerprint, table_days
from league.competitions.what_if import TableOutlook

T = TypeVar("T")

# Grows with every change of what is kept, or of how a table is made: then an upgrade finds none of the old entries.
EDITION_KEPT = 1
KEPT_S = 3600
ROWS_A_PART = 100


@dataclass(frozen=True, slots=True)
class Listing:
    """The order of a table, by entrant. `before`: the ranks a round earlier; `drawn`: whether nobody won somewhere."""

    entrant_ids: tuple[int, ...]
    codes: tuple[str, ...]
    before: Mapping[int, int]
    drawn: bool


@dataclass(frozen=True, slots=True)
class TableHead:
    """A table without its rows. `waits`: whether results that are not official make it another one; else the two
    listings are one.
    """

    rounds_over: int
    rules: TableRules
    waits: bool
    official: Listing
    provisional: Listing


@dataclass(frozen=True, slots=True)
class DrawHead:
    """What all tables of a competition share. `group_of`: by entrant."""

    groups: list[int]
    group_of: Mapping[int, int]
    has_provisional: bool


@dataclass(frozen=True)
class Shelf:
    """Where the entries of a competition are: as many however often it changes, for a later one takes the place."""

    name: str
    print: str
    print_now: Callable[[], str] = field(repr=False)

    def is_now(self) -> bool:
        return self.print_now() == self.print

    def get(self, key: str) -> object | None:
        return self.get_many([key]).get(key)

    def get_many(self, keys: Iterable[str]) -> dict[str, object]:
        names = {f"{self.name}:{key}": key for key in keys}
        found = cache.get_many(names)
        return {names[name]: entry for name, (made_of, entry) in found.items() if made_of == self.print}

    def put(self, entries: Mapping[str, object]) -> None:
        cache.set_many({f"{self.name}:{key}": (self.print, entry) for key, entry in entries.items()}, KEPT_S)


@dataclass(frozen=True)
class KeptTable:
    """One table of a competition, as `GroupTable` says it, read by parts."""

    shelf: Shelf
    group: int
    after: int | None
    compute: Callable[[], GroupTable] = field(repr=False)

    @property
    def head(self) -> TableHead:
        """Once anything was computed here, of that: the parts of one look belong together."""
        return self._made["head"] if "_made" in self.__dict__ else self._head

    @cached_property
    def _head(self) -> TableHead:
        return self.shelf.get(self._key("head")) or self._made["head"]

    @property
    def rounds_over(self) -> int:
        return self.head.rounds_over

    @property
    def rules(self) -> TableRules:
        return self.head.rules

    def listing(self, *, official_only: bool) -> Listing:
        return self.head.official if official_only else self.head.provisional

    def rows(self, places: Sequence[int], *, official_only: bool) -> list[Row]:
        """Those at these places of the table, from 0."""
        found = self._entries(lambda: {self._part(place, official_only=official_only) for place in places})
        return [found[self._part(one, official_only=official_only)][one % ROWS_A_PART] for one in places]

    def order(self, sort: str, by: Callable[[list[Row]], list[Row]], *, official_only: bool) -> Sequence[int]:
        """The places of the table in another order."""
        key = f"order:{sort}:{self._which(official_only=official_only)}"
        found = self.shelf.get(self._key(key))
        if found is None:
            everybody = self.listing(official_only=official_only).entrant_ids
            rows = self.rows(range(len(everybody)), official_only=official_only)
            places = {one: place for place, one in enumerate(everybody)}
            found = [places[row.entrant_id] for row in by(rows)]
            self.shelf.put({self._key(key): found})
        return found

    def outlook(self, *, official_only: bool) -> TableOutlook | None:
        found = self._entries(lambda: {self._outlook(official_only=official_only)})
        return found[self._outlook(official_only=official_only)]

    def _which(self, *, official_only: bool) -> str:
        return "official" if official_only or not self.head.waits else "all"

    def _outlook(self, *, official_only: bool) -> str:
        return f"outlook:{self._which(official_only=official_only)}"

    def _part(self, place: int, *, official_only: bool) -> str:
        return f"rows:{self._which(official_only=official_only)}:{place // ROWS_A_PART}"

    def _key(self, name: str) -> str:
        return f"{self.group}:{self.after or ''}:{name}"

    def _entries(self, wanted: Callable[[], Iterable[str]]) -> dict[str, object]:
        """Those that are kept, or all of them computed, where one is gone: then others may be wanted."""
        if "_made" in self.__dict__:
            return self._made
        keys = {self._key(name): name for name in wanted()}
        found = {keys[key]: entry for key, entry in self.shelf.get_many(keys).items()}
        return found if len(found) == len(keys) else self._made

    @cached_property
    def _made(self) -> dict[str, object]:
        made = _parts(self.compute())
        # Whatever came while it was computed may be taken back, and the older fingerprint be true again.
        if self.shelf.is_now():
            self.shelf.put({self._key(name): entry for name, entry in made.items()})
        return made


def _parts(table: GroupTable) -> dict[str, object]:
    """The entries of a table, by name."""
    waits = table.provisional is not table.official
    official = _listing(table, official_only=True)
    # Ratings, lots and claims of everybody are in the rows.
    rules = replace(table.rules, muggins=(), scoring=replace(table.rules.scoring, ratings={}, lots={}))
    head = TableHead(
        table.rounds_over, rules, waits, official, _listing(table, official_only=False) if waits else official
    )
    found: dict[str, object] = {"head": head}
    for which, rows, official_only in (("official", table.official, True), ("all", table.provisional, False)):
        if which == "official" or waits:
            found[f"outlook:{which}"] = table.outlook(official_only=official_only)
            for at in range(0, len(rows), ROWS_A_PART):
                found[f"rows:{which}:{at // ROWS_A_PART}"] = rows[at : at + ROWS_A_PART]
    return found


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
    """Of one competition that has a stage with a table, for the staff or for others. What is not in the cache is
    computed when it is asked for: four statements, one more where muggins are a tie-break.
    """

    competition: Competition
    stage: Stage
    days: list[Matchday]
    shelf: Shelf

    @cached_property
    def draw(self) -> DrawHead:
        return self._kept("draw", self._draw)

    @cached_property
    def shape(self) -> Shape:
        return self._kept("shape", lambda: read_shape(self.competition))

    def table(self, *, group: int = 0, after: int | None = None) -> KeptTable:
        """`after`: as it stood after that round; now, where that one is not over before others."""
        now = KeptTable(self.shelf, group, None, lambda: self._compute(group, None))
        if after is None or not 0 < after < now.rounds_over:
            return now
        return KeptTable(self.shelf, group, after, lambda: self._compute(group, after))

    def _kept(self, key: str, compute: Callable[[], T]) -> T:
        found = self.shelf.get(key)
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
        return group_table(self.competition, self.stage, placed(self.competition), days, group=group, after=after)


def kept_tables(competition: Competition, days: list[Matchday]) -> KeptTables | None:
    """Of one that `seen_competition` gave, with all its rounds; None where every stage is a knock-out or a ladder. As
    many statements as the fingerprint takes.
    """
    stage = next((one for one in competition.stages.all() if not (one.is_knock_out or one.is_ladder)), None)
    if stage is None:
        return None
    name = f"tables:{EDITION_KEPT}:{competition.pk}:{int(competition.for_staff)}"
    shelf = Shelf(name, fingerprint(competition, days), lambda: fingerprint(competition, days))
    return KeptTables(competition, stage, days, shelf)
