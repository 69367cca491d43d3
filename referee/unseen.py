"""The places in which the unseen tiles of a round may have lain, and the lines that say what did not lie there.

:class:`Unseen` turns a round's record into groups of unseen places, each with the tiles it may hold, and into offences:
lines that were legal only if certain places did not hold certain tiles (NOTATION.md section 4).
"""

from __future__ import annotations

from typing import NamedTuple

from games.errors import Reason
from games.moves import Blocked, Draw, Pass, Seat, Show
from games.ruleset import Lead
from games.tiles import Mask
from referee.hidden import HiddenRound, Placed, Trace, seen
from referee.leads import Edit, LeadWays, draws_for_lead, higher, is_drawn_for
from referee.matching import Clash, Seating, bits

# An enum looks its members up by a call in Python, so those that every round asks for have a name of their own.
_HIGHEST_DOUBLE = Lead.HIGHEST_DOUBLE
_PASSED, _DREW, _LED = Reason.PASS_WHEN_ABLE, Reason.DRAW_WHEN_ABLE, Reason.WRONG_LEAD

Offence = tuple[int, Reason, Seat]
"""One line with one code, by one seat."""


Row = tuple[int, int, Mask, Mask, int, int]
"""A moment at which a seat got places, or its places held none of some tiles.

The line; the bit of the offence that it would have been to hold a tile of ``free``, 0 for a fact; ``free``; the tiles
on the table; how many places were filled before the last tile of the line, and with it (0 or 1). A plain tuple: there
is one for each draw and pass of every round with a hidden hand.
"""


class Turn(NamedTuple):
    """A play after draws of unseen tiles, where a drawn tile that fits must be played."""

    offence: int
    seat: Seat
    first: int
    last: int
    tile: Mask
    fits: Mask
    must: bool  # a tile seen when drawn fitted, and another one was played


Group = tuple[Seat, int]
"""Unseen places of one kind: whose, and the line they came by; 0 for a hand that has no line."""


class Unseen:
    """The unseen places of a round: who got them when, what they may hold, and which lines forbid it what.

    ``fixed[s]`` are the tiles that seat ``s`` is known to have got, ``owned[s]`` those that it played or showed
    besides, in that order. ``unseen`` are the tiles that nobody saw. ``twice`` are tiles that two seats had. The lead
    that has a bit of ``never`` is an offence in every deal; ``leads`` are the ways in which another one is none, with
    its bit. ``branches`` counts the ways that were tried to keep the rule behind ``turns``.
    """

    __slots__ = (
        "_blind",
        "_dealt",
        "_early",
        "_lines",
        "_own",
        "_rows",
        "branches",
        "facts",
        "fixed",
        "leads",
        "never",
        "offences",
        "owned",
        "turns",
        "twice",
        "unseen",
    )

    def __init__(self, facts: HiddenRound) -> None:
        self.facts = facts
        seats = range(facts.seats)
        size = facts.rules.hand_size(facts.seats)
        self.offences: list[Offence] = []
        self.never = 0
        self.branches = 0
        self.leads: tuple[int, list[tuple[Edit, ...]]] = (0, [])
        self.turns: list[Turn] = []
        self.fixed = [0] * facts.seats
        self._dealt = [size] * facts.seats
        self._lines = [0] * facts.seats
        self._rows: list[list[Row]] = [[] for _ in seats]
        for line, deal, hand in facts.deals:
            self.fixed[deal.seat] = hand
            self._dealt[deal.seat] = deal.count - hand.bit_count()
            self._lines[deal.seat] = line
        self._early = self.fixed[:]
        self._blind = [bool(places) for places in self._dealt]
        self._take_hands()
        self._take_traces()
        self._take_tiles()
        bit, _ = self.leads
        if bit:
            ways = LeadWays(facts, self._early, [self.unseen | own for own in self._own])
            self.leads = (bit, list(ways))
        if facts.rules.voluntary_draw and facts.rules.must_play_drawn:
            self._take_turns()

    # ---- what the record says

    def _take_hands(self) -> None:
        """Where every hand was known at first, what was drawn and played till then is known too."""
        facts = self.facts
        if not facts.traces or True in self._blind:
            return
        first = facts.traces[0][0]
        for line, seat, tile in facts.plays:
            if line < first:
                self.fixed[seat] |= 1 << tile
        for seat, hand in enumerate(facts.hands):
            self.fixed[seat] |= hand
        if not facts.plays or first < facts.plays[0][0]:
            self._early = self.fixed[:]

    def _take_traces(self) -> None:
        facts = self.facts
        lead = facts.plays[0] if facts.plays and facts.lead_due is _HIGHEST_DOUBLE else None
        for trace in facts.traces:
            line, event, free, table = trace
            if lead is not None and line > lead[0]:
                self._take_lead(lead)
                lead = None
            if isinstance(event, Draw):
                self._take_draw(trace, event)
            elif isinstance(event, Pass):
                self._forbid(trace, event.seat, _PASSED)
            elif isinstance(event, Blocked):
                for rows in self._rows:
                    rows.append((line, 0, free, table, 0, 0))
        if lead is not None:
            self._take_lead(lead)

    def _offence(self, line: int, reason: Reason, seat: Seat) -> int:
        """The bit of an offence; 0 for one that known tiles have proved already."""
        found = self.facts.found
        if found and (line, reason.value) in found:
            return 0
        self.offences.append((line, reason, seat))
        return 1 << len(self.offences) - 1

    def _take_draw(self, trace: Trace, draw: Draw) -> None:
        line, _, _, table = trace
        unseen = last = draw.count
        if draw.tiles:
            named = seen(draw.tiles)
            self.fixed[draw.seat] |= named
            if not table:
                self._early[draw.seat] |= named
            unseen -= named.bit_count()
            last = draw.tiles[-1] is None
        last = 1 if last else 0
        if unseen:
            self._blind[draw.seat] = True
        if self.facts.rules.voluntary_draw:
            self._rows[draw.seat].append((line, 0, 0, table, unseen - last, last))
        else:
            self._forbid(trace, draw.seat, _DREW, unseen - last, last)

    def _forbid(self, trace: Trace, seat: Seat, reason: Reason, earlier: int = 0, last: int = 0) -> None:
        """The seat could do this only with no tile that could be placed; before the lead, if nobody could lead."""
        line, _, free, table = trace
        if table and not self._blind[seat]:
            return
        bit = self._offence(line, reason, seat)
        if not table:
            # Where a double has to be led, nobody draws or passes before it while somebody holds one (RULES.md 3.4).
            free = self.facts.rules.tiles.doubles if is_drawn_for(self.facts) else 0
            for other, rows in enumerate(self._rows):
                if other != seat and free and bit:
                    rows.append((line, bit, free, 0, 0, 0))
        self._rows[seat].append((line, bit, free if bit else 0, table, earlier, last))

    def _take_tiles(self) -> None:
        """Who had which tile, by what was played and shown."""
        facts = self.facts
        fixed = self.fixed
        owned: list[list[Mask]] = [[] for _ in fixed]
        own = [0] * facts.seats
        taken = twice = 0
        for mask in fixed:
            twice |= taken & mask
            taken |= mask
        for _, seat, tile in facts.plays:
            bit = 1 << tile
            if not fixed[seat] & bit:
                twice |= taken & bit
                taken |= bit
                own[seat] |= bit
                owned[seat].append(bit)
        for _, event, _, _ in facts.traces:
            if isinstance(event, Show):
                seat = event.seat
                shown = seen(event.tiles) & ~fixed[seat]
                twice |= taken & shown
                taken |= shown
                own[seat] |= shown
                owned[seat] += bits(shown)
        self.owned, self._own, self.twice = owned, own, twice
        self.unseen = facts.rules.tiles.all & ~taken

    # ---- the lead

    def _take_lead(self, lead: Placed) -> None:
        """The highest double was led: nobody had a higher one when it was (RULES.md 0.4, 3.3).

        Where any tile may be led, or somebody may have drawn for the lead, there are several ways for it to be right.
        """
        rules = self.facts.rules
        if True not in self._blind or self._first_drawn_seen():
            return
        line, seat, tile = lead
        bit = self._offence(line, _LED, seat)
        if not bit:
            return
        if not rules.lead_forced or draws_for_lead(self.facts):
            self.leads = (bit, [])
            return
        beaten_by = higher(rules, tile)
        if beaten_by is None:
            self.never |= bit
            return
        for rows in self._rows:
            rows.append((line, bit, beaten_by, 0, 0, 0))

    def _first_drawn_seen(self) -> bool:
        """Whether the double to be led was drawn while every hand was known: then known tiles have judged the lead."""
        facts = self.facts
        if not is_drawn_for(facts) or not facts.all_dealt_seen:
            return False
        doubles = facts.rules.tiles.doubles
        dealt = any(hand & doubles for _, _, hand in facts.deals)
        return not dealt and any(hand & doubles for hand in facts.hands)

    # ---- drawn tiles that must be played

    def _take_turns(self) -> None:
        """The plays that a tile drawn unseen in the same turn could make an offence (RULES.md 0.16)."""
        draws: list[tuple[int, Draw]] = []
        before, fits = 0, 0
        for line, event, free, table in self.facts.traces:
            goes_on = isinstance(event, Draw) and table == before and draws and event.seat == draws[0][1].seat
            if draws and not goes_on:
                if table != before:
                    self._take_turn(draws, fits)
                draws = []
            if isinstance(event, Draw) and table:
                draws.append((line, event))
                before, fits = table, free
        if draws:
            self._take_turn(draws, fits)

    def _take_turn(self, draws: list[tuple[int, Draw]], fits: Mask) -> None:
        (first, draw), (last, _) = draws[0], draws[-1]
        play = next((play for play in self.facts.plays if play[0] > last), None)
        if play is None or play[1] != draw.seat:
            return
        line, seat, played = play
        named = unseen = 0
        for _, event in draws:
            mask = seen(event.tiles)
            named |= mask
            unseen += event.count - mask.bit_count()
        tile = 1 << played
        if not unseen or named & tile:
            return
        bit = self._offence(line, Reason.MUST_PLAY_DRAWN, seat)
        if bit:
            self.turns.append(Turn(bit, seat, first, last, tile, fits, must=bool(named & fits)))

    # ---- the places

    def matching(
        self, dropped: int, edits: tuple[Edit, ...] = (), *, full: bool = False
    ) -> tuple[Seating, list[Group], Clash | None]:
        """Tiles in places, with the offences whose bits are in ``dropped`` forgiven; a clash where that can't be.

        Places that any tile is good enough for are left empty, unless the matching is to be ``full``. The groups of
        a seat stand from the last to the first, places of one line from the last, dealt hands behind all draws.
        """
        room: list[int] = []
        may: list[Mask] = []
        groups: list[Group] = []
        dealt: list[tuple[Mask, Seat]] = []
        unseen = self.unseen
        for seat, rows in enumerate(self._rows):
            own = unseen | self._own[seat]
            banned = 0
            for line, offence, free, table, earlier, last in reversed(rows):
                if last:
                    room.append(1)
                    may.append(own & ~(table | banned))
                    groups.append((seat, line))
                if not dropped & offence:
                    banned |= free
                if earlier:
                    room.append(earlier)
                    may.append(own & ~(table | banned))
                    groups.append((seat, line))
            if self._dealt[seat]:
                dealt.append((own & ~banned, seat))
        for tiles_dealt, seat in dealt:
            room.append(self._dealt[seat])
            may.append(tiles_dealt)
            groups.append((seat, self._lines[seat]))
        tiles = sum(self._own)
        for edit in edits:
            self._edit(edit, groups, may)
            tiles |= edit.pin
        unseen &= ~tiles
        match = Seating(room, may)
        clash = match.put_all(tiles, [self.owned[seat] for seat, _ in groups])
        if clash is None and (full or not _plenty(room, may, unseen)):
            clash = match.fill(unseen)
        return match, groups, clash

    def _edit(self, edit: Edit, groups: list[Group], may: list[Mask]) -> None:
        for index, (seat, line) in enumerate(groups):
            meant = edit.seat in (None, seat) and edit.first <= line <= edit.last
            if meant:
                may[index] &= ~edit.ban
            else:
                may[index] &= ~edit.pin


def _plenty(room: list[int], may: list[Mask], unseen: Mask) -> bool:
    """Whether every free place has so many tiles to choose from that none can be left empty."""
    free = sum(room)
    if not free or unseen.bit_count() < free:
        return not free
    return all((tiles & unseen).bit_count() >= free for places, tiles in zip(room, may, strict=True) if places)
