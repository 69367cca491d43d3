"""``python3 manage.py verify``: compare the rows of the site with its records."""

import time
from argparse import ArgumentParser, ArgumentTypeError
from collections import Counter
from concurrent.futures import BrokenExecutor

from django.core.management.base import BaseCommand, CommandError
from django.db.models import Max

from league.competitions.integrity.derived import everything
from league.management.telling import check_reachable, check_tables, in_words
from league.matches.integrity import adopting
from league.matches.integrity.differences import Gravity
from league.matches.integrity.running import Checked
from league.matches.models import Match

TOLD_EVERY = 5.0
"""Seconds between two lines of progress."""
MOST_JOBS = 61
"""Most processes; Windows starts no more for one program."""


class Command(BaseCommand):
    help = (
        "Hold every row against the records: hashes, verdicts by today's edition of the engine, results, states of "
        "matches, and what follows from them in draws, ladders, ratings and honours. Names each row that differs, and "
        "fails if one does. Writes nothing but what --adopt stores; the site may go on running."
    )
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--jobs", type=jobs_asked, default=1, metavar="N", help="processes that replay logs (default: 1)"
        )
        parser.add_argument(
            "--after",
            type=match_key,
            default=0,
            metavar="MATCH",
            help="go on after this match, as the progress says it",
        )
        parser.add_argument(
            "--adopt",
            action="store_true",
            help="store verdicts of today's edition beside those of earlier ones; results stay as they are",
        )

    def handle(self, *, jobs: int, after: int, adopt: bool, **_options: object) -> None:
        check_reachable()
        self.matches, self.records, self.upto, self.told = 0, 0, after, time.monotonic()
        with in_words():
            check_tables()
            check_match(after)
            if adopt:
                stored = sum(adopting.adopt(after))
                self.stdout.write(f"{stored} verdicts of today's edition are stored beside the old")
                return
            self.total = Match.objects.filter(pk__gt=after).count()
            try:
                self.check(after, jobs)
            except KeyboardInterrupt:
                raise CommandError(f"Stopped. To go on from here: --after {self.upto}") from None
            except BrokenExecutor:
                raise CommandError(
                    f"A process of the check was ended from outside, maybe for want of memory. To go on from here with "
                    f"fewer of them: --after {self.upto}"
                ) from None

    def check(self, after: int, jobs: int) -> None:
        found: Counter[Gravity] = Counter()
        apart: list[str] = []
        for one in everything(after, jobs=jobs, progress=self.progress):
            found[one.kind] += 1
            if one.kind is Gravity.ROW:
                self.stdout.write(str(one))
            else:
                apart.append(f"{one} [{one.kind.value}]")
        for line in apart:
            self.stdout.write(line)
        self.sum_up(found)

    def progress(self, part: Checked) -> None:
        self.matches, self.records, self.upto = self.matches + part.matches, self.records + part.records, part.upto
        if time.monotonic() - self.told >= TOLD_EVERY:
            self.told = time.monotonic()
            self.stderr.write(f"{self.matches} of {self.total} matches; to go on from here: --after {self.upto}")

    def sum_up(self, found: Counter[Gravity]) -> None:
        if found[Gravity.OFFICIAL] or found[Gravity.EDITION]:
            self.stdout.write(
                f"By today's edition of the engine {found[Gravity.OFFICIAL]} official results would be other ones, and "
                f"{found[Gravity.EDITION]} more verdicts; all of them stand as they were judged."
            )
        if found[Gravity.ROW]:
            raise CommandError(f"{found[Gravity.ROW]} differences: rows are not what the records say")
        self.stdout.write(f"{self.records} records of {self.matches} matches: every row is what they say")


def jobs_asked(text: str) -> int:
    if not text.isdecimal() or not 1 <= int(text) <= MOST_JOBS:
        raise ArgumentTypeError(f"{text} is no number of processes: 1 to {MOST_JOBS}")
    return int(text)


def match_key(text: str) -> int:
    if not text.isdecimal():
        raise ArgumentTypeError(f"{text} is no number of a match: take the one that the progress said last")
    return int(text)


def check_match(after: int) -> None:
    """Check the match given to `--after`. Raises CommandError if it does not exist."""
    last = Match.objects.aggregate(last=Max("pk"))["last"] or 0
    if after > last:
        raise CommandError(f"There is no match after {after}: the last one is {last}. Leave --after out to check all.")
