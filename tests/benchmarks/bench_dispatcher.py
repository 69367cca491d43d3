"""Evenings with the dispatcher beside the fixed plan: `python -m tests.benchmarks.bench_dispatcher [evenings]`.

Prints, for each format, how far the end lies from a lower bound that no order of play can beat: the critical path, or
the time of all tables, if that is longer.
"""

import os
import sys
from random import Random
from statistics import mean

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "league.settings")
os.environ.setdefault("DEBUG", "1")


def main(count: int) -> None:
    import django

    django.setup()
    from league.competitions.formats.registry import SPECS
    from tests.league.competitions.draw.simulated_evening import (
        dispatched,
        end_of,
        lower_bound,
        planned,
        random_evening,
    )

    print(f"{count} evenings a format, games of 12 ± 4 minutes; minutes on average.")
    print("plan: the matches of an hour begin together. tables alone: each table goes on when its next two are there.")
    print("format              bound  dispatcher            plan            later, most  tables alone    later")
    for key, spec in SPECS.items():
        if spec.is_ladder:
            continue
        random = Random(f"0 {key}")
        rows = []
        for _number in range(count):
            evening = random_evening(key, random)
            plays = dispatched(evening)
            own = end_of(planned(evening, by_hour=False))
            rows.append((lower_bound(evening, plays), end_of(plays), end_of(planned(evening)), own))
        bound, new, old, own = (mean(column) for column in zip(*rows, strict=True))
        later = [new - old for _bound, new, old, _own in rows if new > old + 1e-6]
        behind = sum(new > own + 1e-6 for _bound, new, _old, own in rows)
        print(
            f"{key:18} {bound:6.1f} {new:6.1f} {new / bound - 1:+6.1%} {old:8.1f} {old / bound - 1:+7.1%}"
            f" {len(later) / count:8.1%} {max(later, default=0):5.1f} {own:8.1f}"
            f" {own / bound - 1:+7.1%} {behind / count:7.1%}"
        )


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 140)
