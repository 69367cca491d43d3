"""Ownership of data folders, by one process and one kind of site.

A demonstration and a club's own site never share a folder.
"""

import contextlib
from collections.abc import Iterator
from enum import StrEnum
from pathlib import Path

from django.core.management.base import CommandError

from league import file_locks


class Kind(StrEnum):
    """Kind of the first site in a folder. Its lock file stays there as a mark."""

    DEMO = "demo"
    SITE = "site"

    @property
    def lock(self) -> str:
        return f"{self}.lock"

    @property
    def other(self) -> "Kind":
        return Kind.SITE if self is Kind.DEMO else Kind.DEMO


HOLDS_ANOTHER = {
    Kind.DEMO: (
        "{folder} holds a club's own site, which the demonstration must not touch. Start it without DEMO_DIR, or name "
        "another folder there."
    ),
    Kind.SITE: (
        "{folder} holds the demonstration, which is no place for a club's data. Name another folder: --data FOLDER"
    ),
}
IS_BUSY = {
    Kind.DEMO: "Another demonstration is running on the data in {folder}.",
    Kind.SITE: "The site in {folder} is running. Stop it first (Ctrl-C where it was started).",
}

UNWRITABLE = {
    Kind.DEMO: "The demonstration cannot write into {folder}: {problem}. Name a folder that is yours: DEMO_DIR=FOLDER",
    Kind.SITE: "The site cannot write into {folder}: {problem}. Name a folder that is yours: --data FOLDER",
}


@contextlib.contextmanager
def alone(folder: Path, kind: Kind) -> Iterator[None]:
    """Lock the folder for this process. Raises CommandError if another one uses it."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if (folder / kind.other.lock).exists():
            raise CommandError(HOLDS_ANOTHER[kind].format(folder=folder))
        with contextlib.ExitStack() as held:
            held.enter_context(file_locks.lock(folder / kind.lock))
            inside = held.pop_all()
    except file_locks.Busy:
        raise CommandError(IS_BUSY[kind].format(folder=folder)) from None
    except OSError as problem:
        raise CommandError(UNWRITABLE[kind].format(folder=folder, problem=problem.strerror or problem)) from None
    with inside:
        yield
