"""What an official result moves: winners and losers take their berths, matches are scheduled, stages finish."""

import logging
from collections.abc import Callable, Iterable

from django.db import transaction
from django.db.models import Count, Exists, OuterRef, Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from league.competitions.drafts import forget_rounds, locked, unschedule
from league.competitions.drawing import schedule_known
from league.competitions.models import Berth, Competition, Matchday, Slot, Stage, StageEntry
from league.competitions.taking_part import rounds_to_pair, seeded
from league.competitions.withdrawals import forfeit_scheduled
from league.errors import Refused
from league.matches.deciding import GameOutcome, official_standing
from league.matches.models import Match, Result, Side

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
    end = outcomes([slot.match_id]).get(slot.match_id)
    filled = [_fill(berth, *end) for berth in _waiting(slot, end)] if end else []
    if end:
        _clear_marks(slot, *end)
    if filled:
        schedule(competition, without_match().filter(berths__from_slot=slot).distinct())
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


def outcomes(match_ids: Iterable[int]) -> dict[int, tuple[int, int]]:
    """Winner and loser, by entrant, of the matches that official results have decided; one that nobody won is left
    out. Two statements.
    """
    ids = list(match_ids)
    games: dict[int, tuple[int, list[GameOutcome]]] = {}
    official = Result.objects.filter(
        game__match__in=ids, current=True, state=Result.State.OFFICIAL, game__match__state=Match.State.DECIDED
    )
    for match, best_of, winner in official.values_list("game__match", "game__match__best_of", "winner"):
        games.setdefault(match, (best_of, []))[1].append(GameOutcome(winner, official=True))
    sides: dict[int, dict[int, int]] = {}
    for match, number, entrant in Side.objects.filter(match__in=games).values_list("match", "number", "entrant"):
        sides.setdefault(match, {})[number] = entrant
    ends = {match: official_standing(best_of, played).winner for match, (best_of, played) in games.items()}
    return {
        match: (sides[match][winner], next(one for number, one in sides[match].items() if number != winner))
        for match, winner in ends.items()
        if winner is not None
    }


def take_back(match_id: int) -> None:
    """Undo what the official result of a match moved, before that result is taken back (`locking.BUILT_ON`): who went
    on goes back, and a match that nobody has begun disappears. The caller's transaction.

    Raises Refused `next-begun`.
    """
    slot = Slot.objects.filter(match=match_id).select_related("matchday__stage").first()
    if slot is None:
        return
    locked(slot.matchday.stage.competition_id)
    for berth in slot.leads_to.exclude(entrant=None).select_related("slot__match", "slot__matchday"):
        if berth.slot.match_id is not None:
            _unschedule(berth.slot)
        berth.entrant, berth.stands_although = None, None
        berth.save(update_fields=["entrant", "stands_although"])
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


def has_begun(match: Match) -> bool:
    """Whether anything of it was written down: a result, a log, its clock, a tally."""
    touched = Q(records__isnull=False) | Q(clock_events__isnull=False) | Q(taps__isnull=False)
    return match.games.filter(touched).exists()


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
    known = without_match().annotate(known=Count("berths__entrant")).filter(known=2)
    competitions = set(known.values_list("matchday__stage__competition", flat=True))
    scheduled = sum(_kept_going(_schedule_missed, one) for one in sorted(competitions))
    return moved + scheduled + sum(finish(stage) for stage in _played_out(Stage.objects.all()))


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


def _played_out(stages: QuerySet[Stage]) -> QuerySet[Stage]:
    """Those without an end all of whose matches are decided."""
    played = Slot.objects.filter(matchday__stage=OuterRef("pk"), berths__number=2, not_needed=False)
    still_open = played.exclude(match__state=Match.State.DECIDED)
    return stages.filter(Exists(played), ~Exists(still_open), finished_at=None)


def finish(stage: Stage) -> bool:
    """Note the hour at which the last match of a stage was decided. A knock-out is not over while nobody has won one of
    its matches: an official decides.
    """
    if not _played_out(Stage.objects.filter(pk=stage.pk)).exists():
        return False
    if stage.is_knock_out and _without_winner(stage):
        return False
    if stage.is_paired_by_round and stage.matchdays.count() < rounds_to_pair(stage, len(seeded(stage))):
        return False
    return bool(Stage.objects.filter(pk=stage.pk, finished_at=None).update(finished_at=timezone.now()))


def _without_winner(stage: Stage) -> bool:
    matches = set(Slot.objects.filter(matchday__stage=stage).exclude(match=None).values_list("match", flat=True))
    return matches != set(outcomes(matches))


def finish_played_out(competition: Competition) -> int:
    """End the stages of a competition whose matches were decided all at once. How many."""
    return sum(finish(stage) for stage in _played_out(Stage.objects.filter(competition=competition)))
