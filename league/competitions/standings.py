"""The table of a round robin: wins, then points difference, then points for. Pure: plain values in, plain values
out.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

FORM = 5


class Outcome(StrEnum):
    """How a match ended for one side."""

    WON = "W"
    DRAWN = "D"
    LOST = "L"


@dataclass(frozen=True, slots=True)
class Played:
    """A finished match of two: points by entrant, and who won (None where nobody did)."""

    points: Mapping[int, int]
    winner: int | None


@dataclass(frozen=True, slots=True)
class Row:
    """A line of the table with the numbers that place it. Level in all three means the same rank."""

    rank: int
    entrant_id: int
    name: str
    code: str
    played: int
    won: int
    drawn: int
    lost: int
    points_for: int
    points_against: int
    difference: int
    form: list[Outcome]


@dataclass(slots=True)
class _Tally:
    points_for: int = 0
    points_against: int = 0
    outcomes: list[Outcome] = field(default_factory=list)

    def add(self, own: int, other: int, outcome: Outcome) -> None:
        self.points_for += own
        self.points_against += other
        self.outcomes.append(outcome)

    @property
    def key(self) -> tuple[int, int, int]:
        return (self.outcomes.count(Outcome.WON), self.points_for - self.points_against, self.points_for)


def table(entrants: Iterable[tuple[int, str, str]], matches: Sequence[Played]) -> list[Row]:
    """The standings of `entrants` (id, name, code) after `matches`, which are given in the order they were played.

    Order: wins, points difference, points for, each highest first; rows level in all three share a rank and stand by
    name, then code, so that the order never depends on the database. A match with somebody who is not an entrant is
    an error (KeyError).
    """
    people = {entrant_id: (name, code) for entrant_id, name, code in entrants}
    tallies = {entrant_id: _Tally() for entrant_id in people}
    for match in matches:
        total = sum(match.points.values())
        for entrant_id, own in match.points.items():
            tallies[entrant_id].add(own, total - own, _outcome(match, entrant_id))
    order = sorted(
        people,
        key=lambda one: ([-part for part in tallies[one].key], people[one][0].casefold(), people[one][1]),
    )
    rows: list[Row] = []
    for place, entrant_id in enumerate(order, start=1):
        tied = rows and tallies[rows[-1].entrant_id].key == tallies[entrant_id].key
        rows.append(_row(rows[-1].rank if tied else place, entrant_id, people[entrant_id], tallies[entrant_id]))
    return rows


def _outcome(match: Played, entrant_id: int) -> Outcome:
    if match.winner is None:
        return Outcome.DRAWN
    return Outcome.WON if match.winner == entrant_id else Outcome.LOST


def _row(rank: int, entrant_id: int, person: tuple[str, str], tally: _Tally) -> Row:
    count = tally.outcomes.count
    return Row(
        rank=rank,
        entrant_id=entrant_id,
        name=person[0],
        code=person[1],
        played=len(tally.outcomes),
        won=count(Outcome.WON),
        drawn=count(Outcome.DRAWN),
        lost=count(Outcome.LOST),
        points_for=tally.points_for,
        points_against=tally.points_against,
        difference=tally.points_for - tally.points_against,
        form=tally.outcomes[-FORM:],
    )
