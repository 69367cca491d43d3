"""Effects of turns on a game under replay: plays, draws, passes, calls.

Source: NOTATION.md 3, 4.
"""

from __future__ import annotations

from typing import Any

from games import moves
from games.claims import PlayScore
from games.errors import Reason
from games.moves import SEATS, Said, Seat
from games.notation.gamelog import Tenths
from games.round import Round
from games.ruleset import Muggins
from games.tile import Join
from referee.game import ReplayedGame
from referee.muggins import claim

# Enum member access runs Python code, so frequent members have names of their own.
_COUNT, _MUGGINS, _DOMINO, _NO_MUGGINS = Said.COUNT, Said.MUGGINS, Said.DOMINO, Muggins.OFF


def play(game: ReplayedGame, at: Tenths | None, event: moves.Play) -> None:
    """Place a tile; its points may be announced with it."""
    live = game.round
    if live is None or game.play_stopped or game.over or (join := live.try_play(event)) is None:
        live, join = _judged_play(game, event)
    score = game.claims.played(game.line, at, event, join, live.layout.count)
    if score is not None:
        score.ends = (live.layout, live.layout.open)
        if event.call is not None:
            announce(game, event.seat, event.call, at)
    if game.rung:
        game.turn_done(live)
    if game.card.ended is not None:
        _note_end(game)


def _note_end(game: ReplayedGame) -> None:
    """Check for the end of the game after a turn.

    A held call that took effect before the turn may have ended it (NOTATION.md 7.8).
    """
    if game.claims.ended_game:
        game.stop(Reason.GAME_OVER)
    game.note_end()


def _judged_play(game: ReplayedGame, event: moves.Play) -> tuple[Round, Join]:
    """Judge a play that is not plain by every rule, and make it if it was possible."""
    live = game.round
    seat = event.seat
    if seat >= game.seats or event.colour is not None or live is None or game.play_stopped or game.over:
        _cannot_act(game, seat, known_event=event.colour is None, moves_tile=True)
    assert live is not None
    reason = live.why_not_play(seat, event.tile, event.on)
    if reason is not None:
        _misplay(game, live, event, reason)
    return live, live.play(event)


def _cannot_act(game: ReplayedGame, seat: Seat, *, known_event: bool = True, moves_tile: bool) -> None:
    """Stop with the first reason against a turn, by NOTATION.md section 4."""
    game.need_seat(seat)
    if not known_event:
        game.bad_event()
    game.need_round()
    if game.play_stopped and moves_tile:
        game.stop(Reason.AFTER_BELL)
    if game.over:
        game.stop(Reason.GAME_OVER)


def _misplay(game: ReplayedGame, live: Round, event: moves.Play, reason: Reason) -> None:
    facts: dict[str, Any] = {"seat": SEATS[event.seat], "tile": event.tile.name}
    if reason is Reason.WRONG_LEAD:
        game.find(reason, due=_lead_due(game, live), **facts)
        return
    if reason is Reason.MUST_PLAY_DRAWN:
        game.find(reason, drawn=game.names(live.drawn_fits), **facts)
        return
    say = reason.value
    if reason is Reason.OUT_OF_TURN and live.to_act is not None:
        facts["turn"] = SEATS[live.to_act]
    elif reason is Reason.UNKNOWN_TILE and event.tile.index >= 0 and event.on is not None:
        facts["tile"] = event.on.name
    elif reason is Reason.TILE_ALREADY_PLAYED:
        facts["since"] = next(p.line for p in reversed(game.plays) if p.tile == event.tile.index)
    elif reason is Reason.AMBIGUOUS_PLAY:
        facts["places"] = game.names(live.layout.places(event.tile.index))
    elif reason in (Reason.DOES_NOT_MATCH, Reason.NO_OPEN_END):
        facts |= {"on": event.on.name if event.on else "", "ends": _ends(live)}
        say = say if event.on else "fits-nowhere"
    game.stop(reason, say, **facts)


def _ends(live: Round) -> str:
    return " ".join(sorted({end.face.name for end in live.layout.open_ends}))


def _lead_due(game: ReplayedGame, live: Round) -> str:
    if live.leader is None:
        return "the highest lot" if live.drew_lower else "the highest double"
    tiles = game.names(live.playable(live.leader)) or "the double drawn"
    return f"{SEATS[live.leader]} with {tiles}" if live.lead_is_forced else SEATS[live.leader]


def _whose_turn(live: Round) -> str:
    """Return the seat to act, for a sentence."""
    return "whoever has the lead" if live.to_act is None else SEATS[live.to_act]


def draw(game: ReplayedGame, _: Tenths | None, event: moves.Draw) -> None:
    """Draw tiles from the boneyard."""
    live = game.round
    if live is None or game.play_stopped or game.over or not live.try_draw(event):
        live = _judged_draw(game, event)
    if False in live.known:
        game.note_unseen(live, event)
    if game.rules.next_action_counts_draw:
        game.claims.drawn()
        if game.card.ended is not None:
            _note_end(game)
    if game.rung and not game.card.overtime:
        game.play_stopped = live.ended is not None


def _judged_draw(game: ReplayedGame, event: moves.Draw) -> Round:
    """Judge a draw that is not plain by every rule, and make it if it was possible."""
    seat = event.seat
    live = game.round
    if seat >= game.seats or live is None or game.play_stopped or game.over:
        _cannot_act(game, seat, moves_tile=True)
    assert live is not None
    for reason in live.why_not_draw(seat, event.count, event.tiles):
        _misdraw(game, live, event, reason)
    live.draw(seat, event.count, event.tiles)
    return live


def _misdraw(game: ReplayedGame, live: Round, event: moves.Draw, reason: Reason) -> None:
    seat = event.seat
    if reason is Reason.DRAW_WHEN_ABLE:
        able = live.playable(seat)
        fits = live.layout.fitting()
        able |= game.rules.tiles.mask(t for t in event.tiles[:-1] if t is not None and fits >> t.index & 1)
        say = "" if able else "draw-before-lead"
        game.find(reason, say, seat=SEATS[seat], tiles=game.names(able))
        return
    if reason is Reason.MUST_PLAY_DRAWN:
        fits = live.layout.fitting()
        drawn = live.drawn_fits or game.rules.tiles.mask(t for t in event.tiles if t is not None and fits & t.bit)
        game.find(reason, "must-play-drawn-past", seat=SEATS[seat], drawn=game.names(drawn))
        return
    facts: dict[str, Any] = {"seat": SEATS[seat], "count": event.count, "left": live.drawable}
    if reason is Reason.OUT_OF_TURN:
        # Draws for the lead begin with A.
        first = not live.drew_lower and not live.located & game.rules.tiles.doubles
        facts["turn"] = SEATS[live.to_act or 0] if first else _whose_turn(live)
    named = [tile for tile in event.tiles if tile is not None]
    if reason is Reason.UNKNOWN_TILE:
        facts["tile"] = next(tile.name for tile in named if tile.index < 0)
    if reason is Reason.DUPLICATE_TILE:
        twice = [t for n, t in enumerate(named) if live.located & t.bit or t in named[:n]]
        facts["tile"] = twice[0].name
    game.stop(reason, **facts)


def pass_turn(game: ReplayedGame, _: Tenths | None, event: moves.Pass) -> None:
    """Pass the turn; after a block shown by known hands, nothing more is checked."""
    seat = event.seat
    live = game.round
    if seat >= game.seats or live is None or game.over:
        _cannot_act(game, seat, moves_tile=False)
    assert live is not None
    if live.found_blocked and not game.settled:
        game.claims.turn_completed()
        return
    for reason in live.why_not_pass(seat):
        facts: dict[str, Any] = {"seat": SEATS[seat], "left": live.drawable}
        if reason is Reason.OUT_OF_TURN:
            game.stop(reason, turn=_whose_turn(live), **facts)
        if reason is Reason.ROUND_OVER:
            game.stop(reason)
        tiles = live.playable(seat)
        say = "" if tiles or reason is not Reason.PASS_WHEN_ABLE else "pass-before-lead"
        if reason is Reason.MUST_PLAY_DRAWN:
            say, facts["drawn"] = "must-play-drawn-passed", game.names(live.drawn_fits)
        game.find(reason, say, tiles=game.names(tiles), **facts)
    if not live.known[seat]:
        game.note_unseen(live, event)
    live.pass_turn(seat)
    game.claims.turn_completed()
    game.turn_done(live)
    _note_end(game)


# ---- Calls


def announce(game: ReplayedGame, seat: Seat, points: int, at: Tenths | None) -> None:
    """Announce points, with a play or later; correct a wrong number (RULES.md Q21)."""
    score = game.claims.announce(seat, points, at)
    if score is not None and points != score.worth:
        game.find(
            Reason.WRONG_COUNT,
            _count_sentence(score),
            sum=game.terms(score),
            count=score.count,
            worth=score.worth,
            announced=points,
            owed=score.owed,
        )
    game.note_end()


def _count_sentence(score: PlayScore) -> str:
    if not score.worth:
        return "wrong-count-none"
    if score.announced is not None and score.announced > score.worth:
        return "wrong-count-high"
    return "wrong-count-low" if score.owed else "wrong-count"


def call(game: ReplayedGame, at: Tenths | None, event: moves.Call) -> None:
    """Take a call: a count, muggins, domino."""
    seat = event.seat
    game.need_seat(seat)
    said = event.said
    if said is _MUGGINS and game.rules.muggins is _NO_MUGGINS:
        game.bad_event()
    if said is not _COUNT and said is not _MUGGINS and said is not _DOMINO:
        game.bad_event()
    game.need_round()
    if said is _COUNT:
        if not game.has_played(seat):
            game.bad_event("no-play", seat=SEATS[seat])
        announce(game, seat, event.number or 0, at)
    elif said is _MUGGINS:
        claim(game, at, event)
        game.note_end()
