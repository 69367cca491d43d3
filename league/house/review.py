"""Review of a finished game for one seat: its moves against the best ones, and luck apart from skill. Pure.

All points are leads: those of the seat less those of the others. A move is judged by what its player could know.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from games.claims import PlayScore, score_of
from games.moves import Draw, Event, Pass, Play, RoundStart, Seat
from games.notation.gamelog import GameLog, Tenths
from games.round import Move, Round
from games.ruleset import Announce, Muggins
from games.uno.round import ColourRound
from league.house.evaluation import Valued, valued
from league.house.knowledge import known_to
from league.house.simulation import lead_over
from league.house.uno_evaluation import valued_at_uno
from league.house.uno_knowledge import known_at_uno
from referee.game import ReplayedGame
from referee.replay import replayed

SAMPLES: Final = 600
"""Hands simulated for a move."""
NOISE: Final = 0.5
"""A smaller difference between two moves counts as none."""
STANDARD_ERRORS: Final = 2
"""A difference of fewer standard errors is the noise of the samples."""


@dataclass(frozen=True, slots=True)
class JudgedMove:
    """A move of the seat in ``line``, and the best move then; points are expected until the end of the hand.

    A play names the tile that it is joined to, also where the log leaves it out.

    ``choice``: there was more than one move. ``ahead``: the lead in this hand before the move.
    """

    line: int
    played: Move
    best: Move
    played_points: float
    best_points: float
    choice: bool
    ahead: float

    @property
    def lost(self) -> float:
        """Points given away by the move."""
        return self.best_points - self.played_points


@dataclass(frozen=True, slots=True)
class Missed:
    """Points of a play that the seat did not announce, or with ``muggins`` did not claim; ``tile`` is its name."""

    line: int
    tile: str
    points: int
    muggins: bool


@dataclass(frozen=True, slots=True)
class ReviewedHand:
    """A hand of the game. Its ``result`` is the sum of deal, draws, others, less the points lost and not announced.

    ``deal``: the lead expected at the first move of the seat; ``draws``: what its draws changed of it; ``others``: what
    the other seats' tiles and plays changed.
    """

    number: int
    moves: tuple[JudgedMove, ...]
    missed: tuple[Missed, ...]
    result: float
    deal: float
    draws: float

    @property
    def lost(self) -> float:
        return sum(one.lost for one in self.moves)

    @property
    def unannounced(self) -> int:
        return sum(one.points for one in self.missed if not one.muggins)

    @property
    def others(self) -> float:
        return self.result - self.deal - self.draws + self.lost + self.unannounced


@dataclass(slots=True)
class _ReplayedHand:
    """A hand during the replay: its events, its judged moves, and the lead of the seat when it began."""

    number: int
    start: float
    events: list[Event]
    moves: list[JudgedMove]
    lines: list[int]


class _Reviewer:
    """Spectator of the replay who judges each move of the seat before it is made."""

    def __init__(self, log: GameLog, seat: Seat, samples: int, seed: str) -> None:
        self.seat, self.samples, self.seed = seat, samples, seed
        self.coming = [(line, event) for line, _at, event in log.each()]
        self.seen = 0
        self.hands: list[_ReplayedHand] = []

    def look(self, game: ReplayedGame, _at: Tenths | None, event: Event) -> None:
        self.seen += 1
        if isinstance(event, RoundStart):
            self.hands.append(_ReplayedHand(event.number, self._lead(game), [], [], []))
        if not self.hands:
            return
        hand = self.hands[-1]
        hand.events.append(event)
        hand.lines.append(game.line)
        if self.seen < len(self.coming):
            line, event = self.coming[self.seen]
            if isinstance(event, Play | Draw | Pass) and event.seat == self.seat:
                self._judge(game, hand, line, event)

    def _lead(self, game: ReplayedGame) -> float:
        return lead_over(game.card.scores, self.seat)

    def _judge(self, game: ReplayedGame, hand: _ReplayedHand, line: int, event: Move) -> None:
        live = game.round
        if live is None or not game.live or live.to_act != self.seat or not live.known[self.seat]:
            return
        move = _as_candidate(event)
        found = self._valued(live, hand, move, f"{self.seed} {line}")
        played = next((one for one in found if _same(one.move, move)), None)
        if played is not None:
            hand.moves.append(_judged(line, played, found, self._lead(game) - hand.start))

    def _valued(self, live: Round | ColourRound, hand: _ReplayedHand, move: Move, seed: str) -> list[Valued]:
        """Return the moves of the seat with their expected points; none for a penalty drawn or a draw for the lead."""
        if not isinstance(live, ColourRound):
            return valued(known_to(self.seat, live, hand.events), self.samples, seed, keep=move)
        known = known_at_uno(self.seat, live)
        plays = known.plays + tuple(one for one in known.bluffs if _same(one, move))
        if live.unpaid or not (plays or live.layout.table):
            return []
        return valued_at_uno(known, plays, self.samples, seed, keep=move)


def _as_candidate(move: Move) -> Move:
    """Return a move as it is valued: without a call, and a draw as one unknown tile."""
    if isinstance(move, Play):
        return Play(move.seat, move.tile, move.on, colour=move.colour)
    return Draw(move.seat, 1) if isinstance(move, Draw) else move


def _same(one: Move, other: Move) -> bool:
    """Return whether two moves are the same; a play may leave out the only tile that it can be joined to."""
    if isinstance(one, Play) and isinstance(other, Play):
        same = one.tile is other.tile and one.colour == other.colour
        return same and (one.on is other.on or other.on is None)
    return one == other


def _judged(line: int, played: Valued, found: list[Valued], ahead: float) -> JudgedMove:
    best = max(found, key=lambda one: one.points)
    if best.points - played.points < max(NOISE, STANDARD_ERRORS * best.standard_error(played)):
        best = played
    return JudgedMove(line, played.move, best.move, played.points, best.points, len(found) > 1, ahead)


def reviewed(log: GameLog, seat: Seat, *, samples: int = SAMPLES, seed: str = "") -> list[ReviewedHand]:
    """Review the hands of a game in which the hand of this seat is known; the same seed gives the same review.

    A hand without a move of the seat whose tiles are known has no judged moves.
    """
    reviewer = _Reviewer(log, seat, samples, seed)
    game = replayed(log, reviewer.look)
    plays = [score_of(one) for one in game.claims.plays]
    ends = [hand.start for hand in reviewer.hands[1:]] + [lead_over(game.card.scores, seat)]
    return [
        _reviewed(hand, end - hand.start, tuple(_missed(game, hand, seat, plays)))
        for hand, end in zip(reviewer.hands, ends, strict=True)
    ]


def _reviewed(hand: _ReplayedHand, result: float, missed: tuple[Missed, ...]) -> ReviewedHand:
    deal = hand.moves[0].ahead + hand.moves[0].best_points if hand.moves else 0.0
    return ReviewedHand(hand.number, tuple(hand.moves), missed, result, deal, sum(_of_draws(hand.moves)))


def _of_draws(moves: list[JudgedMove]) -> Iterator[float]:
    """Yield what each draw changed: the lead expected after it less that before it."""
    for before, after in pairwise(moves):
        if isinstance(before.played, Draw):
            yield after.ahead + after.best_points - before.ahead - before.played_points


def _missed(game: ReplayedGame, hand: _ReplayedHand, seat: Seat, plays: Iterable[PlayScore]) -> Iterator[Missed]:
    """Yield points that were not announced, and those of others that nobody claimed."""
    if game.rules.announce is not Announce.MANUAL:
        return
    lines = set(hand.lines)
    for play in plays:
        if play.line not in lines:
            continue
        own = play.seat == seat
        left = play.worth - (play.awarded.get(seat, 0) if own else sum(play.awarded.values()))
        if left > 0 and (own or game.rules.muggins is not Muggins.OFF):
            yield Missed(play.line, game.rules.tiles.tiles[play.tile].name, left, muggins=not own)
