"""``python3 manage.py restore FILE``: restore a site from a backup."""

import contextlib
from argparse import ArgumentParser
from pathlib import Path

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.db import connection

from league.backups import archive, places, restoring, schema, writing
from league.management.folders import Kind, alone
from league.management.telling import check_reachable, in_words


class Command(BaseCommand):
    help = "Fill the database from a backup: all of it, or nothing. Stop the site first."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", help="a file that `backup` made")
        parser.add_argument("--data", metavar="FOLDER", help="the folder of the site (default: var/site)")
        parser.add_argument(
            "--replace",
            action="store_true",
            help="also where there is data; that is saved first, and then forgotten",
        )

        parser.add_argument(
            "--with-differences", action="store_true", help="also where rows are not what the records say; names them"
        )

    def handle(self, *, file: str, replace: bool, with_differences: bool, **_options: object) -> None:
        check_reachable()
        embedded = connection.vendor == "sqlite"
        with in_words(), alone(Path(settings.DATA_DIR), Kind.SITE) if embedded else contextlib.nullcontext():
            path = Path(file).expanduser()
            with archive.opened(path) as (_, manifest):  # before any change
                schema.check_known(manifest.migrations, "The file")
            self.make_room(replace=replace)
            self.stdout.write(f"Restoring {path}, made {manifest.made_at}")
            restoring.restore(path, self.stdout.write, accept=with_differences)
        self.stdout.write(self.style.SUCCESS(f"Restored: {manifest.rows} rows, nothing is missing."))

    def make_room(self, *, replace: bool) -> None:
        filled = schema.filled_tables()
        if not filled:
            return
        if not replace:
            raise CommandError(
                f"The database is not empty (there are rows in {', '.join(filled[:3])}). To put the backup in its "
                f"place, add --replace: what is there now is saved to a file first."
            )
        saved = places.automatic("before-restore")
        writing.save(saved)
        self.stdout.write(f"The former data is saved in {saved}")
