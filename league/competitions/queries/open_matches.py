"""Open matches of a competition by reason: all are counted, the first are named."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta

from django.db.models import Case, CharField, Count, Exists, F, OuterRef, Q, QuerySet, Value, When

from league.competitions.models import Berth, Competition, Slot, Stage
from league.competitions.models.draw import IS_PLAYED
from league.competitions.official_results import winners_and_losers
from league.competitions.queries.next_step import DayPerson, DayRound, HeldBy, Missing, OpenMatch, OpenMatches
from league.matches.models import KnownBy, Match, Record, Result
from league.matches.queries.lines import people_of
from league.players.models import PEOPLE, Entrant

NAMED = 12
"""Number of people or matches that are named; the others are counted."""

IN_ORDER = ("matchday__number", "number")


def open_matches(
    competition: Competition, rounds: Sequence[DayRound], current: DayRound | None, now: datetime
) -> tuple[OpenMatches, ...]:
    """Open matches of published rounds up to the current round, by reason.

    The most urgent reason first; contested matches of earlier rounds are included. Three statements.
    """
    if current is None:
        return ()
    numbers = [one.number for one in rounds if one.shown and one.number <= current.number]
    slots = Slot.objects.filter(IS_PLAYED, matchday__stage__competition=competition, matchday__number__in=numbers)
    slots = slots.filter(not_needed=False).exclude(match__state=Match.State.DECIDED)
    waiting: dict[HeldBy, list[int]] = {reason: [] for reason in HeldBy}
    for slot, reason in slots.annotate(reason=_why()).order_by(*IN_ORDER).values_list("pk", "reason"):
        waiting[HeldBy(reason)].append(slot)
    return _counted({reason: found for reason, found in waiting.items() if found}, competition, now)


def nobody_won(competition: Competition, stages: Iterable[Stage], now: datetime) -> OpenMatches | None:
    """Decided matches of a knock-out without a winner.

    No entrant goes on until an official decides.
    """
    knock_outs = [stage.pk for stage in stages if stage.is_knock_out]
    if not knock_outs:
        return None
    decided = Slot.objects.filter(matchday__stage__in=knock_outs, match__state=Match.State.DECIDED)
    level = dict(decided.filter(~_won(), match__voided_by=None).order_by(*IN_ORDER).values_list("pk", "match"))
    won = winners_and_losers(level.values()) if level else {}
    found = [slot for slot, match in level.items() if match not in won]
    return next(iter(_counted({HeldBy.NO_WINNER: found} if found else {}, competition, now)), None)


def _counted(slots: Mapping[HeldBy, Sequence[int]], competition: Competition, now: datetime) -> tuple[OpenMatches, ...]:
    patience = timedelta(minutes=competition.forfeit_after_min)
    named = _named({reason: found[:NAMED] for reason, found in slots.items()}, patience, now)
    if competition.dispatches and HeldBy.AWAITED in named:
        # With table calls such a match gives its table to the next one.
        named[HeldBy.AWAITED] = tuple(replace(one, table="") for one in named[HeldBy.AWAITED])
    return tuple(OpenMatches(reason, len(found), named[reason]) for reason, found in slots.items())


def person(entrant: Entrant) -> DayPerson:
    return DayPerson(entrant.code, str(entrant), entrant.full_name, entrant.apart, people_of(entrant))


# --- Reasons ---


def _why() -> Case:
    """Reason of a slot without an official result, as on the page of tables.

    The same reasons follow from the line of a match (`match_lines`); here they are found without reading it.
    """
    logs = Record.objects.filter(game__match=OuterRef("match"), kind=KnownBy.LOG)
    results = Result.objects.filter(game__match=OuterRef("match"), current=True)
    no_result = logs.exclude(game__results__current=True)
    untouched = ~Exists(Record.objects.filter(game__match=OuterRef("match")))
    playing = Q(untouched, match__state=Match.State.PLAYING)
    return Case(
        When(_awaited(), then=_told(HeldBy.AWAITED)),
        When(match=None, then=_told(HeldBy.UNKNOWN)),
        When(Exists(results.filter(contested=True)), then=_told(HeldBy.DIFFERS)),
        When(Exists(results.filter(needs_decision=True)), then=_told(HeldBy.TO_DECIDE)),
        When(Exists(no_result), then=_told(HeldBy.TO_MEND)),
        When(Exists(logs.filter(state=Record.State.RECEIVED)), then=_told(HeldBy.CHECKING)),
        When(Exists(results.exclude(state=Result.State.OFFICIAL)), then=_told(HeldBy.UNCONFIRMED)),
        When(playing | Q(Exists(results)), then=_told(HeldBy.PLAYING)),
        default=_told(HeldBy.NO_RESULT),
        output_field=CharField(),
    )


def _told(reason: HeldBy) -> Value:
    return Value(reason.value)


def _awaited() -> Q:
    """Condition: a side is missing at a match that has not begun."""
    absent = _seated().filter(slot=OuterRef("pk"), awaited_since__isnull=False)
    return Q(match__state=Match.State.SCHEDULED) & Q(Exists(absent))


def _seated() -> QuerySet[Berth]:
    """Berths without absent entrants.

    At a table of several the others play without them.
    """
    return Berth.objects.filter(entrant__isnull=False, absent_since=None)


def _won() -> Exists:
    """Condition of a slot: a side has officially won more than half of the games."""
    results = Result.objects.filter(
        game__match=OuterRef("match"), current=True, state=Result.State.OFFICIAL, winner__isnull=False
    )
    by_winner = results.order_by().values("winner").annotate(won=Count("pk"), of=F("game__match__best_of"))
    return Exists(by_winner.filter(won__gt=F("of") / 2))


# --- Named matches ---


def _named(
    slots: Mapping[HeldBy, Sequence[int]], patience: timedelta, now: datetime
) -> dict[HeldBy, tuple[OpenMatch, ...]]:
    """The matches of these slots, with the reason of each. Two statements."""
    listed = [slot for found in slots.values() for slot in found]
    rows = Slot.objects.filter(pk__in=listed).select_related("matchday", "table").in_bulk()
    berths: dict[int, list[Berth]] = {}
    for berth in _seated().filter(slot__in=listed).select_related(*PEOPLE).order_by("number"):
        berths.setdefault(berth.slot_id, []).append(berth)
    return {
        reason: tuple(_match(rows[slot], berths.get(slot, []), reason, patience, now) for slot in found)
        for reason, found in slots.items()
    }


def _match(slot: Slot, berths: Sequence[Berth], reason: HeldBy, patience: timedelta, now: datetime) -> OpenMatch:
    awaited = berths if reason is HeldBy.AWAITED else ()
    return OpenMatch(
        slot_id=slot.pk,
        match_id=slot.match_id,
        round_number=slot.matchday.number,
        people=tuple(person(one.entrant) for one in berths),
        table=slot.table.name if slot.table else "",
        reason=reason,
        missing=tuple(_missing(one, patience, now) for one in awaited if one.awaited_since),
    )


def _missing(berth: Berth, patience: timedelta, now: datetime) -> Missing:
    waited = max(now - berth.awaited_since, timedelta())
    return Missing(person(berth.entrant), berth.awaited_since, int(waited.total_seconds()) // 60, waited >= patience)
