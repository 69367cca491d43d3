"""Pads for tests: what each sends, as a phone would."""

from dataclasses import dataclass, field
from itertools import count
from uuid import UUID, uuid4

from league.matches.models.tally import TallyTap
from league.matches.tally.services import Keeper, keep_taps
from league.matches.tally.touches import Batch, Touch, read_batch
from tests.league.world import NOON


@dataclass
class Pad:
    """A device at a game. `after` is the last number it knows of."""

    game: object
    user: object = None
    side: int | None = None
    id: UUID = field(default_factory=uuid4)
    after: int = 0

    def send(self, *touches: Touch, at=NOON) -> int:
        keeper = Keeper(self.user.pk if self.user else None, self.side)
        last = keep_taps(self.game, keeper, Batch(self.id, self.after, list(touches)), at)
        self.after = last
        return last


_ticks = count(1)


def tap(kind: str = "points", **facts: object) -> Touch:
    return Touch(id=uuid4(), kind=kind, at=NOON, mono_ms=next(_ticks), **facts)


def points(seat: int, number: int) -> Touch:
    return tap("points", seat=seat, points=number)


def take_back(touch: Touch) -> Touch:
    return tap("undo", of=touch.id)


def round_end(winner: int | None, number: int, spinner: str = "6-6", ended: str = "domino") -> Touch:
    return tap("round_end", winner=winner, points=number, spinner=spinner, ended=ended)


def rows(game: object) -> list[tuple[int, str, int | None, int]]:
    return list(TallyTap.objects.filter(game=game).order_by("number").values_list("number", "kind", "seat", "points"))


__all__ = ["Batch", "Pad", "points", "read_batch", "round_end", "rows", "take_back", "tap"]
