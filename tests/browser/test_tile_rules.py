"""The tile pad's knowledge of the rules against the engine's, on random logs."""

from collections.abc import Iterator, Sequence
from random import Random

import pytest

from games.device import device_rules
from games.notation.writing import write_event
from games.rulesets import get
from referee import verify
from referee.playouts.habits import Habits
from referee.playouts.pips import playout
from referee.playouts.simulate import Hidden, hide
from referee.playouts.uno import NAMES
from tests.volume import THOROUGH

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

GAMES = 100_000 if THOROUGH else 1_000
CHUNK = 250
KINDS = (
    ("udl", 2, "greedy"),
    ("udl", 2, "random"),
    ("muggins", 2, "greedy"),
    ("all-fives", 2, "greedy"),
    ("all-fives", 2, "random"),
    ("double-six", 2, "random"),
    ("muggins", 3, "random"),
    ("all-fives", 4, "greedy"),
)

# Of each game: count, worth and awards of each play; ends and totals of each hand; winner and scores of the game.
REPLAY = """async ([rules, games]) => {
  const { Table } = await import("/static/web/pad/tile_rules.js");
  return games.map((lines) => {
    const table = new Table(rules);
    const plays = [], hands = [];
    let last = null, settled = null;
    const note = () => {
      if (settled !== table.round && table.round) hands.push([table.ended, table.totals.join("-")]);
      settled = table.round;
    };
    for (const line of lines) {
      if (/^(round|end)/.test(line)) note();
      table.read(line);
      if (table.claims.fresh && table.claims.fresh !== last) plays.push((last = table.claims.fresh));
      if (table.over) note();
    }
    table.settle();
    note();
    return {
      plays: plays.map(({ count, worth }) => `${count} ${worth}`),
      hands,
      scores: table.scores,
      over: table.over,
      winner: table.winner,
    };
  });
}"""


def games_of(key: str, seats: int, style: str, number: int) -> Iterator[tuple[list[str], object]]:
    """Lines of each game as the pad writes them, without hands or times, and the verdict."""
    habits = Habits(style=style, says_blocked=True, timed=False)
    for place in range(number):
        log = hide(
            playout(key, rng=Random(f"{key} {style} {place}"), seats=NAMES[:seats], habits=habits).log, Hidden.HANDS
        )
        yield [write_event(entry.event) for entry in log.entries], verify(log)


def told(verdict) -> dict:
    data = verdict.as_json()
    return {
        "plays": [f"{play['count']} {play['worth']}" for play in data["plays"]],
        "hands": [[one["ended"], "-".join(map(str, one["scores"].values()))] for one in data["rounds"]],
        "scores": list(data["scores"].values()),
        "over": data["ended"],
        "winner": None if data["winner"] is None else list(data["seats"]).index(data["winner"]),
    }


def differences(found: Sequence[dict], should: Sequence[dict]) -> list[tuple[int, str, object, object]]:
    return [
        (place, key, one[key], other[key])
        for place, (one, other) in enumerate(zip(found, should, strict=True))
        for key in other
        if one[key] != other[key]
    ]


@pytest.mark.parametrize(("key", "seats", "style"), KINDS)
def test_the_pad_follows_a_game_as_the_engine_does(world, visit, key, seats, style) -> None:
    page = visit()
    page.goto("/")
    rules = device_rules(get(key), seats)
    wrong = []
    games = list(games_of(key, seats, style, GAMES // len(KINDS)))
    for start in range(0, len(games), CHUNK):
        some = games[start : start + CHUNK]
        found = page.evaluate(REPLAY, [rules, [lines for lines, _verdict in some]])
        wrong += differences(found, [told(verdict) for _lines, verdict in some])
    assert wrong[:3] == []
