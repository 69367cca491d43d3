"""How fast is text to verdict? Event lines a second, beside half-moves a second of ``chess.pgn.read_game``.

Run ``python -m tests.benchmarks.bench_verify [--games 2000] [--repeat 5]``. Both sides read text and check every move
against the rules, in one process, in turns; the figure to quote is the median of the ratios.
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


def domino_texts(games: int) -> tuple[list[str], int]:
    """Logs of random games, and how many event lines they have."""
    # 2.5 s an event gives games of about 160 event lines; every other game is played greedily.
    logs = [
        playout("udl", rng=Random(n), habits=Habits(style="greedy" if n % 2 else "random", seconds=2.5)).log
        for n in range(games)
    ]
    return [dumps(log) for log in logs], sum(len(log.entries) for log in logs)


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


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=2000)
    parser.add_argument("--repeat", type=int, default=5)
    options = parser.parse_args()
    dominoes, lines = domino_texts(options.games)
    pgns, half_moves = chess_texts(max(50, options.games // 10))
    print(f"{options.games} domino games, {lines / options.games:.0f} event lines each; {len(pgns)} chess games")
    ratios, ours, theirs = [], [], []
    for _ in range(options.repeat):
        start = time.perf_counter()
        for text in dominoes:
            verify_text(text)
        middle = time.perf_counter()
        for text in pgns:
            chess.pgn.read_game(io.StringIO(text))
        end = time.perf_counter()
        ours.append(lines / (middle - start))
        theirs.append(half_moves / (end - middle))
        ratios.append(ours[-1] / theirs[-1])
    print(f"domino event lines a second: {statistics.median(ours):,.0f}")
    print(f"chess half-moves a second:   {statistics.median(theirs):,.0f}")
    print(f"ratio: median {statistics.median(ratios):.1f}, from {min(ratios):.1f} to {max(ratios):.1f}")


if __name__ == "__main__":
    main()
