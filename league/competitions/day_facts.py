"""The facts of which the day of a competition is made (`day.steps`). A constant number of statements."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, timedelta

from django.db.models import Count, Exists, OuterRef, Q, QuerySet, Subquery, Sum, Value
from django.db.models.functions import Coalesce

from league.accounts.permissions import Asker
from league.competitions import day
from league.competitions.archive_confirming import waiting_results
from league.competitions.day import DayFacts, DayPerson, DayRound, DayStage, HeldBy, Missing, OpenMatch, People
from league.competitions.drawing import fewest
from league.competitions.expected import going_on, stage_sizes
from league.competitions.models import (
    Berth,
    Competition,
    Matchday,
    Payment,
    Registration,
    Slot,
    Stage,
    TieBreak,
)
from league.competitions.official import results_hash, winners_and_losers
from league.competitions.pinning import unmet_wishes
from league.competitions.taking_part import standing_withdrawals
from league.matches.lines import MatchLine, match_lines
from league.matches.models import Amendment, Match, Record
from league.players.models import PEOPLE, Entrant

NAMED = 12
"""So many people or matches are named; the others are counted."""


def day_facts(competition: Competition, user: Asker, now: datetime, *, with_needs: bool) -> DayFacts:
    """Ask only for the staff. `with_needs`: whether the asker may learn that somebody's wish for a table is not met."""
    registered = _registered(competition)
    stages = list(competition.stages.annotate(qualified=Count("entries")).order_by("number"))
    rounds = _rounds(competition)
    endless = any(stage.is_ladder for stage in stages)
    # Of a ladder the challenges of every month are open, not those up to the first open one.
    current = day.playing(rounds, by_round=endless or _by_round(competition))
    job = competition.draw_jobs.order_by("-asked_at", "-pk").first()
    published = competition.published_at is not None
    gone = _gone(competition) if published else set()
    staying = [row for row in registered if row.entrant_id not in gone]
    first = stages[0] if stages else None
    return DayFacts(
        entrants=len(registered),
        fewest=fewest(first) if first else 2,
        published=published,
        by_round=_by_round(competition),
        stages=_stages(stages, len(registered), rounds),
        rounds=rounds,
        fee=competition.fee > 0,
        owing=_people([row for row in staying if _owes(row, competition)]),
        checks_in=competition.check_in_open or any(row.checked_in_at for row in registered),
        absent=_people([row for row in staying if row.checked_in_at is None]),
        drawing=job is not None and job.done_at is None,
        refused=job.refused if job else "",
        open=_open(competition, rounds, current, user, now),
        no_winner=_no_winner(competition, stages) if published else (),
        stale=published and _is_stale(competition),
        amendments=_amendments(competition) if published else 0,
        imported=waiting_results(competition).count() if competition.imported_at else 0,
        lots=TieBreak.LOT in competition.tie_breaks and any(row.lot is None for row in registered),
        unmet=len(unmet_wishes(competition)) if with_needs else 0,
        pairs=competition.pairs,
        endless=endless,
    )


def _gone(competition: Competition) -> set[int]:
    return set(standing_withdrawals(competition).values_list("entrant", flat=True))


def _by_round(competition: Competition) -> bool:
    return competition.release == Competition.Release.ROUND_BY_ROUND


def _registered(competition: Competition) -> list[Registration]:
    paid = Payment.objects.filter(competition=competition, entrant=OuterRef("entrant"), returned_at=None)
    summed = paid.order_by().values("entrant").annotate(sum=Sum("amount")).values("sum")
    rows = competition.registrations.annotate(paid=Coalesce(Subquery(summed), Value(0)))
    return list(rows.select_related(*PEOPLE).order_by("seed"))


def _owes(row: Registration, competition: Competition) -> bool:
    return not row.free_reason and row.paid < competition.fee


def _people(rows: Sequence[Registration]) -> People:
    return People(len(rows), tuple(_person(row.entrant) for row in rows[:NAMED]))


def _person(entrant: Entrant) -> DayPerson:
    return DayPerson(entrant.code, str(entrant), entrant.full_name, entrant.apart)


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


def _stages(stages: Sequence[Stage], entrants: int, rounds: Sequence[DayRound]) -> list[DayStage]:
    """With the rounds that each has or, before it is drawn, comes to."""
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
    """Whether the draft round was paired from other results than those that are official now."""
    days = Matchday.objects.filter(stage__competition=competition, published_at=None).exclude(results_hash="")
    paired = days.order_by("number").values_list("results_hash", flat=True).first()
    return paired is not None and paired != results_hash(competition)


def _amendments(competition: Competition) -> int:
    rows = Amendment.objects.filter(game__match__slot__matchday__stage__competition=competition)
    return rows.filter(state=Amendment.State.PROPOSED).count()


# --- Matches ---


def _open(
    competition: Competition, rounds: Sequence[DayRound], current: DayRound | None, user: Asker, now: datetime
) -> list[OpenMatch]:
    """The open matches of the shown rounds up to the one that is now; contested ones of earlier rounds among them."""
    if current is None:
        return []
    numbers = [one.number for one in rounds if one.shown and one.number <= current.number]
    slots = Slot.objects.filter(matchday__stage__competition=competition, matchday__number__in=numbers)
    slots = slots.filter(berths__number=2, not_needed=False).exclude(match__state=Match.State.DECIDED)
    slots = slots.annotate(touched=Exists(Record.objects.filter(game__match=OuterRef("match"))))
    rows = list(slots.select_related("matchday", "match", "table").order_by("matchday__number", "number"))
    berths = _berths(rows)
    lines = {line.id: line for line in match_lines([slot.match for slot in rows if slot.touched], user)}
    patience = timedelta(minutes=competition.forfeit_after_min)
    return [_match(slot, berths.get(slot.pk, []), lines.get(slot.match_id or 0), patience, now) for slot in rows]


def _berths(slots: Iterable[Slot]) -> dict[int, list[Berth]]:
    found: dict[int, list[Berth]] = {}
    # At a table of several the others play without whoever did not come.
    rows = Berth.objects.filter(slot__in=[slot.pk for slot in slots], entrant__isnull=False, absent_since=None)
    for berth in rows.select_related(*PEOPLE).order_by("number"):
        found.setdefault(berth.slot_id, []).append(berth)
    return found


def _match(
    slot: Slot, berths: Sequence[Berth], line: MatchLine | None, patience: timedelta, now: datetime
) -> OpenMatch:
    untouched = slot.match is not None and slot.match.state == Match.State.SCHEDULED
    missing = tuple(_missing(one, patience, now) for one in berths if one.awaited_since and untouched)
    return OpenMatch(
        slot_id=slot.pk,
        match_id=slot.match_id,
        round_number=slot.matchday.number,
        people=tuple(_person(one.entrant) for one in berths),
        table=slot.table.name if slot.table else "",
        reason=HeldBy.AWAITED if missing else _why(slot, line),
        missing=missing,
    )


def _missing(berth: Berth, patience: timedelta, now: datetime) -> Missing:
    waited = max(now - berth.awaited_since, timedelta())
    return Missing(_person(berth.entrant), berth.awaited_since, int(waited.total_seconds()) // 60, waited >= patience)


def _why(slot: Slot, line: MatchLine | None) -> HeldBy:
    """What is missing of a match without an official result, as the screen of tables tells it."""
    if slot.match is None:
        return HeldBy.UNKNOWN
    if line is None:
        return HeldBy.PLAYING if slot.match.state == Match.State.PLAYING else HeldBy.NO_RESULT
    if line.contested:
        return HeldBy.DIFFERS
    if line.needs_decision:
        return HeldBy.TO_DECIDE
    if line.no_result:
        return HeldBy.TO_MEND
    if line.checking:
        return HeldBy.CHECKING
    if any(not game.outcome.official for game in line.games):
        return HeldBy.UNCONFIRMED
    return HeldBy.PLAYING if line.games else HeldBy.NO_RESULT


def _no_winner(competition: Competition, stages: Sequence[Stage]) -> list[OpenMatch]:
    """Decided matches of a knock-out that nobody won: nobody goes on until an official decides."""
    knock_outs = [stage.pk for stage in stages if stage.is_knock_out]
    slots = Slot.objects.filter(matchday__stage__in=knock_outs, match__state=Match.State.DECIDED)
    if not knock_outs:
        return []
    won = winners_and_losers(slots.values_list("match", flat=True))
    rows = list(_without(slots, won))
    berths = _berths(rows) if rows else {}
    return [
        OpenMatch(
            slot.pk,
            slot.match_id,
            slot.matchday.number,
            tuple(_person(one.entrant) for one in berths.get(slot.pk, [])),
            slot.table.name if slot.table else "",
            HeldBy.NO_WINNER,
        )
        for slot in rows
    ]


def _without(slots: QuerySet[Slot], won: Mapping[int, object]) -> Iterable[Slot]:
    rows = (
        slots.filter(match__voided_by=None).select_related("matchday", "table").order_by("matchday__number", "number")
    )
    return (slot for slot in rows if slot.match_id not in won)
