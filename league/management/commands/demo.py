"""``python3 manage.py demo``: the site with a league in it, in one process and one folder."""

import contextlib
import fcntl
import time
from argparse import ArgumentParser, ArgumentTypeError
from collections.abc import Iterator
from pathlib import Path

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError
from django.db import connections

from league import embedded

DEFAULT_PORT = 8000
EVERY_ADDRESS = ("0.0.0.0", "::")  # noqa: S104


class Command(BaseCommand):
    help = "Start the site with a demonstration league: SQLite, background work and pages in one process."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--host", default="127.0.0.1", help="address to listen at (default: %(default)s)")
        parser.add_argument("--port", type=port_number, default=DEFAULT_PORT, help="default: %(default)s")
        parser.add_argument("--fresh", action="store_true", help="forget the old data, play anew")

    def handle(self, *, host: str, port: int, fresh: bool, **_options: object) -> None:
        self.started = time.monotonic()
        settings.ALLOWED_HOSTS = [*settings.ALLOWED_HOSTS, "*" if host in EVERY_ADDRESS else host]
        bound = self.bind(host, port)
        with embedded.stoppable() as hand_over:
            try:
                with alone(Path(settings.DATA_DIR)):
                    self.prepare(fresh=fresh)
                    self.run(bound, hand_over)
            except embedded.Stopped:
                self.say("Stopped before the site was up")
            finally:
                bound.close()
                connections.close_all()

    def bind(self, host: str, port: int) -> embedded.socket.socket:
        try:
            return embedded.listen(host, port)
        except embedded.PortTaken:
            raise CommandError(
                f"Port {port} on {host} is taken by another program. "
                f"Choose another one: python3 manage.py demo --port {port + 1}"
            ) from None
        except OSError as problem:
            raise CommandError(f"Cannot listen at {host}, port {port}: {problem}") from None

    def prepare(self, *, fresh: bool) -> None:
        """Migrate, and load the league unless it is there from an earlier start."""
        from league.house.demo import load_demo

        unfinished = Path(settings.DATA_DIR) / "demo-unfinished"
        if fresh or unfinished.exists():  # an interrupted load starts anew
            forget_data()
        if not database_files()[0].exists():
            unfinished.touch()
        self.say("Preparing the database")
        call_command("migrate", verbosity=0, interactive=False)
        load_demo(self.say)
        unfinished.unlink(missing_ok=True)

    def run(self, bound: embedded.socket.socket, hand_over: embedded.Callable[[], None]) -> None:
        from league.celery import app

        with embedded.background_work(app):
            hand_over()
            embedded.serve(bound, lambda: self.welcome(*bound.getsockname()[:2]))
            self.stdout.write("\nStopping.")
        self.stdout.write("Stopped.")

    def welcome(self, host: str, port: int) -> None:
        from league.house.demo import DEMO_SIGN_INS

        shown = f"[{host}]" if ":" in host else host
        self.say("Ready")
        self.stdout.write(self.style.SUCCESS(f"\n  http://{shown}:{port}/\n"))
        self.stdout.write("  Sign in as")
        width = max(len(role) for role, _, _ in DEMO_SIGN_INS)
        for role, name, password in DEMO_SIGN_INS:
            self.stdout.write(f"    {role:<{width}}  {name:<8} password {password}")
        self.stdout.write("\n  Ctrl-C stops it.")
        self.stdout.flush()

    def say(self, text: str) -> None:
        self.stdout.write(f"{time.monotonic() - self.started:5.1f} s  {text}")
        self.stdout.flush()


def port_number(text: str) -> int:
    number = int(text)
    if not 0 < number < 65536:
        raise ArgumentTypeError(f"{number} is no port: 1 to 65535")
    return number


@contextlib.contextmanager
def alone(folder: Path) -> Iterator[None]:
    """Keep a second demonstration, with background work of its own, off the same data."""
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "demo.lock").open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise CommandError(f"Another demonstration is running on the data in {folder}.") from None
        yield


def database_files() -> list[Path]:
    """The SQLite file, then what belongs to it."""
    name = settings.DATABASES["default"]["NAME"]
    return [Path(f"{name}{ending}") for ending in ("", "-wal", "-shm", "-journal")]


def forget_data() -> None:
    connections.close_all()
    for file in database_files():
        file.unlink(missing_ok=True)
