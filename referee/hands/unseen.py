"""Unseen places of a round, and the lines that restrict their tiles.

:class:`Unseen` turns a round's record into groups of unseen places, each with its possible tiles, and into offences:
lines that were legal only if certain places did not hold certain tiles (NOTATION.md section 4).
"""

from __future__ import annotations

from games.errors import Reason
from games.moves import Blocked, Draw, Pass, Seat, Show
from games.ruleset import Lead
from games.tile import Mask
from referee.hands.bounds import Leftovers, PlaceGroup
from referee.hands.hidden import HiddenRound, Placed, Trace, seen
from referee.hands.leads import Edit, LeadWays, draws_for_lead, higher, is_drawn_for
from referee.hands.matching import Clash, Seating

# Enum member access runs Python code, so members needed in every round have names of their own.
_HIGHEST_DOUBLE = Lead.HIGHEST_DOUBLE
_PASSED, _DREW, _LED = Reason.PASS_WHEN_ABLE, Reason.DRAW_WHEN_ABLE, Reason.WRONG_LEAD

Offence = tuple[int, Reason, Seat]
"""One line with one code, by one seat."""


Row = tuple[int, int, Mask, Mask, int, int]
"""A moment at which a seat got places, or its places held none of some tiles.

The line; the bit of the offence of holding a tile of ``free``, 0 for a fact; ``free``; the tiles on the table; the
number of places filled before the last tile of the line, and with it (0 or 1). A plain tuple, because every draw and
pass of a round with a hidden hand makes one.
"""


Bound = tuple[int, Mask]
"""A place of a drawn tile to be played if it fits: offence bit, fitting tiles."""


Group = tuple[Seat, int]
"""Unseen places of one kind: their seat and line; 0 for a hand without a line."""


class Unseen:
    """Unseen places of a round, with their possible tiles and restricting lines.

    ``fixed[s]`` are the tiles that seat ``s`` is known to have got, ``owned[s]`` the others that it played, in that
    order. ``unseen`` are the tiles that nobody saw. ``twice`` are tiles that two seats had. A lead with a bit in
    ``never`` is an offence in every deal; ``leads`` are the ways in which another lead is right, with its bit.
    """

    __slots__ = (
        "_blind",
        "_bound",
        "_dealt",
        "_early",
        "_lines",
        "_own",
        "_rows",
        "facts",
        "fixed",
        "leads",
        "never",
        "offences",
        "owned",
        "twice",
        "unseen",
    )

    def __init__(self, facts: HiddenRound) -> None:
        self.facts = facts
        seats = range(facts.seats)
        size = facts.rules.hand_size(facts.seats)
        self.offences: list[Offence] = []
        self.never = 0
        self.leads: tuple[int, list[tuple[Edit, ...]]] = (0, [])
        self._bound: dict[tuple[int, bool], Bound] = {}
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

    # ---- Record

    def _take_hands(self) -> None:
        """Add draws and plays up to the first unknown hand, if all were known at first."""
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
        """Add the places of draws, and the tiles excluded from places at each line."""
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
            # The seat could do this only without a playable tile.
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
        """Keep the seen tiles of a draw, and count its unseen tiles.

        Returns the unseen tiles before the last tile, and of the last tile (0 or 1).
        """
        named = seen(draw.tiles)
        self.fixed[draw.seat] |= named
        if not table:
            self._early[draw.seat] |= named
        last = 1 if draw.tiles[-1] is None else 0
        return draw.count - named.bit_count() - last, last

    def _offence(self, line: int, reason: Reason, seat: Seat) -> int:
        """Return the bit of an offence; 0 if known tiles have proved it already."""
        if (line, reason.value) in self.facts.found:
            return 0
        self.offences.append((line, reason, seat))
        return 1 << len(self.offences) - 1

    def _before_lead(self, line: int, reason: Reason, seat: Seat, earlier: int, last: int) -> None:
        """Add a draw or pass before the lead, illegal while a seat holds a double.

        Only where a double must be led and drawn for (RULES.md 3.4).
        """
        bit = self._offence(line, reason, seat)
        free = self.facts.rules.tiles.doubles if bit and is_drawn_for(self.facts) else 0
        for other, rows in enumerate(self._rows):
            if other != seat and free:
                rows.append((line, bit, free, 0, 0, 0))
        self._rows[seat].append((line, bit, free, 0, earlier, last))

    def _take_tiles(self) -> None:
        """Assign tiles to seats, by plays and shown hands."""
        facts, fixed = self.facts, self.fixed
        owned: list[list[Mask]] = [[] for _ in fixed]
        for _, seat, tile in facts.plays:
            bit = 1 << tile
            if not fixed[seat] & bit:
                owned[seat].append(bit)
        self.owned, self._own = owned, list(map(sum, owned))
        for _, event, _, _ in reversed(facts.traces):
            if not isinstance(event, Show):
                break  # hands are shown only at the end
            self._own[event.seat] |= seen(event.tiles) & ~fixed[event.seat]
        taken = twice = 0
        for known, own in zip(fixed, self._own, strict=True):
            mine = known | own
            twice |= taken & mine
            taken |= mine
        self.twice = twice
        self.unseen = facts.rules.tiles.all & ~taken

    # ---- The lead

    def _take_lead(self, lead: Placed) -> None:
        """Add the offence of a lead: a seat had a higher double then (RULES.md 0.4, 3.3).

        Where any tile may be led, or a seat may have drawn for the lead, it may be right in several ways.
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
        """Return whether the double to be led was drawn while every hand was known.

        Then known tiles have judged the lead.
        """
        facts = self.facts
        if not is_drawn_for(facts) or not facts.all_dealt_seen:
            return False
        doubles = facts.rules.tiles.doubles
        dealt = any(hand & doubles for _, _, hand in facts.deals)
        return not dealt and any(hand & doubles for hand in facts.hands)

    # ---- Drawn tiles that must be played

    def _take_turns(self) -> None:
        """Add the draws of unseen tiles after which a fitting tile must be played.

        Source: RULES.md 0.16.
        """
        draws: list[Trace] = []
        for trace in self.facts.traces:
            _, event, _, table = trace
            goes_on = draws and isinstance(event, Draw) and event.seat == _seat(draws[0]) and table == draws[0][3]
            if draws and not goes_on:
                self._take_turn(draws, trace)
                draws = []
            if isinstance(event, Draw) and table:
                draws.append(trace)
        if draws:
            self._take_turn(draws, None)

    def _take_turn(self, draws: list[Trace], after: Trace | None) -> None:
        """Add the duty to play a drawn tile that fitted (NOTATION.md 7.3).

        Not another tile, and not after another draw.
        """
        seat, last = _seat(draws[0]), draws[-1][0]
        play = next((play for play in self.facts.plays if play[0] > last and play[1] == seat), None)
        done, played = (0, 0) if play is None else (play[0], 1 << play[2])
        if after is not None and isinstance(after[1], Pass) and after[1].seat == seat and (not done or after[0] < done):
            done, played = after[0], 0
        bits = {
            at: self._offence(at, Reason.MUST_PLAY_DRAWN, seat) for at in (*(draw[0] for draw in draws), done) if at
        }
        for (line, _, fits, _), then in zip(draws, [*(draw[0] for draw in draws[1:]), done], strict=True):
            for early, at in ((True, line), (False, then)):
                if bits.get(at):
                    self._bound[line, early] = bits[at], fits & ~(played if at == done else 0)

    # ---- The places

    def matching(
        self, dropped: int, edits: tuple[Edit, ...] = (), *, full: bool = False
    ) -> tuple[Seating, list[Group], Clash | None]:
        """Match tiles and places, with the offences in ``dropped`` forgiven.

        Returns the seating, its groups, and the clash or ``None``. Places where any tile fits stay empty, unless the
        matching is to be ``full``. The groups of a seat come from the last to the first, places of one line from the
        last, dealt hands behind all draws.
        """
        room, may, groups, tiles = self._places(dropped, edits)
        unseen = self.unseen & ~tiles
        match = Seating(room, may)
        clash = match.put_all(tiles, lambda group: self.owned[groups[group][0]])
        if clash is None and (full or not _plenty(room, may, unseen)):
            clash = match.fill(unseen)
        return match, groups, clash

    def rests(self, dropped: int) -> list[Leftovers]:
        """Return the tiles that may be left in the hands, with these offences forgiven.

        An item for each way in which the lead was right.
        """
        if self.twice or self.never & ~dropped:
            return []
        played = sum(1 << tile for _, _, tile in self.facts.plays)
        known = [tiles & ~played for tiles in self.fixed]
        offence, ways = self.leads
        found = []
        for edits in [()] if not offence or dropped & offence else ways:
            room, may, groups, must = self._places(dropped, edits)
            places = [PlaceGroup(seat, n, tiles) for n, tiles, (seat, _) in zip(room, may, groups, strict=True)]
            found.append(Leftovers(known, places, must, played))
        return found

    def _places(self, dropped: int, edits: tuple[Edit, ...]) -> tuple[list[int], list[Mask], list[Group], Mask]:
        """Return the unseen places by group, and the tiles that lie in some of them.

        By group: number of places, possible tiles, seat and line.
        """
        room: list[int] = []
        may: list[Mask] = []
        groups: list[Group] = []
        dealt: list[tuple[Mask, Seat]] = []
        add_room, add_tiles, add_group = room.append, may.append, groups.append
        unseen, bound = self.unseen, self._bound
        for seat, rows in enumerate(self._rows):
            own = unseen | self._own[seat]
            banned = 0
            for line, offence, free, table, earlier, last in reversed(rows):
                if last:
                    add_room(1)
                    add_tiles(own & ~(table | banned | (self._banned(line, False, dropped) if bound else 0)))
                    add_group((seat, line))
                if not dropped & offence:
                    banned |= free
                if earlier:
                    add_room(earlier)
                    add_tiles(own & ~(table | banned | (self._banned(line, True, dropped) if bound else 0)))
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
        return room, may, groups, tiles

    def _banned(self, line: int, early: bool, dropped: int) -> Mask:
        """Return the tiles that this draw did not take, if a fitting tile must be played."""
        offence, fits = self._bound.get((line, early), (0, 0))
        return 0 if dropped & offence else fits

    def _edit(self, edit: Edit, groups: list[Group], may: list[Mask]) -> None:
        for index, (seat, line) in enumerate(groups):
            meant = edit.seat in (None, seat) and edit.first <= line <= edit.last
            if meant:
                may[index] &= ~edit.ban
            else:
                may[index] &= ~edit.pin


def _seat(draw: Trace) -> Seat:
    assert isinstance(draw[1], Draw)
    return draw[1].seat


def _plenty(room: list[int], may: list[Mask], unseen: Mask) -> bool:
    """Return whether every free place has enough tiles to choose from.

    Then none can be left empty.
    """
    free = sum(room)
    if not free or unseen.bit_count() < free:
        return not free
    for places, tiles in zip(room, may, strict=True):  # noqa: SIM110  # a generator costs more than this loop
        if places and (tiles & unseen).bit_count() < free:
            return False
    return True
