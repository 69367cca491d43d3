"""How fast is text to verdict? Event lines a second, beside half-moves a second of ``chess.pgn.read_game``.

Run ``python -m tests.benchmarks.bench_verify [--games 2000] [--repeat 5]``. Both sides read text and check every move
against the rules, in one process, in turns; the figure to quote is the median of the ratios. Games of Uno Dominoes are
measured beside them: their event lines a second should be at least a quarter of those of UDL.
"""

from __future__ import annotations

import argparse
import io
import statistics
import time
from random import Random

import chess
import chess.pgn

from games.notation import dumps
from referee import verify_text
from referee.playout import Habits, playout
from referee.simulate import simulate


def domino_texts(games: int) -> tuple[list[str], int]:
    """Logs of random games, and how many event lines they have."""
    # 2.5 s an event gives games of about 160 event lines; every other game is played greedily.
    logs = [
        playout("udl", rng=Random(n), habits=Habits(style="greedy" if n % 2 else "random", seconds=2.5)).log
        for n in range(games)
    ]
    return [dumps(log) for log in logs], sum(len(log.entries) for log in logs)


def uno_texts(games: int) -> tuple[list[str], int]:
    """Logs of games of Uno Dominoes, and how many event lines they have."""
    texts = list(simulate("uno-dominoes", games=games, seed=1))
    return texts, sum(line[:1] not in ("", "[") for text in texts for line in text.split("\n"))


def chess_texts(games: int) -> tuple[list[str], int]:
    """PGN of random chess games of 80 half-moves, and how many half-moves they have."""
    texts, half_moves = [], 0
    for seed in range(games):
        rng, board = Random(seed), chess.Board()
        while not board.is_game_over() and board.ply() < 80:
            board.push(rng.choice(list(board.legal_moves)))
        texts.append(str(chess.pgn.Game.from_board(board)))
        half_moves += board.ply()
    return texts, half_moves


def seconds(texts: list[str]) -> float:
    """Time for all verdicts."""
    start = time.perf_counter()
    for text in texts:
        verify_text(text)
    return time.perf_counter() - start


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=2000)
    parser.add_argument("--repeat", type=int, default=5)
    options = parser.parse_args()
    dominoes, lines = domino_texts(options.games)
    pgns, half_moves = chess_texts(max(50, options.games // 10))
    unos, uno_lines = uno_texts(max(10, options.games // 20))
    print(f"{options.games} domino games, {lines / options.games:.0f} event lines each; {len(pgns)} chess games")
    ratios, ours, theirs, uno = [], [], [], []
    for _ in range(options.repeat):
        ours.append(lines / seconds(dominoes))
        start = time.perf_counter()
        for text in pgns:
            chess.pgn.read_game(io.StringIO(text))
        theirs.append(half_moves / (time.perf_counter() - start))
        ratios.append(ours[-1] / theirs[-1])
        uno.append(uno_lines / seconds(unos) / ours[-1])
    print(f"domino event lines a second: {statistics.median(ours):,.0f}")
    print(f"chess half-moves a second:   {statistics.median(theirs):,.0f}")
    print(f"ratio: median {statistics.median(ratios):.1f}, from {min(ratios):.1f} to {max(ratios):.1f}")
    print(f"Uno Dominoes to UDL, lines a second: median {statistics.median(uno):.2f}, lowest {min(uno):.2f}")


if __name__ == "__main__":
    main()
