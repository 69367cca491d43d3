"""Final places an entrant can still reach, also after the next match. Pure."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product, takewhile

from league.competitions.standings.compute import Outcome, Played, Row, Scoring, table
from league.competitions.standings.tiebreaks.registry import TIE_BREAKS

MOST_ROWS = 500
"""Most table rows computed to enumerate all ends of open matches.

With more of them only bounds are computed.
"""

Pair = tuple[int, int]


@dataclass(frozen=True, slots=True)
class AfterNext:
    """Reachable final places after this outcome of the next match, whatever the score."""

    outcome: Outcome
    best: int
    worst: int


@dataclass(frozen=True, slots=True)
class Prospect:
    """Reachable final places of an entrant: from `best` to `worst`.

    `exact`: all ends of the open matches were enumerated, and both places are reachable as far as winners decide.
    Otherwise they are bounds, and later matches may exclude them. `after_next` is empty if the next match is unknown.
    """

    best: int
    worst: int
    exact: bool
    next_opponent: int | None = None
    after_next: tuple[AfterNext, ...] = ()


@dataclass(frozen=True, slots=True)
class TableOutlook:
    """Reachable final places of all entrants of a table.

    `ends`: knowledge of its open matches; `following`: the two entrants of each entrant's next match. `exact` as in
    `Prospect`.
    """

    ends: "_Enumerated | _Bounds"
    following: Mapping[int, Pair]
    exact: bool

    def of(self, entrant_id: int) -> Prospect:
        following = self.following.get(entrant_id)
        return _prospect(self.ends.places(entrant_id, following), following, entrant_id, exact=self.exact)


def outlook(
    entrants: Sequence[tuple[int, str, str]],
    matches: Sequence[Played],
    *,
    order: Sequence[str],
    missing: Sequence[Pair],
    scoring: Scoring | None = None,
    unpaired_rounds: int = 0,
) -> TableOutlook | None:
    """Compute the reachable places of all entrants who have not left.

    `missing`: the two entrants of every upcoming match, in the order of rounds. `unpaired_rounds`: number of rounds
    still to be paired. None if nothing is to be played, or if the first tie-break in `order` depends on scores, not on
    winners.
    """
    scoring = scoring or Scoring()
    if not (missing or unpaired_rounds):
        return None
    following = {one: pair for pair in reversed(missing) for one in pair}
    rows = len(entrants) * 3 ** min(len(missing), MOST_ROWS)
    if not unpaired_rounds and rows <= MOST_ROWS and _decided_by_outcomes(order, scoring):
        return TableOutlook(_Enumerated(entrants, matches, order, missing, scoring), following, exact=True)
    bounds = _bounds(entrants, matches, order, missing, scoring, unpaired_rounds)
    return TableOutlook(bounds, following, exact=False) if bounds else None


def what_if(
    entrants: Sequence[tuple[int, str, str]],
    matches: Sequence[Played],
    entrant_id: int,
    *,
    order: Sequence[str],
    missing: Sequence[Pair],
    scoring: Scoring | None = None,
    unpaired_rounds: int = 0,
) -> Prospect | None:
    """Compute the reachable places of one entrant."""
    found = outlook(entrants, matches, order=order, missing=missing, scoring=scoring, unpaired_rounds=unpaired_rounds)
    return found.of(entrant_id) if found else None


def _prospect(
    places: Mapping[Outcome | None, Pair], following: Pair | None, entrant_id: int, *, exact: bool
) -> Prospect:
    opponent = next((one for one in following or () if one != entrant_id), None)
    told = tuple(AfterNext(end, *places[end]) for end in Outcome if end in places)
    best, worst = min(best for best, _worst in places.values()), max(worst for _best, worst in places.values())
    return Prospect(best, worst, exact, opponent, told)


def _decided_by_outcomes(order: Sequence[str], scoring: Scoring) -> list[str]:
    """Give the leading keys of an order that depend on winners only.

    A direct encounter that goes on by points is the last of them: its wins count, and its points are open.
    """
    keys = list(takewhile(lambda key: TIE_BREAKS[key].by_outcomes, order))
    splitting = next((at for at, key in enumerate(keys) if TIE_BREAKS[key].splits_group), None)
    return keys if splitting is None or not scoring.direct_by_points else keys[: splitting + 1]


@dataclass(frozen=True, slots=True)
class _Enumerated:
    """All ends of the open matches, draws included.

    Entrants still level before the first tie-break that depends on scores may finish in any order.
    """

    entrants: Sequence[tuple[int, str, str]]
    matches: Sequence[Played]
    order: Sequence[str]
    missing: Sequence[Pair]
    scoring: Scoring

    def places(self, entrant_id: int, following: Pair | None) -> dict[Outcome | None, Pair]:
        """Give (best, worst) by outcome of the next match; key None if there is none."""
        found: dict[Outcome | None, Pair] = {}
        for winners in product(*[(first, second, None) for first, second in self.missing]):
            best, worst = self._place(entrant_id, winners)
            end = _end(entrant_id, winners[self.missing.index(following)]) if following else None
            least, most = found.get(end, (best, worst))
            found[end] = (min(least, best), max(most, worst))
        return found

    def _place(self, entrant_id: int, winners: Sequence[int | None]) -> Pair:
        ended = [Played(dict.fromkeys(pair, 0), winner) for pair, winner in zip(self.missing, winners, strict=True)]
        order = _decided_by_outcomes(self.order, self.scoring)
        by_wins = replace(self.scoring, direct_by_points=False)
        rows = table(self.entrants, [*self.matches, *ended], order=order, scoring=by_wins)
        rank = next(row.rank for row in rows if row.entrant_id == entrant_id)
        level = sum(row.rank == rank for row in rows)
        points_open = self.scoring.direct_by_points and TIE_BREAKS[order[-1]].splits_group
        return rank, rank if len(order) == len(self.order) and not points_open else rank + level - 1


def _end(entrant_id: int, winner: int | None) -> Outcome:
    if winner is None:
        return Outcome.DRAWN
    return Outcome.WON if winner == entrant_id else Outcome.LOST


@dataclass(frozen=True, slots=True)
class _Bounds:
    """Bounds by the first tie-break: entrants who could be level may be in any order.

    `gains`: points of a match by outcome.
    """

    now: Mapping[int, int]
    to_come: Mapping[int, int]
    gains: Mapping[Outcome, int]

    def places(self, entrant_id: int, following: Pair | None) -> dict[Outcome | None, Pair]:
        if following is None:
            return {None: self._place(entrant_id, {})}
        opponent = next(one for one in following if one != entrant_id)
        back = {Outcome.WON: Outcome.LOST, Outcome.DRAWN: Outcome.DRAWN, Outcome.LOST: Outcome.WON}
        return {
            end: self._place(entrant_id, {entrant_id: self.gains[end], opponent: self.gains[back[end]]})
            for end in Outcome
        }

    def _place(self, entrant_id: int, fixed: Mapping[int, int]) -> Pair:
        spans = {one: self._span(one, fixed.get(one)) for one in self.now}
        least, most = spans.pop(entrant_id)
        before = sum(low > most for low, _high in spans.values())
        perhaps = sum(high >= least for _low, high in spans.values())
        return 1 + before, 1 + perhaps

    def _span(self, one: int, fixed: int | None) -> Pair:
        """Give the least and the most points that an entrant can finish with."""
        matches = self.to_come[one] - (fixed is not None)
        so_far = self.now[one] + (fixed or 0)
        return so_far + matches * min(self.gains.values()), so_far + matches * max(self.gains.values())


def _bounds(
    entrants: Sequence[tuple[int, str, str]],
    matches: Sequence[Played],
    order: Sequence[str],
    missing: Iterable[Pair],
    scoring: Scoring,
    unpaired_rounds: int,
) -> _Bounds | None:
    first = order[0] if order else ""
    gains = TIE_BREAKS[first].gains if order else None
    if gains is None:
        return None
    rows: list[Row] = table(entrants, matches, order=[first], scoring=scoring)
    to_come = Counter(one for pair in missing for one in pair)
    return _Bounds(
        now={row.entrant_id: int(row.figures[first].value or 0) for row in rows if row.rank},
        to_come={row.entrant_id: to_come[row.entrant_id] + unpaired_rounds for row in rows if row.rank},
        gains=gains(scoring),
    )
