"""Swiss pairing: contenders in, a round with reasons out (COMPETITIONS.md). Pure.

Absolute criteria: everybody once, no rematch, a second bye only if everybody has had one, the bye as low as possible.
Further criteria, each among the best rounds by those before: the sum of squared score differences, pairs of club
mates, second floats in the same direction within two rounds, closeness to the fold, balance of leads.
"""

from collections.abc import Iterable, Iterator, Sequence

from league.competitions.formats.swiss.history import Past, PastKind, SwissPoints, state_of
from league.competitions.formats.swiss.infeasible import RoundWish, refuse_contradictions, what_stands_in_the_way
from league.competitions.formats.swiss.matching import best_pairs
from league.competitions.formats.swiss.ranks import Ranks, bye_classes
from league.competitions.formats.swiss.reasons import explained, why_bye
from league.competitions.formats.swiss.values import (
    Because,
    Contender,
    Lift,
    NoPairing,
    PairingReason,
    SwissPair,
    SwissRound,
)

__all__ = [
    "Because",
    "Contender",
    "Lift",
    "NoPairing",
    "PairingReason",
    "Past",
    "PastKind",
    "SwissPair",
    "SwissPoints",
    "SwissRound",
    "pair",
    "state_of",
]


def pair(
    contenders: Iterable[Contender],
    *,
    locked: Iterable[tuple[int, int]] = (),
    apart: Iterable[tuple[int, int]] = (),
    allow_rematch: bool = False,
    allow_second_bye: bool = False,
) -> SwissRound:
    """Pair the next round; the result does not depend on the order of contenders.

    `locked`: pairs of ids that meet, around which the others are paired. `apart`: pairs of ids that must not meet.
    `allow_rematch`, `allow_second_bye`: used only if there is no round without. Raises NoPairing, which names the
    constraints to lift.
    """
    wanted = RoundWish(tuple(contenders), tuple(locked), tuple(apart), allow_rematch, allow_second_bye)
    refuse_contradictions(wanted)
    ranks = Ranks(wanted.free, wanted.apart)
    for second_bye, rematch in _concessions(wanted):
        for takers in _takers(ranks, second=second_bye):
            pairs = best_pairs(ranks, takers, rematch=rematch)
            if pairs is not None:
                return _round(wanted, ranks, pairs)
    raise what_stands_in_the_way(wanted)


def _concessions(wanted: RoundWish) -> Iterator[tuple[bool, bool]]:
    """Yield (second bye, rematch), smallest concession first."""
    for rematch in (False, True)[: 1 + wanted.allow_rematch]:
        for second_bye in (False, True)[: 1 + wanted.allow_second_bye]:
            yield second_bye, rematch


def _takers(ranks: Ranks, *, second: bool) -> Iterable[Sequence[int]]:
    """Give candidates for the bye in classes, first choice first; none if even."""
    return bye_classes(ranks.everybody, second=second) if len(ranks) % 2 else [()]


def _round(wanted: RoundWish, free: Ranks, pairs: Sequence[tuple[int, int]]) -> SwissRound:
    everybody = Ranks(wanted.contenders, wanted.apart)
    at = {one.id: position for position, one in enumerate(everybody.everybody)}
    bye = next((free.everybody[i].id for i, j in pairs if j == len(free)), None)
    ids = [(free.everybody[i].id, free.everybody[j].id) for i, j in pairs if j < len(free)]
    made, set_ = ([(min(at[a], at[b]), max(at[a], at[b])) for a, b in some] for some in (ids, wanted.locked))
    return SwissRound(
        pairs=tuple(explained(everybody, made, set_)),
        bye=bye,
        bye_reasons=() if bye is None else why_bye(everybody, at[bye]),
    )
