"""Background tasks of the pages: safe to run twice."""

from celery import shared_task

from league.web.disputes import mails


@shared_task(name=mails.TASK)
def mail_dispute(dispute_id: int) -> int:
    """Mail the state of a dispute to its sides."""
    return mails.mail_sides(dispute_id)
