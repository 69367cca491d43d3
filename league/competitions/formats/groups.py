"""Group stage, and qualification for the knock-out (COMPETITIONS.md). Pure."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate, groupby, pairwise, zip_longest

from league.competitions.formats.club_separation import kept_apart
from league.competitions.formats.drawn import DrawnBerth, DrawnRound, DrawnSlot, RoundKind
from league.competitions.formats.round_robin import round_robin

FEWEST_IN_A_GROUP = 2


@dataclass(frozen=True, slots=True)
class GroupPlace:
    """Place of an entrant in a group, both from 1, after `played` matches.

    Entrants with the same place are level. `totals`: the tie-breaks, each highest first, in the organizer's order:
    matches won, points difference …
    """

    entrant: int
    seed: int
    group: int
    place: int
    played: int
    totals: tuple[int | Fraction, ...]

    @property
    def averages(self) -> tuple[Fraction, ...]:
        """Each total divided by matches played; 0 without matches."""
        return tuple(Fraction(total, self.played or 1) for total in self.totals)


@dataclass(frozen=True, slots=True)
class Qualifier:
    """An entrant who qualifies.

    `place`: in the group, from 1, unique. `among_the_rest`: qualified as one of the best of the next-placed.
    `only_by_seed`: an entrant who does not qualify is level in all tie-breaks, so only the seed decided; organizers may
    want a lot or a play-off.
    """

    entrant: int
    group: int
    place: int
    among_the_rest: bool = False
    only_by_seed: bool = False


def snake(n: int, groups: int) -> list[list[int]]:
    """Give the seeds of each group, dealt forwards and backwards in turn.

    Seeds 1, 2, 3 go to the groups in order, 4, 5, 6 in reverse order, and so on. Sizes differ by at most one.

    Raises ValueError if a group would have fewer than two.

    >>> snake(8, 3)
    [[1, 6, 7], [2, 5, 8], [3, 4]]
    """
    if groups < 1 or n < FEWEST_IN_A_GROUP * groups:
        raise ValueError(f"{n} entrants do not make {groups} groups of two or more")
    found: list[list[int]] = [[] for _group in range(groups)]
    for seed in range(1, n + 1):
        lap, step = divmod(seed - 1, groups)
        found[groups - 1 - step if lap % 2 else step].append(seed)
    return found


def group_stage(n: int, groups: int, *, double: bool = False) -> list[DrawnRound]:
    """Draw all groups side by side: round k has round k of each group's Berger table.

    A group's slots are consecutive. A group of odd size has byes, and a smaller group may finish a round or two
    (double: up to four) before the others.

    Raises as `snake`.
    """
    drawn = [
        [_of_group(number, seeds, one) for one in round_robin(len(seeds), double=double)]
        for number, seeds in enumerate(snake(n, groups), start=1)
    ]
    return [
        DrawnRound(RoundKind.PLAIN, tuple(slot for slots in side_by_side for slot in slots))
        for side_by_side in zip_longest(*drawn, fillvalue=())
    ]


def _of_group(number: int, seeds: Sequence[int], one: DrawnRound) -> tuple[DrawnSlot, ...]:
    return tuple(
        DrawnSlot(tuple(DrawnBerth(seeds[berth.seed - 1]) for berth in slot.berths if berth.seed), group=number)
        for slot in one.slots
    )


def qualifiers(places: Iterable[GroupPlace], *, best: int, rest: int = 0, may_lack: bool = False) -> list[Qualifier]:
    """Give the `best` of each group, and the best `rest` of the next-placed.

    In the order of merit: winners, seconds, …, the rest. Entrants of different groups are compared by averages per
    match, because groups may differ by one entrant and a total would favour the larger; then by seed. The same order
    separates entrants who share a place in their group.

    Raises ValueError if nobody would qualify, a group has fewer than `best`, or fewer than `rest` are next-placed;
    not with `may_lack`, if entrants have left: then as many qualify as there are.
    """
    groups = _by_group(places)
    tiers = [_tier(groups, place) for place in range(1, best + 2)]
    fewest = min(map(len, groups), default=0)
    if not may_lack and not (0 <= best <= fewest and 0 <= rest <= len(tiers[-1]) and best + rest):
        raise ValueError(f"groups of {[*map(len, groups)]} do not yield the best {best} of each and {rest} of the rest")
    through = [(one, place) for place, tier in enumerate(tiers[:-1], start=1) for one in tier]
    through += [(one, best + 1) for one in tiers[-1][:rest]]
    behind = {one for group in groups for one in group} - {one for one, _place in through}
    next_placed = [one for one in tiers[-1][rest:] if rest]
    return [
        Qualifier(
            one.entrant,
            one.group,
            place,
            among_the_rest=place > best,
            only_by_seed=_is_level(one, behind, next_placed if place > best else ()),
        )
        for one, place in through
    ]


def _by_group(places: Iterable[GroupPlace]) -> list[list[GroupPlace]]:
    """Sort each group by place, ties by merit, so that each place is unique."""
    ordered = sorted(places, key=lambda one: (one.group, one.place, _merit(one)))
    return [list(group) for _number, group in groupby(ordered, key=lambda one: one.group)]


def _tier(groups: Sequence[Sequence[GroupPlace]], place: int) -> list[GroupPlace]:
    """List the entrants at this place, from 1, of all groups, best first."""
    return sorted((group[place - 1] for group in groups if len(group) >= place), key=_merit)


def _merit(one: GroupPlace) -> tuple[tuple[Fraction, ...], int]:
    return tuple(-average for average in one.averages), one.seed


def _is_level(one: GroupPlace, behind: Iterable[GroupPlace], rivals: Iterable[GroupPlace]) -> bool:
    """Tell whether an entrant is level with another who does not qualify.

    Either one `behind` with the same group and place, or one of the `rivals` from other groups.
    """
    mates = {other.averages for other in behind if (other.group, other.place) == (one.group, one.place)}
    return one.averages in mates | {other.averages for other in rivals}


def knockout_seeds(through: Sequence[Qualifier]) -> list[int]:
    """List the entrants by their seed in a `single_elimination`, first seed first.

    Winners keep their order, and all winners precede all seconds, and so on. Seeds are changed only among seconds
    (among thirds, among the rest), so that entrants of the same group meet as late as possible. `through`: from
    `qualifiers`.
    """
    sizes = [len(list(tier)) for _place, tier in groupby(through, key=lambda one: one.place)]
    tiers = [range(start, end) for start, end in pairwise(accumulate(sizes))]
    return [through[index].entrant for index in kept_apart([one.group for one in through], tiers)]
