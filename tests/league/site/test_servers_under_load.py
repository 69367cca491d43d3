"""Scores entered while PostgreSQL and Redis fail (RELIABILITY.md T-11, T-12)."""

import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from urllib.error import HTTPError, URLError
from urllib.request import Request, urlopen

import psycopg
import pytest
import redis

from tests.league.processes import OwnPostgres, OwnRedis, Processes, free_port, own_postgres, own_redis, until
from tests.volume import amount

pytestmark = [pytest.mark.slow("starts PostgreSQL, Redis and a site"), pytest.mark.sqlite]

GAMES = amount(240)  # a disturbance
DISTURBANCES = 8
FURNISH = f"""
import django, json
django.setup()
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from django.contrib.sessions.backends.db import SessionStore
from league.api.models import TokenScope
from league.api.base.tokens import make_token
from tests.league.world import make_world
world = make_world()
codes = [world.fixture().games.get().code for _ in range({GAMES * DISTURBANCES})]
session = SessionStore()
session[SESSION_KEY] = str(world.referee.pk)
session[BACKEND_SESSION_KEY] = "django.contrib.auth.backends.ModelBackend"
session[HASH_SESSION_KEY] = world.referee.get_session_auth_hash()
session.create()
key = make_token(world.referee, name="desk", scopes=list(TokenScope.values))[1]
print(json.dumps([key, session.session_key, codes]))
"""


@dataclass
class Site:
    processes: Processes
    postgres: OwnPostgres
    redis: OwnRedis
    port: int
    key: str
    session: str
    codes: list[str]
    statuses: Counter[int] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)

    def ask(self, path: str, body: object = None, **headers: str) -> int:
        """Return the status; 0 without an answer."""
        data = None if body is None else json.dumps(body).encode()
        headers |= {"Content-Type": "application/json"} if data else {}
        try:
            with urlopen(Request(f"http://127.0.0.1:{self.port}{path}", data, headers), timeout=60) as answer:
                return answer.status
        except HTTPError as error:
            with error:
                if error.code >= 500 and (error.code != 503 or not error.headers["Retry-After"]):
                    self.wrong.append(f"{error.code} {path}: {error.read()[:300]!r}")
                return error.code
        except (URLError, ConnectionError, TimeoutError):
            return 0

    def enter(self, code: str) -> None:
        """Enter a score, and retry with the same key until it is acknowledged."""
        headers = {"Authorization": f"Bearer {self.key}", "Idempotency-Key": f"score-of-{code}"}
        body = {"kind": "score", "sheet": {"scores": [150, 95]}}
        for _ in range(300):
            status = self.ask(f"/api/v1/games/{code}/sheets", body, **headers)
            self.statuses[status] += 1
            if status in {200, 201}:
                return
            time.sleep(0.1)
        self.wrong.append(f"{code} was never taken")

    def entered_while(self, act: Callable[[], object]) -> list[str]:
        """Enter scores of many games with `act` in the middle, and return the games."""
        codes, self.codes = self.codes[:GAMES], self.codes[GAMES:]
        self.statuses.clear()
        with ThreadPoolExecutor(5) as threads:
            doing = threads.submit(lambda: (time.sleep(0.3), act()))
            list(threads.map(self.enter, codes))
            doing.result()
        return codes

    def records_of(self, codes: list[str]) -> Counter[int]:
        """Count the games by their number of records."""
        rows = "SELECT count(r.id) FROM matches_game g LEFT JOIN matches_record r ON r.game_id = g.id"
        with psycopg.connect(self.postgres.url) as database:
            found = database.execute(f"{rows} WHERE g.code = ANY(%s) GROUP BY g.id", [codes]).fetchall()
        return Counter(number for (number,) in found)

    def is_signed_in(self) -> bool:
        return self.ask("/account/", Cookie=f"sessionid={self.session}") == 200


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    if reason := OwnPostgres.why_not() or ("" if shutil.which("redis-server") else "no redis-server on the PATH"):
        pytest.skip(reason)
    folder = tmp_path_factory.mktemp("servers")
    with own_postgres() as postgres, own_redis(folder) as own:
        no_limits = {"API_LIMIT_KNOWN": "1000000", "API_LIMIT_SUBMIT": "1000000"}
        processes = Processes(folder, own.url, DATABASE_URL=postgres.url, SECRET_KEY="a key of this test", **no_limits)
        try:
            yield running(processes, postgres, own)
        finally:
            processes.stop()


def running(processes: Processes, postgres: OwnPostgres, own: OwnRedis) -> Site:
    ran(processes, "-m", "django", "migrate", "--verbosity", "0")
    site = Site(processes, postgres, own, free_port(), *json.loads(ran(processes, "-c", FURNISH)))
    processes.web(site.port)
    assert until(lambda: site.ask("/healthz") == 200)
    return site


def ran(processes: Processes, *command: str) -> bytes:
    """Run a Python program and return its output."""
    done = subprocess.run(
        [sys.executable, *command], env=processes.environment, cwd=Path.cwd(), check=True, stdout=subprocess.PIPE
    )
    return done.stdout


def restart(site: Site) -> None:
    site.postgres.stop()
    time.sleep(1)  # an outage of a second
    site.postgres.start()


def end_connections(site: Site) -> None:
    with psycopg.connect(site.postgres.url, autocommit=True) as database:
        database.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid()")


def freeze(server: OwnPostgres | OwnRedis, seconds: float) -> None:
    server.freeze()
    time.sleep(seconds)
    server.thaw()


@pytest.mark.parametrize("what", ["stopped", "connections ended", "frozen"])
def test_no_acknowledged_score_is_lost_with_postgresql(site: Site, what: str) -> None:
    act = {
        "stopped": lambda: restart(site),
        "connections ended": lambda: [(end_connections(site), time.sleep(0.2)) for _ in range(5)],
        "frozen": lambda: freeze(site.postgres, 5),
    }[what]
    codes = site.entered_while(act)
    print(f"{what}: {dict(site.statuses)}")
    assert site.wrong == []
    assert set(site.statuses) <= {201, 200, 503, 409}
    assert site.records_of(codes) == {1: len(codes)}
    begun = time.monotonic()
    assert until(lambda: site.ask("/") == 200, 10)
    print(f"back after {time.monotonic() - begun:.1f} s")


def change(site: Site, *command: object) -> None:
    with redis.Redis.from_url(site.redis.url) as client:
        client.execute_command(*command)


def kill_and_start(site: Site) -> None:
    site.redis.kill()
    time.sleep(2)  # an outage of two seconds
    site.redis.start()


def fill(site: Site) -> None:
    change(site, "CONFIG", "SET", "maxmemory", "1")
    time.sleep(2)  # an outage of two seconds
    change(site, "CONFIG", "SET", "maxmemory", "0")


@pytest.mark.parametrize("what", ["emptied", "killed", "full", "frozen"])
def test_with_redis_in_trouble_every_score_is_taken_at_once_and_nobody_is_signed_out(site: Site, what: str) -> None:
    act = {
        "emptied": lambda: [(change(site, "FLUSHALL"), time.sleep(0.2)) for _ in range(10)],
        "killed": lambda: kill_and_start(site),
        "full": lambda: fill(site),
        "frozen": lambda: freeze(site.redis, 3),
    }[what]
    assert site.is_signed_in()
    codes = site.entered_while(act)
    print(f"{what}: {dict(site.statuses)}")
    assert site.wrong == []
    assert set(site.statuses) == {201}
    assert site.records_of(codes) == {1: len(codes)}
    assert site.is_signed_in()


def test_a_site_without_the_protection_answers_by_500(site: Site) -> None:
    """The control."""
    bare = replace(site, port=free_port(), wrong=[], statuses=Counter())
    site.processes.web(bare.port, app="tests.league.unprotected")
    assert until(lambda: bare.ask("/healthz") == 200)
    site.redis.kill()
    picture = "/share/en/leagues/harbour.png"
    assert (bare.ask(picture), site.ask(picture)) == (500, 200)
    site.redis.start()
    site.postgres.stop()
    assert (bare.ask("/"), site.ask("/")) == (500, 503)
    site.postgres.start()


# --- A disk that is full under PostgreSQL ---


@pytest.fixture
def disk() -> Iterator[Path]:
    """A file system of 256 MB that the account of PostgreSQL can reach."""
    folder = Path(tempfile.mkdtemp(prefix="disk-"))
    mount = ["mount", "-t", "tmpfs", "-o", "size=256m", "tmpfs", folder]
    if os.geteuid() != 0 or subprocess.run(mount, capture_output=True, check=False).returncode:
        folder.rmdir()
        pytest.skip("only root mounts a disk that is small enough to be filled")
    folder.chmod(0o755)
    yield folder
    subprocess.run(["umount", folder], check=True)
    folder.rmdir()


def test_a_full_disk_under_postgresql_loses_no_acknowledged_score(disk: Path, tmp_path: Path) -> None:
    if reason := OwnPostgres.why_not():
        pytest.skip(reason)
    data = disk / "data"
    data.mkdir()
    with own_postgres(data) as postgres, own_redis(tmp_path) as own:
        processes = Processes(
            tmp_path, own.url, DATABASE_URL=postgres.url, SECRET_KEY="a key of this test", API_LIMIT_SUBMIT="1000000"
        )
        try:
            full_disk(running(processes, postgres, own), disk)
        finally:
            processes.stop()


def full_disk(site: Site, disk: Path) -> None:
    filler, pages = disk / "filler", Counter()

    def fill_and_free() -> None:
        with filler.open("ab", buffering=0) as file, suppress(OSError):
            while file.write(bytes(4096)):
                pass
        end = time.monotonic() + 30
        while not (pages and site.statuses[503]) and time.monotonic() < end:  # full until a score has met it
            pages[site.ask("/")] += 1
        filler.unlink()
        if not until(site.postgres.answers, 5):  # it stops if its log has no room
            site.postgres.start()

    codes = site.entered_while(fill_and_free)
    print(f"disk full: {dict(site.statuses)}, pages {dict(pages)}")
    assert site.wrong == []
    assert set(site.statuses) <= {201, 200, 503}
    assert site.statuses[503] > 0
    assert set(pages) <= {200, 503}
    assert site.records_of(codes) == {1: len(codes)}
    assert until(lambda: site.ask("/") == 200, 10)
