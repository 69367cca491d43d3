"""The tile pad in a browser: a log is entered as a thumb would; every touch is counted."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import takewhile
from random import Random

from playwright.sync_api import Page, expect

from games.moves import (
    SEATS,
    Bell,
    Blocked,
    Call,
    ChallengeOutcome,
    ChipsLeft,
    Deal,
    Draw,
    End,
    Event,
    Lot,
    Pass,
    Play,
    RoundPoints,
    RoundStart,
    Said,
    Settled,
    Show,
    Totals,
)
from games.notation.gamelog import GameLog
from games.ruleset import Announce, Matching
from games.rulesets import get
from games.tile import Tile
from referee import Verdict
from referee.playouts.habits import Habits
from referee.playouts.pips import playout
from referee.playouts.simulate import Hidden, hide
from referee.playouts.uno import NAMES, UnoHabits, playout_uno
from referee.replay import replayed

NOT_TAPPED = (Deal, RoundStart, Totals, ChipsLeft, Settled, Show)
"""Lines that follow from other taps, or are not asked for."""


def log_of_a_game(
    key: str,
    seed: int | str,
    target: int = 0,
    *,
    seats: int = 2,
    house: Mapping[str, str] | None = None,
    **habits: object,
) -> GameLog:
    """Play a game out, as written down by somebody who sees no hand. `target`: 0 for that of the ruleset."""
    options, rng = {**(house or {}), **({"target": str(target)} if target else {})}, Random(seed)
    if get(key).matching is Matching.MARKINGS:
        hidden = UnoHabits(timed=False, says_blocked=True, hidden=range(seats))
        return playout_uno(rng=rng, seats=seats, habits=replace(hidden, **habits), options=options).log
    how = replace(Habits(miss=0.15, timed=False, seconds=0.1, says_blocked=True), **habits)
    return hide(playout(key, rng=rng, seats=NAMES[:seats], habits=how, options=options).log, Hidden.HANDS)


def challenges_of(log: GameLog) -> list[bool | None]:
    """Return whether each challenged Wild Draw Four was unlawful, as the referee finds."""
    return [one.guilty for one in getattr(replayed(log), "challenges", ())]


def outcome(verdict: Verdict) -> dict[str, object]:
    """Return a verdict without the numbers of lines and the names."""
    data = verdict.as_json()
    for part in ("plays", "rulings", "findings"):
        data[part] = [{key: value for key, value in one.items() if key not in {"line", "play"}} for one in data[part]]
    # Numbers without an effect, which the pad does not write: of a muggins call, and where points need no announcement.
    if get(verdict.ruleset).announce is Announce.AUTO:
        data["plays"] = [one | {"announced": None} for one in data["plays"]]
    for finding in data["findings"]:
        finding["message"] = re.sub(r"\bline \d+", "line", finding["message"])
    data["rulings"] = [one | {"claimed": None} for one in data["rulings"]]
    return {key: value for key, value in data.items() if key not in {"file", "game", "seats"}}


@dataclass
class TileThumb:
    """On the tile pad of one page. `hands`: touches and plays of each hand."""

    page: Page
    seats: int = 2
    touches: int = 0
    hands: list[tuple[int, int]] = field(default_factory=list)
    owing: int = 0
    """Penalty tiles of Uno Dominoes that were drawn by one touch, and are still to come in the log."""
    counts_chips: bool = False

    def open(self, path: str) -> "TileThumb":
        self.page.goto(path)
        expect(self.page.locator("#pad[data-ready=yes]")).to_be_visible()
        return self

    def touch(self, selector: str) -> None:
        self.page.locator(selector).click()
        self.touches += 1

    def kept(self, *selectors: str) -> None:
        """Touch these, and wait until the pad has painted one more tap, which then stands on the phone."""
        pad = self.page.locator("#pad")
        shown = pad.get_attribute("data-count") or ""
        for selector in selectors:
            self.touch(selector)
        expect(pad).not_to_have_attribute("data-count", shown)

    @property
    def announces_itself(self) -> bool:
        """Whether points need no announcement, so that the pad has no keys for one."""
        return not self.page.locator("[data-do=call]").count()

    def score(self) -> tuple[int, int]:
        first, second = (self.page.locator(f"[data-score='{seat}']").inner_text() for seat in (0, 1))
        return int(first), int(second)

    # ---- One line each

    def play(self, play: Play) -> None:
        seat, tile, on = play.seat, play.tile, play.on
        key = f"#pad > .tp-hold [data-do=tile][data-value='{tile.name}']"
        if self.is_marked:
            self.kind(tile.name, "#pad > .tp-hold")
        if self.page.locator(f"[data-do=tile][data-value='{tile.name}'].dim").count():
            raise AssertionError(f"{tile.name} fits and is dimmed")
        if self._asks_for_a_leader():
            self.kept(key, f"[data-do=seat][data-seat='{seat}']")
            return
        pad = self.page.locator("#pad")
        shown = pad.get_attribute("data-count") or ""
        self.touch(key)
        if on is not None and self.page.locator("[data-ask]").inner_text().endswith("which end?"):
            self.touch(f".tp-end[data-value='{self.canonical(on)}']")
        if self.page.locator("[data-ask]").inner_text() == "Which colour?":
            self.touch(f"[data-do=colour][data-value='{play.colour}']")
        expect(pad).not_to_have_attribute("data-count", shown)

    @property
    def is_marked(self) -> bool:
        return self.page.locator("[data-do=uno]").count() > 0

    def kind(self, tile: str, place: str) -> None:
        """Choose the kind of the half that is written first, where it is not chosen already."""
        half = tile.split("-", maxsplit=1)[0]
        kind = half if half in ("W", "WD4") else half[1:]
        key = self.page.locator(f"{place} [data-do=kind][data-value='{kind}']")
        if key.get_attribute("aria-pressed") != "true":
            self.touch(f"{place} [data-do=kind][data-value='{kind}']")

    def canonical(self, tile: Tile) -> str:
        return "-".join(sorted(tile.name.split("-"))) if self.is_marked else tile.name

    def _asks_for_a_leader(self) -> bool:
        return self.page.locator("[data-ask]").inner_text().startswith("Lead:")

    def enter(self, entry: Event, shown: Sequence[Show] = ()) -> None:
        match entry:
            case Play():
                self.play(entry)
                if entry.call is not None and not self.announces_itself:
                    self.call(entry.call)
            case Call(said=Said.COUNT) if not self.announces_itself:
                self.call(entry.number or 0)
            case Call(said=Said.COUNT):
                pass
            case Call(said=Said.MUGGINS):
                self.kept("[data-do=muggins]", *(self.plates(entry.seat) if self.seats > 2 else ()))
            case Call(said=Said.UNO):
                self.uno(entry.seat)
            case Call(said=Said.CATCH):
                who = (entry.seat, entry.whom) if self.seats > 2 else (entry.seat,)
                self.kept("[data-do=catch]", *self.plates(*who))
            case Call(said=Said.CHALLENGE):
                self.kept("[data-do=challenge]")
            case ChallengeOutcome() if self.page.locator("[data-do=upheld]").is_hidden():
                pass  # a rack that was shown has decided
            case ChallengeOutcome():
                self.kept("[data-do=upheld]" if entry.upheld else "[data-do=rejected]")
            case Lot():
                self.lot(entry)
            case Draw() if self.is_marked:
                self.draw(entry)
            case Draw():
                for _tile in range(entry.count):
                    self.kept("[data-do=draw]")
            case Pass():
                self.kept("[data-do=pass]")
            case Blocked():
                self.kept("[data-do=more]", "#pad-more [data-do=blocked]")
            case Bell():
                self.kept("[data-do=more]", "#pad-more [data-do=bell]")
            case RoundPoints():
                self.count(entry, shown)
            case _:
                raise AssertionError(f"no way by taps: {entry}")

    def lot(self, lot: Lot) -> None:
        if "Draw for the lead" not in self.page.locator("[data-ask]").inner_text():
            self.touch("[data-do=more]")
            self.touch("#pad-more [data-do=lots]")
        self.kept(
            f"#pad > .tp-hold [data-do=tile][data-value='{lot.tile.name}']", f"[data-do=seat][data-seat='{lot.seat}']"
        )

    def plates(self, *seats: int | None) -> list[str]:
        return [f"[data-do=seat][data-seat='{seat}']" for seat in seats]

    def uno(self, seat: int) -> None:
        pad = self.page.locator("#pad")
        shown = pad.get_attribute("data-count") or ""
        self.touch("[data-do=uno]")
        if self.page.locator("[data-ask]").inner_text().startswith("Uno:"):
            self.touch(*self.plates(seat))
        expect(pad).not_to_have_attribute("data-count", shown)

    def draw(self, draw: Draw) -> None:
        """A penalty is one touch; the log may have it in several lines, and two of them in any order."""
        if self._asks_for_a_leader():
            return self.kept("[data-do=draw]")
        self.owing -= draw.count
        while self.owing < 0:
            due = re.search(r" draws (\d+)$", self.page.locator("[data-ask]").inner_text())
            self.kept("[data-do=draw]")
            self.owing += int(due[1]) if due else 1
        return None

    def call(self, points: int) -> None:
        self.kept(f"[data-do=call][data-points='{points}']")

    def digits(self, number: int) -> None:
        for digit in str(number):
            self.touch(f"#pad-hand [data-do=digit][data-value='{digit}']")

    def left(self, show: Show) -> None:
        for tile in show.tiles:
            if tile is None:
                continue
            name = tile.name
            if self.is_marked:
                # A tile with a dead end has the key of its other half.
                name = "-".join(sorted(name.split("-"), key=lambda half: half == "DE"))
                self.kind(name, "#pad-hand")
            self.touch(f"#pad-hand [data-do=left][data-value='{name}']")

    def count(self, points: RoundPoints, shown: Sequence[Show], chips: ChipsLeft | None = None) -> None:
        """The hands at the end, tile by tile; the pad proposes the points."""
        self.touch("[data-do=count]")
        for show in shown:
            self.left(show)
        proposed = self.page.locator("[data-hand-points]").inner_text()
        assert proposed == str(points.points), f"the pad proposes {proposed}, the log says {points}"
        for seat, number in enumerate(chips.chips if chips else ()):
            self.touch(f"#pad-hand [data-name=chips{seat}]")
            self.digits(number)
        self.kept("[data-do=hand_end]")
        expect(self.page.locator("[data-true]")).not_to_contain_text("Chips")

    # ---- A game

    def enter_all(
        self,
        events: Iterable[Event],
        guilty: Iterable[bool | None] = (),
        each: Callable[[int], None] = lambda _place: None,
    ) -> None:
        """Every line up to the end of the record, hand by hand.

        `guilty`: the outcome of each challenge; `each` is called with the place of a line before it is entered.
        """
        shown: list[Show] = []
        began, plays, lines = self.touches, 0, list(events)
        outcomes, before = iter(guilty), None
        for place, event in enumerate(lines):
            each(place)
            if isinstance(before, Call) and before.said is Said.CHALLENGE:
                self.challenged(event, next(outcomes))
            before = event
            if isinstance(event, Show) and self.page.locator("#pad[data-stage=play]").count():
                continue
            if isinstance(event, RoundStart):
                self._hand_done(began, plays)
                shown, began, plays = [], self.touches, 0
            elif isinstance(event, Show):
                shown.append(event)
            elif isinstance(event, End):
                break
            elif isinstance(event, RoundPoints) and self.counts_chips:
                hand = takewhile(lambda one: not isinstance(one, RoundStart), lines[place:])
                self.count(event, shown, next((one for one in hand if isinstance(one, ChipsLeft)), None))
            elif not isinstance(event, NOT_TAPPED):
                plays += isinstance(event, Play)
                self.enter(event, shown)
        self._hand_done(began, plays)

    def challenged(self, event: Event, guilty: bool | None) -> None:
        """After a challenge: the rack, or else the outcome, which the log may leave to who draws."""
        if isinstance(event, Show):
            self.touch("[data-do=rack]")
            self.left(event)
            self.kept("#pad-hand [data-do=hand_end]")
        elif not isinstance(event, ChallengeOutcome) and self.page.locator("[data-do=upheld]").is_visible():
            self.kept("[data-do=upheld]" if guilty else "[data-do=rejected]")

    def _hand_done(self, began: int, plays: int) -> None:
        if self.page.locator("#pad[data-stage=bell]").count():
            self.kept("[data-do=settle]")
        if plays:
            self.hands.append((self.touches - began, plays))

    def hand_in(self) -> None:
        self.touch("[data-do=finish]")
        self.touch("#pad-finish [data-do=end]")


def letters(scores: Iterable[int]) -> dict[str, int]:
    """Return scores by seat as a verdict has them."""
    return dict(zip(SEATS, scores, strict=False))
