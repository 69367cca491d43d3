"""Effects of turns and calls for tiles that match by colour or kind.

Source: NOTATION.md 7.18 to 7.21.
"""

from __future__ import annotations

from typing import Any, cast

from games import moves
from games.errors import Reason
from games.moves import SEATS, Said, Seat
from games.notation.gamelog import Tenths
from games.round import Round
from games.uno.calling import names_colour_rightly
from games.uno.calls import Caught
from games.uno.markings import MarkedSet
from games.uno.round import ColourRound
from referee.uno.game import ColourGame
from referee.verdict import Placement, Ruling

_STANDS = frozenset({Reason.WRONG_LEAD, Reason.MUST_PLAY_DRAWN})
"""Reasons for a mere breach of the rules: the tile stays on the table."""


def _turn(game: ColourGame, seat: Seat, *, moves_tile: bool = True) -> ColourRound:
    """Return the round for a seat's turn, or stop with the first reason against it.

    In the order of section 4.
    """
    game.need_seat(seat)
    live = game.need_colours()
    if game.play_stopped and moves_tile:
        game.stop(Reason.AFTER_BELL)
    if game.over:
        game.stop(Reason.GAME_OVER)
    return live


def play(game: ColourGame, _: Tenths | None, event: moves.Play) -> None:
    """Place a tile with the half written first."""
    seat, tile = event.seat, event.tile
    game.need_seat(seat)
    live = game.colours
    if event.call is not None:
        game.bad_event("no-count")
    if event.colour is not None or (tile.bit and cast(MarkedSet, game.rules.tiles).wild >> tile.low & 1):
        _need_colour(game, live, event)
    if live is None or game.play_stopped or game.over:
        live = _turn(game, seat)
    reason = live.why_not_play(seat, tile, event.on)
    if reason is not None:
        _misplay(game, live, event, reason)
    if not live.drew:
        game.find_unpaid(live.begin_turn(seat))
    if not live.known[seat] and not live.hands[seat] & tile.bit:
        game.unseen.place(game.line, live, seat, tile.bit, game.hidden.dealt)
    if not live.layout.table and live.lead_drawer is None and tile.index in live.tiles.starters:
        game.unseen.led = game.line, tile.index
    on = live.play(seat, tile, None if event.on is None else event.on.index, event.colour, game.line)
    game.placements.append(Placement(game.line, seat, tile.index, on, tile.name))
    if game.rung:
        game.turn_done(cast(Round, live))
        game.note_end()


def _need_colour(game: ColourGame, live: ColourRound | None, event: moves.Play) -> None:
    last = live is not None and live.held[event.seat] <= 1
    if not names_colour_rightly(cast(MarkedSet, game.rules.tiles), event, last=last):
        game.bad_event("colour-needless" if event.colour else "colour-missing", tile=event.tile.name)


def _misplay(game: ColourGame, live: ColourRound, event: moves.Play, reason: Reason) -> None:
    tile = event.tile
    facts: dict[str, Any] = {"seat": SEATS[event.seat], "tile": tile.name}
    if reason is Reason.WRONG_LEAD:
        game.find(reason, due=_lead_due(game, live), **facts)
    elif reason is Reason.MUST_PLAY_DRAWN:
        drawn = "an unseen tile" if live.drawn is None else live.drawn.name
        game.find(reason, "must-play-drawn-only", drawn=drawn, **facts)
    if reason in _STANDS:
        return
    say = reason.value
    if reason is Reason.OUT_OF_TURN and live.to_act is not None:
        facts["turn"] = SEATS[live.to_act]
    elif reason is Reason.UNKNOWN_TILE and tile.bit and event.on is not None:
        facts["tile"] = event.on.name
    elif reason is Reason.TILE_ALREADY_PLAYED:
        facts["since"] = next((p.line for p in reversed(game.placements) if p.tile == tile.index), game.round_line)
    elif reason is Reason.AMBIGUOUS_PLAY:
        facts["places"] = " ".join(game.rules.tiles.tiles[on].name for on in live.layout.takers(tile))
    elif reason in (Reason.DOES_NOT_MATCH, Reason.NO_OPEN_END):
        facts |= {"on": event.on.name if event.on else "", "ends": " ".join(live.layout.shown())}
        if event.on is None:
            say = "fits-nowhere"
    game.stop(reason, say, **facts)


def _lead_due(game: ColourGame, live: ColourRound) -> str:
    if live.leader is None:
        return "the highest numeric doublet"
    return f"{SEATS[live.leader]} with {game.names(live.playable(live.leader))}"


def draw(game: ColourGame, _: Tenths | None, event: moves.Draw) -> None:
    """Draw tiles: a penalty, one for a turn, or one for the lead."""
    seat = event.seat
    game.need_seat(seat)
    live = _turn(game, seat, moves_tile=not game.draws_at_end(seat))
    for reason in live.why_not_draw(seat, event.count, event.tiles):
        _misdraw(game, live, event, reason)
    penalty = live.owed(seat) > 0
    if live.layout.table and not penalty:
        game.find_unpaid(live.begin_turn(seat))
    live.draw(seat, event.count, event.tiles)
    if False in live.known:
        game.unseen.draw(game.line, live, event, penalty=penalty)
    if game.rung and not game.card.overtime:
        game.play_stopped = live.ended is not None


def _misdraw(game: ColourGame, live: ColourRound, event: moves.Draw, reason: Reason) -> None:
    seat = event.seat
    if reason is Reason.DRAW_WHEN_ABLE:
        game.find(reason, "draw-before-lead-seen", seat=SEATS[seat])
        return
    owed = live.owed(seat)
    facts: dict[str, Any] = {"seat": SEATS[seat], "count": event.count, "left": live.boneyard, "owed": owed}
    say = ""
    if reason is Reason.OUT_OF_TURN:
        turn = live.next_lead_drawer if live.to_act is None else live.to_act
        say = "surplus-draw" if owed else ""
        facts["turn"] = SEATS[turn]
    elif reason is Reason.BAD_EVENT:
        say = "second-draw"
    named = [tile for tile in event.tiles if tile is not None]
    if reason is Reason.UNKNOWN_TILE:
        facts["tile"] = next(tile.name for tile in named if not tile.bit)
    elif reason is Reason.DUPLICATE_TILE:
        bits = [tile.bit for tile in named]
        twice = [t for n, t in enumerate(named) if live.located & t.bit or t.bit in bits[:n]]
        facts["tile"] = twice[0].name
    game.stop(reason, say, **facts)


def pass_turn(game: ColourGame, _: Tenths | None, event: moves.Pass) -> None:
    """Pass the turn, after one drawn tile or with none to draw."""
    seat = event.seat
    live = _turn(game, seat, moves_tile=False)
    if live.found_blocked and not game.settled:
        return
    reasons = live.why_not_pass(seat)
    facts: dict[str, Any] = {"seat": SEATS[seat], "left": live.boneyard}
    if Reason.ROUND_OVER in reasons:
        game.stop(Reason.ROUND_OVER)
    if Reason.OUT_OF_TURN in reasons:
        turn = live.next_lead_drawer if live.to_act is None else live.to_act
        game.stop(Reason.OUT_OF_TURN, turn=SEATS[turn], **facts)
    for reason in reasons:
        game.find(reason, "pass-before-lead" if reason is Reason.PASS_WHEN_ABLE else "", **facts)
    if live.layout.table and not live.drew:
        game.find_unpaid(live.begin_turn(seat))
    live.pass_turn(seat)
    game.turn_done(cast(Round, live))
    game.note_end()


# ---- Calls


def call(game: ColourGame, _: Tenths | None, event: moves.Call) -> None:
    """Take a call: uno, a catch, a challenge, domino."""
    seat = event.seat
    game.need_seat(seat)
    if event.whom is not None:
        game.need_seat(event.whom)
    if event.said in (Said.COUNT, Said.MUGGINS):
        game.bad_event("no-count")
    live = game.need_colours()
    if event.said is Said.UNO and game.live:
        live.say_uno(seat)
    elif event.said is Said.CATCH:
        _catch(game, live, seat, cast(Seat, event.whom))
    elif event.said is Said.CHALLENGE:
        if not live.can_challenge(seat) or game.opened or game.over:
            game.bad_event("no-wild-four", seat=SEATS[seat])
        live.challenge(game.line)
        assert live.wild_four is not None
        game.challenges.append(live.wild_four)


def _catch(game: ColourGame, live: ColourRound, seat: Seat, whom: Seat) -> None:
    why, last = live.catch(seat, whom) if game.live else (Caught.NOBODY, None)
    line = None if last is None else last.line
    rule = game.rules.rule_id("catch")
    ruling = Ruling(game.line, seat, whom, line, None, why is Caught.MISSED, 0, rule)
    game.rule_on(ruling, f"catch-{why.value}")
