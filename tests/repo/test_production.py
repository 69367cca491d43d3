"""A site as docker-compose.yml describes it, started here: its commands and variables, PostgreSQL, Redis."""

import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass
from email.message import Message
from http.client import HTTPConnection
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import psycopg
import pytest
import yaml

from tests.league.processes import PATIENCE

ROOT = Path(__file__).resolve().parents[2]
SERVICES: dict[str, dict[str, Any]] = yaml.safe_load((ROOT / "docker-compose.yml").read_text("utf-8"))["services"]
NAME = f"league_production_{os.getpid()}"  # two test processes, two sites
HOST = "dominoes.example.org"

pytestmark = [pytest.mark.postgres, pytest.mark.redis, pytest.mark.slow("starts the processes of a site")]

Start = Callable[[list[str]], "subprocess.Popen[str]"]


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


@pytest.fixture(scope="module")
def database() -> Iterator[str]:
    """The URL of an empty database of its own on the server that the suite runs on."""
    url = urlsplit(os.environ["DATABASE_URL"])
    with psycopg.connect(url.geturl(), autocommit=True) as server:
        server.execute(f"DROP DATABASE IF EXISTS {NAME} WITH (FORCE)")
        server.execute(f"CREATE DATABASE {NAME}")
        yield url._replace(path=f"/{NAME}").geturl()
        server.execute(f"DROP DATABASE {NAME} WITH (FORCE)")


@pytest.fixture(scope="module")
def variables(database: str, redis_url: str, tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The environment of every service, with values for this machine in the place of the names in it."""
    folder = tmp_path_factory.mktemp("site")
    here = {
        "SECRET_KEY": "a-key-of-this-test-only-" + "x4" * 20,
        "DATABASE_URL": database,
        "REDIS_URL": redis_url,
        "ALLOWED_HOSTS": f"{HOST},localhost",
        "CSRF_TRUSTED_ORIGINS": f"https://{HOST}",
        "HTTPS": "1",
        "TRUST_PROXY": "1",
    }
    asked = SERVICES["web"]["environment"]
    # What an owner may leave out is left out, as the compose file says it.
    left_out = {name: text[3 + len(name) + 1 : -1] for name, text in asked.items() if text.startswith(f"${{{name}:-")}
    assert set(here) | set(left_out) == set(asked)
    here = {**left_out, **here}
    path = {"PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"}
    ours = {"REDIS_PREFIX": f"{NAME}:", "HEARTBEAT_SECONDS": "1"}  # the Redis is others' as well, and time is short
    return {**path, **here, **ours, "DATA_DIR": str(folder), "STATIC_ROOT": str(folder / "static")}


@pytest.fixture(scope="module")
def start(variables: dict[str, str]) -> Iterator[Start]:
    """Run a service's own command; what still runs in the end is killed."""

    started: list[subprocess.Popen[str]] = []

    def popen(command: list[str]) -> "subprocess.Popen[str]":
        started.append(subprocess.Popen(command, cwd=ROOT, env=variables, stderr=subprocess.PIPE, text=True))
        return started[-1]

    yield popen
    for process in started:
        if process.poll() is None:
            process.kill()
        process.communicate()


@pytest.fixture(scope="module")
def site(start: Start) -> Iterator[int]:
    """The port of the site's gunicorn, after the steps of the image and of the service ``migrate``."""
    for command in (["python", "manage.py", "collectstatic", "--noinput"], SERVICES["migrate"]["command"]):
        process = start(command)
        _, said = process.communicate(timeout=PATIENCE)
        assert process.returncode == 0, said
    port = free_port()
    web = start([f"127.0.0.1:{port}" if part == "0.0.0.0:8000" else part for part in SERVICES["web"]["command"]])
    wait_for(lambda: socket.create_connection(("127.0.0.1", port)).close())
    yield port
    web.send_signal(signal.SIGTERM)
    web.communicate(timeout=PATIENCE)
    assert web.returncode == 0


def wait_for(attempt: Callable[[], object]) -> None:
    begun = time.monotonic()
    while True:
        try:
            attempt()
        except OSError:
            if time.monotonic() - begun > PATIENCE:
                raise
            time.sleep(0.2)
        else:
            return


@dataclass
class Answer:
    status: int
    headers: Message
    text: str


def get(port: int, path: str, **headers: str) -> Answer:
    with closing(HTTPConnection("127.0.0.1", port, timeout=PATIENCE)) as connection:
        connection.request("GET", path, headers={name.replace("_", "-"): value for name, value in headers.items()})
        answer = connection.getresponse()
        return Answer(answer.status, answer.headers, answer.read().decode())


def test_pages_come_over_https_with_files_named_by_their_content(site: int) -> None:
    empty = get(site, "/", Host=HOST, X_Forwarded_Proto="https")
    assert (empty.status, empty.headers["Location"]) == (302, "/first/")  # nobody is there yet
    page = get(site, "/first/", Host=HOST, X_Forwarded_Proto="https")
    assert page.status == 200
    assert page.headers["Strict-Transport-Security"].startswith("max-age=31536000")
    style = page.text.partition('rel="stylesheet"')[2].partition('href="')[2].partition('"')[0]
    assert style.startswith("/static/")
    file = get(site, style, Host=HOST, X_Forwarded_Proto="https")
    assert (file.status, file.headers["Cache-Control"]) == (200, "max-age=315360000, public, immutable")


def lasting(page: str) -> str:
    """A page without what is new in every answer: the token of its forms, the nonce of its styles."""
    return re.sub(r'(name="csrfmiddlewaretoken" value|nonce)="[^"]+"', r"\1", page)


def test_plain_http_is_sent_to_https_but_for_the_health_check(site: int) -> None:
    page = get(site, "/", Host=HOST)
    assert (page.status, page.headers["Location"]) == (301, f"https://{HOST}/")
    assert get(site, "/healthz", Host="localhost").status == 200


def test_another_name_is_refused(site: int) -> None:
    assert get(site, "/", Host="evil.example.com", X_Forwarded_Proto="https").status == 400


def test_the_live_process_answers_with_the_same_pages(site: int, start: Start) -> None:
    port = free_port()
    live = start([str(port) if part == "8001" else part for part in SERVICES["live"]["command"]])
    wait_for(lambda: socket.create_connection(("127.0.0.1", port)).close())
    page, same = (get(one, "/notation/", Host=HOST, X_Forwarded_Proto="https") for one in (port, site))
    assert (page.status, lasting(page.text)) == (200, lasting(same.text))
    assert page.headers["Server"] is None
    assert get(port, "/healthz", Host="localhost").status == 200
    live.send_signal(signal.SIGTERM)
    _, said = live.communicate(timeout=PATIENCE)
    assert (live.returncode, "Traceback" in said) in {(0, False), (-signal.SIGTERM, False)}, said


def test_workers_of_each_queue_and_beat_start_answer_and_stop_and_the_site_says_it_is_ready(
    site: int, start: Start, tmp_path: Path
) -> None:
    workers = {
        name: start([*SERVICES[name]["command"], "--hostname", f"{name}@{NAME}"])
        for name in ("worker-verify", "worker-default")
    }
    pidfile = tmp_path / "beat.pid"
    beat = start([str(pidfile) if part == "/tmp/beat.pid" else part for part in SERVICES["beat"]["command"]])

    def answered() -> None:
        for name in workers:
            ping = ["celery", "-A", "league", "inspect", "ping", "--destination", f"{name}@{NAME}", "--timeout", "2"]
            if start(ping).wait(PATIENCE):
                raise ConnectionError(f"{name} does not answer yet")

    def ready() -> None:
        """As a monitor asks: heartbeats went from beat through the broker and each queue into the cache."""
        answer = get(site, "/readyz", Host="localhost")
        if answer.status != 200:
            raise ConnectionError(answer.text)

    assert get(site, "/readyz", Host="localhost").status == 503
    wait_for(answered)
    wait_for(pidfile.read_text)
    assert int(pidfile.read_text("utf-8")) == beat.pid
    wait_for(ready)
    for process in (*workers.values(), beat):
        process.send_signal(signal.SIGTERM)
        _, said = process.communicate(timeout=PATIENCE)
        assert process.returncode == 0, said
        assert "Traceback" not in said
