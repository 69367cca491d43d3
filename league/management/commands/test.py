"""``python3 manage.py test``: run the quick tests, or with ``--all`` all of them.

With ``--all`` every test that this machine can run; skipped ones are listed.
"""

import sys
from argparse import ArgumentParser
from collections.abc import Sequence

from django.conf import settings
from django.core.management.base import BaseCommand

from league.management import test_stages
from league.management.test_stages import QUICK, REST, Estimates, Ran, in_words, slowest

OURS = {"--all", "--rest"}


class Command(BaseCommand):
    help = "Run the quick tests with pytest: on SQLite, and one test in Chromium for each way through the site."
    requires_system_checks = ()

    def run_from_argv(self, argv: list[str]) -> None:
        """Pass all arguments to pytest, except ``--all``, ``--rest`` and ``--help``."""
        if "--help" in argv or "-h" in argv:
            self.print_help(argv[0], argv[1])
            return
        chosen = OURS.intersection(argv)
        arguments = [one for one in argv[2:] if one not in OURS]
        if chosen and arguments:
            sys.exit(f"manage.py test: {min(chosen)} takes no other arguments; tests that are named run in any tier.")
        try:
            sys.exit(self.handle(pytest=arguments, all="--all" in chosen, rest="--rest" in chosen))
        except KeyboardInterrupt:
            sys.exit("\nInterrupted.")

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("pytest", nargs="*", help="arguments for pytest, such as a path or -k WORDS")
        parser.add_argument("--all", action="store_true", help="every test this machine can run")
        parser.add_argument("--rest", action="store_true", help="those that `test` without arguments leaves out")

    def handle(self, *, pytest: list[str], all: bool, rest: bool, **_options: object) -> int:  # noqa: A002
        stages = test_stages.stages_for(pytest, every=all, rest=rest)
        estimates = Estimates(settings.DATA_DIR / "test-seconds.json")
        runs: list[Ran] = []
        for number, stage in enumerate(stages):
            left = "" if pytest else f"; all that is left takes about {in_words(estimates.seconds(stages[number:]))}"
            self.stdout.write(f"\n--- {stage.name} ({number + 1} of {len(stages)}){left} ---")
            self.stdout.flush()
            runs.append(test_stages.run(stage, pytest))
            if not pytest:
                estimates.keep(stage, runs[-1])
        self.tell(runs)
        if stages == list(QUICK):
            names = ", ".join(stage.name for stage in REST)
            longer = in_words(estimates.seconds(REST))
            self.stdout.write(f"These were the quick tests. --all adds {names}: about {longer} more.")
        return test_stages.code_of(runs)

    def tell(self, runs: Sequence[Ran]) -> None:
        """Print skipped tests with reasons, the slowest, each stage's time, and failures."""
        self.stdout.write("")
        for reason in test_stages.left_out(runs) or ["nothing that these stages hold"]:
            self.stdout.write(f"left out: {reason}")
        self.stdout.write("\nThe slowest:")
        for one in slowest(runs):
            self.stdout.write(f"{one.seconds:7.1f} s  {one.node}")
        self.stdout.write("")
        for ran in runs:
            self.stdout.write(f"{ran.name + ':':<17} {ran.summary()}")
        if again := test_stages.command_for_failures(runs):
            self.stdout.write(f"\nThe failed ones again:\n{again}\n")
