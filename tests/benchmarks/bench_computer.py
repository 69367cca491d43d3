"""Strength of the computer: `python tests/benchmarks/bench_computer.py [--pairs N] [--share X] [--systems udl]`.

Mirrored pairs of games: the same deals with seats exchanged. For each system the share of games that the strong level
wins against greedy and against random, with its 95 % interval over the pairs, and the CPU time of its moves. Nobody
forgets points or UNO. `THOROUGH=1`: full strength; else the samples are cut so that the five systems take about 20
minutes on two cores, a process a core. Targets: UDL against greedy above 50 % at the lower end, against random at least
85 %; a move at full strength at most 500 ms (p95).
"""

import argparse
import os
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import ExitStack
from math import sqrt
from pathlib import Path
from typing import Any
from unittest.mock import patch

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "league.settings")

import django

django.setup()

from league.house import levels, uno_levels  # noqa: E402
from league.house.evaluation import SAMPLES  # noqa: E402
from league.house.levels import Level  # noqa: E402
from league.house.uno_evaluation import UNO_SAMPLES  # noqa: E402
from league.play.acts import AnyTable  # noqa: E402
from league.play.table import PLAYER  # noqa: E402
from league.play.terms import SYSTEMS  # noqa: E402
from tests.league.play.tables import played, terms  # noqa: E402
from tests.league.play.uno_tables import played_uno, uno_step  # noqa: E402

CUT = 0.4
"""Share of the samples of a move without `THOROUGH=1`."""
CORES = 2
Pair = tuple[float, list[float]]


def main(systems: list[str], against: list[str], pairs: int, share: float) -> None:
    print(f"{pairs} mirrored pairs, {share:.0%} of the samples of a move")
    with ProcessPoolExecutor(CORES) as cores:
        for system in systems:
            for other in against:
                begun = time.perf_counter()
                jobs = [cores.submit(pair, system, other, seed, share) for seed in range(pairs)]
                report(system, other, [job.result() for job in jobs], time.perf_counter() - begun)


def pair(system: str, other: str, seed: int, share: float) -> Pair:
    """Play two games with the same deals, seats exchanged: the share won, and the seconds of each choice."""
    seconds: list[float] = []

    def timed(valued: Callable[..., object]) -> Callable[..., object]:
        def choice(*asked: object, **more: object) -> object:
            begun = time.process_time()
            found = valued(*asked, **more)
            seconds.append(time.process_time() - begun)
            return found

        return choice

    with ExitStack() as changed:
        changed.enter_context(patch.object(levels, "valued", timed(levels.valued)))
        changed.enter_context(patch.object(uno_levels, "valued_at_uno", timed(uno_levels.valued_at_uno)))
        changed.enter_context(patch.object(levels, "SAMPLES", round(share * SAMPLES)))
        changed.enter_context(patch.object(uno_levels, "UNO_SAMPLES", round(share * UNO_SAMPLES)))
        changed.enter_context(patch.dict(levels.FORGETS, dict.fromkeys(Level, 0.0)))
        first, second = (terms(f"pair {seed}", level, system) for level in (Level(other), Level.STRONG))
        won = won_by_player(game(first, Level.STRONG)) + 1 - won_by_player(game(second, Level(other)))
    return won / 2, seconds


def game(agreed: Any, level: Level) -> AnyTable:
    """Play a game of a player of this level."""
    if agreed.ruleset == "uno-dominoes":
        return played_uno(agreed, lambda table, _chance: uno_step(table, level))
    return played(agreed, level)


def won_by_player(table: AnyTable) -> float:
    winner = table.game.card.winner
    return 0.5 if winner is None else float(winner == PLAYER)


def report(system: str, other: str, pairs: list[Pair], took: float) -> None:
    shares = [share for share, _seconds in pairs]
    times = sorted(second for _share, seconds in pairs for second in seconds)
    mean = sum(shares) / len(shares)
    off = 1.96 * sqrt(sum((share - mean) ** 2 for share in shares) / max(1, len(shares) - 1) / len(shares))
    p50, p95 = (1000 * value for value in quantiles(times))
    print(
        f"  {system:12} against {other:7} {mean:6.1%}, 95 % from {mean - off:6.1%} to {min(1, mean + off):6.1%};"
        f" a move p50 {p50:3.0f} ms, p95 {p95:3.0f} ms ({len(times)} moves, {took:.0f} s)",
        flush=True,
    )


def quantiles(times: list[float]) -> Iterator[float]:
    yield times[len(times) // 2]
    yield times[len(times) * 95 // 100]


if __name__ == "__main__":
    full = os.environ.get("THOROUGH") == "1"
    asked = argparse.ArgumentParser()
    asked.add_argument("--pairs", type=int, default=100)
    asked.add_argument("--share", type=float, default=1.0 if full else CUT)
    asked.add_argument("--systems", default=",".join(SYSTEMS))
    asked.add_argument("--against", default="greedy,random")
    given = asked.parse_args()
    main(given.systems.split(","), given.against.split(","), given.pairs, given.share)
