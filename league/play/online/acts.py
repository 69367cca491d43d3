"""Acts at an online table: what a seat asks for, whether it was done already, and its effect. Pure."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from games.errors import IllegalMove
from games.moves import Call, Concession, Draw, Event, Forfeit, Play, Reopening, RoundStart, Said, Seat, Settled
from games.ruleset import Announce, Matching, Ruleset
from league.play.acts import marked_play, points_to_announce, reopening, tile_of
from league.play.dealer import WrongMoment
from league.play.online.table import OnlineTable, OnlineUno, completes_turn, has_called, is_draw

Doing = Literal[
    "play",
    "draw",
    "deal",
    "muggins",
    "say",
    "concede",
    "claim",
    "uno",
    "catch",
    "four",
    "challenge",
    "reopen",
    "leave",
]
CALLS: Final = ("muggins", "say")
"""Acts that do not depend on the last line, only on the turn."""
SAID: Final = (*CALLS, "uno", "catch")
"""Acts that are no moves: the table waits for the same seat as before."""
ANY_TIME: Final = ("concede", "claim", "uno", "catch")
"""Acts that do not depend on the line: the table alone says whether they count."""


@dataclass(frozen=True, slots=True)
class OnlineAct:
    """An act of a seat: play `tile`, joined to `on` ("": the only place), with the points announced; draw or pass; ask
    for the next hand; call muggins; announce points of the last tile; concede; claim the game of an absent player.

    `muggins`: called with this tile, draw or pass. In Uno Dominoes also: say uno, catch `whom`, draw four or challenge,
    reopen a dead end beside the doublet `on` or leave it closed; `colour`: the one that is named.
    """

    do: Doing
    tile: str = ""
    on: str = ""
    points: int | None = None
    muggins: bool = False
    colour: str = ""
    whom: Seat = -1


def is_stale(asked: OnlineAct, seat: Seat, since: Sequence[Event]) -> bool:
    """Return whether the events since the asker's page came in between. Calls of others do not."""
    if asked.do in ANY_TIME:
        return False
    if asked.do in CALLS:
        return any(map(completes_turn, since))
    return bool(_moves(since)) or any(isinstance(event, Call) and event.whom == seat for event in since)


def _moves(events: Sequence[Event]) -> list[Event]:
    """Return the events but calls, and the draws of a seat that was caught; a challenge stays."""
    found, caught = [], None
    for event in events:
        if isinstance(event, Call) and event.said is not Said.CHALLENGE:
            caught = event.whom
        elif not (isinstance(event, Draw) and event.seat == caught):
            found.append(event)
            caught = None
    return found


def was_done(asked: OnlineAct, seat: Seat, since: Sequence[Event], rules: Ruleset) -> bool:
    """Return whether these events, since the asker's page, are the effect of this act."""
    if not since:
        return False
    done = _DONE[asked.do]
    return done(asked, seat, since, rules)


def carry_out(asked: OnlineAct, seat: Seat, table: OnlineTable) -> None:
    """Do a move or a call.

    Raises :class:`~league.play.dealer.WrongMoment` and :class:`~games.errors.IllegalMove`.
    """
    if isinstance(table, OnlineUno):
        if asked.do not in _AT_UNO:
            raise WrongMoment
        _AT_UNO[asked.do](table, seat, asked)
    else:
        if asked.do not in _AT_PIPS:
            raise WrongMoment
        _AT_PIPS[asked.do](table, seat, asked)


def played(asked: OnlineAct, seat: Seat, rules: Ruleset) -> Play:
    """Return the play that was asked for.

    Raises :class:`~games.errors.IllegalMove` for a tile that the set does not have, and
    :class:`~league.play.dealer.WrongMoment` for points that no play gives.
    """
    if rules.matching is Matching.MARKINGS:
        return marked_play(rules, seat, asked.tile, asked.on, asked.colour)
    announced = asked.points if rules.announce is Announce.MANUAL else None
    if announced is not None and announced not in points_to_announce(rules):
        raise WrongMoment
    return Play(seat, tile_of(rules, asked.tile), tile_of(rules, asked.on) if asked.on else None, announced)


def _muggins(table: OnlineTable, seat: Seat, _asked: OnlineAct) -> None:
    if table.claimable_by(seat) is None:
        raise WrongMoment
    table.call(Call(seat, Said.MUGGINS))


def _say(table: OnlineTable, seat: Seat, asked: OnlineAct) -> None:
    if not table.can_announce(seat) or asked.points not in points_to_announce(table.game.rules):
        raise WrongMoment
    table.call(Call(seat, Said.COUNT, asked.points))


_AT_PIPS: Final[Mapping[Doing, Callable[[OnlineTable, Seat, OnlineAct], None]]] = {
    "play": lambda table, seat, asked: table.make(played(asked, seat, table.game.rules), muggins=asked.muggins),
    "draw": lambda table, seat, asked: table.draw(seat, muggins=asked.muggins),
    "muggins": _muggins,
    "say": _say,
    "concede": lambda table, seat, _asked: table.concede(seat),
}
_AT_UNO: Final[Mapping[Doing, Callable[[OnlineUno, Seat, OnlineAct], None]]] = {
    "play": lambda table, seat, asked: table.make(played(asked, seat, table.game.rules)),
    "draw": lambda table, seat, _asked: table.draw_or_pass(seat),
    "uno": lambda table, seat, _asked: table.say_uno(seat),
    "catch": lambda table, seat, asked: table.catch(seat, asked.whom),
    "four": lambda table, seat, _asked: table.accept(seat),
    "challenge": lambda table, seat, _asked: table.challenge(seat),
    "reopen": lambda table, seat, asked: table.reopen(seat, *reopening(table.game.rules, asked.on, asked.colour)),
    "leave": lambda table, seat, _asked: table.leave_closed(seat),
    "concede": lambda table, seat, _asked: table.concede(seat),
}


# ---- Done already


def _played(asked: OnlineAct, seat: Seat, since: Sequence[Event], rules: Ruleset) -> bool:
    """Compare the first play; calls may stand before it."""
    first = next(iter(_moves(since)), None)
    try:
        wanted = played(asked, seat, rules)
    except (IllegalMove, WrongMoment):
        return False
    return (
        isinstance(first, Play)
        and (first.seat, first.tile, first.call) == (seat, wanted.tile, wanted.call)
        and first.colour == wanted.colour
        and wanted.on in (None, first.on)
    )


def _drawn(_asked: OnlineAct, seat: Seat, since: Sequence[Event], _rules: Ruleset) -> bool:
    first = next(iter(_moves(since)), None)
    return first is not None and is_draw(first, seat)


def _reopened(asked: OnlineAct, seat: Seat, since: Sequence[Event], _rules: Ruleset) -> bool:
    first = next(iter(_moves(since)), None)
    return isinstance(first, Reopening) and (first.seat, first.colour) == (seat, asked.colour)


def _caught(asked: OnlineAct, seat: Seat, since: Sequence[Event], _rules: Ruleset) -> bool:
    return Call(seat, Said.CATCH, whom=asked.whom) in since


_DONE: Final[Mapping[Doing, Callable[[OnlineAct, Seat, Sequence[Event], Ruleset], bool]]] = {
    "play": _played,
    "draw": _drawn,
    "deal": lambda _asked, _seat, since, _rules: any(isinstance(event, RoundStart) for event in since),
    "muggins": lambda _asked, seat, since, _rules: has_called(since, seat, Said.MUGGINS),
    "say": lambda _asked, seat, since, _rules: has_called(since, seat, Said.COUNT),
    "uno": lambda _asked, seat, since, _rules: has_called(since, seat, Said.UNO),
    "catch": _caught,
    "four": _drawn,
    "challenge": lambda _asked, seat, since, _rules: has_called(since, seat, Said.CHALLENGE),
    "reopen": _reopened,
    "leave": lambda _asked, _seat, since, _rules: any(isinstance(event, Settled) for event in since),
    "concede": lambda _asked, seat, since, _rules: Concession(seat) in since,
    "claim": lambda _asked, seat, since, _rules: any(isinstance(event, Forfeit) for event in since),
}
