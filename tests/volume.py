"""How much of a large test is run: a fixed quarter, all of it with `THOROUGH=1`, another quarter with `SEED=n`.

Only cases that were drawn or counted out belong here. Chosen cases and controls always run.
"""

import os
from collections.abc import Callable, Hashable, Iterable
from random import Random
from typing import TypeVar

Case = TypeVar("Case")

THOROUGH = os.environ.get("THOROUGH") == "1"
SEED = int(os.environ.get("SEED", "0"))
SHARE = 4


def amount(whole: int, least: int = 1) -> int:
    """How many of `whole` cases run."""
    return whole if THOROUGH else max(least, -(-whole // SHARE))


def seeds(whole: int, least: int = 1) -> range:
    """Seeds of the cases that run. Each SEED has a range of its own."""
    return range(SEED * whole, SEED * whole + amount(whole, least))


def quarter(cases: Iterable[Case], of: Callable[[Case], Hashable] = lambda _case: None) -> list[Case]:
    """The cases that run, in their order: of each kind, which `of` tells, at least one."""
    cases = list(cases)
    if THOROUGH:
        return cases
    kinds: dict[Hashable, list[int]] = {}
    for place, case in enumerate(cases):
        kinds.setdefault(of(case), []).append(place)
    # Of text, not of hash(): the same in every process.
    chosen = {
        place
        for kind, places in kinds.items()
        for place in Random(f"{SEED} {kind}").sample(places, amount(len(places)))
    }
    return [case for place, case in enumerate(cases) if place in chosen]
