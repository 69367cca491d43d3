"""``python3 manage.py test [pytest's arguments]``: every test this machine can run, and what was left out."""

import os
import socket
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ET
from argparse import ArgumentParser
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit

from django.conf import settings
from django.core.management.base import BaseCommand

POSTGRESQL = "postgres://postgres@127.0.0.1:5432/postgres"
NOTHING_COLLECTED = 5  # pytest's exit code
# What a browser, a server and a test do meets on the clock of a loaded machine: whoever fails is tried once more, and
# named in pytest's own summary (docs/decisions.md). Nothing else is ever tried again.
SECOND_TRY = ("--reruns", "1", "-raR")
COUNTED = ("tests", "failures", "errors", "skipped")


@dataclass
class PytestRun:
    """What one run of pytest came to, read from its report."""

    name: str
    code: int
    seconds: float = 0.0
    counts: dict[str, int] = field(default_factory=lambda: dict.fromkeys(COUNTED, 0))
    reasons: list[str] = field(default_factory=list)

    @classmethod
    def read(cls, name: str, code: int, report: Path) -> "PytestRun":
        ran = cls(name, code)
        if report.exists():
            suite = ET.parse(report).getroot().find("testsuite")  # noqa: S314 - written by our own pytest
            ran.seconds = float(suite.get("time", 0))
            ran.counts = {key: int(suite.get(key, 0)) for key in COUNTED}
            ran.reasons = sorted({f"{skip.get('message')}" for skip in suite.iter("skipped")})
        return ran

    @property
    def passed(self) -> int:
        return self.counts["tests"] - sum(self.counts[key] for key in COUNTED[1:])

    def summary(self) -> str:
        """In the words of pytest's own last line."""
        failed, errors, skipped = (self.counts[key] for key in COUNTED[1:])
        parts = [(failed, "failed"), (self.passed, "passed"), (skipped, "skipped"), (errors, "errors")]
        told = ", ".join(f"{number} {word}" for number, word in parts if number) or "no tests ran"
        return f"{told} in {self.seconds:.2f}s"


class Command(BaseCommand):
    help = "Run the tests with pytest: on SQLite, in Chromium and on PostgreSQL, where the machine has them."
    requires_system_checks = ()

    def run_from_argv(self, argv: list[str]) -> None:
        """Everything after ``test`` is pytest's; only ``--help`` is ours."""
        if "--help" in argv or "-h" in argv:
            self.print_help(argv[0], argv[1])
            return
        try:
            sys.exit(self.handle(pytest=argv[2:]))
        except KeyboardInterrupt:
            sys.exit("\nInterrupted.")

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("pytest", nargs="*", help="arguments for pytest, such as a path or -k WORDS")

    def handle(self, *, pytest: list[str], **_options: object) -> int:
        runs = [
            run("SQLite", "not browser and not postgres", pytest, ["-n", "auto"]),
            # They wait for the browser and its network more than they compute.
            run("Chromium", "browser", pytest, ["-n", "2", "--dist", "worksteal", *SECOND_TRY]),
            run("PostgreSQL", "postgres", pytest, database=postgresql()),
        ]
        self.tell(runs)
        return total(runs).code

    def tell(self, runs: list[PytestRun]) -> None:
        """Print what was left out and why, then every run's summary, then the sum of them."""
        self.stdout.write("")
        reasons = sorted({reason for ran in runs for reason in ran.reasons})
        for reason in reasons or ["nothing"]:
            self.stdout.write(f"left out: {reason}")
        for ran in runs:
            self.stdout.write(f"{ran.name + ':':<12} {ran.summary()}")
        self.stdout.write(f" {total(runs).summary()} ".center(80, "="))


def run(name: str, marks: str, asked: list[str], usual: Sequence[str] = (), database: str = "") -> PytestRun:
    """One pytest of its own, with the arguments that a person ``asked`` for, or else the ``usual`` ones."""
    print(f"\n--- {name} ---", flush=True)  # noqa: T201
    environment = {**os.environ, "DATABASE_URL": database}
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.xml"
        command = [sys.executable, "-m", "pytest", "-m", marks, f"--junit-xml={report}"]
        finished = subprocess.run(
            [*command, *(asked or [*usual, *every_test()])],
            cwd=settings.BASE_DIR,
            env=environment,
            check=False,
        )
        return PytestRun.read(name, finished.returncode, report)


def every_test() -> list[str]:
    """The folder of tests, and the examples in the README and in the engine's docstrings."""
    return ["--doctest-modules", "tests", "README.md", "games", "referee"]


def total(runs: list[PytestRun]) -> PytestRun:
    """All runs as one. A run without a matching test is no failure while another had some."""
    codes = [ran.code for ran in runs if ran.code]
    real = [code for code in codes if code != NOTHING_COLLECTED]
    nothing = NOTHING_COLLECTED if len(codes) == len(runs) else 0
    whole = PytestRun("all", real[0] if real else nothing, sum(ran.seconds for ran in runs))
    whole.counts = {key: sum(ran.counts[key] for ran in runs) for key in COUNTED}
    return whole


def postgresql() -> str:
    """The URL of a PostgreSQL where something listens, or an empty text."""
    url = os.environ.get("DATABASE_URL") or POSTGRESQL
    parts = urlsplit(url)
    try:
        with socket.create_connection((parts.hostname or "127.0.0.1", parts.port or 5432), timeout=2):
            return url
    except OSError:
        return ""
