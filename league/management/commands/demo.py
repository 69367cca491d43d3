"""``python3 manage.py demo``: a site with a demonstration league, in one process."""

import os
import signal
import socket
import sys
import time
from argparse import ArgumentParser
from collections.abc import Callable
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import CommandError
from django.core.signals import request_started
from django.db import connections
from django.utils import timezone

from league import embedded
from league.lan import EVERY_ADDRESS, in_url
from league.management.embedded_command import EmbeddedCommand
from league.management.folders import Kind

EVERY = 1.0
"""Seconds between two looks at the live tables."""
LOOKING = 600
"""Seconds after a request in which somebody looks at a page. A page that follows a live match asks at each change."""


class Command(EmbeddedCommand):
    help = "Start the site with a demonstration league: SQLite, background work and pages in one process."
    name = "demo"
    kind = Kind.DEMO
    default_host = "127.0.0.1"
    visited = 0.0
    is_over = False

    def handle(self, **options: Any) -> None:
        super().handle(**options)
        if self.is_over:
            self.stdout.write("The players have had enough games. The demonstration starts over.")
            self.stdout.flush()
            start_over()

    def add_arguments(self, parser: ArgumentParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("--fresh", action="store_true", help="forget the old data, play anew")

    def allow(self, host: str) -> None:
        settings.ALLOWED_HOSTS = [*settings.ALLOWED_HOSTS, "*" if host in EVERY_ADDRESS else host]

    def prepare(self, *, fresh: bool, **_options: object) -> None:
        """Migrate, and load the league unless an earlier start did."""
        from league.backups import first_chain, schema
        from league.rehearsals.demo import load_demo

        unfinished = Path(settings.DATA_DIR) / "demo-unfinished"
        if fresh or unfinished.exists():  # an interrupted load starts again
            forget_data()
        if not database_files()[0].exists():
            unfinished.touch()
        self.say("Preparing the database")
        if first_chain.holds(schema.applied()):
            raise CommandError("The demonstration is of an early edition of this program. Play it anew: add --fresh.")
        call_command("migrate", verbosity=0, interactive=False)
        load_demo(self.say)
        unfinished.unlink(missing_ok=True)

    def run(self, bound: socket.socket, hand_over: Callable[[], None], secure: embedded.Secure | None) -> None:
        """Serve the site, with players at the live tables."""
        request_started.connect(self.note_visit)
        try:
            with embedded.repeated(self.play, EVERY):
                super().run(bound, hand_over, secure)
        finally:
            request_started.disconnect(self.note_visit)

    def note_visit(self, **_environment: object) -> None:
        self.visited = time.monotonic()

    def play(self) -> None:
        """Let the players go on while somebody looks; after their last game the process starts over."""
        from league.rehearsals import live_tables

        if time.monotonic() - self.visited > LOOKING:
            return
        if live_tables.is_over():
            self.is_over = True
            signal.raise_signal(signal.SIGINT)
        else:
            live_tables.play_on(timezone.now())

    def welcome(self, host: str, port: int) -> None:
        from league.rehearsals.demo_people import DEMO_PARTS, PASSWORD

        self.say("Ready")
        self.stdout.write(self.style.SUCCESS(f"\n  http://{in_url(host)}:{port}/\n"))
        self.stdout.write("  Live now: tiles at table 5, scores at table 6, as long as somebody looks.\n")
        self.stdout.write(f"  Sign in with the password {PASSWORD} as")
        for name, role, to_try in DEMO_PARTS:
            self.stdout.write(f"    {name:<5} {role}: {to_try}")
        self.stdout.write("\n  Ctrl-C stops it.")
        self.stdout.flush()


def database_files() -> list[Path]:
    """Return the SQLite file, then its companions."""
    name = settings.DATABASES["default"]["NAME"]
    return [Path(f"{name}{ending}") for ending in ("", "-wal", "-shm", "-journal")]


def forget_data() -> None:
    connections.close_all()
    for file in database_files():
        file.unlink(missing_ok=True)


def start_over() -> None:
    """Replace this process by the same command with new data."""
    os.execv(sys.executable, [sys.executable, *sys.argv, "--fresh"])  # noqa: S606
