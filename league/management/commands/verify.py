"""``python3 manage.py verify``: whether the rows of the site are what its records say."""

import time
from argparse import ArgumentParser
from collections import Counter

from django.core.management.base import BaseCommand, CommandError

from league.competitions.integrity import everything
from league.management.telling import check_reachable, in_words
from league.matches.integrity import adopting
from league.matches.integrity.differences import Gravity
from league.matches.integrity.running import Checked
from league.matches.models import Match

TOLD_EVERY = 5.0
"""Seconds between two lines of progress."""


class Command(BaseCommand):
    help = (
        "Hold every row against the records: hashes, verdicts by today's edition of the engine, results, states of "
        "matches, and what follows from them in draws, ladders, ratings and honours. Names each row that differs, and "
        "fails if one does. Writes nothing but what --adopt stores; the site may go on running."
    )
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--jobs", type=int, default=1, metavar="N", help="processes that replay logs (default: 1)")
        parser.add_argument(
            "--after", type=int, default=0, metavar="MATCH", help="go on after this match, as the progress says it"
        )

        parser.add_argument(
            "--adopt",
            action="store_true",
            help="store verdicts of today's edition beside those of earlier ones; results stay as they are",
        )

    def handle(self, *, jobs: int, after: int, adopt: bool, **_options: object) -> None:
        check_reachable()
        if adopt:
            with in_words():
                self.stdout.write(f"{sum(adopting.adopt(after))} verdicts of today's edition are stored beside the old")
            return
        self.total = Match.objects.filter(pk__gt=after).count()
        self.matches, self.records, self.upto, self.told = 0, 0, after, time.monotonic()
        try:
            with in_words():
                self.check(after, jobs)
        except KeyboardInterrupt:
            raise CommandError(f"stopped; go on with --after {self.upto}") from None

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
