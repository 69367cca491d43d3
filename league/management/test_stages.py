"""Stages of a test run: selection, start of pytest, and results."""

import json
import os
import shlex
import socket
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ET
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit

from django.conf import settings

POSTGRESQL = "postgres://postgres@127.0.0.1:5432/postgres"
NOTHING_COLLECTED = 5  # pytest's exit code
SLOWEST = 10
BROWSER_TESTS = "tests/browser"
PARALLEL = ("-n", "auto", "--dist", "worksteal")
ONE_MORE = ("-n", str((os.cpu_count() or 1) + 1), *PARALLEL[2:])
# The examples in the README are tests too; tests/repo/test_doctests.py runs those of the engine's docstrings.
ALL_BUT_BROWSER = (f"--ignore={BROWSER_TESTS}", "tests", "README.md")
WITH_DATABASE = ("tests/league", "tests/web", "tests/repo")
# Collection takes 20 s in each process, so a stage reads the files with its words; tests/conftest.py holds them to it.
SLOW = ("mark.slow",)
COMMITS = ("mark.both", "mark.postgres", "transaction=True", "transactional_db", "shared_world", "live_server")


@dataclass(frozen=True)
class SuiteStage:
    """Tests of one run of pytest: those with the `marks`, from these places.

    `words`: pytest reads only the files that contain one of them. `waits`: for other processes, so that one worker more
    than cores keeps the cores busy. `seconds`: duration on two idle cores, until a run on this machine was measured.
    """

    name: str
    marks: str
    places: tuple[str, ...] = ALL_BUT_BROWSER
    words: tuple[str, ...] = ()
    on_postgresql: bool = False
    waits: bool = False
    seconds: float = 0


QUICK = (
    SuiteStage("SQLite", "not browser and not postgres and not slow", seconds=300),
    SuiteStage("Chromium, smoke", "browser and smoke", (BROWSER_TESTS,), waits=True, seconds=120),
)
REST = (
    SuiteStage("SQLite, slow", "slow and not browser and not postgres", words=SLOW, seconds=300),
    SuiteStage("Chromium, rest", "browser and not smoke", (BROWSER_TESTS,), waits=True, seconds=480),
    SuiteStage("PostgreSQL", "postgres or both", WITH_DATABASE, COMMITS, on_postgresql=True, waits=True, seconds=180),
)
WHOLE_ON_POSTGRESQL = SuiteStage(
    "PostgreSQL", "not browser and not sqlite", WITH_DATABASE, on_postgresql=True, seconds=1500
)
# Tests named by a person run in any tier.
ASKED = (
    SuiteStage("SQLite", "not browser and not postgres"),
    SuiteStage("Chromium", "browser", (BROWSER_TESTS,)),
    SuiteStage("PostgreSQL", "postgres", on_postgresql=True),
)


@dataclass
class CaseOutcome:
    """Result of one test in a stage."""

    node: str
    seconds: float
    failed: bool = False
    skipped: str | None = None  # the reason

    @classmethod
    def read(cls, case: ET.Element) -> "CaseOutcome":
        skip = case.find("skipped")
        return cls(
            node_id(case),
            float(case.get("time", 0)),
            failed=any(case.find(kind) is not None for kind in ("failure", "error")),
            skipped=None if skip is None else str(skip.get("message")),
        )


def node_id(case: ET.Element) -> str:
    """Return pytest's address of a test, from its file, class and name.

    From a report of family xunit1.
    """
    file, name = case.get("file"), case.get("name", "")
    if not file:
        return name
    module = file.removesuffix(".py").replace("/", ".")
    inside = case.get("classname", "").removeprefix(module).strip(".")
    return "::".join(filter(None, [file, *inside.split("."), name]))


@dataclass
class Ran:
    """A stage after its run."""

    name: str
    code: int
    seconds: float = 0.0
    outcomes: list[CaseOutcome] = field(default_factory=list)

    def summary(self) -> str:
        """Summarize the results like pytest's last line."""
        failed = sum(one.failed for one in self.outcomes)
        skipped = sum(one.skipped is not None for one in self.outcomes)
        parts = [(failed, "failed"), (len(self.outcomes) - failed - skipped, "passed"), (skipped, "skipped")]
        counts = ", ".join(f"{number} {word}" for number, word in parts if number) or "no tests ran"
        return f"{counts} in {self.seconds:.0f} s"


# --- Selection ---


def stages_for(arguments: Sequence[str], *, every: bool, rest: bool) -> list[SuiteStage]:
    """Return the stages of a tier, or those for tests named in pytest's `arguments`."""
    if arguments:
        paths = [path for path in (Path(one.partition("::")[0]) for one in arguments) if path.exists()]
        return [stage for stage in ASKED if can_hold(stage, paths)]
    later = [WHOLE_ON_POSTGRESQL if stage.on_postgresql and is_thorough() else stage for stage in REST]
    if rest:
        return later
    return [*QUICK, *later] if every else list(QUICK)


def can_hold(stage: SuiteStage, paths: Iterable[Path]) -> bool:
    browser = Path(BROWSER_TESTS).absolute()
    wanted = [path.absolute() for path in paths] or [browser.parent]
    if stage.places == (BROWSER_TESTS,):
        return any(path.is_relative_to(browser) or browser.is_relative_to(path) for path in wanted)
    return not all(path.is_relative_to(browser) for path in wanted)


def is_thorough() -> bool:
    return os.environ.get("THOROUGH") == "1"


# --- Execution ---


def run(stage: SuiteStage, arguments: Sequence[str] = ()) -> Ran:
    """Run a stage in its own pytest."""
    environment = {**os.environ, "DATABASE_URL": postgresql() if stage.on_postgresql else ""}
    # Without bytecode each of the processes that tests start compiles every module: 4.0 s of the processor instead of
    # 2.8.
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.xml"
        command = [sys.executable, "-m", "pytest", "-q", "-m", stage.marks, f"--junit-xml={report}"]
        parallel = ONE_MORE if stage.waits else PARALLEL
        command += ["-o", "junit_family=xunit1", *(arguments or [*parallel, *places_of(stage)])]
        code = subprocess.run(command, cwd=settings.BASE_DIR, env=environment, check=False).returncode
        return read(stage.name, code, report)


def places_of(stage: SuiteStage) -> list[str]:
    """Return the places of a stage, or the files in them with one of its words."""
    if not stage.words:
        return list(stage.places)
    left_out = {Path(one.removeprefix("--ignore=")) for one in stage.places if one.startswith("--")}
    folders = [settings.BASE_DIR / one for one in stage.places if not one.startswith("--")]
    files = (path.relative_to(settings.BASE_DIR) for folder in folders for path in sorted(folder.rglob("test_*.py")))
    return [
        str(path)
        for path in files
        if left_out.isdisjoint(path.parents) and has_word(settings.BASE_DIR / path, stage.words)
    ]


def has_word(path: Path, words: Sequence[str]) -> bool:
    text = path.read_text("utf-8")
    return any(word in text for word in words)


def read(name: str, code: int, report: Path) -> Ran:
    if not report.exists():
        return Ran(name, code)
    suite = ET.parse(report).getroot().find("testsuite")  # noqa: S314 - written by our own pytest
    return Ran(name, code, float(suite.get("time", 0)), list(map(CaseOutcome.read, suite.iter("testcase"))))


def postgresql() -> str:
    """Return the URL of a reachable PostgreSQL, or an empty text."""
    url = os.environ.get("DATABASE_URL") or POSTGRESQL
    parts = urlsplit(url)
    try:
        with socket.create_connection((parts.hostname or "127.0.0.1", parts.port or 5432), timeout=2):
            return url
    except OSError:
        return ""


# --- Summary ---


def code_of(runs: Sequence[Ran]) -> int:
    """Return the first failure.

    A stage without a matching test is no failure if another stage had some.
    """
    codes = [ran.code for ran in runs if ran.code]
    real = [code for code in codes if code != NOTHING_COLLECTED]
    return real[0] if real else NOTHING_COLLECTED if len(codes) == len(runs) else 0


def slowest(runs: Iterable[Ran]) -> list[CaseOutcome]:
    outcomes = [one for ran in runs for one in ran.outcomes]
    return sorted(outcomes, key=lambda one: -one.seconds)[:SLOWEST]


def left_out(runs: Iterable[Ran]) -> list[str]:
    """Return the reasons for skipped tests, each once."""
    return sorted({one.skipped for ran in runs for one in ran.outcomes if one.skipped is not None})


def command_for_failures(runs: Iterable[Ran]) -> str:
    """Return a command line that runs the failed tests again, or an empty text."""
    nodes = dict.fromkeys(one.node for ran in runs for one in ran.outcomes if one.failed)
    return f"python3 manage.py test {shlex.join(nodes)}" if nodes else ""


class Estimates:
    """Durations of stages: as last measured here, else as on two idle cores."""

    def __init__(self, path: Path) -> None:
        self.path = path
        try:
            self.measured = {str(name): float(seconds) for name, seconds in json.loads(path.read_text("utf-8")).items()}
        except (OSError, ValueError, AttributeError):
            self.measured = {}

    def seconds(self, stages: Iterable[SuiteStage]) -> float:
        return sum(self.measured.get(name_of(stage), stage.seconds) for stage in stages)

    def keep(self, stage: SuiteStage, ran: Ran) -> None:
        """Store the duration of a run.

        A failed or empty run says nothing about the next and is left out.
        """
        if ran.code == 0:
            self.measured[name_of(stage)] = ran.seconds
            self.path.parent.mkdir(parents=True, exist_ok=True)
            self.path.write_text(json.dumps(self.measured, indent=1))


def name_of(stage: SuiteStage) -> str:
    return f"{stage.name}, thorough" if is_thorough() else stage.name


def in_words(seconds: float) -> str:
    """Format a duration for people: 42 s, 3 min."""
    return f"{seconds:.0f} s" if seconds < 90 else f"{seconds / 60:.0f} min"
