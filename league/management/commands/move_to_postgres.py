"""``python3 manage.py move-to-postgres URL``: copy a club's site to PostgreSQL."""

import os
import subprocess
import sys
from argparse import ArgumentParser
from pathlib import Path
from urllib.parse import urlsplit

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.db import connection

from league.backups import places, writing
from league.management.folders import Kind, alone
from league.management.telling import in_words

NEXT = """
The site is on PostgreSQL now; every row was counted and every log checked there. Keep the old file until you trust the
new site, it was not changed: {file}

From here on the environment tells the site where its database is:

  DATABASE_URL={url}
  SECRET_KEY=the content of {key}, so that nobody has to sign in again
  ALLOWED_HOSTS=the name people type

docs/server.md tells how to run it; `python3 manage.py serve` would still open the old file.
"""


class Command(BaseCommand):
    help = "Copy the site of a folder into an empty PostgreSQL database. Stop the site first."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("url", help="postgres://user:password@host:5432/name")
        parser.add_argument("--data", metavar="FOLDER", help="the folder of the site (default: var/site)")

    def handle(self, *, url: str, **_options: object) -> None:
        check_url(url)
        folder = Path(settings.DATA_DIR)
        if connection.vendor != "sqlite":
            raise CommandError("This site is on PostgreSQL already (DATABASE_URL). To copy it, use backup and restore.")
        with in_words(), alone(folder, Kind.SITE):
            path = places.automatic("before-move")
            manifest = writing.save(path)
            self.stdout.write(f"Saved {manifest.rows} rows to {path}")
            try:
                restore_there(path, url)
            except BaseException:
                path.unlink()  # the site is unchanged; each attempt would leave a file
                raise
        key = folder / "secret.key"
        self.stdout.write(NEXT.format(file=connection.settings_dict["NAME"], url=without_password(url), key=key))


def check_url(url: str) -> None:
    """Raise CommandError for an invalid address of a PostgreSQL database."""
    try:
        parts = urlsplit(url)
        whole = parts.scheme in {"postgres", "postgresql"} and parts.path.strip("/") and (parts.port or True)
    except ValueError:
        whole = False
    if not whole:
        raise CommandError(f"{url!r} is no such address. It looks like this: postgres://user:password@host:5432/name")


def restore_there(path: Path, url: str) -> None:
    """Restore in a separate process, which knows only the new database.

    So no code can write to the old one by mistake.
    """
    environment = {**os.environ, "DATABASE_URL": url, "SECRET_KEY": settings.SECRET_KEY, "DATABASE_POOL": "0"}
    command = [sys.executable, "-m", "django", "restore", str(path), "--settings", "league.settings"]
    done = subprocess.run(
        command, cwd=settings.BASE_DIR, env=environment, stderr=subprocess.PIPE, text=True, check=False
    )
    if done.returncode:
        said = done.stderr.strip().removeprefix("CommandError: ").replace("DATABASE_URL", "the address")
        if "--replace" in said:
            said = "There is data in that database already. Make an empty one and name that."
        raise CommandError(f"{said}\nThe site in {settings.DATA_DIR} is as it was.")


def without_password(url: str) -> str:
    parts = urlsplit(url)
    return url.replace(f":{parts.password}@", ":…@", 1) if parts.password else url
