"""Invitations to judge one case: a link or QR code that one member takes, within half an hour.

A signed text, not a row: it holds the judge of the match as it was, so that the naming of any judge ends it.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.core import signing
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from league.accounts.models import User
from league.accounts.permissions import Act, check_may, may
from league.disputes.deciders import needs_judge
from league.disputes.entries import locked_dispute, refuse_unless
from league.disputes.models import Dispute
from league.errors import NotAllowed, Refused
from league.matches.models import NamedJudge
from league.matches.results.judges import name_again, name_judge

VALID_FOR = timedelta(minutes=30)
SALT = "league.disputes.judge"
State = Dispute.State


@dataclass(frozen=True, slots=True)
class JudgeInvitation:
    """An invitation that can be taken: the dispute, and the organizer that made it."""

    dispute: Dispute
    made_by: User


def invite_judge(dispute: Dispute, by: User, at: datetime | None = None) -> str:
    """Return the secret of a new invitation, by the desk. It is not kept.

    Raises NotAllowed `sign-in`, `no-permission`; Refused `decided-meanwhile` (409), `official-is-free`.
    """
    check_may(by, Act.ENTER_RESULTS, dispute.match.league)
    with transaction.atomic():
        now, stage = locked_dispute(dispute)
        refuse_unless(stage, State.OPEN, State.FOUND)
        if not needs_judge(now):
            raise Refused("official-is-free", _("An official who does not play in this match decides it."))
    ends = (at or timezone.now()) + VALID_FOR
    told = [dispute.code, by.pk, int(ends.timestamp()), _judge_now(dispute.match_id)]
    return signing.dumps(told, salt=SALT).replace(":", "~")


def judge_invitation(secret: str, at: datetime | None = None) -> JudgeInvitation:
    """Return the invitation with this secret. Raises Dispute.DoesNotExist for one that does not work any more.

    It ends with the power of its maker.
    """
    try:
        code, maker, ends, before = signing.loads(secret.replace("~", ":"), salt=SALT)
    except signing.BadSignature:
        raise Dispute.DoesNotExist from None
    dispute = Dispute.objects.select_related("match__league").get(code=code, state__in=(State.OPEN, State.FOUND))
    by = User.objects.filter(pk=maker, is_active=True).first()
    now = at or timezone.now()
    if by is None or not may(by, Act.ENTER_RESULTS, dispute.match.league) or now.timestamp() >= ends:
        raise Dispute.DoesNotExist
    if _judge_now(dispute.match_id) != before:
        raise Dispute.DoesNotExist
    return JudgeInvitation(dispute, by)


@transaction.atomic
def take_judge_invitation(secret: str, user: User, at: datetime | None = None) -> NamedJudge:
    """Name the account as the judge of the case; both sides accept it then, as any named judge.

    Raises NotAllowed `sign-in`; Dispute.DoesNotExist; Refused: those of `name_judge`.
    """
    if not user.is_authenticated:
        raise NotAllowed("sign-in", _("Sign in first."))
    locked_dispute(judge_invitation(secret, at).dispute)
    found = judge_invitation(secret, at)  # of two accounts at once the second finds none
    before = _judge_now(found.dispute.match_id)
    named = name_judge(found.dispute.match, user, by=found.made_by, at=at)
    # Where the judge took it, nobody else does.
    return name_again(named, at or timezone.now()) if _judge_now(found.dispute.match_id) == before else named


def _judge_now(match_id: int) -> str:
    named = NamedJudge.objects.filter(match=match_id).first()
    return f"{named.player_id} {named.named_at.isoformat()}" if named else ""
