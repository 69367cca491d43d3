"""The second side's word about a result: where it has to be proved, and whether it came from the phone of the first.

At a table a phone is believed when it takes a name. One person with two private windows can so be both sides. In a
knock-out, and where the league asks for it, the side that makes a result official by its word proves itself: by PIN,
slip or account. Elsewhere one device for both sides is kept with the result.
"""

from collections.abc import Callable

from django.db import transaction
from django.utils.translation import gettext_lazy as _

from league.errors import NotAllowed, Refused
from league.matches.locking import locked_match
from league.matches.models import Match, Record, Result
from league.matches.permissions import Guest, Visitor, actor

# Of rooms above, which know the competition: whether a match (its key) is of a knock-out.
KNOCK_OUT: list[Callable[[int], bool]] = []


def must_prove(match_id: int) -> bool:
    """Whether the second side of this match proves itself. Two statements."""
    asked = Match.objects.filter(pk=match_id, league__second_side_proves=True)
    return any(of_knock_out(match_id) for of_knock_out in KNOCK_OUT) or asked.exists()


def check_proof(who: Visitor, match_id: int) -> None:
    """Raises NotAllowed `needs-proof` for a phone that only took the name of a side. No statement for others."""
    if isinstance(who, Guest) and not who.is_proved and must_prove(match_id):
        raise NotAllowed(
            "needs-proof",
            _("In this match the second side confirms with the PIN of its slip, with its slip or with its account."),
        )


def one_device(who: Visitor, record: Record) -> Result.OneDevice:
    """Whether what `who` says of a record may come from the hands that entered it; of a proved side never."""
    if not isinstance(who, Guest) or who.is_proved or not record.device:
        return Result.OneDevice.NO
    device, _space, hands = record.device.partition(" ")
    if who.device == device:
        return Result.OneDevice.SAME
    return Result.OneDevice.ALIKE if who.hands and who.hands == hands else Result.OneDevice.NO


def check_agreement(who: Visitor, result: Result) -> None:
    """After `who` entered what the other side had entered, by which it became official: that is its word as much as a
    tap. Raises NotAllowed `needs-proof`; the caller's transaction then stores nothing.
    """
    if result.confirmed_how != Result.Confirmation.AGREED:
        return
    match_id = result.game.match_id
    check_proof(who, match_id)
    if isinstance(who, Guest):
        others = Record.objects.filter(game=result.game_id, withdrawn_at=None).exclude(for_side=who.side)
        found = [how for record in others if (how := one_device(who, record)) != Result.OneDevice.NO]
        if found:
            Result.objects.filter(pk=result.pk).update(one_device=found[-1])


def is_asked(match_id: int) -> bool:
    """Whether one device spoke for both sides of a result, so that the second player is asked. One statement."""
    rows = Result.objects.filter(game__match=match_id, current=True, state=Result.State.OFFICIAL)
    return rows.exclude(one_device=Result.OneDevice.NO).exists()


def asks(who: Visitor | None, side: int | None, result: Result) -> bool:
    """Whether `who`, of this side, is asked about an official result: one device spoke for both sides, the record is
    not of their side, and they have proved themselves.
    """
    doubtful = result.one_device and result.state == Result.State.OFFICIAL and not result.contested
    if who is None or side is None or not doubtful or result.record.for_side == side:
        return False
    return not isinstance(who, Guest) or who.is_proved


@transaction.atomic
def affirm(result: Result, who: Visitor) -> None:
    """The second side says itself that the result is right: nothing is doubtful about it any more. Raises Refused
    `no-result`.
    """
    locked_match(result.game.match_id)
    now = Result.objects.select_related("game__match", "record").get(pk=result.pk)
    if not now.current or not asks(who, actor(who, now.game.match).side, now):
        raise Refused("no-result", _("Meanwhile something else was entered. Look at what stands now."))
    Result.objects.filter(pk=now.pk).update(one_device=Result.OneDevice.NO)
