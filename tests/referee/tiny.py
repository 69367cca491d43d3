"""Rounds with small sets, played by chance, with and without offences, and written by somebody who saw only part."""

from dataclasses import replace

from games.layout import Layout
from games.ruleset import Announce, Lead, Muggins, NoDouble
from games.rulesets.udl import UDL
from games.tile import Face, Tile
from games.tiles import TileSet


def tile_set(highest):
    """The double-``highest`` set."""
    faces = [Face(n, str(n), n) for n in range(highest + 1)]
    pairs = [(x, y) for x in range(highest + 1) for y in range(x + 1)]
    return TileSet(f"double-{highest}", faces, [Tile(i, f"{x}-{y}", x, y, x + y) for i, (x, y) in enumerate(pairs)])


SETS = {highest: tile_set(highest) for highest in (2, 3)}


def tiny_rules(highest, seats, hand, **changes):
    """UDL's rules with a small set, small hands, no clock and no muggins."""
    plain = {
        "key": "tiny",
        "tiles": SETS[highest],
        "seats": (2, 4),
        "hand": {seats: hand},
        "clock_s": 0,
        "announce": Announce.AUTO,
        "muggins": Muggins.OFF,
        "chips": 0,
        "target": 1000,
    }
    return replace(UDL, **{**plain, **changes})


class TinyTable:
    """One round, as it really went, in ``lines``; ``offend`` is the chance of breaking a rule."""

    show = 0.6

    def __init__(self, rules, seats, rng, offend):
        self.rules, self.seats, self.rng, self.offend = rules, seats, rng, offend
        tiles = list(rules.tiles.tiles)
        rng.shuffle(tiles)
        size = rules.hand_size(seats)
        self.hands = [[tiles.pop() for _ in range(size)] for _ in range(seats)]
        self.boneyard = tiles
        self.dealt = [list(hand) for hand in self.hands]
        self.layout = Layout(rules.tiles, rules.spinner)
        self.lines = []  # (kind, seat, tiles, on)
        self.passes = 0

    def play_round(self):
        seat = self.lead()
        if seat is None:
            return
        while all(self.hands) and self.passes < self.seats:
            seat = (seat + 1) % self.seats
            if self.stuck() and self.rng.random() < 0.6:
                self.lines.append(("blocked", None, [], None))
                break
            self.turn(seat)
            if self.rng.random() < 0.04:
                return
        for s in range(self.seats):
            if self.hands[s] and self.rng.random() < self.show:
                self.lines.append(("shows", s, list(self.hands[s]), None))

    def stuck(self):
        fits = self.layout.fitting()
        return not self.drawable() and not any(t.bit & fits for hand in self.hands for t in hand)

    def drawable(self):
        return max(0, len(self.boneyard) - self.rules.boneyard_reserve)

    def offends(self):
        return self.rng.random() < self.offend

    def lead(self):
        seat = self.rng.randrange(self.seats)
        if self.rules.lead_first is Lead.HIGHEST_DOUBLE:
            drawn_for = self.rules.no_double is NoDouble.DRAW_UNTIL
            drawer = 0
            while drawn_for and self.drawable() and (self.offends() or not self.has_double()):
                self.draw(drawer, 1)
                seat, drawer = drawer, (drawer + 1) % self.seats
            if not self.offends():
                due = self.due()
                if due is None:
                    return None
                seat = next(s for s, hand in enumerate(self.hands) if due in hand)
                if self.rules.lead_forced:
                    self.place(seat, due)
                    return seat
        self.place(seat, self.rng.choice(self.hands[seat]))
        return seat

    def has_double(self):
        return any(tile.double for hand in self.hands for tile in hand)

    def due(self):
        everything = [tile for hand in self.hands for tile in hand]
        doubles = [tile for tile in everything if tile.double]
        if self.rules.no_double is NoDouble.DRAW_UNTIL and not any(t.double for hand in self.dealt for t in hand):
            # No double was dealt: they are what the draws brought, and the first one is due (RULES.md 3.4).
            doubles = [tile for kind, _, tiles, _ in self.lines if kind == "draw" for tile in tiles if tile.double][:1]
        if not doubles and self.rules.no_double is NoDouble.DRAW_UNTIL:
            return None
        return max(doubles or everything, key=lambda tile: (tile.high, tile.low))

    def able(self, seat):
        fits = self.layout.fitting()
        return [tile for tile in self.hands[seat] if tile.bit & fits]

    def turn(self, seat):
        drawn = []
        while self.drawable() and (
            not self.able(seat) or (self.rng.random() < 0.3 if self.rules.voluntary_draw else self.offends())
        ):
            if not self.able(seat) and self.offends() and self.offends():
                break
            if self.rules.must_play_drawn and drawn[-1:] and drawn[-1] in self.able(seat) and not self.offends():
                break
            drawn += self.draw(seat, 1)
        able = self.able(seat)
        if not able or (self.offends() and self.offends()):
            self.lines.append(("pass", seat, [], None))
            self.passes += 1
            return
        due = [tile for tile in able if tile in drawn[-1:]]
        if self.rules.must_play_drawn and due and not self.offends():
            able = due
        self.place(seat, self.rng.choice(able))

    def deal_no_double(self):
        """Deal anew: nobody gets a double but, now and then, one seat one."""
        tiles, size = [*self.rules.tiles.tiles], self.rules.hand_size(self.seats)
        self.rng.shuffle(tiles)
        tiles.sort(key=lambda tile: tile.double)
        dealt = size * self.seats
        if self.rng.random() < 0.25:
            place, double = self.rng.randrange(dealt), self.rng.randrange(dealt, len(tiles))
            tiles[place], tiles[double] = tiles[double], tiles[place]
        self.hands = [tiles[seat * size : (seat + 1) * size] for seat in range(self.seats)]
        self.dealt = [list(hand) for hand in self.hands]
        self.boneyard = tiles[dealt:]
        self.rng.shuffle(self.boneyard)

    def draw(self, seat, count):
        some = [self.boneyard.pop() for _ in range(count)]
        self.hands[seat] += some
        last = self.lines[-1] if self.lines else None
        if last and last[:2] == ("draw", seat) and self.layout.table and self.rng.random() < 0.3:
            last[2].extend(some)
        else:
            self.lines.append(("draw", seat, some, None))
        return list(some)

    def place(self, seat, tile):
        on = None
        if self.layout.table:
            on = self.rng.choice(list(self.rules.tiles.in_mask(self.layout.places(tile.index))))
        self.layout.place(tile.index, None if on is None else on.index)
        self.hands[seat].remove(tile)
        self.lines.append(("play", seat, [tile], on))
        self.passes = 0

    # ---- the pencil

    def written(self, hide, lie=0.0):
        """The log, with each tile unseen by the chance ``hide``; with the chance ``lie`` a seen tile is another one.

        Now and then every dealt hand was seen, and only draws were not.
        """
        rng = self.rng
        see_hands = rng.random() < 0.15
        text = '[Ruleset "tiny"]\n' + "".join(f'[Seat.{letter} ""]\n' for letter in "ABCD"[: self.seats]) + "round 1\n"
        for seat, hand in enumerate(self.dealt):
            how = rng.random()
            if see_hands:
                text += f"{'ABCD'[seat]} hand " + self.seen(hand, 0, lie)
            elif how < 0.25 and hide:
                continue
            else:
                text += f"{'ABCD'[seat]} hand "
                text += f"{len(hand)}\n" if how < 0.5 and hide else self.seen(hand, hide, lie)
        for kind, seat, tiles, on in self.lines:
            who = "" if seat is None else "ABCD"[seat]
            if kind == "play":
                text += f"{who} {self.lied(tiles[0], lie).name}" + (f" on {on.name}\n" if on else "\n")
            elif kind == "draw":
                all_unseen = hide and rng.random() < 0.3
                text += f"{who} draw " + (f"{len(tiles)}\n" if all_unseen else self.seen(tiles, hide, lie))
            elif kind == "shows":
                text += f"{who} shows " + self.seen(tiles, hide / 2, lie)
            else:
                text += f"{who} {kind}".strip() + "\n"
        return text

    def seen(self, tiles, hide, lie):
        return " ".join("?" if self.rng.random() < hide else self.lied(t, lie).name for t in tiles) + "\n"

    def lied(self, tile, lie):
        return self.rng.choice(self.rules.tiles.tiles) if self.rng.random() < lie else tile
