"""Public pages of a site with 100,000 games: `python -m tests.benchmarks.bench_site [--looks 25] [--only players]`.

On a PostgreSQL database of its own, dropped afterwards (DATABASE_URL names the server; SQLite where it does). First the
statements of each page on a site of a few hundred games, then the same pages on the large one: `first`, the look after
something changed there; `anew`, p50 of looks after something changed elsewhere; then p50 and p95 of looks while nothing
changes. Counted is the work of the web process and, where the system says it, of the database process that answers it,
so that whatever else the machine does is not measured; `wall` is what passed. Fails where p95 is over 50 ms, or a page
of many rows takes more statements than one of a few.
"""

import argparse
import os
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "league.settings")
os.environ.setdefault("DATA_DIR", tempfile.mkdtemp(prefix="bench-"))
os.environ.setdefault("DEBUG", "1")
os.environ.setdefault("DATABASE_URL", "postgres://postgres@127.0.0.1:5432/postgres")
os.environ["DATABASE_POOL"] = "0"

from django.core.cache.backends.dummy import DummyCache

from tests.benchmarks.large_site import FEW, MANY, Site, Size, build

TARGET_MS = 50.0
PAGES = {
    "home": "/",
    "leagues": "/leagues/",
    "league": "/leagues/{slug}/",
    "competitions": "/competitions/",
    "competitions, last page": "/competitions/?page=99",
    "round robin of 40": "/competitions/{slug}/robin-1/",
    "round robin, page 2": "/competitions/{slug}/robin-1/?page=2",
    "round robin, round": "/competitions/{slug}/robin-1/rounds/3/",
    "Swiss of 200": "/competitions/{slug}/swiss-1/",
    "Swiss, after a round": "/competitions/{slug}/swiss-1/?after=4",
    "Swiss, round": "/competitions/{slug}/swiss-1/rounds/3/",
    "Swiss, how a player stands": "/competitions/{slug}/swiss-1/standings/{swiss_code}/",
    "knock-out": "/competitions/{slug}/cup-1/",
    "bracket": "/competitions/{slug}/cup-1/bracket/",
    "seasons": "/seasons/{slug}/",
    "season": "/seasons/{slug}/season/",
    "match": "/matches/{plain_match}/",
    "match with its log": "/matches/{match}/",
    "players": "/players/",
    "players, last page": "/players/?page=999",
    "players, part of a name": "/players/?q={part}",
    "players, nobody": "/players/?q=zzzz",
    "player": "/players/{code}/",
    "ratings": "/leagues/{slug}/ratings/",
    "ratings, last page": "/leagues/{slug}/ratings/?page=999",
    "ratings of a player": "/leagues/{slug}/ratings/udl/players/{rated}/",
    "hall": "/hall/{slug}/",
    "API: leagues": "/api/v1/leagues",
    "API: players": "/api/v1/players",
    "API: player": "/api/v1/players/{code}",
    "API: competitions": "/api/v1/competitions",
    "API: competition": "/api/v1/competitions/{slug}/swiss-1",
    "API: standings": "/api/v1/competitions/{slug}/swiss-1/standings",
    "API: rounds": "/api/v1/competitions/{slug}/robin-1/rounds",
    "API: seasons": "/api/v1/seasons",
    "API: season": "/api/v1/seasons/{slug}/season",
    "API: matches": "/api/v1/matches",
    "API: games": "/api/v1/games",
    "API: results": "/api/v1/results",
    "API: ratings": "/api/v1/leagues/{slug}/ratings",
}


def main(looks: int, only: str) -> int:
    pages = {name: path for name, path in PAGES.items() if only in name}
    with database():
        statements = {name: seen.statements for name, seen in measured(FEW, pages, 1).items()}
        flush()
        found = measured(MANY, pages, looks)
    heads = f"{'page':30} {'first':>7} {'anew':>7} {'p50':>7} {'p95':>7} {'wall p95':>9} {'database':>9}"
    print(f"{heads}  statements      kB")
    missed = [name for name, seen in found.items() if not told(name, seen, statements[name])]
    said = f"MISSED by {', '.join(missed)}" if missed else "met"
    print(f"target: p95 at most {TARGET_MS:g} ms, and no more statements for many rows: {said}")
    return 1 if missed else 0


@contextmanager
def database() -> Iterator[None]:
    """Of its own, dropped afterwards. What tests watch is not set up, for to watch templates slows them down."""
    import django

    django.setup()
    from django.db import connection

    from league.serving import settle

    settle()
    connection.creation.create_test_db(verbosity=0)
    try:
        yield
    finally:
        connection.creation.destroy_test_db(":memory:", verbosity=0)


class Seen:
    """The looks at one page: milliseconds of the first one, of those that make it anew and of the others, and of the
    database among the others; `statements` of making it anew.
    """

    def __init__(self, client, path: str, looks: int) -> None:
        from django.core.cache import cache
        from django.db import connection
        from django.test.utils import CaptureQueriesContext

        clock = Clock()
        self.answer(client, path)  # what a process computes once
        cache.clear()
        self.first = sum(clock.of(lambda: self.answer(client, path))[:2])
        with pages_made_each_time():
            self.anew = [sum(clock.of(lambda: self.answer(client, path))[:2]) for _ in range(looks)]
            with CaptureQueriesContext(connection) as asked:
                self.answer(client, path)
        self.statements = len(asked)
        self.answer(client, path)
        times = [clock.of(lambda: self.answer(client, path)) for _ in range(looks)]
        self.work = [web + base for web, base, _wall in times]
        self.base = [base for _web, base, _wall in times]
        self.wall = [wall for _web, _base, wall in times]
        self.size = len(self.answer(client, path).content)

    @staticmethod
    def answer(client, path: str):
        answer = client.get(path)
        assert answer.status_code == 200, (path, answer.status_code)
        return answer


@contextmanager
def pages_made_each_time() -> Iterator[None]:
    """As if transactions ended all the time: no page is kept, what the tables are made from is."""
    from league.web.shared import page_cache

    page_cache.cache, kept = DummyCache("", {}), page_cache.cache
    try:
        yield
    finally:
        page_cache.cache = kept


class Clock:
    """Milliseconds of work: of this process, and of the one of the database that answers it, if it can be asked."""

    def __init__(self) -> None:
        from django.db import connection

        self.schedstat = None
        if connection.vendor == "postgresql":
            with connection.cursor() as cursor:
                cursor.execute("SELECT pg_backend_pid()")
                path = Path(f"/proc/{cursor.fetchone()[0]}/schedstat")
            self.schedstat = path if path.exists() else None

    def of(self, act: Callable[[], object]) -> tuple[float, float, float]:
        begun = time.process_time(), self.base(), time.perf_counter()
        act()
        ended = time.process_time(), self.base(), time.perf_counter()
        return tuple(1000 * (after - before) for before, after in zip(begun, ended, strict=True))

    def base(self) -> float:
        return int(self.schedstat.read_text("utf-8").split()[0]) / 1e9 if self.schedstat else 0.0


def measured(size: Size, pages: dict[str, str], looks: int) -> dict[str, Seen]:
    from django.db import connection
    from django.test import Client

    begun = time.perf_counter()
    site: Site = build(size)
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("VACUUM ANALYZE")
    print(f"on {connection.vendor}: {size.games} games in {time.perf_counter() - begun:.0f} s", flush=True)
    client = Client(headers={"host": "localhost"})
    return {name: Seen(client, path.format(slug=site.slug, **site.facts), looks) for name, path in pages.items()}


def flush() -> None:
    from django.core.cache import cache
    from django.core.management import call_command

    call_command("flush", interactive=False, verbosity=0)
    cache.clear()


def told(name: str, seen: Seen, few: int) -> bool:
    """Whether the page keeps the promise; prints what it took."""
    p50, p95 = quantile(seen.work, 50), quantile(seen.work, 95)
    kept = p95 <= TARGET_MS and seen.statements <= few
    made = f"{seen.first:7.1f} {quantile(seen.anew, 50):7.1f}"
    times = f"{made} {p50:7.1f} {p95:7.1f} {quantile(seen.wall, 95):9.1f} {quantile(seen.base, 50):9.1f}"
    print(
        f"{name:30} {times}  {few:4} | {seen.statements:3} {seen.size / 1000:7.0f}{'' if kept else '  !'}", flush=True
    )
    return kept


def quantile(values: list[float], percent: int) -> float:
    return statistics.quantiles(values, n=100, method="inclusive")[percent - 1] if len(values) > 1 else values[0]


if __name__ == "__main__":
    asked = argparse.ArgumentParser()
    asked.add_argument("--looks", type=int, default=25)
    asked.add_argument("--only", default="")
    given = asked.parse_args()
    sys.exit(main(given.looks, given.only))
