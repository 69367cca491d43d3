"""Acts at an online table: what a seat asks for, whether it was done already, and its effect. Pure."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from games.errors import IllegalMove, Reason
from games.moves import Call, Concession, Event, Forfeit, Play, RoundStart, Said, Seat
from games.ruleset import Announce, Ruleset
from games.scorecard import awards_of_a_play
from league.play.dealer import WrongMoment
from league.play.online.table import OnlineTable, completes_turn, has_called, is_draw

Doing = Literal["play", "draw", "deal", "muggins", "say", "concede", "claim"]
CALLS: Final = ("muggins", "say")
"""Acts that do not depend on the last line, only on the turn."""
LEAVING: Final = ("concede", "claim")
"""Acts that end the game, whatever the line."""


@dataclass(frozen=True, slots=True)
class OnlineAct:
    """An act of a seat: play `tile`, joined to `on` ("": the only place), with the points announced; draw or pass; ask
    for the next hand; call muggins; announce points of the last tile; concede; claim the game of an absent player.

    `muggins`: called with this tile, draw or pass.
    """

    do: Doing
    tile: str = ""
    on: str = ""
    points: int | None = None
    muggins: bool = False


def is_stale(asked: OnlineAct, since: Sequence[Event]) -> bool:
    """Return whether the events since the asker's page came in between."""
    if asked.do in LEAVING:
        return False
    return any(map(completes_turn, since)) if asked.do in CALLS else bool(since)


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
    if asked.do == "play":
        table.make(played(asked, seat, table.game.rules), muggins=asked.muggins)
    elif asked.do == "draw":
        table.draw(seat, muggins=asked.muggins)
    elif asked.do == "muggins":
        if table.claimable_by(seat) is None:
            raise WrongMoment
        table.call(Call(seat, Said.MUGGINS))
    elif asked.do == "say":
        if not table.can_announce(seat) or asked.points not in awards_of_a_play(table.game.rules):
            raise WrongMoment
        table.call(Call(seat, Said.COUNT, asked.points))
    else:
        table.concede(seat)


def played(asked: OnlineAct, seat: Seat, rules: Ruleset) -> Play:
    """Return the play that was asked for.

    Raises :class:`~games.errors.IllegalMove` for a tile that the set does not have, and
    :class:`~league.play.dealer.WrongMoment` for points that no play gives.
    """
    announced = asked.points if rules.announce is Announce.MANUAL else None
    if announced is not None and announced not in awards_of_a_play(rules):
        raise WrongMoment
    try:
        return Play(seat, rules.tiles.tile(asked.tile), rules.tiles.tile(asked.on) if asked.on else None, announced)
    except KeyError:
        raise IllegalMove(Reason.UNKNOWN_TILE) from None


# ---- Done already


def _played(asked: OnlineAct, seat: Seat, since: Sequence[Event], rules: Ruleset) -> bool:
    """Compare the first play; a muggins call may stand before it."""
    first = next((event for event in since if not isinstance(event, Call)), None)
    try:
        wanted = played(asked, seat, rules)
    except (IllegalMove, WrongMoment):
        return False
    return (
        isinstance(first, Play)
        and (first.seat, first.tile, first.call) == (seat, wanted.tile, wanted.call)
        and wanted.on in (None, first.on)
    )


def _drawn(_asked: OnlineAct, seat: Seat, since: Sequence[Event], _rules: Ruleset) -> bool:
    first = next((event for event in since if not isinstance(event, Call)), None)
    return first is not None and is_draw(first, seat)


_DONE: Final[Mapping[Doing, Callable[[OnlineAct, Seat, Sequence[Event], Ruleset], bool]]] = {
    "play": _played,
    "draw": _drawn,
    "deal": lambda _asked, _seat, since, _rules: any(isinstance(event, RoundStart) for event in since),
    "muggins": lambda _asked, seat, since, _rules: has_called(since, seat, Said.MUGGINS),
    "say": lambda _asked, seat, since, _rules: has_called(since, seat, Said.COUNT),
    "concede": lambda _asked, seat, since, _rules: Concession(seat) in since,
    "claim": lambda _asked, seat, since, _rules: any(isinstance(event, Forfeit) for event in since),
}
