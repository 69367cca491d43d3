"""manage.py on a machine without the packages: what it takes for an environment, and what it says."""

import importlib.util
import subprocess
import sys
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
