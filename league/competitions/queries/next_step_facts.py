"""Facts for the steps of a competition (`next_step.steps`).

A constant number of statements.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING

from django.db.models import Aggregate, Count, Max, Min, OuterRef, Q, QuerySet, Subquery, Sum, Value
from django.db.models.functions import Coalesce

from league.competitions.draw.forecast import going_on, stage_sizes
from league.competitions.draw.laying_out import fewest
from league.competitions.draw.schedule.table_wishes import unmet_wishes
from league.competitions.entrants import standing_withdrawals
from league.competitions.models import Competition, Matchday, Payment, Registration, Slot, Stage
from league.competitions.official_results import results_hash, waiting_results
from league.competitions.queries import next_step
from league.competitions.queries.next_step import DayFacts, DayRound, DayStage, People
from league.competitions.queries.open_matches import NAMED, nobody_won, open_matches, person
from league.competitions.standings.tiebreaks.registry import Needs, any_needs
from league.matches.models import Amendment, Match
from league.players.models import PEOPLE

if TYPE_CHECKING:
    from typing import TypedDict

    from django_stubs_ext import WithAnnotations

    class Filled(TypedDict):
        qualified: int


def day_facts(competition: Competition, now: datetime, *, with_needs: bool) -> DayFacts:
    """Return the facts of a competition. Ask only for the staff.

    `with_needs`: the asker may learn about unmet table requests.
    """
    registered = competition.registrations.aggregate(
        count=Count("pk"), with_lot=Count("lot"), **_checked_in(competition.published_at)
    )
    entrants = registered["count"]
    checks_in = competition.check_in_open or _is_used(registered)
    stages = list(competition.stages.annotate(qualified=Count("entries")).order_by("number"))
    rounds = _rounds(competition)
    endless = any(stage.is_ladder for stage in stages)
    # On a ladder the challenges of every month are open, not only those up to the first open round.
    current = next_step.playing(rounds, by_round=endless or _by_round(competition))
    job = competition.draw_jobs.order_by("-asked_at", "-pk").first()
    published = competition.published_at is not None
    first = stages[0] if stages else None
    return DayFacts(
        entrants=entrants,
        fewest=fewest(first) if first else 2,
        published=published,
        by_round=_by_round(competition),
        stages=_stages(stages, entrants, rounds),
        rounds=rounds,
        fee=competition.fee > 0,
        owing=_owing(competition) if competition.fee else People(),
        checks_in=checks_in,
        absent=_absent(competition) if checks_in else People(),
        drawing=job is not None and job.done_at is None,
        refused=job.refused if job else "",
        open=open_matches(competition, rounds, current, now),
        no_winner=nobody_won(competition, stages, now) if published else None,
        stale=published and _is_stale(competition),
        amendments=_amendments(competition) if published else 0,
        imported=waiting_results(competition).count() if competition.imported_at else 0,
        lots=any_needs(competition.tie_breaks, Needs.LOTS) and registered["with_lot"] < entrants,
        unmet=len(unmet_wishes(competition)) if with_needs else 0,
        pairs=competition.pairs,
        endless=endless,
    )


def _checked_in(published: datetime | None) -> dict[str, Aggregate]:
    here, away = Q(checked_in_at__isnull=False), Q(checked_in_at=None)
    before = Q(checked_in_at__lt=published) if published else here
    return {
        "here": Count("pk", filter=before),
        "first_here": Min("seed", filter=here),
        "last_away": Max("seed", filter=away),
    }


def _is_used(registered: Mapping[str, int | None]) -> bool:
    """Tell whether the desk checks people in.

    A late entry after the publication is checked in automatically and has the last seed: late entries alone do not make
    the drawn entrants absent.
    """
    first, last_away = registered["first_here"], registered["last_away"]
    return bool(registered["here"]) or (first is not None and (last_away is None or first < last_away))


def _by_round(competition: Competition) -> bool:
    return competition.release == Competition.Release.ROUND_BY_ROUND


def _staying(competition: Competition) -> QuerySet[Registration]:
    """Registered entrants that have not left, in the order of the seeds."""
    rows = competition.registrations.order_by("seed")
    if competition.published_at is None:
        return rows
    return rows.exclude(entrant__in=standing_withdrawals(competition).values("entrant"))


def _owing(competition: Competition) -> People:
    paid = Payment.objects.filter(competition=competition, entrant=OuterRef("entrant"), returned_at=None)
    summed = paid.order_by().values("entrant").annotate(sum=Sum("amount")).values("sum")
    rows = _staying(competition).filter(free_reason="").annotate(paid=Coalesce(Subquery(summed), Value(0)))
    return _people(rows.filter(paid__lt=competition.fee))


def _absent(competition: Competition) -> People:
    return _people(_staying(competition).filter(checked_in_at=None))


def _people(rows: QuerySet[Registration]) -> People:
    """Number of people and the first of them. Two statements."""
    first = rows.select_related(*PEOPLE)[:NAMED]
    return People(rows.count(), tuple(person(row.entrant) for row in first))


def _rounds(competition: Competition) -> list[DayRound]:
    days = Matchday.objects.filter(stage__competition=competition).select_related("stage")
    slots = Slot.objects.filter(matchday__stage__competition=competition, berths__number=2, not_needed=False)
    counted = slots.values("matchday").annotate(
        matches=Count("pk"), open_ones=Count("pk", filter=Q(match=None) | ~Q(match__state=Match.State.DECIDED))
    )
    by_day = {row["matchday"]: (row["matches"], row["open_ones"]) for row in counted.order_by()}
    return [_round(one, by_day.get(one.pk, (0, 0))) for one in days.order_by("stage__number", "number")]


def _round(one: Matchday, counted: tuple[int, int]) -> DayRound:
    return DayRound(one.number, str(one), one.stage.number, *counted, shown=one.published_at is not None)


def _stages(
    stages: "Sequence[WithAnnotations[Stage, Filled]]", entrants: int, rounds: Sequence[DayRound]
) -> list[DayStage]:
    """Stages with their number of rounds, planned if not drawn yet."""
    found = []
    for stage in stages:
        drawn = sum(one.stage == stage.number for one in rounds)
        size = stage.qualified or entrants
        planned = len(stage_sizes(stage, size)) if stage.is_paired_by_round or not drawn else drawn
        found.append(
            DayStage(
                stage.number,
                str(stage.get_format_display()),
                max(planned, drawn),
                stage.is_paired_by_round,
                stage.finished_at is not None,
            )
        )
        entrants = min(size, going_on(stage)) if going_on(stage) else size
    return found


def _is_stale(competition: Competition) -> bool:
    """Tell whether the draft round was paired from results that have changed since."""
    days = Matchday.objects.filter(stage__competition=competition, published_at=None).exclude(results_hash="")
    paired = days.order_by("number").values_list("results_hash", flat=True).first()
    return paired is not None and paired != results_hash(competition)


def _amendments(competition: Competition) -> int:
    rows = Amendment.objects.filter(game__match__slot__matchday__stage__competition=competition)
    return rows.filter(state=Amendment.State.PROPOSED).count()
