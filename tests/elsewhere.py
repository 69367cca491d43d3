"""The tests on other machines than this one: `python -m tests.elsewhere [NAME…]`, as root.

Each run has a clone of HEAD in a folder with a space in its name, and an hour, a time zone, a locale, a user and an
order of the modules of its own; the ports that sites take by themselves are in use. Needs `libfaketime` and `locales`.
"""

import argparse
import os
import socket
import subprocess
import sys
import tempfile
from contextlib import ExitStack
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from league.management.test_stages import BROWSER_TESTS, PARALLEL, QUICK

ROOT = Path(__file__).resolve().parents[1]
PYTHON = ROOT / ".venv" / "bin" / "python"
TAKEN = (8000, 8001, 8080, 8119)


@dataclass(frozen=True)
class Machine:
    """`hour`: at which its clock begins, or None for the true hour."""

    zone: str
    locale: str  # language_COUNTRY.ENCODING
    user: str
    hour: datetime | None = None
    font: str = ""
    marks: str = QUICK[0].marks
    places: tuple[str, ...] = QUICK[0].places


MACHINES = {
    "leap day": Machine("Pacific/Kiritimati", "tr_TR.UTF-8", "nobody", datetime(2028, 2, 29, 9, 55, tzinfo=UTC)),
    "skipped hour": Machine("Europe/Madrid", "es_ES.ISO-8859-1", "root", datetime(2027, 3, 28, 0, 56, tzinfo=UTC)),
    # The last day of a month, too.
    "repeated hour": Machine("Europe/Madrid", "C", "nobody", datetime(2027, 10, 31, 0, 56, tzinfo=UTC)),
    "browser": Machine(
        "America/St_Johns", "tr_TR.UTF-8", "nobody", font="Noto Sans", marks="browser", places=(BROWSER_TESTS,)
    ),
}


def clone(machine: Machine, folder: Path) -> Path:
    """A checkout that belongs to the user of the machine."""
    folder.chmod(0o755)
    tree = folder / "a club's machine"
    subprocess.run(["git", "clone", "-q", "--no-hardlinks", ROOT, tree], check=True)
    (tree / ".venv").symlink_to(ROOT / ".venv")
    (folder / "home").mkdir()
    subprocess.run(["chown", "-R", machine.user, tree, folder / "home"], check=True)
    return tree


def locale_in(folder: Path, name: str) -> dict[str, str]:
    """The variables of a locale, which is compiled into the folder."""
    language, _, encoding = name.partition(".")
    if encoding:
        subprocess.run(["localedef", "-i", language, "-f", encoding, folder / name], check=True)
    return {"LC_ALL": name, "LANG": name, "LOCPATH": str(folder)}


# libfaketime takes the end of a sleep, which Python gives by the monotonic clock, for a time of day.
SLEEP = """import select, time
time.sleep = lambda seconds: select.select([], [], [], seconds) and None
"""


def faketime() -> str:
    """The path of the library, or an empty text."""
    return next(map(str, Path("/usr/lib").glob("*/faketime/libfaketime.so.1")), "")


def clock_at(hour: datetime | None, folder: Path) -> dict[str, str]:
    """The variables under which every program tells another hour, which goes on."""
    if hour is None:
        return {}
    (folder / "sleep").mkdir()
    (folder / "sleep" / "sitecustomize.py").write_text(SLEEP, "utf-8")
    ahead = (hour - datetime.now(UTC)).total_seconds()
    return {
        "LD_PRELOAD": faketime(),
        "FAKETIME": f"{ahead:+.0f}",
        "FAKETIME_DONT_FAKE_MONOTONIC": "1",  # else a wait for a lock has no end
        "PYTHONPATH": str(folder / "sleep"),
        "NO_FAKE_STAT": "1",  # else Python takes every compiled module for an old one
    }


def run_on(machine: Machine, seed: int) -> int:
    """pytest's exit code."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        for port in TAKEN:
            taken = stack.enter_context(socket.socket())
            taken.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            taken.bind(("0.0.0.0", port))
            taken.listen()
        tree = clone(machine, folder)
        variables = locale_in(folder, machine.locale) | clock_at(machine.hour, folder)
        variables |= {"TZ": machine.zone, "HOME": str(folder / "home"), "FONT": machine.font, "SHUFFLE": str(seed)}
        command = ["runuser", "-u", machine.user, "--", "env", *map("=".join, variables.items())]
        command += [str(PYTHON), "-m", "pytest", "-q", "-m", machine.marks, *PARALLEL, *machine.places]
        return subprocess.run(command, cwd=tree, check=False).returncode


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"{', '.join(MACHINES)}; all of them without a name")
    parser.add_argument("--seed", type=int, default=1, help="of the order of the modules")
    asked = parser.parse_args()
    if unknown := set(asked.names) - set(MACHINES):
        parser.error(f"there is no machine {min(unknown)}; there are {', '.join(MACHINES)}")
    if os.geteuid():
        parser.error("root is needed, to run tests as another user")
    if not faketime():
        parser.error("libfaketime is missing (apt install libfaketime)")
    if not Path("/usr/share/i18n/locales/tr_TR").exists():
        parser.error("the sources of locales are missing (apt install locales)")
    if subprocess.run(["runuser", "-u", "nobody", "--", PYTHON, "-c", ""], check=False, capture_output=True).returncode:
        parser.error(f"the user nobody cannot run {PYTHON.resolve()}: its folders must be open to everybody")
    failed = []
    for name in asked.names or MACHINES:
        print(f"\n--- {name}: {MACHINES[name]}", flush=True)
        if run_on(MACHINES[name], asked.seed):
            failed.append(name)
    sys.exit(f"failed on: {', '.join(failed)}" if failed else 0)


if __name__ == "__main__":
    main()
