"""Faults of a record of Uno Dominoes that make it impossible: tiles, places, turns. See `tests.referee.uno_scene`.

Several planters may share a code: a seat is out of turn because it was skipped, or because play was reversed.
"""

from __future__ import annotations

from games.errors import Reason
from games.moves import SEATS, Draw, Seat, Show
from games.notation.reading import write_time
from games.notation.writing import write_event
from games.ruleset import ReverseOfTwo
from games.uno.round import DRAWS
from tests.referee.uno_scene import UnoScene, plants

# ---- tiles


@plants(Reason.UNKNOWN_TILE)
def a_tile_that_is_not_of_the_set(scene: UnoScene) -> str | None:
    return f"{scene.seat} {scene.rng.choice(('9-1', 'r9-b1', 'g3-g3'))}" if scene.turn else None


@plants(Reason.DUPLICATE_TILE)
def a_tile_drawn_that_is_somewhere_else(scene: UnoScene) -> str | None:
    if not (scene.fresh and scene.live.can_draw):
        return None
    return f"{scene.seat} draw {scene.some(scene.live.located)[0].name}"


@plants(Reason.DUPLICATE_TILE)
def a_penalty_with_one_tile_twice(scene: UnoScene) -> str | None:
    pile = scene.pile() if scene.playing else []
    owing = [seat for seat in scene.live.unpaid if scene.live.owed(seat) > 1] if len(pile) > 1 else []
    return f"{SEATS[owing[0]]} draw {pile[0].name} {pile[0].name}" if owing else None


@plants(Reason.TILE_ALREADY_PLAYED)
def a_tile_of_the_table(scene: UnoScene) -> str | None:
    return scene.spoken(scene.act, scene.ways(scene.live.layout.table)[0]) if scene.turn else None


@plants(Reason.TILE_NOT_IN_HAND)
def a_tile_of_another_rack(scene: UnoScene) -> str | None:
    if not scene.turn:
        return None
    others = [tile for seat, rack in enumerate(scene.live.hands) if seat != scene.act for tile in scene.ways(rack)]
    return scene.spoken(scene.act, scene.rng.choice(others)) if others else None


@plants(Reason.TILE_NOT_IN_HAND)
def a_rack_shown_with_a_tile_it_has_not(scene: UnoScene) -> str | None:
    if not isinstance(scene.event, Show) or not scene.event.tiles or not scene.pile():
        return None
    return write_event(Show(scene.event.seat, (*scene.event.tiles[1:], scene.pile()[0])))


# ---- where it lies


@plants(Reason.NO_OPEN_END)
def on_a_tile_that_is_covered_or_nowhere(scene: UnoScene) -> str | None:
    if not scene.turn:
        return None
    closed = [tile for tile in scene.tiles.tiles if tile.index not in scene.live.layout.ends]
    return scene.spoken(scene.act, scene.ways(scene.live.hands[scene.act])[0], scene.rng.choice(closed))


@plants(Reason.NO_OPEN_END)
def on_a_dead_end(scene: UnoScene) -> str | None:
    """Nothing is joined to an exposed DE, not even another one (RULES.md 2.16)."""
    if not scene.turn:
        return None
    since = scene.game.round_line
    dead = [p.tile for p in scene.game.placements if p.line > since and p.name.endswith("-DE")]
    if not dead:
        return None
    on = scene.tiles.tiles[scene.rng.choice(dead)]
    return scene.spoken(scene.act, scene.ways(scene.live.hands[scene.act])[0], on)


def _misfit(scene: UnoScene, *, why: str) -> str | None:
    """A tile of the seat to act on an open end that does not take it, for a certain reason."""
    layout, tiles = scene.live.layout, scene.tiles
    for way in scene.ways(scene.live.hands[scene.act]) if scene.turn else ():
        for on, face in layout.ends.items():
            if layout.fits(way, on):
                continue
            crosswise = way.double and tiles.doubles >> on & 1
            reasons = {
                "neither colour nor kind": not crosswise,
                "the other half": not crosswise and layout.fits(tiles.turned(way), on),
                "doublet on doublet": crosswise and tiles.joins_at[way.high] >> face & 1,
                "named colour": not crosswise and face in tiles.named_faces,
                "dead half": scene.kind(way.high) == "DE",
            }
            if reasons[why]:
                return scene.spoken(scene.act, way, tiles.tiles[on])
    return None


@plants(Reason.DOES_NOT_MATCH)
def neither_colour_nor_kind(scene: UnoScene) -> str | None:
    return _misfit(scene, why="neither colour nor kind")


@plants(Reason.DOES_NOT_MATCH)
def the_half_that_fits_written_last(scene: UnoScene) -> str | None:
    """The half written first is the active one (NOTATION.md 2)."""
    return _misfit(scene, why="the other half")


@plants(Reason.DOES_NOT_MATCH)
def a_doublet_on_a_doublet(scene: UnoScene) -> str | None:
    return _misfit(scene, why="doublet on doublet")


@plants(Reason.DOES_NOT_MATCH)
def not_the_colour_that_was_named(scene: UnoScene) -> str | None:
    return _misfit(scene, why="named colour")


@plants(Reason.DOES_NOT_MATCH)
def a_dead_half_made_active(scene: UnoScene) -> str | None:
    return _misfit(scene, why="dead half")


@plants(Reason.AMBIGUOUS_PLAY)
def no_word_of_which_end(scene: UnoScene) -> str | None:
    if not scene.turn:
        return None
    ways = scene.ways(scene.live.hands[scene.act])
    return next((scene.spoken(scene.act, way) for way in ways if len(scene.live.layout.takers(way)) > 1), None)


# ---- whose turn it is


@plants(Reason.OUT_OF_TURN)
def another_seat_acts(scene: UnoScene) -> str | None:
    others = [seat for seat in range(scene.game.seats) if scene.turn and seat != scene.act]
    return scene.move_of(scene.rng.choice(others)) if others else None


def _wrongly(scene: UnoScene, seat: Seat) -> str | None:
    """This seat acts, if it is not its turn."""
    seat %= scene.game.seats
    return None if seat == scene.act else scene.move_of(seat)


@plants(Reason.OUT_OF_TURN)
def on_in_the_old_direction_after_a_reverse(scene: UnoScene) -> str | None:
    last = scene.last
    if last is None or scene.kind(last.tile.high) != "R" or scene.game.seats == 2:
        return None
    return _wrongly(scene, last.seat - scene.live.direction)


@plants(Reason.OUT_OF_TURN)
def the_other_of_two_after_a_reverse(scene: UnoScene) -> str | None:
    last = scene.last
    if last is None or scene.kind(last.tile.high) != "R" or scene.game.seats > 2:
        return None
    return _wrongly(scene, last.seat + (scene.game.rules.reverse_2p is ReverseOfTwo.SKIP))


@plants(Reason.OUT_OF_TURN)
def the_seat_that_is_skipped(scene: UnoScene) -> str | None:
    last = scene.last
    if last is None or scene.kind(last.tile.high) != "S":
        return None
    return _wrongly(scene, last.seat + scene.live.direction)


@plants(Reason.OUT_OF_TURN)
def skipped_or_reversed_by_the_half_that_is_not_active(scene: UnoScene) -> str | None:
    """Only the half that touches works (RULES.md 2.10)."""
    last = scene.last
    if last is None or not scene.kind(last.tile.high).isdigit() or len(scene.since_last()) > 1:
        return None
    steps = {"S": 2, "R": -1}.get(scene.kind(last.tile.low))
    return None if steps is None else _wrongly(scene, last.seat + steps * scene.live.direction)


@plants(Reason.OUT_OF_TURN)
def a_turn_after_a_penalty(scene: UnoScene) -> str | None:
    last = scene.last
    drawn = [event.seat for event in scene.since_last() if isinstance(event, Draw)]
    if last is None or scene.kind(last.tile.high) not in DRAWS or not drawn:
        return None
    victim = (last.seat + scene.live.direction) % scene.game.seats
    return _wrongly(scene, victim) if drawn[0] == victim else None


@plants(Reason.OUT_OF_TURN)
def more_tiles_than_the_penalty(scene: UnoScene) -> str | None:
    unpaid = scene.live.unpaid if scene.playing else []
    return f"{SEATS[unpaid[0]]} draw {scene.live.owed(unpaid[0]) + 1}" if unpaid else None


@plants(Reason.OUT_OF_TURN)
def a_draw_for_the_lead_by_the_wrong_seat(scene: UnoScene) -> str | None:
    live = scene.live
    if not scene.game.live or live.layout.table or not all(live.dealt) or live.starter_seen:
        return None
    return f"{SEATS[(live.next_lead_drawer + 1) % scene.game.seats]} draw ?"


@plants(Reason.OUT_OF_TURN)
def a_seat_that_does_not_lead_draws_or_passes(scene: UnoScene) -> str | None:
    if not scene.leading:
        return None
    return f"{SEATS[(scene.act + 1) % scene.game.seats]} {scene.rng.choice(('draw ?', 'pass'))}"


# ---- when it is over, or has not begun


@plants(Reason.ROUND_OVER)
def after_the_end_of_a_round(scene: UnoScene) -> str | None:
    if not scene.settling or scene.game.over or any(scene.live.debts):
        return None
    return scene.rng.choice(("A draw ?", "A r1-b3", "A pass" if not scene.live.found_blocked else "A draw ?"))


@plants(Reason.GAME_OVER)
def after_the_end_of_the_game(scene: UnoScene) -> str | None:
    if not scene.game.over:
        return None
    return scene.rng.choice(("A draw ?", "A r1-b3", f"round {scene.game.number + 1}"))


@plants(Reason.GAME_OVER)
def after_somebody_gave_up(scene: UnoScene) -> str | None:
    return f"{scene.seat} concedes\n{scene.move_of(scene.act)}" if scene.turn else None


@plants(Reason.NO_ROUND)
def before_the_first_round(scene: UnoScene) -> str | None:
    lines = ("A r1-b3", "A draw ?", "B pass", "A uno", "B catches A", "upheld", "A shows none")
    return scene.rng.choice(lines) if scene.n == 0 else None


@plants(Reason.DRAW_FROM_EMPTY)
def a_draw_from_no_pile(scene: UnoScene) -> str | None:
    return f"{scene.seat} draw ?" if scene.fresh and not scene.live.can_draw else None


@plants(Reason.DRAW_FROM_EMPTY)
def a_penalty_above_what_the_pile_has(scene: UnoScene) -> str | None:
    for seat in scene.live.unpaid if scene.playing else ():
        if scene.live.owed(seat) > scene.live.boneyard:
            return f"{SEATS[seat]} draw {scene.live.owed(seat)}"
    return None


@plants(Reason.NOT_BLOCKED)
def a_block_though_somebody_can_act(scene: UnoScene) -> str | None:
    return "blocked" if scene.turn else None


@plants(Reason.NOT_OUT)
def a_settlement_in_mid_round(scene: UnoScene) -> str | None:
    lines = ("A scores 5", f"round {scene.game.number + 1}", "B shows none", "settled")
    return scene.rng.choice(lines) if scene.turn else None


@plants(Reason.AFTER_BELL)
def a_draw_after_the_bell(scene: UnoScene) -> str | None:
    if not scene.turn:
        return None
    late = f"{write_time(scene.game.rules.clock_s * 10 + 1)} {scene.move_of(scene.act).replace('pass', 'draw ?')}"
    return scene.rng.choice((f"bell\n{scene.seat} draw ?", late))


@plants(Reason.CLOCK_BACKWARDS)
def a_time_before_the_last_one(scene: UnoScene) -> str | None:
    return f'{write_time(scene.game.clock - 10)} note "late"' if scene.playing and scene.game.clock > 20 else None
