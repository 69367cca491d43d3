"""Consequences of an official result: fill berths, make matches, finish stages."""

import logging
from collections.abc import Callable, Iterable

from django.db import transaction
from django.db.models import Count, F, Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from league.competitions.draw.finishing import finish, played_out
from league.competitions.draw.forfeits import forfeit_scheduled
from league.competitions.draw.laying_out import schedule_known
from league.competitions.draw.qualifying import mark_who_goes_on
from league.competitions.draw.schedule import calling
from league.competitions.draw.schedule.rescheduling import play_again
from league.competitions.draw.schedule.seating import note_change
from league.competitions.entrants import refuse_if_ladder_closed
from league.competitions.locks import forget_rounds, has_begun, locked, unschedule
from league.competitions.models import Berth, Competition, Matchday, Slot, Stage, StageEntry, Withdrawal
from league.competitions.official_results import winners_and_losers
from league.errors import Refused
from league.matches.amendments import set_aside
from league.matches.locks import locked_match
from league.matches.models import Match, Record
from league.matches.results.services import is_at_the_table
from league.prepared_statements import FixedSelect, Given

log = logging.getLogger(__name__)


def advance(match_id: int) -> bool:
    """Fill berths from a match's official result, schedule matches, finish its stage.

    True if anything changed. Idempotent, safe to run concurrently.
    """
    slots = LEADS_ON.rows(match=match_id)
    return bool(slots) and _advance(*slots[0])


def _leads_on() -> QuerySet[Slot, tuple[int, int]]:
    waiting = Q(leads_to__isnull=False, leads_to__entrant=None) | Q(matchday__stage__finished_at=None)
    slots = Slot.objects.filter(waiting, match=Given("match"), matchday__stage__competition__cancelled_at=None)
    return slots.order_by("pk").values_list("pk", "matchday__stage__competition")[:1]


LEADS_ON = FixedSelect(_leads_on)


@transaction.atomic
def _advance(slot_id: int, competition_id: int) -> bool:
    competition = locked(competition_id)
    slot = Slot.objects.select_related("matchday__stage").get(pk=slot_id)
    end = winners_and_losers([slot.match_id]).get(slot.match_id)
    filled = [_fill(berth, *end) for berth in _waiting(slot, end)] if end else []
    if end:
        _clear_marks(slot, *end)
    if filled:
        schedule(competition, without_match().filter(berths__from_slot=slot).distinct())
    mark_who_goes_on(slot.matchday.stage)
    finished = finish(slot.matchday.stage)
    called = calling.dispatch(competition)
    return finished or bool(filled) or bool(called)


def schedule(competition: Competition, slots: QuerySet[Slot]) -> int:
    """Schedule matches of the known entrants, forfeit those of withdrawn ones.

    Returns the number of matches scheduled.
    """
    known = list(slots)
    made = schedule_known(competition, known)
    forfeit_scheduled(competition, known)
    return made


def without_match() -> QuerySet[Slot]:
    return Slot.objects.filter(match=None).select_related("matchday", "table")


def _waiting(slot: Slot, end: tuple[int, int]) -> Iterable[Berth]:
    """Give the empty berths that a match's end fills.

    A conditional match is played only if the second entrant won; otherwise it is marked as not needed.
    """
    waiting = slot.leads_to.filter(entrant=None)
    second = slot.berths.filter(number=2, entrant=end[0]).exists()
    if not second:
        Slot.objects.filter(conditional=True, berths__in=waiting).update(not_needed=True)
        waiting = waiting.filter(slot__conditional=False)
    return waiting


def _fill(berth: Berth, winner: int, loser: int) -> Berth:
    berth.entrant_id = winner if berth.takes == Berth.Takes.WINNER else loser
    berth.save(update_fields=["entrant"])
    return berth


def _clear_marks(slot: Slot, winner: int, loser: int) -> None:
    """Clear `stands_although` where the result now sends the same entrant."""
    stands = slot.leads_to.exclude(stands_although=None)
    right = Q(takes=Berth.Takes.WINNER, entrant=winner) | Q(takes=Berth.Takes.LOSER, entrant=loser)
    stands.filter(right).update(stands_although=None)


def take_back(match_id: int) -> None:
    """Undo the consequences of an official result before it is taken back.

    Called by the signal `result_withdrawn`. Berths are emptied, and matches that nobody has played removed.
    Requires the caller's transaction.

    Raises Refused `next-begun`, `ladder-closed`.
    """
    slot = Slot.objects.filter(match=match_id).select_related("matchday__stage", "match", "table").first()
    if slot is None:
        return
    competition = locked(slot.matchday.stage.competition_id)
    refuse_if_ladder_closed(competition)
    berths = list(slot.leads_to.exclude(entrant=None).select_related("slot__match", "slot__matchday"))
    # A deciding match takes both players from one final: its two berths are in one slot.
    for later in {berth.slot_id: berth.slot for berth in berths}.values():
        if later.match_id is not None:
            _free(competition, later)
    for berth in berths:
        berth.entrant, berth.stands_although = None, None
        berth.save(update_fields=["entrant", "stands_although"])
    note_change(berth.slot for berth in berths)
    if slot.match.state == Match.State.DECIDED:
        # No later match holds its entrants any more, so it only gives way to other matches.
        play_again(competition, [slot])
    if competition.dispatches:
        # Mostly to be typed again, not played again: nobody is called to it until an organizer releases it.
        Match.objects.filter(pk=slot.match_id).update(called_at=None, here_at=None, on_hold=True)
    Slot.objects.filter(not_needed=True, berths__from_slot=slot).update(not_needed=False)
    _forget_later_stages(slot.matchday.stage)
    Stage.objects.filter(pk=slot.matchday.stage_id).update(finished_at=None)


def _forget_later_stages(stage: Stage) -> None:
    """Delete the unpublished draw of later stages, to be drawn again later.

    Raises Refused `next-begun` if it is published.
    """
    later = Matchday.objects.filter(stage__competition=stage.competition_id, stage__number__gt=stage.number)
    if first := later.exclude(published_at=None).order_by("number").first():
        raise Refused(
            "next-begun",
            _("%(matchday)s was drawn from this result and is published. It cannot be taken back any more."),
            matchday=first,
        )
    StageEntry.objects.filter(stage__competition=stage.competition_id, stage__number__gt=stage.number).delete()
    forget_rounds(stage.competition, later)


def _free(competition: Competition, slot: Slot) -> None:
    """Remove the match of a slot whose entrants are no longer known.

    A match with records cannot be deleted. It is set aside if they are withdrawn, or forfeits of entrants who left:
    nobody has played it, and what follows from it goes too. Raises Refused `next-begun`.
    """
    match = locked_match(slot.match_id)
    if not has_begun(match):
        unschedule(match)
    elif _is_played(competition, match):
        raise Refused(
            "next-begun",
            _("%(matchday)s has begun with this result. It cannot be taken back any more."),
            matchday=slot.matchday,
        )
    else:
        take_back(match.pk)
        Slot.objects.filter(pk=slot.pk).update(match=None)
        set_aside(Match.objects.filter(pk=match.pk), timezone.now())


def _is_played(competition: Competition, match: Match) -> bool:
    """Tell whether somebody has begun or entered a match, apart from withdrawn entries."""
    if is_at_the_table(match):
        return True
    left = Withdrawal.objects.filter(competition=competition).values_list("forfeits", flat=True)
    forfeits = {record for each in left for record in each}
    standing = Record.objects.filter(game__match=match, withdrawn_at=None).values_list("pk", flat=True)
    return not forfeits.issuperset(standing)


def sweep() -> int:
    """Catch up after a lost signal or failed task; return how many matches and stages."""
    drawn = Slot.objects.filter(matchday__stage__competition__cancelled_at=None)
    decided = drawn.filter(match__state=Match.State.DECIDED, leads_to__entrant=None, leads_to__slot__not_needed=False)
    moved = sum(_kept_going(advance, match) for match in sorted(set(decided.values_list("match", flat=True))))
    open_slots = without_match().filter(not_needed=False, pk__in=drawn.values("pk"))
    counted = open_slots.annotate(known=Count("berths__entrant"), drawn=Count("berths"))
    known = counted.filter(drawn__gt=1, known=F("drawn"))
    competitions = set(known.values_list("matchday__stage__competition", flat=True))
    scheduled = sum(_kept_going(_schedule_missed, one) for one in sorted(competitions))
    return moved + scheduled + calling.sweep() + sum(finish(stage) for stage in played_out(Stage.objects.all()))


def _kept_going(act: Callable[[int], int], key: int) -> int:
    """Log a failure and continue: the item stays due and does not delay the others."""
    try:
        return act(key)
    except Exception:
        log.exception("%s of %d failed in the sweep", act.__name__, key)
        return 0


@transaction.atomic
def _schedule_missed(competition_id: int) -> int:
    competition = locked(competition_id)
    return schedule(competition, without_match().filter(matchday__stage__competition=competition))
