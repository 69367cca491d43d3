"""A running site with its PostgreSQL or Redis stopped (RELIABILITY.md T-11, T-12)."""

import json
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from http.client import HTTPResponse
from pathlib import Path
from urllib.error import HTTPError
from urllib.parse import urlencode
from urllib.request import Request, urlopen

import pytest

from tests.league.processes import OwnPostgres, OwnRedis, Processes, free_port, own_postgres, own_redis, until

pytestmark = [pytest.mark.slow("starts PostgreSQL, Redis and a site"), pytest.mark.sqlite]

PAGES = ("/", "/players/", "/competitions/", "/search/?q=ana", "/ask/", "/sign-in/", "/admin/login/")
CALLS = ("/api/v1/matches", "/api/v1/leagues", "/api/v1/players")
RECOVERY = 10  # seconds (T-11)


@dataclass
class Site:
    """Pages by gunicorn, on servers of its own."""

    processes: Processes
    postgres: OwnPostgres
    redis: OwnRedis
    port: int

    def ask(self, path: str, **form: str) -> tuple[HTTPResponse | HTTPError, str]:
        body = urlencode(form).encode() if form else None
        try:
            answer = urlopen(Request(f"http://127.0.0.1:{self.port}{path}", data=body), timeout=60)
        except HTTPError as error:
            answer = error
        with answer:
            return answer, answer.read().decode()

    def statuses(self, *paths: str) -> set[int]:
        return {self.ask(path)[0].status for path in paths}


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    if reason := OwnPostgres.why_not() or ("" if shutil.which("redis-server") else "no redis-server on the PATH"):
        pytest.skip(reason)
    folder = tmp_path_factory.mktemp("servers")
    with own_postgres() as postgres, own_redis(folder) as redis:
        processes = Processes(folder, redis.url, DATABASE_URL=postgres.url, SECRET_KEY="a key of this test")
        migrate = [sys.executable, "-m", "django", "migrate", "--verbosity", "0"]
        subprocess.run(migrate, env=processes.environment, cwd=Path.cwd(), check=True)
        running = Site(processes, postgres, redis, free_port())
        try:
            processes.web(running.port)
            assert until(lambda: running.ask("/healthz")[0].status == 200 if is_open(running.port) else False)
            yield running
        finally:
            processes.stop()


def is_open(port: int) -> bool:
    import socket

    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


def test_with_redis_stopped_every_page_is_answered(site: Site) -> None:
    assert site.statuses(*PAGES, *CALLS) == {200}
    site.redis.kill()
    begun = time.monotonic()
    assert site.statuses(*PAGES, *CALLS) == {200}
    assert time.monotonic() - begun < len(PAGES + CALLS)
    site.redis.start()
    assert site.statuses(*PAGES, *CALLS) == {200}


def test_without_postgresql_all_is_503_and_recovers_after_its_return(site: Site) -> None:
    assert site.statuses(*PAGES, *CALLS) == {200}
    site.postgres.stop()
    for page in ("/", "/players/", "/competitions/"):
        answer, said = site.ask(page)
        assert (answer.status, answer.headers["Retry-After"]) == (503, "5"), (page, site.processes.said("web")[-3000:])
        assert "The database does not answer." in said
        assert answer.headers["Content-Type"].startswith("text/html")
    for call in CALLS:
        answer, said = site.ask(call)
        assert (answer.status, answer.headers["Retry-After"]) == (503, "5"), (call, site.processes.said("web")[-3000:])
        assert json.loads(said)["code"] == "unavailable"
    # Pages that need no database still work.
    assert site.statuses("/healthz", "/offline/", "/api/v1/rulesets") == {200}
    assert site.ask("/readyz")[0].status == 503
    site.postgres.start()
    begun = time.monotonic()
    assert until(lambda: site.statuses(*PAGES, *CALLS) == {200}, RECOVERY)
    print(f"recovered within {time.monotonic() - begun:.1f} s")
