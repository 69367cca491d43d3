"""Simulated games with their logs: for tests, demonstrations and benchmarks.

The players use :class:`~games.round.Round` for legality, but they keep their own score book,
:mod:`referee.playouts.book`. So a log and its book are two witnesses to test the referee against.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import Random

from games.moves import (
    SEATS,
    Bell,
    Blocked,
    Call,
    ChipsLeft,
    Deal,
    Draw,
    End,
    Event,
    Lot,
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
from games.notation.gamelog import Entry, GameLog, Tenths
from games.notation.reading import dumps, loads
from games.round import Round, RoundEnd
from games.ruleset import Announce, Lead, Muggins, NoDouble, Ruleset, TileOrder
from games.rulesets import get
from games.tile import Tile
from referee.playouts.book import Board, Book, round_end
from referee.playouts.habits import Habits

__all__ = ["Habits", "Playout", "playout"]


@dataclass(frozen=True, slots=True)
class Playout:
    """One simulated game: its log, and the results in the table's own book."""

    log: GameLog
    scores: dict[str, int]
    chips: dict[str, int]
    winner: str | None
    ended: str
    missed: int
    claimed: int


@dataclass(slots=True)
class _Owed:
    """Unannounced points of a play, open to a call.

    ``at``: time of the tile's release, ``silent``: nothing at all was announced.
    """

    scorer: Seat
    points: int
    at: Tenths | None = None
    silent: bool = True


class _Table:
    """People, a set of tiles, a book and a pencil."""

    def __init__(self, rules: Ruleset, names: Sequence[str], rng: Random, habits: Habits) -> None:
        self.rules = rules
        self.rng = rng
        self.habits = habits
        self.seats = len(names)
        self.entries: list[Entry] = []
        self.book = Book(rules, [0] * self.seats, [rules.chips] * self.seats, [0] * self.seats)
        self.clock: Tenths | None = 0
        self.number = 0
        self.winner: Seat | None = None
        self.blocked = False
        self.rung = False
        self.owed: _Owed | None = None
        self.claimable: _Owed | None = None
        self.has_drawn = False

    # ---- Writing

    def write(self, event: Event) -> None:
        """Write a line, and let time pass.

        Lines of a turn or a settlement come before the bell.
        """
        self.entries.append(Entry(0, self.now(), event))
        if self.clock is not None:
            self.clock += max(1, round(self.rng.expovariate(1 / (10 * self.habits.seconds))))

    def now(self) -> Tenths | None:
        """Return the time of the next line."""
        at = self.clock if self.habits.timed and not self.book.overtime else None
        return at if at is None or self.rung else min(at, self.rules.clock_s * 10 or at)

    def time_is_up(self) -> bool:
        """Return whether the bell must ring before the next line."""
        end = self.rules.clock_s * 10
        return bool(end) and not self.book.overtime and self.clock is not None and self.clock > end

    # ---- A game

    def play_game(self) -> None:
        """Play rounds until the game has ended."""
        while not self.book.ended:
            if self.time_is_up():
                self.ring()
            else:
                self.play_round()
        if self.rng.random() < 0.8:
            self.write(End())

    def play_round(self) -> None:
        """Play one round, to its settlement."""
        live, hands, boneyard = self.deal()
        board = Board()
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
        live = self.draw_lots()
        washed = list(self.rules.tiles.tiles)
        self.rng.shuffle(washed)
        if self.rules.no_double is NoDouble.DRAW_UNTIL and self.rng.random() < self.habits.no_double:
            washed.sort(key=lambda tile: not tile.double)
        size = self.rules.hand_size(self.seats)
        hands = [[washed.pop() for _ in range(size)] for _ in range(self.seats)]
        for seat, hand in enumerate(hands):
            live.deal(seat, size, tuple(hand))
            self.write(Deal(seat, size, tuple(hand)))
        self.owed = self.claimable = None
        return live, hands, washed

    def draw_lots(self) -> Round:
        """Begin a round with its leader: by the round before, or by lot.

        A lot may go unrecorded.
        """
        lead, leader = self.lead()
        live = Round(self.rules, self.seats, lead, leader)
        if lead is not Lead.LOT:
            return live
        lots = self.rng.sample(self.rules.tiles.tiles, self.seats)
        by_pips = self.rules.highest_tile is TileOrder.PIPS
        best = max(lots, key=lambda tile: (tile.pips if by_pips else tile.high, tile.high, tile.low))
        live.leader = live.to_act = lots.index(best)
        if self.rng.random() >= self.habits.unseen_lot:
            for seat, tile in enumerate(lots):
                self.write(Lot(seat, tile))
        return live

    def lead(self) -> tuple[Lead, Seat | None]:
        """Return the lead rule of the next round, and the leader if known."""
        if self.number == 1:
            return self.rules.lead_first, None
        if self.book.overtime:
            return Lead.HIGHEST_DOUBLE, None
        lead = self.rules.lead_after_block if self.blocked else self.rules.lead_later
        if lead in (Lead.DOMINOER_ANY, Lead.WINNER_ANY):
            return (lead, self.winner) if self.winner is not None else (Lead.LOT, None)
        return lead, None

    def take_turn(self, live: Round, hands: list[list[Tile]], boneyard: list[Tile], board: Board) -> None:
        """Draw while nothing fits, then play, or pass."""
        if live.leader is None and not live.layout.table:
            self.draw(live, live.to_act or 0, hands, boneyard)
            return
        seat = live.to_act
        assert seat is not None
        while live.can_draw and (not live.playable(seat) or self.draws_by_choice(live)):
            if self.time_is_up():
                return
            self.draw(live, seat, hands, boneyard)
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
        if self.rules.muggins is Muggins.AFTER_NEXT:
            self.call_muggins(seat)
        elif self.rules.muggins is Muggins.BEFORE_NEXT:
            self.call_at_once()

    def draw(self, live: Round, seat: Seat, hands: list[list[Tile]], boneyard: list[Tile]) -> None:
        """Take one tile from the boneyard."""
        tile = boneyard.pop()
        hands[seat].append(tile)
        live.apply(Draw(seat, 1, (tile,)))
        self.write(Draw(seat, 1, (tile,)))
        if self.rules.next_action_counts_draw and not self.has_drawn:
            self.turn_completed()
            self.has_drawn = True

    def draws_by_choice(self, live: Round) -> bool:
        """Return whether a player with a playable tile draws by choice."""
        if not self.rules.voluntary_draw or not live.layout.table or live.drawn_fits:
            return False
        return self.rng.random() < self.habits.whim

    def choose(self, plays: list[Play], live: Round) -> Play | None:
        """Choose a legal play: any, or for the greedy the highest score."""
        if not plays:
            return None
        if self.habits.style == "random":
            return self.rng.choice(plays)

        def gain(play: Play) -> tuple[int, int]:
            count = live.after(play).layout.count
            return (count if count % 5 == 0 else 0), play.tile.pips

        return max(plays, key=gain)

    # ---- Announcements and calls

    def turn_completed(self) -> None:
        """Open unannounced points to a call, and drop points not called."""
        if self.has_drawn:
            self.has_drawn = False
        else:
            self.claimable, self.owed = self.owed, None

    def score(self, seat: Seat, move: Play, takers: int, count: int) -> None:
        """Write the play with its announcement, and pay it.

        ``takers`` tiles could have taken the tile.
        """
        worth = count // self.rules.play_divisor if count % 5 == 0 else 0
        at = self.now()
        said = self.announcement(worth)
        on = move.on if self.habits.terse < self.rng.random() or takers > 1 else None
        late = said is not None and self.rng.random() < self.habits.late
        self.write(Play(seat, move.tile, on, None if late else said))
        if late:
            self.write(Call(seat, Said.COUNT, said))
        if self.rules.announce is Announce.AUTO:
            self.book.pay(seat, worth)
            return
        points = min(said or 0, worth)
        if worth > points:
            self.owed = _Owed(seat, worth - points, at, silent=said is None)
            self.book.missed += 1
        self.book.pay(seat, points)

    def announcement(self, worth: int) -> int | None:
        """Return the player's announcement: nothing, the points, or a wrong number."""
        if worth and self.rng.random() < self.habits.miss:
            return None
        if self.rng.random() < self.habits.slip:
            return max(5, worth + self.rng.choice((-5, 5, 10)))
        return worth or None

    def call_muggins(self, seat: Seat) -> None:
        """Let the player that has just moved call the opponent's unannounced points."""
        owed = self.claimable
        if owed is None or owed.scorer == seat or self.book.ended or self.rng.random() > self.habits.muggins:
            return
        self.write(Call(seat, Said.MUGGINS, owed.points if self.rng.random() < 0.5 else None))
        self.claimable = None
        self.book.claimed += 1
        self.book.pay(seat, owed.points)

    def call_at_once(self) -> None:
        """Let opponents call before the next turn, and the scorer announce after all.

        Source: RULES.md 1.5, the column of ``before_next``.
        """
        owed, self.owed = self.owed, None
        if owed is None or self.book.ended or self.rng.random() > self.habits.muggins:
            return
        others = [(owed.scorer + n) % self.seats for n in range(1, self.seats)]
        first = self.rng.choice(others)
        at = self.now()
        hold = self.rules.muggins_grace_s * 10
        held = owed.silent and at is not None and owed.at is not None and at - owed.at < hold
        self.write(Call(first, Said.MUGGINS))
        caller, first_at = first, at
        if len(others) > 1 and self.rng.random() < self.habits.echo:
            second = self.rng.choice([seat for seat in others if seat != first])
            if self.rng.random() < 0.5 and at is not None:
                self.clock = first_at
            # Two calls in the last moment before the bell also have one time.
            second_at = self.now()
            if at is not None and second_at == first_at:
                caller = min(first, second, key=others.index)
            elif second_at is None or owed.at is None or second_at - owed.at > hold:
                held = False
            self.write(Call(second, Said.MUGGINS))
        if self.rng.random() < self.habits.echo:
            at = self.now()
            self.write(Call(owed.scorer, Said.COUNT, owed.points))
            if held and at is not None and owed.at is not None and at - owed.at <= hold:
                self.book.pay(owed.scorer, owed.points)
                return
        self.book.claimed += 1
        self.book.pay(caller, owed.points)

    # ---- The end

    def ring(self) -> None:
        """Ring the bell: play stops; the leader has won, or overtime begins."""
        self.rung, self.clock = True, self.rules.clock_s * 10
        self.write(Bell())
        self.turn_completed()
        owed = self.claimable
        if owed is not None:
            self.clock = self.rules.clock_s * 10 + 60
            self.call_muggins((owed.scorer + 1) % self.seats)
        self.write_totals()
        if self.book.ended:
            return
        self.book.ring()
        if self.book.overtime:
            self.clock = self.winner = None
            self.write(Settled())

    def settle(self, live: Round, hands: list[list[Tile]]) -> None:
        """Show the tiles left, call open points, and book the round-end points."""
        if live.ended is RoundEnd.BLOCKED and self.habits.says_blocked:
            self.write(Blocked())
        for seat, hand in enumerate(hands):
            if hand or self.rng.random() < 0.3:
                self.write(Show(seat, tuple(hand)))
        if self.rules.muggins is Muggins.AFTER_NEXT:
            self.has_drawn = False
            self.turn_completed()
            if self.claimable is not None:
                self.call_muggins((self.claimable.scorer + 1) % self.seats)
        if self.book.ended:
            self.write_totals()
            return
        self.blocked = live.ended is RoundEnd.BLOCKED
        self.winner, points = round_end(self.rules, hands, live.went_out)
        for seat, gained in enumerate(points):
            if gained or seat == self.winner:
                self.write(RoundPoints(seat, gained))
        self.book.pay_round(points)
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
    """Simulate one game of ``ruleset`` and write its log.

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
