"""No byte for a seat or a spectator depends on tiles that it may not know.

The same public history with other hidden tiles gives the same answers.
"""

import re
from datetime import UTC, datetime
from itertools import pairwise
from random import Random

import pytest
from django.http import HttpResponse
from django.test import Client

from games.moves import SEATS, Seat
from league.house.levels import Level
from league.play.models import OnlineGame, OnlineSeat
from league.play.online import queries
from league.play.online.acts import OnlineAct
from league.play.online.table import OnlineUno
from tests.league.play.online_games import dealt, do, fresh, step
from tests.league.play.test_online_uno import FOUR, at
from tests.volume import THOROUGH, seeds
from tests.web.play.test_online import browser_of, path_of

pytestmark = pytest.mark.django_db
SYSTEMS = (("double-six", 2), ("muggins", 2), ("all-fives", 2), ("udl", 2))
COMPANY = (("uno-dominoes", 3), ("all-fives", 3), ("uno-dominoes", 5), ("muggins", 4), ("uno-dominoes", 2))
Games = tuple[tuple[str, int], ...]
TOKEN = re.compile(rb'(name="csrfmiddlewaretoken" value=")\w+')
Twins = tuple[list[OnlineSeat], Seat | None, list[str]]
"""The seats of a game, the reader, and the lines of the twin."""


@pytest.fixture(autouse=True)
def _one_moment(monkeypatch) -> None:
    """Time stands still, so that an answer differs by its tiles only; the same deals in every run."""
    chance = Random(22)
    monkeypatch.setattr("django.utils.timezone.now", lambda: datetime(2026, 11, 27, 19, 0, tzinfo=UTC))
    monkeypatch.setattr("league.play.online.services.secrets.token_hex", lambda size: chance.randbytes(size).hex())


def in_play(seed: int, games: Games = SYSTEMS) -> list[OnlineSeat]:
    """A game some way into a hand."""
    (ruleset, players), chance = games[seed % len(games)], Random(f"so far {seed}")
    seats = dealt(ruleset, players, target="500", **({"clock": "0"} if ruleset == "udl" else {}))
    for _move in range(chance.randint(2, 25)):
        step(seats, Level.RANDOM, seed)
    while fresh(seats[0]).table().live is None:
        step(seats, Level.RANDOM, seed)
    return seats


def twin_of(game: OnlineGame, reader: Seat | None, chance: Random) -> list[str] | None:
    """Return the lines of the same public history, with other tiles where the reader does not see them."""
    table = game.table()
    tiles, live = table.game.rules.tiles, table.live
    own = 0 if reader is None else live.hands[reader]
    letters = [SEATS[seat] for seat in table.seats if seat != reader]
    others = tuple(f"{letter} {word}" for letter in letters for word in ("hand", "draw", "shows"))
    seen = rack_shown_to(reader, table.lines)
    hidden = [tile.name for tile in tiles.in_mask(tiles.all & ~live.layout.table & ~own) if tile.name not in seen]
    harmless = {"note"} if isinstance(table, OnlineUno) else {"note", "correction"}
    start = max(n for n, line in enumerate(table.lines) if line.startswith("round "))
    for attempt in range(120):
        moved = hidden if attempt < 40 else chance.sample(hidden, min(2, len(hidden)))
        swapped = dict(zip(moved, chance.sample(moved, len(moved)), strict=True))
        lines = [*table.lines[:start]]
        lines += [
            " ".join(swapped.get(word, word) for word in line.split()) if line.startswith(others) else line
            for line in table.lines[start:]
        ]
        game.lines = "\n".join(lines)
        twin = game.table()
        legal = not {one.severity for one in twin.game.findings} - harmless
        if lines != table.lines and legal and twin.live and twin.to_act == table.to_act:
            return lines
    return None


def rack_shown_to(reader: Seat | None, lines: list[str]) -> set[str]:
    """Return the tiles of racks that this reader challenged."""
    asked = "" if reader is None else f"{SEATS[reader]} challenges"
    return {word for before, line in pairwise(lines) if before == asked for word in line.split()}


def bytes_of(answer: HttpResponse) -> tuple[int, dict[str, str], bytes]:
    headers = {name: value for name, value in answer.headers.items() if name != "Expires"}
    return answer.status_code, headers, TOKEN.sub(rb"\1", answer.content)


def answers(browser: Client, seats: list[OnlineSeat]) -> list[tuple[int, dict[str, str], bytes]]:
    """Every answer that tells the reader something before the next move."""
    path, lines = path_of(seats[0]), fresh(seats[0]).lines.splitlines()
    lying = next((line.split()[1] for line in reversed(lines) if re.match(r"[A-F] \w+-", line)), "6-6")
    uno = fresh(seats[0]).ruleset == "uno-dominoes"
    return [
        bytes_of(browser.get(path)),
        bytes_of(browser.get(f"{path}news/")),
        bytes_of(browser.get(f"{path}log/")),
        bytes_of(browser.post(path, {"line": len(lines), "tile": lying, "on": lying})),
        bytes_of(browser.post(path, {"line": 1 if uno else len(lines) - 1, "do": "draw"})),
        bytes_of(browser.post(path, {"line": len(lines), "do": "catch-9"})),
        bytes_of(browser.post(path, {"line": len(lines), "do": "claim"})),
    ]


def pairs(numbers: range, games: Games = SYSTEMS) -> list[Twins]:
    found = []
    for seed in numbers:
        seats = in_play(seed, games)
        reader = (*range(len(seats)), None)[seed % (len(seats) + 1)]
        if twin := twin_of(fresh(seats[0]), reader, Random(f"twin {seed}")):
            found.append((seats, reader, twin))
    assert len(found) > 0.7 * len(numbers)
    return found


def leaks(games: list[Twins]) -> int:
    """In how many of these games some answer tells the twins apart."""
    found = 0
    for seats, reader, twin in games:
        browser = Client() if reader is None else browser_of(seats[reader])
        browser.get("/play/")
        before = answers(browser, seats)
        assert before[0][0] == 200
        OnlineGame.objects.filter(pk=seats[0].game_id).update(lines="\n".join(twin))
        found += answers(browser, seats) != before
    return found


def test_other_hidden_tiles_give_the_same_bytes() -> None:
    assert leaks(pairs(seeds(1000) if THOROUGH else seeds(60, least=60))) == 0


def test_other_racks_and_hands_of_several_give_the_same_bytes() -> None:
    assert leaks(pairs(seeds(20), COMPANY)) == 0


def challenged() -> list[Twins]:
    """A Wild Draw Four of B that C has challenged rightly, as A and as a spectator see it, with other racks of B."""
    found = []
    for reader in (0, None):
        seats = at(FOUR)
        do(seats[2], OnlineAct("challenge"))
        twins = (twin_of(fresh(seats[0]), reader, Random(f"rack {number}")) for number in range(30))
        shown = [line for line in fresh(seats[0]).lines.splitlines() if " shows " in line]
        found.append((seats, reader, next(twin for twin in twins if twin and shown[0] not in twin)))
    return found


def test_a_challenged_rack_gives_other_readers_the_same_bytes() -> None:
    assert leaks(challenged()) == 0


def test_the_control_without_the_filter_racks_and_draws_of_several_leak(monkeypatch) -> None:
    monkeypatch.setattr(queries, "seen_by", lambda _seat, film: film)
    assert leaks(challenged()) == 2
    drawn = [
        (seats, reader, twin)
        for seats, reader, twin in pairs(range(3), COMPANY)
        if draws_in_play(fresh(seats[0]).lines.splitlines()) != draws_in_play(twin)
    ]
    assert drawn
    assert leaks(drawn) == len(drawn)


def draws_in_play(lines: list[str]) -> list[str]:
    """Draws of the hand in play, which its page tells."""
    start = max(number for number, line in enumerate(lines) if line.startswith("round "))
    return [line for line in lines[start:] if " draw " in line]


def test_the_control_without_the_filter_draws_leak(monkeypatch) -> None:
    monkeypatch.setattr(queries, "seen_by", lambda _seat, film: film)
    drawn = [
        (seats, reader, twin)
        for seats, reader, twin in pairs(range(60))
        if draws(fresh(seats[0]).lines.splitlines()) != draws(twin)
    ]
    assert len(drawn) > 3
    assert leaks(drawn) > 0.8 * len(drawn)


def draws(lines: list[str]) -> list[str]:
    return [line for line in lines if " draw " in line]


def test_the_page_names_no_tile_of_another_hand_or_the_boneyard() -> None:
    """Looked for as text; the control is the reader's own hand."""
    for seed in range(9):
        seats = in_play(seed)
        table = fresh(seats[0]).table()
        hands = [{one.name for one in table.game.rules.tiles.in_mask(mask)} for mask in table.live.hands]
        boneyard = {one.name for one in table.boneyard}
        for reader, browser in ((0, browser_of(seats[0])), (1, browser_of(seats[1])), (None, Client())):
            text = browser.get(path_of(seats[0])).content.decode()
            named = set(re.findall(r"(?<![\d-])\d-\d(?![\d-])", text[text.index("data-table") :]))
            hidden = boneyard.union(*(hand for seat, hand in enumerate(hands) if seat != reader))
            assert named & hidden == set()
            assert reader is None or hands[reader] <= named
