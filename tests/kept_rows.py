"""A small world is made once a process; later tests get the rows that it left, and the objects as they were then."""

import functools
import pickle
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any, TypeVar

from django.conf import settings
from django.db import connection, transaction
from django.utils import timezone

from tests.template_database import FILLED_BY_MIGRATE, PostgresTemplate

World = TypeVar("World")
# Triggers write these rows again.
BY_TRIGGERS = {"live_livechange"}
# A database's own form of the rows of each table.
Rows = dict[str, Any]


def kept(make: Callable[..., World], *, minutes: int = 60) -> Callable[..., World]:
    """Keep the rows and the objects that `make` leaves in an empty database.

    In another one and with positional arguments it is made as ever. Other options, another password hasher or another
    part of the hour, of so many `minutes`, have a world of their own.
    """
    found: dict[tuple[object, ...], tuple[Rows, bytes]] = {}

    @functools.wraps(make)
    def made(*arguments: object, **changes: object) -> World:
        if arguments or rows():
            return make(*arguments, **changes)
        key = (settings.PASSWORD_HASHERS[0], floor(timezone.now(), minutes), *sorted(changes.items()))
        if key not in found:
            world = make(**changes)
            found[key] = rows(), pickle.dumps(world)
            return world
        left, world = found[key]
        insert(left)
        return pickle.loads(world)

    return made


def floor(now: datetime, minutes: int) -> datetime:
    return now - timedelta(minutes=now.minute % minutes, seconds=now.second, microseconds=now.microsecond)


def rows() -> Rows:
    """Return every row but those that each database has, as the database writes it."""
    connection.ensure_connection()
    return VENDORS[connection.vendor][0](connection.connection)


@transaction.atomic
def insert(left: Rows) -> None:
    connection.ensure_connection()
    VENDORS[connection.vendor][1](connection.connection, left)


def sqlite_rows(raw: Any) -> Rows:
    tables = [name for (name,) in raw.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
    own = [name for name in tables if name not in FILLED_BY_MIGRATE | BY_TRIGGERS and not name.startswith("sqlite_")]
    return {name: left for name in own if (left := raw.execute(f'SELECT * FROM "{name}"').fetchall())}


def insert_into_sqlite(raw: Any, left: Rows) -> None:
    for name, values in left.items():
        places = ", ".join("?" * len(values[0]))
        raw.executemany(f'INSERT INTO "{name}" VALUES ({places})', values)


def postgresql_rows(raw: Any) -> Rows:
    with connection.cursor() as cursor:
        names = set(PostgresTemplate.tables_with_rows(cursor)) - BY_TRIGGERS
    found = {}
    for name in names:
        with raw.cursor() as cursor, cursor.copy(f'COPY "{name}" TO STDOUT') as copied:
            found[name] = b"".join(bytes(part) for part in copied)
    return found


def insert_into_postgresql(raw: Any, left: Rows) -> None:
    with raw.cursor() as cursor:
        for name, text in left.items():
            with cursor.copy(f'COPY "{name}" FROM STDIN') as copied:
                copied.write(text)
        # New rows come after these.
        cursor.execute(
            "SELECT table_name FROM information_schema.columns WHERE column_name = 'id' AND is_identity = 'YES'"
            " AND table_name = ANY(%s)",
            [list(left)],
        )
        for (name,) in cursor.fetchall():
            cursor.execute(f"SELECT setval(pg_get_serial_sequence('{name}', 'id'), max(id)) FROM \"{name}\"")


VENDORS = {"sqlite": (sqlite_rows, insert_into_sqlite), "postgresql": (postgresql_rows, insert_into_postgresql)}
