"""No-shows: the countdown to a forfeit, and the forfeit of a side that does not come (RULES.md 10)."""

from collections.abc import Sequence
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.formats import time_format
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from league.accounts.models import User
from league.accounts.permissions import Act, check_may
from league.competitions.attendance.table_absences import leave_table
from league.competitions.draw.forfeits import forfeit_match
from league.competitions.draw.schedule.calling import dispatch, take_off
from league.competitions.entrants import refuse_if_gone
from league.competitions.locks import locked
from league.competitions.models import Berth, Competition, Slot
from league.errors import Refused
from league.matches.models import Match
from league.players.models import Entrant


@transaction.atomic
def wait_for(slot: Slot, entrant: Entrant, *, user: User, waiting: bool = True) -> bool:
    """Start the countdown to a forfeit, or stop it because the side has arrived.

    At a table of more than two a stop seats the entrant again. True if this call did it. Raises NotAllowed, and Refused
    `begun-already`, `next-begun`, `withdrawn-already`.
    """
    competition, berth = _berth(slot, entrant, user)
    if not waiting and berth.absent_since is not None:
        refuse_if_gone(competition, entrant)
        leave_table(competition, berth, at=None)
        return True
    if waiting:
        _refuse_if_begun(berth.slot.match)
    if waiting == (berth.awaited_since is not None):
        return False
    _await(competition, berth, timezone.now() if waiting else None)
    return True


@transaction.atomic
def give_time(slot: Slot, entrant: Entrant, *, user: User, minutes: int = 5) -> None:
    """Wait so many more minutes for a side that was called; meanwhile the table may go to the next match.

    Raises NotAllowed, and Refused `not-awaited`, `begun-already`.
    """
    competition, berth = _berth(slot, entrant, user)
    _refuse_if_begun(berth.slot.match)
    until = max(_until(competition, berth), timezone.now()) + timedelta(minutes=minutes)
    _await(competition, berth, until - timedelta(minutes=competition.forfeit_after_min))


@transaction.atomic
def all_here(slot: Slot, *, user: User) -> None:
    """Note that all players of a match have come: nobody is awaited.

    A match that gave its table back is called again. Raises NotAllowed, and Refused `begun-already`.
    """
    competition = _desk_of(slot, user)
    slot = Slot.objects.select_related("match").get(pk=slot.pk)
    match = _refuse_if_begun(slot.match)
    slot.berths.update(awaited_since=None)
    Match.objects.filter(pk=match.pk).update(here_at=timezone.now())
    dispatch(competition)


def _await(competition: Competition, berth: Berth, since: datetime | None) -> None:
    """Start or stop the countdown; a dispatcher gives the table of an awaited side to the next match."""
    berth.awaited_since = since
    berth.save(update_fields=["awaited_since"])
    if since and competition.dispatches:
        take_off(berth.slot)
    dispatch(competition)


def _until(competition: Competition, berth: Berth) -> datetime:
    """Give the end of the countdown: since the wait for this side, else since the call of its match.

    Raises Refused `not-awaited`.
    """
    called_at = berth.slot.match.called_at if berth.slot.match else None
    since = berth.awaited_since or called_at
    if since is None:
        raise _not_awaited(berth)
    return since + timedelta(minutes=competition.forfeit_after_min)


def _not_awaited(berth: Berth) -> Refused:
    return Refused("not-awaited", _("Nobody waits for %(entrant)s. Start the countdown first."), entrant=berth.entrant)


def _refuse_if_in_time(competition: Competition, berth: Berth) -> None:
    """Raise Refused `not-awaited`, also for a match whose players are all here; `still-waiting`."""
    until, match = _until(competition, berth), berth.slot.match
    if berth.awaited_since is None and match and match.here_at:
        raise _not_awaited(berth)
    if timezone.now() < until:
        raise Refused(
            "still-waiting",
            _("%(entrant)s has time until %(until)s."),
            entrant=berth.entrant,
            until=time_format(timezone.localtime(until), "H:i"),
        )


def _refuse_if_begun(match: Match | None) -> Match:
    if match is None or match.state != Match.State.SCHEDULED:
        raise Refused("begun-already", _("This match has begun: nobody is awaited any more."))
    return match


@transaction.atomic
def forfeit_absent(slot: Slot, entrant: Entrant, *, user: User) -> Sequence[int]:
    """Forfeit the match of a side that did not come in time.

    Returns the keys of the records. At a table of more than two the others play without it. Raises NotAllowed, and
    Refused `not-awaited`, `still-waiting`, `begun-already`.
    """
    competition, berth = _berth(slot, entrant, user)
    _refuse_if_in_time(competition, berth)
    match = _refuse_if_begun(berth.slot.match)
    if berth.slot.matchday.stage.is_at_tables:
        leave_table(competition, berth, at=timezone.now())
        dispatch(competition)
        return []
    return forfeit_match(match, entrant.pk, user=user, reason=_reason(competition))


@transaction.atomic
def nobody_came(slot: Slot, *, user: User) -> Sequence[int]:
    """Forfeit a match to which no side came in time: nobody wins it.

    Returns the keys of the records. A table of more than two is not played. Raises as `forfeit_absent`.
    """
    competition = _desk_of(slot, user)
    berths = list(_berths(slot).filter(absent_since=None))
    for berth in berths:
        _refuse_if_in_time(competition, berth)
    match = _refuse_if_begun(Slot.objects.select_related("match").get(pk=slot.pk).match)
    if slot.matchday.stage.is_at_tables:
        for berth in berths:
            leave_table(competition, berth, at=timezone.now())
        dispatch(competition)
        return []
    return forfeit_match(match, None, user=user, reason=_reason(competition))


def _reason(competition: Competition) -> str:
    minutes = competition.forfeit_after_min
    reason = ngettext(
        "Not at the table after %(minutes)d minute", "Not at the table after %(minutes)d minutes", minutes
    )
    return reason % {"minutes": minutes}


def _desk_of(slot: Slot, user: User) -> Competition:
    """Lock the competition; raise NotAllowed."""
    competition = locked(Slot.objects.values_list("matchday__stage__competition", flat=True).get(pk=slot.pk))
    check_may(user, Act.RUN_DESK, competition.league)
    return competition


def _berths(slot: Slot) -> QuerySet[Berth]:
    rows = Berth.objects.filter(slot=slot, entrant__isnull=False).order_by("number")
    return rows.select_related("slot__match", "slot__matchday__stage", "entrant")


def _berth(slot: Slot, entrant: Entrant, user: User) -> tuple[Competition, Berth]:
    """Lock the competition; raise NotAllowed, and Refused `not-in-match`."""
    competition = _desk_of(slot, user)
    berth = _berths(slot).filter(entrant=entrant).first()
    if berth is None:
        raise Refused("not-in-match", _("%(entrant)s does not play in this match."), entrant=entrant)
    return competition, berth
