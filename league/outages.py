"""Outages of the database or the disk, as opposed to faults of the program.

Such a request is answered by 503, with the reason in words and the time to retry.
"""

import errno
import shutil
import sqlite3
from collections.abc import Iterator
from enum import Enum
from pathlib import Path

from django.db import Error as DatabaseProblem
from django.db import InterfaceError, OperationalError, connection
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

SOON, LATER = 5, 60  # seconds; LATER if a person has to act first
NEARLY_FULL = 1 << 20  # free bytes


class Outage(Enum):
    """Kind of an outage. `code` is that of the API, `sentence` for people."""

    AWAY = "unavailable", _("The database does not answer."), SOON
    BUSY = "busy", _("The database is too busy to answer."), SOON
    DISK_FULL = "disk-full", _("The disk of this site is full, so nothing can be saved."), LATER
    READ_ONLY = "read-only", _("The data of this site can only be read, so nothing can be saved."), LATER
    DAMAGED = "damaged", _("The database is damaged. A backup has to be restored."), LATER

    def __init__(self, code: str, sentence: Promise, wait: int) -> None:
        self.code = code
        self.sentence = sentence
        self.wait = wait


_BY_ERRNO = {errno.ENOSPC: Outage.DISK_FULL, errno.EDQUOT: Outage.DISK_FULL, errno.EROFS: Outage.READ_ONLY}
# The primary codes of SQLite; every other one is a fault of the program, for example a missing table.
_OF_SQLITE = {
    sqlite3.SQLITE_BUSY: Outage.BUSY,
    sqlite3.SQLITE_LOCKED: Outage.BUSY,
    sqlite3.SQLITE_FULL: Outage.DISK_FULL,
    sqlite3.SQLITE_READONLY: Outage.READ_ONLY,
    sqlite3.SQLITE_IOERR: Outage.AWAY,
    sqlite3.SQLITE_CANTOPEN: Outage.AWAY,
    sqlite3.SQLITE_CORRUPT: Outage.DAMAGED,
    sqlite3.SQLITE_NOTADB: Outage.DAMAGED,
}
# https://www.postgresql.org/docs/current/errcodes-appendix.html, the longest beginning first.
_OF_POSTGRESQL = {
    "53100": Outage.DISK_FULL,
    "25006": Outage.READ_ONLY,
    "40001": Outage.BUSY,
    "40P01": Outage.BUSY,
    "55P03": Outage.BUSY,
    "57014": Outage.BUSY,
    "XX001": Outage.DAMAGED,
    "XX002": Outage.DAMAGED,
    "08": Outage.AWAY,
    "53": Outage.BUSY,
    "57P": Outage.AWAY,
    "58": Outage.AWAY,
}


def outage_of(error: BaseException | None) -> Outage | None:
    """Return the outage behind an error or its causes.

    None for a fault of the program.
    """
    return next(filter(None, map(_of_one, _chain(error))), None)


def _chain(error: BaseException | None) -> Iterator[BaseException]:
    seen: set[int] = set()
    while error is not None and id(error) not in seen:
        seen.add(id(error))
        yield error
        error = error.__cause__ or error.__context__


def _of_one(error: BaseException) -> Outage | None:
    if isinstance(error, OSError):
        return _BY_ERRNO.get(error.errno or 0)
    if not isinstance(error, DatabaseProblem):
        return None
    told = error.__cause__
    if code := getattr(told, "sqlite_errorcode", None):
        found = _OF_SQLITE.get(code & 0xFF)
        # A database that cannot be opened, or a companion file that cannot grow, may only lack room.
        return Outage.DISK_FULL if found is Outage.AWAY and _no_room() else found
    if state := getattr(told, "sqlstate", None):
        return next((found for begins, found in _OF_POSTGRESQL.items() if state.startswith(begins)), None)
    # No code: the server was not reached.
    return Outage.AWAY if isinstance(error, OperationalError | InterfaceError) else None


def _no_room() -> bool:
    try:
        return shutil.disk_usage(Path(connection.settings_dict["NAME"]).parent).free < NEARLY_FULL
    except OSError:
        return False
