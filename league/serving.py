"""What a process does before its first request."""

import gc

from django.urls import get_resolver

# So many objects are made before the youngest are looked through: a page of a large competition makes tens of
# thousands, and the default of 700 looks through them again and again while it is written.
YOUNG, TIMES_YOUNG, TIMES_OLD = 20_000, 20, 20


def settle() -> None:
    """Loads every view, and takes what is loaded out of what the garbage collector looks through: it stays for as long
    as the process does. Measured in docs/decisions/speed.md.
    """
    get_resolver().url_patterns  # noqa: B018
    gc.collect()
    gc.freeze()
    gc.set_threshold(YOUNG, TIMES_YOUNG, TIMES_OLD)
