"""Background work of competitions: one service call, safe to run twice."""

from celery import shared_task

from league.competitions import honours, jobs
from league.competitions.draw import advancing, undo
from league.competitions.integrity import row_check
from league.competitions.ladders import services as ladders
from league.competitions.push import deliveries
from league.competitions.ratings import services as ratings
from league.competitions.registration import sign_ups


@shared_task(name="competitions.sweep")
def sweep() -> int:
    """Sweep up missed work; return how many pieces.

    Advance winners and finish stages after a lost message; make missed draws; close lapsed challenges; write missing
    titles.
    """
    return advancing.sweep() + jobs.carry_out_missed() + ladders.expire() + honours.settle_missed()


@shared_task(name="competitions.check_rows")
def check_rows() -> int:
    """Check one part of all rows, and return the records checked so far."""
    return row_check.go_on()


@shared_task(name="competitions.forget_old_states")
def forget_old_states() -> int:
    """Delete expired earlier states and discarded drafts; return how many."""
    return undo.forget_old_states()


@shared_task(name="competitions.forget_contacts")
def forget_contacts() -> int:
    """Forget contacts of sign-ups that are no longer needed; return their number.

    See registration/sign_ups.py.
    """
    return sign_ups.forget_contacts()


# A league of 512 that meets once has 130,816 matches.
@shared_task(name="competitions.draw", time_limit=600, soft_time_limit=570)
def draw(job_id: int) -> None:
    """Carry out a requested draw (league/competitions/jobs.py)."""
    jobs.carry_out(job_id)


@shared_task(name="competitions.rate_match")
def rate_match(match_id: int) -> bool:
    return ratings.rate_match(match_id)


@shared_task(name="competitions.rate_league")
def rate_league(league_id: int) -> int:
    return ratings.rate_league(league_id)


@shared_task(name="competitions.rate_missed")
def rate_missed() -> int:
    """Update rating lists; return how many (league/competitions/ratings/services.py)."""
    return ratings.rate_missed()


@shared_task(name="competitions.settle_honours")
def settle_honours(competition_id: int) -> bool:
    """Write the titles of a finished competition (league/competitions/honours.py)."""
    return honours.settle_honours(competition_id)


@shared_task(name="competitions.push_calls")
def push_calls() -> int:
    """Send the calls that are due to phones; return how many arrived (league/competitions/push/deliveries.py)."""
    return deliveries.deliver_due()
