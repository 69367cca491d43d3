"""A knock-out as a drawing: boxes, connectors and headings in units of a sixteenth of an em, so that it grows with the
reader's letters. Drawn on the server (SCREENS.md B-5); the same as a nested list stands beside it.
"""

import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from django.utils.translation import pgettext

from league.competitions.models import Matchday
from league.competitions.queries import MatchdayView, SlotView
from league.web import labels
from league.web.icons import ICONS

UNITS_AN_EM = 16
ROUNDS_A_SECTION = 6  # 64 entrants
BOX_WIDTH, ROW, HEAD = 216, 26, 18
SECTIONS = list(Matchday.Section.values)
GAP, PITCH, MARGIN, TITLE = 40, 92, 8, 34
NAME_WIDTH, LETTER = 150, 14.5


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
        return self.x + BOX_WIDTH


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
        if not self.section:
            words = pgettext("bracket", "Last rounds") if self.last else pgettext("bracket", "Part %(number)d")
            return words if self.last else words % {"number": self.number}
        label = str(Matchday.Section(self.section).label).capitalize()
        return f"{label} {self.nth}" if self.nth else label


def sections(days: Sequence[MatchdayView]) -> list[BracketPart]:
    """Sixty-four entrants at most in each, from the top of the bracket to its bottom, then the rounds after them; of a
    double elimination first the winners' bracket, then the losers', then the final.
    """
    found: list[BracketPart] = []
    for section, rows in groupby(sorted(days, key=lambda day: SECTIONS.index(day.section)), lambda day: day.section):
        parts = list(_parts(list(rows), ROUNDS_A_SECTION * (2 if section == Matchday.Section.LOSERS else 1)))
        for nth, (last, part) in enumerate(parts, start=1):
            found.append(BracketPart(len(found) + 1, last, part, section, nth if len(parts) > 1 else 0))
    return found


def _parts(
    days: Sequence[MatchdayView], rounds: int
) -> Iterator[tuple[bool, list[tuple[MatchdayView, list[SlotView]]]]]:
    """(whether it is the last, its rounds), so many rounds in each."""
    for first in range(0, len(days), rounds):
        part = days[first : first + rounds]
        if first + rounds >= len(days):
            yield True, [(day, day.slots) for day in part]
        else:
            yield from ((False, _leading_to(root, part)) for root in part[-1].slots)


def _leading_to(root: SlotView, part: Sequence[MatchdayView]) -> list[tuple[MatchdayView, list[SlotView]]]:
    wanted, found = {root.id}, []
    for day in reversed(part):
        slots = [slot for slot in day.slots if slot.id in wanted]
        wanted |= {berth.from_slot for slot in slots for berth in slot.berths if berth.from_slot}
        found.append((day, slots))
    return found[::-1]


def section_of(found: Sequence[BracketPart], number: int | None, code: str) -> BracketPart:
    """The one asked for, else the last in which the player with this code stands, else the first."""
    natural = {one.number: one for one in found}
    own = [one for one in found if any(_stands(slot, code) for _day, slots in one.days for slot in slots)]
    return natural.get(number or 0) or (own[-1] if own else found[0])


def drawing(section: BracketPart, code: str = "") -> Drawing:
    """The picture of a section; `code`: whose path is drawn strong, what may follow of it dashed, all else dim."""
    middles = _middles(section)
    tones = _tones(section, code)
    boxes = [
        _box(slot, MARGIN + column * (BOX_WIDTH + GAP), middles[slot.id], tones.get(slot.id, ""), code)
        for column, (_day, slots) in enumerate(section.days)
        for slot in slots
        if not slot.bye
    ]
    bottom = max((box.middle + ROW for box in boxes), default=TITLE)
    return Drawing(
        width=2 * MARGIN + len(section.days) * BOX_WIDTH + (len(section.days) - 1) * GAP,
        height=bottom + MARGIN,
        titles=[
            Title(MARGIN + column * (BOX_WIDTH + GAP), day.name) for column, (day, _slots) in enumerate(section.days)
        ],
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


def _box(slot: SlotView, x: int, middle: int, tone: str, code: str) -> Box:
    lines = [
        Line(
            y=middle - ROW // 2 + 5 + place * ROW,
            text=fitting(berth.entrant.name, NAME_WIDTH) if berth.entrant else "",
            full=berth.entrant.name if berth.entrant else "",
            from_match=berth.from_match,
            takes=berth.takes,
            score=berth.score,
            won=berth.won,
            followed=bool(code) and berth.entrant is not None and berth.entrant.code == code,
        )
        for place, berth in enumerate(slot.berths)
    ]
    return Box(slot, x, middle, lines, _sign(slot), tone)


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
