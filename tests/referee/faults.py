"""One fault of each kind, planted in the honest log of a play-out of a pip game.

A planter looks at the scene before some line and gives the line that is at fault there, or ``None`` where this scene
offers no such fault. The record is cut after that line, so nothing but the planted fault can be found, notes apart.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from random import Random

from games import moves
from games.moves import SEATS, Event
from games.notation.gamelog import Entry, GameLog
from games.notation.reading import dumps, write_time
from games.notation.writing import write_event
from games.round import Round
from games.rulesets import get
from games.tile import Tile
from referee.game import ReplayedGame
from referee.lines import HANDLERS


@dataclass
class Scene:
    """The game before the entry ``n`` of a log."""

    log: GameLog
    n: int
    game: ReplayedGame
    rng: Random

    @property
    def entry(self) -> Entry:
        return self.log.entries[self.n]

    @property
    def event(self) -> Event:
        return self.entry.event

    @property
    def live(self) -> Round:
        assert self.game.round is not None
        return self.game.round

    @property
    def playing(self) -> bool:
        """Whether a turn is due, with a tile on the table."""
        return self.game.live and bool(self.live.layout.table) and not self.game.play_stopped

    @property
    def seat(self) -> str:
        """Letter of the seat to act."""
        assert self.live.to_act is not None
        return SEATS[self.live.to_act]

    def tiles(self, mask: int) -> list[Tile]:
        """The tiles of a mask, in any order."""
        found = list(self.game.rules.tiles.in_mask(mask))
        self.rng.shuffle(found)
        return found

    def hand(self) -> list[Tile]:
        """The tiles of the seat to act."""
        assert self.live.to_act is not None
        return self.tiles(self.live.hands[self.live.to_act])

    def boneyard(self) -> list[Tile]:
        """The tiles that nobody has drawn."""
        return self.tiles(self.game.rules.tiles.all & ~self.live.located)

    def able(self) -> list[Tile]:
        """The tiles that the seat to act could play."""
        assert self.live.to_act is not None
        return self.tiles(self.live.playable(self.live.to_act))


def scenes(log: GameLog, rng: Random) -> Iterator[Scene]:
    """The scene before every entry of an honest log."""
    game = ReplayedGame(log, get(log.ruleset).with_options(log.options))
    for n, entry in enumerate(log.entries):
        yield Scene(log, n, game, rng)
        game.line = entry.line
        if entry.at is not None:
            game.pass_time(entry.at)
        HANDLERS[entry.event.__class__](game, entry.at, entry.event)


def spoilt(log: GameLog, n: int, line: str, at: int | None) -> tuple[str, int]:
    """The log up to entry ``n``, then ``line``; and the number of that line."""
    before = dumps(GameLog({name: value for name, value in log.tags.items() if name != "Result"}, log.entries[:n]))
    timed = line if at is None else f"{write_time(at)} {line}"
    return before + timed + "\n", before.count("\n") + 1


# ---- the planters, by code


def _unknown_tile(scene: Scene) -> str | None:
    return f"{scene.seat} 9-1" if scene.playing else None


def _duplicate_tile(scene: Scene) -> str | None:
    if scene.playing and not scene.able() and scene.live.can_draw:
        return f"{scene.seat} draw {scene.tiles(scene.live.located)[0].name}"
    return None


def _tile_already_played(scene: Scene) -> str | None:
    return f"{scene.seat} {scene.tiles(scene.live.layout.table)[0].name}" if scene.playing else None


def _tile_not_in_hand(scene: Scene) -> str | None:
    elsewhere = scene.boneyard() if scene.playing else []
    return f"{scene.seat} {elsewhere[0].name}" if elsewhere else None


def _no_open_end(scene: Scene) -> str | None:
    if not (scene.playing and scene.hand()):
        return None
    closed = [tile for tile in scene.game.rules.tiles.tiles if not scene.live.layout.open & tile.places]
    return f"{scene.seat} {scene.hand()[0].name} on {scene.rng.choice(closed).name}" if closed else None


def _does_not_match(scene: Scene) -> str | None:
    if not scene.playing:
        return None
    layout = scene.live.layout
    for tile in scene.hand():
        for on in scene.tiles(layout.table):
            if layout.open & on.places and not layout.places(tile.index) & on.bit:
                return f"{scene.seat} {tile.name} on {on.name}"
    return None


def _ambiguous_play(scene: Scene) -> str | None:
    if not scene.playing:
        return None
    tiles = [tile for tile in scene.able() if scene.live.layout.places(tile.index).bit_count() > 1]
    return f"{scene.seat} {tiles[0].name}" if tiles else None


def _out_of_turn(scene: Scene) -> str | None:
    if not scene.playing or scene.live.to_act is None:
        return None
    other = SEATS[(scene.live.to_act + 1) % scene.game.seats]
    return scene.rng.choice(
        (f"{other} pass", f"{other} draw ?", f"{other} {scene.tiles(scene.game.rules.tiles.all)[0].name}")
    )


def _round_over(scene: Scene) -> str | None:
    live = scene.game.round
    over = live is not None and live.ended is not None and not scene.game.settled and not scene.game.play_stopped
    if not over or scene.game.over:
        return None
    return scene.rng.choice(("A draw ?", "A 6-4"))


def _game_over(scene: Scene) -> str | None:
    if not scene.game.over or scene.game.play_stopped:
        return None
    return scene.rng.choice(("A draw ?", "A 6-4", f"round {scene.game.number + 1}" if scene.game.settled else "A 6-4"))


def _no_round(scene: Scene) -> str | None:
    return scene.rng.choice(("A 6-6", "A draw ?", "B pass", "A shows none")) if scene.n == 0 else None


def _draw_from_empty(scene: Scene) -> str | None:
    return f"{scene.seat} draw {scene.live.boneyard + 1}" if scene.playing else None


def _not_blocked(scene: Scene) -> str | None:
    return "blocked" if scene.playing else None


def _not_out(scene: Scene) -> str | None:
    lines = ("A scores 5", f"round {scene.game.number + 1}", "B shows none", "settled")
    return scene.rng.choice(lines) if scene.playing else None


def _after_bell(scene: Scene) -> str | None:
    return "A draw ?" if scene.game.play_stopped and not scene.game.card.overtime else None


def _bad_event(scene: Scene) -> str | None:
    return scene.rng.choice(("A catches B", "B uno", "upheld", "A hand 7")) if scene.playing else None


def _wrong_lead(scene: Scene) -> str | None:
    live = scene.game.round
    if live is None or live.begun or live.ended or not all(live.known) or live.leader is None:
        return None
    if live.lead_is_forced:
        other = [tile for tile in scene.hand() if live.why_not_play(live.leader, tile, None)]
        return f"{SEATS[live.leader]} {other[0].name}" if other else None
    seat = (live.leader + 1) % scene.game.seats
    return f"{SEATS[seat]} {scene.tiles(live.hands[seat])[0].name}"


def _hand_size(scene: Scene) -> str | None:
    event = scene.event
    if not isinstance(event, moves.Deal):
        return None
    tiles = [tile.name for tile in event.tiles if tile is not None]
    return f"{SEATS[event.seat]} hand {' '.join(tiles[:-1])}"


def _draw_when_able(scene: Scene) -> str | None:
    if not (scene.playing and scene.able() and scene.live.can_draw) or scene.game.rules.voluntary_draw:
        return None
    return f"{scene.seat} draw {scene.boneyard()[0].name}"


def _pass_when_able(scene: Scene) -> str | None:
    return f"{scene.seat} pass" if scene.playing and scene.able() and not scene.live.can_draw else None


def _pass_with_boneyard(scene: Scene) -> str | None:
    return f"{scene.seat} pass" if scene.playing and not scene.able() and scene.live.can_draw else None


def _must_play_drawn(scene: Scene) -> str | None:
    """Another tile that fits is played after a draw that brought one."""
    if not scene.playing or not scene.live.drawn_fits:
        return None
    others = [tile for tile in scene.able() if not scene.live.drawn_fits & tile.bit]
    for tile in others:
        places = scene.tiles(scene.live.layout.places(tile.index))
        return f"{scene.seat} {tile.name} on {places[0].name}"
    return None


def _tile_count(scene: Scene) -> str | None:
    event = scene.event
    if not isinstance(event, moves.Show) or len(event.tiles) < 2:
        return None
    return f"{SEATS[event.seat]} shows {' '.join(tile.name for tile in event.tiles[1:] if tile)}"


def _wrong_count(scene: Scene) -> str | None:
    event = scene.event
    if not isinstance(event, moves.Play) or not event.call:
        return None
    return write_event(moves.Play(event.seat, event.tile, event.on, event.call + scene.rng.choice((-5, 5, 3))))


def _wrong_points(scene: Scene) -> str | None:
    event = scene.event
    return f"{SEATS[event.seat]} scores {event.points + 5}" if isinstance(event, moves.RoundPoints) else None


def _wrong_total(scene: Scene) -> str | None:
    event = scene.event
    if not isinstance(event, moves.Totals):
        return None
    return write_event(moves.Totals((event.scores[0] + 5, *event.scores[1:])))


def _wrong_chips(scene: Scene) -> str | None:
    event = scene.event
    return (
        write_event(moves.ChipsLeft((event.chips[0] + 1, *event.chips[1:])))
        if isinstance(event, moves.ChipsLeft)
        else None
    )


def _clock_backwards(scene: Scene) -> str | None:
    return 'note "late"' if scene.entry.at and scene.game.clock > 20 else None


PLANTERS: dict[str, Callable[[Scene], str | None]] = {
    name[1:].replace("_", "-"): planter
    for name, planter in list(globals().items())
    if name.startswith("_") and callable(planter) and getattr(planter, "__module__", "") == __name__
}


def planted(code: str, log: GameLog, rng: Random) -> tuple[str, int] | None:
    """The log with one fault of this kind, and the line where it stands; ``None`` where the log offers no place."""
    places = [
        (scene.n, line, scene.game.clock) for scene in scenes(log, rng) if (line := PLANTERS[code](scene)) is not None
    ]
    if not places:
        return None
    n, line, clock = rng.choice(places)
    return spoilt(log, n, line, clock - 10 if code == "clock-backwards" else None)
