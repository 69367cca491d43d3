"""The rule of proof instead of a decider, where nobody is free of the match and the sides accepted no judge."""

from datetime import datetime, timedelta

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from league.accounts.models import User
from league.competitions.amendments.services import lock_game
from league.disputes.carrying_out import Carried, enter_proved
from league.disputes.court_rules import rules_of_court
from league.disputes.deciders import needs_judge
from league.disputes.entries import locked_dispute, refuse_unless
from league.disputes.models import Dispute
from league.disputes.ruling import WantedRuling, append_ruling, by_rule_of_proof
from league.errors import NotAllowed, Refused
from league.matches import permissions
from league.matches.models import NamedJudge, Result
from league.matches.results.standing import official_result

State = Dispute.State


@transaction.atomic
def decide_by_proof(dispute: Dispute, user: User, at: datetime | None = None) -> Dispute:
    """Decide a protest by the league's rule of proof; the ruling is marked so (`proof`).

    Nobody chooses anything: the time for naming a judge is over, no official is free of the match, and the fact counts
    as not known. Started by somebody of the staff or a side, with an account.

    Raises NotAllowed `not-your-match`; Refused `official-is-free`, `too-early` (fact `until`), `judge-accepted`,
    `needs-judge` (an official result, entries that differ, or a record of the protesting side alone),
    `decided-meanwhile` (409), `log-without-result`.
    """
    at = at or timezone.now()
    lock_game(dispute.game)
    now, stage = locked_dispute(dispute)
    refuse_unless(stage, State.OPEN, State.FOUND)
    one = permissions.actor(user, now.match)
    if one.user_id is None or not (one.plays or one.enters):
        raise NotAllowed("not-your-match", _("Only a side of this match or the desk does this."))
    if not needs_judge(now):
        raise Refused("official-is-free", _("An official who does not play in this match decides it."))
    until = proof_from(now)
    if at < until:
        raise Refused("too-early", _("Until %(until)s both sides may still accept a judge."), until=until)
    named = NamedJudge.objects.filter(match=now.match_id).exclude(player__user__in=stage.gone - {None}).first()
    if named is not None and len(named.accepted) == now.match.sides.count():
        raise Refused("judge-accepted", _("Both sides accepted a judge, who decides it."))
    outcome, decided = by_rule_of_proof(now)
    reason, carried = gettext("By the rule of proof of the league"), Carried()
    if decided.new is not None:
        if official_result(now.game) is not None:
            raise Refused("needs-judge", _("A confirmed result is amended by a judge that both sides accept."))
        if not _is_common(now):
            raise Refused("needs-judge", _("The entries differ, or only the protesting side made this record."))
        carried = Carried(result=enter_proved(now.game, one, decided.new, reason, at).pk)
    wanted = WantedRuling(outcome=outcome, reason=reason)
    append_ruling(now, wanted, decided, carried, by=one.user_id, reason=reason, at=at, proof=True)
    return now


def _is_common(dispute: Dispute) -> bool:
    """Return whether the record is that of the result, none differs from it, and not only the protester made it."""
    current = Result.objects.filter(game=dispute.game_id, current=True, contested=False).first()
    if current is None or dispute.record is None or current.record_id != dispute.record.pk:
        return False
    return dispute.for_side is None or dispute.record.for_side != dispute.for_side


def proof_from(dispute: Dispute) -> datetime:
    """Return when the rule of proof may decide: after the league's time for an appeal."""
    minutes = rules_of_court(dispute.match.league_id).appeal_minutes
    return dispute.raised_at + timedelta(minutes=minutes)
