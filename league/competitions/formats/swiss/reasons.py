"""Table order of a round, leaders, and reasons of the pairs. Pure."""

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from league.competitions.formats.swiss.matching import left_over
from league.competitions.formats.swiss.ranks import Ranks, again
from league.competitions.formats.swiss.values import Because, Contender, PairingReason, SwissPair


@dataclass(frozen=True, slots=True)
class AtTable:
    """Two positions, the better first; `locked` if set by an organizer."""

    better: int
    other: int
    locked: bool = False


def explained(ranks: Ranks, pairs: Sequence[tuple[int, int]], locked: Collection[tuple[int, int]]) -> list[SwissPair]:
    """Sort the pairs of a round as in FIDE C.04.2, 3.6, with leaders and reasons.

    By the better score, then the sum of both, then the better number. `pairs` and `locked` are positions, the better
    first.
    """
    everybody = ranks.everybody
    tables = [AtTable(i, j) for i, j in pairs] + [AtTable(i, j, locked=True) for i, j in locked]
    tables.sort(key=lambda one: (-everybody[one.better].score, -everybody[one.other].score, one.better))
    halves, leaving = _halves(ranks, pairs), _float_reasons(ranks, pairs)
    made = []
    turn = 0
    for table in tables:
        better, other = everybody[table.better], everybody[table.other]
        side, first = _leader(better, other, turn)
        turn += side.code == PairingReason.SIDES_TURN
        second = other if first is better else better
        reasons = (*_why(ranks, table, halves, leaving), side)
        made.append(SwissPair(first.id, second.id, reasons, better.score - other.score))
    return made


def why_bye(ranks: Ranks, position: int) -> tuple[Because, ...]:
    """Give the reasons for the bye of a position."""
    one, lowest = ranks.everybody[position], ranks.everybody[-1].score
    size = len(ranks.groups[ranks.group[position]])
    last = Because(PairingReason.BYE_LAST, {"place": ranks.place[position] + 1, "size": size})
    if one.score == lowest:
        reasons = [Because(PairingReason.BYE_LOWEST, {"score": lowest}), last]
    else:
        reasons = [Because(PairingReason.BYE_HIGHER, {"score": one.score, "lowest": lowest}), last]
    if one.byes:
        fewest = min(other.byes for other in ranks.everybody)
        code = PairingReason.BYE_AGAIN if one.byes == fewest else PairingReason.BYE_FORCED
        reasons.append(Because(code, {"byes": one.byes}))
    return tuple(reasons)


def _leader(better: Contender, other: Contender, turn: int) -> tuple[Because, Contender]:
    """Choose the leader, with the reason.

    The one with fewer leads; else the one who did not lead last; else the better number on every second such table.
    """
    if better.leads != other.leads:
        first, second = sorted((better, other), key=lambda one: one.leads)
        return Because(PairingReason.SIDES_BALANCE, {"first": first.leads, "second": second.leads}), first
    if (one_last := _last(better)) != (other_last := _last(other)):
        first = better if one_last < other_last else other
        return Because(PairingReason.SIDES_LAST, {}), first
    by_number = sorted((better, other), key=lambda one: (one.number, one.id))
    return Because(PairingReason.SIDES_TURN, {}), by_number[turn % 2]


def _last(one: Contender) -> int:
    """Give 1 if the last match was led, -1 if not, 0 before the first."""
    return 0 if one.led_last is None else (1 if one.led_last else -1)


def _halves(ranks: Ranks, pairs: Sequence[tuple[int, int]]) -> Mapping[int, tuple[int, int]]:
    """Give (half, place in it from 1) of positions paired within their score group.

    0 is the top half.
    """
    inside = [pair for pair in pairs if ranks.group[pair[0]] == ranks.group[pair[1]]]
    found: dict[int, tuple[int, int]] = {}
    for group in ranks.groups:
        here = sorted(position for pair in inside for position in pair if position in group)
        half = len(here) // 2
        found |= {position: divmod(place, half) for place, position in enumerate(here)}
    return {position: (half, place + 1) for position, (half, place) in found.items()}


def _float_reasons(ranks: Ranks, pairs: Sequence[tuple[int, int]]) -> Mapping[int, Because]:
    """Return the reason for the downfloats of each score group."""
    group = ranks.group
    down = [i for i, j in pairs if group[i] != group[j]]
    up = {j for i, j in pairs if group[i] != group[j]}
    left: dict[int, list[int]] = {}
    for position in sorted(position for pair in pairs for position in pair if position not in up):
        left.setdefault(group[position], []).append(position)
    counts = Counter(group[position] for position in down)
    return {number: _float_reason(ranks, left[number], count) for number, count in counts.items()}


def _float_reason(ranks: Ranks, left: Sequence[int], down: int) -> Because:
    """Give the reason for `down` downfloats from the rest (`left`) of a group."""
    score, size = ranks.everybody[left[0]].score, len(ranks.groups[ranks.group[left[0]]])
    if down == len(left) % 2 and len(left) == size:
        return Because(PairingReason.ODD_GROUP, {"score": score, "size": size})
    if down == len(left) % 2:
        return Because(PairingReason.ODD_REST, {"score": score, "size": size, "left": len(left)})
    ids = {position: ranks.everybody[position].id for position in left}
    apart = [(ids[i], ids[j]) for i in left for j in ranks.apart[i] if j in ids]
    alone = len(left_over(Ranks((ranks.everybody[position] for position in left), apart)))
    if down > alone:
        return Because(PairingReason.BEST_ROUND, {"score": score})
    pairs = (len(left) - alone) // 2
    return Because(PairingReason.UNPAIRABLE_GROUP, {"score": score, "left": len(left), "pairs": pairs})


def _why(
    ranks: Ranks, table: AtTable, halves: Mapping[int, tuple[int, int]], leaving: Mapping[int, Because]
) -> Iterator[Because]:
    better, other = ranks.everybody[table.better], ranks.everybody[table.other]
    if table.locked:
        yield Because(PairingReason.LOCKED, {})
    elif better.score == other.score:
        yield Because(PairingReason.SAME_SCORE, {"score": better.score})
        yield _fold(ranks, table, halves)
    else:
        yield Because(PairingReason.FLOAT, {"higher": better.score, "lower": other.score})
        yield from _floated(ranks, table, leaving)
    if table.other in ranks.met[table.better]:
        yield Because(PairingReason.REMATCH, {})
    if ranks.mates(table.better, table.other):
        yield Because(PairingReason.CLUB_MATES, {})


def _fold(ranks: Ranks, table: AtTable, halves: Mapping[int, tuple[int, int]]) -> Because:
    (half, place), (other_half, other_place) = halves[table.better], halves[table.other]
    if half == other_half:
        higher, lower = ranks.place[table.better] + 1, ranks.place[table.other] + 1
        return Because(PairingReason.SAME_HALF, {"higher": higher, "lower": lower})
    code = PairingReason.FOLD if place == other_place else PairingReason.OFF_FOLD
    return Because(code, {"top": place, "bottom": other_place})


def _floated(ranks: Ranks, table: AtTable, leaving: Mapping[int, Because]) -> Iterator[Because]:
    better, other = ranks.everybody[table.better], ranks.everybody[table.other]
    group = ranks.groups[ranks.group[table.better]]
    barred = ranks.met[table.better] | ranks.apart[table.better]
    if not set(group) - barred - {table.better}:
        yield Because(PairingReason.MET_ALL, {"entrant": better.id, "score": better.score})
    else:
        yield leaving[ranks.group[table.better]]
    for one, direction in ((better, 1), (other, -1)):
        if again(one, direction):
            yield Because(PairingReason.FLOATED_BEFORE, {"entrant": one.id})
