"""End of a stage, by official results."""

from django.db.models import Exists, OuterRef, QuerySet
from django.utils import timezone

from league.competitions.entrants import how_many, rounds_to_pair
from league.competitions.models import IS_PLAYED, Competition, Slot, Stage
from league.competitions.official_results import winners_and_losers
from league.competitions.task_queue import honours_due
from league.matches.models import Match


def played_out(stages: QuerySet[Stage]) -> QuerySet[Stage]:
    """Select unfinished stages whose matches are all decided, of competitions that are not cancelled."""
    played = Slot.objects.filter(IS_PLAYED, matchday__stage=OuterRef("pk"), not_needed=False)
    still_open = played.exclude(match__state=Match.State.DECIDED)
    return stages.filter(Exists(played), ~Exists(still_open), finished_at=None, competition__cancelled_at=None)


def finish(stage: Stage) -> bool:
    """Store the end of a stage whose last match is decided; True if this call did it.

    A knock-out is not finished while a match has no winner: an official decides. A ladder ends when an organizer closes
    it.
    """
    if stage.is_ladder:
        return False
    if not played_out(Stage.objects.filter(pk=stage.pk)).exists():
        return False
    if stage.is_knock_out and _without_winner(stage):
        return False
    if stage.is_paired_by_round and stage.matchdays.count() < rounds_to_pair(stage, how_many(stage)):
        return False
    done = bool(Stage.objects.filter(pk=stage.pk, finished_at=None).update(finished_at=timezone.now()))
    if done:
        honours_due(stage.competition_id)
    return done


def _without_winner(stage: Stage) -> bool:
    matches = set(Slot.objects.filter(matchday__stage=stage).exclude(match=None).values_list("match", flat=True))
    return matches != set(winners_and_losers(matches))


def finish_played_out(competition: Competition) -> int:
    """Finish a competition's stages after bulk results; return how many."""
    return sum(finish(stage) for stage in played_out(Stage.objects.filter(competition=competition)))
