"""Explanation for the organizer if the constraints leave no round. Pure."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import combinations

from league.competitions.formats.swiss.matching import left_over
from league.competitions.formats.swiss.ranks import Ranks, bye_classes
from league.competitions.formats.swiss.values import Contender, Lift, NoPairing

FEWEST_IN_A_ROUND = 2


@dataclass(frozen=True, slots=True)
class RoundWish:
    """All constraints of a round. `locked` and `apart` are pairs of ids."""

    contenders: tuple[Contender, ...]
    locked: tuple[tuple[int, int], ...] = ()
    apart: tuple[tuple[int, int], ...] = ()
    allow_rematch: bool = False
    allow_second_bye: bool = False

    @property
    def free(self) -> list[Contender]:
        """Contenders not in a locked pair."""
        taken = {id_ for pair in self.locked for id_ in pair}
        return [one for one in self.contenders if one.id not in taken]

    def without(self, lifts: Collection[Lift]) -> "RoundWish":
        return RoundWish(
            self.contenders,
            () if Lift.LOCKED in lifts else self.locked,
            () if Lift.APART in lifts else self.apart,
            self.allow_rematch or Lift.REMATCHES in lifts,
            self.allow_second_bye or Lift.BYES in lifts,
        )


def refuse_contradictions(wanted: RoundWish) -> None:
    """Refuse contradictions that no pairing can solve.

    Raises NoPairing for too few contenders, or a locked pair against another constraint.
    """
    ids = {one.id for one in wanted.contenders}
    if len(wanted.contenders) < FEWEST_IN_A_ROUND:
        raise NoPairing("too-few", tuple(sorted(ids)))
    if len(ids) < len(wanted.contenders):
        raise ValueError("somebody stands twice among the contenders")
    met = {one.id: one.met for one in wanted.contenders}
    apart = {frozenset(pair) for pair in wanted.apart}
    seen: set[int] = set()
    for pair in wanted.locked:
        if not ids.issuperset(pair) or len(set(pair)) < len(pair):
            raise NoPairing("locked-unknown", pair, (Lift.LOCKED,))
        if seen.intersection(pair):
            raise NoPairing("locked-twice", tuple(sorted(seen.intersection(pair))), (Lift.LOCKED,))
        if frozenset(pair) in apart:
            raise NoPairing("locked-apart", pair, (Lift.LOCKED,))
        if pair[1] in met[pair[0]] and not wanted.allow_rematch:
            raise NoPairing("locked-rematch", pair, (Lift.LOCKED,))
        seen.update(pair)


def what_stands_in_the_way(wanted: RoundWish) -> NoPairing:
    """Find the smallest set of constraints to lift, in the order of `Lift`."""
    alone = _alone(wanted)
    for many in range(1, len(Lift) + 1):
        for lifts in combinations(Lift, many):
            if not _alone(wanted.without(lifts)):
                return NoPairing(lifts[0].value, tuple(sorted(alone)), lifts)
    raise AssertionError("two or more can always be paired when nothing is asked of the pairs")


def _alone(wanted: RoundWish) -> Sequence[int]:
    """List ids without any possible opponent, or those unpaired in a largest matching."""
    free = wanted.free
    ranks = Ranks(free, wanted.apart)
    takers: list[int] = []
    if len(ranks) % 2:
        takers = [i for one in bye_classes(ranks.everybody, second=wanted.allow_second_bye) for i in one]
    barred = ranks.barred(rematch=wanted.allow_rematch)
    stranded = [i for i in range(len(ranks)) if i not in takers and len(barred[i]) == len(ranks) - 1]
    left = stranded or left_over(ranks, takers, rematch=wanted.allow_rematch)
    return [ranks.everybody[i].id for i in left if i < len(ranks)]
