"""Effects of record lines on a game under replay: one function for each event.

Source: NOTATION.md sections 3, 4, 7. Every function takes the game, the line's time and its event. It stops the replay
if the line is impossible; otherwise it notes errors, and lets the line take effect as recorded.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from operator import attrgetter
from typing import Any

from games import moves
from games.errors import Reason
from games.moves import SEATS, Seat
from games.notation.gamelog import Tenths
from games.round import Round, RoundEnd
from games.ruleset import Lead
from games.scorecard import GameEnd, chips_by_seat
from games.tile import Mask, Tile
from referee.game import ReplayedGame
from referee.turns import call, draw, pass_turn, play

_BIT = attrgetter("bit")

# ---- The deal and the lead


def start_round(game: ReplayedGame, _: Tenths | None, event: moves.RoundStart) -> None:
    """Close the settlement of the round before, and begin a round."""
    if not game.settled:
        if game.live:
            _end_hold(game)
        if game.live:
            game.stop(Reason.NOT_OUT)
        game.close_settlement()
    if game.over:
        game.stop(Reason.GAME_OVER)
    if event.number != game.number + 1:
        game.bad_event("wrong-round-number", number=game.number + 1)
    game.begin_round()


def _end_hold(game: ReplayedGame, at: Tenths | None = None) -> None:
    """Let a held muggins call take effect before the current line (NOTATION.md 7.8).

    It may end the game.
    """
    game.claims.end_hold(at)
    game.note_end()


def _may_deal(game: ReplayedGame, seat: Seat, late: str) -> Round:
    live = game.round
    if live is None or seat >= game.seats:
        game.need_seat(seat)
        game.stop(Reason.NO_ROUND)
    if live.ended is not None or game.card.ended is not None or live.begun:
        game.bad_event(late)
    return live


def lot(game: ReplayedGame, _: Tenths | None, event: moves.Lot) -> None:
    """Draw a tile for the lead; the highest leads."""
    live = _may_deal(game, event.seat, "late-lot")
    if live.lead_due is not Lead.LOT:
        game.bad_event("no-lot")
    if any(live.dealt):
        game.bad_event("late-lot")
    if event.seat in game.lots:
        game.bad_event("second-time", seat=SEATS[event.seat])
    if event.tile.index < 0:
        game.stop(Reason.UNKNOWN_TILE, tile=event.tile.name)
    if event.tile.index in game.lots.values():
        game.stop(Reason.DUPLICATE_TILE, tile=event.tile.name)
    game.lots[event.seat] = event.tile.index
    live.lead_by_lot(game.lots)


def deal(game: ReplayedGame, _: Tenths | None, event: moves.Deal) -> None:
    """Deal a hand to a seat."""
    seat, count, tiles = event
    live = _may_deal(game, seat, "late-hand")
    if live.dealt[seat]:
        game.bad_event("second-time", seat=SEATS[seat])
    size = live.held[seat]
    if not live.deal(seat, count, tiles):
        _need_tiles(game, tiles, lambda tile: Reason.DUPLICATE_TILE if live.located & tile.bit else None)
    game.hidden.dealt.append((game.line, event, live.hands[seat]))
    if count != size:
        game.find(Reason.HAND_SIZE, seat=SEATS[seat], count=count, size=size)


def _is_hand(tiles: tuple[Tile | None, ...], hand: Mask) -> bool:
    """Return whether these are the tiles of a hand, each once."""
    # A repeated tile carries over, a tile outside the set has no bit: equal numbers mean different tiles.
    return len(tiles) == hand.bit_count() and all(tiles) and hand == sum(map(_BIT, tiles))


def _may_hold(game: ReplayedGame, live: Round, seat: Seat, tiles: tuple[Tile | None, ...]) -> bool:
    """Return whether an unknown hand may hold these tiles: different, and all seen."""
    if not all(tiles):
        return False
    hand: Mask = sum(map(_BIT, tiles))
    elsewhere = live.layout.table | live.located & ~live.hands[seat] | game.hidden.shown_by_others(seat)
    return hand.bit_count() == len(tiles) and not hand & elsewhere


def _need_tiles(game: ReplayedGame, tiles: tuple[Tile | None, ...], why_not: Callable[[Tile], Reason | None]) -> None:
    """Stop at the first tile that can't be at its recorded place."""
    seen = 0
    for tile in tiles:
        if tile is None:
            continue
        if tile.index < 0:
            game.stop(Reason.UNKNOWN_TILE, tile=tile.name)
        reason = Reason.DUPLICATE_TILE if seen & tile.bit else why_not(tile)
        if reason is not None:
            since = next((p.line for p in reversed(game.plays) if p.tile == tile.index), 0)
            game.stop(reason, tile=tile.name, since=since, seat="")
        seen |= tile.bit


# ---- End of a round


def blocked(game: ReplayedGame, _: Tenths | None, event: moves.Blocked) -> None:
    """Declare the round blocked."""
    live = game.need_round()
    if game.over:
        game.stop(Reason.GAME_OVER)
    if live.ended is RoundEnd.BLOCKED and not game.settled:
        return
    if live.ended is not None or not live.begun or live.can_draw or live.any_known_playable():
        game.stop(Reason.NOT_BLOCKED)
    if False in live.known:
        game.note_unseen(live, event)
    live.block()
    game.turn_done(live)


def _need_settlement(game: ReplayedGame, seat: Seat) -> Round:
    """Return the round with an open settlement, or stop (NOTATION.md 7.4)."""
    ended = game.round
    if ended is None or seat >= game.seats:
        game.need_seat(seat)
        game.stop(Reason.NO_ROUND)
    if ended.ended is None and game.card.ended is None:
        game.stop(Reason.NOT_OUT)
    if game.settled:
        game.bad_event()
    return ended


def show(game: ReplayedGame, _: Tenths | None, event: moves.Show) -> None:
    """Show the tiles left in a hand at the end of the round."""
    seat, tiles = event.seat, event.tiles
    ended = _need_settlement(game, seat)
    if ended.has_shown[seat]:
        game.bad_event("second-time", seat=SEATS[seat])
    game.open_settlement()
    if not ended.known[seat]:
        if len(tiles) != ended.held[seat] or not _may_hold(game, ended, seat, tiles):
            check_shown(game, ended, seat, tiles)
        game.note_unseen(ended, event)
    elif not _is_hand(tiles, ended.hands[seat]):
        check_shown(game, ended, seat, tiles)
    ended.show(seat, tiles)


def check_shown(game: ReplayedGame, live: Round, seat: Seat, tiles: tuple[Tile | None, ...]) -> None:
    """Stop if the seat can't hold these tiles, and note a wrong number of them."""

    def why_not(tile: Tile) -> Reason | None:
        if live.known[seat]:
            return None if live.hands[seat] & tile.bit else Reason.TILE_NOT_IN_HAND
        if live.layout.table & tile.bit:
            return Reason.TILE_ALREADY_PLAYED
        return Reason.DUPLICATE_TILE if elsewhere & tile.bit else None

    elsewhere = live.located & ~live.hands[seat] | game.hidden.shown_by_others(seat)
    _need_tiles(game, tiles, why_not)
    if len(tiles) != live.held[seat]:
        game.find(Reason.TILE_COUNT, seat=SEATS[seat], count=len(tiles), held=live.held[seat])


def round_points(game: ReplayedGame, _: Tenths | None, event: moves.RoundPoints) -> None:
    """Note the recorded round-end points; they are compared at the settlement's close."""
    seat = event.seat
    _need_settlement(game, seat)
    if seat in game.recorded:
        game.bad_event("second-time", seat=SEATS[seat])
    game.open_settlement()
    game.recorded[seat] = (game.line, event.points)


def settled(game: ReplayedGame, _: Tenths | None, __: moves.Settled) -> None:
    """Settle the round: the players have confirmed it."""
    game.need_round()
    if game.live:
        game.stop(Reason.NOT_OUT)
    game.close_settlement()


def _due_totals(
    game: ReplayedGame, recorded: tuple[int, ...], written: Callable[[list[int]], list[int]] = list
) -> list[int]:
    """Return the totals at this line, converted by ``written``.

    After the end of the round it is a settlement line.
    """
    if len(recorded) != game.seats:
        game.bad_event("number-of-seats", seats=game.seats)
    if not game.live:
        if not game.settled and not game.opened:
            game.open_settlement()
            game.note_end()
    elif (held := game.claims.held_call) is not None:
        # A score written after a held call shows that the call took effect.
        booked = written(game.card.foresee((0,) * game.seats, held))
        if list(recorded) == booked:
            return booked
    return written(game.would_be_totals())


def totals(game: ReplayedGame, _: Tenths | None, event: moves.Totals) -> None:
    """Compare the recorded running totals."""
    due = _due_totals(game, event.scores)
    if tuple(due) != event.scores:
        _wrong_totals(game, due, event.scores)


def _wrong_totals(game: ReplayedGame, due: list[int], recorded: tuple[int, ...]) -> None:
    booked = game.scores_text(game.card.scores)
    ending = game.scores_text(total - before for total, before in zip(due, game.card.scores, strict=True))
    say = "wrong-total" if due == game.card.scores else "wrong-total-round"
    texts = {"scores": game.scores_text(due), "recorded": game.scores_text(recorded)}
    game.find(Reason.WRONG_TOTAL, say, booked=booked, ending=ending, **texts)  # type: ignore[arg-type]


def chips_left(game: ReplayedGame, _: Tenths | None, event: moves.ChipsLeft) -> None:
    """Compare the recorded chips of their own colour left."""
    if not game.rules.chips:
        game.bad_event()
    game.need_round()

    def chips(scores: list[int]) -> list[int]:
        return chips_by_seat(game.rules.chips, scores)

    due = _due_totals(game, event.chips, chips)
    if due != list(event.chips):
        game.find(Reason.WRONG_CHIPS, chips=game.scores_text(due), recorded=game.scores_text(event.chips))


# ---- The game


def bell(game: ReplayedGame, at: Tenths | None, _: moves.Bell) -> None:
    """Ring the written bell, unless the clock has rung it before."""
    if not game.rules.clock_s or game.bell_written:
        game.bad_event()
    game.need_round()
    game.bell_written = True
    if not game.rung:
        game.ring(at)


def penalty(game: ReplayedGame, at: Tenths | None, event: moves.Penalty) -> None:
    """Book a penalty of the referee."""
    game.need_seat(event.seat)
    if at is not None:
        _end_hold(game, at)
    if game.over:
        game.stop(Reason.GAME_OVER)
    # Before the first round nothing is open either, so the end is checked there too (NOTATION.md 7.13).
    game.card.penalize(event.seat, event.points, between_rounds=game.settled)
    game.note_end()


def give_up(game: ReplayedGame, _: Tenths | None, event: moves.Concession | moves.Forfeit) -> None:
    """End the game by concession or forfeit; a finished round comes first.

    NOTATION.md 7.13. After the end of the game, or if the points of that round end it, this has no effect: it is said
    while tiles are counted.
    """
    game.need_seat(event.seat)
    if game.live:
        _end_hold(game)
    else:
        game.close_settlement()
    if game.over:
        return
    how = GameEnd.CONCESSION if isinstance(event, moves.Concession) else GameEnd.FORFEIT
    game.card.give_up(event.seat, how)
    game.note_end()


def end(game: ReplayedGame, _: Tenths | None, __: moves.End) -> None:
    """End the record, and close the settlement."""
    if not game.live:
        game.close_settlement()
    game.finished = True


def note(_: ReplayedGame, __: Tenths | None, ___: moves.Note) -> None:
    """Do nothing: a remark has no effect."""


def meaningless(game: ReplayedGame, _: Tenths | None, __: object) -> None:
    """Stop at an event of another game."""
    game.bad_event()


HANDLERS: Mapping[type, Callable[[ReplayedGame, Tenths | None, Any], None]] = {
    moves.Play: play,
    moves.Draw: draw,
    moves.Pass: pass_turn,
    moves.Call: call,
    moves.RoundStart: start_round,
    moves.Lot: lot,
    moves.Deal: deal,
    moves.Blocked: blocked,
    moves.Show: show,
    moves.RoundPoints: round_points,
    moves.Totals: totals,
    moves.ChipsLeft: chips_left,
    moves.Settled: settled,
    moves.Bell: bell,
    moves.Penalty: penalty,
    moves.Concession: give_up,
    moves.Forfeit: give_up,
    moves.End: end,
    moves.Note: note,
    moves.ChallengeOutcome: meaningless,
    moves.Reopening: meaningless,
}
