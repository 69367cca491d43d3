"""Background work of competitions: one service call, safe to run twice."""

from celery import shared_task

from league.competitions import draw_jobs, ratings, services


@shared_task(name="competitions.sweep")
def sweep() -> int:
    """Advance winners and finish stages where nobody heard that a match was decided. How many."""
    return services.sweep() + draw_jobs.carry_out_missed()


# A league of 512 that meets once has 130,816 matches.
@shared_task(name="competitions.draw", time_limit=600, soft_time_limit=570)
def draw(job_id: int) -> None:
    """Carry out a draw that somebody asked for (league/competitions/draw_jobs.py)."""
    draw_jobs.carry_out(job_id)


@shared_task(name="competitions.rate_match")
def rate_match(match_id: int) -> bool:
    return ratings.rate_match(match_id)


@shared_task(name="competitions.rate_league")
def rate_league(league_id: int) -> int:
    return ratings.rate_league(league_id)


@shared_task(name="competitions.rate_missed")
def rate_missed() -> int:
    """How many lists of ratings were brought up (league/competitions/ratings.py)."""
    return ratings.rate_missed()
