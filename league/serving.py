"""Preparation of a process before its first request."""

import gc

from django.urls import get_resolver

# Objects created before a collection of the youngest: a page of a large competition creates tens of thousands, and the
# default of 700 would scan them again and again meanwhile.
YOUNG, TIMES_YOUNG, TIMES_OLD = 20_000, 20, 20


def settle() -> None:
    """Load every view, and exclude loaded objects from garbage collection.

    They live as long as the process. Measured in docs/decisions/speed.md.
    """
    get_resolver().url_patterns  # noqa: B018
    gc.collect()
    gc.freeze()
    gc.set_threshold(YOUNG, TIMES_YOUNG, TIMES_OLD)
