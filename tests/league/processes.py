"""The site's processes, started by a test as production starts them: pages, workers, beat, a Redis of its own."""

import os
import pwd
import secrets
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import psycopg
import redis
from django.conf import settings
from django.db import connection

ROOT = Path(__file__).resolve().parents[2]
# Seconds. A long limit costs nothing if the event comes soon; a busy machine needs it.
PATIENCE = 300.0


def database_of_the_test() -> str:
    """The address of the database that this test runs on."""
    parts = connection.settings_dict
    if connection.vendor == "postgresql":
        return f"postgres://{parts['USER']}:{parts['PASSWORD']}@{parts['HOST']}:{parts['PORT'] or 5432}/{parts['NAME']}"
    return f"sqlite:///{parts['NAME']}"


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def until(holds: Callable[[], object], patience: float = PATIENCE) -> bool:
    """Whether it held before the patience was over."""
    end = time.monotonic() + patience
    while not holds():
        if time.monotonic() > end:
            return False
        time.sleep(0.1)
    return True


class Processes:
    """Started with the environment of a site on the test's database; `stop` ends what still runs."""

    def __init__(self, folder: Path, redis_url: str, **environment: str) -> None:
        self.folder = folder
        self.prefix = f"test-{secrets.token_hex(6)}:"
        self.environment = os.environ | {
            "DATABASE_URL": database_of_the_test(),
            "SECRET_KEY": settings.SECRET_KEY,  # sessions that the test makes are good there
            "REDIS_URL": redis_url,
            "REDIS_PREFIX": self.prefix,
            "DATA_DIR": str(folder),
            "STATIC_ROOT": str(folder / "static"),
            "ALLOWED_HOSTS": "127.0.0.1",
            "HTTPS": "0",
            "DJANGO_SETTINGS_MODULE": "league.settings",
            "LOG_LEVEL": "INFO",
            **environment,
        }
        self.started: list[subprocess.Popen[bytes]] = []

    def start(self, name: str, *command: str) -> "subprocess.Popen[bytes]":
        """In a group of its own, so that its children can be killed with it; what it says goes to `name`.log."""
        with (self.folder / f"{name}.log").open("ab") as log:
            process = subprocess.Popen(
                [sys.executable, "-m", *command],
                cwd=ROOT,
                env=self.environment,
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
        self.started.append(process)
        return process

    def worker(self, name: str = "worker", *, app: str = "league", processes: int = 1) -> "subprocess.Popen[bytes]":
        options = ["--concurrency", str(processes), "--hostname", f"{name}@{self.prefix.strip(':')}"]
        return self.start(name, "celery", "-A", app, "worker", "--loglevel", "INFO", "--without-mingle", *options)

    def beat(self) -> "subprocess.Popen[bytes]":
        return self.start("beat", "celery", "-A", "league", "beat", "--loglevel", "INFO", "--pidfile", "")

    def web(self, port: int, *options: str, app: str = "league.wsgi") -> "subprocess.Popen[bytes]":
        assert self.start("static", "django", "collectstatic", "--noinput").wait(PATIENCE) == 0
        bind = ["--bind", f"127.0.0.1:{port}", "--threads", "4", *options]
        return self.start("web", "gunicorn", f"{app}:application", *bind)

    def said(self, name: str) -> str:
        return (self.folder / f"{name}.log").read_text(errors="replace")

    def stop(self) -> None:
        for process in self.started:
            kill(process)


def kill(process: "subprocess.Popen[bytes]") -> None:
    """-9, for the process and all of its children."""
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait(timeout=PATIENCE)


class OwnRedis:
    """A Redis of this test's own, which it may kill and freeze."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.port = free_port()
        self.url = f"redis://127.0.0.1:{self.port}/0"

    def start(self) -> None:
        options = ["--port", str(self.port), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no"]
        # Its allocator does not bear the library that gives tests another hour (tests/elsewhere.py).
        environment = {name: value for name, value in os.environ.items() if name != "LD_PRELOAD"}
        self.process = subprocess.Popen(
            [shutil.which("redis-server"), *options, "--dir", str(self.folder)],
            stdout=subprocess.DEVNULL,
            env=environment,
        )
        if not until(self.answers, 10):
            self.kill()
            raise AssertionError("the test's own Redis does not start")

    def answers(self) -> Any:
        try:
            with redis.Redis.from_url(self.url, socket_timeout=1) as client:
                return client.ping()
        except redis.RedisError:
            return False

    def kill(self) -> None:
        self.process.kill()
        self.process.wait(timeout=PATIENCE)

    def freeze(self) -> None:
        self.process.send_signal(signal.SIGSTOP)

    def thaw(self) -> None:
        self.process.send_signal(signal.SIGCONT)


@contextmanager
def own_redis(folder: Path) -> Iterator[OwnRedis]:
    server = OwnRedis(folder)
    server.start()
    try:
        yield server
    finally:
        server.kill()


class OwnPostgres:
    """A PostgreSQL of its own for a test that stops it.

    As root it runs as the system's `postgres`.
    """

    def __init__(self, folder: Path | None = None) -> None:
        # pytest keeps its own folders from other accounts.
        self.folder = folder or Path(tempfile.mkdtemp(prefix="postgres-"))
        self.port = free_port()
        self.url = f"postgres://postgres@127.0.0.1:{self.port}/postgres"
        self.user = "postgres" if os.geteuid() == 0 else None

    @staticmethod
    def why_not() -> str:
        """Name the part that this machine lacks for one, or return an empty text."""
        if os.geteuid() == 0 and "postgres" not in {one.pw_name for one in pwd.getpwall()}:
            return "no account `postgres`, and PostgreSQL does not run as root"
        return "" if program("pg_ctl") and program("initdb") else "no initdb and pg_ctl (apt install postgresql)"

    def make(self) -> None:
        if self.user:
            shutil.chown(self.folder, self.user)
        self._run("initdb", "--no-sync", "--auth", "trust", "--username", "postgres")

    def start(self) -> None:
        small = "-c max_wal_size=64MB -c min_wal_size=32MB -c fsync=off"
        options = f"-p {self.port} -c listen_addresses=127.0.0.1 -c unix_socket_directories= {small}"
        self._run("pg_ctl", "start", "--wait", "--log", str(self.folder / "log"), "--options", options)

    def stop(self) -> None:
        """Stop at once like a crashed server, without waiting for connections."""
        self._run("pg_ctl", "stop", "--mode", "immediate")

    def answers(self) -> bool:
        try:
            psycopg.connect(self.url, connect_timeout=1).close()
        except psycopg.OperationalError:
            return False
        return True

    def freeze(self) -> None:
        self._signal(signal.SIGSTOP)

    def thaw(self) -> None:
        self._signal(signal.SIGCONT)

    def _signal(self, number: signal.Signals) -> None:
        """Send a signal to the server and to its processes for connections."""
        server = (self.folder / "postmaster.pid").read_text().split()[0]
        children = Path(f"/proc/{server}/task/{server}/children").read_text().split()
        for process in (server, *children):
            with suppress(ProcessLookupError):
                os.kill(int(process), number)

    def _run(self, name: str, *options: str) -> None:
        command = [program(name), *options, "--pgdata", str(self.folder)]
        ran = subprocess.run(
            command, user=self.user, cwd=self.folder, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, check=False
        )
        assert ran.returncode == 0, ran.stderr.decode()


def program(name: str) -> str:
    """Find a program of the server, which Debian keeps off the PATH."""
    elsewhere = sorted(Path("/usr/lib/postgresql").glob(f"*/bin/{name}"))
    return shutil.which(name) or (str(elsewhere[-1]) if elsewhere else "")


@contextmanager
def own_postgres(folder: Path | None = None) -> Iterator[OwnPostgres]:
    """Start a PostgreSQL. `folder`: an empty one that every account can reach."""
    server = OwnPostgres(folder)
    try:
        server.make()
        server.start()
        yield server
    finally:
        with suppress(AssertionError):  # it was stopped
            server.stop()
        shutil.rmtree(server.folder, ignore_errors=folder is not None)


def forget_keys(url: str, prefix: str) -> None:
    with redis.Redis.from_url(url) as client:
        for key in client.scan_iter(f"{prefix}*"):
            client.delete(key)
