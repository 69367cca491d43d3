"""From PostgreSQL to SQLite and back by one file, every row of every table compared; and each way to be refused."""

import os
import secrets
import shutil
import socket
import sqlite3
import struct
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import psycopg
import pytest
from psycopg import sql

from league.backups import writing
from tests.kept_rows import BY_TRIGGERS
from tests.league.backups.rows import every_row
from tests.league.processes import database_of_the_test, free_port

ROOT = Path(__file__).resolve().parents[3]

pytestmark = [pytest.mark.postgres, pytest.mark.slow("starts sites"), pytest.mark.django_db(transaction=True)]


def manage(*arguments: str) -> "subprocess.CompletedProcess[str]":
    forgotten = {"DATABASE_URL", "SECRET_KEY", "DEBUG", "SITE_DIR", "DATA_DIR", "DJANGO_SETTINGS_MODULE"}
    environment = {name: value for name, value in os.environ.items() if name not in forgotten}
    return subprocess.run(
        [sys.executable, str(ROOT / "manage.py"), *arguments],
        env=environment,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


@pytest.fixture
def target() -> Iterator[str]:
    """The address of an empty database of this test's own."""
    name = f"moved_{secrets.token_hex(6)}"
    here = urlsplit(database_of_the_test())
    with psycopg.connect(here.geturl(), autocommit=True) as server:
        server.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(name)))
        yield here._replace(path=f"/{name}").geturl()
        server.execute(sql.SQL("DROP DATABASE {} WITH (FORCE)").format(sql.Identifier(name)))


def restored(folder: Path) -> Path:
    """A laptop's folder, with what is in the PostgreSQL of the test."""
    saved = folder / "saved.zip"
    writing.save(saved)
    done = manage("restore", str(saved), "--data", str(folder / "laptop"))
    assert done.returncode == 0, done.stderr
    return folder / "laptop"


@pytest.fixture(scope="module")
def earlier(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the first test that needs a laptop's folder leaves one for the others."""
    return tmp_path_factory.mktemp("earlier")


@pytest.fixture
def folder(earlier: Path, request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """A laptop's folder with something in every table."""
    if not (earlier / "laptop").exists():
        request.getfixturevalue("site")
        restored(earlier)
    shutil.copytree(earlier / "laptop", tmp_path / "laptop")
    return tmp_path / "laptop"


def postgresql_rows(url: str) -> dict[str, list[tuple[object, ...]]]:
    tables = "SELECT tablename FROM pg_tables WHERE schemaname = current_schema() ORDER BY 1"
    with psycopg.connect(url) as connection:
        return {
            table: sorted(connection.execute(sql.SQL("SELECT * FROM {}").format(sql.Identifier(table))), key=repr)
            for (table,) in connection.execute(tables).fetchall()
            if table not in BY_TRIGGERS
        }


def sqlite_rows(folder: Path) -> dict[str, list[tuple[object, ...]]]:
    with sqlite3.connect(folder / "league.sqlite3") as connection:
        tables = [name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        return {table: sorted(connection.execute(f"SELECT * FROM {table}"), key=repr) for table in tables}


def move(folder: Path, url: str) -> "subprocess.CompletedProcess[str]":
    return manage("move-to-postgres", url, "--data", str(folder))


def as_it_was(folder: Path) -> str:
    return f"The site in {folder} is as it was."


def test_everything_moves_and_the_old_file_stays_as_it_was(site, tmp_path, target):
    folder = restored(tmp_path)
    before, old = postgresql_rows(database_of_the_test()), sqlite_rows(folder)
    assert before.keys() == every_row().keys()
    assert sum(map(len, before.values())) > 150
    done = move(folder, target)
    assert done.returncode == 0, done.stderr
    assert postgresql_rows(target) == before
    assert sqlite_rows(folder) == old
    assert f"DATABASE_URL={target}" in done.stdout
    assert str(folder / "secret.key") in done.stdout
    # New rows take numbers behind those that came.
    with psycopg.connect(target) as connection:
        [(number,)] = connection.execute("INSERT INTO auth_group (name) VALUES ('new') RETURNING id").fetchall()
    assert number > max(row[0] for row in before["auth_group"])


def test_a_database_with_data_is_left_alone(folder, target):
    assert move(folder, target).returncode == 0
    before = postgresql_rows(target)
    done = move(folder, target)
    assert (done.returncode, done.stderr.strip()) == (
        1,
        f"CommandError: There is data in that database already. Make an empty one and name that.\n{as_it_was(folder)}",
    )
    assert postgresql_rows(target) == before
    assert len(list((folder / "backups").glob("before-move-*"))) == 1


def test_another_programs_tables_are_left_alone(folder, target):
    with psycopg.connect(target) as connection:
        connection.execute("CREATE TABLE accounts_user (theirs text)")
    done = move(folder, target)
    assert done.returncode == 1
    assert "The database holds tables of another program (accounts_user). Take an empty database." in done.stderr
    assert postgresql_rows(target) == {"accounts_user": []}


class Refusing(threading.Thread):
    """A PostgreSQL that takes no password: as much of its protocol as it needs for that."""

    def __init__(self) -> None:
        super().__init__(daemon=True)
        self.listening = socket.create_server(("127.0.0.1", 0))
        self.port = self.listening.getsockname()[1]

    def run(self) -> None:
        while True:
            try:
                client, _ = self.listening.accept()
            except OSError:
                return
            with client:
                (length,) = struct.unpack("!i", client.recv(4))
                if client.recv(length - 4)[:4] == struct.pack("!i", 80877103):  # asks for TLS first
                    client.sendall(b"N")
                    (length,) = struct.unpack("!i", client.recv(4))
                    client.recv(length - 4)
                said = b'SFATAL\0VFATAL\0C28P01\0Mpassword authentication failed for user "league"\0\0'
                client.sendall(b"E" + struct.pack("!i", len(said) + 4) + said)


def test_an_address_that_does_not_answer_is_told_in_words(folder, target):
    refusing = Refusing()
    refusing.start()
    closed = free_port()
    before, name = sqlite_rows(folder), urlsplit(target).path[1:]
    for url, sentence in (
        (
            f"postgres://league:wrong@127.0.0.1:{refusing.port}/league",
            "The database refuses the password for user 'league'. Look at the address.",
        ),
        (
            f"postgres://league@127.0.0.1:{closed}/league",
            f"No database answers at 127.0.0.1, port {closed}. Is PostgreSQL running there, and is the port right?",
        ),
        (
            "postgres://league@nowhere.invalid/league",
            "There is no machine 'nowhere.invalid' on the network. Look at the name in the address.",
        ),
        (
            f"{target}_x",
            f'The server says: database "{name}_x" does not exist. Make it first, or look at the address.',
        ),
    ):
        done = move(folder, url)
        assert (done.returncode, done.stderr.strip()) == (
            1,
            f"CommandError: {sentence}\n{as_it_was(folder)}",
        )
    refusing.listening.close()
    done = move(folder, "league.example.org")
    assert done.stderr.strip() == (
        "CommandError: 'league.example.org' is no such address. It looks like this: "
        "postgres://user:password@host:5432/name"
    )
    assert sqlite_rows(folder) == before
    assert list((folder / "backups").iterdir()) == []
