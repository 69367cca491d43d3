"""The draw on pages: rounds, slots, and the entrant or source of each berth."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from datetime import datetime
from typing import TYPE_CHECKING, Any, NamedTuple

from django.db.models import Count, Exists, F, OuterRef, QuerySet, Subquery

from league.accounts.permissions import Asker
from league.competitions.entrant_names import Placed, placed
from league.competitions.formats.double_elimination import section_before
from league.competitions.formats.registry import KNOCK_OUTS
from league.competitions.locks import CALLED
from league.competitions.models import Berth, Competition, Matchday, Slot
from league.matches.models import Amendment, Match
from league.matches.queries.lines import MatchLine, match_lines

if TYPE_CHECKING:
    from typing import TypedDict

    from django_stubs_ext import WithAnnotations

    class Dated(TypedDict):
        paired_before: int


@dataclass(frozen=True, slots=True)
class BerthView:
    """A berth.

    `entrant` is None while unknown; then the winner (`takes` "winner") or loser of match `from_match` comes, in
    `from_section` of a double elimination. `won`: the entrant has won the match, provisionally or not. `place`: at a
    table of more than two, by the games so far; `absent`: the others play there without this entrant.
    `stands_although`: the amended result of an earlier match sends another entrant here, but the begun match is kept.
    `may_change`: an amendment that another official has not decided would bring another entrant here, or would pair
    this slot of a round that nobody has begun otherwise.
    """

    number: int
    entrant: Placed | None
    from_slot: int | None
    from_match: int | None
    takes: str
    score: int | None = None
    won: bool = False
    awaited_since: datetime | None = None
    stands_although: bool = False
    place: int | None = None
    absent: bool = False
    from_section: str = ""
    may_change: bool = False


@dataclass(frozen=True, slots=True)
class SlotView:
    """A slot of the draw.

    `number`: of the match within its stage, as in "winner of match 3"; None for a bye. `hidden`: its round is not
    published, and the asker sees only the shape of the draw; `entrant_ids` and the `absent_ids` among them are for the
    standings alone. `published`: its round is published. `no_winner`: decided in a knock-out without a winner.

    `reasons`: reasons for the pairing, as codes with facts; `locked`: the pair stays when its draft round is paired
    again; both for the staff alone. `conditional`: played only if needed, and `not_needed` if it turns out not to be.
    `requested_bye`: its entrant asked for this bye. `accessible`, `on_stream`: of its table; `for_stream`: chosen for
    the stream, for the staff.
    """

    id: int
    number: int | None
    round_number: int
    place: int
    berths: list[BerthView]
    match: MatchLine | None
    table: str
    table_id: int | None
    starts_at: datetime | None
    third_place: bool
    knock_out: bool = False
    entrant_ids: tuple[int, ...] = ()
    absent_ids: tuple[int, ...] = ()
    hidden: bool = False
    changed_at: datetime | None = None
    group: int = 0
    conditional: bool = False
    not_needed: bool = False
    reasons: Sequence[Mapping[str, Any]] = ()
    locked: bool = False
    published: bool = True
    accessible: bool = False
    on_stream: bool = False
    for_stream: bool = False
    section: str = ""
    requested_bye: bool = False

    @property
    def bye(self) -> bool:
        return len(self.berths) == 1

    @property
    def winner(self) -> Placed | None:
        return next((berth.entrant for berth in self.berths if berth.won), None)

    @property
    def decided(self) -> bool:
        return self.match is not None and self.match.state == Match.State.DECIDED

    @property
    def provisional(self) -> bool:
        return self.winner is not None and not self.decided

    @property
    def forfeited(self) -> bool:
        """Whether it ended without a played game; its confirmation may be missing."""
        if self.match is None or self.match.state not in {Match.State.PROVISIONAL, Match.State.DECIDED}:
            return False
        return bool(self.match.games) and all(game.forfeited for game in self.match.games)

    @property
    def stands(self) -> list[BerthView]:
        """Berths for which an amended earlier match now names another entrant."""
        return [berth for berth in self.berths if berth.stands_although and berth.from_match]

    @property
    def stands_as_drawn(self) -> bool:
        """Whether another entrant would have gone on to this slot.

        Because a result of the stage before was amended.
        """
        return any(berth.stands_although and berth.from_slot is None for berth in self.berths)

    @property
    def may_change(self) -> bool:
        """Whether others may meet here once an amendment that waits is decided."""
        return any(berth.may_change for berth in self.berths)

    @property
    def no_winner(self) -> bool:
        return self.knock_out and self.decided and self.winner is None


@dataclass(frozen=True, slots=True)
class MatchdayView:
    """A round.

    `missing_rounds`: names of the rounds that lacked `missing_before` results when this round was published. `hidden`:
    see SlotView. `paired_before`: the key of an earlier match whose result was amended after this round was published.
    """

    id: int
    number: int
    name: str
    kind: str
    starts_at: datetime | None
    published_at: datetime | None
    missing_before: int
    missing_rounds: list[str]
    reason: str
    hidden: bool
    slots: list[SlotView]
    version: int = 1
    stage_number: int = 1
    section: str = ""
    paired_before: int | None = None

    @property
    def matches(self) -> list[MatchLine]:
        return [slot.match for slot in self.slots if slot.match]

    @property
    def open_slots(self) -> list[SlotView]:
        """Its matches that are not decided, also those whose players are not known yet."""
        return [slot for slot in self.slots if not (slot.bye or slot.decided or slot.not_needed)]

    @property
    def over_slots(self) -> list[SlotView]:
        """Its other matches, without byes."""
        return [slot for slot in self.slots if not slot.bye and (slot.decided or slot.not_needed)]

    @property
    def bye(self) -> list[str]:
        return self._byes(requested=False)

    @property
    def requested_byes(self) -> list[str]:
        return self._byes(requested=True)

    def _byes(self, *, requested: bool) -> list[str]:
        slots = [slot for slot in self.slots if slot.bye and slot.requested_bye == requested]
        return [berth.entrant.name for slot in slots for berth in slot.berths if berth.entrant]


def paired(competition: Competition, one: int, other: int, *, everything: bool) -> bool:
    """Tell whether a visible round pairs the two. One statement."""
    slots = Slot.objects.filter(matchday__stage__competition=competition, berths__entrant=one)
    shown = slots if everything else slots.filter(matchday__published_at__isnull=False)
    return shown.filter(berths__entrant=other).exists()


def matchday_views(
    competition: Competition,
    entrants: Iterable[Placed],
    user: Asker,
    *,
    everything: bool,
    only: Collection[Matchday] | None = None,
) -> list[MatchdayView]:
    """All rounds of all stages in order, or `only` some.

    Without `everything`, unpublished rounds have neither names nor hours, and the table of a minor is hidden. Six
    statements for any number of rounds and matches, one more if a minor plays.
    """
    berths, matches = _berths(competition), _matches(competition, everything=everything)
    if only is not None:
        berths, matches = berths.filter(slot__matchday__in=only), matches.filter(slot__matchday__in=only)
    by_day = _by_day(berths)
    lines = {line.id: line for line in match_lines(matches, user)}
    numbers = _numbers(_shape_of(by_day) if only is None else _shape(competition))
    make = _Views({one.entrant_id: one for one in entrants}, lines, numbers, everything)
    rows = list(all_days(competition))
    names = {(day.stage_id, day.number): str(day) for day in rows}
    shown = [day for day in rows if only is None or day in only]
    return [_matchday(day, make.slots(day, by_day.get(day.pk, {})), names, everything=everything) for day in shown]


def window_views(
    competition: Competition,
    numbers: Mapping[int, int],
    slots: Collection[int],
    user: Asker,
    *,
    everything: bool,
    days: Sequence[Matchday] | None = None,
    people: Callable[[Collection[int]], list[Placed]] | None = None,
) -> list[MatchdayView]:
    """The rounds with at least one of `slots`, reduced to these: a part of a draw.

    `numbers`: of the matches of the whole draw, by slot; `days`: `all_days`, if read already; `people` returns
    registered entrants by their keys, if read already. As many statements as `matchday_views`, one less with either.
    """
    by_day = _by_day(_berths(competition).filter(slot__in=slots))
    lines = {
        line.id: line for line in match_lines(_matches(competition, everything=everything).filter(slot__in=slots), user)
    }
    here = {
        berth.entrant_id
        for found in by_day.values()
        for berths in found.values()
        for berth in berths
        if berth.entrant_id is not None
    }
    seated = people(here) if people else placed(competition, only=here)
    make = _Views({one.entrant_id: one for one in seated}, lines, numbers, everything)
    rows: Sequence[Any] = list(all_days(competition)) if days is None else days
    names = {(day.stage_id, day.number): str(day) for day in rows}
    shown = [day for day in rows if day.pk in by_day]
    return [_matchday(day, make.slots(day, by_day[day.pk]), names, everything=everything) for day in shown]


def all_days(competition: Competition) -> "QuerySet[WithAnnotations[Matchday, Dated]]":
    """Rounds in order, each with its stage and `paired_before`."""
    days = Matchday.objects.filter(stage__competition=competition).select_related("stage")
    return days.annotate(paired_before=amended_since()).order_by("stage__number", "number")


def amended_since() -> Subquery:
    """Latest earlier match that was amended after a round's publication.

    For rounds published one after the other, within a stage; earlier by rounds. In a knock-out each berth has its own
    mark.
    """
    earlier = Amendment.objects.filter(
        state=Amendment.State.CONFIRMED,
        closed_at__gt=OuterRef("published_at"),
        game__match__slot__matchday__stage=OuterRef("stage"),
        game__match__slot__matchday__number__lt=OuterRef("number"),
        game__match__slot__matchday__stage__competition__release=Competition.Release.ROUND_BY_ROUND,
    ).exclude(game__match__slot__matchday__stage__format__in=KNOCK_OUTS)
    return Subquery(earlier.order_by("-closed_at", "-pk").values("game__match")[:1])


class _AtTable(NamedTuple):
    name: str
    accessible: bool
    stream: bool


@dataclass(frozen=True, slots=True, eq=False)
class _Slot:
    """A `Slot` as plain values.

    Model instances would take most of the time for a large round.
    """

    pk: int
    matchday_id: int
    number: int
    match_id: int | None
    table_id: int | None
    starts_at: datetime | None
    third_place: bool
    changed_at: datetime | None
    group: int
    conditional: bool
    not_needed: bool
    requested_bye: bool
    reasons: Sequence[Mapping[str, Any]]
    locked: bool
    for_stream: bool
    table: _AtTable | None


class _Berth(NamedTuple):
    """A `Berth` as plain values."""

    number: int
    entrant_id: int | None
    from_slot_id: int | None
    takes: str
    awaited_since: datetime | None
    stands_although_id: int | None
    absent_since: datetime | None
    may_change: bool


_OF_SLOT = [f"slot__{one.name.removesuffix('_id')}" for one in fields(_Slot)[:-1]]
_OF_TABLE = [f"slot__table__{name}" for name in _AtTable._fields]
_OF_BERTH = [name.removesuffix("_id") for name in _Berth._fields]


def _berths(competition: Competition) -> QuerySet[Berth]:
    proposed = Amendment.objects.filter(state=Amendment.State.PROPOSED)
    other_winner = proposed.filter(game__match__slot=OuterRef("from_slot")).exclude(winner=F("old__winner"))
    questioned = proposed.filter(pk=OuterRef("slot__questioned_by"))
    begun = Match.objects.filter(CALLED, slot__matchday=OuterRef("slot__matchday"))
    return Berth.objects.filter(slot__matchday__stage__competition=competition).annotate(
        may_change=Exists(other_winner) | Exists(questioned) & ~Exists(begun)
    )


def _by_day(berths: QuerySet[Berth]) -> dict[int, dict[_Slot, list[_Berth]]]:
    """Berths by slot, by the keys of the matchdays. One statement."""
    ordered = berths.order_by("slot__matchday__stage__number", "slot__matchday__number", "slot__number", "number")
    found: dict[int, dict[_Slot, list[_Berth]]] = {}
    slots: dict[int, _Slot] = {}
    half, whole = len(_OF_SLOT), len(_OF_SLOT) + len(_OF_TABLE)
    for row in ordered.values_list(*_OF_SLOT, *_OF_TABLE, *_OF_BERTH):
        slot = slots.get(row[0])
        if slot is None:
            table = _AtTable(*row[half:whole]) if row[half] is not None else None
            slot = slots[row[0]] = _Slot(*row[:half], table)  # type: ignore[call-arg]
        found.setdefault(slot.matchday_id, {}).setdefault(slot, []).append(_Berth(*row[whole:]))
    return found


def _matches(competition: Competition, *, everything: bool) -> QuerySet[Match]:
    matches = Match.objects.filter(slot__matchday__stage__competition=competition)
    return matches if everything else matches.filter(published_at__isnull=False)


def _shape(competition: Competition) -> list[tuple[int, int]]:
    """(slot, number of berths) through the whole draw."""
    slots = Slot.objects.filter(matchday__stage__competition=competition).annotate(berth_count=Count("berths"))
    ordered = slots.order_by("matchday__stage__number", "matchday__number", "number")
    return list(ordered.values_list("pk", "berth_count"))


def _shape_of(by_day: Mapping[int, Mapping[_Slot, Sequence[_Berth]]]) -> list[tuple[int, int]]:
    return [(slot.pk, len(berths)) for slots in by_day.values() for slot, berths in slots.items()]


def _numbers(shape: Iterable[tuple[int, int]]) -> dict[int, int]:
    """Number of the match by slot: counted through the draw, without byes."""
    played = [slot for slot, berths in shape if berths > 1]
    return {slot: number for number, slot in enumerate(played, start=1)}


def _matchday(
    day: "WithAnnotations[Matchday, Dated]",
    slots: list[SlotView],
    names: Mapping[tuple[int, int], str],
    *,
    everything: bool,
) -> MatchdayView:
    return MatchdayView(
        id=day.pk,
        number=day.number,
        name=str(day),
        kind=day.kind,
        starts_at=min((slot.starts_at for slot in slots if slot.starts_at and not slot.not_needed), default=None),
        published_at=day.published_at,
        missing_before=day.missing_before,
        missing_rounds=[names.get((day.stage_id, number), str(number)) for number in day.missing_rounds],
        reason=day.reason,
        hidden=day.published_at is None and not everything,
        slots=slots,
        version=day.version,
        stage_number=day.stage.number,
        section=day.section,
        paired_before=day.paired_before,
    )


@dataclass(frozen=True, slots=True)
class _Views:
    """Data that the views of a draw share."""

    entrants: Mapping[int, Placed]
    lines: Mapping[int, MatchLine]
    numbers: Mapping[int, int]
    everything: bool

    def slots(self, day: Matchday, slots: Mapping[_Slot, Sequence[_Berth]]) -> list[SlotView]:
        hidden = day.published_at is None and not self.everything
        return [self._slot(day, slot, berths, hidden=hidden) for slot, berths in slots.items()]

    def _slot(self, day: Matchday, slot: _Slot, berths: Sequence[_Berth], *, hidden: bool) -> SlotView:
        line = self.lines.get(slot.match_id) if slot.match_id and not hidden else None
        told = (
            slot.table if slot.table and not hidden and (line.table if line else not self._conceals(berths)) else None
        )
        return SlotView(
            id=slot.pk,
            number=self.numbers.get(slot.pk),
            round_number=day.number,
            place=slot.number,
            berths=[self._berth(slot, day.section, berth, line, hidden=hidden) for berth in berths],
            match=line,
            table="" if told is None else line.table if line else told.name,
            table_id=slot.table_id if self.everything else None,
            starts_at=None if hidden else line.starts_at if line else slot.starts_at,
            third_place=slot.third_place,
            knock_out=day.stage.is_knock_out,
            entrant_ids=tuple(berth.entrant_id for berth in berths if berth.entrant_id),
            absent_ids=tuple(berth.entrant_id for berth in berths if berth.entrant_id and berth.absent_since),
            hidden=hidden,
            changed_at=None if hidden else slot.changed_at,
            group=slot.group,
            conditional=slot.conditional,
            not_needed=slot.not_needed,
            reasons=slot.reasons if self.everything else (),
            locked=slot.locked and self.everything,
            published=day.published_at is not None,
            accessible=told is not None and told.accessible,
            on_stream=told is not None and told.stream,
            for_stream=slot.for_stream and self.everything,
            section=day.section,
            requested_bye=slot.requested_bye,
        )

    def _conceals(self, berths: Sequence[_Berth]) -> bool:
        """Whether a minor's table is hidden, before the match has a line that does it."""
        known = [self.entrants.get(berth.entrant_id or 0) for berth in berths]
        return not self.everything and any(one is not None and one.minor for one in known)

    def _berth(self, slot: _Slot, section: str, berth: _Berth, line: MatchLine | None, *, hidden: bool) -> BerthView:
        side = next((one for one in line.sides if one.entrant_id == berth.entrant_id), None) if line else None
        return BerthView(
            number=berth.number,
            entrant=None if hidden else self.entrants.get(berth.entrant_id or 0),
            from_slot=berth.from_slot_id,
            from_match=self.numbers.get(berth.from_slot_id or 0),
            takes=berth.takes,
            score=side.score if side else None,
            won=bool(line and side and side.won and not line.needs_decision),
            awaited_since=None if hidden else berth.awaited_since,
            stands_although=not hidden and berth.stands_although_id is not None,
            place=side.place if side else None,
            absent=not hidden and berth.absent_since is not None,
            may_change=not hidden and berth.entrant_id is not None and berth.may_change,
            from_section=section_before(
                section, berth.number, loser=berth.takes == "loser", conditional=slot.conditional
            ),
        )
