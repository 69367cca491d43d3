"""Matches added to a round robin without byes, for a late entry who meets everybody who is there.

They are in upcoming rounds whose players are free, and in new rounds after the last one; what is drawn stays.
"""

from collections.abc import Collection, Mapping, Sequence

from django.db.models import Max

from league.competitions.draw.reopening import reason_against
from league.competitions.draw.schedule.seating import rounds_under_way
from league.competitions.entrants import standing_withdrawals
from league.competitions.formats.late_matches import rounds_for
from league.competitions.formats.registry import FormatSettings
from league.competitions.models import Berth, Matchday, Slot, Stage
from league.players.models import PEOPLE, Entrant


def added_matches(stage: Stage, group: int = 0) -> list[tuple[Slot, Entrant, int]]:
    """Plan the matches of one more entrant: slot, opponent, and the berth of the late entry.

    In the order of the rounds. Slots are not stored yet, nor are new rounds. None while the draw can be reopened
    instead, nor after its end. A constant number of statements.
    """
    if stage.finished_at is not None or reason_against(stage.competition) is None:
        return []
    days = list(Matchday.objects.filter(stage=stage).select_related("stage").order_by("number"))
    opponents = _opponents(stage, group) * _meetings(stage)
    upcoming = _upcoming(stage, days)
    busy = _busy(upcoming)
    everybody = {one.pk for one in opponents}
    numbers = rounds_for([one.pk for one in opponents], [everybody - busy[day.pk] for day in upcoming])
    new = [_after(days[-1], at) for at in range(1, len(opponents) + 1)]
    rows = zip(numbers, range(len(opponents)), opponents, strict=True)
    return [
        (Slot(matchday=[*upcoming, *new][number], group=group), opponent, 2 - (at + at // len(everybody)) % 2)
        for number, at, opponent in sorted(rows, key=lambda one: one[:2])
    ]


def _opponents(stage: Stage, group: int) -> list[Entrant]:
    """Entrants of the group who have not left, in seed order."""
    berths = Berth.objects.filter(slot__matchday__stage=stage, slot__group=group)
    rows = stage.competition.registrations.filter(entrant__in=berths.values("entrant")).select_related(*PEOPLE)
    gone = standing_withdrawals(stage.competition).values("entrant")
    return [one.entrant for one in rows.exclude(entrant__in=gone).order_by("seed")]


def _meetings(stage: Stage) -> int:
    """Number of matches between the same two: the rounds of the smallest draw."""
    groups = max(stage.groups, 1)
    return len(stage.spec.layout(2 * groups, FormatSettings(groups=stage.groups)))


def _upcoming(stage: Stage, days: Sequence[Matchday]) -> list[Matchday]:
    under_way = rounds_under_way(Slot.objects.filter(matchday__stage=stage))
    return [day for day in days if day.pk not in under_way]


def _busy(days: Collection[Matchday]) -> Mapping[int, set[int]]:
    """Entrants with a match or a bye, by round."""
    found: dict[int, set[int]] = {day.pk: set() for day in days}
    rows = Berth.objects.filter(slot__matchday__in=list(found), entrant__isnull=False)
    for day, entrant in rows.values_list("slot__matchday", "entrant"):
        found[day].add(entrant)
    return found


def _after(last: Matchday, more: int) -> Matchday:
    return Matchday(
        stage=last.stage,
        number=last.number + more,
        nth=last.nth + more,
        kind=last.kind,
        published_at=last.published_at,
        published_by_id=last.published_by_id,
    )


def store(slot: Slot, opponent: Entrant) -> None:
    """Store a planned slot with its opponent in the first berth, and its round if that is new.

    Requires the caller's transaction and lock.
    """
    day = slot.matchday
    if day._state.adding:
        day.save()
    slot.matchday = day
    last = Slot.objects.filter(matchday=day).aggregate(last=Max("number"))["last"]
    slot.number = (last or 0) + 1
    slot.save()
    Berth.objects.create(slot=slot, number=1, entrant=opponent)
