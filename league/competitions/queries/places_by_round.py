"""Places of entrants after each round, or each decided challenge of a ladder."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from league.competitions.entrant_names import Placed
from league.competitions.ladders.services import places
from league.competitions.models import Stage
from league.competitions.standings.cache import KeptTable
from league.competitions.standings.compute import Row
from league.competitions.standings.table import GroupTable, standings_of

JOURNEYS_A_PART = 100
# At most so many rows of standings are computed for a page; with more entrants only the latest rounds are shown.
MOST_ROWS = 12_000
FEWEST_ROUNDS = 2


@dataclass(frozen=True, slots=True)
class Journey:
    """Places of an entrant by round.

    `ranks`: as in the standings, shared by level entrants; `lines`: the row of the standings, from 0, never shared.
    """

    entrant_id: int
    code: str
    name: str
    ranks: tuple[int, ...]
    lines: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Journeys:
    """Places of some entrants, in the current order.

    `rounds`: the numbers of the rounds that are over, without the first `left_out`.
    """

    rounds: tuple[int, ...]
    ways: list[Journey]
    left_out: int


def journeys(table: KeptTable, at: Sequence[int], *, official_only: bool) -> Journeys:
    """Return the places of the entrants at these rows of the table, from 0.

    No statement if cached. Otherwise the standings are computed for each round from one reading of the draw, in as many
    statements for any number of rounds.
    """
    part = f"journeys:{table.which(official_only=official_only)}"
    names = {f"{part}:{place // JOURNEYS_A_PART}" for place in at} or {f"{part}:0"}
    found = table.kept(names, lambda: _parts(part, table.compute(), official_only=official_only))
    any_part = next(iter(found.values()))
    return Journeys(
        rounds=any_part.rounds,
        left_out=any_part.left_out,
        ways=[found[f"{part}:{place // JOURNEYS_A_PART}"].ways[place % JOURNEYS_A_PART] for place in at],
    )


def _parts(name: str, table: GroupTable, *, official_only: bool) -> dict[str, Any]:
    over = tuple(sorted({slot.round_number for slot in table.slots if slot.round_number <= table.rounds_over}))
    rounds = over[-max(MOST_ROWS // max(len(table.entrants), 1), FEWEST_ROUNDS) :]
    now = table.rows(official_only=official_only)
    tables = [
        now
        if number == rounds[-1]
        else standings_of(table.entrants, table.slots, table.rules, official_only=official_only, after=number)
        for number in rounds
    ]
    ways = _ways(now, tables)
    return {
        f"{name}:{at // JOURNEYS_A_PART}": Journeys(rounds, ways[at : at + JOURNEYS_A_PART], len(over) - len(rounds))
        for at in range(0, max(len(ways), 1), JOURNEYS_A_PART)
    }


def _ways(now: Sequence[Row], tables: Sequence[Sequence[Row]]) -> list[Journey]:
    ranks = [{row.entrant_id: row.rank or len(rows) for row in rows} for rows in tables]
    lines = [{row.entrant_id: line for line, row in enumerate(rows)} for rows in tables]
    return [
        Journey(
            row.entrant_id,
            row.code,
            row.name,
            tuple(one[row.entrant_id] for one in ranks),
            tuple(one[row.entrant_id] for one in lines),
        )
        for row in now
    ]


# --- Ladders ---


@dataclass(frozen=True, slots=True)
class Climb:
    """A decided challenge of a ladder."""

    match: int
    at: datetime


@dataclass(frozen=True, slots=True)
class Climbs:
    """Challenges of a ladder and the orders after them.

    `climbs`: in the order in which they were decided; `orders`: all entrants by key, at the start and after each of
    them, withdrawn entrants included; `now`: without these.
    """

    climbs: list[Climb]
    orders: list[Sequence[int]]
    now: list[int]


def climbs(stage: Stage) -> Climbs:
    """Return the climbs of a ladder, in as many statements as its places take."""
    found = places(stage)
    return Climbs([Climb(one.match, one.at) for one in reversed(found.history)], found.orders, found.order)


def ways_on_ladder(found: Climbs, entrants: Sequence[Placed], shown: range) -> list[Journey]:
    """Places of entrants before the first of the challenges `shown` and after each.

    `shown`: by number.
    """
    orders = found.orders[shown.start : shown.stop + 1]
    at = [{entrant: line for line, entrant in enumerate(order)} for order in orders]
    return [
        Journey(
            entrant_id=one.entrant_id,
            code=one.code,
            name=one.name,
            ranks=tuple(lines[one.entrant_id] + 1 for lines in at),
            lines=tuple(lines[one.entrant_id] for lines in at),
        )
        for one in entrants
    ]
