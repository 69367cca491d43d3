"""Mails to the sides of a dispute when its state changes: the state and the address of the case, no private words."""

import logging
from smtplib import SMTPException
from typing import Any

from allauth.account.models import EmailAddress
from django.conf import settings
from django.core.mail import send_mail
from django.db import transaction
from django.dispatch import receiver
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone, translation

from league.celery import send
from league.disputes.models import Dispute
from league.disputes.permissions import parties
from league.disputes.queries import is_heard
from league.disputes.signals import dispute_changed
from league.web.components.disputes import names_in, protest_title
from league.web.disputes.case_words import state_sentences
from league.web.words.disputes import OUTCOMES, STATES

TASK = "web.mail_dispute"
log = logging.getLogger(__name__)


@receiver(dispute_changed, dispatch_uid="web.mail_dispute")
def note_mail(*, dispute: Dispute, **_: object) -> None:
    """Mail the sides after the commit, on a site that has mail."""
    if settings.HAS_MAIL:
        transaction.on_commit(lambda: send(TASK, dispute.pk))


def mail_sides(dispute_id: int) -> int:
    """Mail the state of a dispute to the sides' accounts with a confirmed address; return how many.

    A mail that the server does not take is logged: the state is on the pages as well.
    """
    rows = Dispute.objects.select_related("match__league", "game").prefetch_related("match__sides__entrant__player")
    dispute = rows.get(pk=dispute_id)
    addresses = EmailAddress.objects.filter(user__in=parties(dispute.match_id), verified=True, primary=True)
    with translation.override(settings.LANGUAGE_CODE), timezone.override(dispute.match.league.time_zone):
        subject, body = mail_of(dispute)
        return sum(_sent(subject, body, address) for address in addresses.values_list("email", flat=True))


def mail_of(dispute: Dispute) -> tuple[str, str]:
    """Return subject and text."""
    names = names_in(dispute.match)
    ruled = dispute.state == Dispute.State.RULED and dispute.outcome
    state = OUTCOMES[dispute.outcome].word if ruled else STATES[dispute.state].word
    context: dict[str, Any] = {
        "match": " – ".join(names),
        "title": protest_title(dispute, names),
        "state": state,
        "sentences": state_sentences(dispute, "", heard=is_heard(dispute)),
        "address": f"{settings.SITE_ADDRESS.rstrip('/')}{reverse('disputes:case', args=[dispute.code])}",
        "has_address": bool(settings.SITE_ADDRESS),
        "league": dispute.match.league,
    }
    subject = render_to_string("disputes/mail_subject.txt", context)
    return " ".join(subject.split()), render_to_string("disputes/mail.txt", context)


def _sent(subject: str, body: str, address: str) -> bool:
    try:
        return send_mail(subject, body, None, [address]) == 1
    except (OSError, SMTPException):
        log.exception("a mail about a dispute was not sent")
        return False
