"""The tile pad's knowledge of the rules against the engine's, on random logs."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from random import Random

import pytest
from playwright.sync_api import Error, Page

from games.device import device_rules
from games.moves import Draw, Play
from games.notation.gamelog import GameLog
from games.notation.writing import write_event
from games.round import Round
from games.ruleset import BlockedBy, NoDouble
from games.rulesets import get
from games.settlement import settle
from games.uno.markings import COLOUR_NAMES
from games.uno.round import ColourRound
from referee import Verdict, verify
from referee.replay import replayed
from tests.browser.tile_pads import log_of_a_game
from tests.volume import THOROUGH

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

GAMES = 100_000 if THOROUGH else 1_000
CHUNK = 250
KINDS = (
    ("udl", 2, "greedy"),
    ("udl", 2, "random"),
    ("udl", 2, "slow"),
    ("muggins", 2, "greedy"),
    ("all-fives", 2, "greedy"),
    ("all-fives", 2, "random"),
    ("double-six", 2, "random"),
    ("muggins", 3, "random"),
    ("muggins", 4, "random"),
    ("all-fives", 3, "random"),
    ("all-fives", 4, "greedy"),
    ("uno-dominoes", 2, "random"),
    ("uno-dominoes", 3, "greedy"),
    ("uno-dominoes", 4, "random"),
    ("uno-dominoes", 2, "all doublets"),
)
HOUSE = {"all doublets": {"all_doublet": "true"}}
HABITS: dict[str, dict[str, object]] = {
    "slow": {"style": "random", "seconds": 12.0},  # the bell ends the game
    "all doublets": {"style": "random", "house": HOUSE["all doublets"]},
}

HOLDS = {
    "udl": {"call", "draw", "pass", "muggins", "domino", "blocked", "target"},
    "udl slow": {"bell", "overtime", "muggins", "blocked"},
    "muggins": {"lot", "draw", "pass", "domino", "blocked", "target"},
    "all-fives": {"call", "draw", "pass", "muggins", "domino", "blocked", "target", "draw for the lead"},
    "double-six": {"draw", "pass", "domino", "blocked", "target"},
    "uno-dominoes": {"draw", "pass", "uno", "catches", "challenges", "domino", "dead-end", "target"}
    | {"D2", "S", "R", "W", "WD4", "colour"},
    "uno-dominoes all doublets": {"draw", "pass", "uno", "catches", "challenges", "domino", "target"},
}
"""What the games of a system hold, so that the comparison reaches it."""
EVERY = 8
"""Lines from one count of the tiles that fit to the next."""

# Of each game: count, worth and awards of each play; ends and totals of each hand; winner and scores of the game.
REPLAY = """async ([rules, games]) => {
  const { tableOf } = await import("/static/web/pad/tile_rules.js");
  const told = ({ held, boneyard, toAct, debts, layout, ended }, place) => {
    const ends = layout.ends.map(({ tile, face }) => `${tile}:${face}`).sort();
    const laid = rules.colours || layout.laid.size;
    const fits = (tile) => layout.places(tile).length || layout.places(tile.split("-").reverse().join("-")).length;
    const fitting = place % EVERY ? "" : rules.tiles.filter((tile) => !layout.has(tile) && fits(tile)).length;
    return [held, boneyard, ended ? "-" : laid ? toAct : "", debts ?? "", ends, fitting].join(" ");
  };
  return games.map((lines) => {
    const table = tableOf(rules);
    const plays = [], hands = [], states = [], leads = [];
    let last = null, settled = null;
    const note = () => {
      if (settled !== table.round && table.round) hands.push([table.ended, table.totals.join("-")]);
      settled = table.round;
    };
    for (const line of lines) {
      if (/^(round|end)/.test(line)) note();
      const before = table.toAct, empty = !table.layout.laid.size;
      table.read(line);
      if (empty && table.layout.laid.size && !rules.colours) leads.push(before ?? "");
      if (table.round) states.push(told(table, states.length));
      if (table.claims.fresh && table.claims.fresh !== last) plays.push((last = table.claims.fresh));
      if (table.over) note();
    }
    table.settle();
    note();
    return {
      plays: plays.map(({ count, worth }) => `${count} ${worth}`),
      hands,
      states,
      leads,
      scores: table.scores,
      over: table.over,
      winner: table.winner,
    };
  });
}""".replace("EVERY", str(EVERY))


def games_of(key: str, seats: int, style: str, number: int) -> Iterator[tuple[list[str], dict]]:
    """Lines of each game as the pad writes them, without hands or times, and what the engine makes of them."""
    for place in range(number):
        log = log_of_a_game(key, f"{key} {style} {place}", seats=seats, **HABITS.get(style, {"style": style}))
        yield [write_event(entry.event) for entry in log.entries], told(verify(log), *states_of(log))


def held(games: Iterable[tuple[list[str], dict]]) -> set[str]:
    """Words of the lines, active kinds of Uno tiles, and the ends of hands and games."""
    found: set[str] = set()
    for lines, should in games:
        for before, line in pairwise(line for line in lines if " hand " not in line):
            found |= {"draw for the lead"} if before.startswith("round") and " draw " in line else set()
            found |= {word.split("-")[0].lstrip("rgyb") or word for word in line.split()[1:]} | set(line.split())
        found |= {str(one[0]) for one in should["hands"]} | {str(should["over"])}
    return found


def states_of(log: GameLog) -> tuple[list[str], list[int | str]]:
    """After each line the tiles in each hand and in the boneyard, whose turn it is, penalties to draw, open ends,
    and how many tiles fit.

    And of pip games the seat that was to lead, "" where nobody knows it without the hands or the drawn tiles.
    """
    found: list[str] = []
    leads: list[int | str] = []
    before: int | str = ""
    drawn_for = get(log.ruleset).no_double is NoDouble.DRAW_UNTIL

    def look(game, _at, event) -> None:
        nonlocal before
        live = game.round
        if live is not None:
            turn = "" if live.to_act is None else live.to_act
            if isinstance(live, Round) and len(live.layout.order) == isinstance(event, Play) == 1:
                leads.append(before)
            before = "" if isinstance(event, Draw) and drawn_for else turn
            if isinstance(live, Round) and not live.layout.table:
                turn = ""
            debts = listed(live.debts) if isinstance(live, ColourRound) else ""
            ends = ",".join(sorted(ends_of(live)))
            fits = "" if len(found) % EVERY else fitting(live)
            parts = (listed(live.held), live.boneyard, "-" if live.ended else turn, debts, ends, fits)
            found.append(" ".join(map(str, parts)))

    replayed(log, look)
    return found, leads


def ends_of(live: Round | ColourRound) -> Iterator[str]:
    if isinstance(live, ColourRound):
        shows = [one.name for one in live.tiles.markings] + list(COLOUR_NAMES)
        yield from (f"{live.tiles.tiles[tile].name}:{shows[face]}" for tile, face in live.layout.ends.items())
    else:
        yield from (f"{end.tile.name}:{end.face.name}" for end in live.layout.open_ends)


def fitting(live: Round | ColourRound) -> int:
    """Tiles that are not on the table and could be joined to it."""
    others = live.rules.tiles.in_mask(live.rules.tiles.all & ~live.layout.table) if live.layout.table else ()
    if isinstance(live, ColourRound):
        return sum(bool(live.layout.takers(one) or live.layout.takers(live.tiles.turned(one))) for one in others)
    return sum(bool(live.layout.places(one.index)) for one in others)


def listed(numbers: Iterable[int]) -> str:
    return ",".join(map(str, numbers))


def told(verdict: Verdict, states: Sequence[str], leads: Sequence[int | str]) -> dict:
    data = verdict.as_json()
    return {
        "states": states,
        "leads": leads,
        "plays": [f"{play['count']} {play['worth']}" for play in data["plays"] if play["count"] is not None],
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
    rules = device_rules(get(key).with_options(HOUSE.get(style, {})), seats)
    wrong = []
    games = list(games_of(key, seats, style, GAMES // len(KINDS)))
    for start in range(0, len(games), CHUNK):
        some = games[start : start + CHUNK]
        found = page.evaluate(REPLAY, [rules, [lines for lines, _should in some]])
        wrong += differences(found, [should for _lines, should in some])
    assert wrong[:3] == []
    wanted = HOLDS.get(f"{key} {style}", HOLDS[key])
    assert wanted - held(games) == set()


WRONG: dict[str, list[dict[str, object]]] = {
    "udl": [
        {"hand": 6},
        {"spinner": "none"},
        {"spinner": "all"},
        {"lead": ["highest_double"] * 3},
        {"auto": True},
        {"muggins": "before_next"},
        {"target": 145},
        {"at_once": False},
        {"stops_at_bell": False},
        {"first_to_score": False},
    ],
    "muggins": [{"spinner": "first"}, {"by_pips": False}, {"target": 105}, {"at_once": True}, {"auto": False}],
    "all-fives": [{"spinner": "none"}, {"muggins": "after_next"}, {"target": 105}, {"at_once": False}],
    "double-six": [{"spinner": "first"}, {"target": 245}, {"at_once": True}, {"hand": 6}],
}


def told_apart(page: Page, rules: dict[str, object], games: Sequence[tuple[list[str], dict]]) -> bool:
    """Whether a pad with these rules differs from the engine, or can't follow the games at all."""
    try:
        found = page.evaluate(REPLAY, [rules, [lines for lines, _should in games]])
    except Error:
        return True
    return differences(found, [should for _lines, should in games]) != []


@pytest.mark.parametrize("key", WRONG)
def test_a_pad_with_another_rule_of_pips_is_found_out(world, visit, key) -> None:
    """The control: each rule that the pad has is needed by some of the games."""
    page = visit()
    page.goto("/")
    games = [*games_of(key, 2, "slow", 20), *games_of(key, 2, "random", 20)]
    rules = device_rules(get(key), 2)
    assert not told_apart(page, rules, games)
    assert [wrong for wrong in WRONG[key] if not told_apart(page, rules | wrong, games)] == []


UNO_WRONG: list[dict[str, object]] = [
    {"turns_two": False},
    {"draws": {"D2": 1, "WD4": 4}},
    {"failed": 4},
    {"caught": 1},
    {"all_doublets": True},
    {"guilty": 2},
    {"wild": ["W"]},
    {"hand": 5},
    {"target": 400},
]


def test_a_pad_with_another_rule_of_uno_is_found_out(world, visit) -> None:
    """The control: each number of the tables is needed."""
    page = visit()
    page.goto("/")
    rules = device_rules(get("uno-dominoes"), 2)
    games = list(games_of("uno-dominoes", 2, "random", 8))
    assert not told_apart(page, rules, games)
    changed = [wrong if wrong.keys() < rules.keys() else {"colours": rules["colours"] | wrong} for wrong in UNO_WRONG]
    assert [wrong for wrong in changed if not told_apart(page, rules | wrong, games)] == []


BLOCKS = """async (all) => {
  const { roundPoints } = await import("/static/web/pad/pad_fold.js");
  const { TileFace } = await import("/static/web/pad/tile_face.js");
  const shared = TileFace.prototype.sharedPoints.bind({ roundPoints });
  const points = (terms, left, best) => (best[1] ? shared(terms, left, best) : roundPoints(terms, left, best[0]));
  return all.map((one) => points(...one));
}"""


@pytest.mark.parametrize(
    "options", [{}, {"round_per_hand": "true"}, {"blocked_points": "tiles_x5", "blocked_by": "tiles"}]
)
def test_a_block_gives_on_the_pad_what_it_gives_in_the_engine(world, visit, options) -> None:
    page, rng, asked, told = visit(), Random(20), [], []
    page.goto("/")
    games = [(key, seats) for key in ("muggins", "all-fives") for seats in (2, 3, 4)]
    for key, seats in [*games, ("udl", 2), ("double-six", 2)]:
        rules = get(key).with_options({"block_tie": "split", **options})
        for _hand in range(100):
            pips, tiles = ([rng.randint(1, 6) for _seat in range(seats)] for _kind in "pt")
            left = tiles if rules.blocked_by is BlockedBy.TILES else pips
            best = [seat for seat in range(seats) if left[seat] == min(left)]
            if len(best) < seats:
                asked.append([device_rules(rules, seats)["terms"]["blocked"], left, best])
                told.append(settle(rules, tiles, pips, None).points[best[0]])
    assert page.evaluate(BLOCKS, asked) == told
    assert any(len(best) > 1 for _terms, _left, best in asked)
