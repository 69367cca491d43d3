"""Empty seats at tables of more than two.

A seat is empty where the draw left one free, or where an entrant has left.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from league.competitions.draw.schedule.bookings import SHOWN, undecided_slots
from league.competitions.draw.schedule.seating import begun
from league.competitions.models import Berth, Matchday, Slot, Stage
from league.competitions.models.draw import MOST_BERTHS
from league.matches.models import Match
from league.matches.rules import rules_agreed
from league.players.models import PEOPLE, Entrant, people_in

FEWEST_THERE = 2


@dataclass(frozen=True, slots=True)
class FreeSeat:
    """An empty seat at a table.

    `company`: the entrants at the table; `running`: its round has begun at other tables.
    """

    slot: Slot
    company: Sequence[Entrant]
    running: bool


@dataclass(frozen=True, slots=True)
class FreeSeats:
    """One empty seat a round, at the table whose company the entrant has met least.

    `missed`: number of rounds that are over; `full`: rounds still to be played without an empty seat.
    """

    seats: Sequence[FreeSeat]
    missed: int
    full: Sequence[Matchday]


def free_seats(stage: Stage) -> FreeSeats:
    """Find the empty seats of a stage for one more entrant. Six statements at most."""
    days = list(Matchday.objects.filter(stage=stage).select_related("stage").order_by("number"))
    slots = Slot.objects.filter(matchday__in=days).exclude(match=None).select_related("matchday__stage", "match")
    rows = {slot.pk: slot for slot in slots.order_by("matchday__number", "number")}
    touched = set(Match.objects.filter(begun(), slot__in=rows).values_list("slot", flat=True))
    berths = _berths(rows)
    takes = _sizes(stage)
    met: Counter[int] = Counter()
    seats, missed, full = [], 0, []
    for day in days:
        own = [slot for slot in rows.values() if slot.matchday_id == day.pk]
        if all(slot.match.state == Match.State.DECIDED for slot in own):
            missed += 1
            continue
        free = [
            FreeSeat(slot, there, running=any(one.pk in touched for one in own))
            for slot in own
            if slot.pk not in touched and (there := _company(berths[slot.pk], takes)) is not None
        ]
        if not free:
            full.append(day)
            continue
        best = min(free, key=lambda one: (sum(met[who.pk] for who in one.company), len(one.company), one.slot.number))
        met.update(who.pk for who in best.company)
        seats.append(best)
    return FreeSeats(seats, missed, full)


def _berths(slots: Collection[int]) -> dict[int, list[Berth]]:
    found: dict[int, list[Berth]] = {}
    rows = Berth.objects.filter(slot__in=slots).select_related(*PEOPLE)
    for berth in rows.order_by("slot", "number"):
        found.setdefault(berth.slot_id, []).append(berth)
    return found


def _sizes(stage: Stage) -> frozenset[int]:
    """Numbers of people allowed at a table, by the stage and its rules."""
    competition = stage.competition
    rules = rules_agreed(competition.ruleset, competition.options)
    return frozenset(size for size in range(2, stage.seats + 1) if rules is None or rules.seats_allowed(size))


def _company(berths: Sequence[Berth], takes: Collection[int]) -> list[Entrant] | None:
    """Entrants at the table, or None if nobody else may sit down there."""
    there = [berth.entrant for berth in berths if berth.absent_since is None]
    room = len(there) >= FEWEST_THERE and len(there) + 1 in takes and berths[-1].number < MOST_BERTHS
    return there if room else None


def clashes(slots: Iterable[Slot], entrant: Entrant) -> set[int]:
    """Find slots of one stage that clash with other matches of the entrant's players.

    Keys of the slots at whose hours one of the players is to play elsewhere in the league. One statement.
    """
    timed = [slot for slot in slots if slot.starts_at]
    if not timed:
        return set()
    people, stage = people_in(entrant), timed[0].matchday.stage
    hours = [slot.starts_at for slot in timed]
    length = timedelta(minutes=stage.competition.minutes)
    others = undecided_slots(stage.competition.league_id).filter(
        SHOWN, starts_at__gt=min(hours) - timedelta(days=1), starts_at__lt=max(hours) + length
    )
    busy: list[tuple[datetime, datetime]] = []
    columns = [f"berths__{one}" for one in PEOPLE]
    for begin, minutes, *who in others.values_list("starts_at", "matchday__stage__competition__minutes", *columns):
        if any(one in people for one in who if one):
            busy.append((begin, begin + timedelta(minutes=minutes)))
    return {
        slot.pk
        for slot in timed
        if any(begin < slot.starts_at + length and end > slot.starts_at for begin, end in busy)
    }
