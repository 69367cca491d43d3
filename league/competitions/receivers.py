"""Reactions of competitions to signals of other apps."""

from datetime import datetime
from typing import Any

from django.db.models import QuerySet
from django.dispatch import receiver

from league.accounts.signals import account_erased, password_replaced
from league.competitions import task_queue
from league.competitions.attendance.check_in import both_here
from league.competitions.attendance.withdrawals import refuse_to_open
from league.competitions.draw import advancing
from league.competitions.draw.advancing import take_back
from league.competitions.draw.schedule.calling import go_on_after
from league.competitions.following import forget_followed
from league.competitions.models import Registration
from league.competitions.push import subscriptions
from league.competitions.queries.lists import entrants_of_published, is_of_knock_out, live_delay_of
from league.competitions.registration.erasure import forget_reasons
from league.competitions.registration.sign_ups import forget_account, forget_player
from league.competitions.seasons.promotion import refuse_to_take_back
from league.matches.signals import (
    check_in_asked,
    entry_withdrawn,
    knock_out_asked,
    live_delay_asked,
    match_decided,
    public_entrants_asked,
    result_amended,
    result_withdrawn,
    table_left,
)
from league.players.signals import link_renewed, player_erased, players_merged


@receiver(match_decided, dispatch_uid="competitions.advance")
def advance(*, match_id: int, **_: object) -> None:
    advancing.advance(match_id)


@receiver(table_left, dispatch_uid="competitions.call_next")
def call_next(*, match_id: int, **_: object) -> None:
    go_on_after(match_id)


@receiver(player_erased, dispatch_uid="competitions.forget_reasons")
def forget(*, player_id: int, **_: object) -> None:
    forget_reasons(player_id)
    forget_player(player_id)
    subscriptions.forget_player(player_id)


@receiver(account_erased, dispatch_uid="competitions.forget_account")
def forget_the_account(*, user_id: int, **_: object) -> None:
    forget_account(user_id)
    forget_followed(user_id)
    subscriptions.forget_account(user_id)


@receiver(password_replaced, dispatch_uid="competitions.end_subscriptions")
def end_subscriptions(*, user_id: int, **_: object) -> None:
    subscriptions.forget_account(user_id)


@receiver(link_renewed, dispatch_uid="competitions.forget_link")
def forget_link(*, entrant_id: int, **_: object) -> None:
    subscriptions.forget_link(entrant_id)


@receiver(match_decided, dispatch_uid="competitions.rate")
def rate(*, match_id: int, **_: object) -> None:
    task_queue.queue_rating(match_id)


@receiver(result_amended, dispatch_uid="competitions.rate_amended")
def rate_amended(*, match_id: int, **_: object) -> None:
    task_queue.queue_rating(match_id)


@receiver(players_merged, dispatch_uid="competitions.rate_leagues")
def rate_leagues(*, player_ids: list[int], **_: object) -> None:
    task_queue.queue_leagues_of(player_ids)


@receiver(result_withdrawn, dispatch_uid="competitions.withdraw_result")
def withdraw_result(*, match_id: int, **_: object) -> None:
    """Undo what was built on a result: refuse after a next season, then free the slots, then rate again."""
    refuse_to_take_back(match_id)
    take_back(match_id)
    task_queue.rate_after_commit(match_id)


@receiver(entry_withdrawn, dispatch_uid="competitions.refuse_to_open")
def check_open_match(*, match_id: int, **_: object) -> None:
    refuse_to_open(match_id)


@receiver(check_in_asked, dispatch_uid="competitions.both_here")
def answer_check_in(*, match_id: int, at: datetime, **_: object) -> bool:
    return both_here(match_id, at)


@receiver(knock_out_asked, dispatch_uid="competitions.is_of_knock_out")
def answer_knock_out(*, match_id: int, **_: object) -> bool:
    return is_of_knock_out(match_id)


@receiver(live_delay_asked, dispatch_uid="competitions.live_delay")
def answer_live_delay(*, match_id: int, **_: object) -> int:
    return live_delay_of(match_id)


@receiver(public_entrants_asked, dispatch_uid="competitions.entrants_of_published")
def answer_public_entrants(**_: object) -> QuerySet[Registration, Any]:
    return entrants_of_published()
