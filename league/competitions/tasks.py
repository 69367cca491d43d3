"""Background work of competitions: one service call, safe to run twice."""

from celery import shared_task

from league.competitions import honours
from league.competitions import jobs as draw_jobs
from league.competitions.draw import advancing
from league.competitions.draw import undo as undoing
from league.competitions.integrity import row_check as row_checks
from league.competitions.ladders import services as ladders
from league.competitions.ratings import services as ratings
from league.competitions.registration import sign_ups as applying


@shared_task(name="competitions.sweep")
def sweep() -> int:
    """Advance winners and finish stages where nobody heard that a match was decided; close challenges that lapsed;
    write the titles of what is over. How many.
    """
    return advancing.sweep() + draw_jobs.carry_out_missed() + ladders.expire() + honours.settle_missed()


@shared_task(name="competitions.check_rows")
def check_rows() -> int:
    """Check one part of all rows, and return the records checked so far."""
    return row_checks.go_on()


@shared_task(name="competitions.forget_old_states")
def forget_old_states() -> int:
    """Earlier states and discarded drafts whose days are over. How many."""
    return undoing.forget_old_states()


@shared_task(name="competitions.forget_contacts")
def forget_contacts() -> int:
    """Forget contacts of sign-ups that nobody needs any more; return their number (registration/sign_ups.py)."""
    return applying.forget_contacts()


# A league of 512 that meets once has 130,816 matches.
@shared_task(name="competitions.draw", time_limit=600, soft_time_limit=570)
def draw(job_id: int) -> None:
    """Carry out a draw that somebody asked for (league/competitions/jobs.py)."""
    draw_jobs.carry_out(job_id)


@shared_task(name="competitions.rate_match")
def rate_match(match_id: int) -> bool:
    return ratings.rate_match(match_id)


@shared_task(name="competitions.rate_league")
def rate_league(league_id: int) -> int:
    return ratings.rate_league(league_id)


@shared_task(name="competitions.rate_missed")
def rate_missed() -> int:
    """How many lists of ratings were brought up (league/competitions/ratings/services.py)."""
    return ratings.rate_missed()


@shared_task(name="competitions.settle_honours")
def settle_honours(competition_id: int) -> bool:
    """The titles of a competition that is over (league/competitions/honours.py)."""
    return honours.settle_honours(competition_id)
