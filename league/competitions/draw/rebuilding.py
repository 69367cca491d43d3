"""Rebuild check: compare stored rows with those recomputed from official results."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from league.competitions.draw.qualifying import GoingOn, going_on
from league.competitions.entrants import how_many, rounds_to_pair
from league.competitions.models import Berth, Competition, Slot, Stage
from league.matches.models import Match, Result, Side
from league.matches.results.match_outcome import GameOutcome, Standing, official_standing, provisional_standing

Sides = dict[int, int]


@dataclass(frozen=True, slots=True)
class Disagreement:
    """A difference between a stored row and the official results.

    `where` is a row ("slot 12, berth 1"), `what` a fact of it; `says` is stored, `should` follows from the results.
    """

    where: str
    what: str
    says: object
    should: object

    def __str__(self) -> str:
        return f"{self.where}: {self.what} is {self.says}, should be {self.should}"


@dataclass(frozen=True, slots=True)
class _End:
    """End of a match by its current results.

    `state` is None without results; `winner` and `loser` are entrants.
    """

    state: str | None
    winner: int | None = None
    loser: int | None = None


def differences(competition: Competition) -> list[Disagreement]:
    """List all differences; empty if a rebuild gives the same rows.

    Reads draw, sides and results. The first round and byes are taken from the draw, but in a published knock-out that
    follows a table, entrants are taken from the table. A berth marked `stands_although` is checked: it needs the mark,
    and its match is between the entrants of its slot. Four statements, and a constant number for each group of a table
    that leads to a next stage.
    """
    slots = list(_slots(competition))
    sides = _sides(slot.match_id for slot in slots)
    ends = _ends([slot.match for slot in slots if slot.match], sides)
    by_id = {slot.pk: slot for slot in slots}
    found: list[Disagreement] = []
    led = {one.stage.pk: one for stage in competition.stages.order_by("number") if (one := going_on(stage))}
    for slot in slots:
        if not _is_dropped(competition, slot):
            found += _berths(slot, by_id, ends, led.get(slot.matchday.stage_id))
            found += _match(slot, sides, ends)
    return [*found, *_stages(slots, ends)]


def _slots(competition: Competition) -> Iterable[Slot]:
    rows = Slot.objects.filter(matchday__stage__competition=competition).select_related("match", "matchday__stage")
    return rows.prefetch_related("berths").order_by("matchday__stage__number", "matchday__number", "number")


def _sides(match_ids: Iterable[int | None]) -> dict[int, Sides]:
    sides: dict[int, Sides] = {}
    for match, number, entrant in Side.objects.filter(match__in=[one for one in match_ids if one]).values_list(
        "match", "number", "entrant"
    ):
        sides.setdefault(match, {})[number] = entrant
    return sides


def _ends(matches: list[Match], sides: Mapping[int, Sides]) -> dict[int, _End]:
    games: dict[int, list[GameOutcome]] = {}
    rows = Result.objects.filter(game__match__in=matches, current=True)
    for match, winner, state, undecided in rows.values_list("game__match", "winner", "state", "needs_decision"):
        outcome = GameOutcome(winner, official=state == Result.State.OFFICIAL, needs_decision=undecided)
        games.setdefault(match, []).append(outcome)
    return {match.pk: _end(match, games.get(match.pk, []), sides.get(match.pk, {})) for match in matches}


def _end(match: Match, games: list[GameOutcome], sides: Sides) -> _End:
    if not games:
        return _End(None)
    official = official_standing(match.best_of, games, sides=len(sides) or 2)
    if not official.over:
        waits = provisional_standing(match.best_of, games, sides=len(sides) or 2).over or len(games) == match.best_of
        return _End(Match.State.PROVISIONAL if waits else Match.State.PLAYING)
    return _End(Match.State.DECIDED, *_two(official, sides))


def _two(official: Standing, sides: Sides) -> tuple[int | None, int | None]:
    if official.winner is None or len(sides) != 2:
        return None, None
    return sides[official.winner], next(one for number, one in sides.items() if number != official.winner)


def _berths(
    slot: Slot, slots: Mapping[int, Slot], ends: Mapping[int, _End], led: GoingOn | None
) -> Iterator[Disagreement]:
    for berth in slot.berths.all():
        where = f"slot {slot.pk}, berth {berth.number}"
        drawn = berth.from_slot_id is None and led is not None
        should = led.instead(berth.entrant_id) if drawn and led else _comes(slot, berth, slots, ends)
        if berth.stands_although_id is not None:
            if berth.entrant_id == should:
                yield Disagreement(where, "mark", "stands although", "none")
        elif berth.entrant_id != should:
            yield Disagreement(where, "entrant", berth.entrant_id, should)


def _comes(slot: Slot, berth: Berth, slots: Mapping[int, Slot], ends: Mapping[int, _End]) -> int | None:
    """Give the entrant due in a berth: from the earlier slot, or from the draw."""
    if berth.from_slot_id is None:
        return berth.entrant_id
    source = slots[berth.from_slot_id]
    drawn = source.berths.all()
    if len(drawn) == 1:  # a bye
        return drawn[0].entrant_id
    end = ends.get(source.match_id or 0, _End(None))
    second = next(one.entrant_id for one in drawn if one.number == 2)
    if slot.conditional and (end.winner is None or end.winner != second):
        return None
    return end.winner if berth.takes == Berth.Takes.WINNER else end.loser


def _is_dropped(competition: Competition, slot: Slot) -> bool:
    """Tell whether a slot was open when its competition was cancelled: nothing follows for it any more."""
    is_aside = slot.match is not None and slot.match.set_aside_at is not None
    return competition.cancelled_at is not None and (is_aside or slot.match is None)


def _match(slot: Slot, sides: Mapping[int, Sides], ends: Mapping[int, _End]) -> Iterator[Disagreement]:
    present = [berth for berth in sorted(slot.berths.all(), key=lambda one: one.number) if berth.absent_since is None]
    known = [berth.entrant_id for berth in present if berth.entrant_id]
    ready = len(known) == len(present) > 1
    where = f"slot {slot.pk}"
    alone = len(present) < len(slot.berths.all()) and len(present) < 2
    if alone and not slot.not_needed:
        yield Disagreement(where, "not needed", slot.not_needed, alone)
    elif slot.not_needed and (ready or not (alone or slot.conditional)):
        yield Disagreement(where, "not needed", True, False)
    if (slot.match is not None) != ready:
        yield Disagreement(where, "match", slot.match_id, "one" if ready else "none")
    if slot.match is None:
        return
    meet = [entrant for _number, entrant in sorted(sides.get(slot.match.pk, {}).items())]
    if ready and meet != known:
        yield Disagreement(where, "sides of its match", meet, known)
    state = ends[slot.match.pk].state
    # Without a result a match is upcoming or live.
    if state is None and slot.match.state not in {Match.State.SCHEDULED, Match.State.PLAYING}:
        yield Disagreement(where, "state of its match", slot.match.state, Match.State.SCHEDULED.value)
    if state is not None and slot.match.state != state:
        yield Disagreement(where, "state of its match", slot.match.state, str(state))
    if slot.match.voided_by_id is not None or slot.match.set_aside_at is not None:
        yield Disagreement(where, "match", "void", "none")


def _stages(slots: list[Slot], ends: Mapping[int, _End]) -> Iterator[Disagreement]:
    by_stage: dict[Stage, list[Slot]] = {}
    for slot in slots:
        by_stage.setdefault(slot.matchday.stage, []).append(slot)
    for stage, own in by_stage.items():
        should = _finished(stage, [slot for slot in own if len(slot.berths.all()) > 1 and not slot.not_needed], ends)
        if (stage.finished_at is not None) != should:
            yield Disagreement(f"stage {stage.pk}", "finished", stage.finished_at is not None, should)


def _finished(stage: Stage, played: list[Slot], ends: Mapping[int, _End]) -> bool:
    found = [ends[slot.match_id] if slot.match_id else _End(None) for slot in played]
    over = bool(found) and all(end.state == Match.State.DECIDED for end in found)
    if stage.is_paired_by_round and stage.matchdays.count() < rounds_to_pair(stage, how_many(stage)):
        return False
    if stage.is_ladder:  # closed by an organizer, once no match is open
        return stage.finished_at is not None and (over or not found)
    knock_out = stage.is_knock_out
    return over and not (knock_out and any(end.winner is None for end in found))
