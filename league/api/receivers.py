"""What the API does when others report something."""

from django.dispatch import receiver
from django.utils import timezone

from league.accounts.signals import account_erased
from league.api.models import StoredAnswer, Token
from league.players.models import Player
from league.players.signals import player_erased


@receiver(player_erased, dispatch_uid="api.forget_answers_with")
def forget_answers_with(*, player_id: int, **_: object) -> None:
    """A name that was erased does not live on in an answer; names stand beside their codes there."""
    for code in Player.objects.filter(pk=player_id).values_list("code", flat=True):
        StoredAnswer.objects.filter(body__contains=code).delete()


@receiver(account_erased, dispatch_uid="api.revoke_tokens_of")
def revoke_tokens_of(*, user_id: int, **_: object) -> None:
    """For ever: they stay dead should the row of the account ever be opened again."""
    Token.objects.filter(user=user_id, revoked_at=None).update(revoked_at=timezone.now())
