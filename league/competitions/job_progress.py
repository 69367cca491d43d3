"""How far the draw has come that is being made: told in the cache, for its own rows are seen only once it is done."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from django.core.cache import cache

KEPT = 600  # seconds

_job: ContextVar[int | None] = ContextVar("draw_job", default=None)
_span: ContextVar[tuple[float, float]] = ContextVar("draw_span", default=(0, 100))


@contextmanager
def of_job(job_id: int) -> Iterator[None]:
    """What `report` tells inside is about this job."""
    token = _job.set(job_id)
    try:
        yield
    finally:
        _job.reset(token)


@contextmanager
def one_of(count: int, number: int) -> Iterator[None]:
    """What `report` tells inside is of one of `count` equal parts; `number` from 0."""
    token = _span.set((100 * number / count, 100 * (number + 1) / count))
    try:
        yield
    finally:
        _span.reset(token)


def report(percent: int) -> None:
    """So much is done, of whatever is being drawn; nobody is told where no job is."""
    if (job := _job.get()) is not None:
        begin, end = _span.get()
        cache.set(f"draw-job:{job}", int(begin + (end - begin) * percent / 100), KEPT)


def progress_of(job_id: int) -> int:
    """Per cent; 0 where nothing was told."""
    return cache.get(f"draw-job:{job_id}") or 0
