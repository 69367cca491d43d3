"""Analysis of hidden hands: facts true in every deal that fits a round.

Source: NOTATION.md section 4. An unknown tile is a place with its possible tiles; legal draws and passes take tiles
from places; a consistent deal is a perfect matching of places and tiles. Where legal moves leave no deal, a seat broke
a rule: the analysis names the seat if the record proves it.
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
    """A result of the analysis, as facts for a finding: see `referee.sentences`."""

    line: int
    reason: Reason
    say: str
    facts: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Witness:
    """One deal that fits the record of a round.

    ``dealt`` are hands by seat, ``drawn`` tiles by the line of the draw, ``forgiven`` its offences.
    """

    dealt: tuple[tuple[Tile, ...], ...]
    drawn: Mapping[int, tuple[Tile, ...]]
    boneyard: tuple[Tile, ...]
    forgiven: tuple[Offence, ...]


class Deals(NamedTuple):
    """The deals that fit a round.

    ``told`` are the judgements that none of them avoids, ``forgiven`` the offences that they may have: those found, or
    any where the record can't tell them apart. ``None``: no deal fits.
    """

    told: list[Judged]
    places: Unseen
    forgiven: int | None

    def rests(self) -> list[Leftovers]:
        """Return the tiles that may be left in the hands."""
        return [] if self.forgiven is None else self.places.rests(self.forgiven)


class NoDeal(Exception):
    """No deal fits the record of the settled round: replay stops after it."""


class HiddenHands:
    """Record of a game's unknown hands: kept line by line, judged round by round.

    ``dealt`` and ``traces`` belong to the current round; ``rounds`` are the judged rounds, with their numbers.
    ``no_deal``: no deal fits the last judged round. ``found`` are the findings made so far, by line and code.
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
        """Keep an event while a hand is unknown: a draw after it was made, others before."""
        if not self.traces:
            self._hands = live.hands[:]
        layout = live.layout
        table = layout.table
        free = layout.fitting() & ~table if table and not isinstance(event, Show) else 0
        self.traces.append((line, event, free, table))

    def shown_by_others(self, seat: Seat) -> Mask:
        """Return the tiles that unknown hands of other seats have shown in this round."""
        tiles = 0
        for _, event, _, _ in reversed(self.traces):
            if not isinstance(event, Show):
                break  # hands are shown only at the end
            if event.seat != seat:
                tiles |= seen(event.tiles)
        return tiles

    def begin_round(self) -> None:
        """Begin the next round: the last round is settled."""
        self.dealt, self.traces = [], []
        self._deals = None

    def judge(self, closing: Round, number: int, plays: Sequence[Placed]) -> list[Judged]:
        """Judge a round when its settlement closes (NOTATION.md 4).

        ``plays`` end with its own.
        """
        facts, deals = self._look(closing, plays)
        self.rounds.append((number, facts))
        self.no_deal = deals.forgiven is None
        return deals.told

    def rests(self, closing: Round, plays: Sequence[Placed]) -> list[Leftovers]:
        """Return the tiles that may be left in the hands of an ended round, so far."""
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
    """Return the judgements that no deal avoids.

    None if a deal fits in which nobody broke a rule besides the findings so far.
    """
    return look(facts).told


def look(facts: HiddenRound) -> Deals:
    """Return the deals that fit a round, and the judgements that none avoids."""
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
    """Return the offences that no deal avoids, even with all others forgiven."""
    every = _every(places)
    return sum(1 << n for n in range(len(places.offences)) if not _fits(places, every & ~(1 << n)))


# ---- Fitting deals


def _fits(places: Unseen, dropped: int) -> bool:
    """Return whether a deal fits the record with these offences forgiven."""
    return _match(places, dropped) is not None


def _match(places: Unseen, dropped: int, *, full: bool = False) -> tuple[Seating, list[Group]] | None:
    """Return a deal that fits.

    ``full`` leaves no place empty, even if any tile would do.
    """
    if places.twice or places.never & ~dropped:
        return None
    offence, ways = places.leads
    for edits in [()] if not offence or dropped & offence else ways:
        match, groups, clash = places.matching(dropped, edits, full=full)
        if clash is None:
            return match, groups
    return None


# ---- Offences


def _fewest_more(places: Unseen, proved: int) -> list[int]:
    """Return the smallest sets of further offences that leave a deal if forgiven.

    Sets of one or two; the search for two stops at the second set. A set must break every clash, so it has at least one
    offence of any clash: only these are tried.
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
    """Return a minimal clash: offences that leave no deal unless one is forgiven.

    As bits; none of them can be left out.
    """
    kept = [1 << n for n in range(len(places.offences)) if not dropped >> n & 1]
    everything = _every(places)

    def fits(offences: Iterable[int]) -> bool:
        return _fits(places, everything & ~sum(offences))

    return _smallest(fits, [], False, kept)


def _smallest(fits: Callable[[Iterable[int]], bool], sure: list[int], grown: bool, kept: list[int]) -> list[int]:
    """Find the part of ``kept`` that with ``sure`` leaves no deal (QuickXplain)."""
    if grown and not fits(sure):
        return []
    if len(kept) == 1:
        return kept
    half = len(kept) // 2
    right = _smallest(fits, sure + kept[:half], True, kept[half:])
    left = _smallest(fits, sure + right, bool(right), kept[:half])
    return left + right


# ---- Judgements


def _told(places: Unseen, proved: int) -> list[Judged]:
    told = []
    for n, (line, reason, seat) in enumerate(places.offences):
        if proved >> n & 1:
            tile = next((tile for at, _, tile in places.facts.plays if at == line), None)
            facts = {"seat": SEATS[seat], "tile": "" if tile is None else places.facts.rules.tiles.tiles[tile].name}
            told.append(Judged(line, reason, f"{reason.value}-hidden", facts))
    return told


def _first_without(facts: HiddenRound, fits: Callable[[HiddenRound], bool]) -> int:
    """Return the last line of the shortest beginning of the round that does not fit.

    The whole round does not fit.
    """
    lines = facts.lines()
    # Fewer tiles on a later deal line can make up for too many: only after the deal, a misfit stays a misfit.
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
    """Return the lines that name one of these tiles in a hand."""
    lines = {line for line, _, tile in facts.plays if tiles >> tile & 1}
    events: list[tuple[int, object]] = [deal[:2] for deal in facts.deals]
    events += [trace[:2] for trace in facts.traces]
    for line, event in events:
        if isinstance(event, Deal | Draw | Show) and any(tile and tile.bit & tiles for tile in event.tiles):
            lines.add(line)
    return lines


# ---- Example deal


def witness(facts: HiddenRound) -> Witness | None:
    """Return a deal that fits the record, with no more offences than found.

    ``None`` if none fits. ``facts`` is a round of :attr:`HiddenHands.rounds`. Tiles left open by the record are chosen
    freely, and the same record gives the same deal. If the record does not show the offence, the fewest offences are
    forgiven, and all of them only if the fewest are not clear either.
    """
    places = Unseen(facts)
    for forgiven in _forgivable(places):
        match = _match(places, forgiven, full=True)
        if match is not None:
            return _lay_out(places, *match, forgiven)
    return None


def _forgivable(places: Unseen) -> Iterator[int]:
    """Yield sets of offences to forgive, the smallest first."""
    yield 0
    if _fits(places, _every(places)):
        proved = _proved(places)
        yield proved
        yield from (proved | more for more in _fewest_more(places, proved))
        yield _every(places)


def _lay_out(places: Unseen, match: Seating, groups: list[Group], forgiven: int) -> Witness:
    facts, tiles = places.facts, places.facts.rules.tiles
    held: dict[tuple[Seat, int], list[Tile]] = {}
    # The groups of a seat come from the last to the first.
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
