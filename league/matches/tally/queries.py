"""State of a game's score pad: taps, keeper and clock."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from league.matches.clock.queries import ClockView, clocks_in
from league.matches.models import IN_ORDER, Game, KnownBy, Record, Result, Side
from league.matches.models.tally import TallyTap
from league.matches.tally.services import why_closed
from league.matches.tally.standing import NO_PAD
from league.matches.tally.tile_log import is_scored, is_tiled
from league.matches.tally.two_phones import pads_by_seat
from league.players.models import PEOPLE


@dataclass(frozen=True, slots=True)
class KeepingPad:
    """The pad of the last tap, and since when it keeps the tally. `name`: its user.

    `seats`: the pads that keep it together, by seat; empty for a single one (two_phones.py).
    """

    pad: UUID
    name: str
    since: datetime
    seats: Mapping[int, UUID]

    def is_kept_by(self, pad: UUID | None) -> bool:
        return pad in (self.seats.values() if self.seats else {self.pad})

    def seat_of(self, pad: UUID | None) -> int | None:
        """Return the only seat that this pad enters, None for a single pad and for others."""
        return next((seat for seat, one in self.seats.items() if one == pad), None)


@dataclass(frozen=True, slots=True)
class TallyState:
    """State of a tally.

    `touches`: tap number → touch. `closed`: why taps are refused, "" while they are not. `tiled`, `scored`: it is
    kept on the tile pad, on the score pad; `log`: then the log handed in after its last tap.
    """

    taps: list[TallyTap]
    touches: dict[int, UUID]
    keeping: KeepingPad | None
    clock: ClockView | None
    closed: str
    result: Result | None
    tiled: bool = False
    scored: bool = False
    log: Record | None = None

    @property
    def last(self) -> int:
        return len(self.taps)


def tally_state(game: Game, now: datetime) -> TallyState:
    """Return the tally of a game whose match is loaded. Seven statements, eight for a tile pad.

    The caller checks that the asker may keep it.
    """
    taps = list(TallyTap.objects.filter(game=game).select_related("by").order_by("number"))
    clocks = [view for view in clocks_in([game.match_id], now) if view.number == game.number]
    refusal = why_closed(game, game.match)
    tiled = is_tiled(taps)
    return TallyState(
        taps=taps,
        touches={tap.number: tap.touch for tap in taps},
        keeping=_keeping(game, taps),
        clock=clocks[0] if clocks else None,
        closed=str(refusal) if refusal else "",
        result=Result.objects.select_related("record").filter(game=game, current=True).first(),
        tiled=tiled,
        scored=is_scored(taps),
        log=_log_after(game, taps[-1]) if tiled else None,
    )


def _log_after(game: Game, last: TallyTap) -> Record | None:
    logs = Record.objects.filter(game=game, kind=KnownBy.LOG, submitted_at__gte=last.received_at)
    return logs.select_related("verdict").order_by(*IN_ORDER).last()


def _keeping(game: Game, taps: Sequence[TallyTap]) -> KeepingPad | None:
    if not taps or taps[-1].pad == NO_PAD:
        return None
    last = taps[-1]
    first = last
    for tap in reversed(taps):
        if tap.pad != last.pad:
            break
        first = tap
    # A ruling leaves the pad as it is, so the first tap names the keeper.
    return KeepingPad(last.pad, _name(game, first), first.received_at, pads_by_seat(taps))


def _name(game: Game, tap: TallyTap) -> str:
    if tap.by_id is not None:
        return str(tap.by)
    side = Side.objects.select_related(*PEOPLE).get(match=game.match_id, number=tap.for_side)
    return str(side.entrant)
