"""A small world is made once a process; later tests get the rows that it left, and the objects as they were then."""

import functools
import pickle
from collections.abc import Callable
from typing import Any, TypeVar

from django.conf import settings
from django.db import connection
from django.utils import timezone

from tests.template_database import FILLED_BY_MIGRATE

World = TypeVar("World")
Rows = dict[str, list[tuple[Any, ...]]]


def kept(make: Callable[..., World]) -> Callable[..., World]:
    """Keep what `make()` leaves in an empty database on SQLite, inside of a test's transaction.

    Elsewhere and with arguments it is made as ever. A clock or a password hasher that a test has changed has a world of
    its own.
    """
    found: dict[tuple[object, ...], tuple[Rows, bytes]] = {}

    @functools.wraps(make)
    def made(*arguments: object, **changes: object) -> World:
        if arguments or changes or connection.vendor != "sqlite" or not connection.in_atomic_block or rows():
            return make(*arguments, **changes)
        key = (settings.PASSWORD_HASHERS[0], timezone.now().replace(minute=0, second=0, microsecond=0))
        if key not in found:
            world = make()
            found[key] = rows(), pickle.dumps(world)
            return world
        left, world = found[key]
        insert(left)
        return pickle.loads(world)

    return made


def rows() -> Rows:
    """Every row but those that each database has, as SQLite stores it."""
    connection.ensure_connection()
    raw = connection.connection
    tables = [name for (name,) in raw.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
    own = [name for name in tables if name not in FILLED_BY_MIGRATE and not name.startswith("sqlite_")]
    return {name: left for name in own if (left := raw.execute(f'SELECT * FROM "{name}"').fetchall())}


def insert(left: Rows) -> None:
    for name, values in left.items():
        places = ", ".join("?" * len(values[0]))
        connection.connection.executemany(f'INSERT INTO "{name}" VALUES ({places})', values)
