"""A file lock for processes of one machine, released when its process ends.

SQLite takes the lock, because it can on every system: Windows lacks `fcntl`, other systems lack `msvcrt`. The file
stays empty.
"""

import sqlite3
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path


class Busy(Exception):
    """Another process holds the lock."""


@contextmanager
def lock(path: Path, *, patience: float = 0) -> Iterator[None]:
    """Hold the lock of this file; wait at most `patience` seconds for it.

    Raises Busy; OSError if the file cannot be written.
    """
    path.touch()  # its error says more than SQLite's
    with ExitStack() as held:
        try:
            locking = held.enter_context(closing(sqlite3.connect(path, timeout=patience, isolation_level=None)))
            locking.execute("BEGIN EXCLUSIVE")
        except sqlite3.OperationalError as problem:
            if problem.sqlite_errorcode != sqlite3.SQLITE_BUSY:
                raise OSError(f"{path} can't be locked: {problem}") from problem
            raise Busy(str(path)) from None
        yield
