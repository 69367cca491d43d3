"""When a worker of each queue was last seen. Kept in the cache: losing it costs one wrong answer of /readyz."""

import time

from django.core.cache import cache

KEEP = 24 * 60 * 60  # seconds


def beat(queue: str) -> None:
    cache.set(_key(queue), time.time(), KEEP)


def silent_for(queue: str) -> float | None:
    """Seconds since the last one, None where there was none or the cache is away."""
    seen = cache.get(_key(queue))
    return None if seen is None else max(0.0, time.time() - seen)


def _key(queue: str) -> str:
    return f"heartbeat:{queue}"
