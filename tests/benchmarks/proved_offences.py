"""How many false draws and passes are proved although hands are hidden?

Run ``python -m tests.benchmarks.proved_offences [--rounds 400]``. One offence is planted in a round that is honest
otherwise: a draw or a pass of a seat that could play. It is proved if the finding stands on its line.
"""

from __future__ import annotations

import argparse
from random import Random

from games.rulesets import get
from referee import Verdict, verify_text
from tests.referee.tiny import TinyTable

SYSTEMS = (("udl", 2), ("muggins", 2), ("muggins", 3), ("muggins", 4), ("all-fives", 4))
# Which dealt hands were seen (all, the first, none), and whether the rests were shown. Draws were never seen.
WAYS = {
    "hands seen": ("all", True),
    "one hand seen": ("one", True),
    "rests shown": ("none", True),
    "nothing but plays": ("none", False),
}


class PlantingTable(TinyTable):
    """A round with one offence: ``planted`` is the index of its line, ``kind`` what it is."""

    show = 1.0

    def __init__(self, rules, seats, rng, kind):
        super().__init__(rules, seats, rng, offend=0)
        self.kind = kind
        self.planted = None

    def turn(self, seat):
        """A turn, now and then the wrong one."""
        if self.planted is None and self.able(seat) and self.rng.random() < 0.15:
            if self.kind == "draw" and self.drawable():
                self.planted = len(self.lines)
                self.draw(seat, 1)
            elif self.kind == "pass":
                self.planted = len(self.lines)
                self.lines.append(("pass", seat, [], None))
                self.passes += 1
                return
        super().turn(seat)


def text_of(table, key, hands, shown):
    """The log, and the line of the planted offence."""
    lines = [f'[Ruleset "{key}"]', *(f'[Seat.{"ABCD"[n]} ""]' for n in range(table.seats)), "round 1"]
    for seat, hand in enumerate(table.dealt):
        if hands == "all" or (hands == "one" and not seat):
            lines.append(f"{'ABCD'[seat]} hand " + " ".join(tile.name for tile in hand))
    at = None
    for n, (kind, seat, tiles, on) in enumerate(table.lines):
        who = "" if seat is None else "ABCD"[seat]
        if n == table.planted:
            at = len(lines) + 1
        if kind == "play":
            lines.append(f"{who} {tiles[0].name}" + (f" on {on.name}" if on else ""))
        elif kind == "draw":
            lines.append(f"{who} draw {len(tiles)}")
        elif kind == "shows":
            if shown:
                lines.append(f"{who} shows " + " ".join(tile.name for tile in tiles))
        else:
            lines.append(f"{who} {kind}".strip())
    return "\n".join(lines) + "\n", at


def main() -> None:
    """Count and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=400)
    rounds = parser.parse_args().rounds
    for key, seats in SYSTEMS:
        for kind in ("draw", "pass"):
            shares = []
            for name, (hands, shown) in WAYS.items():
                told, proved, unclear = 0, 0, 0
                for seed in range(rounds):
                    table = PlantingTable(get(key), seats, Random(seed), kind)
                    table.play_round()
                    if table.planted is None:
                        continue
                    text, at = text_of(table, key, hands, shown)
                    (verdict,) = verify_text(text)
                    assert isinstance(verdict, Verdict)
                    if verdict.status == "impossible":
                        continue
                    told += 1
                    found = {(f.line, f.code) for f in verdict.findings}
                    proved += (at, f"{kind}-when-able") in found
                    unclear += any(code == "unclear-offence" for _, code in found)
                shares.append(f"{name} {proved / told:.0%} (+{unclear / told:.0%} unclear)")
            print(f"{key} {seats}, {kind}: " + ", ".join(shares))


if __name__ == "__main__":
    main()
