"""Games played out by chance, with their logs: for tests, demonstrations and benchmarks.

The players at this table use :class:`~games.round.Round` to know what they may do, but they keep their own score book:
it counts the open ends from the definition in RULES.md 1.2, tile by tile, and hands chips over one by one. So a log and
its book are two witnesses, and the referee can be held against both.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Literal

from games.gamelog import Entry, GameLog, Tenths
from games.moves import (
    SEATS,
    Bell,
    Call,
    ChipsLeft,
    Deal,
    Draw,
    End,
    Event,
    Pass,
    Play,
    RoundPoints,
    RoundStart,
    Said,
    Seat,
    Settled,
    Show,
    Totals,
)
from games.notation import dumps, loads
from games.round import Round, RoundEnd
from games.ruleset import Lead, Ruleset
from games.rulesets import get
from games.tiles import Tile

Style = Literal["greedy", "random"]


@dataclass(frozen=True, slots=True)
class Habits:
    """How people at a table play: the chance of each kind of event, from 0 to 1, and the pace.

    ``miss``: a score is not announced. ``muggins``: the opponent notices it. ``slip``: a wrong number is announced.
    ``late``: points are announced on a line of their own. ``terse``: ``on`` is left out where it can be. ``seconds``:
    the mean time between two events.
    """

    style: Style = "greedy"
    miss: float = 0.08
    muggins: float = 0.7
    slip: float = 0.0
    late: float = 0.1
    terse: float = 0.3
    seconds: float = 4.0
    timed: bool = True


@dataclass(slots=True)
class Book:
    """The score book of the table: points and chips by seat, kept apart from the engine."""

    scores: list[int]
    chips: list[int]
    ended: str | None = None
    winner: Seat | None = None
    missed: int = 0
    claimed: int = 0


@dataclass(frozen=True, slots=True)
class Playout:
    """One game played out: its log, and what the table's own book says."""

    log: GameLog
    scores: dict[str, int]
    chips: dict[str, int]
    winner: str | None
    ended: str
    missed: int
    claimed: int


@dataclass(slots=True)
class _Owed:
    """Points of a play that were not announced, and who may call them."""

    scorer: Seat
    points: int


@dataclass(slots=True)
class _Board:
    """What is joined to what: for every tile on the table the halves that something is attached to."""

    joined: dict[Tile, list[int]] = field(default_factory=dict)

    def place(self, tile: Tile, on: Tile | None) -> None:
        """Attach a tile."""
        self.joined[tile] = []
        if on is not None:
            face = tile.high if tile.high in self._free(on) else tile.low
            self.joined[tile].append(face)
            self.joined[on].append(face)

    def _free(self, tile: Tile) -> list[int]:
        if tile.double:
            return [tile.high]
        return [face for face in (tile.high, tile.low) if face not in self.joined[tile]]

    def count(self) -> int:
        """The open-end count, summed up from the definition (RULES.md 1.2)."""
        total = 0
        for tile, joined in self.joined.items():
            if tile.double:
                total += 2 * tile.high if len(joined) < 2 else 0
            else:
                total += sum(self._free(tile))
        return total


class _Table:
    """Two people, a set of tiles, a book and a pencil."""

    def __init__(self, rules: Ruleset, names: Sequence[str], rng: Random, habits: Habits) -> None:
        self.rules = rules
        self.rng = rng
        self.habits = habits
        self.seats = len(names)
        self.entries: list[Entry] = []
        self.book = Book([0] * self.seats, [rules.chips] * self.seats)
        self.clock: Tenths | None = 0
        self.number = 0
        self.winner: Seat | None = None
        self.blocked = False
        self.overtime = self.rung = False
        self.owed: _Owed | None = None
        self.claimable: _Owed | None = None

    # ---- the pencil

    def write(self, event: Event) -> None:
        """Write a line, and let time pass. What belongs to a turn or a settlement is said before the bell."""
        at = self.clock if self.habits.timed and not self.overtime else None
        if at is not None and not self.rung:
            at = min(at, self.rules.clock_s * 10 or at)
        self.entries.append(Entry(0, at, event))
        if self.clock is not None:
            self.clock += max(1, round(self.rng.expovariate(1 / (10 * self.habits.seconds))))

    def time_is_up(self) -> bool:
        """Whether the bell has to ring before the next line."""
        end = self.rules.clock_s * 10
        return bool(end) and not self.overtime and self.clock is not None and self.clock > end

    # ---- the book

    def pay(self, seat: Seat, points: int) -> None:
        """The others hand over chips; the first with none left has lost, and overtime ends with the first points."""
        if self.book.ended or not points:
            return
        self.book.scores[seat] += points
        for other in range(self.seats):
            if other != seat:
                self.book.chips[other] -= min(points // 5, self.book.chips[other])
        if self.overtime:
            self.book.ended, self.book.winner = "overtime", seat
        elif self.book.scores[seat] >= self.rules.target:
            self.book.ended, self.book.winner = "target", seat

    # ---- a game

    def play_game(self) -> None:
        """Rounds until somebody has won."""
        while not self.book.ended:
            if self.time_is_up():
                self.ring()
            else:
                self.play_round()
        if self.rng.random() < 0.8:
            self.write(End())

    def play_round(self) -> None:
        """One deal, to its settlement."""
        live, hands, boneyard = self.deal()
        board = _Board()
        while live.ended is None and not self.book.ended:
            if self.time_is_up():
                self.ring()
                return
            self.take_turn(live, hands, boneyard, board)
        if self.book.ended:
            self.write_totals()
        else:
            self.settle(live, hands)

    def deal(self) -> tuple[Round, list[list[Tile]], list[Tile]]:
        """Wash the tiles and deal them."""
        self.number += 1
        self.write(RoundStart(self.number))
        first = self.winner is None or self.blocked or self.overtime
        live = Round(
            self.rules,
            self.seats,
            Lead.HIGHEST_DOUBLE if first else Lead.DOMINOER_ANY,
            None if first else self.winner,
        )
        washed = list(self.rules.tiles.tiles)
        self.rng.shuffle(washed)
        size = self.rules.hand_size(self.seats)
        hands = [[washed.pop() for _ in range(size)] for _ in range(self.seats)]
        for seat, hand in enumerate(hands):
            live.deal(seat, size, tuple(hand))
            self.write(Deal(seat, size, tuple(hand)))
        self.owed = self.claimable = None
        return live, hands, washed

    def take_turn(self, live: Round, hands: list[list[Tile]], boneyard: list[Tile], board: _Board) -> None:
        """Draw while nothing fits, then play, or pass."""
        seat = live.to_act
        assert seat is not None
        while not live.playable(seat) and live.can_draw:
            if self.time_is_up():
                return
            tile = boneyard.pop()
            hands[seat].append(tile)
            live.apply(Draw(seat, 1, (tile,)))
            self.write(Draw(seat, 1, (tile,)))
            if live.ended is not None:
                return
        if self.time_is_up():
            return
        move = self.choose([move for move in live.legal_moves() if isinstance(move, Play)], live)
        if move is None:
            live.apply(Pass(seat))
            self.write(Pass(seat))
            self.turn_completed()
            return
        takers = sum(1 for other in live.legal_moves() if isinstance(other, Play) and other.tile == move.tile)
        live.apply(move)
        hands[seat].remove(move.tile)
        board.place(move.tile, move.on)
        self.turn_completed()
        self.score(seat, move, takers, board.count())
        self.call_muggins(seat)

    def choose(self, plays: list[Play], live: Round) -> Play | None:
        """Any legal play, or for the greedy the one that scores most."""
        if not plays:
            return None
        if self.habits.style == "random":
            return self.rng.choice(plays)

        def gain(play: Play) -> tuple[int, int]:
            count = live.after(play).layout.count
            return (count if count % 5 == 0 else 0), play.tile.pips

        return max(plays, key=gain)

    # ---- announcing

    def turn_completed(self) -> None:
        """What was not announced can be called now; what was not called is gone."""
        self.claimable, self.owed = self.owed, None

    def score(self, seat: Seat, move: Play, takers: int, count: int) -> None:
        """Write the play, with what the player announces, and pay it. ``takers`` tiles could have taken the tile."""
        worth = count if count % 5 == 0 else 0
        said = self.announcement(worth)
        on = move.on if self.habits.terse < self.rng.random() or takers > 1 else None
        late = said is not None and self.rng.random() < self.habits.late
        self.write(Play(seat, move.tile, on, None if late else said))
        if late:
            self.write(Call(seat, Said.COUNT, said))
        points = min(said or 0, worth)
        if worth > points:
            self.owed = _Owed(seat, worth - points)
            self.book.missed += 1
        self.pay(seat, points)

    def announcement(self, worth: int) -> int | None:
        """What the player says: nothing, the points, or a wrong number."""
        if worth and self.rng.random() < self.habits.miss:
            return None
        if self.rng.random() < self.habits.slip:
            return max(5, worth + self.rng.choice((-5, 5, 10)))
        return worth or None

    def call_muggins(self, seat: Seat) -> None:
        """The player who has just moved may call what the opponent did not announce."""
        owed = self.claimable
        if owed is None or owed.scorer == seat or self.book.ended or self.rng.random() > self.habits.muggins:
            return
        self.write(Call(seat, Said.MUGGINS, owed.points if self.rng.random() < 0.5 else None))
        self.claimable = None
        self.book.claimed += 1
        self.pay(seat, owed.points)

    # ---- the end

    def ring(self) -> None:
        """The bell: nobody moves any more, the leader has won, or there is overtime."""
        self.rung, self.clock = True, self.rules.clock_s * 10
        self.write(Bell())
        self.turn_completed()
        owed = self.claimable
        if owed is not None:
            self.clock = self.rules.clock_s * 10 + 60
            self.call_muggins(1 - owed.scorer)
        self.write_totals()
        if self.book.ended:
            return
        best = max(self.book.scores)
        if self.book.scores.count(best) == 1:
            self.book.ended, self.book.winner = "bell", self.book.scores.index(best)
        else:
            self.overtime, self.clock = True, None
            self.winner = None
            self.write(Settled())

    def settle(self, live: Round, hands: list[list[Tile]]) -> None:
        """Show what is left, call what is open, and book the round-end points."""
        pips = [sum(tile.pips for tile in hand) for hand in hands]
        for seat, hand in enumerate(hands):
            if hand or self.rng.random() < 0.3:
                self.write(Show(seat, tuple(hand)))
        self.turn_completed()
        if self.claimable is not None:
            self.call_muggins(1 - self.claimable.scorer)
        if self.book.ended:
            self.write_totals()
            return
        self.blocked = live.ended is RoundEnd.BLOCKED
        lowest = pips.index(min(pips))
        self.winner = live.went_out if live.went_out is not None else (lowest if pips[0] != pips[1] else None)
        if self.winner is not None:
            points = 5 * round(pips[1 - self.winner] / 5)
            self.write(RoundPoints(self.winner, points))
            self.pay(self.winner, points)
        self.write_totals()
        self.owed = self.claimable = None
        if self.rng.random() < 0.7:
            self.write(Settled())

    def write_totals(self) -> None:
        """Write the score and, now and then, the chips."""
        self.write(Totals(tuple(self.book.scores)))
        if self.rules.chips and self.rng.random() < 0.5:
            self.write(ChipsLeft(tuple(self.book.chips)))


def playout(
    ruleset: str,
    *,
    rng: Random,
    seats: Sequence[str] = ("Ana Ruiz", "Bo Chen"),
    habits: Habits | None = None,
    options: Mapping[str, str] | None = None,
    tags: Mapping[str, str] | None = None,
) -> Playout:
    """Play one game of ``ruleset`` by chance and write its log.

    ``rng`` decides everything: the same state gives the same game. ``tags`` go into the header after the ruleset.

    >>> from random import Random
    >>> game = playout("udl", rng=Random(7))
    >>> game.log.tags["Result"] == "-".join(map(str, game.scores.values()))
    True
    """
    rules = get(ruleset).with_options(options or {})
    table = _Table(rules, seats, rng, habits or Habits())
    table.play_game()
    header = {"Ruleset": ruleset, **(tags or {})}
    header |= {f"Seat.{SEATS[n]}": name for n, name in enumerate(seats)}
    header |= {f"Option.{key}": value for key, value in (options or {}).items()}
    header["Result"] = "-".join(map(str, table.book.scores))
    book = table.book
    # Read back from its text, so that every entry has its line.
    (log,) = loads(dumps(GameLog(header, table.entries)))
    return Playout(
        log=log,
        scores=dict(zip(SEATS, book.scores, strict=False)),
        chips=dict(zip(SEATS, book.chips, strict=False)),
        winner=None if book.winner is None else SEATS[book.winner],
        ended=book.ended or "",
        missed=book.missed,
        claimed=book.claimed,
    )
