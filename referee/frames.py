"""Replay of a game in frames: table and score after each line.

No judgement: the verdict has the findings; `plays` give the final points of a play, which may come lines later.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from games.claims import score_of
from games.layout import Layout
from games.moves import Call, Deal, Event, Lot, Play, Reopening, RoundStart, Said, Seat
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
    """An open end of the round's trail.

    Tile ``tile``, an index into the trail, shows ``face`` in ``places`` places. ``terms`` are its summands of the
    open-end count: both halves of a double, none where nothing counts.
    """

    tile: int
    face: str
    terms: tuple[int, ...] = ()
    places: int = 1


@dataclass(frozen=True, slots=True)
class TrailTile:
    """A tile on the table, in order of play.

    Its ``inner`` half touches number ``on`` of the trail; the lead has its halves as written.
    """

    seat: Seat
    tile: str
    inner: str
    outer: str
    on: int | None


@dataclass(frozen=True, slots=True)
class Frame:
    """One line of the record, and the state after it.

    ``placed`` tiles of the trail lie on the table. ``count`` is the open-end count, None where nothing is counted.
    ``held`` are the numbers of tiles in each hand, ``hands`` their names, sorted, None where not known.
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
    """Final points of one play: ``awarded`` by seat."""

    worth: int
    announced: int | None
    awarded: Mapping[Seat, int]


@dataclass(slots=True)
class RoundFrames:
    """One round: its tiles in order of play, and a frame a line, starting at the deal.

    ``root`` is the number of the tile that the others lie around: the ``spinner`` if any, else the first.
    """

    number: int
    trail: list[TrailTile] = field(default_factory=list)
    frames: list[Frame] = field(default_factory=list)
    root: int = 0
    spinner: bool = False

    def joined_to(self, frame: Frame) -> str:
        """Return the tile that a frame's play was joined to; "" for a lead or no play."""
        if not isinstance(frame.event, Play | Reopening):
            return ""
        on = self.trail[frame.placed - 1].on
        return "" if on is None else self.trail[on].tile

    def announced(self, step: int) -> Play | None:
        """Return the play at ``step`` with its count, called in the next line; else None."""
        play = self.frames[step].event
        after = self.frames[step + 1].event if step + 1 < len(self.frames) else None
        if not isinstance(play, Play) or play.call is not None or not isinstance(after, Call):
            return None
        return replace(play, call=after.number) if after.said is Said.COUNT and after.seat == play.seat else None

    def owning_step(self, step: int) -> int:
        """Return the step of which a line is a part: its own, or for a called count the play before it."""
        return step - 1 if step and self.announced(step - 1) else step


@dataclass(frozen=True, slots=True)
class Reel:
    """A whole game in frames.

    ``plays``: line → points. ``seats`` is the number of seats, ``counts`` whether plays score by the open-end count,
    ``clock`` the time limit of the game, 0 without a clock, ``target`` the winning score.
    """

    rounds: list[RoundFrames]
    plays: Mapping[int, PlayPoints]
    seats: int
    counts: bool
    clock: Tenths = 0
    target: int = 0


def reel(log: GameLog, first: int = 1) -> Reel:
    """Make the frames of every line in the rounds of a log from number ``first`` on, as far as it is possible.

    Lines before the first round have no frame. All lines of one deal share one frame, after the last of them.
    """
    camera = _Camera(marked=RULESETS[log.ruleset].matching is Matching.MARKINGS, first=first)
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
    """Camera that makes a frame after every line."""

    def __init__(self, *, marked: bool, first: int) -> None:
        self.rounds: list[RoundFrames] = []
        self._marked = marked
        self._first = first
        self._numbers: dict[int, int] = {}

    def look(self, game: ReplayedGame, at: Tenths | None, event: Event) -> None:
        if game.number < self._first:
            return
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
        """Give the last frame of a round the scores after its settlement.

        The first line of the next round, or the end of the record, closes the settlement; its points belong to the last
        line of the round before.
        """
        if self.rounds and self.rounds[-1].frames:
            frames = self.rounds[-1].frames
            frames[-1] = replace(frames[-1], scores=tuple(game.card.scores))

    def _lay(self, shown: RoundFrames, tile: Tile, seat: Seat, on: int | None) -> None:
        inner, outer = tile.name.split("-")
        if on is not None and not self._marked:
            # Two tiles of a pip set have one face in common: that half touches.
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
    """Return the tile that the last play was joined to, as found by the replay."""
    if isinstance(event, Reopening):
        return event.on.index
    last = game.played[-1]
    return last[3].on if isinstance(last, tuple) and not isinstance(last, Placement) else last.on
