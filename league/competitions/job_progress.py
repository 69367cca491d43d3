"""Progress of a running draw.

It is in the cache, because the draw's own rows are visible only at the end.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from django.core.cache import cache

KEPT = 600  # seconds

_job: ContextVar[int | None] = ContextVar("draw_job", default=None)
_span: ContextVar[tuple[float, float]] = ContextVar("draw_span", default=(0, 100))


@contextmanager
def of_job(job_id: int) -> Iterator[None]:
    """Make `report` inside count for this job."""
    token = _job.set(job_id)
    try:
        yield
    finally:
        _job.reset(token)


@contextmanager
def one_of(count: int, number: int) -> Iterator[None]:
    """Make `report` inside count for one of `count` equal parts; `number` from 0."""
    token = _span.set((100 * number / count, 100 * (number + 1) / count))
    try:
        yield
    finally:
        _span.reset(token)


def report(percent: int) -> None:
    """Report that so much of the current draw is done; does nothing outside of a job."""
    if (job := _job.get()) is not None:
        begin, end = _span.get()
        cache.set(f"draw-job:{job}", int(begin + (end - begin) * percent / 100), KEPT)


def progress_of(job_id: int) -> int:
    """Progress of a job in per cent; 0 without a report."""
    return cache.get(f"draw-job:{job_id}") or 0
