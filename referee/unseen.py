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
from referee.hidden import HiddenRound, Placed, seen
from referee.leads import Edit, LeadWays, draws_for_lead, higher, is_drawn_for
from referee.matching import Clash, Seating

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

    ``fixed[s]`` are the tiles that seat ``s`` is known to have got, ``owned[s]`` those that it played
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
            if line > first:
                break
            self.fixed[seat] |= 1 << tile
        for seat, hand in enumerate(facts.hands):
            self.fixed[seat] |= hand
        if not facts.plays or first < facts.plays[0][0]:
            self._early = self.fixed[:]

    def _take_traces(self) -> None:
        """The places that draws gave, and what may not have lain in the places that a seat had at each line."""
        facts, offences, blind = self.facts, self.offences, self._blind
        found, by_choice = facts.found, facts.rules.voluntary_draw
        lead = facts.plays[0] if facts.plays and facts.lead_due is _HIGHEST_DOUBLE else None
        for line, event, free, table in facts.traces:
            if lead is not None and line > lead[0]:
                self._take_lead(lead)
                lead = None
            if isinstance(event, Draw):
                seat, reason = event.seat, _DREW
                if event.bit and table:
                    self.fixed[seat] |= event.bit
                    earlier = last = 0
                else:
                    earlier, last = self._take_named(event, table) if event.tiles else (event.count - 1, 1)
                    if earlier or last:
                        blind[seat] = True
                if by_choice:
                    self._rows[seat].append((line, 0, 0, table, earlier, last))
                    continue
            elif isinstance(event, Pass):
                seat, reason = event.seat, _PASSED
                earlier = last = 0
            else:
                if isinstance(event, Blocked):
                    for rows in self._rows:
                        rows.append((line, 0, free, table, 0, 0))
                continue
            # The seat could do this only with no tile that could be placed.
            if not table:
                self._before_lead(line, reason, seat, earlier, last)
            elif blind[seat]:
                if found and (line, reason.value) in found:
                    self._rows[seat].append((line, 0, 0, table, earlier, last))
                else:
                    self._rows[seat].append((line, 1 << len(offences), free, table, earlier, last))
                    offences.append((line, reason, seat))
        if lead is not None:
            self._take_lead(lead)

    def _take_named(self, draw: Draw, table: Mask) -> tuple[int, int]:
        """Keep the tiles of a draw that were seen; tells how many were not before the last one, and of it (0 or 1)."""
        named = seen(draw.tiles)
        self.fixed[draw.seat] |= named
        if not table:
            self._early[draw.seat] |= named
        last = 1 if draw.tiles[-1] is None else 0
        return draw.count - named.bit_count() - last, last

    def _offence(self, line: int, reason: Reason, seat: Seat) -> int:
        """The bit of an offence; 0 for one that known tiles have proved already."""
        if (line, reason.value) in self.facts.found:
            return 0
        self.offences.append((line, reason, seat))
        return 1 << len(self.offences) - 1

    def _before_lead(self, line: int, reason: Reason, seat: Seat, earlier: int, last: int) -> None:
        """Where a double has to be led, nobody draws or passes before it while somebody holds one (RULES.md 3.4)."""
        bit = self._offence(line, reason, seat)
        free = self.facts.rules.tiles.doubles if bit and is_drawn_for(self.facts) else 0
        for other, rows in enumerate(self._rows):
            if other != seat and free:
                rows.append((line, bit, free, 0, 0, 0))
        self._rows[seat].append((line, bit, free, 0, earlier, last))

    def _take_tiles(self) -> None:
        """Who had which tile, by what was played and shown."""
        facts, fixed = self.facts, self.fixed
        owned: list[list[Mask]] = [[] for _ in fixed]
        for _, seat, tile in facts.plays:
            bit = 1 << tile
            if not fixed[seat] & bit:
                owned[seat].append(bit)
        self.owned, self._own = owned, list(map(sum, owned))
        for _, event, _, _ in reversed(facts.traces):
            if not isinstance(event, Show):
                break  # hands are shown when nothing else is done any more
            self._own[event.seat] |= seen(event.tiles) & ~fixed[event.seat]
        taken = twice = 0
        for known, own in zip(fixed, self._own, strict=True):
            mine = known | own
            twice |= taken & mine
            taken |= mine
        self.twice = twice
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
        add_room, add_tiles, add_group = room.append, may.append, groups.append
        unseen = self.unseen
        for seat, rows in enumerate(self._rows):
            own = unseen | self._own[seat]
            banned = 0
            for line, offence, free, table, earlier, last in reversed(rows):
                if last:
                    add_room(1)
                    add_tiles(own & ~(table | banned))
                    add_group((seat, line))
                if not dropped & offence:
                    banned |= free
                if earlier:
                    add_room(earlier)
                    add_tiles(own & ~(table | banned))
                    add_group((seat, line))
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
        clash = match.put_all(tiles, lambda group: self.owned[groups[group][0]])
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
    for places, tiles in zip(room, may, strict=True):  # noqa: SIM110  # a generator costs more than it walks through
        if places and (tiles & unseen).bit_count() < free:
            return False
    return True
