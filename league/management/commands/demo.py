"""``python3 manage.py demo``: a site with a demonstration league, in one process."""

from argparse import ArgumentParser
from pathlib import Path

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import CommandError
from django.db import connections

from league.lan import EVERY_ADDRESS, in_url
from league.management.embedded_command import EmbeddedCommand
from league.management.folders import Kind


class Command(EmbeddedCommand):
    help = "Start the site with a demonstration league: SQLite, background work and pages in one process."
    name = "demo"
    kind = Kind.DEMO
    default_host = "127.0.0.1"

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

    def welcome(self, host: str, port: int) -> None:
        from league.rehearsals.demo import DEMO_SIGN_INS

        self.say("Ready")
        self.stdout.write(self.style.SUCCESS(f"\n  http://{in_url(host)}:{port}/\n"))
        self.stdout.write("  Sign in as")
        width = max(len(role) for role, _, _ in DEMO_SIGN_INS)
        for role, name, password in DEMO_SIGN_INS:
            self.stdout.write(f"    {role:<{width}}  {name:<8} password {password}")
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
