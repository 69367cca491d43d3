"""Calls of an evening with a dispatcher: for the desk, and the next ones for everybody."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from league.competitions.draw.schedule.calling import is_on, next_calls
from league.competitions.draw.schedule.seating import FORGOTTEN
from league.competitions.models import Berth, Competition
from league.competitions.queries.check_in import LateSide, late_side
from league.matches.models import Match
from league.matches.queries.lines import OUTSIDER, MatchLine, match_lines
from league.matches.visibility import visible_matches
from league.players.models import PEOPLE

NEXT_SHOWN = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class CallLine:
    """A match that has not begun, for the desk.

    `match.table`: that of the call, else the forecast. `until`: end of the countdown; None if it was not called, or all
    are here. `nobody`: the time of every side is up.
    """

    match: Match
    sides: Sequence[LateSide]
    until: datetime | None
    now: datetime
    nobody: bool

    @property
    def over(self) -> bool:
        return self.until is not None and self.until <= self.now


@dataclass(frozen=True, slots=True, kw_only=True)
class Calls:
    """Matches of published rounds that have not begun.

    `called`: to a table, the earliest call first; `awaited`: with a side that is waited for, without a table;
    `coming`: the next ones to be called, and `more` of them that are not listed; `held`: on hold. `on`: the evening is
    being played.
    """

    on: bool
    called: Sequence[CallLine]
    awaited: Sequence[CallLine]
    coming: Sequence[CallLine]
    more: int
    held: Sequence[CallLine]


def calls_of(competition: Competition, now: datetime) -> Calls:
    """List the calls of a competition. Ask only for desk staff. Ten statements at most."""
    order = next_calls(competition, now) if competition.dispatches else []
    open_ones = Match.objects.filter(
        slot__matchday__stage__competition=competition, state=Match.State.SCHEDULED, published_at__isnull=False
    )
    by_slot = {match.slot.pk: match for match in open_ones.select_related("slot__matchday", "table").order_by("pk")}
    waiting = Berth.objects.filter(slot__match__in=open_ones, awaited_since__isnull=False)
    awaited = set(waiting.values_list("slot__match", flat=True))
    called = [one for one in by_slot.values() if one.called_at and one.called_at > now - FORGOTTEN]
    held = [one for one in by_slot.values() if one.on_hold]
    missing = [one for one in by_slot.values() if one.pk in awaited and one not in called and one not in held]
    coming = [by_slot[slot] for slot in order[:NEXT_SHOWN] if slot in by_slot]
    lines = _lines([*called, *held, *missing, *coming], timedelta(minutes=competition.forfeit_after_min), now)
    return Calls(
        on=is_on(competition, now),
        called=sorted((lines[one.pk] for one in called), key=lambda line: (line.match.called_at, line.match.pk)),
        awaited=[lines[one.pk] for one in missing],
        coming=[lines[one.pk] for one in coming],
        more=len(order) - len(coming),
        held=[lines[one.pk] for one in held],
    )


def coming_lines(competition: Competition, now: datetime, most: int) -> list[MatchLine]:
    """Return the next matches that the dispatcher will call, as the public sees them. Twelve statements at most."""
    if not competition.dispatches or not is_on(competition, now):
        return []
    order = {slot: place for place, slot in enumerate(next_calls(competition, now)[:most])}
    matches = visible_matches(OUTSIDER).filter(slot__in=order).select_related("slot")
    return match_lines(sorted(matches, key=lambda one: order[one.slot.pk]))


def _lines(matches: Iterable[Match], patience: timedelta, now: datetime) -> dict[int, CallLine]:
    rows = {match.pk: match for match in matches}
    berths: dict[int | None, list[Berth]] = {}
    known = Berth.objects.filter(slot__match__in=list(rows), entrant__isnull=False, absent_since=None)
    for berth in known.select_related(*PEOPLE, "slot").order_by("number"):
        berths.setdefault(berth.slot.match_id, []).append(berth)
    return {pk: _line(match, berths.get(pk, ()), patience, now) for pk, match in rows.items()}


def _line(match: Match, berths: Sequence[Berth], patience: timedelta, now: datetime) -> CallLine:
    sides = [late_side(berth, patience, now) for berth in berths]
    called = match.called_at + patience if match.called_at and not match.here_at else None
    ends = [one.until or called for one in sides]
    until = max(filter(None, [*ends, called]), default=None)
    nobody = bool(ends) and all(end is not None and end <= now for end in ends)
    return CallLine(match=match, sides=sides, until=until, now=now, nobody=nobody)
