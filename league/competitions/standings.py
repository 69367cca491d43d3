"""The table of a round robin by an ordered list of tie-breaks (COMPETITIONS.md, standings and tie-breaks). Pure: plain
values in, plain values out.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from itertools import accumulate, groupby

FORM = 5
# Of a direct encounter; a draw is worth half of it.
POINTS_A_WIN = 2
USUAL = ("wins", "difference", "points_for")


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
class Meeting:
    """A finished match with one of those level, from one's own side."""

    opponent_id: int
    own: int
    other: int
    outcome: Outcome


@dataclass(frozen=True, slots=True)
class Encounters:
    """One entrant in the table among the tied only: `points` from the `meetings` (2 for a win, 1 where nobody won),
    and how many matches with them are `missing`. `still_open`: the missing ones among the tied could change the place,
    so none is given.
    """

    tied: tuple[int, ...]
    points: int
    meetings: tuple[Meeting, ...]
    missing: int
    still_open: bool


@dataclass(frozen=True, slots=True)
class Row:
    """A line of the table with the numbers that place it. Level in all tie-breaks means the same rank.

    `direct`: what the direct encounter compared, among all the tied first, then among those still level; empty where
    nobody was level.
    """

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
    direct: tuple[Encounters, ...] = ()


@dataclass(slots=True)
class _Tally:
    points_for: int = 0
    points_against: int = 0
    outcomes: list[Outcome] = field(default_factory=list)
    meetings: list[Meeting] = field(default_factory=list)

    def add(self, meeting: Meeting) -> None:
        self.points_for += meeting.own
        self.points_against += meeting.other
        self.outcomes.append(meeting.outcome)
        self.meetings.append(meeting)


# Each is highest first.
NUMBERS: Mapping[str, Callable[[_Tally], int]] = {
    "wins": lambda tally: tally.outcomes.count(Outcome.WON),
    "difference": lambda tally: tally.points_for - tally.points_against,
    "points_for": lambda tally: tally.points_for,
}
DIRECT_ENCOUNTER = "direct_encounter"


def table(
    entrants: Iterable[tuple[int, str, str]],
    matches: Sequence[Played],
    *,
    order: Sequence[str] = USUAL,
    missing: Iterable[tuple[int, int]] = (),
) -> list[Row]:
    """The standings of `entrants` (id, name, code) after `matches`, which are given in the order they were played;
    `missing`: the two of every match that is still to come.

    `order`: keys of NUMBERS, or DIRECT_ENCOUNTER; each parts those whom the ones before it left level. Rows level in
    all share a rank and stand by name, then code, so that the order never depends on the database. A match with
    somebody who is not an entrant is an error (KeyError).
    """
    people = {entrant_id: (name, code) for entrant_id, name, code in entrants}
    standing = _Standing(_tallies(people, matches), list(missing))
    by_name = sorted(people, key=lambda one: (people[one][0].casefold(), people[one][1]))
    groups = [by_name] if by_name else []
    for key in order:
        groups = [part for group in groups for part in standing.parted(group, key)]
    rows: list[Row] = []
    for group in groups:
        rank = len(rows) + 1
        rows += [standing.row(rank, one, people[one]) for one in group]
    return rows


def _tallies(people: Iterable[int], matches: Iterable[Played]) -> dict[int, _Tally]:
    tallies = {one: _Tally() for one in people}
    for match in matches:
        for own, other in (tuple(match.points), tuple(match.points)[::-1]):
            meeting = Meeting(other, match.points[own], match.points[other], _outcome(match, own))
            tallies[own].add(meeting)
    return tallies


def _outcome(match: Played, entrant_id: int) -> Outcome:
    if match.winner is None:
        return Outcome.DRAWN
    return Outcome.WON if match.winner == entrant_id else Outcome.LOST


@dataclass(frozen=True, slots=True)
class _Standing:
    """What placing needs, and the direct encounters that were looked at on the way."""

    tallies: Mapping[int, _Tally]
    missing: Sequence[tuple[int, int]]
    direct: dict[int, list[Encounters]] = field(default_factory=dict)

    def parted(self, group: list[int], key: str) -> list[list[int]]:
        """The group in parts, best first; those of a part are still level and stay in their order."""
        if len(group) == 1:
            return [group]
        if key == DIRECT_ENCOUNTER:
            return self._by_direct_encounter(group)
        return _by(group, lambda one: NUMBERS[key](self.tallies[one]))

    def _by_direct_encounter(self, group: list[int]) -> list[list[int]]:
        """Parted where no missing match among the group could change who is before whom. Those who then stand level
        with no match missing are compared again among themselves.
        """
        tied = set(group)
        meetings = {one: [met for met in self.tallies[one].meetings if met.opponent_id in tied] for one in group}
        points = {one: sum(_points(met) for met in meetings[one]) for one in group}
        open_pairs = [pair for pair in self.missing if tied.issuperset(pair)]
        missing = Counter(one for pair in open_pairs for one in pair)
        parts = _surely_apart(group, points, missing)
        for part in parts:
            still_open = len(part) > 1 and any(missing[one] for one in part)
            for one in part:
                found = Encounters(tuple(group), points[one], tuple(meetings[one]), missing[one], still_open)
                self.direct.setdefault(one, []).append(found)
        return [again for part in parts for again in self._again(part, group, missing)]

    def _again(self, part: list[int], group: list[int], missing: Mapping[int, int]) -> list[list[int]]:
        settled = not any(missing[one] for one in part)
        return self._by_direct_encounter(part) if settled and 1 < len(part) < len(group) else [part]

    def row(self, rank: int, entrant_id: int, person: tuple[str, str]) -> Row:
        tally = self.tallies[entrant_id]
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
            direct=tuple(self.direct.get(entrant_id, ())),
        )


def _by(group: Iterable[int], number: Callable[[int], int]) -> list[list[int]]:
    best_first = sorted(group, key=number, reverse=True)
    return [list(part) for _number, part in groupby(best_first, key=number)]


def _points(meeting: Meeting) -> int:
    return {Outcome.WON: POINTS_A_WIN, Outcome.DRAWN: POINTS_A_WIN // 2, Outcome.LOST: 0}[meeting.outcome]


def _surely_apart(group: Sequence[int], least: Mapping[int, int], missing: Mapping[int, int]) -> list[list[int]]:
    """Parts such that whoever is in an earlier one has more points than anybody in a later one, however the missing
    matches end: the one loses all of them, the other wins all.
    """
    best_first = sorted(group, key=lambda one: -least[one])
    most = [least[one] + POINTS_A_WIN * missing[one] for one in best_first]
    most_from_here = list(accumulate(reversed(most), max))[::-1]
    parts: list[set[int]] = []
    for place, one in enumerate(best_first):
        if place == 0 or least[best_first[place - 1]] > most_from_here[place]:
            parts.append(set())
        parts[-1].add(one)
    return [[one for one in group if one in part] for part in parts]
