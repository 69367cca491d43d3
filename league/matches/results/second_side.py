"""Proof of the second side of a result, and the mark of one device for both sides.

At a table a phone may choose a name without proof, so one person with two private windows can be both sides. In a
knock-out, and if the league requires it, the side that makes a result official proves itself by PIN, slip or
account, and so does a losing side that entered it. Elsewhere one device for both sides is marked on the result.
"""

from collections.abc import Sequence

from django.contrib.auth.models import AnonymousUser
from django.db import transaction
from django.utils.translation import gettext_lazy as _

from league.errors import NotAllowed, Refused
from league.matches.locks import locked_match
from league.matches.models import Game, Match, Record, Result, Side
from league.matches.permissions import PROVED, Actor, Guest, Visitor, actor
from league.matches.signals import answers, knock_out_asked

# Two equal entries without a confirmation by tap; the empty one if one of the entries does not count.
AGREED = frozenset({"", Result.Confirmation.AGREED})


def must_prove(match_id: int) -> bool:
    """Return whether the second side of this match must prove itself. Two statements."""
    asked = Match.objects.filter(pk=match_id, league__second_side_proves=True)
    return any(answers(knock_out_asked, match_id=match_id)) or asked.exists()


def check_proof(who: Visitor, match_id: int) -> None:
    """Raise NotAllowed `needs-proof` for a phone that only chose a name.

    No statement for others.
    """
    if isinstance(who, Guest) and not who.is_proved and must_prove(match_id):
        raise NotAllowed(
            "needs-proof",
            _("In this match the second side confirms with the PIN of its slip, with its slip or with its account."),
        )


def is_spoken_for(result: Result) -> bool:
    """Return whether an unproved phone entered a loss of the side that it chose.

    The winner may hold that phone. One statement if so: a phone that proved itself afterwards is the side's own.
    """
    record = result.record
    device, _hands, proved = marks_of(record.device)
    if not device or proved or record.submitted_by_id or result.winner == record.for_side:
        return False
    side = Side.objects.filter(match=result.game.match_id, number=record.for_side)
    return not side.filter(device=device, device_proved=True).exists()


def counts(result: Result) -> bool:
    """Return whether the entry counts for its side."""
    return not (is_spoken_for(result) and must_prove(result.game.match_id))


def check_word(one: Actor, result: Result) -> None:
    """Raise NotAllowed `needs-proof` for a side that confirms an unproved entry."""
    if one.plays and not counts(result):
        raise NotAllowed(
            "needs-proof",
            _(
                "The losing side has not identified itself on the phone that entered this (PIN, slip or "
                "account). You can also enter the result yourself; the other side then confirms it."
            ),
        )


def marks_of(mark: str) -> tuple[str, str, bool]:
    """Split the mark made by `permissions.mark_of`: device, digest, whether it is proved."""
    device, hands, proved, *_more = f"{mark}   ".split(" ")
    return device, hands, proved == PROVED


def one_device(who: Visitor, result: Result) -> Result.OneDevice:
    """Return the mark of one device if `who` may be the person behind the entry.

    No mark if the side that such a trick would harm has proved itself.
    """
    device, hands, _proved = marks_of(result.record.device)
    is_proved = not isinstance(who, Guest) or who.is_proved
    if not device or (is_proved and not is_spoken_for(result)):
        return Result.OneDevice.NO
    if isinstance(who, Guest) and who.device == device:
        return Result.OneDevice.SAME
    is_alike = not isinstance(who, AnonymousUser) and who.hands and who.hands == hands
    return Result.OneDevice.ALIKE if is_alike else Result.OneDevice.NO


def check_agreement(who: Visitor, side: int | None, result: Result) -> None:
    """Check the proof of a side whose equal entry confirms the other one.

    Raises NotAllowed `needs-proof`; the caller's transaction then stores nothing.

    If the winner repeats an entry that confirms nothing, the winner has entered the result; the loser confirms it.
    """
    if side is None or result.contested or result.confirmed_how not in AGREED:
        return
    others = _others(side, result)
    if others and (result.confirmed_how or result.winner != side):
        check_proof(who, result.game.match_id)
    if result.confirmed_how:
        _mark(who, others, result)


def _others(side: int, result: Result) -> list[Result]:
    """Return what other sources entered of this game."""
    rows = Result.objects.filter(game=result.game_id, record__withdrawn_at=None).exclude(record__for_side=side)
    return list(rows.select_related("record", "game").order_by("pk"))


def _mark(who: Visitor, others: Sequence[Result], result: Result) -> None:
    how = next(filter(None, (one_device(who, other) for other in reversed(others))), None)
    if how:
        Result.objects.filter(pk=result.pk).update(one_device=how)


def check_log(who: Visitor, game: Game) -> None:
    """Check the proof of a phone whose log might confirm an entry of somebody else. Raises NotAllowed `needs-proof`.

    Its result is not known yet. No statement for others.
    """
    if not isinstance(who, Guest) or who.is_proved:
        return
    others = Record.objects.filter(game=game, withdrawn_at=None).exclude(for_side=who.side)
    if others.exists():
        check_proof(who, game.match_id)


def mark_log(mark: str, match_id: int, game_id: int, side: int | None) -> None:
    """Mark the result that the log of a phone has just made official, if one device may have spoken for both sides.

    `mark`: the record's mark.
    """
    device, hands, proved = marks_of(mark)
    result = Result.objects.filter(game=game_id, current=True, confirmed_how=Result.Confirmation.AGREED).first()
    if result is not None and side is not None:
        who = Guest(match_id, side, proved=proved, device=device, hands=hands)
        _mark(who, _others(side, result), result)


def is_asked(match_id: int) -> bool:
    """Return whether one device spoke for both sides of a result. One statement."""
    rows = Result.objects.filter(game__match=match_id, current=True, state=Result.State.OFFICIAL)
    return rows.exclude(one_device=Result.OneDevice.NO).exists()


def asks_side(match_id: int, side: int) -> bool:
    """Return whether a proved side is asked about a result of this match.

    One statement if not.
    """
    rows = Result.objects.filter(game__match=match_id, current=True).exclude(one_device=Result.OneDevice.NO)
    who = Guest(match_id, side, proved=True)
    return any(asks(who, side, result) for result in rows.select_related("record", "game"))


def asks(who: Visitor | None, side: int | None, result: Result) -> bool:
    """Return whether `who`, proved and of this side, is asked about a result.

    The result is confirmed, one device spoke for both sides, and the other side may hold it.
    """
    doubtful = result.one_device and result.state == Result.State.OFFICIAL and not result.contested
    if who is None or side is None or not doubtful or (isinstance(who, Guest) and not who.is_proved):
        return False
    return is_spoken_for(result) == (result.record.for_side == side)


@transaction.atomic
def affirm(result: Result, who: Visitor) -> None:
    """Remove the mark of one device, because the second side affirms the result.

    Raises Refused `no-result`.
    """
    locked_match(result.game.match_id)
    now = Result.objects.select_related("game__match", "record").get(pk=result.pk)
    if not now.current or not asks(who, actor(who, now.game.match).side, now):
        raise Refused("no-result", _("Meanwhile something else was entered. Check the current result."))
    Result.objects.filter(pk=now.pk).update(one_device=Result.OneDevice.NO)
