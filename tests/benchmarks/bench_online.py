"""Online games at once: `python -m tests.benchmarks.bench_online [--games 50] [--seconds 60] [--think 4] [--kill]`.

A web process as production starts it: gunicorn of the compose file on a PostgreSQL database of its own (DATABASE_URL
names the server), without DATABASE_URL `serve` on SQLite. Games of two seats are opened and played over HTTP. Each seat
asks for news every two seconds, as its page does, reads the table when it has changed, thinks, and moves by the forms
on it. Measured are the answer to a move, the table, and the question for news. `--kill`: the web process is killed and
started halfway; requests meanwhile are repeated and not measured. In the end every log is held against the answers.
Target: p95 of a move at most 150 ms.
"""

import argparse
import os
import re
import secrets
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from random import Random
from urllib.parse import urlsplit

import psycopg
import yaml

ROOT = Path(__file__).resolve().parents[2]
SERVER = os.environ.get("DATABASE_URL", "")
TARGET_MS = 150
NEWS_EVERY = 2.0  # seconds, as in online.js
SYSTEMS = ("double-six", "muggins", "all-fives", "udl")
Times = dict[str, list[float]]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--games", type=int, default=50, help="games at once (default: %(default)s)")
    parser.add_argument("--seconds", type=float, default=60, help="time of play (default: %(default)s)")
    parser.add_argument("--think", type=float, default=4, help="mean seconds of thought (default: %(default)s)")
    parser.add_argument("--kill", action="store_true", help="kill the web process halfway")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, own_database(Path(folder)) as url:
        set_environment(url, Path(folder))
        import django

        django.setup()
        web = Web(Path(folder))
        try:
            web.start()
            tables = [opened(web.port, number) for number in range(asked.games)]
            used, times = web.cpu_seconds(), played(web, tables, asked)
            print(f"{asked.games} games, {asked.seconds:g} s, load of the machine {os.getloadavg()[0]:.1f}")
            tell(times, web.cpu_seconds() - used)
            return found_faults(tables)
        finally:
            web.stop()


@contextmanager
def own_database(folder: Path) -> Iterator[str]:
    if not SERVER:
        yield f"sqlite:///{folder / 'league.sqlite3'}"
        return
    name = f"bench_online_{secrets.token_hex(4)}"
    with psycopg.connect(SERVER, autocommit=True) as server:
        server.execute(f"CREATE DATABASE {name}")
        try:
            yield urlsplit(SERVER)._replace(path=f"/{name}").geturl()
        finally:
            server.execute(f"DROP DATABASE {name} WITH (FORCE)")


def set_environment(url: str, folder: Path) -> None:
    os.environ.update(
        DATABASE_URL=url,
        REDIS_URL="",
        SECRET_KEY=secrets.token_urlsafe(50),
        DATA_DIR=str(folder),
        STATIC_ROOT=str(folder / "static"),
        ALLOWED_HOSTS="127.0.0.1",
        HTTPS="0",
        LOG_LEVEL="WARNING",
        DJANGO_SETTINGS_MODULE="league.settings",
    )
    os.environ.pop("DEBUG", None)


class Web:
    """The web process; the time of its children counts with its own."""

    def __init__(self, folder: Path) -> None:
        from tests.league.processes import free_port

        self.folder, self.port = folder, free_port()
        self.process: subprocess.Popen[bytes] | None = None
        self.used = 0.0  # by killed ones
        self.away = (0.0, 0.0)
        if SERVER:
            for command in ("migrate", "collectstatic"):
                subprocess.run([sys.executable, "manage.py", command, "--noinput", "-v", "0"], cwd=ROOT, check=True)

    def start(self) -> None:
        from tests.league.play.online_players import UNANSWERED, HttpBrowser

        with (self.folder / "web.log").open("ab") as log:
            self.process = subprocess.Popen(
                [sys.executable, *self._command()], cwd=ROOT, stdout=log, stderr=log, start_new_session=True
            )
        for _ in range(600):
            try:
                if HttpBrowser(self.port).get("/healthz").status == 200:
                    return
            except UNANSWERED:
                time.sleep(0.1)
        sys.exit(f"The site does not start:\n{(self.folder / 'web.log').read_text()}")

    def _command(self) -> list[str]:
        if not SERVER:
            own = ["--data", str(self.folder), "--host", "127.0.0.1", "--port", str(self.port)]
            return ["manage.py", "serve", *own]
        compose = yaml.safe_load((ROOT / "docker-compose.yml").read_text("utf-8"))["services"]["web"]["command"]
        return ["-m", *(f"127.0.0.1:{self.port}" if part == "0.0.0.0:8000" else part for part in compose)]

    def stop(self) -> None:
        from tests.league.processes import kill

        if self.process is not None:
            kill(self.process)
            self.process = None

    def kill_and_start(self) -> None:
        self.used, begun = self.cpu_seconds(), time.perf_counter()
        self.away = (begun, float("inf"))
        self.stop()
        self.start()
        self.away = (begun, time.perf_counter())

    def cpu_seconds(self) -> float:
        """Processor seconds of all processes of the group, so far."""
        group, tick = self.process.pid, os.sysconf("SC_CLK_TCK")
        rows = [row.rpartition(") ")[2].split() for row in map(read_stat, Path("/proc").glob("[0-9]*/stat"))]
        return self.used + sum(int(row[11]) + int(row[12]) for row in rows if row and int(row[2]) == group) / tick


def read_stat(path: Path) -> str:
    try:
        return path.read_text()
    except OSError:  # it has ended
        return ""


# ---- The games


def opened(port: int, number: int) -> list:
    """Open a game over HTTP and deal it; return its players."""
    from tests.league.play.online_players import HttpBrowser, Player

    ana, bo = HttpBrowser(port), HttpBrowser(port)
    start = f"/play/online/?game={SYSTEMS[number % len(SYSTEMS)]}"
    path = ana.post(start, {**usual(ana.get(start).text), "name": "Ana", "seats": "2", "move_time": "0"}).location
    if not path:
        sys.exit(f"Game {number} is not opened.")
    bo.get(path)
    for browser, fields in ((ana, {"do": "agree"}), (bo, {"do": "join", "name": "Bo"})):
        if browser.post(path, {**fields, "words": f"words {number}"}).status != 302:
            sys.exit(f"Game {number} is not dealt.")
    return [Player(browser, path, Random(f"{number} {seat}")) for seat, browser in enumerate((ana, bo))]


def usual(page: str) -> dict[str, str]:
    """Return the values that the form on a page has already."""
    return dict(re.findall(r'<select name="(\w+)".*?<option value="(\w*)" selected', page, re.DOTALL))


def played(web: Web, tables: list, asked: argparse.Namespace) -> Times:
    """Play for some time, and return the milliseconds of each kind of request."""
    times: Times = defaultdict(list)
    ends = time.monotonic() + asked.seconds
    seats = [player for table in tables for player in table]
    threads = [
        threading.Thread(target=sit, args=(player, ends, asked.think, partial(timed, times, web))) for player in seats
    ]
    for thread in threads:
        thread.start()
    if asked.kill:
        time.sleep(asked.seconds / 2)
        web.kill_and_start()
    for thread in threads:
        thread.join()
    return times


def sit(player: object, ends: float, think: float, timed_by: Callable) -> None:
    """Ask, read, think and move, until the time is over or the game has ended."""
    time.sleep(player.chance.uniform(0, NEWS_EVERY))
    seen, state = "", ""
    while time.monotonic() < ends and state != "over":
        version = timed_by("news", player.news)
        if version != seen:
            state = timed_by("table", player.look)
            seen = player.version
        while (fields := player.choice()) and time.monotonic() < ends:
            time.sleep(min(player.chance.expovariate(1 / think), 3 * think))
            timed_by("move", partial(player.send, fields))
            state = timed_by("table", player.look)
            seen = player.version
        time.sleep(NEWS_EVERY)


def timed(times: Times, web: Web, kind: str, ask: Callable[[], object]) -> object:
    """Ask, and note the time, unless the site was away meanwhile."""
    begun = time.perf_counter()
    answer, ended = ask(), time.perf_counter()
    if ended < web.away[0] or begun > web.away[1] or not web.away[1]:
        times[kind].append(1000 * (ended - begun))
    return answer


# ---- The figures


def tell(times: Times, used: float) -> None:
    for kind in ("move", "table", "news"):
        cuts = statistics.quantiles(times[kind], n=100, method="inclusive")
        print(
            f"{kind:<6} {len(times[kind])}: p50 {cuts[49]:.0f} ms  p95 {cuts[94]:.0f} ms  p99 {cuts[98]:.0f} ms  "
            f"max {max(times[kind]):.0f} ms"
        )
    print(
        f"processor time of the web process: {1000 * used / len(times['move']):.0f} ms a move with its tables and news"
    )
    late = statistics.quantiles(times["move"], n=100, method="inclusive")[94] > TARGET_MS
    print(f"target: p95 of a move at most {TARGET_MS} ms: {'MISSED' if late else 'met'}")


def found_faults(tables: list) -> int:
    """Hold each log against the answers of its players; return 1 if one differs."""
    from league.play.models import OnlineGame
    from tests.league.play.online_players import faults

    found = []
    for table in tables:
        game = OnlineGame.objects.prefetch_related("seats").get(code=table[0].path.split("/")[-2])
        found += [f"{game.code}: {fault}" for fault in faults(game, table)]
    moves, repeated = (sum(len(p.done) for t in tables for p in t), sum(p.repeated for t in tables for p in t))
    print(f"{len(tables)} games, {moves} moves answered, {repeated} requests repeated, {len(found)} faults")
    print("\n".join(found))
    return int(bool(found))


if __name__ == "__main__":
    sys.exit(main())
