"""Name of the commits that the next statement sees, on either database.

PostgreSQL writes its snapshot as text. SQLite numbers the changes that a connection has not made itself (`PRAGMA
data_version`): a connection of the process, which never writes, counts those of all others, in any process.
"""

import atexit
import os
import secrets
import sqlite3
import threading
from pathlib import Path

from django.db import connection


def commits_seen() -> str | None:
    """Return a text that changes once any writing transaction has ended, or None.

    None in a transaction, which also sees its own writes, and where the database does not say it.
    """
    if connection.in_atomic_block:
        return None
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_current_snapshot()::text")
            return str(cursor.fetchone()[0])
    return _watch.version(str(connection.settings_dict["NAME"]))


class Watch:
    """Connection that reads the number of changes of a SQLite file.

    Opened again after a fork, and for another file under the same name.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._file: tuple[str, int, int, int] | None = None
        self._connection: sqlite3.Connection | None = None
        self._name = ""

    def version(self, path: str) -> str | None:
        """Return the number, which belongs to one connection; None without a file that can be read."""
        try:
            with self._lock:
                found = Path(path).stat()
                file = (path, os.getpid(), found.st_dev, found.st_ino)
                if self._connection is None or self._file != file:
                    self._open(path)
                    self._file = file
                [number] = self._connection.execute("PRAGMA data_version").fetchone()  # type: ignore[union-attr]
        except (OSError, sqlite3.Error):
            return None
        return f"{self._name}:{number}"

    def close(self) -> None:
        """Close the connection; the last one to close empties SQLite's journal."""
        with self._lock:
            if self._connection is not None and self._file is not None and self._file[1] == os.getpid():
                self._connection.close()
            self._connection = None

    def _open(self, path: str) -> None:
        # An inode is not given again while a connection holds it, so the old one is closed afterwards. After a fork it
        # is only left: closing it would end the locks of the parent's process.
        before, self._connection = self._connection, None
        opened = sqlite3.connect(path, timeout=0, isolation_level=None, check_same_thread=False)
        if before is not None and self._file is not None and self._file[1] == os.getpid():
            before.close()
        self._connection, self._name = opened, secrets.token_hex(8)


_watch = Watch()
atexit.register(_watch.close)
