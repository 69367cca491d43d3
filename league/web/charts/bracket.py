"""A knock-out as a drawing: boxes, connectors and headings in units of a sixteenth of an em, so that it grows with the
reader's letters. Drawn on the server (SCREENS.md B-5); the same as a nested list stands beside it.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import pgettext

from league.competitions.draw_view import BerthView, SlotView
from league.competitions.entrant_names import Placed
from league.players.models import together
from league.web.charts.bracket_layout import SCREEN, TITLE, Metrics, feeders, laid_out
from league.web.charts.bracket_parts import BracketPart, PartPlan
from league.web.charts.bracket_text import spoken
from league.web.components.icons import ICONS
from league.web.components.text_width import fitting, width_of_all
from league.web.words import labels
from league.web.words.matches import comes_from

UNITS_AN_EM = 16
BOX_WIDTH, MARGIN = 216, 8
NAME_WIDTH = 150
PAIR_EXTRA = 120  # for the second name


@dataclass(frozen=True, slots=True)
class Line:
    """A berth in its box. `text` is the name as far as it fits; `told` who wins or loses which match, or the name."""

    y: int
    text: str
    told: str
    full: str
    code: str
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
    """The box of a match or a bye.

    `middle`: the line between its two rows, or the middle of the one row of a bye. `sign`: words and icon of its state,
    None for an official or upcoming match. `tone`: "on" the path of the followed player, "future" of it, "off" it;
    empty if nobody is followed. `leads`: other parts of the bracket that its players come from or go on to. `spoken`:
    the match in a sentence. `after`: the key of the next slot of its winner, if that is drawn too.
    """

    slot: SlotView
    x: int
    middle: int
    lines: list[Line]
    sign: Sign | None
    tone: str
    spoken: str = ""
    after: int | None = None
    leads: Sequence[PartPlan] = ()
    width: int = BOX_WIDTH
    metrics: Metrics = SCREEN

    @property
    def row(self) -> int:
        return self.metrics.row

    @property
    def height(self) -> int:
        return self.row if self.slot.bye else 2 * self.row

    @property
    def open(self) -> bool:
        return not self.slot.bye and not self.slot.decided and not self.slot.no_winner

    @property
    def top(self) -> int:
        return self.middle - self.height // 2

    @property
    def below(self) -> int:
        return self.middle + self.row + 15

    @property
    def above(self) -> int:
        return self.top - self.metrics.head // 3

    @property
    def right(self) -> int:
        return self.x + self.width

    @property
    def extra(self) -> int:
        """So much wider than the box of a player."""
        return self.width - BOX_WIDTH


@dataclass(frozen=True, slots=True)
class Connector:
    """From the box of the slot `start` to row `row` of that of `end`, from 0."""

    path: str
    tone: str
    start: int
    end: int
    row: int


@dataclass(frozen=True, slots=True)
class Title:
    x: int
    y: int
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
class _Path:
    """`code`: whose, "" for nobody's. `tones` by slot."""

    code: str
    tones: Mapping[int, str]

    def tone(self, slot: SlotView, berth: BerthView) -> str:
        """Of the line that leads to this berth: of two won matches in a row the player has gone on by it, while who
        lost one and is in both of its ends has not.
        """
        if not self.tones:
            return ""
        if berth.entrant:
            return "on" if berth.entrant.code == self.code else "off"
        return "future" if self.tones[slot.id] == "future" and self.tones[berth.from_slot] != "off" else "off"


def _stands(slot: SlotView, code: str) -> bool:
    return bool(code) and any(berth.entrant and berth.entrant.code == code for berth in slot.berths)


def _path(section: BracketPart, code: str) -> _Path:
    """What was played is "on" it, after a loss on in the losers' bracket; what follows by winning is "future"."""
    slots = section.slots
    own = [slot for slot in slots if _stands(slot, code)]
    if not own:
        return _Path(code, {})
    tones = {slot.id: "off" for slot in slots} | {slot.id: "on" for slot in own}
    at = own[-1]
    if at.bye or (not at.decided and (at.winner is None or at.winner.code == code)):
        for slot in slots:
            if any(berth.from_slot == at.id for berth in feeders(slot)) and slot not in own and not slot.not_needed:
                tones[slot.id] = "future"
                at = slot
    return _Path(code, tones)


def drawing(
    section: BracketPart,
    code: str = "",
    *,
    metrics: Metrics = SCREEN,
    leads: Mapping[int, list[PartPlan]] | None = None,
) -> Drawing:
    """The picture of a section; `code`: whose path is drawn strong, what may follow of it dashed, all else dim.
    `leads`: by slot, the other parts that it has to do with.
    """
    layout = laid_out(section, metrics)
    path = _path(section, code)
    width = BOX_WIDTH + (PAIR_EXTRA if _of_pairs(section) else 0)
    step = width + metrics.gap
    said = spoken(section)
    after = {berth.from_slot: slot.id for slot in section.slots for berth in feeders(slot)}
    boxes = [
        Box(
            slot,
            MARGIN + layout.columns[day.id] * step,
            layout.middles[slot.id],
            _lines(slot, layout.middles[slot.id], NAME_WIDTH + width - BOX_WIDTH, code, metrics.row),
            _sign(slot),
            path.tones.get(slot.id, ""),
            said[slot.id],
            after.get(slot.id),
            (leads or {}).get(slot.id, ()),
            width,
            metrics,
        )
        for day, slots in section.days
        for slot in slots
    ]
    bottom = max((box.below if box.leads else box.middle + metrics.row for box in boxes), default=TITLE)
    return Drawing(
        width=2 * MARGIN + layout.across * step - metrics.gap,
        height=bottom + MARGIN,
        titles=[
            Title(MARGIN + layout.columns[day.id] * step, layout.titles[day.id], day.name)
            for day, _slots in section.days
        ],
        boxes=boxes,
        connectors=list(_connectors(boxes, path, metrics.gap)),
    )


def _lines(slot: SlotView, middle: int, room: float, code: str, row: int) -> list[Line]:
    return [
        Line(
            y=middle + 5 + place * row - (0 if slot.bye else row // 2),
            text=_label(berth.entrant, room) if berth.entrant else "",
            told=_label(berth.entrant, room) if berth.entrant else comes_from(berth),
            full=berth.entrant.name if berth.entrant else "",
            code=berth.entrant.code if berth.entrant else "",
            score=berth.score,
            won=berth.won,
            followed=bool(code) and berth.entrant is not None and berth.entrant.code == code,
        )
        for place, berth in enumerate(slot.berths)
    ]


def _sign(slot: SlotView) -> Sign | None:
    if slot.no_winner:
        return Sign(pgettext("bracket", "No winner"), ICONS[labels.NO_WINNER.icon], labels.NO_WINNER.tone)
    if (condition := labels.of_condition(slot)) is not None:
        return Sign(condition.word, ICONS[condition.icon], condition.tone)
    if slot.match is None or slot.decided or (slot.match.state == "scheduled" and not slot.match.checking):
        return None
    label = labels.of_slot(slot)
    return Sign(label.word, ICONS[label.icon], label.tone)


def _connectors(boxes: Sequence[Box], path: _Path, gap: int) -> Iterator[Connector]:
    at = {box.slot.id: box for box in boxes}
    for box in boxes:
        for berth in feeders(box.slot):
            start = at.get(berth.from_slot)
            if start is not None:
                line = f"M{start.right} {start.middle}H{start.right + gap // 2}V{box.middle}H{box.x}"
                yield Connector(line, path.tone(box.slot, berth), start.slot.id, box.slot.id, berth.number - 1)


# --- Letters ---


def _of_pairs(section: BracketPart) -> bool:
    berths = (berth for slot in section.slots for berth in slot.berths)
    return any(berth.entrant is not None and berth.entrant.is_pair for berth in berths)


def _label(entrant: Placed, room: float) -> str:
    """Of a pair whose names do not fit beside each other, so much of each that one can tell who it is."""
    joint = width_of_all(entrant.name)
    if not entrant.is_pair or joint <= room:
        return fitting(entrant.name, room)
    share = (room - width_of_all(together(["", ""]))) / len(entrant.people)
    return together(fitting(person.name, share) for person in entrant.people)
