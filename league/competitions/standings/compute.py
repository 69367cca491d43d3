"""Table by a list of tie-breaks (COMPETITIONS.md, standings and tie-breaks).

Pure: plain values in, plain values out. The tie-breaks are defined in league/competitions/standings/tiebreaks/.
"""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import accumulate, combinations, groupby

from league.competitions.standings.tiebreaks.crosstable import (
    Bout,
    Crosstable,
    HowPlayed,
    Outcome,
    Played,
    Scoring,
    crosstable,
)
from league.competitions.standings.tiebreaks.figures import Figure, Number, plain
from league.competitions.standings.tiebreaks.registry import TIE_BREAKS

__all__ = [
    "USUAL",
    "Encounters",
    "Figure",
    "HowPlayed",
    "Meeting",
    "Outcome",
    "Played",
    "Row",
    "Scoring",
    "table",
]

FORM = 5
# Points for a win in a direct encounter; a draw gives half.
POINTS_A_WIN = 2
USUAL = ("wins", "difference", "points_for")


@dataclass(frozen=True, slots=True)
class Meeting:
    """A finished match against a tied entrant, from one side's view."""

    opponent_id: int
    own: int
    other: Number
    outcome: Outcome


@dataclass(frozen=True, slots=True)
class Encounters:
    """An entrant's result in the table of the tied entrants only.

    `points` from the `meetings`: 2 for a win, 1 for a draw. `missing`: number of matches with them still to play.
    `still_open`: missing matches among the tied could change the place, so none is given.
    """

    tied: tuple[int, ...]
    points: int
    meetings: tuple[Meeting, ...]
    missing: int
    still_open: bool


@dataclass(frozen=True, slots=True)
class Row:
    """A row of the table, with the numbers that place it.

    Rows level in all tie-breaks share a rank. Entrants who left have rank 0, and stand after all others.

    At tables of more than two, `won` counts sole first places, `drawn` shared first places, `match_points` are points
    by place, and `points_against` sums the mean of the others' points. `places`: the latest places there, newest last;
    0 if absent.

    `direct`: comparisons by direct encounter, first among all the tied, then among those still level; empty if never
    tied. `figures`: all other tie-breaks in the order, by key.
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
    points_against: Number
    difference: Number
    form: list[Outcome]
    direct: tuple[Encounters, ...] = ()
    match_points: Number = 0
    figures: Mapping[str, Figure] = field(default_factory=dict)
    places: tuple[int, ...] = ()

    def answers_to(self, codes: Collection[str]) -> bool:
        """Tell whether a code is that of the entrant, or of either partner of a pair."""
        return self.code in codes or any(one in codes for one in self.code.split("-"))


def table(
    entrants: Iterable[tuple[int, str, str]],
    matches: Sequence[Played],
    *,
    order: Sequence[str] = USUAL,
    missing: Iterable[tuple[int, int]] = (),
    scoring: Scoring | None = None,
) -> list[Row]:
    """Compute the standings of `entrants` (id, name, code) after `matches`.

    `matches` are in the order of play; `missing`: the two entrants of every upcoming match.

    `order`: keys of TIE_BREAKS; each separates entrants level in those before. Rows level in all
    share a rank, sorted by name and code, so that the order never depends on the database. Entrants of `scoring.left`
    follow in the same order, without a rank. Raises KeyError for a match with an unknown entrant.
    """
    scoring = scoring or Scoring()
    people = {entrant_id: (name, code) for entrant_id, name, code in entrants}
    standing = _Standing(crosstable(people, matches, scoring, missing))
    by_name = sorted(people, key=lambda one: (people[one][0].casefold(), people[one][1]))
    standing.compute(order, by_name)
    rows: list[Row] = []
    for group in standing.placed([one for one in by_name if one not in scoring.left], order):
        rank = len(rows) + 1
        rows += [standing.row(rank, one, people[one]) for one in group]
    gone = standing.placed([one for one in by_name if one in scoring.left], order)
    return rows + [standing.row(0, one, people[one]) for group in gone for one in group]


@dataclass(frozen=True, slots=True)
class _Standing:
    """Crosstable, figures, and the direct encounters found while placing."""

    table: Crosstable
    figures: dict[int, dict[str, Figure]] = field(default_factory=dict)
    direct: dict[int, list[Encounters]] = field(default_factory=dict)

    def compute(self, keys: Sequence[str], entrant_ids: Iterable[int]) -> None:
        figures = {key: figure for key in keys if (figure := TIE_BREAKS[key].figure)}
        for one in entrant_ids:
            self.figures[one] = {key: figure(self.table, one) for key, figure in figures.items()}

    def placed(self, entrant_ids: list[int], order: Iterable[str]) -> list[list[int]]:
        """Group these entrants by place, best first."""
        groups = [entrant_ids] if entrant_ids else []
        for key in order:
            groups = [part for group in groups for part in self.parted(group, key)]
        return groups

    def parted(self, group: list[int], key: str) -> list[list[int]]:
        """Split a group by a tie-break, best first; level entrants keep their order."""
        if len(group) == 1:
            return [group]
        if TIE_BREAKS[key].splits_group:
            return self._by_direct_encounter(group)
        sign = -1 if TIE_BREAKS[key].lowest_first else 1
        return _by(group, lambda one: _placing(self.figures[one][key].value, sign))

    def _by_direct_encounter(self, group: list[int]) -> list[list[int]]:
        """Split a group by direct encounter, as far as missing matches cannot change it.

        Entrants who are then level, with no match missing, are compared again among themselves. If wins split nobody,
        the points difference among them does, then the points for among them, where the competition says so; after
        each step those still level are compared again. In a Swiss system
        missing matches are never played: either one entrant is surely first, and the others are compared again without
        them, or the group is not split (FIDE C.07 6.3).
        """
        tied = set(group)
        meetings = {one: self._meetings(one, tied) for one in group}
        points = {one: sum(_points(met) for met in meetings[one]) for one in group}
        missing = Counter(one for pair in self._missing(tied, meetings) for one in pair)
        parts = _surely_apart(group, points, missing)
        if self.table.scoring.paired and missing:
            parts = _first_alone(group, parts)
        for part in parts:
            still_open = (
                any(missing[one] for one in part) and len(part) > 1 and not self._goes_again(part, group, missing)
            )
            for one in part:
                found = Encounters(tuple(group), points[one], tuple(meetings[one]), missing[one], still_open)
                self.direct.setdefault(one, []).append(found)
        if len(parts) == 1 and self.table.scoring.direct_by_points and not missing:
            parts = _by_points(group, meetings)
        return [again for part in parts for again in self._again(part, group, missing)]

    def _meetings(self, one: int, tied: set[int]) -> list[Meeting]:
        bouts = (bout for bout in self.table.bouts[one] if bout.opponent_id in tied and self.table.as_played(bout))
        return [_meeting(bout) for bout in bouts]

    def _missing(self, tied: set[int], meetings: Mapping[int, Sequence[Meeting]]) -> list[tuple[int, int]]:
        """List the missing matches among tied entrants.

        In rounds paired by results every pair that did not meet at the table counts as missing (FIDE C.07 6.3).
        """
        if not self.table.scoring.paired:
            return [pair for pair in self.table.missing if tied.issuperset(pair)]
        met = {(one, meeting.opponent_id) for one in tied for meeting in meetings[one]}
        return [pair for pair in combinations(sorted(tied), 2) if pair not in met]

    def _again(self, part: list[int], group: list[int], missing: Mapping[int, int]) -> list[list[int]]:
        return self._by_direct_encounter(part) if self._goes_again(part, group, missing) else [part]

    def _goes_again(self, part: Sequence[int], group: Sequence[int], missing: Mapping[int, int]) -> bool:
        settled = self.table.scoring.paired or not any(missing[one] for one in part)
        return settled and 1 < len(part) < len(group)

    def row(self, rank: int, entrant_id: int, person: tuple[str, str]) -> Row:
        bouts = self.table.bouts[entrant_id]
        outcomes = [bout.outcome for bout in bouts if bout.outcome is not None]
        made, given = sum(bout.own for bout in bouts), plain(sum(bout.other for bout in bouts))
        return Row(
            rank=rank,
            entrant_id=entrant_id,
            name=person[0],
            code=person[1],
            played=len(outcomes),
            won=outcomes.count(Outcome.WON),
            drawn=outcomes.count(Outcome.DRAWN),
            lost=outcomes.count(Outcome.LOST),
            points_for=made,
            points_against=given,
            difference=plain(made - given),
            form=outcomes[-FORM:],
            places=tuple(bout.place for bout in bouts if bout.others)[-FORM:],
            direct=tuple(self.direct.get(entrant_id, ())),
            match_points=plain(self.table.scores[entrant_id] + self.table.scoring.bonus.get(entrant_id, 0)),
            figures=self.figures[entrant_id],
        )


def _by(group: Iterable[int], number: Callable[[int], tuple[bool, Number]]) -> list[list[int]]:
    best_first = sorted(group, key=number, reverse=True)
    return [list(part) for _number, part in groupby(best_first, key=number)]


def _placing(value: Number | None, sign: int) -> tuple[bool, Number]:
    """Sort key that places entrants without a number last."""
    return value is not None, sign * (value or 0)


def _meeting(bout: Bout) -> Meeting:
    return Meeting(bout.opponent_id, bout.own, bout.other, bout.outcome)  # type: ignore[arg-type]  # of two who met


def _by_points(group: Sequence[int], meetings: Mapping[int, Sequence[Meeting]]) -> list[list[int]]:
    """Split a group with as many wins by the points difference among them, else by the points for."""
    difference = {one: sum(met.own - met.other for met in meetings[one]) for one in group}
    points_for = {one: sum(met.own for met in meetings[one]) for one in group}
    parts = _by(group, lambda one: (True, difference[one]))
    return parts if len(parts) > 1 else _by(group, lambda one: (True, points_for[one]))


def _points(meeting: Meeting) -> int:
    return {Outcome.WON: POINTS_A_WIN, Outcome.DRAWN: POINTS_A_WIN // 2, Outcome.LOST: 0}[meeting.outcome]


def _surely_apart(group: Sequence[int], least: Mapping[int, int], missing: Mapping[int, int]) -> list[list[int]]:
    """Split a group where every possible end of the missing matches keeps the order.

    Each entrant of an earlier part has more points than any of a later part, even if they lose all missing matches and
    the others win all.
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


def _first_alone(group: Sequence[int], parts: Sequence[list[int]]) -> list[list[int]]:
    first = parts[0]
    return [first, [one for one in group if one not in first]] if len(first) == 1 < len(group) else [list(group)]
