"""No byte for the player depends on the computer's hand or the boneyard: the same public history with other hidden
tiles gives the same answers.
"""

import re
from dataclasses import replace
from random import Random

import pytest
from django.core.cache import cache
from django.http import HttpResponse
from django.test import Client

from league.accounts import attempts
from league.house import evaluation
from league.play import hints, queries
from league.play.models import PracticeGame
from league.play.table import PLAYER
from league.play.terms import SEATS
from tests.league.play.tables import PIP_SYSTEMS, in_play, saved, with_other_hidden_tiles
from tests.league.play.uno_tables import turn_of_the_player, uno_live, with_other_hidden_racks
from tests.volume import THOROUGH, seeds

pytestmark = pytest.mark.django_db
PLAYED = re.compile(r"[A-D] (\w+-\w+)(?: .*)?")
UNO_MOMENTS = (
    lambda table: table.plays,
    lambda table: table.paused,
    lambda table: table.victim == PLAYER,
)


@pytest.fixture(autouse=True)
def _few_samples(monkeypatch) -> None:
    monkeypatch.setattr(hints, "SAMPLES", 60)
    monkeypatch.setattr(hints, "UNO_SAMPLES", 60)
    monkeypatch.setattr(evaluation, "POSITIONS_KNOWN", 500)
    monkeypatch.setattr(attempts, "HINT", replace(attempts.HINT, most=lambda: 10_000))


TOKEN = re.compile(rb'(name="csrfmiddlewaretoken" value=")\w+')


def bytes_of(answer: HttpResponse) -> tuple[int, dict[str, str], bytes]:
    headers = {name: value for name, value in answer.headers.items() if name != "Expires"}  # the time of the answer
    return answer.status_code, headers, TOKEN.sub(rb"\1", answer.content)


def answers(browser: Client, game: PracticeGame) -> list[tuple[int, dict[str, str], bytes]]:
    """Every answer that tells the player something before the next move of the computer."""
    path = f"/play/{game.code}/"
    line = len(game.lines.splitlines())
    played = next(found[1] for one in reversed(game.lines.splitlines()) if (found := PLAYED.fullmatch(one)))
    return [
        bytes_of(browser.get(path, headers={"accept": "application/json"})),
        bytes_of(browser.get(f"{path}log/")),
        bytes_of(browser.post(path, {"line": line, "tile": played, "on": played})),
        bytes_of(browser.post(path, {"line": line, "do": "hint"})),
        bytes_of(browser.post(path, {"line": line - 1, "do": "draw"})),
    ]


def pairs(numbers: range) -> list[tuple[PracticeGame, list[str]]]:
    """Games in play, each with the lines of its twin."""
    found = []
    for seed in numbers:
        system = PIP_SYSTEMS[seed % len(PIP_SYSTEMS)]
        numbers_of_seats = SEATS.get(system, (2,))
        table = in_play(seed, system, numbers_of_seats[seed // len(PIP_SYSTEMS) % len(numbers_of_seats)])
        if twin := with_other_hidden_tiles(table, Random(f"twin {seed}")):
            found.append((saved(table), twin))
    assert len(found) > 0.8 * len(numbers)
    return found


def uno_pairs(numbers: range) -> list[tuple[PracticeGame, list[str]]]:
    """Uno Dominoes of two to four seats: turns, pauses before a catch, and Wild Draw Fours to answer."""
    found = []
    for seed in numbers:
        table = uno_live(seed, 2 + seed // 3 % 3, UNO_MOMENTS[seed % len(UNO_MOMENTS)])
        if twin := with_other_hidden_racks(table, Random(f"twin {seed}")):
            found.append((saved(table), twin))
    assert len(found) > 0.8 * len(numbers)
    return found


def leaks(games: list[tuple[PracticeGame, list[str]]]) -> int:
    """In how many of these games some answer tells the twins apart."""
    browser, found = Client(), 0
    browser.get("/play/")
    for game, twin in games:
        before = answers(browser, game)
        cache.clear()  # the hint
        hinted = 200 if turn_of_the_player(game.table()) else 422
        assert [status for status, *_rest in before] == [200, 404, 422, hinted, 409]
        PracticeGame.objects.filter(pk=game.pk).update(lines="\n".join(twin))
        game.refresh_from_db()
        found += answers(browser, game) != before
    return found


def test_other_hidden_tiles_give_the_same_bytes() -> None:
    assert leaks(pairs(seeds(1000 if THOROUGH else 200))) == 0


def test_other_hidden_racks_give_the_same_bytes() -> None:
    assert leaks(uno_pairs(seeds(1000 if THOROUGH else 90))) == 0


def test_the_control_without_the_filter_racks_leak(monkeypatch) -> None:
    monkeypatch.setattr(queries, "seen_by", lambda _seat, film: film)
    drawn = [
        (game, twin)
        for game, twin in uno_pairs(range(30))
        if drawn_by_others(game.lines.splitlines()) != drawn_by_others(twin)
    ]
    assert len(drawn) > 3
    assert leaks(drawn) == len(drawn)


def drawn_by_others(lines: list[str]) -> list[str]:
    start = max(number for number, line in enumerate(lines) if line.startswith("round "))
    return [line for line in lines[start:] if " draw " in line and not line.startswith("A ")]


def test_the_control_without_the_filter_every_draw_of_the_computer_leaks(monkeypatch) -> None:
    monkeypatch.setattr(queries, "seen_by", lambda _seat, film: film)
    drawn = [(game, twin) for game, twin in pairs(range(60)) if draws(game.lines.splitlines()) != draws(twin)]
    assert len(drawn) > 3
    assert leaks(drawn) == len(drawn)


def draws(lines: list[str]) -> list[str]:
    return [line for line in lines if " draw " in line and not line.startswith("A ")]


def test_the_page_names_no_tile_of_the_computer() -> None:
    """The hand and the boneyard, looked for as text; the control is the player's own hand."""
    browser = Client()
    for seed in range(12):
        table = in_play(f"named {seed}")
        game = saved(table)
        text = browser.get(f"/play/{game.code}/").content.decode()
        body = text[text.index("data-table") :]
        hidden = {tile.name for tile in table.boneyard}
        hidden |= {tile.name for tile in table.game.rules.tiles.in_mask(table.live.hands[1])}
        own = {tile.name for tile in table.game.rules.tiles.in_mask(table.live.hands[0])}
        named = set(re.findall(r"(?<![\d-])\d-\d(?![\d-])", body))
        assert named & hidden == set()
        assert own <= named
        assert game.seed not in text
