"""Effects of record lines for tiles that match by colour or kind.

Settlements, challenges, reopened dead ends.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, cast

from games import moves
from games.errors import Reason
from games.moves import SEATS
from games.notation.gamelog import Tenths
from games.round import Round, RoundEnd
from referee.lines import HANDLERS, check_shown
from referee.uno.game import ColourGame
from referee.uno.turns import call, draw, pass_turn, play

Handler = Callable[[ColourGame, Tenths | None, Any], None]


def _settling(event: type) -> Handler:
    """Return the handler of a line in or at the end of the settlement.

    Penalties are drawn before it.
    """
    handle = HANDLERS[event]

    def line(game: ColourGame, at: Tenths | None, event: Any) -> None:
        game.settlement_line()
        handle(game, at, event)

    return line


_settlement_show = _settling(moves.Show)


def show(game: ColourGame, at: Tenths | None, event: moves.Show) -> None:
    """Show a rack: to a challenger, or at the end of the round."""
    live = game.colours
    wild = live.wild_four if live is not None else None
    if wild is None or not wild.challenged or wild.shown or event.seat != wild.player or game.opened or game.over:
        _settlement_show(game, at, event)
        return
    assert live is not None
    check_shown(game, cast(Round, live), event.seat, event.tiles)
    if not live.known[event.seat]:
        game.unseen.show_challenged(game.line, live, event, game.hidden.dealt)
    live.show_rack(event.tiles)


def outcome(game: ColourGame, _: Tenths | None, event: moves.ChallengeOutcome) -> None:
    """Take the recorded outcome of a challenge.

    A known rack has priority (NOTATION.md 7.19).
    """
    live = game.need_colours()
    wild = live.wild_four
    if wild is None or not wild.challenged or wild.ruled or game.opened or game.over:
        game.bad_event("no-challenge")
    if wild.guilty is None:
        live.decide(guilty=event.upheld)
    elif wild.guilty is not event.upheld:
        if wild.inferred:
            game.bad_event("late-outcome")
        say = "wrong-ruling-guilty" if wild.guilty else ""
        held = game.names(wild.rack & wild.banned)
        game.find(Reason.WRONG_RULING, say, player=SEATS[wild.player], tiles=held)
    wild.ruled = True


def reopen(game: ColourGame, _: Tenths | None, event: moves.Reopening) -> None:
    """Reopen a dead end, before its settlement (RULES.md 2.37)."""
    game.need_seat(event.seat)
    if not game.rules.reopening:
        game.bad_event("no-reopening")
    live = game.need_colours()
    if live.ended is not RoundEnd.DEAD_END or game.opened or game.settled:
        game.bad_event("no-dead-end")
    if game.play_stopped:
        game.stop(Reason.AFTER_BELL)
    if game.over:
        game.stop(Reason.GAME_OVER)
    reason = live.why_not_reopen(event.seat, event.tile, event.on)
    if reason is not None:
        since = next((p.line for p in reversed(game.placements) if p.tile == event.tile.index), 0)
        facts: dict[str, Any] = {"seat": SEATS[event.seat], "tile": event.tile.name, "on": event.on.name}
        say = "reopens-nowhere" if reason in (Reason.DOES_NOT_MATCH, Reason.NO_OPEN_END) else ""
        game.stop(reason, say, since=since, **facts)
    if not live.known[event.seat] and not live.hands[event.seat] & event.tile.bit:
        game.unseen.place(game.line, live, event.seat, event.tile.bit, game.hidden.dealt)
    live.reopen(event.seat, event.tile, event.colour, game.line)


COLOUR_HANDLERS: Mapping[type, Handler] = {
    **HANDLERS,
    moves.Play: play,
    moves.Draw: draw,
    moves.Pass: pass_turn,
    moves.Call: call,
    moves.RoundStart: _settling(moves.RoundStart),
    moves.Show: show,
    moves.RoundPoints: _settling(moves.RoundPoints),
    moves.Totals: _settling(moves.Totals),
    moves.Settled: _settling(moves.Settled),
    moves.End: _settling(moves.End),
    moves.ChallengeOutcome: outcome,
    moves.Reopening: reopen,
}
