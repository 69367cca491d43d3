"""Table of a competition, a stage or a group, from entrants, slots and rules."""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from league.competitions.draw_view import MatchdayView, SlotView
from league.competitions.entrant_names import Placed
from league.competitions.entrants import rounds_to_pair
from league.competitions.models import Competition, Stage
from league.competitions.standings.compute import HowPlayed, Played, Row, Scoring, table
from league.competitions.standings.facts import TableDay, TableEnd, TableGame, TableSlot
from league.competitions.standings.reachable_places import TableOutlook, outlook
from league.competitions.standings.tiebreaks.place_points import by_place
from league.competitions.standings.tiebreaks.registry import Needs, any_needs
from league.matches.muggins_taken import Taken, muggins_taken
from league.matches.queries.lines import GameScore, MatchLine
from league.matches.results.match_outcome import GameOutcome, official_standing, places, provisional_standing


@dataclass(frozen=True, slots=True, kw_only=True)
class TableRules:
    """Rules of a table. `order`: keys of tie-breaks. `muggins`: if a tie-break."""

    order: Sequence[str]
    scoring: Scoring
    muggins: Sequence[tuple[int, int, bool]] = ()


WORTH: Mapping[Competition.RequestedBye, HowPlayed] = {
    Competition.RequestedBye.NONE: HowPlayed.ZERO_BYE,
    Competition.RequestedBye.DRAW: HowPlayed.HALF_BYE,
    Competition.RequestedBye.WIN: HowPlayed.FULL_BYE,
}


def table_rules(
    competition: Competition,
    stage: Stage | None,
    entrants: Iterable[Placed],
    slots: Iterable[SlotView | TableSlot],
    *,
    rounds: int | None = None,
    taken: Taken | None = None,
) -> TableRules:
    """Give the organizer's rules for a table.

    `rounds`: their final number; `taken`: the muggins, if already read. One statement if muggins are a tie-break and
    not yet read, else none.
    """
    slots = list(slots)
    gone = _gone(stage, entrants, slots, rounds or 0) if stage is not None else {}
    by_places = stage.points_by_place if stage is not None and stage.is_at_tables else []
    scoring = Scoring(
        # A bye worth as much as a first place counts as a win.
        win=max(by_places, default=competition.win_points),
        draw=competition.draw_points,
        loss=competition.loss_points,
        bye=competition.bye_points,
        edition=competition.tie_break_edition,
        paired=stage is not None and stage.is_paired_by_round,  # article 16 of FIDE C.07
        rounds=rounds or None,
        ratings={one.entrant_id: one.rating for one in entrants if one.rating is not None},
        place_points=by_places,
        forfeit_points=competition.forfeit_points,
        requested=WORTH[Competition.RequestedBye(competition.requested_bye)],
        direct_by_points=competition.direct_by == Competition.DirectBy.POINTS,
        lots={one.entrant_id: one.lot for one in entrants if one.lot is not None},
        bonus={} if by_places else {one.entrant_id: one.bonus for one in entrants if one.bonus},
        left=frozenset(gone),
        annulled=frozenset(one for one, own in gone.items() if _annuls(competition, stage, own)),
    )
    if taken is None:
        taken = counted_muggins(competition, slots)
    return TableRules(order=list(competition.tie_breaks), scoring=scoring, muggins=taken)


def _gone(
    stage: Stage, entrants: Iterable[Placed], slots: Sequence[SlotView | TableSlot], rounds: int
) -> dict[int, list[SlotView | TableSlot]]:
    """Give the entrants who left the stage before they had played all their matches, each with its slots."""
    over, found = stage.finished_at, {}
    for one in entrants:
        if one.left_at is None or (over is not None and one.left_at > over):
            continue
        own = [slot for slot in slots if one.entrant_id in slot.entrant_ids and not slot.not_needed]
        missed = stage.is_paired_by_round and len(own) < rounds
        if missed or not own or any(_missed_by(one.entrant_id, slot) for slot in own):
            found[one.entrant_id] = own
    return found


def _missed_by(entrant_id: int, slot: SlotView | TableSlot) -> bool:
    if slot.bye:
        return False
    end = played(slot, official_only=False) if slot.match else None
    return entrant_id in slot.absent_ids or end is None or (end.kind is HowPlayed.FORFEIT and end.winner != entrant_id)


def _annuls(competition: Competition, stage: Stage | None, own: Sequence[SlotView | TableSlot]) -> bool:
    """Tell whether the matches of an entrant who left count for nobody (FIDE C.05 6.6)."""
    if stage is None or not stage.spec.annuls or competition.leaving == Competition.Leaving.KEEP:
        return False
    matches = [slot for slot in own if not slot.bye]
    ends = [played(slot, official_only=False) for slot in matches if slot.match]
    done = sum(end is not None and end.kind is HowPlayed.PLAYED for end in ends)
    return competition.leaving == Competition.Leaving.ANNUL or 2 * done < len(matches)


def counted_muggins(competition: Competition, slots: Iterable[SlotView | TableSlot]) -> Taken:
    """Read muggins taken; empty if they are no tie-break. One statement at most."""
    if not any_needs(competition.tie_breaks, Needs.MUGGINS):
        return []
    return muggins_taken(slot.match.id for slot in slots if slot.match)


@dataclass(frozen=True, slots=True)
class _Results:
    """Arguments of `table` and `what_if`."""

    people: list[tuple[int, str, str]]
    played: list[Played]
    missing: list[tuple[int, int]]
    scoring: Scoring


def standings_of(
    entrants: Iterable[Placed],
    slots: Iterable[SlotView | TableSlot],
    rules: TableRules,
    *,
    official_only: bool,
    after: int | None = None,
) -> list[Row]:
    """Compute the table of `entrants` from the matches in `slots`.

    An unfinished match of two counts as missing, visible to the asker or not. `after`: the table after that round. Byes
    by pairing are slots with one berth; they count only in rounds paired by results and at tables of more than two.
    """
    found = _results(entrants, slots, rules, official_only=official_only, after=after)
    return table(found.people, found.played, order=rules.order, missing=found.missing, scoring=found.scoring)


def outlook_of(
    entrants: Iterable[Placed], slots: Iterable[SlotView | TableSlot], rules: TableRules, *, official_only: bool
) -> TableOutlook | None:
    """Compute the reachable places of all entrants, from the same table."""
    # Pairs of a draft round stay secret, also indirectly through reachable places.
    days = [slot for slot in slots if slot.published or not rules.scoring.paired]
    found = _results(entrants, days, rules, official_only=official_only, after=None)
    drawn = max((slot.round_number for slot in days), default=0)
    return outlook(
        found.people,
        found.played,
        order=rules.order,
        missing=found.missing,
        scoring=found.scoring,
        unpaired_rounds=max((rules.scoring.rounds or drawn) - drawn, 0) if rules.scoring.paired else 0,
    )


def rounds_played(slots: Iterable[SlotView | TableSlot]) -> int:
    """Give the number of the last round with a finished match."""
    ended = (slot.round_number for slot in slots if slot.match and played(slot, official_only=False))
    return max(ended, default=0)


def _results(
    entrants: Iterable[Placed],
    slots: Iterable[SlotView | TableSlot],
    rules: TableRules,
    *,
    official_only: bool,
    after: int | None,
) -> _Results:
    people = list(entrants)
    counts = [slot for slot in slots if rules.scoring.annulled.isdisjoint(slot.entrant_ids)]
    in_order = sorted(counts, key=lambda slot: slot.round_number)
    counted = [slot for slot in in_order if after is None or slot.round_number <= after]
    begun = _begun(counted)
    ends = {slot.id: end for slot in counted if (end := _end(slot, rules, begun, official_only=official_only))}
    open_slots = [slot for slot in in_order if slot.id not in ends and len(slot.entrant_ids) == 2]
    last = rules.scoring.rounds
    ended = {slot.match.id for slot in counted if slot.id in ends and slot.match}
    taken = Counter(one for match, one, official in rules.muggins if match in ended and (official or not official_only))
    scoring = replace(
        rules.scoring,
        muggins=taken,
        final_pairs=[_pair(slot) for slot in open_slots if slot.round_number == last and last in begun],
    )
    missed = _missed(people, counted, begun) if scoring.paired else ()
    return _Results(
        people=[(one.entrant_id, one.name, one.code) for one in people],
        played=[*ends.values(), *missed],
        missing=[_pair(slot) for slot in open_slots],
        scoring=scoring,
    )


def _pair(slot: SlotView | TableSlot) -> tuple[int, int]:
    one, other = slot.entrant_ids
    return one, other


def _begun(slots: Iterable[SlotView | TableSlot]) -> set[int]:
    """Give published rounds, and rounds of an imported draft with results."""
    return {slot.round_number for slot in slots if slot.published or (slot.match and slot.match.games)}


def _missed(
    people: Iterable[Placed], slots: Iterable[SlotView | TableSlot], begun: Collection[int]
) -> Iterator[Played]:
    """Yield zero-point byes for entrants absent from a published round.

    Late and withdrawn entrants have no slot in it: C.07 16 treats that as a requested bye without points.
    """
    there: dict[int, set[int]] = {}
    for slot in slots:
        if slot.round_number in begun:
            there.setdefault(slot.round_number, set()).update(slot.entrant_ids)
    for one in people:
        for number in (number for number, present in there.items() if one.entrant_id not in present):
            yield Played({one.entrant_id: 0}, None, number, HowPlayed.ZERO_BYE)


def _end(
    slot: SlotView | TableSlot, rules: TableRules, begun: Collection[int], *, official_only: bool
) -> Played | None:
    if rules.scoring.place_points and len(slot.berths) > 1:
        return _end_at_table(slot, rules.scoring, begun, official_only=official_only)
    if slot.match:
        return played(slot, official_only=official_only)
    if slot.bye and slot.round_number in begun and (rules.scoring.paired or rules.scoring.place_points):
        return Played(dict.fromkeys(slot.entrant_ids, 0), None, slot.round_number, _kind_of_bye(slot, rules.scoring))
    return None


def _kind_of_bye(slot: SlotView | TableSlot, scoring: Scoring) -> HowPlayed:
    if not slot.requested_bye:
        return HowPlayed.BYE
    return HowPlayed.ZERO_BYE if slot.round_number == scoring.rounds else scoring.requested


def _end_at_table(
    slot: SlotView | TableSlot, scoring: Scoring, begun: Collection[int], *, official_only: bool
) -> Played | None:
    """Give the end of a match at a table of more than two.

    An absent entrant has no place and no points. An entrant left alone has a bye.
    """
    absent = dict.fromkeys(slot.absent_ids, 0)
    if slot.match:
        end = played(slot, official_only=official_only)
        if end is None:
            return None
        at = places(end.games or {}, end.points)
        return replace(
            end, points={**end.points, **absent}, at=at, by_place=by_place(at, scoring.place_points) | absent
        )
    if not (slot.not_needed and slot.round_number in begun):
        return None
    there = [one for one in slot.entrant_ids if one not in absent]
    return Played(
        points=dict.fromkeys(slot.entrant_ids, 0),
        winner=None,
        round=slot.round_number,
        kind=HowPlayed.BYE,
        at=dict.fromkeys(there, 1),
        by_place={**dict.fromkeys(there, scoring.bye), **absent},
    )


def played(slot: SlotView | TableSlot, *, official_only: bool) -> Played | None:
    """Give a finished match with the points of its counted games; None if unfinished."""
    line = slot.match
    if line is None:
        return None
    standing = official_standing if official_only else provisional_standing
    games = [game for game in counting(line) if _counts(game.outcome, official_only=official_only)]
    end = standing(line.best_of, [game.outcome for game in games], sides=len(line.sides))
    return _played(line, games, end.winner, slot.round_number) if end.over else None


def counting(line: MatchLine | TableEnd) -> list[GameScore | TableGame]:
    """List the games that can count.

    Once official results have decided a match, no other game counts.
    """
    official = [game for game in line.games if game.outcome.official]
    end = official_standing(line.best_of, [game.outcome for game in official], sides=len(line.sides))
    return official if end.over else list(line.games)


def _counts(outcome: GameOutcome, *, official_only: bool) -> bool:
    """Tell whether a result counts; one that needs a decision counts nowhere."""
    return outcome.official or not (official_only or outcome.needs_decision)


def _played(
    line: MatchLine | TableEnd, games: Sequence[GameScore | TableGame], winner: int | None, round_number: int
) -> Played:
    """Build a finished match; it is a forfeit if none of its games was played."""
    entrants = {side.number: side.entrant_id for side in line.sides}
    at_the_table = [game for game in games if not game.forfeited]
    return Played(
        points=_points(entrants, games),
        winner=None if winner is None else entrants.get(winner),
        round=round_number,
        kind=HowPlayed.PLAYED if at_the_table else HowPlayed.FORFEIT,
        games={one: sum(game.outcome.winner == number for game in games) for number, one in entrants.items()},
        game_count=len(at_the_table),
        at_the_table=_points(entrants, at_the_table),
    )


def _points(entrants: Mapping[int, int], games: Sequence[GameScore | TableGame]) -> dict[int, int]:
    return {one: sum(game.points.get(number, 0) for game in games) for number, one in entrants.items()}


@dataclass(frozen=True, slots=True)
class GroupTable:
    """Table of a stage, or of one of its groups.

    `group`: from 1; 0 in a stage with one table. `official` counts confirmed results only, `provisional` unconfirmed
    ones too. `after`: the last round included, None for the present table. `rounds_over`: the last round with a
    finished match.
    """

    group: int
    entrants: list[Placed]
    slots: list[SlotView | TableSlot]
    rules: TableRules
    official: list[Row]
    provisional: list[Row]
    after: int | None
    rounds_over: int

    def rows(self, *, official_only: bool) -> list[Row]:
        return self.official if official_only else self.provisional

    def rows_before(self, *, official_only: bool) -> list[Row]:
        """Give the table one round earlier; empty before the first result."""
        last = (self.after or self.rounds_over) - 1
        if last < 1:
            return []
        rows = standings_of(self.entrants, self.slots, self.rules, official_only=official_only, after=last)
        return rows if any(row.played for row in rows) else []

    def outlook(self, *, official_only: bool) -> TableOutlook | None:
        """Compute reachable places; None for a table of the past."""
        if self.after is not None:
            return None
        return outlook_of(self.entrants, self.slots, self.rules, official_only=official_only)


def any_provisional(slots: Iterable[SlotView | TableSlot]) -> bool:
    """Tell whether a counted result is unconfirmed."""
    return any(not game.outcome.official for slot in slots if slot.match for game in counting(slot.match))


def group_table(
    competition: Competition,
    stage: Stage,
    entrants: Sequence[Placed],
    days: Sequence[MatchdayView | TableDay],
    *,
    group: int = 0,
    after: int | None = None,
    taken: Taken | None = None,
) -> GroupTable:
    """Build the table of a stage with its rounds, or of one of its groups.

    `taken`: the muggins, if already read.
    """
    slots = [slot for day in days for slot in day.slots if slot.group == group]
    members = {one for slot in slots for one in slot.entrant_ids}
    people = [one for one in entrants if not group or one.entrant_id in members]
    rounds = rounds_to_pair(stage, len(people)) if stage.is_paired_by_round else len(days)
    rules = table_rules(competition, stage, people, slots, rounds=rounds, taken=taken)
    over = rounds_played(slots)
    at = after if after is not None and 0 < after < over else None
    official = standings_of(people, slots, rules, official_only=True, after=at)
    waits = any_provisional(slots)
    return GroupTable(
        group=group,
        entrants=people,
        slots=slots,
        rules=rules,
        official=official,
        # Without unconfirmed results both tables are the same.
        provisional=standings_of(people, slots, rules, official_only=False, after=at) if waits else official,
        after=at,
        rounds_over=over,
    )
