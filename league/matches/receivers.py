"""Receivers of signals from other apps."""

from django.dispatch import receiver

from league.matches import amendments
from league.matches.clock import services as timekeeping
from league.matches.logs import submission
from league.matches.results import reviews
from league.players.signals import player_erased


@receiver(player_erased, dispatch_uid="matches.erase_uploads")
def erase_uploads(*, player_id: int, **_: object) -> None:
    submission.erase_uploads_of(player_id)


@receiver(player_erased, dispatch_uid="matches.forget_reasons")
def forget_reasons(*, player_id: int, **_: object) -> None:
    timekeeping.forget_reasons_of(player_id)


@receiver(player_erased, dispatch_uid="matches.forget_amendments")
def forget_amendments(*, player_id: int, **_: object) -> None:
    amendments.forget_reasons_of_amendments(player_id)
    reviews.forget_sentences_of(player_id)
