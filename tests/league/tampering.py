"""Edits by the owner of the database, without triggers and checks of the site."""

from collections.abc import Iterator
from contextlib import contextmanager

from django.db import connection, transaction

PREFIX = "matches_"


def drop_triggers() -> None:
    """Drop all triggers inside of a transaction that is rolled back."""
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute("SET LOCAL session_replication_role = replica")
            return
        cursor.execute("PRAGMA defer_foreign_keys = ON")
        cursor.execute("SELECT name FROM sqlite_master WHERE type = 'trigger' AND name LIKE 'matches_%'")
        for (name,) in cursor.fetchall():
            cursor.execute(f'DROP TRIGGER "{name}"')


@contextmanager
def taken_back() -> Iterator[None]:
    """Roll back everything done inside."""
    with transaction.atomic():
        yield
        transaction.set_rollback(True)
