"""A lock in a file, for processes of one machine: gone with the process that holds it, however that ends.

SQLite takes it, as it takes its own on every system that it runs on: `fcntl` is absent on Windows, `msvcrt` elsewhere.
The file stays empty.
"""

import sqlite3
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path


class Busy(Exception):
    """Another process holds the lock."""


@contextmanager
def lock(path: Path, *, patience: float = 0) -> Iterator[None]:
    """Hold the lock of this file, after waiting `patience` seconds for it at most.

    Raises Busy; OSError where the file can't be written.
    """
    path.touch()  # its refusal says more than SQLite's
    with ExitStack() as held:
        try:
            locking = held.enter_context(closing(sqlite3.connect(path, timeout=patience, isolation_level=None)))
            locking.execute("BEGIN EXCLUSIVE")
        except sqlite3.OperationalError as problem:
            if problem.sqlite_errorcode != sqlite3.SQLITE_BUSY:
                raise OSError(f"{path} can't be locked: {problem}") from problem
            raise Busy(str(path)) from None
        yield
