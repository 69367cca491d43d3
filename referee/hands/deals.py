"""What is true of a round in every deal that fits its record: the analysis of hidden hands (NOTATION.md section 4).

An unknown tile is a place with the tiles that it may be; legal draws and passes take tiles from places; a consistent
deal is a perfect matching of places and tiles. Where legal moves leave no deal, somebody broke a rule: the analysis
says who, where the record proves it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from games.errors import Reason
from games.moves import SEATS, Blocked, Deal, Draw, Pass, Seat, Show
from games.round import Round
from games.tile import Mask, Tile
from referee.hands.bounds import Leftovers
from referee.hands.hidden import HiddenRound, Placed, Trace, seen
from referee.hands.matching import Seating
from referee.hands.unseen import Group, Offence, Unseen


class Judged(NamedTuple):
    """What the analysis found, as facts for a finding: see `referee.sentences`."""

    line: int
    reason: Reason
    say: str
    facts: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Witness:
    """One deal that fits the record of a round: ``dealt`` hands by seat, ``drawn`` tiles by the line of the draw.

    ``forgiven`` are the offences that it has.
    """

    dealt: tuple[tuple[Tile, ...], ...]
    drawn: Mapping[int, tuple[Tile, ...]]
    boneyard: tuple[Tile, ...]
    forgiven: tuple[Offence, ...]


class Deals(NamedTuple):
    """The deals that fit a round: ``told`` is what none of them avoids, ``forgiven`` are the offences that they may
    have: those that were found, or any where the record can't say which. ``None``: no deal fits.
    """

    told: list[Judged]
    places: Unseen
    forgiven: int | None

    def rests(self) -> list[Leftovers]:
        """What may be left in the hands."""
        return [] if self.forgiven is None else self.places.rests(self.forgiven)


class NoDeal(Exception):
    """No deal fits the record of the round that was settled: replay stops after it."""


class HiddenHands:
    """What the record of a game says about hands that are not known: kept line by line, judged round by round.

    ``dealt`` and ``traces`` belong to the round in hand; ``rounds`` are those that were judged, with their numbers.
    ``no_deal`` tells that no deal fits the last one. ``found`` are the findings made so far, by line and code.
    """

    __slots__ = ("_deals", "_found", "_hands", "dealt", "no_deal", "rounds", "traces")

    def __init__(self, found: AbstractSet[tuple[int, str]]) -> None:
        self._found = found
        self._deals: tuple[tuple[int, int], HiddenRound, Deals] | None = None
        self._hands: list[Mask] = []
        self.dealt: list[tuple[int, Deal, Mask]] = []
        self.traces: list[Trace] = []
        self.rounds: list[tuple[int, HiddenRound]] = []
        self.no_deal = False

    def note(self, line: int, live: Round, event: Draw | Pass | Show | Blocked) -> None:
        """Keep what was done while a hand was unknown: a draw after it was made, the others before."""
        if not self.traces:
            self._hands = live.hands[:]
        layout = live.layout
        table = layout.table
        free = layout.fitting() & ~table if table and not isinstance(event, Show) else 0
        self.traces.append((line, event, free, table))

    def shown_by_others(self, seat: Seat) -> Mask:
        """The tiles of this round that unknown hands of other seats were shown to hold."""
        tiles = 0
        for _, event, _, _ in reversed(self.traces):
            if not isinstance(event, Show):
                break  # hands are shown when nothing else is done any more
            if event.seat != seat:
                tiles |= seen(event.tiles)
        return tiles

    def begin_round(self) -> None:
        """The round before is settled: what comes belongs to the next one."""
        self.dealt, self.traces = [], []
        self._deals = None

    def judge(self, closing: Round, number: int, plays: Sequence[Placed]) -> list[Judged]:
        """Look for a deal when the settlement of a round closes (NOTATION.md 4). ``plays`` end with its own."""
        facts, deals = self._look(closing, plays)
        self.rounds.append((number, facts))
        self.no_deal = deals.forgiven is None
        return deals.told

    def rests(self, closing: Round, plays: Sequence[Placed]) -> list[Leftovers]:
        """What may be left in the hands of a round that has ended, by what is known so far."""
        return self._look(closing, plays)[1].rests()

    def _look(self, closing: Round, plays: Sequence[Placed]) -> tuple[HiddenRound, Deals]:
        so_far = len(self.traces), len(self._found)
        if self._deals is not None and self._deals[0] == so_far:
            return self._deals[1:]
        placed = closing.layout.table.bit_count()
        facts = HiddenRound(
            closing.rules,
            closing.seats,
            closing.lead_due,
            self.dealt,
            plays[len(plays) - placed :],
            self.traces,
            self._hands,
            self._found,
        )
        deals = look(facts)
        self._deals = so_far, facts, deals
        return facts, deals


def judge(facts: HiddenRound) -> list[Judged]:
    """What no deal avoids. Nothing if a deal fits in which nobody broke a rule that is not found already."""
    return look(facts).told


def look(facts: HiddenRound) -> Deals:
    """The deals that fit a round, and what none of them avoids."""
    places = Unseen(facts)
    if _fits(places, 0):
        return Deals([], places, 0)
    if not _fits(places, _every(places)):
        return Deals([_no_deal(facts)], places, None)
    proved = _proved(places)
    if not _fits(places, proved):
        fewest = _fewest_more(places, proved)
        if len(fewest) != 1:
            told = [*_told(places, proved), _unclear(facts, places, proved, fewest)]
            return Deals(told, places, _every(places))
        proved |= fewest[0]
    return Deals(_told(places, proved), places, proved)


def _every(places: Unseen) -> int:
    return (1 << len(places.offences)) - 1


def _proved(places: Unseen) -> int:
    """The offences that no deal avoids, even when every other one is forgiven."""
    every = _every(places)
    return sum(1 << n for n in range(len(places.offences)) if not _fits(places, every & ~(1 << n)))


# ---- is there a deal?


def _fits(places: Unseen, dropped: int) -> bool:
    """Whether a deal fits the record if these offences are forgiven."""
    return _match(places, dropped) is not None


def _match(places: Unseen, dropped: int, *, full: bool = False) -> tuple[Seating, list[Group]] | None:
    """A deal that fits. ``full`` leaves no place empty, also where any tile would do."""
    if places.twice or places.never & ~dropped:
        return None
    offence, ways = places.leads
    for edits in [()] if not offence or dropped & offence else ways:
        match, groups, clash = places.matching(dropped, edits, full=full)
        if clash is None:
            return match, groups
    return None


# ---- who broke a rule?


def _fewest_more(places: Unseen, proved: int) -> list[int]:
    """The smallest sets of further offences, two at most, whose forgiving leaves a deal; it stops at the second one.

    Whatever is forgiven must break every clash, so a set has one offence at least of any clash: only these are tried.
    """
    clash = _clash(places, proved)
    single = [bit for bit in clash if _fits(places, proved | bit)]
    if single:
        return single
    pairs: list[int] = []
    for bit in clash:
        for other in _clash(places, proved | bit):
            if bit | other not in pairs and _fits(places, proved | bit | other):
                pairs.append(bit | other)
        if len(pairs) > 1:
            break
    return pairs


def _clash(places: Unseen, dropped: int) -> list[int]:
    """Offences, as bits, that can't all be forgiven nothing: as few as it takes, none of them can be left out."""
    kept = [1 << n for n in range(len(places.offences)) if not dropped >> n & 1]
    everything = _every(places)

    def fits(offences: Iterable[int]) -> bool:
        return _fits(places, everything & ~sum(offences))

    return _smallest(fits, [], False, kept)


def _smallest(fits: Callable[[Iterable[int]], bool], sure: list[int], grown: bool, kept: list[int]) -> list[int]:
    """QuickXplain: what of ``kept`` it takes, besides ``sure``, to leave no deal."""
    if grown and not fits(sure):
        return []
    if len(kept) == 1:
        return kept
    half = len(kept) // 2
    right = _smallest(fits, sure + kept[:half], True, kept[half:])
    left = _smallest(fits, sure + right, bool(right), kept[:half])
    return left + right


# ---- in words


def _told(places: Unseen, proved: int) -> list[Judged]:
    told = []
    for n, (line, reason, seat) in enumerate(places.offences):
        if proved >> n & 1:
            tile = next((tile for at, _, tile in places.facts.plays if at == line), None)
            facts = {"seat": SEATS[seat], "tile": "" if tile is None else places.facts.rules.tiles.tiles[tile].name}
            told.append(Judged(line, reason, f"{reason.value}-hidden", facts))
    return told


def _first_without(facts: HiddenRound, fits: Callable[[HiddenRound], bool]) -> int:
    """Last line of the shortest beginning of the round that does not fit. The whole of it does not."""
    lines = facts.lines()
    # More dealt tiles may be made good by fewer on the next line: only after the deal a beginning never gets better.
    first = len(facts.deals)
    for line in lines[:first]:
        if not fits(facts.until(line)):
            return line
    low, high = first, len(lines) - 1
    while low < high:
        middle = (low + high) // 2
        if fits(facts.until(lines[middle])):
            low = middle + 1
        else:
            high = middle
    return lines[low]


def _unclear(facts: HiddenRound, places: Unseen, proved: int, fewest: list[int]) -> Judged:
    told = {(places.offences[n][0], places.offences[n][1].value) for n in _numbers(proved)}
    line = _first_without(replace(facts, found=facts.found | told), lambda part: _fits(Unseen(part), 0))
    between = fewest or _clash(places, proved)
    lines = {places.offences[n][0] for bits in between for n in _numbers(bits)}
    return Judged(line, Reason.UNCLEAR_OFFENCE, "unclear-offence", {"lines": _lines(lines)})


def _numbers(bits: int) -> list[int]:
    return [n for n in range(bits.bit_length()) if bits >> n & 1]


def _lines(lines: Iterable[int]) -> str:
    return ("line " if len(set(lines)) == 1 else "lines ") + ", ".join(map(str, sorted(set(lines))))


def _no_deal(facts: HiddenRound) -> Judged:
    line = _first_without(facts, lambda part: _fits(Unseen(part), -1))
    part = facts.until(line)
    places = Unseen(part)
    tiles = facts.rules.tiles

    def names(mask: Mask) -> str:
        return " ".join(tile.name for tile in tiles.in_mask(mask))

    if places.twice:
        told = {"tiles": names(places.twice), "lines": _lines(_lines_of(part, places.twice) | {line})}
        return Judged(line, Reason.NO_CONSISTENT_DEAL, "no-deal-twice", told)
    _, groups, clash = places.matching(-1)
    assert clash is not None
    at = {groups[n][1] for n in clash.groups if groups[n][1]} | {line}
    if clash.scarce:
        owned = (clash.tiles & ~places.unseen).bit_count()
        told = {"places": str(clash.room - owned), "tiles": str(clash.tiles.bit_count() - owned), "lines": _lines(at)}
        return Judged(line, Reason.NO_CONSISTENT_DEAL, "no-consistent-deal", told)
    told = {"tiles": names(clash.tiles), "places": str(clash.room), "lines": _lines(at | _lines_of(part, clash.tiles))}
    return Judged(line, Reason.NO_CONSISTENT_DEAL, "no-deal-places", told)


def _lines_of(facts: HiddenRound, tiles: Mask) -> set[int]:
    """The lines that name one of these tiles as somebody's."""
    lines = {line for line, _, tile in facts.plays if tiles >> tile & 1}
    events: list[tuple[int, object]] = [deal[:2] for deal in facts.deals]
    events += [trace[:2] for trace in facts.traces]
    for line, event in events:
        if isinstance(event, Deal | Draw | Show) and any(tile and tile.bit & tiles for tile in event.tiles):
            lines.add(line)
    return lines


# ---- a deal to look at


def witness(facts: HiddenRound) -> Witness | None:
    """A deal that fits the record, with no rule broken but what is found; ``None`` where there is none.

    ``facts`` is a round of :attr:`HiddenHands.rounds`. What the record leaves open is filled with any
    tile, and the same record gives the same deal. Where the record can't say which rule was broken, as few as can be
    are forgiven, and all of them only where that is not found out either.
    """
    places = Unseen(facts)
    for forgiven in _forgivable(places):
        match = _match(places, forgiven, full=True)
        if match is not None:
            return _lay_out(places, *match, forgiven)
    return None


def _forgivable(places: Unseen) -> Iterator[int]:
    """Sets of offences to forgive, the smallest first."""
    yield 0
    if _fits(places, _every(places)):
        proved = _proved(places)
        yield proved
        yield from (proved | more for more in _fewest_more(places, proved))
        yield _every(places)


def _lay_out(places: Unseen, match: Seating, groups: list[Group], forgiven: int) -> Witness:
    facts, tiles = places.facts, places.facts.rules.tiles
    held: dict[tuple[Seat, int], list[Tile]] = {}
    # The groups of a seat stand from the last to the first.
    for group, mask in zip(reversed(groups), reversed(match.holds), strict=True):
        held.setdefault(group, []).extend(tiles.in_mask(mask))
    everywhere = tiles.all
    dealt: list[tuple[Tile, ...]] = []
    lines = {deal.seat: (line, deal.tiles) for line, deal, _ in facts.deals}
    for seat in range(facts.seats):
        line, named = lines.get(seat, (0, ()))
        dealt.append((*(tile for tile in named if tile is not None), *held.get((seat, line), ())))
    drawn: dict[int, tuple[Tile, ...]] = {}
    for line, event, _, _ in facts.traces:
        if isinstance(event, Draw):
            unseen = iter(held.get((event.seat, line), ()))
            order = event.tiles or (None,) * event.count
            drawn[line] = tuple(next(unseen) if tile is None else tile for tile in order)
    for some in (*dealt, *drawn.values()):
        everywhere &= ~tiles.mask(some)
    for fixed in places.fixed:
        everywhere &= ~fixed
    offences = tuple(places.offences[n] for n in _numbers(forgiven))
    return Witness(tuple(dealt), drawn, tuple(tiles.in_mask(everywhere)), offences)
