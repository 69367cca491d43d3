"""Background tasks of the pages: safe to run twice."""

from collections.abc import Callable

from celery import Task, shared_task

from league.web.disputes import mails
from league.web.matches import hour_mails

FIRST_WAIT, RETRIES = 60, 4
"""Seconds before a mail is tried again, three times as long before each further try."""


@shared_task(name=mails.TASK, bind=True, max_retries=RETRIES)
def mail_dispute(self: Task, dispute_id: int, user_id: int) -> int:
    """Mail the state of a dispute to an account; again later if the server does not take it."""
    return _mailed(self, lambda: mails.mail_party(dispute_id, user_id))


@shared_task(name=hour_mails.TASK, bind=True, max_retries=RETRIES)
def mail_hours(self: Task, proposal_id: int, user_id: int) -> int:
    """Mail a proposal of hours to an account; again later if the server does not take it."""
    return _mailed(self, lambda: hour_mails.mail_hours(proposal_id, user_id))


def _mailed(task: Task, mail: Callable[[], int]) -> int:
    try:
        return mail()
    except mails.FAILURES as error:
        if task.request.is_eager:  # within the request, which does not wait
            raise
        raise task.retry(exc=error, countdown=FIRST_WAIT * 3**task.request.retries) from error
