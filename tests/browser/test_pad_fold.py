"""The pad's own arithmetic against the engine's: the same taps, the same rounds, the same numbers."""

from random import Random

import pytest

from games.rulesets import RULESETS, get
from games.scorecard import chips_by_seat
from games.settlement import settle, terms
from referee.running import running

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

FOLD = """async ([games, holds]) => {
  const { fold } = await import("/static/web/pad/pad_fold.js");
  return games.map((taps) => {
    const found = fold(taps, { holds });
    return [found.scores, found.round, found.final];
  });
}"""
CHIPS = """async (all) => {
  const { chipsLeft } = await import("/static/web/pad/pad_fold.js");
  return all.map((scores) => chipsLeft(30, scores));
}"""
ROUNDS = """async ([terms, all]) => {
  const { roundPoints } = await import("/static/web/pad/pad_fold.js");
  return all.map(([left, winner]) => roundPoints(terms, left, winner));
}"""


@pytest.fixture
def page(world, visit):
    one = visit()
    one.goto("/")
    return one


def some_taps(rng: Random) -> list[dict]:
    """Taps in any order, also such as no game has; an undo takes back any tap before it."""
    taps: list[dict] = []
    for number in range(1, rng.randint(2, 30)):
        kind = rng.choice(["points"] * 5 + ["muggins", "penalty", "round_end", "bell"] + ["undo"] * (number > 1))
        tap: dict = {"n": number, "id": number, "kind": kind}
        if kind == "undo":
            tap["of"] = rng.randint(1, number - 1)
        elif kind == "round_end":
            tap |= {"winner": rng.choice([0, 1, None]), "points": 5 * rng.randint(0, 12)}
        elif kind != "bell":
            tap |= {"seat": rng.randint(0, 1), "points": 5 * rng.randint(1, 7)}
        taps.append(tap)
    return taps


@pytest.mark.parametrize(("key", "holds"), [("udl", True), ("udl", False), ("double-six", False)])
def test_the_pad_adds_up_as_the_referee_does(page, key, holds) -> None:
    rng = Random(f"{key} {holds}")
    games = [some_taps(rng) for _ in range(300)]
    found = page.evaluate(FOLD, [games, holds])
    rules = get(key)
    told = [running(taps, rules, open_shown=not holds) for taps in games]
    handed_in = [running(taps, rules, open_shown=True) for taps in games]
    assert found == [
        [list(one.points), one.round_number, list(last.points)] for one, last in zip(told, handed_in, strict=True)
    ]
    assert any(one.open_points for one in told) is holds


@pytest.mark.smoke
def test_chips_fall_as_the_engine_lets_them(page) -> None:
    scores = [[own, other] for own in range(0, 200, 15) for other in range(0, 200, 35)]
    assert page.evaluate(CHIPS, scores) == [chips_by_seat(30, one) for one in scores]


@pytest.mark.parametrize("key", sorted(RULESETS))
def test_a_round_gives_on_the_pad_what_it_gives_in_the_engine(page, key) -> None:
    rules = get(key)
    given = terms(rules)["domino"]
    hands = [[0, other] for other in range(70)]
    found = page.evaluate(ROUNDS, [given, [[left, 0] for left in hands]])
    tiles = given["tiles"]
    told = [settle(rules, left if tiles else [0, 3], [0, 9] if tiles else left, 0).points[0] for left in hands]
    assert found == told
