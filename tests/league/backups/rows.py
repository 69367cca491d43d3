"""What stands in a database, read past Django and past the code under test."""

import json
import zipfile
from collections.abc import Callable, Collection
from dataclasses import asdict, replace
from hashlib import sha256
from pathlib import Path

from django.db import connection

from league.backups.archive import MANIFEST, loads
from tests.kept_rows import BY_TRIGGERS

Rows = dict[str, list[tuple[object, ...]]]


def every_row(without: Collection[str] = ()) -> Rows:
    """Each table of the database with all of its rows, columns by name, in an order of their own.

    `without`: columns that are left out.
    """
    with connection.cursor() as cursor:
        tables = set(connection.introspection.table_names(cursor)) - BY_TRIGGERS
        return {table: _rows(cursor, table, without) for table in sorted(tables)}


def _rows(cursor: object, table: str, without: Collection[str]) -> list[tuple[object, ...]]:
    cursor.execute(f"SELECT * FROM {connection.ops.quote_name(table)}")
    names = [column[0] for column in cursor.description]
    order = sorted((at for at, name in enumerate(names) if name not in without), key=names.__getitem__)
    return sorted(
        (tuple(_plain(row[place]) for place in order) for row in cursor.fetchall()),
        key=lambda row: list(map(repr, row)),
    )


def _plain(value: object) -> object:
    return bytes(value) if isinstance(value, memoryview) else value


def rewritten(path: Path, table: str, change: Callable[[list[list[object]]], object]) -> Path:
    """A file whose hashes fit, in which the rows of one table are others; a text in the place of a row is its line."""
    new = path.with_name(f"changed-{path.name}")
    with zipfile.ZipFile(path) as old, zipfile.ZipFile(new, "w") as archive:
        manifest = loads(old.read(MANIFEST))
        tables = []
        for saved in manifest.tables:
            data = old.read(saved.member)
            if saved.table == table:
                rows = [json.loads(line) for line in data.splitlines()]
                change(rows)
                lines = [row if isinstance(row, str) else json.dumps(row) for row in rows]
                data = "".join(f"{line}\n" for line in lines).encode()
                saved = replace(saved, rows=len(rows), sha256=sha256(data).hexdigest())
            archive.writestr(saved.member, data)
            tables.append(saved)
        archive.writestr(MANIFEST, replace(manifest, tables=tables).dumps())
    return new


def with_manifest(path: Path, **changes: object) -> Path:
    new = path.with_name(f"other-{path.name}")
    with zipfile.ZipFile(path) as old, zipfile.ZipFile(new, "w") as archive:
        for name in old.namelist():
            data = old.read(name)
            if name == MANIFEST:
                data = json.dumps({**json.loads(data), **changes}).encode()
            archive.writestr(name, data)
    return new


def place(path: Path, table: str, column: str) -> int:
    """Where a column stands in the rows of a table in the file."""
    with zipfile.ZipFile(path) as archive:
        saved = {one.table: one for one in loads(archive.read(MANIFEST)).tables}
    return asdict(saved[table])["columns"].index(column)
