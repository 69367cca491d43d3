"""The pad of a player who scores shows no score before its claim window has closed (RELIABILITY.md A-17, T-09).

The knowledge of a spectator comes from tests/league/live/test_leaks.py, not from the engine.
"""

from collections.abc import Sequence
from random import Random

import pytest
from playwright.sync_api import Page

from games.device import device_rules
from games.moves import Event, Play
from games.notation.writing import write_event
from games.rulesets import get
from tests.league.live.test_leaks import (
    HANDS,
    HANDS_A_GAME,
    HANDS_OF_TILES,
    Spectator,
    game_of_tiles,
    judged,
    taps,
    turns_of_open_hand,
)
from tests.volume import SEED

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

WON_BY_A_PLAY = 281  # within its second hand
# The score that each pad shows after each tap of each game.
SCORE_PAD = """async ([games, holds]) => {
  const { fold } = await import("/static/web/pad/pad_fold.js");
  return games.map((taps) => taps.map((_tap, at) => fold(taps.slice(0, at + 1), { holds }).scores.join("–")));
}"""
TILE_PAD = """async ([games, rules, holds]) => {
  const { foldTiles, shownTotals } = await import("/static/web/pad/tile_fold.js");
  const tap = (line, id) => ({ id, kind: "line", line });
  return games.map((lines) => lines.map((_line, at) =>
    shownTotals(foldTiles(lines.slice(0, at + 1).map(tap), rules).table, holds).join("–")));
}"""


@pytest.fixture
def page(world, visit) -> Page:
    one = visit()
    one.goto("/")
    return one


def score_pad_leaks(page: Page, hands: int, *, holds: bool) -> list[str]:
    random, games, known = Random(SEED), [], []
    for _game in range(-(-hands // HANDS_A_GAME)):
        spectator, sent = Spectator(), []
        for number, (seat, scored, settles) in enumerate(taps(random, HANDS_A_GAME), start=1):
            facts = {"kind": "round_end", "winner": seat} if settles else {"kind": "points", "seat": seat}
            sent.append({"n": number, "id": number, "points": scored} | facts)
            known.append(spectator.sees(seat, scored, settles=settles) or "0–0")
        games.append(sent)
    shown = [score for game in page.evaluate(SCORE_PAD, [games, holds]) for score in game]
    return [
        f"tap {place}: {one}, not {other}"
        for place, (one, other) in enumerate(zip(shown, known, strict=True))
        if one != other
    ]


def tile_pad_leaks(page: Page, hands: int, *, holds: bool) -> list[str]:
    games = [game_of_tiles(number) for number in (*range(-(-hands // HANDS_OF_TILES)), WON_BY_A_PLAY)]
    lines = [[write_event(event) for event in events] for events in games]
    shown = page.evaluate(TILE_PAD, [lines, device_rules(get("udl"), 2), holds])
    return [
        f"{write_event(events[at])}: {score}"
        for events, scores in zip(games, shown, strict=True)
        for at, score in enumerate(scores)
        if turns_of_open_hand(events[: at + 1]) and score != (closed_score(events[: at + 1]) or score)
    ]


def closed_score(events: Sequence[Event]) -> str:
    """Return the totals without the awards of the last two turns, whose windows are open.

    Empty if the hand is over, or the game: a play that reaches the target ends it at once.
    """
    verdict = judged(events).as_json()
    if verdict["rounds"][-1]["ended"] or verdict["ended"]:
        return ""
    last = [events[place] for place in turns_of_open_hand(events)[-2:]]
    waiting = verdict["plays"][len(verdict["plays"]) - sum(isinstance(turn, Play) for turn in last) :]
    totals = dict(verdict["scores"])
    for play in waiting:
        for seat, awarded in play["awarded"].items():
            totals[seat] -= awarded
    return "–".join(str(number) for number in totals.values())


def test_the_pad_of_a_player_shows_no_score_before_its_time(page) -> None:
    assert score_pad_leaks(page, 10 * HANDS, holds=True) == []
    assert tile_pad_leaks(page, HANDS // 2, holds=True) == []


def test_without_the_window_the_test_finds_leaks(page) -> None:
    """The control: the pad of a neutral scorer."""
    assert len(score_pad_leaks(page, 20, holds=False)) > 5
    assert len(tile_pad_leaks(page, 4, holds=False)) > 1
