"""Promotion and relegation by final tables (COMPETITIONS.md, league season). Pure.

The first `promote` of a division go up and the last `relegate` go down. The next `play_off_up` after the promoted meet
as many of the division above, directly before its relegated: the best of the lower ones meets the last of the upper
ones. A withdrawn entrant goes nowhere and counts as the first of the relegated, so that the next entrant above keeps a
place.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from itertools import groupby, pairwise

PlayOffResults = Mapping[frozenset[int], int | None]
"""Winner by the two opponents, None for a draw; unfinished matches are missing."""


class Zone(StrEnum):
    """Consequence of a place in the table."""

    UP = "up"
    MAYBE_UP = "maybe-up"
    STAY = "stay"
    MAYBE_DOWN = "maybe-down"
    DOWN = "down"


class Fate(StrEnum):
    """Outcome of a season for an entrant."""

    STAYS = "stays"
    PROMOTED = "promoted"
    RELEGATED = "relegated"
    WON_UP = "won-up"  # won the play-off and goes up
    MISSED_UP = "missed-up"  # did not win the play-off and stays
    HELD = "held"  # of the upper division: did not lose the play-off and stays
    LOST_DOWN = "lost-down"  # lost the play-off and goes down
    WAITS = "waits"  # play-off undecided
    LEFT = "left"


@dataclass(frozen=True, slots=True, kw_only=True)
class DivisionRules:
    """Number of places of a division for each zone."""

    promote: int = 0
    play_off_up: int = 0
    play_off_down: int = 0
    relegate: int = 0

    @property
    def total(self) -> int:
        return self.promote + self.play_off_up + self.play_off_down + self.relegate


@dataclass(frozen=True, slots=True, kw_only=True)
class DivisionEnd:
    """A final table.

    `order` has (entrant, rank), best first; entrants level in all tie-breaks share a rank. `left`: its withdrawn
    entrants. `level`: 1 is the top, different for each division.
    """

    level: int
    order: Sequence[tuple[int, int]]
    rules: DivisionRules
    left: frozenset[int] = frozenset()

    @property
    def standing(self) -> list[tuple[int, int]]:
        """The order without withdrawn entrants."""
        return [one for one in self.order if one[0] not in self.left]


@dataclass(frozen=True, slots=True, kw_only=True)
class Destination:
    """The next division of an entrant.

    `to_level` is None after a withdrawal, and while a play-off is open. `place` is that without withdrawn entrants, 0
    for those. `against`: the opponent in the play-off.
    """

    entrant: int
    level: int
    place: int
    why: Fate
    to_level: int | None
    against: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayOffPair:
    """A play-off match.

    `number` from 1: the best of the lower division's places meets the last of the upper one's.
    """

    upper_level: int
    number: int
    lower: int
    upper: int
    decided: bool
    winner: int | None


@dataclass(frozen=True, slots=True)
class LevelGroup:
    """Entrants of a division level in all tie-breaks whose order matters."""

    level: int
    entrants: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Promotions:
    """Promotions and relegations of a season.

    `destinations`: all entrants of all divisions once, by division and place. `champions` by level, several if they
    share the first rank.
    """

    destinations: tuple[Destination, ...]
    pairs: tuple[PlayOffPair, ...]
    ties: tuple[LevelGroup, ...]
    champions: Mapping[int, tuple[int, ...]] = field(default_factory=dict)

    @property
    def settled(self) -> bool:
        """Whether all destinations are known."""
        return not self.ties and all(one.decided for one in self.pairs)

    def of(self, level: int) -> list[Destination]:
        """Give a division's next entrants: relegated into it, staying, promoted into it."""
        found = [one for one in self.destinations if one.to_level == level]
        return sorted(found, key=lambda one: (one.level, one.place))


def zones(size: int, rules: DivisionRules, left: int = 0) -> list[Zone]:
    """Give the zone of each place, first to last, among `size` present entrants.

    If there are more places than entrants, promotion has priority, then relegation, then play-offs.
    """
    up = min(rules.promote, size)
    down = min(max(rules.relegate - left, 0), size - up)
    maybe_up = min(rules.play_off_up, size - up - down)
    maybe_down = min(rules.play_off_down, size - up - down - maybe_up)
    stay = size - up - down - maybe_up - maybe_down
    return [
        *[Zone.UP] * up,
        *[Zone.MAYBE_UP] * maybe_up,
        *[Zone.STAY] * stay,
        *[Zone.MAYBE_DOWN] * maybe_down,
        *[Zone.DOWN] * down,
    ]


def promotions(ends: Sequence[DivisionEnd], play_offs: PlayOffResults) -> Promotions:
    """Compute all destinations, play-offs and ties.

    There is no promotion from the first division and no relegation from the last, whatever their rules.
    """
    in_order = sorted(ends, key=lambda one: one.level)
    bounded = [_bounded(one, in_order) for one in in_order]
    zoned = {one.level: zones(len(one.standing), one.rules, len(one.left)) for one in bounded}
    pairs = [pair for upper, lower in pairwise(bounded) for pair in _pairs(upper, lower, zoned, play_offs)]
    return Promotions(
        destinations=tuple(one for end in bounded for one in _destinations(end, zoned[end.level], pairs, bounded)),
        pairs=tuple(pairs),
        ties=tuple(tie for end in bounded for tie in _ties(end, zoned[end.level])),
        champions={end.level: _first(end) for end in bounded},
    )


def _bounded(end: DivisionEnd, ends: Sequence[DivisionEnd]) -> DivisionEnd:
    """Limit the rules at both ends, and take the upper play-off places from below.

    The lower division's rules set the number of play-offs; the upper one has as many places for them.
    """
    at = ends.index(end)
    below = ends[at + 1].rules if at + 1 < len(ends) else None
    rules = DivisionRules(
        promote=end.rules.promote if at else 0,
        play_off_up=end.rules.play_off_up if at else 0,
        play_off_down=below.play_off_up if below else 0,
        relegate=end.rules.relegate if below else 0,
    )
    return DivisionEnd(level=end.level, order=end.order, rules=rules, left=end.left)


def _pairs(
    upper: DivisionEnd, lower: DivisionEnd, zoned: Mapping[int, Sequence[Zone]], play_offs: PlayOffResults
) -> Iterator[PlayOffPair]:
    hope = _in_zone(lower, zoned[lower.level], Zone.MAYBE_UP)
    fear = _in_zone(upper, zoned[upper.level], Zone.MAYBE_DOWN)[::-1]
    for number, (challenger, holder) in enumerate(zip(hope, fear, strict=False), start=1):
        both = frozenset((challenger, holder))
        yield PlayOffPair(
            upper_level=upper.level,
            number=number,
            lower=challenger,
            upper=holder,
            decided=both in play_offs,
            winner=play_offs.get(both),
        )


def _in_zone(end: DivisionEnd, zoned: Sequence[Zone], wanted: Zone) -> list[int]:
    return [entrant for (entrant, _rank), zone in zip(end.standing, zoned, strict=True) if zone == wanted]


def _destinations(
    end: DivisionEnd, zoned: Sequence[Zone], pairs: Sequence[PlayOffPair], ends: Sequence[DivisionEnd]
) -> Iterator[Destination]:
    levels = [one.level for one in ends]
    at = levels.index(end.level)
    for place, ((entrant, _rank), zone) in enumerate(zip(end.standing, zoned, strict=True), start=1):
        pair = next((one for one in pairs if entrant in (one.lower, one.upper)), None)
        why = _why(entrant, zone, pair)
        step = {Fate.PROMOTED: -1, Fate.WON_UP: -1, Fate.RELEGATED: 1, Fate.LOST_DOWN: 1}.get(why, 0)
        yield Destination(
            entrant=entrant,
            level=end.level,
            place=place,
            why=why,
            to_level=None if why == Fate.WAITS else levels[at + step],
            against=(pair.upper if entrant == pair.lower else pair.lower) if pair else None,
        )
    for entrant, _rank in end.order:
        if entrant in end.left:
            yield Destination(entrant=entrant, level=end.level, place=0, why=Fate.LEFT, to_level=None)


def _why(entrant: int, zone: Zone, pair: PlayOffPair | None) -> Fate:
    if zone == Zone.UP:
        return Fate.PROMOTED
    if zone == Zone.DOWN:
        return Fate.RELEGATED
    if pair is None:  # no opponent for a play-off
        return Fate.STAYS
    if not pair.decided:
        return Fate.WAITS
    won = pair.winner == pair.lower
    if entrant == pair.lower:
        return Fate.WON_UP if won else Fate.MISSED_UP
    return Fate.LOST_DOWN if won else Fate.HELD


def _ties(end: DivisionEnd, zoned: Sequence[Zone]) -> Iterator[LevelGroup]:
    """Yield level entrants in different zones; each play-off place is its own zone."""
    told = [
        (entrant, rank, (zone, place if zone in (Zone.MAYBE_UP, Zone.MAYBE_DOWN) else 0))
        for place, ((entrant, rank), zone) in enumerate(zip(end.standing, zoned, strict=True))
    ]
    for _rank, group in groupby(told, key=lambda one: one[1]):
        level = list(group)
        if len({where for _entrant, _rank, where in level}) > 1:
            yield LevelGroup(end.level, tuple(entrant for entrant, _rank, _where in level))


def _first(end: DivisionEnd) -> tuple[int, ...]:
    standing = end.standing
    return tuple(entrant for entrant, rank in standing if rank == standing[0][1])
