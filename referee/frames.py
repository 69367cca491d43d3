"""A game step by step, as a replay shows it: what each line did, and how the table and the score stood after it.

Nothing is judged here. What the referee thinks of a line is in its verdict; `plays` tell who got the points of a play
in the end, which may be lines later.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from games.claims import score_of
from games.layout import Layout
from games.moves import Deal, Event, Lot, Play, Reopening, RoundStart, Seat
from games.notation.gamelog import GameLog, Tenths
from games.round import Round
from games.ruleset import Matching
from games.rulesets import RULESETS
from games.tile import Tile
from games.uno.markings import COLOUR_NAMES
from referee.game import ReplayedGame
from referee.replay import replayed
from referee.verdict import Placement


@dataclass(frozen=True, slots=True)
class OpenFace:
    """Something that can be joined: number ``tile`` of the round's trail shows ``face`` in ``places`` places.

    ``terms`` are its summands of the open-end count: both halves of a double, none where nothing counts.
    """

    tile: int
    face: str
    terms: tuple[int, ...] = ()
    places: int = 1


@dataclass(frozen=True, slots=True)
class TrailTile:
    """A tile as it came to the table, its ``inner`` half on number ``on`` of the trail; the lead has its halves as
    they are written.
    """

    seat: Seat
    tile: str
    inner: str
    outer: str
    on: int | None


@dataclass(frozen=True, slots=True)
class Frame:
    """One line of the record and what stood after it.

    ``placed`` tiles of the trail lie on the table. ``count`` is the open-end count, None where nothing is counted.
    ``held`` are the tiles in each hand, ``hands`` which ones, sorted by name, None where that is not known.
    """

    line: int
    at: Tenths | None
    event: Event
    placed: int
    ends: tuple[OpenFace, ...]
    count: int | None
    scores: tuple[int, ...]
    held: tuple[int, ...]
    hands: tuple[tuple[str, ...] | None, ...]
    boneyard: int
    to_act: Seat | None


@dataclass(frozen=True, slots=True)
class PlayPoints:
    """What became of the points of one play: ``awarded`` by seat."""

    worth: int
    announced: int | None
    awarded: Mapping[Seat, int]


@dataclass(slots=True)
class RoundFrames:
    """One round: the tiles in the order in which they came, and a frame a line, the first one that of the deal.

    ``root`` is the number of the tile that the others lie around: the ``spinner`` if there was one, else the first.
    """

    number: int
    trail: list[TrailTile] = field(default_factory=list)
    frames: list[Frame] = field(default_factory=list)
    root: int = 0
    spinner: bool = False

    def joined_to(self, frame: Frame) -> str:
        """The tile on the table that the play of one of its frames was joined to; "" of a lead, and of no play."""
        if not isinstance(frame.event, Play | Reopening):
            return ""
        on = self.trail[frame.placed - 1].on
        return "" if on is None else self.trail[on].tile


@dataclass(frozen=True, slots=True)
class Reel:
    """A whole game; ``plays``: line → points. ``seats`` is how many sit at the table, ``counts`` whether plays score by
    the sum of the open ends, ``clock`` how long the game may take, 0 where it has no clock, ``target`` the score that
    wins.
    """

    rounds: list[RoundFrames]
    plays: Mapping[int, PlayPoints]
    seats: int
    counts: bool
    clock: Tenths = 0
    target: int = 0


def reel(log: GameLog) -> Reel:
    """Every line of the rounds of a log, so far as the record is possible.

    What stands before the first round has no frame, and the lines of one deal have one, after the last of them.
    """
    camera = _Camera(marked=RULESETS[log.ruleset].matching is Matching.MARKINGS)
    game = replayed(log, camera.look)
    camera.settle(game)
    plays = {one.line: one for one in map(score_of, game.claims.plays)}
    return Reel(
        rounds=camera.rounds,
        plays={line: PlayPoints(one.worth, one.announced, dict(one.awarded)) for line, one in plays.items()},
        seats=game.seats,
        counts=game.rules.matching is Matching.PIPS,
        clock=game.rules.clock_s * 10,
        target=game.rules.target,
    )


class _Camera:
    """Takes a frame after every line."""

    def __init__(self, *, marked: bool) -> None:
        self.rounds: list[RoundFrames] = []
        self._marked = marked
        self._numbers: dict[int, int] = {}

    def look(self, game: ReplayedGame, at: Tenths | None, event: Event) -> None:
        if isinstance(event, RoundStart):
            self.settle(game)
            self.rounds.append(RoundFrames(event.number))
            self._numbers = {}
        if not self.rounds or game.round is None:
            return
        shown = self.rounds[-1]
        live = game.round
        if isinstance(event, Play | Reopening):
            self._lay(shown, event.tile, event.seat, _joined_to(game, event))
        if live.layout.spinner is not None:
            shown.root, shown.spinner = self._numbers[live.layout.spinner], True
        frame = self._frame(game, live, at, event)
        if isinstance(event, Deal | Lot):
            shown.frames[0] = frame
        else:
            shown.frames.append(frame)

    def settle(self, game: ReplayedGame) -> None:
        """The line that begins the next round, or the end of the record, closes the settlement: what it booked belongs
        to the last line of the round before.
        """
        if self.rounds and self.rounds[-1].frames:
            frames = self.rounds[-1].frames
            frames[-1] = replace(frames[-1], scores=tuple(game.card.scores))

    def _lay(self, shown: RoundFrames, tile: Tile, seat: Seat, on: int | None) -> None:
        inner, outer = tile.name.split("-")
        if on is not None and not self._marked:
            # Two tiles of a pip set have one face in common; the one half touches with it.
            before = shown.trail[self._numbers[on]]
            if inner not in (before.inner, before.outer):
                inner, outer = outer, inner
        number = None if on is None else self._numbers[on]
        self._numbers[tile.index] = len(shown.trail)
        shown.trail.append(TrailTile(seat, tile.name, inner, outer, number))

    def _frame(self, game: ReplayedGame, live: Round, at: Tenths | None, event: Event) -> Frame:
        return Frame(
            line=game.line,
            at=at,
            event=event,
            placed=len(self._numbers),
            ends=tuple(self._marked_ends(live.layout) if self._marked else self._pip_ends(live.layout)),
            count=None if self._marked else live.layout.count,
            scores=tuple(game.card.scores),
            held=tuple(live.held),
            hands=tuple(
                tuple(sorted(one.name for one in game.rules.tiles.in_mask(hand))) if known else None
                for hand, known in zip(live.hands, live.known, strict=True)
            ),
            boneyard=live.boneyard,
            to_act=live.to_act if game.live else None,
        )

    def _pip_ends(self, layout: Layout) -> Iterator[OpenFace]:
        for place in layout.open_places():
            yield OpenFace(self._numbers[place.tile.index], place.face.name, place.terms)

    def _marked_ends(self, layout: Any) -> Iterator[OpenFace]:
        shows = [one.name for one in layout.tiles.markings] + list(COLOUR_NAMES)
        for tile, face in layout.ends.items():
            yield OpenFace(self._numbers[tile], shows[face], (), layout.free[tile])


def _joined_to(game: ReplayedGame, event: Play | Reopening) -> int | None:
    """The tile that the last play was joined to, as the replay found it where the record does not say."""
    if isinstance(event, Reopening):
        return event.on.index
    last = game.played[-1]
    return last[3].on if isinstance(last, tuple) and not isinstance(last, Placement) else last.on
