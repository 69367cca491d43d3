"""Receivers of signals: erasures and changes of an account."""

from django.db.models.signals import post_save
from django.dispatch import receiver

from league.accounts.models import User
from league.accounts.signals import account_erased
from league.api.base.tokens import revoke_all
from league.api.models import StoredAnswer
from league.players.models import Player
from league.players.signals import player_erased


@receiver(player_erased, dispatch_uid="api.forget_answers_with")
def forget_answers_with(*, player_id: int, **_: object) -> None:
    """Erase stored answers with an erased name; names stand beside their codes there."""
    for code in Player.objects.filter(pk=player_id).values_list("code", flat=True):
        StoredAnswer.objects.filter(body__contains=code).delete()


@receiver(account_erased, dispatch_uid="api.revoke_tokens_of")
def revoke_tokens_of(*, user_id: int, **_: object) -> None:
    """Revoke tokens for ever, even if the account is opened again."""
    revoke_all(user_id)


@receiver(post_save, sender=User, dispatch_uid="api.revoke_tokens_after_password")
def revoke_tokens_after_password(*, instance: User, created: bool, **_: object) -> None:
    """Revoke every token of an account that gets a new password.

    Django keeps the raw password while it saves a change, but not while it only rehashes the same password.
    """
    if not created and instance._password is not None:
        revoke_all(instance.pk)
