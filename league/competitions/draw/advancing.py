"""What an official result moves: winners and losers take their berths, matches are scheduled, stages finish."""

import logging
from collections.abc import Callable, Iterable

from django.db import transaction
from django.db.models import Count, F, Q, QuerySet
from django.utils.translation import gettext_lazy as _

from league.competitions.draw.finishing import finish, played_out
from league.competitions.draw.forfeits import forfeit_scheduled
from league.competitions.draw.laying_out import note_change, schedule_known
from league.competitions.draw.qualifying import mark_who_goes_on
from league.competitions.draw.rescheduling import play_again
from league.competitions.entrants import refuse_if_ladder_closed
from league.competitions.locks import forget_rounds, has_begun, locked, unschedule
from league.competitions.models import Berth, Competition, Matchday, Slot, Stage, StageEntry
from league.competitions.official_results import winners_and_losers
from league.errors import Refused
from league.matches.models import Match

log = logging.getLogger(__name__)


def advance(match_id: int) -> bool:
    """Act on the official result of a match: fill the berths that come from its slot, schedule what is known by that,
    finish its stage. True if anything changed; safe to run twice and by two at once.
    """
    waiting = Q(leads_to__isnull=False, leads_to__entrant=None) | Q(matchday__stage__finished_at=None)
    slot = Slot.objects.filter(waiting, match=match_id).values_list("pk", "matchday__stage__competition").first()
    return slot is not None and _advance(*slot)


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
    return finish(slot.matchday.stage) or bool(filled)


def schedule(competition: Competition, slots: QuerySet[Slot]) -> int:
    """What is known now; whoever has left forfeits it. How many."""
    known = list(slots)
    made = schedule_known(competition, known)
    forfeit_scheduled(competition, known)
    return made


def without_match() -> QuerySet[Slot]:
    return Slot.objects.filter(match=None).select_related("matchday", "table")


def _waiting(slot: Slot, end: tuple[int, int]) -> Iterable[Berth]:
    """The berths that its end fills. A match that is played only if the second one won is noted as not needed else."""
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
    """Who stands there although the result was amended is whom the match sends there after all."""
    stands = slot.leads_to.exclude(stands_although=None)
    right = Q(takes=Berth.Takes.WINNER, entrant=winner) | Q(takes=Berth.Takes.LOSER, entrant=loser)
    stands.filter(right).update(stands_although=None)


def take_back(match_id: int) -> None:
    """Undo what the official result of a match moved, before that result is taken back (`result_withdrawn`): who went
    on goes back, and a match that nobody has begun disappears. The caller's transaction.

    Raises Refused `next-begun`, `ladder-closed`.
    """
    slot = Slot.objects.filter(match=match_id).select_related("matchday__stage", "match", "table").first()
    if slot is None:
        return
    competition = locked(slot.matchday.stage.competition_id)
    refuse_if_ladder_closed(competition)
    berths = list(slot.leads_to.exclude(entrant=None).select_related("slot__match", "slot__matchday"))
    # A deciding match takes both its players from one final: its two berths are of one slot.
    for later in {berth.slot_id: berth.slot for berth in berths}.values():
        if later.match_id is not None:
            _unschedule(later)
    for berth in berths:
        berth.entrant, berth.stands_although = None, None
        berth.save(update_fields=["entrant", "stands_although"])
    note_change(berth.slot for berth in berths)
    if slot.match.state == Match.State.DECIDED:
        # Nobody of it stands in a later match any more, so it gives way to other matches only.
        play_again(competition, [slot])
    Slot.objects.filter(not_needed=True, berths__from_slot=slot).update(not_needed=False)
    _forget_later_stages(slot.matchday.stage)
    Stage.objects.filter(pk=slot.matchday.stage_id).update(finished_at=None)


def _forget_later_stages(stage: Stage) -> None:
    """A stage that was drawn from the table of this one, and that nobody has seen, is drawn again later. Raises Refused
    `next-begun` once it is published.
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


def _unschedule(slot: Slot) -> None:
    match = Match.objects.select_for_update().get(pk=slot.match_id)
    if has_begun(match):
        raise Refused(
            "next-begun",
            _("%(matchday)s has begun with this result. It cannot be taken back any more."),
            matchday=slot.matchday,
        )
    unschedule(match)


def sweep() -> int:
    """Do what was missed, when a signal was lost or its work died. How many matches and stages it concerned."""
    decided = Slot.objects.filter(
        match__state=Match.State.DECIDED, leads_to__entrant=None, leads_to__slot__not_needed=False
    )
    moved = sum(_kept_going(advance, match) for match in sorted(set(decided.values_list("match", flat=True))))
    counted = without_match().filter(not_needed=False).annotate(known=Count("berths__entrant"), drawn=Count("berths"))
    known = counted.filter(drawn__gt=1, known=F("drawn"))
    competitions = set(known.values_list("matchday__stage__competition", flat=True))
    scheduled = sum(_kept_going(_schedule_missed, one) for one in sorted(competitions))
    return moved + scheduled + sum(finish(stage) for stage in played_out(Stage.objects.all()))


def _kept_going(act: Callable[[int], int], key: int) -> int:
    """One that fails stays due, and must not keep the others waiting."""
    try:
        return act(key)
    except Exception:
        log.exception("%s of %d failed in the sweep", act.__name__, key)
        return 0


@transaction.atomic
def _schedule_missed(competition_id: int) -> int:
    competition = locked(competition_id)
    return schedule(competition, without_match().filter(matchday__stage__competition=competition))
