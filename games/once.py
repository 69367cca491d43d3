"""Cache of values that depend on the rules alone, for all rounds and games."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import TypeVar

from games.ruleset import Ruleset

_Derived = TypeVar("_Derived")


def once(work: Callable[[Ruleset], _Derived]) -> Callable[[Ruleset], _Derived]:
    """Mark a function of the rules alone: it is called once for each :class:`Ruleset`."""

    @wraps(work)
    def known(rules: Ruleset) -> _Derived:
        derived = rules.derived
        if work not in derived:
            derived[work] = work(rules)
        result: _Derived = derived[work]
        return result

    return known
