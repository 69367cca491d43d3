"""Rows of a draw: matchdays, slots, berths, tables, start times, known matches."""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from django.db.models import Max, Min
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from league.competitions.draw.former_cards import former_identities
from league.competitions.draw.schedule.bookings import taken
from league.competitions.draw.schedule.seating import settle, top_boards, usable_tables, wishes_of
from league.competitions.draw.schedule.timetable import Bookings, Seat, Timetable, next_start
from league.competitions.formats.drawn import DrawnRound, DrawnSlot
from league.competitions.formats.registry import FEWEST
from league.competitions.formats.table_rounds import table_sizes
from league.competitions.job_progress import report
from league.competitions.models import Berth, Competition, Matchday, SeasonDate, Slot, Stage
from league.errors import Refused
from league.matches.logs.submission import Fixture, schedule_matches
from league.matches.models import KnownBy, Table
from league.matches.rules import rules_agreed
from league.players.models import Entrant, people_in

BATCH = 500


@dataclass(frozen=True, slots=True)
class Mark:
    """Pairing reasons of a slot (codes with facts), whether its pairing is locked, and whether its bye is requested."""

    reasons: Sequence[Mapping[str, object]]
    locked: bool = False
    for_stream: bool = False
    requested_bye: bool = False


def lay_out(competition: Competition, stage: Stage, entrants: Sequence[Entrant], *, results: str = "") -> None:
    """Store the whole draw of a stage for `entrants` in seed order.

    Its rounds follow the existing rounds. `results`: hash of the results that the draw is based on.
    """
    lay_out_rounds(competition, stage, rounds_of(stage, len(entrants)), entrants, results=results)


def lay_out_rounds(
    competition: Competition,
    stage: Stage,
    rounds: Sequence[DrawnRound],
    entrants: Sequence[Entrant],
    *,
    results: str = "",
    marks: Sequence[Mark] = (),
    printed: bool = False,
) -> list[list[Slot]]:
    """Store rounds that are already drawn; return their slots, round by round.

    `marks`: one for each slot of the first round. `printed`: give former matches their codes again, as in every draft
    of an unpublished competition.
    """
    report(20)
    days = Matchday.objects.bulk_create(_days(stage, rounds, results))
    slots = [_slots(day, one) for day, one in zip(days, rounds, strict=True)]
    for slot, mark in zip(slots[0] if marks else (), marks, strict=True):
        slot.reasons, slot.locked, slot.for_stream = list(mark.reasons), mark.locked, mark.for_stream
        slot.requested_bye = mark.requested_bye
    # Seats and matches first: one insert is faster than an insert and an update.
    _place(competition, rounds, slots, entrants)
    report(40)
    _schedule(competition, rounds, slots, entrants, printed=printed or competition.published_at is None)
    report(75)
    Slot.objects.bulk_create([slot for one in slots for slot in one], batch_size=BATCH)
    Berth.objects.bulk_create(_berths(rounds, slots, entrants), batch_size=BATCH)
    return slots


def fewest(stage: Stage) -> int:
    """Give the least number of entrants for the draw of a stage.

    After the first stage any two are enough: nobody else can qualify. Their layout leaves out what takes more.
    """
    return stage.spec.fewest(stage.format_settings) if stage.number == 1 else FEWEST


def refuse_if_too_few(stage: Stage, entrants: int) -> None:
    """Refuse too few entrants, and table sizes that the ruleset does not allow.

    Raises Refused `third-place`, `too-few`, `uneven-tables`.
    """
    if entrants >= fewest(stage):
        if stage.is_at_tables:
            _refuse_uneven_tables(stage, entrants)
        return
    if entrants >= FEWEST and stage.spec.has_third_place:
        raise Refused(
            "third-place",
            _(
                "A match for third place needs two semi-finals that are played: four entrants or more. "
                "Leave it out, or register more."
            ),
        )
    raise Refused(
        "too-few",
        _("This draw takes %(fewest)d entrants or more, and there are %(count)d."),
        fewest=fewest(stage),
        count=entrants,
    )


def _refuse_uneven_tables(stage: Stage, entrants: int) -> None:
    competition = stage.competition
    rules = rules_agreed(competition.ruleset, competition.options)
    wrong = [size for size in table_sizes(entrants, stage.seats) if rules and not rules.seats_allowed(size)]
    if wrong:
        raise Refused(
            "uneven-tables",
            _("%(count)d entrants make tables of %(size)d, and the ruleset of %(competition)s does not take so many."),
            count=entrants,
            size=wrong[0],
            competition=competition,
        )


def rounds_of(stage: Stage, entrants: int, *, late: Sequence[int] = ()) -> list[DrawnRound]:
    """Draw all rounds of a stage's format; empty if rounds are paired one at a time.

    `late`: slots of a knock-out's first round whose byes late entries took, beside the `entrants`.
    """
    return stage.spec.layout(entrants, replace(stage.format_settings, late=tuple(late)))


def _slots(day: Matchday, one: DrawnRound) -> list[Slot]:
    return [
        Slot(
            matchday=day,
            number=number,
            third_place=drawn.third_place,
            group=drawn.group,
            conditional=drawn.conditional,
        )
        for number, drawn in enumerate(one.slots, start=1)
    ]


def _days(stage: Stage, rounds: Sequence[DrawnRound], results: str) -> Iterator[Matchday]:
    """Number new matchdays after the competition's last one, and within their section."""
    before = Matchday.objects.filter(stage__competition=stage.competition_id)
    last = before.aggregate(last=Max("number"))["last"] or 0
    nth = Counter(before.filter(stage=stage).values_list("section", flat=True))
    for number, one in enumerate(rounds, start=last + 1):
        nth[one.section.value] += 1
        yield Matchday(
            stage=stage,
            number=number,
            kind=Matchday.Kind.DECIDER if all(slot.conditional for slot in one.slots) else one.kind.value,
            section=one.section.value,
            nth=nth[one.section.value],
            # Later rounds of a stage follow from its own results, which come later.
            results_hash=results if number == last + 1 else "",
        )


def _berths(
    rounds: Sequence[DrawnRound], slots: Sequence[Sequence[Slot]], entrants: Sequence[Entrant]
) -> Iterable[Berth]:
    for one, rows in zip(rounds, slots, strict=True):
        for drawn, slot in zip(one.slots, rows, strict=True):
            for number, berth in enumerate(drawn.berths, start=1):
                source = berth.source
                yield Berth(
                    slot=slot,
                    number=number,
                    entrant=entrants[berth.seed - 1] if berth.seed else None,
                    from_slot=slots[source.round_number - 1][source.slot_number - 1] if source else None,
                    takes=(Berth.Takes.LOSER if source.loser else Berth.Takes.WINNER) if source else "",
                )


# --- Tables and hours ---


def _place(
    competition: Competition, rounds: Sequence[DrawnRound], slots: Sequence[Sequence[Slot]], entrants: Sequence[Entrant]
) -> None:
    tables = {table.pk: table for table in usable_tables(competition)}
    played = [
        [(slot, drawn) for slot, drawn in zip(rows, one.slots, strict=True) if not drawn.is_bye]
        for one, rows in zip(rounds, slots, strict=True)
    ]
    first = slots[0][0].matchday if slots else None
    dates, zone = _dates_from(competition, first), ZoneInfo(competition.league.time_zone)
    timetable = Timetable(
        starts_at=_start_of(competition, first),
        zone=zone,
        minutes=competition.minutes,
        days_between=competition.days_between or _last_pause(dates, zone),
        tables=list(tables),
        taken=taken(competition, since=competition.starts_at) if competition.starts_at else Bookings(),
        dates=dates,
        wishes=wishes_of(competition),
        people={one.pk: people_in(one) for one in entrants},
    )
    known = [
        [[entrants[berth.seed - 1].pk for berth in drawn.berths if berth.seed] for _slot, drawn in one]
        for one in played
    ]
    boards = [
        [place for place, (slot, _drawn) in enumerate(one) if slot.for_stream] or board
        for one, board in zip(played, _top_boards(competition, first, played, known), strict=True)
    ]
    for one, seats, board in zip(played, timetable.plan(known, streamed=boards), boards, strict=True):
        for place, ((slot, _drawn), seat) in enumerate(zip(one, seats, strict=True)):
            _seat(slot, seat, tables)
            slot.for_stream = place in board


def _top_boards(
    competition: Competition,
    first: Matchday | None,
    played: Sequence[Sequence[tuple[Slot, DrawnSlot]]],
    known: Sequence[Sequence[Sequence[int]]],
) -> list[Collection[int]]:
    drawn = [[one for _slot, one in both] for both in played]
    paired = first is not None and first.stage.is_paired_by_round
    return top_boards(competition, known, drawn, in_order=paired)


def _start_of(competition: Competition, first: Matchday | None) -> datetime | None:
    """Give the start: that of the competition, or the next one after earlier rounds.

    A stage or round that is paired late begins when it is paired.
    """
    if competition.starts_at is None or first is None:
        return competition.starts_at
    return _start_after(competition, first, competition.days_between) or competition.starts_at


def _start_after(competition: Competition, first: Matchday, days_between: int) -> datetime | None:
    """Give the next start after the rounds before `first`; None if those have no hours."""
    before = Slot.objects.filter(
        matchday__stage__competition=competition, matchday__number__lt=first.number, starts_at__isnull=False
    ).aggregate(last=Max("starts_at"))
    if before["last"] is None:
        return None
    last_day = Slot.objects.filter(
        matchday__stage__competition=competition, matchday__number=first.number - 1, starts_at__isnull=False
    ).aggregate(start=Min("starts_at"))["start"]
    over: datetime = before["last"] + timedelta(minutes=competition.minutes)
    if days_between:
        return next_start(last_day or before["last"], over, days_between, ZoneInfo(competition.league.time_zone))
    return max(over, _in_five_minutes(timezone.now()))


def next_date(competition: Competition, day: Matchday) -> datetime | None:
    """Give the date of a round that is added to a draw over several days; None for a single evening.

    The season's date of its number; after the last one as long after it as that was after the one before.
    """
    if dates := _dates_from(competition, day):
        return dates[0]
    all_dates = SeasonDate.objects.filter(season__divisions__competition=competition).order_by("number")
    zone = ZoneInfo(competition.league.time_zone)
    pause = competition.days_between or _last_pause(list(all_dates.values_list("starts_at", flat=True)), zone)
    return _start_after(competition, day, pause) if pause else None


def _dates_from(competition: Competition, first: Matchday | None) -> list[datetime]:
    """Give the season's dates, for a division, from the first drawn round on."""
    if first is None:
        return []
    dates = SeasonDate.objects.filter(season__divisions__competition=competition, number__gte=first.number)
    return list(dates.order_by("number").values_list("starts_at", flat=True))


def _last_pause(dates: Sequence[datetime], zone: ZoneInfo) -> int:
    """Give the days between the last two dates in `zone`, for rounds without a date."""
    days = [at.astimezone(zone).date() for at in dates[-2:]]
    return (days[1] - days[0]).days if len(days) > 1 else 0


def _in_five_minutes(now: datetime) -> datetime:
    """Round up to the next full five minutes."""
    return now.replace(second=0, microsecond=0) + timedelta(minutes=5 - now.minute % 5)


def _seat(slot: Slot, seat: Seat, tables: Mapping[int, Table]) -> None:
    slot.table = tables[seat.table] if seat.table else None
    slot.starts_at = seat.starts_at


# --- Matches ---


def _schedule(
    competition: Competition,
    rounds: Sequence[DrawnRound],
    slots: Sequence[Sequence[Slot]],
    entrants: Sequence[Entrant],
    *,
    printed: bool,
) -> None:
    """Make a match for each slot of a new draw with all berths known."""
    ready = [
        (slot, [entrants[berth.seed - 1] for berth in drawn.berths])
        for one, rows in zip(rounds, slots, strict=True)
        for drawn, slot in zip(one.slots, rows, strict=True)
        if not drawn.is_bye and all(berth.seed for berth in drawn.berths)
    ]
    fixtures = [_fixture(competition, slot, both) for slot, both in ready]
    if printed:
        fixtures = _with_printed_codes(competition, ready, fixtures)
    matches = schedule_matches(fixtures)
    for (slot, _both), match in zip(ready, matches, strict=True):
        slot.match = match


def _with_printed_codes(
    competition: Competition, ready: Sequence[tuple[Slot, Sequence[Entrant]]], fixtures: Sequence[Fixture]
) -> list[Fixture]:
    """Give each match that was published before, at the same place, its key and codes again."""
    codes = former_identities(competition)
    places = [(slot.matchday.place, slot.number, frozenset(one.pk for one in both)) for slot, both in ready]
    return [replace(one, identity=codes.get(place)) for one, place in zip(fixtures, places, strict=True)]


def schedule_known(competition: Competition, slots: Iterable[Slot]) -> int:
    """Make a match for each slot without a match whose entrants are all known.

    Absent entrants do not count. A match is published if its matchday is. Returns the number of matches.
    """
    open_slots = {slot.pk: slot for slot in slots if slot.match_id is None}
    known: dict[int, list[Entrant | None]] = {}
    rows = Berth.objects.filter(slot__in=open_slots, absent_since=None).select_related("entrant")
    for berth in rows.order_by("slot", "number"):
        known.setdefault(berth.slot_id, []).append(berth.entrant)
    ready = [slot for slot in open_slots.values() if len(who := known.get(slot.pk, ())) > 1 and all(who)]
    tables = {slot.pk: slot.table for slot in settle(competition, ready)}
    for slot in ready:
        slot.table = tables.get(slot.pk, slot.table)
    matches = schedule_matches([_fixture(competition, slot, known[slot.pk]) for slot in ready])
    for slot, match in zip(ready, matches, strict=True):
        slot.match = match
    Slot.objects.bulk_update(ready, ["match"], batch_size=BATCH)
    return len(ready)


def _fixture(competition: Competition, slot: Slot, entrants: Sequence[Entrant]) -> Fixture:
    return Fixture(
        league=competition.league,
        entrants=entrants,
        ruleset=competition.ruleset,
        options=competition.options,
        best_of=competition.games_in(slot.matchday, third_place=slot.third_place),
        table=slot.table,
        starts_at=slot.starts_at,
        published_at=slot.matchday.published_at,
        level=KnownBy(competition.final_level if is_final(slot) else competition.level),
        opener=opener(competition, slot.matchday, third_place=slot.third_place),
    )


def opener(competition: Competition, day: Matchday, *, third_place: bool = False) -> int:
    """Give the partner of a pair who opens.

    Partners alternate within a match; if a match is one game, they alternate from round to round.
    """
    return 2 if competition.games_in(day, third_place=third_place) == 1 and day.number % 2 == 0 else 1


def is_final(slot: Slot) -> bool:
    """Tell whether a slot is in the last round of a knock-out.

    The matches for the cup, its deciding match, and for third place.
    """
    return slot.matchday.kind in {Matchday.Kind.FINAL, Matchday.Kind.DECIDER}


def begin(stage: Stage) -> Matchday:
    """Make a ladder's first round, which takes the challenges.

    Requires the caller's transaction and lock.
    """
    last = Matchday.objects.filter(stage__competition=stage.competition_id).aggregate(last=Max("number"))["last"] or 0
    nth = stage.matchdays.count() + 1
    return Matchday.objects.create(stage=stage, number=last + 1, nth=nth, kind=Matchday.Kind.ROUND)
