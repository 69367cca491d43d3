"""Effect of an act on a competition: the difference of two plain snapshots. Pure."""

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from math import inf

Place = tuple[int, int]


@dataclass(frozen=True, slots=True)
class RowState:
    """A row of the standings: the rank, and all its numbers by name."""

    name: str
    rank: int
    numbers: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class SlotState:
    """A slot of the draw.

    `berths`: the entrants, "" while unknown; `stands`: which of them are kept although an earlier result was amended.
    `match`: its key, None before it is scheduled. `score`: points, or games won, of each side, "" before any.
    `not_needed`: a deciding match that is not played.
    """

    round: str
    number: int | None
    berths: tuple[str, ...]
    stands: tuple[bool, ...]
    match: int | None
    state: str
    score: str
    winner: str
    published: bool
    table: str = ""
    starts_at: str = ""
    not_needed: bool = field(default=False, compare=False)


@dataclass(frozen=True, slots=True)
class Snapshot:
    """A competition at one moment.

    `slots` by number of the round and of the slot in it; of a match outside of competitions only its line. `rows`: the
    official standings by entrant; `places`: the final ranking of a knock-out; `paired_before`: names of published
    rounds that stay although an earlier result was amended. `finished` is None without a stage. `further`: facts from
    other packages, by name. `goes_on`: entrants, by the official standings, whose knock-out is published; `stale`:
    names of drafts that were drawn from other results. `ratings`: of the league's list, by player.
    """

    slots: Mapping[Place, SlotState]
    rows: Mapping[int, RowState] = field(default_factory=dict)
    places: tuple[tuple[int, str], ...] = ()
    finished: bool | None = None
    paired_before: tuple[str, ...] = ()
    further: Mapping[str, str] = field(default_factory=dict)
    goes_on: Mapping[int, str] = field(default_factory=dict)
    stale: tuple[str, ...] = ()
    ratings: Mapping[int, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class NumberChange:
    key: str
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class RowChange:
    name: str
    rank_before: int
    rank_after: int
    numbers: tuple[NumberChange, ...]


@dataclass(frozen=True, slots=True)
class SlotChange:
    """Change of a slot.

    `kind`: "result" (the same two, another score, winner or state), "void" (it had begun and is replayed, or not played
    at all), "replaced" (others meet), "emptied" (an entrant is not known any more), "filled" (an entrant is known now),
    "stands" (it stays as it was played, though another entrant would be there).
    """

    kind: str
    before: SlotState
    after: SlotState


@dataclass(frozen=True, slots=True)
class RatingChange:
    """Change of a rating, in whole numbers.

    None if the player has no rating any more, or had none. `name` is filled in afterwards.
    """

    player: int
    before: int | None
    after: int | None
    name: str = ""


@dataclass(frozen=True, slots=True)
class Effect:
    """Effect of an act.

    `rows`: rows of the standings that change, best first; `rows_unchanged`: number of the others. `slots`: in the order
    of the draw; `slots_unchanged`: number of slots whose pairing and result stay, `published_unchanged` of them
    published. `paired_before`: published rounds that stay as they are and are marked. `goes_on`: entrants that newly go
    on to the published knock-out by the standings, or would if it were not kept as drawn; `goes_not`: the entrants they
    replace. `stale`: drafts that must be redrawn. `ratings`: changes, the largest first.
    """

    rows: tuple[RowChange, ...]
    rows_unchanged: int
    slots: tuple[SlotChange, ...]
    slots_unchanged: int
    published_unchanged: int
    places_before: tuple[tuple[int, str], ...]
    places_after: tuple[tuple[int, str], ...]
    finished_before: bool | None
    finished_after: bool | None
    paired_before: tuple[str, ...]
    further: tuple[NumberChange, ...] = ()
    goes_on: tuple[str, ...] = ()
    goes_not: tuple[str, ...] = ()
    stale: tuple[str, ...] = ()
    ratings: tuple[RatingChange, ...] = ()

    @property
    def places_change(self) -> bool:
        return self.places_before != self.places_after

    def of(self, *kinds: str) -> list[SlotChange]:
        return [one for one in self.slots if one.kind in kinds]

    @property
    def digest(self) -> str:
        """SHA-256 of the shown effect, the same in every language.

        Without names of rounds, and without the keys of matches that a rehearsal makes. Ratings are not in it: they
        move with every game of the league.
        """
        told = asdict(self)
        del told["ratings"]
        told["stale"] = len(self.stale)
        told["paired_before"] = len(self.paired_before)
        told["further"] = [(one.before, one.after) for one in self.further]
        for one in told["slots"]:
            for side in ("before", "after"):
                one[side]["match"] = one[side]["match"] is not None
                del one[side]["round"], one[side]["not_needed"]
        return hashlib.sha256(json.dumps(told, sort_keys=True).encode()).hexdigest()


def difference(before: Snapshot, after: Snapshot) -> Effect:
    """Compare two snapshots of a competition with the same entrants."""
    places = [*before.slots, *(one for one in after.slots if one not in before.slots)]
    slots = {one: _slot_change(before.slots.get(one), after.slots.get(one)) for one in places}
    same = [before.slots[one] for one, change in slots.items() if change is None]
    rows = [_row_change(before.rows[key], after.rows[key]) for key in before.rows]
    changed = [one for one in rows if one is not None]
    return Effect(
        rows=tuple(sorted(changed, key=lambda one: (one.rank_after, one.rank_before, one.name))),
        rows_unchanged=len(rows) - len(changed),
        slots=tuple(one for one in slots.values() if one is not None),
        slots_unchanged=len(same),
        published_unchanged=sum(one.published for one in same),
        places_before=before.places,
        places_after=after.places,
        finished_before=before.finished,
        finished_after=after.finished,
        paired_before=tuple(one for one in after.paired_before if one not in before.paired_before),
        further=tuple(_further(before.further, after.further)),
        goes_on=tuple(name for key, name in after.goes_on.items() if key not in before.goes_on),
        goes_not=tuple(name for key, name in before.goes_on.items() if key not in after.goes_on),
        stale=tuple(one for one in after.stale if one not in before.stale),
        ratings=tuple(_ratings(before.ratings, after.ratings)),
    )


def _ratings(before: Mapping[int, int], after: Mapping[int, int]) -> list[RatingChange]:
    differ = [one for one in before.keys() | after.keys() if before.get(one) != after.get(one)]
    changes = [RatingChange(one, before.get(one), after.get(one)) for one in differ]
    return sorted(changes, key=lambda one: (-_moved(one), one.player))


def _moved(one: RatingChange) -> float:
    return inf if one.before is None or one.after is None else abs(one.after - one.before)


def _further(before: Mapping[str, str], after: Mapping[str, str]) -> Iterable[NumberChange]:
    for key in [*before, *(key for key in after if key not in before)]:
        if before.get(key, "") != after.get(key, ""):
            yield NumberChange(key, before.get(key, ""), after.get(key, ""))


def _row_change(before: RowState, after: RowState) -> RowChange | None:
    if before == after:
        return None
    numbers = (
        NumberChange(key, before.numbers.get(key, ""), value)
        for key, value in after.numbers.items()
        if before.numbers.get(key, "") != value
    )
    return RowChange(after.name, before.rank, after.rank, tuple(numbers))


def _slot_change(before: SlotState | None, after: SlotState | None) -> SlotChange | None:
    """Compare a slot; one that is not there has unknown entrants."""
    if after is None:
        return None if before is None else _slot_change(before, _nobody_in(before))
    before = before or _nobody_in(after)
    return None if before == after else SlotChange(_kind(before, after), before, after)


def _nobody_in(slot: SlotState) -> SlotState:
    nobody = ("",) * len(slot.berths)
    return replace(slot, berths=nobody, match=None, state="", score="", winner="", table="", starts_at="")


def _kind(before: SlotState, after: SlotState) -> str:
    if any(after.stands) and before.berths == after.berths:
        return "stands" if before.stands != after.stands else "result"
    if before.match is not None and before.match != after.match and before.state not in ("", "scheduled"):
        return "void"
    if before.berths == after.berths:
        return "result"
    known = _known(before.berths), _known(after.berths)
    if known[1] < known[0]:
        return "emptied"
    return "filled" if known[0] < known[1] else "replaced"


def _known(berths: Sequence[str]) -> int:
    return sum(bool(one) for one in berths)


def named(slots: Iterable[SlotChange]) -> list[str]:
    return [f"{one.before.round}: {' – '.join(one.before.berths)}" for one in slots]
