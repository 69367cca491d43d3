"""SQLite's journal mode: kept in the file, so it is set with the first connection of a process and not with each. On a
full disk a connection that sets nothing can still read.
"""

import logging
from typing import Any

from django.db import Error as DatabaseProblem

log = logging.getLogger(__name__)

_ahead: set[str] = set()


def keep_journal_ahead(connection: Any, **_: object) -> None:
    """Write-ahead: readers and a writer do not wait for each other."""
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
