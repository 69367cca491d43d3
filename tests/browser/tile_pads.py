"""The tile pad in a browser: a log is entered as a thumb would; every touch is counted."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from random import Random

from playwright.sync_api import Page, expect

from games.moves import (
    SEATS,
    Bell,
    Blocked,
    Call,
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
from games.ruleset import Announce
from games.rulesets import get
from games.tile import Tile
from referee import Verdict
from referee.playouts.habits import Habits
from referee.playouts.pips import playout
from referee.playouts.simulate import Hidden, hide

NOT_TAPPED = (Deal, RoundStart, Totals, ChipsLeft, Settled, Show)
"""Lines that follow from other taps, or are not asked for."""


def log_of_a_game(key: str, seed: int, target: int = 0, **habits: object) -> GameLog:
    """Play a game out, as written down by somebody who sees no hand. `target`: 0 for that of the ruleset."""
    options = {"target": str(target)} if target else {}
    how = replace(Habits(miss=0.15, timed=False, seconds=0.1, says_blocked=True), **habits)
    return hide(
        playout(key, rng=Random(seed), seats=("Ana Ruiz", "Bo Chen"), habits=how, options=options).log, Hidden.HANDS
    )


def outcome(verdict: Verdict) -> dict[str, object]:
    """Return a verdict without the numbers of lines and the names."""
    data = verdict.as_json()
    for part in ("plays", "rulings", "findings"):
        data[part] = [{key: value for key, value in one.items() if key not in {"line", "play"}} for one in data[part]]
    # Numbers without an effect, which the pad does not write: of a muggins call, and where points need no announcement.
    if get(verdict.ruleset).announce is Announce.AUTO:
        data["plays"] = [one | {"announced": None} for one in data["plays"]]
    data["rulings"] = [one | {"claimed": None} for one in data["rulings"]]
    return {key: value for key, value in data.items() if key not in {"file", "game", "seats"}}


@dataclass
class TileThumb:
    """On the tile pad of one page. `hands`: touches and plays of each hand."""

    page: Page
    touches: int = 0
    hands: list[tuple[int, int]] = field(default_factory=list)

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

    def play(self, seat: int, tile: Tile, on: Tile | None) -> None:
        key = f"#pad > .tp-hold [data-do=tile][data-value='{tile.name}']"
        if self.page.locator(f"[data-do=tile][data-value='{tile.name}'].dim").count():
            raise AssertionError(f"{tile.name} fits and is dimmed")
        if self._asks_for_a_leader():
            self.kept(key, f"[data-do=seat][data-seat='{seat}']")
        elif on is not None and self._ends_that_fit(tile) > 1:
            self.kept(key, f".tp-end[data-value='{on.name}']")
        else:
            self.kept(key)

    def _asks_for_a_leader(self) -> bool:
        return self.page.locator("[data-ask]").inner_text().startswith("Who leads?")

    def _ends_that_fit(self, tile: Tile) -> int:
        faces = {tile.name[0], tile.name[-1]}
        ends = self.page.locator(".tp-end use").evaluate_all("all => all.map((one) => one.getAttribute('href'))")
        return sum(end[-1] in faces for end in ends)

    def enter(self, entry: Event, shown: Sequence[Show] = ()) -> None:
        match entry:
            case Play():
                self.play(entry.seat, entry.tile, entry.on)
                if entry.call is not None and not self.announces_itself:
                    self.call(entry.call)
            case Call(said=Said.COUNT) if not self.announces_itself:
                self.call(entry.number or 0)
            case Call(said=Said.COUNT):
                pass
            case Call(said=Said.MUGGINS):
                self.kept("[data-do=muggins]")
            case Lot():
                self.lot(entry)
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

    def call(self, points: int) -> None:
        self.kept(f"[data-do=call][data-points='{points}']")

    def digits(self, number: int) -> None:
        for digit in str(number):
            self.touch(f"#pad-hand [data-do=digit][data-value='{digit}']")

    def count(self, points: RoundPoints, shown: Sequence[Show]) -> None:
        """The hands at the end, tile by tile; the pad proposes the points."""
        self.touch("[data-do=count]")
        for show in shown:
            for tile in show.tiles:
                if tile is not None:
                    self.touch(f"#pad-hand [data-do=left][data-value='{tile.name}']")
        proposed = self.page.locator("[data-hand-points]").inner_text()
        assert proposed == str(points.points), f"the pad proposes {proposed}, the log says {points}"
        self.kept("[data-do=hand_end]")

    # ---- A game

    def enter_all(self, events: Iterable[Event], before: Callable[[int], None] = lambda _place: None) -> None:
        """Every line up to the end of the record, hand by hand; `before` each line is called with its place."""
        shown: list[Show] = []
        began, plays = self.touches, 0
        for place, event in enumerate(events):
            before(place)
            if isinstance(event, RoundStart):
                self._hand_done(began, plays)
                shown, began, plays = [], self.touches, 0
            elif isinstance(event, Show):
                shown.append(event)
            elif isinstance(event, End):
                break
            elif not isinstance(event, NOT_TAPPED):
                plays += isinstance(event, Play)
                self.enter(event, shown)
        self._hand_done(began, plays)

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
