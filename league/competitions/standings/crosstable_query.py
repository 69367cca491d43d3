"""Meetings of some entrants in a stage with a table, for draws of any size."""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import NamedTuple

from django.db.models import Exists, OuterRef, Q

from league.competitions.models import Competition, Matchday, Slot, Stage
from league.competitions.standings.compute import HowPlayed, Played
from league.competitions.standings.facts import TableSlot, table_days
from league.competitions.standings.table import played
from league.matches.models import Amendment, Match, Result


@dataclass(frozen=True, slots=True)
class CrossMeeting:
    """A slot of the draw as one entrant sees it.

    `opponent_id`: None for a bye, which the entrant may have `requested`. `match`: None if hidden from the asker.
    `games` won and `points` are None while the match is unfinished; `won`: None for a draw. `contested`: two records of
    a game differ. `amendment_waits`: a proposed amendment of an official result is undecided. `amended`: a result was
    amended.
    """

    round_number: int
    opponent_id: int | None
    match: int | None
    won: bool | None = None
    over: bool = False
    games: tuple[int, int] | None = None
    points: tuple[int, int] | None = None
    best_of: int = 1
    forfeited: bool = False
    provisional: bool = False
    needs_decision: bool = False
    contested: bool = False
    amendment_waits: bool = False
    amended: bool = False
    requested: bool = False

    @property
    def under_review(self) -> bool:
        """Under review, as in the standings (`under_review.py`)."""
        return self.needs_decision or self.contested or self.amendment_waits


class _Doubts(NamedTuple):
    contested: bool
    amendment_waits: bool
    amended: bool


NO_DOUBT = _Doubts(contested=False, amendment_waits=False, amended=False)


def meetings(
    competition: Competition,
    stage: Stage,
    entrants: Collection[int],
    *,
    group: int = 0,
    against: Collection[int] | None = None,
) -> dict[int, list[CrossMeeting]]:
    """Give each entrant's meetings by round, as the asker may see them.

    The asker is that of `seen_competition`. `against`: with these opponents only. Provisional results count, and are
    marked. Six statements for any number of entrants.
    """
    days = list(Matchday.objects.filter(stage=stage).select_related("stage").order_by("number"))
    slots = Slot.objects.filter(matchday__stage=stage, group=group, berths__entrant__in=list(entrants))
    if against is not None:
        slots = slots.filter(berths__entrant__in=list(against))
    wanted = list(slots.distinct().values_list("pk", flat=True))
    found: dict[int, list[CrossMeeting]] = {one: [] for one in entrants}
    doubts = _doubts(wanted)
    for day in table_days(days, everything=competition.for_staff, only=wanted):
        for slot in day.slots:
            if slot.published or competition.for_staff:
                for one, met in _seen_by_each(slot, doubts):
                    if one in found and (against is None or met.opponent_id in against):
                        found[one].append(met)
    return found


def _doubts(slots: Collection[int]) -> dict[int, _Doubts]:
    """Give matches in these slots with doubts about their result, by match.

    One statement.
    """
    now = Result.objects.filter(current=True, game__match=OuterRef("pk"))
    asked = Amendment.objects.filter(game__match=OuterRef("pk"), state=Amendment.State.PROPOSED)
    matches = Match.objects.filter(slot__in=slots).annotate(
        contested=Exists(now.filter(contested=True)),
        amendment_waits=Exists(asked),
        amended=Exists(now.filter(confirmed_how=Result.Confirmation.AMENDED)),
    )
    some = matches.filter(Q(contested=True) | Q(amendment_waits=True) | Q(amended=True))
    return {pk: _Doubts(*told) for pk, *told in some.values_list("pk", *_Doubts._fields)}


def _seen_by_each(slot: TableSlot, doubts: Mapping[int, _Doubts]) -> Iterator[tuple[int, CrossMeeting]]:
    if slot.bye:
        met = CrossMeeting(slot.round_number, None, None, over=True, requested=slot.requested_bye)
        yield from ((one, met) for one in slot.entrant_ids)
    elif len(slot.entrant_ids) == 2:
        first, second = slot.entrant_ids
        end = played(slot, official_only=False) if slot.match else None
        sure = end is None or played(slot, official_only=True) is not None
        for one, other in ((first, second), (second, first)):
            met = _met(slot, end, one, other, provisional=not sure)
            told = doubts.get(met.match, NO_DOUBT) if met.match else NO_DOUBT
            yield one, replace(met, **told._asdict())


def _met(slot: TableSlot, end: Played | None, one: int, other: int, *, provisional: bool) -> CrossMeeting:
    match = slot.match
    undecided = match is not None and any(game.outcome.needs_decision for game in match.games)
    to_come = CrossMeeting(
        round_number=slot.round_number,
        opponent_id=other,
        match=match.id if match else None,
        best_of=match.best_of if match else 1,
        needs_decision=undecided,
    )
    if end is None:
        return to_come
    games = end.games or {}
    return replace(
        to_come,
        won=None if end.winner is None else end.winner == one,
        over=True,
        games=(games.get(one, 0), games.get(other, 0)),
        points=(end.points.get(one, 0), end.points.get(other, 0)),
        forfeited=end.kind == HowPlayed.FORFEIT,
        provisional=provisional,
    )


def rounds_shown(competition: Competition, stage: Stage) -> list[int]:
    """List the rounds visible to the asker of `seen_competition`. One statement."""
    days = Matchday.objects.filter(stage=stage)
    shown = days if competition.for_staff else days.filter(published_at__isnull=False)
    return list(shown.order_by("number").values_list("number", flat=True))
