"""SQLite's journal mode, set with the first connection of a process.

The file keeps the mode. A connection that sets nothing can still read on a full disk.
"""

import logging
from typing import Any

from django.db import Error as DatabaseProblem

log = logging.getLogger(__name__)

_ahead: set[str] = set()


def keep_journal_ahead(connection: Any, **_: object) -> None:
    """Set the write-ahead journal: readers and a writer do not wait for each other."""
    name = str(connection.settings_dict["NAME"])
    if connection.vendor != "sqlite" or name in _ahead:
        return
    try:
        with connection.cursor() as cursor:
            cursor.execute("PRAGMA journal_mode=WAL")
    except DatabaseProblem as problem:
        log.warning("the journal mode of %s stays as it is: %s", name, problem)
        return
    _ahead.add(name)
