"""What competitions do when others report something."""

from django.dispatch import receiver

from league.accounts.signals import account_erased
from league.competitions import task_queue as queueing
from league.competitions.draw import advancing
from league.competitions.following import forget_followed
from league.competitions.registration.erasure import forget_reasons
from league.competitions.registration.sign_ups import forget_account, forget_player
from league.matches.signals import match_decided, result_amended
from league.players.signals import player_erased, players_merged


@receiver(match_decided, dispatch_uid="competitions.advance")
def advance(*, match_id: int, **_: object) -> None:
    advancing.advance(match_id)


@receiver(player_erased, dispatch_uid="competitions.forget_reasons")
def forget(*, player_id: int, **_: object) -> None:
    forget_reasons(player_id)
    forget_player(player_id)


@receiver(account_erased, dispatch_uid="competitions.forget_account")
def forget_the_account(*, user_id: int, **_: object) -> None:
    forget_account(user_id)
    forget_followed(user_id)


@receiver(match_decided, dispatch_uid="competitions.rate")
def rate(*, match_id: int, **_: object) -> None:
    queueing.queue_rating(match_id)


@receiver(result_amended, dispatch_uid="competitions.rate_amended")
def rate_amended(*, match_id: int, **_: object) -> None:
    queueing.queue_rating(match_id)


@receiver(players_merged, dispatch_uid="competitions.rate_leagues")
def rate_leagues(*, player_ids: list[int], **_: object) -> None:
    queueing.queue_leagues_of(player_ids)
