"""Acts on a call for the referee: call, join, take back, go, hand over, pause the clock.

Each is one transaction that locks the match first. The call pauses no clock; the referee does. The end of a call is in
ending.py.
"""

from datetime import datetime

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from league.accounts.models import User
from league.accounts.permissions import Asker
from league.disputes.calls.permissions import is_own, why_not_answer, why_not_call
from league.disputes.models import Caller, RefereeCall
from league.disputes.models.referee_call import CallReason
from league.errors import NotAllowed, Refused
from league.matches import guests
from league.matches.clock import services as timekeeping
from league.matches.locks import locked_match
from league.matches.models import Game, Match, Result
from league.matches.permissions import Actor, Guest, Visitor, actor
from league.matches.visibility import matches_of


def call_referee(
    match: Match, who: Visitor, reason: str, *, code: bool = False, device: str = "", at: datetime | None = None
) -> RefereeCall:
    """Call the referee to the table of a match, or join its open call.

    `code`: the asker holds the code of the card; `device`: the key of the phone. A caller has one call in an open one:
    a second reason replaces the first. Raises NotAllowed (`permissions.why_not_call`); Refused `not-published`,
    `no-reason`, `door-early`, `door-closed`, `match-decided`.
    """
    at = at or timezone.now()
    one = actor(who, match)
    if refusal := why_not_call(one, by_code=code):
        raise refusal
    if match.published_at is None:
        raise Refused("not-published", _("This match is a draft. The referee is called once it is published."))
    if reason not in CallReason.values:
        raise Refused("no-reason", _("Choose a reason."))
    if code or isinstance(who, Guest):
        guests.check_open(match, at)
    with transaction.atomic():
        if locked_match(match.pk).state == Match.State.DECIDED:
            raise Refused("match-decided", _("This match is decided. The referee is not called to it any more."))
        call = RefereeCall.objects.filter(match=match, ended_at=None).first()
        if call is None:
            call = RefereeCall.objects.create(match=match, game=_game(match), reason=reason, called_at=at)
        _join(call, one, reason, device, at)
    return call


def _game(match: Match) -> Game | None:
    """Return the game being played: the first without a result."""
    played = Result.objects.filter(game__match=match, current=True).values("game")
    return Game.objects.filter(match=match).exclude(pk__in=played).order_by("number").first()


def _join(call: RefereeCall, one: Actor, reason: str, device: str, at: datetime) -> None:
    own = [caller for caller in call.callers.filter(withdrawn_at=None) if is_own(caller, one, device)]
    if own:
        Caller.objects.filter(pk=own[0].pk).update(reason=reason)
        if call.callers.order_by("pk").first() == own[0]:
            RefereeCall.objects.filter(pk=call.pk).update(reason=reason)
        return
    phone = device if one.user_id is None else ""
    Caller.objects.create(call=call, reason=reason, called_at=at, by_id=one.user_id, side=one.side, device=phone)


def take_back(call: RefereeCall, who: Visitor, *, device: str = "", at: datetime | None = None) -> None:
    """Take back the own call; the call ends with its last caller.

    Raises NotAllowed `not-your-call`; Refused `call-ended`, `referee-here` once the referee has paused the clock.
    """
    at = at or timezone.now()
    one = actor(who, call.match)
    with transaction.atomic():
        call = locked_call(call)
        callers = list(call.callers.filter(withdrawn_at=None))
        own = [caller for caller in callers if is_own(caller, one, device)]
        if not own:
            raise NotAllowed("not-your-call", _("You did not call the referee."))
        if call.pause_id is not None:
            raise Refused("referee-here", _("The referee is at your table, and ends the call."))
        Caller.objects.filter(pk__in=[caller.pk for caller in own]).update(withdrawn_at=at)
        if len(own) == len(callers):
            RefereeCall.objects.filter(pk=call.pk).update(ended_at=at)


def locked_call(call: RefereeCall) -> RefereeCall:
    """Return an open call, with its match locked. Raises Refused `call-ended`. Call it in a transaction."""
    locked_match(call.match_id)
    call = RefereeCall.objects.select_related("match__league", "game", "pause").get(pk=call.pk)
    if call.ended_at is not None:
        raise Refused("call-ended", _("This call was settled or taken back meanwhile."))
    return call


# --- The referee ---


def go_to_table(call: RefereeCall, official: Asker, *, at: datetime | None = None) -> None:
    """Say that the official is on the way; another official may take over.

    Raises NotAllowed (`permissions.why_not_answer`); Refused `call-ended`.
    """
    check_answers(call, official)
    _take(call, official, at or timezone.now())


def hand_over(call: RefereeCall, official: Asker, to: User, *, at: datetime | None = None) -> None:
    """Hand the call over to another official, who does not play in the match.

    Raises NotAllowed (`permissions.why_not_answer`); Refused `no-such-official`, `call-ended`.
    """
    check_answers(call, official)
    if why_not_answer(actor(to, call.match)):
        raise Refused("no-such-official", _("Choose an official who does not play in this match."))
    _take(call, to, at or timezone.now())


def _take(call: RefereeCall, official: Asker, at: datetime) -> None:
    with transaction.atomic():
        call = locked_call(call)
        RefereeCall.objects.filter(pk=call.pk).update(taken_by=official.pk, taken_at=at)


def pause_for_call(call: RefereeCall, official: Asker, *, at: datetime | None = None) -> None:
    """Pause the clock of the game until the call ends.

    Raises NotAllowed (`permissions.why_not_answer`); Refused `call-ended`, `no-game`, and as
    `clock.services.pause_clock`.
    """
    at = at or timezone.now()
    check_answers(call, official)
    if call.game is None:
        raise Refused("no-game", _("No game of this match is being played."))
    timekeeping.ring_if_due(call.game.pk, at)
    with transaction.atomic():
        call = locked_call(call)
        pause = timekeeping.pause_clock(call.game, official, at)  # type: ignore[arg-type]  # checked above
        RefereeCall.objects.filter(pk=call.pk).update(pause=pause)
        if call.taken_by_id is None:
            RefereeCall.objects.filter(pk=call.pk).update(taken_by=official.pk, taken_at=at)


def check_answers(call: RefereeCall, official: Asker) -> None:
    """Raise NotAllowed for everybody but officials outside the match."""
    if refusal := why_not_answer(actor(official, call.match)):
        raise refusal


def forget_sentences_of(player_id: int) -> int:
    """Empty the sentences at calls of a player's matches, which may name the player; return how many."""
    rows = RefereeCall.objects.filter(match__in=matches_of(player_id)).exclude(sentence="")
    return rows.update(sentence="")
