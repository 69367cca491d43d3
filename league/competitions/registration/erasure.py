"""What was written about somebody in a competition goes with the name."""

from league.competitions.models import Registration, Withdrawal
from league.competitions.snapshots import forget_reasons_kept
from league.players.models import Entrant, plays


def forget_reasons(player_id: int) -> None:
    """Why somebody left, and why somebody plays free: that they do stays."""
    mine = Entrant.objects.filter(plays(player_id))
    Withdrawal.objects.filter(entrant__in=mine).update(reason="–")
    Registration.objects.filter(entrant__in=mine).exclude(free_reason="").update(free_reason="–")
    forget_reasons_kept(player_id)
