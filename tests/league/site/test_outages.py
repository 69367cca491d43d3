"""Outages of database or disk: 503 with time to retry and reason, never 500."""

import errno
import os
import sqlite3
import subprocess
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import psycopg
import pytest
from django.conf import settings
from django.db import DatabaseError, InterfaceError, OperationalError, ProgrammingError, connection
from django.test import Client

from league import journal
from league.outages import Outage, outage_of
from tests import template_database
from tests.league.world import World, make_world, played_log

FULL = "The disk of this site is full, so nothing can be saved."


# --- Outages and faults ---


def of_sqlite(code: int) -> OperationalError:
    told = sqlite3.OperationalError("as SQLite says it")
    told.sqlite_errorcode = code
    error = OperationalError("as SQLite says it")
    error.__cause__ = told
    return error


def of_postgresql(state: str) -> DatabaseError:
    error = DatabaseError("as PostgreSQL says it")
    error.__cause__ = psycopg.errors.lookup(state)("as PostgreSQL says it")
    return error


def led_to(first: Exception) -> Exception:
    error = RuntimeError("a transaction cannot be ended")
    error.__context__ = first
    return error


OUTAGES = [
    (OSError(errno.ENOSPC, "No space left on device"), Outage.DISK_FULL),
    (OSError(errno.EDQUOT, "Disk quota exceeded"), Outage.DISK_FULL),
    (OSError(errno.EROFS, "Read-only file system"), Outage.READ_ONLY),
    (FileNotFoundError(errno.ENOENT, "a template"), None),
    (of_sqlite(sqlite3.SQLITE_FULL), Outage.DISK_FULL),
    (of_sqlite(sqlite3.SQLITE_READONLY_DBMOVED), Outage.READ_ONLY),
    (of_sqlite(sqlite3.SQLITE_BUSY_SNAPSHOT), Outage.BUSY),
    (of_sqlite(sqlite3.SQLITE_CANTOPEN), Outage.AWAY),
    (of_sqlite(sqlite3.SQLITE_IOERR_READ), Outage.AWAY),
    (of_sqlite(sqlite3.SQLITE_CORRUPT), Outage.DAMAGED),
    (of_sqlite(sqlite3.SQLITE_ERROR), None),  # no such table
    (of_postgresql("53100"), Outage.DISK_FULL),
    (of_postgresql("53300"), Outage.BUSY),
    (of_postgresql("57P01"), Outage.AWAY),
    (of_postgresql("25006"), Outage.READ_ONLY),
    (of_postgresql("40P01"), Outage.BUSY),
    (of_postgresql("42P01"), None),  # no such table
    (OperationalError("connection refused"), Outage.AWAY),
    (InterfaceError("the connection is closed"), Outage.AWAY),
    (ProgrammingError("too few placeholders"), None),
    (led_to(OSError(errno.ENOSPC, "No space left on device")), Outage.DISK_FULL),
    (led_to(ValueError("another fault of ours")), None),
    (None, None),
]


@pytest.mark.parametrize(("error", "outage"), OUTAGES, ids=repr)
def test_outages_differ_from_faults_of_the_program(error: Exception | None, outage: Outage | None) -> None:
    assert outage_of(error) is outage


# --- A disk that is full ---


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of its own, of 12 MB."""
    folder = tmp_path / "disk"
    folder.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=12m", "tmpfs", folder]
    if os.geteuid() != 0 or subprocess.run(mount, capture_output=True, check=False).returncode:
        pytest.skip("only root mounts a disk that is small enough to be filled")
    yield folder
    subprocess.run(["umount", folder], check=True)


@pytest.fixture
def on_disk(disk: Path, django_db_blocker) -> Iterator[World]:
    """The world of the tests in a database on that disk.

    Readers do not set its journal mode again.
    """
    name = str(disk / "league.sqlite3")
    template_database.copy_to(name)
    with django_db_blocker.unblock(), template_database.connected_to(name):
        yield make_world()
    journal._ahead.discard(name)


def fill(disk: Path) -> Path:
    filler = disk / "filler"
    with filler.open("ab", buffering=0) as file, suppress(OSError):
        while file.write(bytes(4096)):
            pass
    return filler


def reported(world: World, client: Client):
    """Submit a log by the API."""
    path = f"/api/v1/games/{world.game.code}/logs"
    return client.post(path, data=played_log(7), content_type="text/plain")


@pytest.mark.sqlite
def test_on_a_full_disk_pages_are_read_only_and_give_the_reason(
    on_disk: World, disk: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    client = Client(raise_request_exception=False)
    client.force_login(on_disk.alice)
    assert client.get("/").status_code == 200
    fill(disk)
    connection.close()  # frees the space of its journal
    assert client.get("/").status_code == 200
    filler = fill(disk)
    for page in ("/", "/players/", "/leagues/harbour/", f"/matches/{on_disk.match.pk}/", "/api/v1/matches"):
        answer = client.get(page)
        assert answer.status_code == 200, page
    path, log = f"/submit/{on_disk.game.code}/", {"text": played_log(7)}
    for language, sentence in (("en", FULL), ("es", "El disco de este sitio está lleno")):
        page = client.post(path, log, headers={"accept-language": language})
        assert (page.status_code, page["Retry-After"], page["Cache-Control"]) == (503, "60", "no-store")
        assert sentence in page.content.decode()
    answer = reported(on_disk, client)
    assert (answer.status_code, answer["Retry-After"]) == (503, "60")
    assert answer["Content-Type"] == "application/problem+json"
    assert (answer.json()["code"], answer.json()["detail"]) == ("disk-full", FULL)
    with monkeypatch.context() as control:  # the site as it was
        control.setattr("league.web.shared.errors.outage_of", lambda _error: None)
        assert client.post(path, log).status_code == 500
    filler.unlink()
    assert client.post(path, log).status_code == 302


# --- Pages and calls without a database ---


def gone(*_: object, **__: object) -> None:
    raise OperationalError("the server closed the connection")


@pytest.mark.parametrize(
    "place",
    ["league.web.home.home", "django.contrib.sessions.middleware.SessionMiddleware.process_response"],
)
def test_a_database_that_is_gone_is_said_by_a_page_without_asking_it(
    db, monkeypatch: pytest.MonkeyPatch, django_assert_max_num_queries, place: str
) -> None:
    """Outage in a view, and in the middleware after it."""
    client = Client(raise_request_exception=False)
    client.get("/")
    monkeypatch.setattr(place, gone)
    with django_assert_max_num_queries(0 if "home" in place else 9):
        answer = client.get("/")
    assert (answer.status_code, answer["Retry-After"]) == (503, "5")
    html = answer.content.decode()
    assert "The database does not answer." in html
    assert "closed the connection" not in html


def test_an_api_call_whose_session_cannot_be_read_is_a_problem(db, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("django.contrib.sessions.middleware.SessionMiddleware.process_response", gone)
    answer = Client(raise_request_exception=False).get("/api/v1/rulesets")
    assert (answer.status_code, answer["Retry-After"], answer.json()["code"]) == (503, "5", "unavailable")


@pytest.mark.sqlite
def test_the_journal_mode_is_set_once(tmp_path: Path, django_db_blocker, caplog: pytest.LogCaptureFixture) -> None:
    """The file keeps the mode: later connections only read it."""
    name = str(tmp_path / "league.sqlite3")
    template_database.copy_to(name)
    said: list[str] = []
    with django_db_blocker.unblock(), template_database.connected_to(name):
        for _ in range(3):
            with connection.cursor() as cursor:
                said.append(cursor.execute("PRAGMA journal_mode").fetchone()[0])
            connection.close()
    assert said == ["wal"] * 3
    assert "journal_mode" not in settings.DATABASES["default"]["OPTIONS"]["init_command"]
    assert name in journal._ahead
    journal._ahead.discard(name)
