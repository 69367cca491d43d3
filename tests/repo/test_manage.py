"""manage.py on a machine without the packages: what it takes for an environment, and what it says."""

import errno
import importlib.util
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).resolve().parents[2]
LOCK = """\
django==5.2.19 \\
    --hash=sha256:00
click-plugins==1.1.1.2 \\
    --hash=sha256:00
async-timeout==5.0.1 ; python_full_version < '3.11.3' \\
    --hash=sha256:00
"""


@pytest.fixture
def manage(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """manage.py as a module whose environment is an empty folder."""
    spec = importlib.util.spec_from_file_location("manage", ROOT / "manage.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    environment = tmp_path / ".venv"
    monkeypatch.setattr(module, "VENV", environment)
    monkeypatch.setattr(module, "PYTHON", environment / "bin" / "python")
    monkeypatch.setattr(module, "UNFINISHED", environment / "unfinished")
    monkeypatch.setattr(module, "INSTALLING", tmp_path / "var" / "environment.lock")
    return module


@pytest.fixture
def lock(tmp_path: Path) -> Path:
    file = tmp_path / "requirements.lock"
    file.write_text(LOCK, encoding="utf-8")
    return file


def fill(manage: ModuleType, *packages: str) -> None:
    """An environment with these packages in it."""
    manage.PYTHON.parent.mkdir(parents=True, exist_ok=True)
    manage.PYTHON.touch()
    for package in packages:
        (manage.VENV / "lib" / "python3.11" / "site-packages" / f"{package}.dist-info").mkdir(parents=True)


def test_without_an_environment_everything_is_missing(manage: ModuleType, lock: Path) -> None:
    assert manage.missing(lock, []) == [("django", "5.2.19"), ("click-plugins", "1.1.1.2")]
    assert not manage.environment_holds(lock)


def test_an_environment_with_every_pin_is_used(manage: ModuleType, lock: Path) -> None:
    fill(manage, "Django-5.2.19", "click_plugins-1.1.1.2", "and_more-1.0")
    assert manage.environment_holds(lock)


def test_a_changed_lock_is_seen(manage: ModuleType, lock: Path) -> None:
    fill(manage, "django-5.2.18", "click_plugins-1.1.1.2")
    assert not manage.environment_holds(lock)


def test_an_interrupted_installation_is_seen(manage: ModuleType, lock: Path) -> None:
    fill(manage, "django-5.2.19", "click_plugins-1.1.1.2")
    manage.UNFINISHED.touch()
    assert not manage.environment_holds(lock)


def test_without_uv_and_pip_it_says_what_to_install(
    manage: ModuleType, lock: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(manage, "answers", lambda command: False)
    with pytest.raises(manage.CannotInstall, match="neither uv nor pip is there"):
        manage.fill(lock)


def test_an_installer_that_fails_is_shown_and_the_next_one_tried(
    manage: ModuleType, lock: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    fails = [sys.executable, "-c", "print('no network'); raise SystemExit(1)"]
    monkeypatch.setattr(manage, "installers", lambda: iter([("uv", fails), ("pip", fails)]))
    with pytest.raises(manage.CannotInstall, match=r"uv and pip could not install requirements\.lock"):
        manage.fill(lock)
    assert capfd.readouterr().err.count("no network") == 2


def test_progress_names_each_package(manage: ModuleType, capsys: pytest.CaptureFixture[str]) -> None:
    says = "for name in ('django==5.2.19', 'six==1.17.0'): print('Collecting', name)"
    assert manage.show_progress([sys.executable, "-c", says], 2)
    assert [line.split() for line in capsys.readouterr().out.splitlines()] == [
        ["1/2", "django==5.2.19"],
        ["2/2", "six==1.17.0"],
    ]


def test_an_old_python_is_told_so(manage: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(manage, "OLDEST", (3, 99))
    with pytest.raises(SystemExit, match=r"needs Python 3\.11 or newer"):
        manage.main()


def test_the_demonstration_forgets_what_the_shell_set_for_a_real_site(
    manage: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in manage.REAL_SITE:
        monkeypatch.setenv(name, "something")
    monkeypatch.setenv("DATA_DIR", "somewhere")
    monkeypatch.delenv("DEMO_DIR", raising=False)
    manage.use_embedded_services()
    assert [name for name in manage.REAL_SITE if name in manage.os.environ] == []
    assert manage.os.environ["DATA_DIR"] == str(ROOT / "var" / "demo")


@pytest.fixture
def set_variables(manage: ModuleType, monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    for name in (*manage.REAL_SITE, "DATA_DIR", "SITE_DIR"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("DATABASE_URL", "postgres://x/y")
    return monkeypatch


def described(manage: ModuleType) -> tuple[str | None, str | None]:
    return manage.os.environ.get("DATABASE_URL"), manage.os.environ.get("DATA_DIR")


def test_a_clubs_own_site_forgets_what_the_shell_set_for_a_real_one(
    manage: ModuleType, set_variables: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    manage.use_site("serve", ["--data", str(tmp_path / "club")])
    assert described(manage) == (None, str(tmp_path / "club"))


@pytest.mark.parametrize("command", ["backup", "restore"])
def test_a_backup_and_a_restore_are_of_the_real_site_that_the_shell_describes_unless_a_folder_is_named(
    manage: ModuleType, set_variables: pytest.MonkeyPatch, tmp_path: Path, command: str
) -> None:
    manage.use_site(command, ["file.zip"])
    assert described(manage) == ("postgres://x/y", None)
    (tmp_path / "league.sqlite3").touch()
    manage.use_site(command, ["file.zip", f"--data={tmp_path}"])
    assert described(manage) == (None, str(tmp_path))


def test_a_moved_site_is_the_one_of_the_folder(
    manage: ModuleType, set_variables: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "league.sqlite3").touch()
    set_variables.setenv("SITE_DIR", str(tmp_path))
    manage.use_site("move-to-postgres", ["postgres://z/w"])
    assert described(manage) == (None, str(tmp_path))


def test_the_tests_keep_the_database_that_the_shell_names_and_nothing_else(
    manage: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in manage.REAL_SITE:
        monkeypatch.setenv(name, "something")
    manage.use_test_services()
    set_now = {name: manage.os.environ[name] for name in manage.REAL_SITE if name in manage.os.environ}
    assert set_now == {"DATABASE_URL": "something", "DEBUG": "1"}


def test_it_runs_from_any_folder(tmp_path: Path) -> None:
    command = [sys.executable, str(ROOT / "manage.py"), "version"]
    ran = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True)
    assert ran.stdout.startswith("5.2.")


# --- Other systems, and read-only folders ---

# As sitecustomize.py: a Python of a system without these.
WITHOUT = """
import builtins, os

usual = builtins.__import__

def without(name, globals=None, *rest, **more):
    # Packages have a way of their own there, which some choose by the name of the system.
    if name == "fcntl" and "site-packages" not in str((globals or {}).get("__file__")):
        raise ModuleNotFoundError("No module named 'fcntl'", name="fcntl")
    return usual(name, globals, *rest, **more)

if hasattr(os, "execv"):
    del os.execv
builtins.__import__ = without
"""
BECOMES = """
import importlib.util, signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell lets background commands ignore Ctrl-C
spec = importlib.util.spec_from_file_location("manage", sys.argv[1])
module = importlib.util.module_from_spec(spec)
spec.loader.exec_module(module)
module.become(sys.argv[2:])
"""
ENDS_IN_ORDER = """
import sys, time
try:
    print("up", flush=True)
    time.sleep(60)
except KeyboardInterrupt:
    time.sleep(1)
    print("ended in order")
    sys.exit(3)
"""


@pytest.fixture
def windows(manage: ModuleType, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """The module as loaded on Windows: its paths depend on `os.name` at import."""
    source = (ROOT / "manage.py").read_text(encoding="utf-8").replace('os.name == "nt"', "True")
    module = {"__name__": "manage", "__file__": str(ROOT / "manage.py")}
    exec(compile(source, "manage.py", "exec"), module)
    for name in ("PYTHON", "UNFINISHED"):
        monkeypatch.setattr(manage, name, manage.VENV / module[name].relative_to(module["VENV"]))
    for name in ("WINDOWS", "PACKAGES"):
        monkeypatch.setattr(manage, name, module[name])
    return manage


def test_on_windows_the_python_and_the_packages_are_where_windows_has_them(windows: ModuleType, lock: Path) -> None:
    windows.PYTHON.parent.mkdir(parents=True)
    windows.PYTHON.touch()
    for package in ("Django-5.2.19", "click_plugins-1.1.1.2"):
        (windows.VENV / "Lib" / "site-packages" / f"{package}.dist-info").mkdir(parents=True)
    assert windows.PYTHON == windows.VENV / "Scripts" / "python.exe"
    assert windows.environment_holds(lock)
    windows.PYTHON.unlink()
    assert not windows.environment_holds(lock)


@pytest.mark.parametrize("absent", [True, False])
def test_without_execv_it_waits_for_the_command_and_ends_as_that_does(
    windows: ModuleType, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str], absent: bool
) -> None:
    """Cover Windows too, with an `execv` that frees the terminal at once."""
    monkeypatch.setattr(windows, "WINDOWS", not absent)
    if absent:
        monkeypatch.delattr(os, "execv")
    with pytest.raises(SystemExit) as left:
        windows.become([sys.executable, "-c", "print('it ran'); raise SystemExit(7)"])
    assert (left.value.code, capfd.readouterr().out) == (7, "it ran\n")


@pytest.mark.slow("waits for processes")
def test_without_execv_ctrl_c_waits_for_the_end_of_the_command(tmp_path: Path) -> None:
    """Send Ctrl-C to both processes, as a terminal does; the command ends in order."""
    (tmp_path / "sitecustomize.py").write_text(WITHOUT)
    with subprocess.Popen(
        [sys.executable, "-c", BECOMES, str(ROOT / "manage.py"), sys.executable, "-c", ENDS_IN_ORDER],
        env=os.environ | {"PYTHONPATH": str(tmp_path)},
        stdout=subprocess.PIPE,
        text=True,
        start_new_session=True,
    ) as running:
        assert running.stdout.readline() == "up\n"
        os.killpg(running.pid, signal.SIGINT)
        said, _ = running.communicate(timeout=120)
    assert (said, running.returncode) == ("ended in order\n", 3)


def test_two_commands_that_start_at_once_install_once(
    manage: ModuleType, lock: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The lock needs no module of one system alone."""
    monkeypatch.setitem(sys.modules, "fcntl", None)
    monkeypatch.setattr(manage, "LONGEST_INSTALLATION", 0.1)
    made = []

    def make(_lock: Path) -> None:
        with pytest.raises(manage.CannotInstall, match="Another command installs the packages"):
            manage.install(lock)
        made.append(1)

    monkeypatch.setattr(manage, "make", make)
    manage.install(lock)
    assert made == [1]
    fill(manage, "django-5.2.19", "click_plugins-1.1.1.2")
    manage.install(lock)
    assert made == [1]


@pytest.mark.parametrize("number", [errno.EACCES, errno.EROFS])
def test_an_unwritable_program_folder_is_reported_with_a_remedy(
    manage: ModuleType, monkeypatch: pytest.MonkeyPatch, number: int
) -> None:
    def refuse(self: Path, *_: object, **__: object) -> None:
        raise OSError(number, os.strerror(number), str(self))

    monkeypatch.setattr(manage, "runs_here", lambda lock: False)
    monkeypatch.setattr(Path, "mkdir", refuse)
    with pytest.raises(SystemExit) as left:
        manage.main()
    assert left.value.code == (
        f"manage.py: {manage.INSTALLING.parent} can't be written: {os.strerror(number)}. Copy the program's folder to "
        "a place that is yours, your home for example, and start it there."
    )


@pytest.fixture
def read_only(tmp_path: Path) -> Iterator[Path]:
    folder = tmp_path / "stick"
    folder.mkdir()
    if os.geteuid() != 0:
        folder.chmod(0o500)
        yield folder
        folder.chmod(0o700)
        return
    mounted = ["mount", "-t", "tmpfs", "-o", "ro", "tmpfs", folder]  # root may write anything else
    if subprocess.run(mounted, capture_output=True, check=False).returncode:
        pytest.skip("mounts, which this root may not make")
    yield folder
    subprocess.run(["umount", folder], check=True)


@pytest.mark.parametrize(("command", "option"), [("serve", "--data FOLDER"), ("demo", "DEMO_DIR=FOLDER")])
def test_an_unwritable_data_folder_is_reported_with_a_remedy(
    manage: ModuleType, monkeypatch: pytest.MonkeyPatch, read_only: Path, command: str, option: str
) -> None:
    for name in (*manage.REAL_SITE, "DATA_DIR"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("DEMO_DIR", str(read_only))
    monkeypatch.setenv("SITE_DIR", str(read_only))
    start = manage.use_embedded_services if command == "demo" else lambda: manage.use_site("serve", [])
    with pytest.raises(SystemExit) as left:
        start()
    said = str(left.value.code)
    assert str(read_only) in said
    assert said.endswith(option)
    monkeypatch.setenv("DEMO_DIR", str(read_only / "inside"))
    monkeypatch.setenv("SITE_DIR", str(read_only / "inside"))
    with pytest.raises(SystemExit, match=f"can't be made: .*Name another one: {option}"):
        start()
