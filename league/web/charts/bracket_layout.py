"""Positions of matches in a bracket drawing, in units of a sixteenth of an em."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from league.competitions.draw_view import BerthView, SlotView
from league.competitions.models import Matchday
from league.web.charts.bracket_parts import BracketPart

TITLE = 34
BAND_GAP = 48  # between the winners' bracket and the losers'
Section = Matchday.Section


@dataclass(frozen=True, slots=True)
class Metrics:
    """Heights of a box row and of the line above; distances of matches and of rounds.

    `whole`: long names take two lines instead of being cut.
    """

    row: int
    head: int
    pitch: int
    gap: int
    whole: bool = False


SCREEN = Metrics(row=26, head=18, pitch=92, gap=40)
# A projector shows no nested list beside the drawing.
WALL = Metrics(row=34, head=18, pitch=108, gap=40, whole=True)
# Dense, so that 64 entrants on one A3 sheet have letters of 7 points or more.
PAPER = Metrics(row=21, head=13, pitch=60, gap=28)


@dataclass(frozen=True, slots=True)
class BracketLayout:
    """Positions in a bracket drawing.

    `columns` and `titles` (height of a round's name) by round; `middles` by slot: the line between its two rows.
    """

    columns: Mapping[int, int]
    middles: Mapping[int, int]
    titles: Mapping[int, int]

    @property
    def across(self) -> int:
        return max(self.columns.values(), default=-1) + 1


def laid_out(part: BracketPart, metrics: Metrics) -> BracketLayout:
    """Place winners above, losers below, the final at their right and between them."""
    middles: dict[int, int] = {}
    titles: dict[int, int] = {}
    top = 0
    for section, days in part.bands:
        top = 0 if section == Section.FINAL else top
        for day, slots in days:
            middles |= _middles(slots, middles, top, metrics)
            first = min(middles[slot.id] for slot in slots)
            titles[day.id] = first - metrics.row - metrics.head - 16 if section == Section.FINAL else top + 18
        top = max(middles.values()) + metrics.row + BAND_GAP
    return BracketLayout(_columns(part), middles, titles)


def feeders(slot: SlotView) -> list[BerthView]:
    """Return the berths with a line; losers' lines would cross the whole drawing."""
    return [berth for berth in slot.berths if berth.from_slot is not None and berth.takes == "winner"]


def _middles(slots: Iterable[SlotView], known: Mapping[int, int], top: int, metrics: Metrics) -> dict[int, int]:
    """Return the middles: between the slots before, below the slot above.

    Third place is below the final.
    """
    found: dict[int, int] = {}
    lowest = top + TITLE + metrics.head + metrics.row - metrics.pitch
    final = 0
    for slot in slots:
        before = [known[berth.from_slot] for berth in feeders(slot) if berth.from_slot in known]
        if slot.third_place and found:
            middle = final + metrics.pitch + metrics.row
        elif before:
            middle = max(sum(before) // len(before), lowest + metrics.pitch)
        else:
            middle = lowest + metrics.pitch
        found[slot.id] = lowest = middle
        final = final or middle
    return found


def _columns(part: BracketPart) -> dict[int, int]:
    """Return the columns of the rounds, in order.

    With both brackets in one drawing, a winners' round is above the losers' round of its losers, so that nobody drops
    to the left.
    """
    if len(part.bands) < 2:
        return {day.id: column for column, (day, _slots) in enumerate(part.days)}
    day_of: dict[int | None, int] = {slot.id: day.id for day, slots in part.days for slot in slots}
    found: dict[int, int] = {}
    latest: dict[str, int] = {}
    upper = 0  # the winners' round placed last, until a losers' round takes its losers
    for day, slots in sorted(part.days, key=lambda one: (one[0].stage_number, one[0].number)):
        column = max(found.values()) + 1 if day.section == Section.FINAL else latest.get(day.section, -1) + 1
        above = _above(slots, day_of) if day.section == Section.LOSERS else set()
        column = max([column, *(found[one] for one in above)])
        found[day.id] = latest[day.section] = column
        if day.section == Section.WINNERS:
            upper = day.id
        elif upper in above:  # no round comes after it yet, so it can move
            found[upper] = latest[Section.WINNERS] = column
            upper = 0
    return found


def _above(slots: Iterable[SlotView], day_of: Mapping[int | None, int]) -> set[int]:
    """Return the winners' rounds with losers that drop into these slots."""
    return {day_of[berth.from_slot] for slot in slots for berth in slot.berths if berth.takes == "loser"}
