"""Simulated games of Uno Dominoes with their logs.

As :mod:`referee.playouts.pips`, for coloured tiles. The players use :class:`~games.uno.round.ColourRound` for legality,
and keep their own book: it reads colours and points off the names of the tiles, judges a Wild Draw Four by the table,
and counts the racks.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random

from games.moves import (
    SEATS,
    Blocked,
    Call,
    ChallengeOutcome,
    Deal,
    Draw,
    End,
    Event,
    Pass,
    Play,
    Reopening,
    RoundPoints,
    RoundStart,
    Said,
    Seat,
    Settled,
    Show,
    Totals,
)
from games.notation.gamelog import Entry, GameLog, Tenths
from games.notation.reading import dumps, loads
from games.round import RoundEnd
from games.ruleset import Deadlock, Ruleset
from games.rulesets import get
from games.tile import Tile
from games.uno.markings import COLOUR_NAMES
from games.uno.round import ColourRound
from referee.playouts.habits import Style

NAMES = ("Ana Ruiz", "Bo Chen", "Cy Doe", "Dee Fox", "Eva Lind", "Finn Moe")


@dataclass(frozen=True, slots=True)
class UnoHabits:
    """Habits at an Uno table: chances of events, from 0 to 1, and hidden seats.

    ``miss``: uno is not said. ``catch``: a player notices. ``slander``: a player is caught for nothing. ``renege``: a
    player with a tile to play draws. ``keep``: a drawn tile that fits is kept. ``challenge``: a Wild Draw Four is
    challenged. ``bluff``: an unlawful Wild Draw Four is played. ``hidden`` are the seats whose tiles the scorer does
    not see. ``says_blocked``: a round that nobody can go on with is declared blocked, for a log without hands.
    """

    style: Style = "greedy"
    miss: float = 0.2
    catch: float = 0.7
    slander: float = 0.02
    renege: float = 0.05
    keep: float = 0.1
    challenge: float = 0.5
    bluff: float = 0.5
    terse: float = 0.5
    timed: bool = True
    hidden: Collection[Seat] = ()
    says_blocked: bool = False


@dataclass(slots=True)
class UnoBook:
    """Score book of the table: points by seat, and numbers of catches and challenges."""

    scores: list[int]
    caught: int = 0
    upheld: int = 0
    rejected: int = 0
    ends: set[str] = field(default_factory=set)


@dataclass(frozen=True, slots=True)
class UnoPlayout:
    """One simulated game: its log, and the results in the table's own book."""

    log: GameLog
    scores: dict[str, int]
    winner: str
    book: UnoBook


def _letter(half: str) -> str:
    return half[0] if half[0] in "rgyb" else ""


def points(tile: str) -> int:
    """Return the points of a tile, read off its name (RULES.md 2.33)."""
    worth = {"R": 10, "S": 10, "D2": 10, "DE": 20, "WD4": 20, "W": 25}
    kinds = [half[1:] if _letter(half) else half for half in tile.split("-")]
    return sum(worth[kind] if kind in worth else int(kind) for kind in kinds)


class _UnoTable:
    """Two to six people, a set of tiles, a book and a pencil."""

    def __init__(self, rules: Ruleset, names: Sequence[str], rng: Random, habits: UnoHabits) -> None:
        self.rules = rules
        self.rng = rng
        self.habits = habits
        self.seats = len(names)
        self.entries: list[Entry] = []
        self.book = UnoBook([0] * self.seats)
        self.clock: Tenths = 0
        self.number = 0
        self.racks: list[list[Tile]] = []
        self.pile: list[Tile] = []
        self.shown: dict[str, str] = {}
        """Colour that each tile with an open end shows there, by the tile's own book-keeping name."""
        self.live: ColourRound

    def chance(self, likely: float) -> bool:
        """Return whether a chance event happens."""
        return self.rng.random() < likely

    def write(self, event: Event) -> None:
        """Write a line as the scorer sees it, and let time pass."""
        if isinstance(event, Deal | Draw) and event.seat in self.habits.hidden:
            blind = (None,) * event.count if self.chance(0.5) else ()
            event = type(event)(event.seat, event.count, blind)
        self.entries.append(Entry(0, self.clock if self.habits.timed and self.chance(0.8) else None, event))
        self.clock += 1 + round(self.rng.expovariate(1 / 40))

    # ---- A game

    def play_game(self) -> None:
        """Play rounds until a seat has reached the target at the end of a round."""
        while max(self.book.scores) < self.rules.target:
            self.play_round()
        if self.chance(0.8):
            self.write(End())

    def play_round(self) -> None:
        """Play one round, to its settlement."""
        self.deal()
        while not self.over():
            self.pay()
            self.take_turn()
        self.pay()
        self.settle()

    def over(self) -> bool:
        """Return whether the round has ended; a dead end may be reopened first."""
        if self.live.ended is RoundEnd.DEAD_END and self.rules.reopening:
            self.reopen()
        return self.live.ended is not None

    def deal(self) -> None:
        """Wash the tiles, deal them, and draw for the lead if no numeric doublet is held."""
        self.number += 1
        self.write(RoundStart(self.number))
        self.live = ColourRound(self.rules, self.seats, self.rules.lead_first)
        self.pile = list(self.rules.tiles.tiles)
        self.rng.shuffle(self.pile)
        size = self.rules.hand_size(self.seats)
        self.racks = [[self.pile.pop() for _ in range(size)] for _ in range(self.seats)]
        self.shown = {}
        for seat, rack in enumerate(self.racks):
            self.live.deal(seat, size, tuple(rack))
            self.write(Deal(seat, size, tuple(rack)))
        while not self.live.starter_seen:
            self.draw(self.live.next_lead_drawer, 1)
        if self.live.leader is None:
            # Two equal doublets, and an unwritten lot.
            best = max(points(tile.name) for rack in self.racks for tile in rack if self.is_starter(tile))
            tied = [s for s, rack in enumerate(self.racks) if any(self.is_starter(t, best) for t in rack)]
            self.live.leader = self.live.to_act = self.rng.choice(tied)

    def is_starter(self, tile: Tile, worth: int | None = None) -> bool:
        """Return whether a tile is a numeric doublet, with these points if given."""
        return tile.double and tile.name[1].isdigit() and worth in (None, points(tile.name))

    def draw(self, seat: Seat, count: int) -> None:
        """Take tiles from the pile and write them down."""
        tiles = tuple(self.pile.pop() for _ in range(count))
        self.live.apply(Draw(seat, count, tiles))
        self.racks[seat] += tiles
        self.write(Draw(seat, count, tiles))

    def pay(self) -> None:
        """Draw all owed penalties, in one line or in several."""
        for seat in self.rng.sample(self.live.unpaid, len(self.live.unpaid)):
            while seat in self.live.unpaid:
                owed = min(self.live.debts[seat], len(self.pile))
                self.draw(seat, owed if self.chance(0.6) else self.rng.randint(1, owed))

    # ---- A turn

    def plays(self) -> list[Play]:
        """Return the legal plays of the seat to act, and sometimes bluffs."""
        plays = [move for move in self.live.legal_moves() if isinstance(move, Play)]
        return plays + (list(self.live.bluffs()) if self.chance(self.habits.bluff) else [])

    def take_turn(self) -> None:
        """Play; or draw one tile, and perhaps play it; or pass."""
        seat = self.live.to_act
        assert seat is not None
        self.live.begin_turn(seat)
        plays = self.plays()
        if self.live.layout.table and (not plays or self.chance(self.habits.renege)):
            if self.pile:
                self.draw(seat, 1)
                if self.live.ended is not None:
                    return
            plays = [] if self.chance(self.habits.keep) else self.plays()
        if not plays:
            self.live.apply(Pass(seat))
            self.write(Pass(seat))
            return
        move = self.choose(plays)
        self.place(seat, move)

    def choose(self, plays: list[Play]) -> Play:
        """Choose a play: any, or for the greedy the tile with the most points."""
        if self.habits.style == "random":
            return self.rng.choice(plays)
        most = max(points(play.tile.name) for play in plays)
        return self.rng.choice([play for play in plays if points(play.tile.name) == most])

    def place(self, seat: Seat, move: Play) -> None:
        """Place a tile, with all calls about it."""
        early = len(self.racks[seat]) == 2 and self.chance(0.2)
        if early:
            self.live.say_uno(seat)
            self.write(Call(seat, Said.UNO))
        if len(self.racks[seat]) == 1 and self.chance(0.5):
            move = Play(seat, move.tile, move.on)
        guilty = self.guilty(seat, move)
        alone = len(self.live.layout.takers(move.tile)) == 1
        self.live.apply(move)
        self.racks[seat] = [tile for tile in self.racks[seat] if tile.index != move.tile.index]
        written = move.on if not alone or not self.chance(self.habits.terse) else None
        self.write(Play(seat, move.tile, written, None, move.colour))
        self.shown = {name: colour for name, colour in self.shown.items() if self.still_open(name)}
        outer = move.tile.name.split("-")[1]
        if outer != "DE":
            self.shown[self.book_name(move.tile)] = move.colour[0] if move.colour else _letter(outer)
        if self.live.can_challenge(((wild := self.live.wild_four) and wild.victim) or 0) and wild is not None:
            self.challenge(wild.victim, seat, guilty=guilty)
        if self.live.ended is None:
            self.call_uno(seat, early=early)

    def book_name(self, tile: Tile) -> str:
        """Return a tile's name, independent of the order of its halves."""
        return "-".join(sorted(tile.name.split("-")))

    def still_open(self, name: str) -> bool:
        """Return whether a tile on the table still has an open end."""
        return self.rules.tiles.tile(name).index in self.live.layout.ends

    def guilty(self, seat: Seat, move: Play) -> bool:
        """Return whether a Wild Draw Four is unlawful (2.18).

        It is if another tile on the rack has a colour shown on the table.
        """
        others = [tile.name for tile in self.racks[seat] if tile.index != move.tile.index]
        colours = {_letter(half) for name in others for half in name.split("-")} - {""}
        return bool(colours & set(self.shown.values()))

    # ---- Calls

    def challenge(self, victim: Seat, player: Seat, *, guilty: bool) -> None:
        """Let the victim of a Wild Draw Four challenge it.

        The rack may be shown, the outcome said, or nothing.
        """
        if not self.chance(self.habits.challenge):
            return
        self.live.challenge(len(self.entries) + 1)
        self.write(Call(victim, Said.CHALLENGE))
        if self.chance(0.5):
            self.write(Show(player, tuple(self.racks[player])))
        if self.chance(0.5):
            self.write(ChallengeOutcome(upheld=guilty))
        wild = self.live.wild_four
        assert wild is not None
        if wild.guilty is not guilty:
            raise AssertionError("the table and the rules disagree on a Wild Draw Four")
        if guilty:
            self.book.upheld += 1
        else:
            self.book.rejected += 1

    def call_uno(self, seat: Seat, *, early: bool) -> None:
        """Say or miss uno with one tile left; a miss may be caught.

        Some catches are false.
        """
        others = [other for other in range(self.seats) if other != seat]
        if len(self.racks[seat]) == 1 and not early:
            if not self.chance(self.habits.miss):
                self.live.say_uno(seat)
                self.write(Call(seat, Said.UNO))
            elif self.chance(self.habits.catch):
                claimant = self.rng.choice(others)
                self.live.catch(claimant, seat)
                self.write(Call(claimant, Said.CATCH, whom=seat))
                self.book.caught += 1
                return
        if self.chance(self.habits.slander):
            whom = self.rng.choice([s for s in range(self.seats) if len(self.racks[s]) != 1] or [others[0]])
            if len(self.racks[whom]) != 1:
                self.write(Call(self.rng.choice(range(self.seats)), Said.CATCH, whom=whom))

    def reopen(self) -> None:
        """Let the holder of W-W reopen a dead end."""
        holders = [seat for seat, rack in enumerate(self.racks) if any(tile.name == "W-W" for tile in rack)]
        if not holders or self.chance(0.3):
            return
        (seat,) = holders
        tiles = self.rules.tiles
        wild = tiles.tile("W-W")
        on = self.rng.choice(list(tiles.in_mask(self.live.layout.table & tiles.doubles)))
        colour = self.rng.choice(COLOUR_NAMES)
        self.live.reopen(seat, wild, colour)
        self.racks[seat].remove(wild)
        self.write(Reopening(seat, wild, on, colour))
        self.shown = {"W-W": colour[0]}
        if self.live.ended is None:
            self.call_uno(seat, early=False)

    # ---- The end

    def settle(self) -> None:
        """Show the tiles left, and book the others' points.

        Source: RULES.md 2.27, 2.31, 2.34, 2.36.
        """
        live = self.live
        if live.found_blocked and (self.habits.hidden or self.habits.says_blocked or self.chance(0.3)):
            self.write(Blocked())
        on_table = live.layout.table.bit_count()
        if on_table + len(self.pile) + sum(map(len, self.racks)) != len(self.rules.tiles.tiles):
            raise AssertionError("a tile was lost")
        worth = [sum(points(tile.name) for tile in rack) for rack in self.racks]
        winner = live.scorer
        if live.ended is RoundEnd.BLOCKED and self.rules.block is Deadlock.LOW and worth.count(min(worth)) == 1:
            winner = worth.index(min(worth))
        for seat, rack in enumerate(self.racks):
            if rack and (seat in self.habits.hidden or self.chance(0.5)):
                self.write(Show(seat, tuple(self.rng.sample(rack, len(rack)))))
        if winner is not None:
            gained = sum(worth) - worth[winner]
            self.book.scores[winner] += gained
            self.write(RoundPoints(winner, gained))
        if self.chance(0.6):
            self.write(Totals(tuple(self.book.scores)))
        if self.chance(0.7):
            self.write(Settled())
        self.book.ends.add("" if live.ended is None else live.ended.value)


def playout_uno(
    *,
    rng: Random,
    seats: int = 2,
    habits: UnoHabits | None = None,
    options: Mapping[str, str] | None = None,
    ruleset: str = "uno-dominoes",
) -> UnoPlayout:
    """Simulate one game and write its log; ``rng`` decides everything.

    >>> from random import Random
    >>> game = playout_uno(rng=Random(7), seats=3)
    >>> game.log.tags["Result"] == "-".join(map(str, game.scores.values()))
    True
    """
    rules = get(ruleset).with_options(options or {})
    table = _UnoTable(rules, NAMES[:seats], rng, habits or UnoHabits())
    table.play_game()
    scores = table.book.scores
    header = {"Ruleset": ruleset} | {f"Seat.{SEATS[n]}": NAMES[n] for n in range(seats)}
    header |= {f"Option.{key}": value for key, value in (options or {}).items()}
    header["Result"] = "-".join(map(str, scores))
    # Read back from its text, so that every entry has its line.
    (log,) = loads(dumps(GameLog(header, table.entries)))
    return UnoPlayout(log, dict(zip(SEATS, scores, strict=False)), SEATS[scores.index(max(scores))], table.book)
