"""Erase remarks about an erased player in a competition."""

from league.competitions.models import Adjustment, Registration, Withdrawal
from league.competitions.snapshots import forget_reasons_kept
from league.players.models import Entrant, plays


def forget_reasons(player_id: int) -> None:
    """Erase the reasons of withdrawals, adjustments and fee waivers; the facts stay."""
    mine = Entrant.objects.filter(plays(player_id))
    Withdrawal.objects.filter(entrant__in=mine).update(reason="–")
    Adjustment.objects.filter(registration__entrant__in=mine).update(reason="–")
    Registration.objects.filter(entrant__in=mine).exclude(free_reason="").update(free_reason="–")
    forget_reasons_kept(player_id)
