"""Receivers of signals from accounts."""

from django.dispatch import receiver

from league.accounts.signals import account_erased
from league.players.models import ClaimLink, Player, PlayerClaim


@receiver(account_erased, dispatch_uid="players.part_from_account")
def part_from_account(*, user_id: int, **_: object) -> None:
    """Unlink all players of an erased account."""
    Player.objects.filter(user=user_id).update(user=None)
    PlayerClaim.objects.filter(user=user_id).delete()
    ClaimLink.objects.filter(made_by=user_id, used_at=None).delete()
