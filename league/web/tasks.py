"""Background tasks of the pages: safe to run twice."""

from celery import Task, shared_task

from league.web.disputes import mails

FIRST_WAIT, RETRIES = 60, 4
"""Seconds before a mail is tried again, three times as long before each further try."""


@shared_task(name=mails.TASK, bind=True, max_retries=RETRIES)
def mail_dispute(self: Task, dispute_id: int, user_id: int) -> int:
    """Mail the state of a dispute to an account; again later if the server does not take it."""
    try:
        return mails.mail_party(dispute_id, user_id)
    except mails.FAILURES as error:
        if self.request.is_eager:  # within the request, which does not wait
            raise
        raise self.retry(exc=error, countdown=FIRST_WAIT * 3**self.request.retries) from error
