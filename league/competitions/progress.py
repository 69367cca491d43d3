"""How far the draw has come that is being made: told in the cache, for its own rows are seen only once it is done."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from django.core.cache import cache

KEPT = 600  # seconds

_job: ContextVar[int | None] = ContextVar("draw_job", default=None)


@contextmanager
def of_job(job_id: int) -> Iterator[None]:
    """What `report` tells inside is about this job."""
    token = _job.set(job_id)
    try:
        yield
    finally:
        _job.reset(token)


def report(percent: int) -> None:
    """So much is done, of whatever is being drawn; nobody is told where no job is."""
    if (job := _job.get()) is not None:
        cache.set(f"draw-job:{job}", percent, KEPT)


def progress_of(job_id: int) -> int:
    """Per cent; 0 where nothing was told."""
    return cache.get(f"draw-job:{job_id}") or 0
