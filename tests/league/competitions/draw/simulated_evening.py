"""Evenings played by the clock alone: with the dispatcher, and by the fixed plan of tables and hours."""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from random import Random
from typing import NamedTuple

from league.competitions.draw.schedule.dispatching import DueMatch, Floor, calls, may_use, out_of_turn
from league.competitions.draw.schedule.table_assignment import Wishes
from league.competitions.draw.schedule.timetable import Timetable
from league.competitions.formats.drawn import DrawnBerth, DrawnRound, DrawnSlot, RoundKind
from league.competitions.formats.registry import SPECS, FormatSettings

SEVEN = datetime(2026, 10, 20, 19, tzinfo=UTC)
# More than 300 matches are no evening.
MOST = {"round_robin": 24, "double_round_robin": 17}
USUAL_MINUTES, SPREAD, SHORTEST = 12.0, 4.0, 3.0


class Play(NamedTuple):
    """One match of a simulated evening, in minutes from the start."""

    key: int
    table: int
    people: frozenset[int]
    begins: float
    ends: float


@dataclass(frozen=True)
class Evening:
    """`rounds`: as drawn. `minutes`: of each match, by its key; `wins`: whether its first berth wins."""

    format: str
    rounds: Sequence[DrawnRound]
    tables: int
    minutes: Sequence[float]
    wins: Sequence[bool]
    wishes: Wishes = field(default_factory=Wishes)

    @property
    def slots(self) -> list[tuple[int, int, DrawnSlot]]:
        """Number of the round, number in the round, and slot; its key is its index."""
        return [(r, s, slot) for r, one in enumerate(self.rounds, 1) for s, slot in enumerate(one.slots, 1)]


def random_evening(format: str, random: Random, *, wishes: bool = False) -> Evening:  # noqa: A002
    """Draw 8 to 64 entrants (fewer where all play all), 2 to 16 tables, and the lengths of all games."""
    entrants = random.randint(8, MOST.get(format, 64))
    settings = FormatSettings(rounds=random.randint(3, 6), groups=entrants // random.choice((4, 5, 6, 7)) or 2, seats=4)
    if format == "groups":
        settings = FormatSettings(groups=max(2, min(settings.groups, entrants // 3)))
    rounds = swiss(entrants, settings.rounds, random) if format == "swiss" else SPECS[format].layout(entrants, settings)
    count = sum(len(one.slots) for one in rounds)
    tables = random.randint(2, 16)
    return Evening(
        format,
        rounds,
        tables,
        [max(SHORTEST, random.gauss(USUAL_MINUTES, SPREAD)) for _ in range(count)],
        [random.random() < 0.5 for _ in range(count)],
        random_wishes(entrants, tables, random) if wishes else Wishes(),
    )


def random_wishes(entrants: int, tables: int, random: Random) -> Wishes:
    return Wishes(
        pinned={random.randint(1, entrants): random.randint(1, tables)},
        needs=frozenset(random.sample(range(1, entrants + 1), 2)),
        accessible=frozenset(random.sample(range(1, tables + 1), tables // 2)),
        stream=frozenset([tables]),
    )


def swiss(entrants: int, rounds: int, random: Random) -> list[DrawnRound]:
    """Pair each round by lot: the next one is known when the round before is over."""
    drawn = []
    for _number in range(rounds):
        order = random.sample(range(1, entrants + 1), entrants)
        pairs = [order[place : place + 2] for place in range(0, entrants, 2)]
        drawn.append(
            DrawnRound(RoundKind.PLAIN, tuple(DrawnSlot(tuple(map(DrawnBerth, one))) for one in pairs)),
        )
    return drawn


class Night:
    """Results of an evening so far: its open matches, with the entrants that are known."""

    def __init__(self, evening: Evening) -> None:
        self.evening = evening
        self.keys = {(r, s): key for key, (r, s, _slot) in enumerate(evening.slots)}
        self.slots = [slot for _r, _s, slot in evening.slots]
        self.round_of = [r for r, _s, _slot in evening.slots]
        self.results: dict[int, tuple[int, int]] = {}
        self.followers: dict[int, list[int]] = {}
        for key in range(len(self.slots)):
            for source in self.sources(key):
                self.followers.setdefault(source, []).append(key)
        self.open = {key: self._match(key) for key, slot in enumerate(self.slots) if not slot.is_bye}

    def _match(self, key: int) -> DueMatch:
        who = tuple(one for one in map(self._entrant, self.slots[key].berths) if one)
        known = len(who) == len(self.slots[key].berths)
        sources = () if known else tuple(one for one in self.sources(key) if one not in self.results)
        return DueMatch(
            key=key,
            entrants=who,
            people=frozenset(who),
            comes_from=sources,
            waits=not known,
            in_turn=SPECS[self.evening.format].plays_in_turn,
        )

    def _entrant(self, berth: DrawnBerth) -> int | None:
        if berth.seed:
            return berth.seed
        found = self.results.get(self.source(berth))
        return found[berth.source.loser] if found else None

    def source(self, berth: DrawnBerth) -> int:
        return self.keys[berth.source.round_number, berth.source.slot_number]

    def sources(self, key: int) -> list[int]:
        return [self.source(berth) for berth in self.slots[key].berths if berth.source and not berth.seed]

    def people(self, key: int) -> frozenset[int]:
        return self.open[key].people

    @property
    def shown(self) -> list[DueMatch]:
        """Open matches in the order of the plan; a round that is not paired yet has none."""
        if self.evening.format == "swiss":
            now = self.round_of[next(iter(self.open))]
            return [one for key, one in self.open.items() if self.round_of[key] == now]
        return list(self.open.values())

    def finish(self, key: int) -> None:
        first, *_between, second = self.open.pop(key).entrants
        wins = self.evening.wins[key]
        self.results[key] = (first, second) if wins else (second, first)
        for later in self.followers.get(key, ()):
            if self.slots[later].conditional and wins:
                self.open.pop(later, None)
            elif later in self.open:
                self.open[later] = self._match(later)


Chooser = Callable[[Night, dict[int, Play], float], list[tuple[int, int]]]


def play(evening: Evening, choose: Chooser, *, rest: float = 0.0) -> list[Play]:
    """Play a whole evening; `choose` gives (match, table) to begin, after each match and when a `rest` is over."""
    night, now, playing, over = Night(evening), 0.0, {}, []
    while night.open:
        for key, table in choose(night, playing, now):
            playing[key] = Play(key, table, night.people(key), now, now + evening.minutes[key])
        moments = [one.ends for one in playing.values()] + [one.ends + rest for one in over]
        now = min(one for one in moments if one > now)
        for key in [key for key, one in playing.items() if one.ends <= now]:
            night.finish(key)
            over.append(playing.pop(key))
    return over


def dispatched(evening: Evening, *, rest: float = 0.0) -> list[Play]:
    """Play with the dispatcher. Raises AssertionError if a ready match waits beside a free table it may use."""
    ended: dict[int, float] = {}

    def choose(night: Night, playing: dict[int, Play], now: float) -> list[tuple[int, int]]:
        hall = floor(evening, playing, now, ended, rest)
        matches = [replace(one, waits=True) if one.key in playing else one for one in night.shown]
        chosen = [(one.match, one.table) for one in calls(matches, hall)]
        assert_nothing_waits(matches, chosen, hall)
        for key, _table in chosen:
            ended.update(dict.fromkeys(night.people(key), now + evening.minutes[key]))
        return chosen

    return play(evening, choose, rest=rest)


def floor(evening: Evening, playing: dict[int, Play], now: float, ended: dict[int, float], rest: float) -> Floor:
    taken = {one.table for one in playing.values()}
    tables = range(1, evening.tables + 1)
    return Floor(
        tables=tables,
        free=[one for one in tables if one not in taken],
        now=SEVEN + timedelta(minutes=now),
        wishes=evening.wishes,
        playing=frozenset().union(*(one.people for one in playing.values())),
        ended={one: SEVEN + timedelta(minutes=at) for one, at in ended.items()},
        rest=timedelta(minutes=rest),
    )


def assert_nothing_waits(matches: Sequence[DueMatch], chosen: Sequence[tuple[int, int]], hall: Floor) -> None:
    begun, taken = {key for key, _table in chosen}, {table for _key, table in chosen}
    free = set(hall.free) - taken
    early = out_of_turn(matches)
    busy = set(hall.playing).union(*(match.people for match in matches if match.key in begun))
    busy |= {one for one, at in hall.ended.items() if at + hall.rest > hall.now}
    for match in matches:
        if match.key not in begun | early and not match.waits and not busy & match.people:
            assert not free & set(may_use(match, hall)), f"match {match.key} waits beside a free table"


def planned(evening: Evening, *, by_hour: bool = True) -> list[Play]:
    """Play by the fixed plan, each match at its planned table, in the order of the hours.

    `by_hour`: the matches of an hour begin together, when those of the hour before are over, as the clocks of a hall
    do. Otherwise each table goes on alone, as soon as its next two are there. Hours themselves are no gate.
    """
    played = [[slot for slot in one.slots if not slot.is_bye] for one in evening.rounds]
    known = [[[berth.seed for berth in slot.berths if berth.seed] for slot in one] for one in played]
    tables = range(1, evening.tables + 1)
    timetable = Timetable(starts_at=SEVEN, zone=UTC, minutes=15, tables=tables, wishes=evening.wishes)
    seats = iter([seat for one in timetable.plan(known) for seat in one])
    seat_of = {key: next(seats) for key, (_r, _s, slot) in enumerate(evening.slots) if not slot.is_bye}
    order = sorted(seat_of, key=lambda one: (seat_of[one].starts_at, one))

    def choose(night: Night, playing: dict[int, Play], _now: float) -> list[tuple[int, int]]:
        busy = set().union(*(one.people for one in playing.values()))
        taken = {one.table for one in playing.values()}
        shown = {one.key for one in night.shown if not one.waits}
        hour = min(seat_of[key].starts_at for key in night.open)
        begun = []
        for key in order:
            table = seat_of[key].table
            if key not in night.open or key in playing or table in taken:
                continue
            if by_hour and seat_of[key].starts_at > hour:
                break
            taken.add(table)
            if key in shown and not night.people(key) & busy:
                busy |= night.people(key)
                begun.append((key, table))
        return begun

    return play(evening, choose)


def end_of(plays: Sequence[Play]) -> float:
    return max(one.ends for one in plays)


def lower_bound(evening: Evening, plays: Sequence[Play]) -> float:
    """Minutes that no order of play can beat: the critical path, or the time of all tables, if that is longer."""
    length = {one.key: evening.minutes[one.key] for one in plays}
    night = Night(evening)
    until: dict[int, float] = {}
    barrier = 0.0
    for number in range(1, len(evening.rounds) + 1):
        before = barrier if evening.format == "swiss" else 0.0
        for key in (key for key in length if night.round_of[key] == number):
            begins = max([before, *(until[one] for one in night.sources(key) if one in until)])
            until[key] = begins + length[key]
        barrier = max(until.values(), default=0.0)
    alone: Counter[int] = Counter()
    for one in plays:
        for person in one.people:
            alone[person] += length[one.key]
    return max([barrier, sum(length.values()) / evening.tables, *alone.values()])
