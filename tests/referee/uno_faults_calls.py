"""Faults of a record of Uno Dominoes in what is said, owed and counted. See `tests.referee.uno_scene`."""

from __future__ import annotations

from games import moves
from games.errors import Reason
from games.moves import SEATS, Call, Draw, Play, Said, Show
from games.notation.writing import write_event
from games.round import RoundEnd
from games.uno.calling import GUILTY_DRAWS
from games.uno.round import DRAWS
from tests.referee.uno_scene import Plant, UnoScene, plants

# ---- what has no meaning here


@plants(Reason.BAD_EVENT)
def words_of_another_game(scene: UnoScene) -> str | None:
    lines = ("A call 10", "B muggins", "chips 30-30", "A lot r1-b3", "A hand 6", "upheld")
    return scene.rng.choice(lines) if scene.turn and not scene.live.wild_four else None


def _of_colour(scene: UnoScene, *, wild: bool) -> Play | None:
    """A play that leaves a wild half exposed, or none; not the last tile, which needs no colour."""
    event = scene.event
    if not isinstance(event, Play) or scene.live.held[event.seat] < 2:
        return None
    return event if bool(scene.tiles.wild >> event.tile.low & 1) is wild else None


@plants(Reason.BAD_EVENT)
def a_wild_half_without_a_colour(scene: UnoScene) -> str | None:
    play = _of_colour(scene, wild=True)
    return write_event(Play(play.seat, play.tile, play.on)) if play else None


@plants(Reason.BAD_EVENT)
def a_colour_that_nothing_asks_for(scene: UnoScene) -> str | None:
    play = _of_colour(scene, wild=False)
    return write_event(Play(play.seat, play.tile, play.on, None, "red")) if play else None


@plants(Reason.BAD_EVENT)
def a_challenge_of_nothing(scene: UnoScene) -> str | None:
    return f"{scene.seat} challenges" if scene.playing and scene.live.wild_four is None else None


@plants(Reason.BAD_EVENT)
def a_challenge_by_a_seat_that_does_not_draw(scene: UnoScene) -> str | None:
    wild = scene.live.wild_four if scene.playing else None
    if wild is None or not scene.live.can_challenge(wild.victim):
        return None
    return f"{SEATS[(wild.victim + scene.rng.randrange(1, scene.game.seats)) % scene.game.seats]} challenges"


@plants(Reason.BAD_EVENT)
def a_challenge_that_comes_late(scene: UnoScene) -> str | None:
    """Once a tile was drawn, or a second time (NOTATION.md 7.19)."""
    wild = scene.live.wild_four if scene.playing else None
    return f"{SEATS[wild.victim]} challenges" if wild is not None and (wild.paid or wild.challenged) else None


@plants(Reason.BAD_EVENT)
def an_outcome_that_was_told_already(scene: UnoScene) -> str | None:
    wild = scene.live.wild_four if scene.playing else None
    return "upheld" if wild is not None and (wild.ruled or not wild.challenged) else None


@plants(Reason.BAD_EVENT)
def a_second_draw_in_one_turn(scene: UnoScene) -> str | None:
    return f"{scene.seat} draw ?" if scene.turn and scene.live.drew else None


@plants(Reason.BAD_EVENT)
def a_penalty_for_a_half_that_is_not_active(scene: UnoScene) -> str | None:
    """Nothing is owed for a Draw Two that does not touch, and a turn draws one tile (RULES.md 2.10, 2.24)."""
    last = scene.last
    if last is None or not scene.kind(last.tile.high).isdigit() or any(map(_is_draw, scene.since_last())):
        return None
    return f"{scene.seat} draw {DRAWS[scene.kind(last.tile.low)]}" if scene.kind(last.tile.low) in DRAWS else None


def _is_draw(event: moves.Event) -> bool:
    return isinstance(event, Draw)


@plants(Reason.BAD_EVENT)
def a_reopening_without_the_variation(scene: UnoScene) -> str | None:
    """Or with it, where the game is at no dead end (RULES.md 2.37)."""
    ended = scene.live.ended if scene.settling else None
    if not scene.turn and (ended is not RoundEnd.DEAD_END or scene.game.rules.reopening):
        return None
    on = scene.some(scene.live.layout.table & scene.tiles.doubles)
    return f"A reopens W-W on {on[0].name} colour red" if on else None


@plants(Reason.DOES_NOT_MATCH)
def a_reopening_with_another_tile_or_beside_no_doublet(scene: UnoScene) -> str | None:
    live = scene.live
    if live.ended is not RoundEnd.DEAD_END or not scene.game.rules.reopening or scene.game.over:
        return None
    if scene.game.settled or scene.game.opened:
        return None
    wild = scene.tiles.tile("W-W").bit
    doublets = live.layout.table & scene.tiles.doubles
    places = [(wild, live.layout.table & ~doublets), (scene.tiles.all & ~wild, doublets)]
    lines = [
        f"{SEATS[seat]} reopens {scene.some(rack & held)[0].name} on {scene.some(on)[0].name} colour red"
        for seat, rack in enumerate(live.hands)
        for held, on in places
        if rack & held and on
    ]
    return scene.rng.choice(lines)


# ---- what stands in the record though a rule was broken


@plants(Reason.WRONG_LEAD)
def another_tile_of_the_leader_is_led(scene: UnoScene) -> str | None:
    live = scene.live if scene.leading else None
    if live is None:
        return None
    other = scene.some(live.hands[scene.act] & ~live.playable(scene.act))
    return scene.spoken(scene.act, other[0]) if other else None


@plants(Reason.WRONG_LEAD)
def another_seat_leads(scene: UnoScene) -> str | None:
    if not scene.leading:
        return None
    seat = (scene.act + 1) % scene.game.seats
    return scene.spoken(seat, scene.some(scene.live.hands[seat])[0])


@plants(Reason.WRONG_LEAD)
def not_the_doublet_that_was_drawn_for_the_lead(scene: UnoScene) -> str | None:
    live = scene.live
    if not isinstance(scene.event, Play) or live.layout.table or live.lead_drawer is None:
        return None
    other = scene.some(live.hands[scene.event.seat] & ~scene.event.tile.bit)
    return scene.spoken(scene.event.seat, other[0])


@plants(Reason.WRONG_LEAD, hidden=True)
def a_higher_doublet_comes_out_of_a_dealt_rack(scene: UnoScene) -> Plant | None:
    live = scene.live
    if not isinstance(scene.event, Play) or live.begun:
        return None
    best, *rest = (scene.tiles.tiles[tile] for tile in scene.tiles.starters)
    blind = [seat for seat in range(scene.game.seats) if not live.known[seat] and seat != scene.event.seat]
    if any(tile.bit & live.located for tile in (best, *rest)) or not blind or scene.game.rules.start_tie.value == "lot":
        return None
    shown = f"{SEATS[blind[0]]} shows {best.name}{' ?' * (live.held[blind[0]] - 1)}"
    led = f"{SEATS[scene.event.seat]} {scene.rng.choice(rest).name}"
    return None if live.known[scene.event.seat] else Plant(f"{led}\nbell\n{shown}", scene.line)


@plants(Reason.HAND_SIZE)
def a_tile_too_few_is_dealt(scene: UnoScene) -> str | None:
    event = scene.event
    if not isinstance(event, moves.Deal):
        return None
    return write_event(moves.Deal(event.seat, event.count - 1, event.tiles[:-1]))


@plants(Reason.DRAW_WHEN_ABLE)
def a_draw_though_somebody_can_lead(scene: UnoScene) -> str | None:
    return f"{scene.seat} draw ?" if scene.leading and scene.live.can_draw else None


@plants(Reason.PASS_WHEN_ABLE)
def the_lead_is_passed_on(scene: UnoScene) -> str | None:
    return f"{scene.seat} pass" if scene.leading and not scene.live.can_draw else None


@plants(Reason.PASS_WITH_BONEYARD)
def a_pass_without_a_draw(scene: UnoScene) -> str | None:
    return f"{scene.seat} pass" if scene.fresh and scene.live.can_draw else None


@plants(Reason.MUST_PLAY_DRAWN)
def another_tile_than_the_one_drawn(scene: UnoScene) -> str | None:
    if not (scene.turn and scene.live.drew and scene.live.drawn):
        return None
    for way in scene.ways(scene.live.hands[scene.act] & ~scene.live.drawn.bit):
        for on in scene.live.layout.takers(way):
            return scene.spoken(scene.act, way, scene.tiles.tiles[on])
    return None


@plants(Reason.TILE_COUNT)
def a_rack_shown_at_the_end_without_one_of_its_tiles(scene: UnoScene) -> str | None:
    event = scene.event
    if not isinstance(event, Show) or scene.game.live or not event.tiles:
        return None
    return write_event(Show(event.seat, event.tiles[1:]))


@plants(Reason.TILE_COUNT)
def a_rack_shown_to_a_challenger_without_one_of_its_tiles(scene: UnoScene) -> str | None:
    wild = scene.live.wild_four if scene.playing else None
    if wild is None or not wild.challenged or wild.shown:
        return None
    return write_event(Show(wild.player, tuple(scene.some(wild.rack))[1:]))


# ---- penalties that nobody draws


def _next_turn(scene: UnoScene) -> str | None:
    """The seat to act takes its turn although somebody has still to draw."""
    live = scene.live if scene.playing else None
    if live is None or not live.unpaid or (live.wild_four is not None and live.wild_four.pending):
        return None
    turns = [None if live.owed(scene.act) else f"{scene.seat} draw ?", scene.play_of(scene.act)]
    able = [turn for turn in turns if turn]
    return scene.rng.choice(able) if able else None


def _caught(scene: UnoScene) -> bool:
    return any(isinstance(event, Call) and event.said is Said.CATCH for event in scene.since_last())


@plants(Reason.FORCED_DRAW)
def a_draw_two_that_is_not_drawn(scene: UnoScene) -> str | None:
    return None if _caught(scene) or (scene.playing and scene.live.wild_four) else _next_turn(scene)


@plants(Reason.FORCED_DRAW)
def a_caught_player_who_does_not_draw(scene: UnoScene) -> str | None:
    return _next_turn(scene) if _caught(scene) else None


@plants(Reason.FORCED_DRAW)
def a_wild_draw_four_that_is_not_drawn(scene: UnoScene) -> str | None:
    wild = scene.live.wild_four if scene.playing else None
    return _next_turn(scene) if wild is not None and not wild.challenged else None


@plants(Reason.FORCED_DRAW)
def a_challenger_who_was_wrong_does_not_draw(scene: UnoScene) -> str | None:
    wild = scene.live.wild_four if scene.playing else None
    return _next_turn(scene) if wild is not None and wild.guilty is False else None


@plants(Reason.FORCED_DRAW)
def a_player_found_guilty_does_not_draw(scene: UnoScene) -> str | None:
    wild = scene.live.wild_four if scene.playing else None
    guilty = wild is not None and wild.guilty and scene.live.owed(wild.player) >= GUILTY_DRAWS
    return _next_turn(scene) if guilty else None


@plants(Reason.FORCED_DRAW)
def a_penalty_of_the_last_tile_that_is_not_drawn(scene: UnoScene) -> str | None:
    unpaid = scene.settling and scene.live.unpaid
    return scene.rng.choice(("settled", "end")) if unpaid else None


# ---- what is written and can be counted


@plants(Reason.WRONG_POINTS)
def points_that_the_racks_do_not_hold(scene: UnoScene) -> str | None:
    event = scene.event
    return f"{SEATS[event.seat]} scores {event.points + 5}" if isinstance(event, moves.RoundPoints) else None


@plants(Reason.WRONG_POINTS)
def points_for_a_seat_that_did_not_win(scene: UnoScene) -> str | None:
    event = scene.event
    if not isinstance(event, moves.RoundPoints) or not event.points:
        return None
    return f"{SEATS[(event.seat + 1) % scene.game.seats]} scores {event.points}"


@plants(Reason.WRONG_TOTAL)
def totals_that_do_not_add_up(scene: UnoScene) -> str | None:
    event = scene.event
    if not isinstance(event, moves.Totals):
        return None
    return write_event(moves.Totals((event.scores[0] + 5, *event.scores[1:])))


# ---- what is called


@plants(Reason.WRONG_RULING)
def a_ruling_against_the_rack(scene: UnoScene) -> str | None:
    wild = scene.live.wild_four if scene.playing else None
    if wild is None or wild.guilty is None or wild.ruled or wild.inferred:
        return None
    return "rejected" if wild.guilty else "upheld"


@plants(Reason.CLAIM_UPHELD)
def uno_was_not_said(scene: UnoScene) -> str | None:
    last = scene.live.last_tile if scene.playing else None
    if last is None or last.called:
        return None
    return (
        f"{SEATS[(last.seat + scene.rng.randrange(1, scene.game.seats)) % scene.game.seats]} catches {SEATS[last.seat]}"
    )


@plants(Reason.CLAIM_UPHELD)
def a_wild_draw_four_that_the_rack_forbids(scene: UnoScene) -> str | None:
    wild = scene.live.wild_four if scene.playing else None
    right = wild is not None and scene.live.can_challenge(wild.victim) and wild.rack & wild.banned
    return f"{SEATS[wild.victim]} challenges" if wild is not None and right else None


@plants(Reason.CLAIM_REJECTED)
def a_wild_draw_four_that_the_rack_allows(scene: UnoScene) -> str | None:
    wild = scene.live.wild_four if scene.playing else None
    wrong = wild is not None and scene.live.can_challenge(wild.victim) and not wild.rack & wild.banned
    return f"{SEATS[wild.victim]} challenges" if wild is not None and wrong else None


@plants(Reason.CLAIM_REJECTED)
def uno_was_said(scene: UnoScene) -> str | None:
    last = scene.live.last_tile if scene.playing else None
    if last is None or not last.called:
        return None
    return f"{SEATS[(last.seat + 1) % scene.game.seats]} catches {SEATS[last.seat]}"


@plants(Reason.CLAIM_REJECTED)
def a_seat_catches_itself(scene: UnoScene) -> str | None:
    last = scene.live.last_tile if scene.playing else None
    return None if last is None else f"{SEATS[last.seat]} catches {SEATS[last.seat]}"


@plants(Reason.CLAIM_REJECTED)
def a_catch_of_a_seat_with_more_tiles(scene: UnoScene) -> str | None:
    last = scene.live.last_tile if scene.playing else None
    whom = [seat for seat in range(scene.game.seats) if scene.playing and (last is None or seat != last.seat)]
    return f"{scene.seat} catches {SEATS[scene.rng.choice(whom)]}" if whom else None


@plants(Reason.CLAIM_REJECTED)
def a_catch_after_the_next_tile_was_placed(scene: UnoScene) -> str | None:
    """The window closes when another player places a tile (RULES.md 2.29)."""
    event = scene.event
    last = scene.live.last_tile if scene.playing else None
    if not isinstance(event, Play) or last is None or last.seat == event.seat or scene.live.held[event.seat] < 2:
        return None
    return f"{write_event(event)}\n{SEATS[event.seat]} catches {SEATS[last.seat]}" if scene.turn else None


# ---- what nobody saw


@plants(Reason.NO_CONSISTENT_DEAL, hidden=True)
def a_tile_of_a_known_rack_placed_from_another(scene: UnoScene) -> str | None:
    if not scene.fresh or scene.live.known[scene.act] or scene.live.held[scene.act] == 1:
        return None
    known = sum(rack for seat, rack in enumerate(scene.live.hands) if seat != scene.act and scene.live.known[seat])
    for way in scene.ways(known):
        for on in scene.live.layout.takers(way):
            return scene.spoken(scene.act, way, scene.tiles.tiles[on])
    return None


@plants(Reason.NO_CONSISTENT_DEAL, hidden=True)
def a_tile_shown_in_two_racks(scene: UnoScene) -> str | None:
    event = scene.event
    if not isinstance(event, Show) or not scene.settling or scene.live.known[event.seat]:
        return None
    shown = [rest for seat, rest in enumerate(scene.live.shown) if rest and not scene.live.known[seat]]
    twice = scene.some(sum(shown) & ~scene.live.located)
    if not twice or scene.live.rests().count(None) > 1:
        return None
    return write_event(Show(event.seat, (*event.tiles[1:], twice[0])))


@plants(Reason.UNVERIFIED_POINTS, hidden=True)
def a_rest_that_nobody_sees(scene: UnoScene) -> Plant | None:
    event = scene.event
    if not isinstance(event, Show) or not scene.settling or scene.live.known[event.seat] or not scene.live.boneyard:
        return None
    if scene.live.rests().count(None) > 1 or scene.game.over:
        return None
    return Plant(write_event(Show(event.seat, (None,) * len(event.tiles))), scene.game.round_line)


@plants(Reason.INCOMPLETE)
def the_lights_go_out(scene: UnoScene) -> str | None:
    return 'note "the lights went out"' if scene.playing else None
