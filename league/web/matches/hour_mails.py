"""Mails about the hour of a match: a proposal to the other side, an agreement to the side that proposed."""

from functools import partial

from allauth.account.models import EmailAddress
from django.conf import settings
from django.core.mail import send_mail
from django.db import transaction
from django.dispatch import receiver
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.translation import gettext as _

from league.celery import send
from league.competitions.models import HourProposal
from league.competitions.signals import hours_proposed
from league.players.models import Entrant
from league.web.components.disputes import names_in
from league.web.matches.hours import hour_text, one_of

TASK = "web.mail_hours"


@receiver(hours_proposed, dispatch_uid="web.mail_hours")
def note_mail(*, proposal: HourProposal, entrant: Entrant, **_: object) -> None:
    """Mail the accounts of a side after the commit, on a site that has mail; one task for each account."""
    if settings.HAS_MAIL:
        for account in sorted(player.user_id for player in entrant.players if player.user_id):
            transaction.on_commit(partial(send, TASK, proposal.pk, account))


def mail_hours(proposal_id: int, user_id: int) -> int:
    """Mail a proposal, as it is now, to an account with a confirmed address; return how many mails were sent.

    Raises OSError or SMTPException if the server does not take the mail.
    """
    rows = HourProposal.objects.select_related("match__league", "entrant__player", "entrant__partner")
    proposal = rows.prefetch_related("match__sides__entrant__player").filter(pk=proposal_id).first()
    address = EmailAddress.objects.filter(user=user_id, user__is_active=True, verified=True, primary=True).first()
    if proposal is None or address is None:
        return 0
    with translation.override(settings.LANGUAGE_CODE), timezone.override(proposal.match.league.time_zone):
        sentence = _sentence(proposal)
        context = {
            "match": " – ".join(names_in(proposal.match)),
            "league": proposal.match.league,
            "sentence": sentence,
            "open": proposal.agreed_at is None,
            "address": f"{settings.SITE_ADDRESS.rstrip('/')}{reverse('matches:detail', args=[proposal.match_id])}",
            "has_address": bool(settings.SITE_ADDRESS),
        }
        body = render_to_string("matches/hours_mail.txt", context)
        return send_mail(" ".join(sentence.split()), body, None, [address.email])


def _sentence(proposal: HourProposal) -> str:
    if proposal.agreed_at is not None and proposal.match.starts_at is not None:
        return _("Agreed: you play on %(hour)s.") % {"hour": hour_text(proposal.match.starts_at)}
    hours = [hour_text(hour) for hour in (proposal.first, proposal.second) if hour]
    return _("%(name)s proposes %(hours)s.") % {"name": proposal.entrant, "hours": one_of(hours)}
