"""Parts of a bracket that is too large for one page.

The last rounds of 64 entrants are the overview; the rounds before them are in parts of at most 64. Both brackets of a
double elimination and its final are one part up to 64.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from django.utils.translation import pgettext

from league.competitions.draw_view import MatchdayView, SlotView
from league.competitions.models import Matchday
from league.competitions.queries.bracket import DayShape, trees

ROUNDS_A_PART = 6
SLOTS_A_ROUND = 32  # 64 entrants
SECTIONS = list(Matchday.Section.values)

Slots = Mapping[int, Sequence[int]]
"""Keys of slots by key of the round."""


@dataclass(frozen=True, slots=True)
class BracketPart:
    """A part of a bracket with its matches.

    `last`: the rounds after all other parts of its `section`; `nth`: its place in the section, from 1, 0 for a single
    part.
    """

    number: int
    last: bool
    days: list[tuple[MatchdayView, list[SlotView]]]
    section: str = ""
    nth: int = 0

    @property
    def name(self) -> str:
        return _name(self)

    @property
    def slots(self) -> list[SlotView]:
        return [slot for _day, slots in self.days for slot in slots]

    @property
    def bands(self) -> list[tuple[str, list[tuple[MatchdayView, list[SlotView]]]]]:
        """Rounds grouped by their bracket."""
        return [(section, list(rows)) for section, rows in groupby(self.days, lambda one: one[0].section)]


@dataclass(frozen=True, slots=True)
class PartPlan:
    """Slots of a part, before any of them is read."""

    number: int
    last: bool
    slots: Slots
    section: str = ""
    nth: int = 0

    @property
    def name(self) -> str:
        return _name(self)

    @property
    def keys(self) -> set[int]:
        return {slot for slots in self.slots.values() for slot in slots}

    def filled(self, days: Iterable[MatchdayView]) -> BracketPart:
        by_key = {day.id: day for day in days}
        found = []
        for key, wanted in self.slots.items():
            if wanted:  # a round skipped by byes has no slot in the part
                slots = {slot.id: slot for slot in by_key[key].slots}
                found.append((by_key[key], [slots[slot] for slot in wanted]))
        return BracketPart(self.number, self.last, found, self.section, self.nth)


def _name(part: BracketPart | PartPlan) -> str:
    label = str(Matchday.Section(part.section).label).capitalize() if part.section else ""
    if part.last and part.nth:
        return f"{label}: {pgettext('bracket', 'last rounds')}" if label else pgettext("bracket", "Last rounds")
    if label:
        return f"{label} {part.nth}" if part.nth else label
    return pgettext("bracket", "Part %(number)d") % {"number": part.number}


def by_section(days: Sequence[DayShape]) -> Iterator[tuple[str, list[DayShape]]]:
    """Group the rounds of a double elimination: winners', losers' bracket, final."""
    ordered = sorted(days, key=lambda day: SECTIONS.index(day.section))
    return ((section, list(rows)) for section, rows in groupby(ordered, lambda day: day.section))


def parts_of(days: Sequence[DayShape], sources: Slots, *, apart: bool = False) -> list[PartPlan]:
    """Return the parts of the bracket from top to bottom, then the last rounds.

    `apart`: each bracket of a double elimination separately, as on paper.
    """
    found: list[PartPlan] = []
    whole = [] if apart else _both_lives(days)
    for section, rows in by_section([day for day in days if day not in whole]):
        rounds = ROUNDS_A_PART * (2 if section == Matchday.Section.LOSERS else 1)
        before, last = rows[:-rounds], rows[-rounds:]
        levels = (before[first : first + rounds] for first in range(0, len(before), rounds))
        parts = [part for level in levels for part in together(trees(level, sources), SLOTS_A_ROUND)]
        parts.append({day.id: day.slots for day in last})
        for nth, part in enumerate(parts, start=1):
            ends = nth == len(parts)
            found.append(PartPlan(len(found) + 1, ends, part, section, nth if len(parts) > 1 else 0))
    if whole:
        found.append(PartPlan(len(found) + 1, last=True, slots={day.id: day.slots for day in whole}))
    return found


def _both_lives(days: Sequence[DayShape]) -> list[DayShape]:
    """Return the rounds of a double elimination drawn as one, none if it is too large."""
    found = [day for section, rows in by_section(days) if section for day in rows]
    return found if max((len(day.slots) for day in found), default=0) <= SLOTS_A_ROUND else []


def together(found: Iterable[Slots], most: int) -> Iterator[Slots]:
    """Join neighbours as long as no round has more than `most` slots."""
    joined: Slots = {}
    for tree in found:
        wider = {day: [*joined.get(day, ()), *slots] for day, slots in tree.items()}
        if joined and max(map(len, wider.values())) > most:
            yield joined
            wider = dict(tree)
        joined = wider
    if joined:
        yield joined


def sections(days: Sequence[MatchdayView], *, apart: bool = False) -> list[BracketPart]:
    """Return the parts of a completely read draw."""
    shapes = [DayShape(day.id, day.section, tuple(slot.id for slot in day.slots)) for day in days]
    sources = {
        slot.id: tuple(berth.from_slot for berth in slot.berths if berth.from_slot)
        for day in days
        for slot in day.slots
    }
    return [plan.filled(days) for plan in parts_of(shapes, sources, apart=apart)]


def part_of(found: Sequence[PartPlan], number: int | None, own: frozenset[int]) -> PartPlan:
    """Return the requested part, else the player's last part, else the overview."""
    natural = {one.number: one for one in found}
    theirs = [one for one in found if own & one.keys] if own else []
    return natural.get(number or 0) or (theirs[-1] if theirs else next(one for one in found if one.last))


def neighbours(found: Sequence[PartPlan], plan: PartPlan, sources: Slots) -> dict[int, list[PartPlan]]:
    """Return by slot the parts its players come from, and the part its winner goes to."""
    owner = {slot: one for one in found for slot in one.keys}
    met: dict[int, dict[int, PartPlan]] = {}
    for slot, before in sources.items():
        for source in before:
            earlier, later = owner.get(source), owner.get(slot)
            if earlier is None or later is None or earlier is later or not _leads(earlier, later):
                continue
            if later is plan:
                met.setdefault(slot, {})[earlier.number] = earlier
            elif earlier is plan:
                met.setdefault(source, {})[later.number] = later
    return {slot: list(parts.values()) for slot, parts in met.items()}


def _leads(earlier: PartPlan, later: PartPlan) -> bool:
    """Whether the winner goes from one part to the other.

    Losers drop from every match of the winners' bracket; marking those would help nobody.
    """
    return earlier.section == later.section or later.section == Matchday.Section.FINAL
