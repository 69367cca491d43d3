"""A whole Swiss tournament: `python tests/benchmarks/bench_swiss.py [entrants] [rounds] [--complete] [--seed N]`.

Milliseconds of every round, from contenders to explained pairs. With `--complete` each round is paired again with every
legal pair looked at, and what both cost by each criterion is put side by side. Target: 1,000 entrants in under 3 s a
round. The better number wins with a chance that grows with the distance; one of twenty matches is a draw, one of fifty
a forfeit, and one of two hundred leaves after a round.
"""

import argparse
import random
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from league.competitions.formats.swiss import Past, pair, state_of
from league.competitions.formats.swiss.matching import best_pairs
from league.competitions.formats.swiss.ranks import Costs, Ranks, bye_classes

TARGET = 3.0


def main(entrants: int, rounds: int, seed: int, *, complete: bool) -> int:
    chance = random.Random(seed)
    here = [(number, number) for number in range(1, entrants + 1)]
    past: list[list[Past]] = []
    worst = 0.0
    print(f"{entrants} entrants, seed {seed}; costs are {', '.join(Costs._fields)}")
    for number in range(1, rounds + 1):
        contenders = state_of(here, past)
        begun, busy = time.perf_counter(), time.process_time()
        drawn = pair(contenders)
        seconds, busy = time.perf_counter() - begun, time.process_time() - busy
        worst = max(worst, seconds)
        print(f"  round {number:2} {1000 * seconds:7.0f} ms, {1000 * busy:6.0f} ms CPU", end="")
        print(beside_the_complete(contenders) if complete else f"  {len(drawn.pairs)} pairs")
        past.append(played(drawn, chance))
        here = [one for one in here if chance.random() > 0.005]
    print(f"  slowest {worst:.2f} s, target under {TARGET} s")
    return 0 if worst < TARGET else 1


def beside_the_complete(contenders) -> str:
    ranks = Ranks(contenders)
    takers = bye_classes(ranks.everybody)[0] if len(ranks) % 2 else ()
    begun = time.process_time()
    whole = costs(ranks, best_pairs(ranks, takers, whole=len(ranks)))
    seconds = time.process_time() - begun
    mine = costs(ranks, best_pairs(ranks, takers))
    told = "the same" if mine == whole else f"{tuple(whole)}"
    return f"  {tuple(mine)}, complete {1000 * seconds:6.0f} ms CPU: {told}"


def costs(ranks, pairs) -> Costs:
    each = [ranks.costs(i, j) if j < len(ranks) else ranks.bye_costs(i) for i, j in pairs]
    return Costs(*(sum(column) for column in zip(*each, strict=True)))


def played(drawn, chance) -> list[Past]:
    past = [] if drawn.bye is None else [Past(drawn.bye, kind="bye")]
    for one in drawn.pairs:
        lot = chance.random()
        better, worse = sorted((one.first, one.second))
        favoured = 0.5 + min(0.45, (worse - better) / 1000)
        winner = better if chance.random() < favoured else worse
        past.append(Past(one.first, one.second, None if lot < 0.05 else winner, "forfeit" if lot > 0.98 else "played"))
    return past


if __name__ == "__main__":
    asked = argparse.ArgumentParser()
    asked.add_argument("entrants", nargs="?", type=int, default=1000)
    asked.add_argument("rounds", nargs="?", type=int, default=11)
    asked.add_argument("--seed", type=int, default=1)
    asked.add_argument("--complete", action="store_true")
    given = asked.parse_args()
    sys.exit(main(given.entrants, given.rounds, given.seed, complete=given.complete))
