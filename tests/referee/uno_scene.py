"""What stands before each line of an honest log of Uno Dominoes, and where a fault could be planted there.

As `tests.referee.faults` for pip games: a planter looks at a :class:`UnoScene` and gives the line that is at fault
there, or a :class:`Plant` where it takes several lines or is found at another one, or ``None`` where this scene offers
no such fault. The record is cut after it.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from random import Random

from games.errors import Reason
from games.moves import SEATS, Call, ChallengeOutcome, Draw, Event, Note, Play, Seat, Show
from games.notation.gamelog import Entry, GameLog
from games.notation.reading import dumps, loads
from games.notation.writing import write_event
from games.rulesets import get
from games.tile import Mask, Tile
from games.uno.markings import COLOUR_NAMES, MarkedSet
from games.uno.round import ColourRound
from referee.uno.game import ColourGame
from referee.uno.lines import COLOUR_HANDLERS


@dataclass(frozen=True)
class Plant:
    """Lines to plant; the fault is found at line ``at`` of the record, else at the last of them."""

    lines: str
    at: int = 0


Planter = Callable[["UnoScene"], str | Plant | None]

PLANTERS: dict[str, tuple[Reason, bool, Planter]] = {}
"""By name: the code that is planted, whether in logs with hidden racks, and the planter."""


def plants(reason: Reason, *, hidden: bool = False) -> Callable[[Planter], Planter]:
    """Keep a planter of this code."""

    def keep(planter: Planter) -> Planter:
        PLANTERS[planter.__name__] = (reason, hidden, planter)
        return planter

    return keep


@dataclass
class UnoScene:
    """The game before the entry ``n`` of a log; ``line`` is the number of its line."""

    log: GameLog
    n: int
    game: ColourGame
    rng: Random

    @property
    def entry(self) -> Entry:
        return self.log.entries[self.n]

    @property
    def event(self) -> Event:
        return self.entry.event

    @property
    def line(self) -> int:
        return self.entry.line

    @property
    def live(self) -> ColourRound:
        """The round in hand; before the first one a round of which nothing is known."""
        rules = self.game.rules
        return self.game.colours or ColourRound(rules, self.game.seats, rules.lead_first)

    @property
    def tiles(self) -> MarkedSet:
        return self.live.tiles

    @property
    def playing(self) -> bool:
        """Whether a round goes on, with a tile on the table."""
        return self.game.live and bool(self.live.layout.table) and not self.game.play_stopped

    @property
    def turn(self) -> bool:
        """Whether it is simply the turn of a seat: nobody owes anything, no challenge is open."""
        wild = self.live.wild_four if self.playing else None
        return self.playing and not any(self.live.debts) and not (wild is not None and wild.pending)

    @property
    def fresh(self) -> bool:
        """Whether a turn begins: as :attr:`turn`, and nothing was drawn in it."""
        return self.turn and not self.live.drew

    @property
    def leading(self) -> bool:
        """Whether the lead is due, by a seat that is known, with nothing drawn for it."""
        live = self.live
        return self.game.live and all(live.dealt) and not live.begun and live.leader is not None

    @property
    def settling(self) -> bool:
        """Whether the line belongs to the settlement of a round that has ended."""
        return not self.game.live and not self.game.settled

    @property
    def act(self) -> Seat:
        """The seat to act."""
        assert self.live.to_act is not None
        return self.live.to_act

    @property
    def seat(self) -> str:
        """Its letter."""
        return SEATS[self.act]

    def some(self, mask: Mask) -> list[Tile]:
        """The tiles of a mask, in any order."""
        found = list(self.tiles.in_mask(mask))
        self.rng.shuffle(found)
        return found

    def ways(self, mask: Mask) -> list[Tile]:
        """The tiles of a mask, by either half."""
        return [way for tile in self.some(mask) for way in dict.fromkeys((tile, self.tiles.turned(tile)))]

    def pile(self) -> list[Tile]:
        """The tiles of the draw pile, where every rack is known."""
        return self.some(self.tiles.all & ~self.live.located)

    def kind(self, face: int) -> str:
        """What kind of marking a half is."""
        return self.tiles.markings[face].kind

    def spoken(self, seat: Seat, tile: Tile, on: Tile | None = None) -> str:
        """The line of a play, with a colour where one has to be named."""
        wild = self.tiles.wild >> tile.low & 1
        return write_event(Play(seat, tile, on, None, self.rng.choice(COLOUR_NAMES) if wild else None))

    def play_of(self, seat: Seat) -> str | None:
        """The line of a play that the tiles of a seat allow, whoever's turn it is."""
        layout = self.live.layout
        for way in self.ways(self.live.hands[seat]):
            for on in layout.takers(way):
                return self.spoken(seat, way, self.tiles.tiles[on])
        return None

    def move_of(self, seat: Seat) -> str:
        """Some turn of a seat, whoever's turn it is."""
        moves = [f"{SEATS[seat]} pass", f"{SEATS[seat]} draw ?", self.play_of(seat)]
        return self.rng.choice([move for move in moves if move])

    @property
    def last(self) -> Play | None:
        """The tile just placed, if since then something was only said, or drawn as a penalty."""
        if not self.turn or self.live.drew:
            return None
        for entry in reversed(self.log.entries[: self.n]):
            if isinstance(entry.event, Play):
                return entry.event
            if not isinstance(entry.event, Call | Draw | ChallengeOutcome | Note | Show):
                return None
        return None

    def since_last(self) -> list[Event]:
        """What was said and drawn since the last tile was placed, or the round began."""
        since: list[Event] = []
        for entry in reversed(self.log.entries[: self.n]):
            if isinstance(entry.event, Play):
                break
            since.append(entry.event)
        return since


def scenes(log: GameLog, rng: Random) -> Iterator[UnoScene]:
    """The scene before every entry of an honest log."""
    game = ColourGame(log, get(log.ruleset).with_options(log.options))
    for n, entry in enumerate(log.entries):
        yield UnoScene(log, n, game, rng)
        game.line = entry.line
        if entry.at is not None:
            game.pass_time(entry.at)
        COLOUR_HANDLERS[entry.event.__class__](game, entry.at, entry.event)


def without_result(log: GameLog) -> GameLog:
    """The same log without its result, which is checked in games that have ended only."""
    (bare,) = loads(dumps(GameLog({name: value for name, value in log.tags.items() if name != "Result"}, log.entries)))
    return bare


@dataclass(frozen=True)
class Spoilt:
    """A log with a fault: its lines from ``first`` on are planted, the fault is found at ``line``."""

    text: str
    first: int
    line: int


def planted(log: GameLog, rng: Random, names: Collection[str]) -> dict[str, Spoilt]:
    """For every one of these planters that finds a place in an honest log: the log with its fault."""
    chosen: dict[str, tuple[int, Plant]] = {}
    seen = dict.fromkeys(names, 0)
    for scene in scenes(log, rng):
        for name in names:
            plant = PLANTERS[name][2](scene)
            if plant is None:
                continue
            seen[name] += 1
            if rng.randrange(seen[name]) == 0:
                chosen[name] = scene.n, plant if isinstance(plant, Plant) else Plant(plant)
    return {name: _spoilt(log, n, plant) for name, (n, plant) in chosen.items()}


def _spoilt(log: GameLog, n: int, plant: Plant) -> Spoilt:
    before = dumps(GameLog(log.tags, log.entries[:n]))
    text = before + plant.lines + "\n"
    return Spoilt(text, before.count("\n") + 1, plant.at or text.count("\n"))
