"""From the POST of a log over HTTP to its stored verdict, with the processes of production.

    .venv/bin/python -m tests.benchmarks.bench_latency [--rate 20] [--logs 400]

gunicorn, a Celery worker a queue and beat with the commands of docker-compose.yml, on a PostgreSQL database of its own
(DATABASE_URL names the server) and Redis (TEST_REDIS_URL). Logs are sent at a steady rate whether or not the answers
have come. A verdict counts from the moment another connection sees it, looked for every two milliseconds.
"""

import argparse
import os
import queue
import secrets
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.client import HTTPConnection
from pathlib import Path
from urllib.parse import urlencode, urlsplit

import psycopg
import yaml

ROOT = Path(__file__).resolve().parents[2]
SERVER = os.environ.get("DATABASE_URL") or "postgres://postgres@127.0.0.1:5432/postgres"
REDIS = os.environ.get("TEST_REDIS_URL") or "redis://127.0.0.1:6379/15"
TARGET_MS = 250
LOOK_EVERY = 0.002  # seconds
SENDERS = 8
WARM_UP = 40  # logs that are sent before and not counted: each process has then imported what it needs


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rate", type=float, default=20, help="logs a second (default: %(default)s)")
    parser.add_argument("--logs", type=int, default=400, help="logs in all (default: %(default)s)")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, own_database() as url:
        set_environment(url, Path(folder))
        import django

        django.setup()
        django_command("migrate", "--noinput")
        django_command("collectstatic", "--noinput")
        with site(Path(folder)) as port:
            games = make_games(asked.logs + WARM_UP)
            measure(port, url, games[:WARM_UP], asked.rate)
            tell(measure(port, url, games[WARM_UP:], asked.rate), asked.rate)


@contextmanager
def own_database() -> Iterator[str]:
    name = f"bench_latency_{secrets.token_hex(4)}"
    with psycopg.connect(SERVER, autocommit=True) as server:
        server.execute(f"CREATE DATABASE {name}")
        yield urlsplit(SERVER)._replace(path=f"/{name}").geturl()
        server.execute(f"DROP DATABASE {name} WITH (FORCE)")


def set_environment(url: str, folder: Path) -> None:
    os.environ.update(
        DATABASE_URL=url,
        REDIS_URL=REDIS,
        REDIS_PREFIX=f"bench-{secrets.token_hex(4)}:",
        SECRET_KEY=secrets.token_urlsafe(50),
        DATA_DIR=str(folder),
        STATIC_ROOT=str(folder / "static"),
        ALLOWED_HOSTS="127.0.0.1",
        HTTPS="0",
        LOG_LEVEL="WARNING",
        DJANGO_SETTINGS_MODULE="league.settings",
        PATH=f"{Path(sys.executable).parent}:{os.environ['PATH']}",
    )


def django_command(*arguments: str) -> None:
    subprocess.run([sys.executable, "-m", "django", *arguments], cwd=ROOT, check=True, stdout=subprocess.DEVNULL)


@contextmanager
def site(folder: Path) -> Iterator[int]:
    """The processes of the compose file that take part; gives the port of the pages."""
    from tests.league.processes import forget_keys, free_port

    services = yaml.safe_load((ROOT / "docker-compose.yml").read_text("utf-8"))["services"]
    port, running = free_port(), []
    for name in ("web", "worker-verify", "worker-default", "beat"):
        command = [f"127.0.0.1:{port}" if part == "0.0.0.0:8000" else part for part in services[name]["command"]]
        command = [str(folder / "beat.pid") if part == "/tmp/beat.pid" else part for part in command]
        if "worker" in name:
            command += ["--hostname", f"{name}@{os.environ['REDIS_PREFIX'].strip(':')}"]
        running.append(subprocess.Popen(command, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL))
    try:
        until_ready(port)
        yield port
    finally:
        for process in running:
            process.terminate()
        for process in running:
            process.wait(30)
        forget_keys(REDIS, os.environ["REDIS_PREFIX"])


def until_ready(port: int) -> None:
    """Until beat and the workers of both queues were seen."""
    for _ in range(600):
        try:
            connection = HTTPConnection("127.0.0.1", port, timeout=5)
            connection.request("GET", "/readyz")
            if connection.getresponse().status == 200:
                return
        except OSError:
            pass
        time.sleep(0.2)
    sys.exit("The site does not become ready.")


def make_games(number: int) -> list[tuple[str, int, str]]:
    """(code, id, log) of games that were played out and are not handed in yet."""
    from tests.league.world import make_world, played_log

    world = make_world()
    games = [world.fixture().games.get() for _ in range(number)]
    return [(game.code, game.pk, played_log(seed)) for seed, game in enumerate(games)]


def measure(port: int, url: str, games: list[tuple[str, int, str]], rate: float) -> tuple[list[float], list[float]]:
    """Milliseconds to the answer, and to the verdict, of each log."""
    sent: dict[int, float] = {}
    answered: list[float] = []
    work: queue.Queue[tuple[float, tuple[str, int, str]] | None] = queue.Queue()
    senders = [threading.Thread(target=send, args=(port, work, sent, answered)) for _ in range(SENDERS)]
    seen: dict[int, float] = {}
    looking = threading.Thread(target=look, args=(url, {game for _, game, _ in games}, seen))
    for thread in (*senders, looking):
        thread.start()
    begun = time.monotonic() + 1
    for number, game in enumerate(games):
        due = begun + number / rate
        time.sleep(max(0.0, due - time.monotonic()))
        work.put((due, game))
    for _ in senders:
        work.put(None)
    for thread in (*senders, looking):
        thread.join()
    return answered, [1000 * (seen[game] - sent[game]) for game in sent]


def send(port: int, work: "queue.Queue", sent: dict[int, float], answered: list[float]) -> None:
    """One client with its own connection. The clock starts when the log was due, not when a client had time for it."""
    connection = HTTPConnection("127.0.0.1", port, timeout=30)
    headers = signed_in(connection)
    while taken := work.get():
        due, (code, game, log) = taken
        sent[game] = due
        body = urlencode({"csrfmiddlewaretoken": headers["X-CSRFToken"], "text": log})
        connection.request("POST", f"/submit/{code}/", body, headers)
        answer = connection.getresponse()
        answer.read()
        if answer.status != 302:
            sys.exit(f"The site answered {answer.status}.")
        answered.append(1000 * (time.monotonic() - due))


def signed_in(connection: HTTPConnection) -> dict[str, str]:
    from django.conf import settings
    from django.db import connections
    from django.middleware.csrf import _get_new_csrf_string
    from django.test import Client

    from league.accounts.models import User

    client, token = Client(), _get_new_csrf_string()
    client.force_login(User.objects.get(username="referee"))
    session = client.cookies[settings.SESSION_COOKIE_NAME].value
    connections.close_all()
    return {
        "Cookie": f"{settings.SESSION_COOKIE_NAME}={session}; {settings.CSRF_COOKIE_NAME}={token}",
        "X-CSRFToken": token,
        "Content-Type": "application/x-www-form-urlencoded",
    }


def look(url: str, games: set[int], seen: dict[int, float]) -> None:
    last = 0
    with psycopg.connect(url, autocommit=True) as connection:
        while len(seen) < len(games):
            rows = connection.execute(
                "SELECT matches_storedverdict.id, game_id FROM matches_storedverdict"
                " JOIN matches_record ON record_id = matches_record.id WHERE matches_storedverdict.id > %s",
                [last - 50],  # numbers are given before the commit, so they come out of order
            ).fetchall()
            now = time.monotonic()
            for number, game in rows:
                last = max(last, number)
                if game in games:
                    seen.setdefault(game, now)
            time.sleep(LOOK_EVERY)


def tell(measured: tuple[list[float], list[float]], rate: float) -> None:
    for name, values in zip(("answer", "verdict"), measured, strict=True):
        cuts = statistics.quantiles(values, n=100, method="inclusive")
        print(
            f"{name:<8} {len(values)} logs at {rate:g}/s: p50 {cuts[49]:.0f} ms  p95 {cuts[94]:.0f} ms  "
            f"p99 {cuts[98]:.0f} ms  max {max(values):.0f} ms"
        )
    late = statistics.quantiles(measured[1], n=100, method="inclusive")[94] > TARGET_MS
    print(f"target: p95 of the verdict at most {TARGET_MS} ms: {'MISSED' if late else 'met'}")


if __name__ == "__main__":
    main()
