"""The backup file: its contents, and the check that it is complete."""

import contextlib
import hashlib
import json
import os
import zipfile
import zlib
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import IO

from league.backups import BackupProblem
from league.backups.schema import Migration

FORMAT = "domino-league-backup"
EDITION = 1
MANIFEST = "manifest.json"
CHUNK = 1024 * 1024


@dataclass(frozen=True, slots=True)
class SavedTable:
    """One table in the file. `sha256` is of the member's bytes before compression."""

    table: str
    model: str
    columns: list[str]
    rows: int
    sha256: str

    @property
    def member(self) -> str:
        return f"tables/{self.table}.jsonl"


@dataclass(frozen=True, slots=True)
class Manifest:
    """The manifest: origin of the file, migrations and tables."""

    made_at: str
    database: str
    engine: int
    migrations: list[Migration]
    tables: list[SavedTable]

    @property
    def rows(self) -> int:
        return sum(table.rows for table in self.tables)

    def dumps(self) -> str:
        return json.dumps({"format": FORMAT, "edition": EDITION, **asdict(self)}, indent=1)


def loads(text: bytes) -> Manifest:
    """Read a manifest.

    Raises BackupProblem for a newer edition, and KeyError, TypeError or ValueError for an invalid manifest.
    """
    given = json.loads(text)
    if given["format"] != FORMAT:
        raise ValueError(given["format"])
    if given["edition"] > EDITION:
        raise BackupProblem(
            f"The file was made by a newer edition of this program (edition {given['edition']} of the format, this one "
            f"reads {EDITION}). Update the program first; nothing was changed."
        )
    return Manifest(
        made_at=given["made_at"],
        database=given["database"],
        engine=given["engine"],
        migrations=[(app, name) for app, name in given["migrations"]],
        tables=[SavedTable(**table) for table in given["tables"]],
    )


@contextlib.contextmanager
def written(path: Path) -> Iterator[zipfile.ZipFile]:
    """Write a file completely or not at all, readable by its owner only.

    It contains names and password hashes.
    """
    part = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        with os.fdopen(os.open(part, os.O_RDWR | os.O_CREAT | os.O_TRUNC, 0o600), "w+b") as file:
            with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED, compresslevel=6) as archive:
                yield archive
            file.flush()
            os.fsync(file.fileno())
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)


class Hashed:
    """Writer of lines to a member, with their hash."""

    def __init__(self, member: IO[bytes]) -> None:
        self._member = member
        self._hash = hashlib.sha256()

    def write(self, line: str) -> None:
        data = line.encode()
        self._hash.update(data)
        self._member.write(data)

    @property
    def sha256(self) -> str:
        return self._hash.hexdigest()


@contextlib.contextmanager
def opened(path: Path) -> Iterator[tuple[zipfile.ZipFile, Manifest]]:
    """Open a file after a check of every byte.

    Raises BackupProblem with a sentence for any fault.
    """
    if not path.is_file():
        raise BackupProblem(f"There is no file {path}.")
    with contextlib.ExitStack() as stack:
        with _in_words(path):
            archive = stack.enter_context(zipfile.ZipFile(path))
            manifest = loads(archive.read(MANIFEST))
            for table in manifest.tables:
                _check(archive, table)
        yield archive, manifest


@contextlib.contextmanager
def _in_words(path: Path) -> Iterator[None]:
    try:
        yield
    except PermissionError:
        raise BackupProblem(f"{path} may not be read by this user.") from None
    except zipfile.BadZipFile:
        raise _damaged(path) from None
    except (KeyError, TypeError, ValueError, zlib.error, EOFError, NotImplementedError) as problem:
        raise _damaged(path) from problem


def _check(archive: zipfile.ZipFile, table: SavedTable) -> None:
    found = hashlib.sha256()
    with archive.open(table.member) as member:
        while chunk := member.read(CHUNK):
            found.update(chunk)
    if found.hexdigest() != table.sha256:
        raise ValueError(f"the hash of {table.table} is another one")


def _damaged(path: Path) -> BackupProblem:
    return BackupProblem(
        f"{path} is damaged or no backup of this program: its hashes do not fit what is in it. Take another backup, or "
        f"copy this one again from where it was kept. Nothing was changed."
    )
