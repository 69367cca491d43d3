"""A knock-out as a drawing: boxes, connectors and headings in units of a sixteenth of an em, so that it grows with the
reader's letters. Drawn on the server (SCREENS.md B-5); the same as a nested list stands beside it.
"""

import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from django.utils.translation import pgettext

from league.competitions.bracket_page import DayShape, leading_to
from league.competitions.models import Matchday
from league.competitions.queries import MatchdayView, Placed, SlotView
from league.players.models import together
from league.web import labels
from league.web.icons import ICONS

UNITS_AN_EM = 16
ROUNDS_A_SECTION = 6  # 64 entrants
BOX_WIDTH, ROW, HEAD = 216, 26, 18
SECTIONS = list(Matchday.Section.values)
GAP, PITCH, MARGIN, TITLE = 40, 92, 8, 34
NAME_WIDTH, LETTER = 150, 14.5
PAIR_EXTRA = 120  # for the second name


@dataclass(frozen=True, slots=True)
class Line:
    """A berth in its box. `text` is the name as far as it fits; empty where it says who wins or loses which match."""

    y: int
    text: str
    full: str
    from_match: int | None
    takes: str
    score: int | None
    won: bool
    followed: bool


@dataclass(frozen=True, slots=True)
class Sign:
    word: Any
    path: str
    tone: str


@dataclass(frozen=True, slots=True)
class Box:
    """`middle`: where its two rows meet. `sign`: words and icon of a state that has to be told, None for a match that
    is official or still to come. `tone`: "on" the path of the player who is followed, "future" of it, "off" it; empty
    where nobody is followed.
    """

    slot: SlotView
    x: int
    middle: int
    lines: list[Line]
    sign: Sign | None
    tone: str
    width: int = BOX_WIDTH
    height: int = 2 * ROW

    @property
    def top(self) -> int:
        return self.middle - ROW

    @property
    def above(self) -> int:
        return self.top - 6

    @property
    def right(self) -> int:
        return self.x + self.width

    @property
    def extra(self) -> int:
        """So much wider than the box of a player."""
        return self.width - BOX_WIDTH


@dataclass(frozen=True, slots=True)
class Connector:
    path: str
    tone: str


@dataclass(frozen=True, slots=True)
class Title:
    x: int
    text: str


@dataclass(frozen=True, slots=True)
class Drawing:
    """Sizes in units; `em_width` and `em_height` in em."""

    width: int
    height: int
    titles: list[Title]
    boxes: list[Box]
    connectors: list[Connector]

    @property
    def em_width(self) -> str:
        return f"{self.width / UNITS_AN_EM:g}"

    @property
    def em_height(self) -> str:
        return f"{self.height / UNITS_AN_EM:g}"


@dataclass(frozen=True, slots=True)
class BracketPart:
    """A part of a bracket: what leads to one match where it is too large for one page; `last`: the rounds after all
    other parts of its `section`. `nth`: which of its section it is, from 1, 0 where it is the only one.
    """

    number: int
    last: bool
    days: list[tuple[MatchdayView, list[SlotView]]]
    section: str = ""
    nth: int = 0

    @property
    def name(self) -> str:
        return _name(self)


@dataclass(frozen=True, slots=True)
class PartPlan:
    """Which slots a part has, by the keys of rounds and slots, before anything of them is read."""

    number: int
    last: bool
    slots: Mapping[int, Sequence[int]]
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
            if wanted:  # where byes lead past a round, the part has nothing of it
                slots = {slot.id: slot for slot in by_key[key].slots}
                found.append((by_key[key], [slots[slot] for slot in wanted]))
        return BracketPart(self.number, self.last, found, self.section, self.nth)


def _name(part: "BracketPart | PartPlan") -> str:
    if not part.section:
        words = pgettext("bracket", "Last rounds") if part.last else pgettext("bracket", "Part %(number)d")
        return words if part.last else words % {"number": part.number}
    label = str(Matchday.Section(part.section).label).capitalize()
    return f"{label} {part.nth}" if part.nth else label


def parts_of(days: Sequence[DayShape], sources: Mapping[int, Sequence[int]]) -> list[PartPlan]:
    """Sixty-four entrants at most in each, from the top of the bracket to its bottom, then the rounds after them; of a
    double elimination first the winners' bracket, then the losers', then the final.
    """
    found: list[PartPlan] = []
    for section, rows in groupby(sorted(days, key=lambda day: SECTIONS.index(day.section)), lambda day: day.section):
        rounds = ROUNDS_A_SECTION * (2 if section == Matchday.Section.LOSERS else 1)
        parts = list(_parts(list(rows), sources, rounds))
        for nth, (last, part) in enumerate(parts, start=1):
            found.append(PartPlan(len(found) + 1, last, part, section, nth if len(parts) > 1 else 0))
    return found


def sections(days: Sequence[MatchdayView]) -> list[BracketPart]:
    """The parts of a draw that is there as a whole."""
    shapes = [DayShape(day.id, day.section, tuple(slot.id for slot in day.slots)) for day in days]
    sources = {
        slot.id: tuple(berth.from_slot for berth in slot.berths if berth.from_slot)
        for day in days
        for slot in day.slots
    }
    return [plan.filled(days) for plan in parts_of(shapes, sources)]


def _parts(
    days: Sequence[DayShape], sources: Mapping[int, Sequence[int]], rounds: int
) -> Iterator[tuple[bool, Mapping[int, Sequence[int]]]]:
    """(whether it is the last, its slots by round), so many rounds in each."""
    for first in range(0, len(days), rounds):
        part = days[first : first + rounds]
        if first + rounds >= len(days):
            yield True, {day.id: day.slots for day in part}
        else:
            yield from ((False, leading_to(root, part, sources)) for root in part[-1].slots)


def part_of(found: Sequence[PartPlan], number: int | None, own: frozenset[int]) -> PartPlan:
    """The one asked for, else the last with one of the slots in which the player stands, else the first."""
    natural = {one.number: one for one in found}
    theirs = [one for one in found if own & one.keys] if own else []
    return natural.get(number or 0) or (theirs[-1] if theirs else found[0])


def drawing(section: BracketPart, code: str = "") -> Drawing:
    """The picture of a section; `code`: whose path is drawn strong, what may follow of it dashed, all else dim."""
    middles = _middles(section)
    tones = _tones(section, code)
    width = BOX_WIDTH + (PAIR_EXTRA if _of_pairs(section) else 0)
    boxes = [
        _box(slot, (MARGIN + column * (width + GAP), width), middles[slot.id], tones.get(slot.id, ""), code)
        for column, (_day, slots) in enumerate(section.days)
        for slot in slots
        if not slot.bye
    ]
    bottom = max((box.middle + ROW for box in boxes), default=TITLE)
    return Drawing(
        width=2 * MARGIN + len(section.days) * width + (len(section.days) - 1) * GAP,
        height=bottom + MARGIN,
        titles=[Title(MARGIN + column * (width + GAP), day.name) for column, (day, _slots) in enumerate(section.days)],
        boxes=boxes,
        connectors=list(_connectors(boxes, tones)),
    )


def _middles(section: BracketPart) -> dict[int, int]:
    """Where the two rows of a slot meet: between those of the slots it comes from, below whoever stands above it; third
    place below the final.
    """
    found: dict[int, int] = {}
    for _day, slots in section.days:
        lowest = TITLE + HEAD + ROW - PITCH
        for place, slot in enumerate(slots):
            before = [found[berth.from_slot] for berth in slot.berths if berth.from_slot in found]
            if slot.third_place and place:
                middle = found[slots[0].id] + PITCH + ROW
            elif before:
                middle = max(sum(before) // len(before), lowest + PITCH)
            else:
                middle = lowest + PITCH
            found[slot.id] = lowest = middle
    return found


def _box(slot: SlotView, across: tuple[int, int], middle: int, tone: str, code: str) -> Box:
    """`across`: where it begins, and how wide it is."""
    x, width = across
    room = NAME_WIDTH + width - BOX_WIDTH
    lines = [
        Line(
            y=middle - ROW // 2 + 5 + place * ROW,
            text=_label(berth.entrant, room) if berth.entrant else "",
            full=berth.entrant.name if berth.entrant else "",
            from_match=berth.from_match,
            takes=berth.takes,
            score=berth.score,
            won=berth.won,
            followed=bool(code) and berth.entrant is not None and berth.entrant.code == code,
        )
        for place, berth in enumerate(slot.berths)
    ]
    return Box(slot, x, middle, lines, _sign(slot), tone, width)


def _sign(slot: SlotView) -> Sign | None:
    if slot.no_winner:
        return Sign(pgettext("bracket", "No winner"), ICONS[labels.NO_WINNER.icon], labels.NO_WINNER.tone)
    if slot.match is None or slot.decided or (slot.match.state == "scheduled" and not slot.match.checking):
        return None
    label = labels.of_slot(slot)
    return Sign(label.word, ICONS[label.icon], label.tone)


def _connectors(boxes: Sequence[Box], tones: dict[int, str]) -> Iterator[Connector]:
    at = {box.slot.id: box for box in boxes}
    for box in boxes:
        for berth in box.slot.berths:
            start = at.get(berth.from_slot)
            if start is None or box.slot.third_place:
                continue
            x, y = start.right, start.middle
            both = {tones.get(start.slot.id, ""), tones.get(box.slot.id, "")}
            tone = "off" if "off" in both else "future" if "future" in both else "on" if "on" in both else ""
            yield Connector(f"M{x} {y}H{x + GAP // 2}V{box.middle}H{box.x}", tone)


# --- The path of one player ---


def _stands(slot: SlotView, code: str) -> bool:
    return bool(code) and any(berth.entrant and berth.entrant.code == code for berth in slot.berths)


def _tones(section: BracketPart, code: str) -> dict[int, str]:
    slots = [slot for _day, some in section.days for slot in some]
    own = [slot for slot in slots if _stands(slot, code)]
    if not own:
        return {}
    tones = {slot.id: "off" for slot in slots} | {slot.id: "on" for slot in own}
    at = own[-1]
    if at.bye or (at.winner is None and not at.no_winner):
        for slot in slots:
            if any(berth.from_slot == at.id and berth.takes == "winner" for berth in slot.berths) and slot not in own:
                tones[slot.id] = "future"
                at = slot
    return tones


# --- Letters ---


def _of_pairs(section: BracketPart) -> bool:
    berths = (berth for _day, slots in section.days for slot in slots for berth in slot.berths)
    return any(berth.entrant is not None and berth.entrant.is_pair for berth in berths)


def _label(entrant: Placed, room: float) -> str:
    """Of a pair whose names do not fit beside each other, so much of each that one can tell who it is."""
    joint = sum(map(_width, entrant.name))
    if not entrant.is_pair or joint <= room:
        return fitting(entrant.name, room)
    share = (room - sum(map(_width, together(["", ""])))) / len(entrant.people)
    return together(fitting(person.name, share) for person in entrant.people)


def fitting(name: str, width: float) -> str:
    """The name, cut with an ellipsis where it would be wider than so many units."""
    if sum(map(_width, name)) <= width:
        return name
    kept = ""
    room = width - LETTER
    for letter in name:
        room -= _width(letter)
        if room < 0:
            break
        kept += letter
    return f"{kept.rstrip()}…"


def _width(letter: str) -> float:
    """How wide a letter is at most in the usual sans-serif fonts, bold."""
    if unicodedata.combining(letter):
        return 0
    if unicodedata.east_asian_width(letter) in "WF" or letter in "WM@%œŒæÆ…":
        return 1.02 * LETTER
    if letter in "iljtfrI.,:;'’!|()[] ":
        return 0.4 * LETTER
    return (0.76 if letter.isupper() else 0.64) * LETTER
