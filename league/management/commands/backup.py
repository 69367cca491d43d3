"""``python3 manage.py backup [FILE]``: save the running site to one file."""

from argparse import ArgumentParser, ArgumentTypeError

from django.core.management.base import BaseCommand

from league.backups import places, writing
from league.management.telling import check_reachable, in_words


class Command(BaseCommand):
    help = "Save the whole database to one file. The site may go on running."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "file",
            nargs="?",
            help="a new .zip, or a folder, which is made (default: backups/ beside the data)",
        )
        parser.add_argument("--data", metavar="FOLDER", help="the folder of the site (default: var/site)")
        parser.add_argument(
            "--keep",
            type=at_least_one,
            metavar="N",
            help="afterwards leave only the newest N dated backups in that folder",
        )

    def handle(self, *, file: str | None, keep: int | None, **_options: object) -> None:
        check_reachable()
        with in_words():
            path = places.asked(file)
            manifest = writing.save(path)
            size = path.stat().st_size
            self.stdout.write(f"{path}: {manifest.rows} rows of {len(manifest.tables)} tables, {size / 1e6:.1f} MB.")
            for old in places.forget_older(path.parent, keep) if keep else []:
                self.stdout.write(f"Deleted {old}.")
        self.stdout.write("It holds names and password hashes: keep a copy on another machine, and away from others.")


def at_least_one(text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise ArgumentTypeError(f"{text} is no number of backups: 1 or more")
    return int(text)
