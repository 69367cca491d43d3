"""A score pad in a browser, as a thumb uses it; every touch is counted."""

from dataclasses import dataclass, field
from random import Random
from typing import Any

from django.db import connection
from playwright.sync_api import Page, expect

from games.moves import RoundPoints
from referee import verify
from referee.playouts.habits import Habits
from referee.playouts.pips import playout

Score = tuple[str, int, int]
"""Kind, seat and points."""


def scores_of_a_game(seed: int) -> tuple[list[Score], list[int]]:
    """Every score of a UDL game that was played out, in order, and the final result."""
    game = playout("udl", rng=Random(seed), seats=("Ana Ruiz", "Bo Chen"), habits=Habits(miss=0.15, timed=False))
    plays = verify(game.log).plays
    found: list[Score] = []
    for record in game.log.rounds:
        lines = range(record.entries[0].line, record.entries[-1].line + 1)
        for play in (one for one in plays if one.line in lines):
            given = [(seat, points) for seat, points in play.awarded.items() if points]
            found += [("points" if seat == play.seat else "muggins", seat, points) for seat, points in given]
        ends = [entry.event for entry in record.entries if isinstance(entry.event, RoundPoints)]
        found += [("round_end", one.seat, one.points) for one in ends]
    return found, list(game.scores.values())


PHONE = {"width": 320, "height": 568}
STORED = """async (game) => {
  const answer = (asked) => new Promise((done) => { asked.onsuccess = () => done(asked.result); });
  const base = await answer(indexedDB.open("domino-pad"));
  const all = await answer(base.transaction("touches").objectStore("touches").getAll());
  base.close();
  return all.filter((one) => one.game === game).length;
}"""

# The worker of the pad, not that of the site, whose scope holds every page.
WORKS = """() => new Promise((done) => {
  const { serviceWorker } = navigator;
  const address = () => new URL(serviceWorker.controller?.scriptURL ?? "about:blank").pathname;
  const ours = () => address().startsWith(location.pathname);
  if (ours()) done();
  else serviceWorker.addEventListener("controllerchange", () => ours() && done());
})"""


def leave(page: Page) -> str:
    """End a tab that is offline; return its address.

    Chromium lets a page whose tab is closed reach the network for a moment, so the page is left first.
    """
    address = page.url
    page.goto("about:blank")
    page.close()
    return address


@dataclass
class Thumb:
    """On the pad of one page. `touches` counts; `scores` keeps how many each score took."""

    page: Page
    touches: int = 0
    scores: list[int] = field(default_factory=list)

    def open(self, path: str) -> "Thumb":
        self.page.goto(path)
        expect(self.page.locator("#pad[data-ready=yes]")).to_be_visible()
        return self

    def touch(self, selector: str) -> None:
        self.page.locator(selector).click()
        self.touches += 1

    def points(self, seat: int, number: int) -> None:
        self.scored(lambda: self.touch(f"[data-do=points][data-seat='{seat}'][data-points='{number}']"))

    def muggins(self, seat: int, number: int) -> None:
        self.scored(
            lambda: (
                self.touch(f"[data-do=muggins][data-seat='{seat}']"),
                self.touch(f"[data-do=points][data-seat='{seat}'][data-points='{number}']"),
            )
        )

    def round_end(self, winner: int, points: int, spinner: str = "6-6") -> None:
        def touches() -> None:
            self.touch("[data-do=round]")
            self.touch(f"#pad-round [data-name=how][data-value='{winner}']")
            self.touch(f"#pad-round [data-name=spinner][data-value='{spinner}']")
            self.digits("#pad-round", points)
            self.touch("[data-do=round_end]")

        self.scored(touches)

    def digits(self, dialog: str, number: int) -> None:
        for digit in str(number):
            self.touch(f"{dialog} [data-do=digit][data-value='{digit}']")

    def undo(self) -> None:
        self.touch("[data-do=undo]")

    def scored(self, act: Any) -> None:
        """Back when it is painted, and so stands on the phone."""
        before, pad = self.touches, self.page.locator("#pad")
        shown = pad.get_attribute("data-count") or ""
        act()
        self.scores.append(self.touches - before)
        expect(pad).not_to_have_attribute("data-count", shown)

    def wait_for_worker(self) -> None:
        """Until this page would open without a network."""
        self.page.evaluate(WORKS)

    def enter(self, score: Score) -> None:
        """One score by its kind."""
        kind, seat, points = score
        {"points": self.points, "muggins": self.muggins, "round_end": self.round_end}[kind](seat, points)

    def score(self, seat: int) -> str:
        return self.page.locator(f"[data-score='{seat}']").inner_text()

    @property
    def line(self) -> Any:
        return self.page.locator("[data-line]")

    def stored(self, path: str) -> int:
        """Touches that stand on the phone and wait."""
        return self.page.evaluate(STORED, path)


def lose_taps_after(number: int) -> None:
    """Restore a server that has only the first taps."""
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute("ALTER TABLE matches_tallytap DISABLE TRIGGER matches_tallytap_is_final")
        else:
            cursor.execute("DROP TRIGGER matches_tallytap_is_kept")
        cursor.execute("DELETE FROM matches_tallytap WHERE number > %s", [number])
