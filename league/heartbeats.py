"""Heartbeats of the workers, by queue.

Kept in the cache: a loss costs one wrong answer of /readyz.
"""

import time

from django.core.cache import cache

KEEP = 24 * 60 * 60  # seconds


def beat(queue: str) -> None:
    cache.set(_key(queue), time.time(), KEEP)


def silent_for(queue: str) -> float | None:
    """Return seconds since the last heartbeat; None without one or without the cache."""
    seen = cache.get(_key(queue))
    return None if seen is None else max(0.0, time.time() - seen)


def _key(queue: str) -> str:
    return f"heartbeat:{queue}"
