"""Bracket drawing: boxes, connectors, headings, in units of a sixteenth of an em.

The unit lets it grow with the reader's letters. Drawn on the server (SCREENS.md B-5); the page has the same as a nested
list.
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
SMALLER = 0.8  # letters of a name on two lines (bracket.css)


@dataclass(frozen=True, slots=True)
class Line:
    """A berth in its box.

    `text`: the name, cut to fit; `told`: the cut name, or the origin of the berth ("Winner of match 3"). `halves`: the
    two lines of a long name that is not cut, each with the width it is squeezed to, 0 if it fits.
    """

    y: int
    text: str
    told: str
    full: str
    code: str
    score: int | None
    won: bool
    followed: bool
    halves: Sequence[tuple[str, float]] = ()


@dataclass(frozen=True, slots=True)
class Sign:
    word: Any
    path: str
    tone: str


@dataclass(frozen=True, slots=True)
class Box:
    """The box of a match or a bye.

    `middle`: the line between its two rows, or the middle of a bye's single row. `sign`: words and icon of its state,
    None for an official or upcoming match. `tone`: "on" the path of the followed player, "future" of it, "off" it;
    empty without a followed player. `leads`: other parts of the bracket that its players come from or go on to.
    `spoken`: the match in a sentence. `after`: the key of the winner's next slot, if drawn too.
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
        """Width beyond that of a single player's box."""
        return self.width - BOX_WIDTH


@dataclass(frozen=True, slots=True)
class Connector:
    """A line from the box of slot `start` to row `row` (from 0) of slot `end`'s box."""

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
    """A bracket drawing; sizes in units, `em_width` and `em_height` in em."""

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
    """The followed player's path; `code`: the player's, "" for none; `tones` by slot."""

    code: str
    tones: Mapping[int, str]

    def tone(self, slot: SlotView, berth: BerthView) -> str:
        """Return the tone of the line to a berth.

        After two won matches in a row the player advanced along the line; a loser who is in both of its ends did not.
        """
        if not self.tones:
            return ""
        if berth.entrant:
            return "on" if berth.entrant.code == self.code else "off"
        return "future" if self.tones[slot.id] == "future" and self.tones[berth.from_slot] != "off" else "off"


def _stands(slot: SlotView, code: str) -> bool:
    return bool(code) and any(berth.entrant and berth.entrant.code == code for berth in slot.berths)


def _path(section: BracketPart, code: str) -> _Path:
    """Return the player's path: "on" for played matches, "future" for later ones.

    Later matches are those after further wins; after a loss the path goes on in the losers' bracket.
    """
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
    """Return the drawing of a section.

    `code`: the followed player; the path is drawn strong, its possible future dashed, the rest dim. `leads`: by slot,
    the other parts connected with it.
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
            _lines(slot, layout.middles[slot.id], NAME_WIDTH + width - BOX_WIDTH, code, metrics),
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


def _lines(slot: SlotView, middle: int, room: float, code: str, metrics: Metrics) -> list[Line]:
    return [
        Line(
            y=middle + 5 + place * metrics.row - (0 if slot.bye else metrics.row // 2),
            text=_label(berth.entrant, room, metrics) if berth.entrant else "",
            told=_label(berth.entrant, room, metrics) if berth.entrant else comes_from(berth),
            full=berth.entrant.name if berth.entrant else "",
            code=berth.entrant.code if berth.entrant else "",
            score=berth.score,
            won=berth.won,
            followed=bool(code) and berth.entrant is not None and berth.entrant.code == code,
            halves=_halves(berth.entrant, room) if berth.entrant and metrics.whole else (),
        )
        for place, berth in enumerate(slot.berths)
    ]


def _sign(slot: SlotView) -> Sign | None:
    if slot.no_winner:
        return Sign(pgettext("bracket", "No winner"), ICONS[labels.NO_WINNER.icon], labels.NO_WINNER.tone)
    if slot.may_change:
        return Sign(labels.MAY_CHANGE.word, ICONS[labels.MAY_CHANGE.icon], labels.MAY_CHANGE.tone)
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


# --- Names ---


def _of_pairs(section: BracketPart) -> bool:
    berths = (berth for slot in section.slots for berth in slot.berths)
    return any(berth.entrant is not None and berth.entrant.is_pair for berth in berths)


def _halves(entrant: Placed, room: float) -> Sequence[tuple[str, float]]:
    """Divide a name wider than `room` at the space nearest to its middle; a pair between the partners."""
    if width_of_all(entrant.name) <= room:
        return ()
    words = [f"{entrant.people[0].name} &", entrant.people[1].name] if entrant.is_pair else entrant.name.split()
    cuts = (words[:place] for place in range(1, len(words)))
    first = min(cuts, key=lambda cut: abs(2 * len(" ".join(cut)) - len(entrant.name)), default=words)
    both = " ".join(first), " ".join(words[len(first) :])
    return [(half, room if width_of_all(half) * SMALLER > room else 0) for half in both if half]


def _label(entrant: Placed, room: float, metrics: Metrics) -> str:
    """Return the name cut to `room`, where it may be cut.

    Two names of a pair that do not fit get equal shares, so that both stay recognizable.
    """
    if metrics.whole:
        return entrant.name
    joint = width_of_all(entrant.name)
    if not entrant.is_pair or joint <= room:
        return fitting(entrant.name, room)
    share = (room - width_of_all(together(["", ""]))) / len(entrant.people)
    return together(fitting(person.name, share) for person in entrant.people)
