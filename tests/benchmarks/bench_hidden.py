"""What do hidden hands cost? The verdict of a log with hidden hands beside the verdict of the same game seen whole.

Run ``python -m tests.benchmarks.bench_hidden [--games 300] [--repeat 5]``. Both are measured in one process, in turns;
the figure to quote is the median of the ratios. The worst round is the slowest of the adversarial logs.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from random import Random

from games.moves import Blocked, Deal, Draw, Event, RoundPoints, Settled, Show, Totals
from games.notation.gamelog import Entry, GameLog
from games.notation.reading import dumps, loads
from games.round import RoundEnd
from games.ruleset import Ruleset
from games.rulesets import RULESETS, get
from referee import Verdict, verify_text
from referee.game import Impossible, ReplayedGame
from referee.lines import HANDLERS
from referee.playouts.pips import Habits, playout
from tests.referee.tiny import TinyTable


def _count(event: Event) -> Event:
    return Deal(event.seat, event.count) if isinstance(event, Deal) else event


def _no_hands(event: Event) -> Event | None:
    return None if isinstance(event, Deal) else event


def _unseen_draws(event: Event) -> Event:
    return Draw(event.seat, event.count) if isinstance(event, Draw) else event


def _unseen_rests(event: Event) -> Event:
    return Show(event.seat, (None,) * len(event.tiles)) if isinstance(event, Show) else event


def _one_hand(event: Event) -> Event:
    if isinstance(event, Deal | Draw) and event.seat:
        return _count(_unseen_draws(event))
    return event


HARD: tuple[dict[str, str], ...] = (
    {},
    {"lead_first": "highest_double"},
    {"lead_first": "highest_double", "lead_forced": "false", "no_double": "draw_until"},
    {"lead_first": "highest_double", "lead_forced": "false", "no_double": "highest_tile"},
    {"voluntary_draw": "true", "must_play_drawn": "true"},
)
"""Options under which the analysis has most to try."""

WAYS: dict[str, tuple[Callable[[Event], Event | None], ...]] = {
    "hidden": (_no_hands, _unseen_draws, _unseen_rests),
    "shown": (_no_hands, _unseen_draws),
    "counted": (_count, _unseen_draws),
    "draws": (_unseen_draws,),
    "one hand": (_one_hand,),
}


def _with_blocks(log: GameLog) -> list[Entry]:
    """The entries, with a line for each block: where hands are hidden nobody can see it."""
    (verdict,) = verify_text(dumps(log))
    assert isinstance(verdict, Verdict)
    ended = {record.number: record.ended for record in verdict.rounds}
    entries: list[Entry] = []
    for part in log.rounds:
        blocked = ended[part.number] == RoundEnd.BLOCKED.value
        for entry in part.entries:
            if blocked and isinstance(entry.event, Show | RoundPoints | Totals | Settled):
                entries.append(Entry(entry.line, entry.at, Blocked()))
                blocked = False
            entries.append(entry)
    return entries


def hide(log: GameLog, ways: tuple[Callable[[Event], Event | None], ...], result: str = "*") -> str:
    """The log as somebody wrote it down who saw less; ``result`` is its result tag."""
    entries = []
    for line, at, event in _with_blocks(log):
        seen: Event | None = event
        for way in ways:
            seen = None if seen is None else way(seen)
        if seen is not None:
            entries.append(Entry(line, at, seen))
    return dumps(GameLog({**log.tags, "Result": result}, entries))


class WildTable(TinyTable):
    """People who draw, pass and lead as they like."""

    def offends(self) -> bool:
        """Whether a rule is broken now; passes take two."""
        return bool(self.rng.random() < self.offend)


def worst_round(rounds: int) -> float:
    """Seconds that the slowest analysis takes, of rounds with hidden hands in which rules are broken at every turn."""
    worst = 0.0
    for seed in range(rounds):
        rng = Random(seed)
        rules = get("muggins").with_options(rng.choice(HARD))
        rules = replace(rules, key="tiny", hand={2: rng.choice((3, 7, 12)), 3: 5, 4: rng.choice((1, 2, 5, 7))})
        table = WildTable(rules, rng.choice((2, 3, 4)), rng, offend=rng.choice((0.3, 0.6, 0.9)))
        table.play_round()
        with registered(rules):
            (log,) = loads(table.written(hide=rng.choice((0.7, 1.0)), lie=rng.choice((0.0, 0.05))))
            game = ReplayedGame(log, rules)
            for game.line, at, event in log.entries:
                try:
                    HANDLERS[type(event)](game, at, event)
                except Impossible:
                    break
        if game.round is not None:
            start = time.perf_counter()
            game.hidden.judge(game.round, 1, game.placed())
            worst = max(worst, time.perf_counter() - start)
    return worst


@contextmanager
def registered(rules: Ruleset) -> Iterator[None]:
    """Rules that logs can name for a while."""
    assert isinstance(RULESETS, dict)
    RULESETS[rules.key] = rules
    yield
    del RULESETS[rules.key]


def seconds(texts: list[str]) -> float:
    """Time for all verdicts."""
    start = time.perf_counter()
    for text in texts:
        verify_text(text)
    return time.perf_counter() - start


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=300)
    parser.add_argument("--repeat", type=int, default=5)
    parser.add_argument("--hard", type=int, default=500, help="rounds made to be hard")
    options = parser.parse_args()
    logs = [playout("udl", rng=Random(n), habits=Habits(style="random", seconds=2.5)).log for n in range(options.games)]
    full = [dumps(log) for log in logs]
    for name, ways in WAYS.items():
        hidden = [hide(log, ways) for log in logs]
        ratios = []
        for _ in range(options.repeat):
            plain = seconds(full)
            ratios.append(seconds(hidden) / plain)
        print(f"{name:10} ratio: median {statistics.median(ratios):.2f}, from {min(ratios):.2f} to {max(ratios):.2f}")
    print(f"slowest analysis of {options.hard} hard rounds: {worst_round(options.hard) * 1000:.1f} ms")


if __name__ == "__main__":
    main()
