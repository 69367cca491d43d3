"""Background tasks of rehearsals: one service call, safe to run twice."""

from celery import shared_task

from league.rehearsals import services as rehearsals


# 3,000 matches at 50 ms each.
@shared_task(name="house.rehearse", time_limit=600, soft_time_limit=570)
def rehearse(job_id: int) -> None:
    """Play a requested rehearsal (league/rehearsals/services.py)."""
    rehearsals.carry_out(job_id)


@shared_task(name="house.rehearse_missed", time_limit=600, soft_time_limit=570)
def rehearse_missed() -> int:
    return rehearsals.carry_out_missed()
