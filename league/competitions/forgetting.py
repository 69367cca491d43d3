"""What was written about somebody in a competition goes with the name."""

from league.competitions.models import Registration, Withdrawal


def forget_reasons(player_id: int) -> None:
    """Why somebody left, and why somebody plays free: that they do stays."""
    Withdrawal.objects.filter(entrant__player=player_id).update(reason="–")
    Registration.objects.filter(entrant__player=player_id).exclude(free_reason="").update(free_reason="–")
