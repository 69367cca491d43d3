"""How fast is text to verdict? Event lines a second, beside half-moves a second of ``chess.pgn.read_game``.

Run ``python -m tests.benchmarks.bench_verify [--games 2000] [--repeat 5]``. Both sides read text and check every move
against the rules, in one process, in turns; the figure to quote is the median of the ratios. The same chess games are
read twice: bare, and with the clock after each move (``{[%clk 0:09:57]}``), as records of timed games have it; every
line of a domino log carries its time too. Games of Uno Dominoes are measured beside them: their event lines a second
should be at least a quarter of those of UDL.
"""

from __future__ import annotations

import argparse
import io
import statistics
import time
from random import Random

import chess
import chess.pgn

from games.notation.reading import dumps
from referee import verify_text
from referee.playouts.pips import Habits, playout
from referee.playouts.simulate import simulate


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


def chess_texts(games: int, *, timed: bool = False) -> tuple[list[str], int]:
    """PGN of random chess games of 80 half-moves, with the clock after each if ``timed``, and how many they have."""
    texts, half_moves = [], 0
    for seed in range(games):
        rng, board = Random(seed), chess.Board()
        while not board.is_game_over() and board.ply() < 80:
            board.push(rng.choice(list(board.legal_moves)))
        game = chess.pgn.Game.from_board(board)
        if timed:
            for node in game.mainline():
                node.set_clock(600 - 3.4 * (node.ply() // 2))
        texts.append(str(game))
        half_moves += board.ply()
    return texts, half_moves


def seconds(texts: list[str]) -> float:
    """Time for all verdicts."""
    start = time.perf_counter()
    for text in texts:
        verify_text(text)
    return time.perf_counter() - start


def chess_seconds(texts: list[str]) -> float:
    """Time to read all chess games."""
    start = time.perf_counter()
    for text in texts:
        chess.pgn.read_game(io.StringIO(text))
    return time.perf_counter() - start


def told(ratios: list[float]) -> str:
    """Median and span."""
    return f"median {statistics.median(ratios):.1f}, from {min(ratios):.1f} to {max(ratios):.1f}"


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=2000)
    parser.add_argument("--repeat", type=int, default=5)
    options = parser.parse_args()
    dominoes, lines = domino_texts(options.games)
    bare, half_moves = chess_texts(max(50, options.games // 10))
    timed, _ = chess_texts(max(50, options.games // 10), timed=True)
    unos, uno_lines = uno_texts(max(10, options.games // 20))
    print(f"{options.games} domino games, {lines / options.games:.0f} event lines each; {len(bare)} chess games")
    ours, to_bare, to_timed, uno = [], [], [], []
    for _ in range(options.repeat):
        ours.append(lines / seconds(dominoes))
        to_bare.append(ours[-1] / (half_moves / chess_seconds(bare)))
        to_timed.append(ours[-1] / (half_moves / chess_seconds(timed)))
        uno.append(uno_lines / seconds(unos) / ours[-1])
    print(f"domino event lines a second: {statistics.median(ours):,.0f}")
    print(f"to half-moves of bare PGN:       {told(to_bare)}")
    print(f"to half-moves with their clocks: {told(to_timed)}")
    print(f"Uno Dominoes to UDL, lines a second: median {statistics.median(uno):.2f}, lowest {min(uno):.2f}")


if __name__ == "__main__":
    main()
