"""Facts: the decider answers the one question of the proposal. Only then may difference and proposal be read."""

from datetime import datetime

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from league.disputes.case_file import Case, LogCase, case_of
from league.disputes.court_rules import rules_of_court
from league.disputes.deciders import take
from league.disputes.entries import append, locked_dispute, refuse_if_stale, refuse_unless
from league.disputes.models import Dispute, DisputeEntry
from league.errors import Refused
from league.matches import permissions
from referee.rulings.court import FactFound
from referee.rulings.proposal import FactQuestion

State = Dispute.State


def question_of(case: Case | None) -> FactQuestion | None:
    """Return the question to answer; None where the record decides, or nothing does."""
    return case.proposal.question if isinstance(case, LogCase) else None


@transaction.atomic
def find_facts(
    dispute: Dispute,
    user: permissions.Visitor,
    answer: FactFound | None,
    *,
    seen: int | None = None,
    at: datetime | None = None,
) -> Dispute:
    """Answer the question of the proposal, None where it asks nothing; may be answered again before the ruling.

    The decider takes the case by that. `seen`: number of the last entry that the page showed.

    Raises NotAllowed: those of `permissions.why_not_decide`; Refused `decided-meanwhile` (409), `needs-answer`,
    `no-question`.
    """
    at = at or timezone.now()
    now, stage = locked_dispute(dispute)
    refuse_unless(stage, State.OPEN, State.FOUND, State.APPEALED)
    refuse_if_stale(stage, seen)
    one = take(now, stage, user, at)
    asked = question_of(case_of(now, rules_of_court(now.match.league_id)))
    if asked is not None and answer is None:
        raise Refused("needs-answer", _("Answer the question: yes, no, or not known."))
    if asked is None and answer is not None:
        raise Refused("no-question", _("This protest has no question to answer."))
    append(now, DisputeEntry.Kind.FOUND, {"answer": answer and answer.value}, by=one.user_id, at=at)
    return now
