"""Strength of the computer: `python tests/benchmarks/bench_computer.py [--pairs N] [--samples N] [--systems udl]`.

Mirrored pairs of games: the same deals with seats exchanged. For each system the share of games that the strong level
wins against greedy and against random, with its 95 % interval over the pairs, and the CPU time of its moves. Nobody
forgets points. `THOROUGH=1`: full strength; else the samples are cut so that four systems take about 16 minutes on two
cores, a process a core. Targets: UDL against greedy above 50 % at the lower end, against random at least 85 %; a move
at full strength at most 500 ms (p95).
"""

import argparse
import os
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from math import sqrt
from pathlib import Path
from unittest.mock import patch

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "league.settings")

import django

django.setup()

from league.house import evaluation, levels  # noqa: E402
from league.house.levels import Level  # noqa: E402
from league.play.table import PLAYER, PracticeTable  # noqa: E402
from tests.league.play.tables import played, terms  # noqa: E402

CUT = 600
"""Samples of a move without `THOROUGH=1`."""
SYSTEMS = "double-six,muggins,all-fives,udl"
CORES = 2
Pair = tuple[float, list[float]]


def main(systems: list[str], against: list[str], pairs: int, samples: int) -> None:
    print(f"{pairs} mirrored pairs, {samples} samples a move")
    with ProcessPoolExecutor(CORES) as cores:
        for system in systems:
            for other in against:
                begun = time.perf_counter()
                jobs = [cores.submit(pair, system, other, seed, samples) for seed in range(pairs)]
                report(system, other, [job.result() for job in jobs], time.perf_counter() - begun)


def pair(system: str, other: str, seed: int, samples: int) -> Pair:
    """Play two games with the same deals, seats exchanged: the share won, and the seconds of each choice."""
    seconds: list[float] = []

    def timed(*asked: object, **more: object) -> object:
        begun = time.process_time()
        found = evaluation.valued(*asked, **more)
        seconds.append(time.process_time() - begun)
        return found

    with patch.object(levels, "valued", timed), patch.object(levels, "SAMPLES", samples), announcing():
        agreed = terms(f"pair {seed}", Level(other), system), terms(f"pair {seed}", Level.STRONG, system)
        won = won_by_player(played(agreed[0], Level.STRONG)) + 1 - won_by_player(played(agreed[1], Level(other)))
    return won / 2, seconds


def announcing() -> object:
    return patch.dict(levels.FORGETS, dict.fromkeys(Level, 0.0))


def won_by_player(table: PracticeTable) -> float:
    winner = table.game.card.winner
    return 0.5 if winner is None else float(winner == PLAYER)


def report(system: str, other: str, pairs: list[Pair], took: float) -> None:
    shares = [share for share, _seconds in pairs]
    times = sorted(second for _share, seconds in pairs for second in seconds)
    mean = sum(shares) / len(shares)
    off = 1.96 * sqrt(sum((share - mean) ** 2 for share in shares) / max(1, len(shares) - 1) / len(shares))
    p50, p95 = (1000 * value for value in quantiles(times))
    print(
        f"  {system:11} against {other:7} {mean:6.1%}, 95 % from {mean - off:6.1%} to {min(1, mean + off):6.1%};"
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
    asked.add_argument("--samples", type=int, default=evaluation.SAMPLES if full else CUT)
    asked.add_argument("--systems", default=SYSTEMS)
    asked.add_argument("--against", default="greedy,random")
    given = asked.parse_args()
    main(given.systems.split(","), given.against.split(","), given.pairs, given.samples)
