"""Draws beside the npm package brackets-manager with its storage in memory: `python -m tests.benchmarks.bench_draws`.

A double elimination of 1,024 and a round robin of 512: seconds of the processor to generate them, and to store them
(every slot with its berths, table and hour, and every match with its sides and games) on a database of its own that is
dropped afterwards: SQLite, or what DATABASE_URL names. The other package generates and stores in one, in memory; it is
installed by npm into a folder that goes away, and each look at a draw has a process and `--minutes` of its own. The
least of several looks counts on both sides, for other work on the machine only ever adds. Target: ten times as fast in
generation.
"""

import argparse
import json
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from tests.benchmarks.bench_pages import club, database

TARGET = 10.0
PACKAGES = ("brackets-manager@1.11.1", "brackets-memory-db@1.0.6")
DRAWS = (
    ("double elimination", 1024, "double_elimination", {"grandFinal": "double"}),
    ("round robin", 512, "round_robin", {"groupCount": 1}),
)
LOOKS = 10
LOOKS_AT_OTHERS = 5
LONG = 5.0
"""Seconds of a draw at which one look is enough."""
OTHERS = """
const { BracketsManager } = require('brackets-manager');
const { InMemoryDatabase } = require('brackets-memory-db');
const { type, count, settings } = JSON.parse(process.argv[2]);
const seeding = Array.from({ length: count }, (_, number) => `Player ${number + 1}`);
(async () => {
  const storage = new InMemoryDatabase();
  const begun = process.cpuUsage();
  await new BracketsManager(storage).create.stage({ tournamentId: 0, name: 'Bench', type, seeding, settings });
  const { user, system } = process.cpuUsage(begun);
  const matches = (await storage.select('match')).length;
  console.log(JSON.stringify({ seconds: (user + system) / 1e6, matches }));
})().catch((error) => { console.error(`${error.name}: ${error.message}`); process.exit(1); });
"""


def main(minutes: float) -> int:
    if shutil.which("npm") is None or shutil.which("node") is None:
        print("npm and node are needed for the package to compare with")
        return 2
    with tempfile.TemporaryDirectory(prefix="bench-") as folder, database():
        install(Path(folder))
        league, owner, people = club(max(count for _name, count, _type, _settings in DRAWS))
        slower = []
        for name, count, format_, settings in DRAWS:
            mine = min(seconds(lambda: generate(format_, count)) for _ in range(LOOKS))  # noqa: B023
            stored = seconds(lambda: store(league, owner, people[:count], format_))  # noqa: B023
            theirs, told = others(Path(folder), {"type": format_, "count": count, "settings": settings}, minutes)
            print(f"{name} of {count}")
            print(f"  here: generated in {1000 * mine:.1f} ms, generated and stored in {stored:.1f} s (CPU)")
            print(f"  brackets-manager, in memory: {told}")
            if theirs is not None:
                print(f"  {theirs / mine:.0f} times as fast in generation, target {TARGET:.0f}")
                slower += [name] if theirs / mine < TARGET else []
    return 1 if slower else 0


def install(folder: Path) -> None:
    command = ["npm", "install", "--silent", "--no-audit", "--no-fund", "--prefix", str(folder), *PACKAGES]
    subprocess.run(command, check=True, timeout=300)
    (folder / "draw.js").write_text(OTHERS, encoding="utf-8")


def others(folder: Path, asked: dict[str, object], minutes: float) -> tuple[float | None, str]:
    """The least seconds, None where it fails, and what it said."""
    found, told = look(folder, asked, minutes)
    for _ in range(LOOKS_AT_OTHERS - 1 if found is not None and found < LONG else 0):
        found, told = min((found, told), look(folder, asked, minutes))
    return found, told


def look(folder: Path, asked: dict[str, object], minutes: float) -> tuple[float | None, str]:
    command = ["node", str(folder / "draw.js"), json.dumps(asked)]
    try:
        ran = subprocess.run(command, capture_output=True, text=True, timeout=60 * minutes, check=False)
    except subprocess.TimeoutExpired:
        return None, f"no end after {minutes:g} minutes"
    if ran.returncode:
        lines = [line.strip() for line in ran.stderr.splitlines() if "Error" in line or "error" in line]
        return None, f"it fails: {lines[0] if lines else ran.stderr[:200]}"
    found = json.loads(ran.stdout)
    return found["seconds"], f"{1000 * found['seconds']:.0f} ms (CPU), {found['matches']} matches"


def generate(format_: str, count: int) -> Sequence[object]:
    from league.competitions.formats.double_elimination import double_elimination
    from league.competitions.formats.round_robin import round_robin

    return double_elimination(count) if format_ == "double_elimination" else round_robin(count)


def store(league, owner, people, format_: str) -> None:
    from league.competitions.draw.plans import Plan, found
    from league.competitions.draw.stages import draw
    from league.competitions.registration.entries import register

    made = found(league, Plan(name=f"Draw {format_}", ruleset="udl", format=format_), user=owner)
    register(made, people)
    draw(made, user=owner)


def seconds(act: Callable[[], object]) -> float:
    begun = time.process_time()
    act()
    return time.process_time() - begun


if __name__ == "__main__":
    given = argparse.ArgumentParser()
    given.add_argument("--minutes", type=float, default=5.0, help="for each draw of the other package")
    sys.exit(main(given.parse_args().minutes))
