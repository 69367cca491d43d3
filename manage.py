#!/usr/bin/env python3
"""Command line of the project, on a machine with only Python 3.11 and pip.

Without the locked packages, this file creates ``.venv`` beside it, installs the hashed lock and runs itself there. It
uses only the standard library, in syntax that an old Python can still read, so that the message about a too old Python
is reached.
"""

import errno
import os
import re
import subprocess
import sys
import tempfile
from contextlib import closing, contextmanager
from pathlib import Path

ROOT = Path(__file__).resolve().parent
VENV = ROOT / ".venv"
WINDOWS = os.name == "nt"
PYTHON = VENV / ("Scripts/python.exe" if WINDOWS else "bin/python")
PACKAGES = "Lib/site-packages" if WINDOWS else "lib/python3*/site-packages"  # in VENV
UNFINISHED = VENV / "unfinished"  # exists from the first to the last moment of an installation
INSTALLING = ROOT / "var" / "environment.lock"
LONGEST_INSTALLATION = 1800  # seconds that a second command waits for the first
RUNTIME = ROOT / "requirements.lock"
DEVELOPMENT = ROOT / "requirements-dev.lock"
NOT_OURS = (errno.EACCES, errno.EPERM, errno.EROFS)
OLDEST = (3, 11)
REAL_SITE = ("DATABASE_URL", "REDIS_URL", "CELERY_BROKER_URL", "CELERY_EAGER", "SECRET_KEY", "DEBUG", "HTTPS")
DESCRIBES_A_SITE = ("DATABASE_URL", "SECRET_KEY", "DEBUG")  # if one of them is set, league/settings.py guesses nothing
# Commands of a club on its own site, and the module of each.
ON_A_SITE = {"serve": "serve", "backup": "backup", "restore": "restore", "move-to-postgres": "move_to_postgres"}


class CannotInstall(Exception):
    """The environment could not be created; the text gives reason and next step."""


def main():
    if sys.version_info < OLDEST:
        sys.exit("This project needs Python 3.11 or newer; {} is {}.{}.".format(sys.executable, *sys.version_info))
    command = sys.argv[1] if len(sys.argv) > 1 else ""
    lock = DEVELOPMENT if command in ("test", "environment") else RUNTIME
    try:
        if not runs_here(lock):
            run_in_environment(lock)
    except KeyboardInterrupt:
        sys.exit("\nInterrupted. The next start goes on from here.")
    except OSError as problem:
        if problem.errno not in NOT_OURS:
            sys.exit(f"manage.py: {problem}")
        sys.exit(
            f"manage.py: {problem.filename or ROOT} can't be written: {problem.strerror}. Copy the program's folder to "
            "a place that is yours, your home for example, and start it there."
        )
    except CannotInstall as problem:
        sys.exit(f"manage.py: {problem}")
    if command == "environment":
        print(f"The environment is ready: {sys.prefix}")
        return
    if command == "demo":
        use_embedded_services(sys.argv[2:])
    if command in ON_A_SITE:
        use_site(command, sys.argv[2:])
        sys.argv[1] = ON_A_SITE[command]
    if command == "test":
        use_test_services()
    run_django()


def runs_here(lock):
    """Return whether this Python has every locked package, completely installed."""
    in_environment = Path(sys.prefix) == VENV
    return not (in_environment and UNFINISHED.exists()) and not missing(lock, sys.path)


def missing(lock, folders):
    """Return the pinned packages (name, version) that no folder has.

    Pins under a marker are left out.
    """
    pins = re.findall(r"^([\w.-]+)(?:\[.*\])?==(\S+) \\$", lock.read_text(encoding="utf-8"), re.MULTILINE)
    found = {info.name.lower() for folder in folders if folder for info in Path(folder).glob("*.dist-info")}
    return [pin for pin in pins if "{}-{}.dist-info".format(pin[0].lower().replace("-", "_"), pin[1]) not in found]


def run_in_environment(lock):
    """Replace this process by the same command in ``.venv``.

    The environment is created or repaired first if needed.
    """
    if Path(sys.prefix) == VENV and environment_holds(lock):
        UNFINISHED.touch()  # its packages are for another Python: the system's was upgraded
    if not environment_holds(lock):
        install(lock)
        if not environment_holds(lock):
            raise CannotInstall(f"the installation into {VENV} is not complete. Delete that folder and start again.")
    sys.stdout.flush()
    if WINDOWS:  # it would write files in the code page of the machine
        os.environ.setdefault("PYTHONUTF8", "1")
    become([str(PYTHON), str(Path(__file__).resolve()), *sys.argv[1:]])


def become(command):
    """Continue as this command; as a child on Windows, where `execv` loses Ctrl-C."""
    if hasattr(os, "execv") and not WINDOWS:
        os.execv(command[0], command)  # noqa: S606
    with subprocess.Popen(command) as going_on:
        while going_on.returncode is None:
            try:
                going_on.wait()
            except KeyboardInterrupt:
                continue  # the command got the signal too, and ends in order
    sys.exit(going_on.returncode)


def environment_holds(lock):
    return PYTHON.exists() and not UNFINISHED.exists() and not missing(lock, VENV.glob(PACKAGES))


def install(lock):
    """Create ``.venv`` if it is absent or broken, and install the lock into it.

    Shows progress.
    """
    with locked():  # two commands started at once install once
        if not environment_holds(lock):
            make(lock)


@contextmanager
def locked():
    """Hold the lock as league/file_locks.py does, which needs the packages."""
    import sqlite3

    INSTALLING.parent.mkdir(parents=True, exist_ok=True)
    INSTALLING.touch()
    with closing(sqlite3.connect(INSTALLING, timeout=LONGEST_INSTALLATION, isolation_level=None)) as held:
        try:
            held.execute("BEGIN EXCLUSIVE")
        except sqlite3.OperationalError as problem:
            raise CannotInstall(f"Another command installs the packages since half an hour ({problem}).") from None
        yield


def make(lock):
    import venv

    if PYTHON.exists() and not UNFINISHED.exists():
        print(f"Bringing the environment in {VENV} up to date")
    else:
        print(f"The packages this needs (Django among them) are not installed. Making an environment in {VENV}")
        # Created again after an interruption too: pip takes a half unpacked package for an installed one. Without pip:
        # Debian's Python has no ensurepip, and the installers below need none inside.
        venv.EnvBuilder(clear=VENV.exists(), symlinks=not WINDOWS, with_pip=False).create(VENV)
    UNFINISHED.touch()
    fill(lock)
    UNFINISHED.unlink()


def fill(lock):
    """Try the installers of the machine, the fastest first."""
    tried = []
    for name, command in installers():
        print(f"Installing {lock.name} with {name}", flush=True)
        if show_progress([*command, "--require-hashes", "-r", str(lock)], count(lock)):
            return
        tried.append(name)
    if tried:
        raise CannotInstall(f"{' and '.join(tried)} could not install {lock.name}; the lines above say why.")
    raise CannotInstall(
        f"neither uv nor pip is there to install packages. Install one of them, then start again:\n"
        f"  apt install python3-pip   (Debian, Ubuntu)\n  {host_python()} -m ensurepip   (elsewhere)"
    )


def installers():
    """Yield name and command line of each available installer."""
    if answers(["uv", "--version"]):
        yield "uv", ["uv", "pip", "install", "--python", str(PYTHON)]
    if answers([host_python(), "-m", "pip", "--version"]):
        # The host's pip fills the environment, which PEP 668 allows: only the host itself is protected.
        pip = [host_python(), "-m", "pip", "--python", str(PYTHON), "--disable-pip-version-check"]
        yield "pip", [*pip, "install", "--no-input", "--no-warn-script-location"]


def answers(command):
    try:
        return subprocess.run(command, capture_output=True, check=False).returncode == 0
    except OSError:
        return False


def host_python():
    """Return the interpreter outside of ``.venv``, even from inside."""
    return getattr(sys, "_base_executable", None) or sys.executable


def count(lock):
    return len(re.findall(r"^[\w.-]+.*==", lock.read_text(encoding="utf-8"), re.MULTILINE))


def show_progress(command, packages):
    """Run an installer, with a line for each package that pip collects.

    Returns True on success, else prints the last lines of its output.
    """
    environment = {**os.environ, "PIP_USER": "0", "PIP_REQUIRE_VIRTUALENV": "0"}
    said, seen, line_end = [], 0, "\r" if sys.stdout.isatty() else "\n"
    with subprocess.Popen(
        command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    ) as running:
        for line in running.stdout:
            said.append(line)
            if line.startswith(("Collecting ", "Processing ")):
                seen += 1
                print(f"  {seen:>3}/{packages}  {Path(line.split()[1]).name:<50.50}", end=line_end, flush=True)
            elif line.startswith("Installing collected"):
                print(f"  unpacking {packages} packages{'':<40}", flush=True)
    if running.returncode:
        print("".join(said[-30:]), file=sys.stderr)
    return running.returncode == 0


def use_embedded_services(arguments=()):
    """Use the demonstration's own folder and process, and ignore the shell's settings."""
    forget_real_site()
    folder = Path(os.environ.get("DEMO_DIR") or ROOT / "var" / "demo").expanduser().absolute()
    if not asks_for_help(arguments):
        check_writable(folder, "DEMO_DIR=FOLDER")
    os.environ["DATA_DIR"] = str(folder)


def use_site(command, arguments):
    """Use the folder of ``--data`` or SITE_DIR for a club's site, else ``var/site``.

    A backup or a restore with neither ``--data`` nor SITE_DIR uses the real site described by the environment, if it
    describes one.
    """
    folder = option("--data", arguments) or os.environ.get("SITE_DIR")
    if command in ("backup", "restore") and not folder and any(os.environ.get(name) for name in DESCRIBES_A_SITE):
        return
    folder = Path(folder or ROOT / "var" / "site").expanduser().absolute()
    if not asks_for_help(arguments):
        check_folder(command, folder)
    forget_real_site()
    os.environ["DATA_DIR"] = str(folder)


def asks_for_help(arguments):
    return "-h" in arguments or "--help" in arguments


def option(name, arguments):
    """Return the value of ``--name VALUE`` or ``--name=VALUE``.

    Needed before Django reads its settings.
    """
    for place, argument in enumerate(arguments):
        if argument == name:
            return arguments[place + 1] if place + 1 < len(arguments) else ""
        if argument.startswith(name + "="):
            return argument[len(name) + 1 :]
    return ""


def check_folder(command, folder):
    """Exit with a message if a folder cannot hold a site, before anything is written."""
    if command in ("backup", "move-to-postgres") and not (folder / "league.sqlite3").exists():
        sys.exit(f"There is no site in {folder}. Name its folder: --data FOLDER")
    check_writable(folder, "--data FOLDER")


def check_writable(folder, option):
    """Check by writing: `os.access` is wrong on Windows and on read-only mounts."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as problem:
        sys.exit(f"The folder {folder} can't be made: {problem.strerror}. Name another one: {option}")
    try:
        with tempfile.TemporaryFile(dir=folder):
            pass
    except PermissionError:
        sys.exit(f"This user may not write into {folder}. Name a folder that is yours: {option}")
    except OSError as problem:
        sys.exit(f"Nothing can be written into {folder}: {problem.strerror}. Name another one: {option}")


def use_test_services():
    """Set up tests: the embedded default, and PostgreSQL if DATABASE_URL names it."""
    forget_real_site(but="DATABASE_URL")
    os.environ["DEBUG"] = "1"  # without it a DATABASE_URL requires a real site's key


def forget_real_site(but=""):
    for name in REAL_SITE:
        if name != but:
            os.environ.pop(name, None)


def run_django():
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "league.settings")
    from django.core.management import execute_from_command_line

    execute_from_command_line(sys.argv)


if __name__ == "__main__":
    main()
