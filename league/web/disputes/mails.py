"""Mails to the sides of a dispute when its state changes: the state and the address of the case, no private words."""

from collections.abc import Mapping
from functools import partial
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
from django.utils.translation import gettext_lazy

from league.celery import send
from league.disputes.models import Dispute
from league.disputes.permissions import parties
from league.disputes.queries import is_heard
from league.disputes.signals import dispute_changed
from league.web.components.disputes import names_in, protest_title
from league.web.disputes.case_words import state_sentences
from league.web.words.disputes import OUTCOMES, STATES

TASK = "web.mail_dispute"
FAILURES = (OSError, SMTPException)
CLOSED: Mapping[str, Any] = {
    Dispute.State.AGREED: gettext_lazy("Both sides agreed, so there is no ruling."),
    Dispute.State.WITHDRAWN: gettext_lazy("The result stays as recorded."),
}


@receiver(dispute_changed, dispatch_uid="web.mail_dispute")
def note_mail(*, dispute: Dispute, **_: object) -> None:
    """Mail the sides after the commit, on a site that has mail; one task for each account, so that each is retried."""
    if settings.HAS_MAIL:
        for account in sorted(parties(dispute.match_id)):
            transaction.on_commit(partial(send, TASK, dispute.pk, account))


def mail_party(dispute_id: int, user_id: int) -> int:
    """Mail the state of a dispute to an account with a confirmed address; return how many mails were sent.

    Raises one of `FAILURES` if the server does not take the mail.
    """
    rows = Dispute.objects.select_related("match__league", "game").prefetch_related("match__sides__entrant__player")
    dispute = rows.get(pk=dispute_id)
    address = EmailAddress.objects.filter(user=user_id, user__is_active=True, verified=True, primary=True).first()
    if address is None:
        return 0
    with translation.override(settings.LANGUAGE_CODE), timezone.override(dispute.match.league.time_zone):
        subject, body = mail_of(dispute)
        return send_mail(subject, body, None, [address.email])


def mail_of(dispute: Dispute) -> tuple[str, str]:
    """Return subject and text."""
    names = names_in(dispute.match)
    ruled = dispute.state == Dispute.State.RULED and dispute.outcome
    state = OUTCOMES[dispute.outcome].word if ruled else STATES[dispute.state].word
    heard, closed = is_heard(dispute), dispute.state in CLOSED
    context: dict[str, Any] = {
        "match": " – ".join(names),
        "title": protest_title(dispute, names),
        "state": state,
        "sentences": [*state_sentences(dispute, "", heard=heard), *([CLOSED[dispute.state]] if closed else [])],
        "may_act": dispute.is_open or _is_appealable(dispute, heard=heard),
        "address": f"{settings.SITE_ADDRESS.rstrip('/')}{reverse('disputes:case', args=[dispute.code])}",
        "has_address": bool(settings.SITE_ADDRESS),
        "league": dispute.match.league,
    }
    subject = render_to_string("disputes/mail_subject.txt", context)
    return " ".join(subject.split()), render_to_string("disputes/mail.txt", context)


def _is_appealable(dispute: Dispute, *, heard: bool) -> bool:
    deadline = dispute.deadline if dispute.state == Dispute.State.RULED and dispute.instance == 1 else None
    return heard and deadline is not None and deadline > timezone.now()
