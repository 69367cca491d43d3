"""Moves whose answer is lost, also by a killed web process: none is lost, none is doubled."""

from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from random import Random

import pytest

from league.play.models import OnlineGame
from league.play.online import services
from tests.league.play.online_games import dealt, fresh
from tests.league.play.online_players import ClientBrowser, HttpBrowser, Player, faults
from tests.league.processes import Processes, free_port, kill, until

GAMES, MOVES = 8, 16
TOKEN = "t" * 32
SYSTEMS = ("double-six", "muggins", "all-fives", "udl")


def play(players: list[Player], moves: int) -> None:
    """Let both seats act by their pages until so many acts were answered, or the game is over."""
    state = ""
    while sum(len(player.done) + len(player.refused) for player in players) < moves and state != "over":
        for player in players:
            while (state := player.look()) in ("turn", "between") and (fields := player.choice()):
                player.send(fields)


class ForgetfulBrowser(ClientBrowser):
    """Test browser that sends the act of another table instead of the same message once more."""

    def post(self, path: str, fields: dict[str, str]) -> object:
        return super().post(path, fields | {"line": str(fresh_line(path))})


def fresh_line(path: str) -> int:
    return len(OnlineGame.objects.get(code=path.split("/")[-2]).lines.splitlines())


def played_with_losses(*systems: str, browser: type[ClientBrowser] = ClientBrowser) -> list[str]:
    """Play games in which the first answer to every other form is lost; return their faults."""
    found = []
    for number, system in enumerate(systems):
        seats, sent = dealt(system, clock="0"), Counter()

        def loses(fields: dict[str, str], sent: Counter = sent) -> bool:
            sent[str(fields)] += 1
            return len(sent) % 2 == 1 and sent[str(fields)] == 1

        path = f"/play/online/{seats[0].game.code}/"
        players = [Player(browser(seat, loses), path, Random(f"{number} {seat.number}"), wait_s=0) for seat in seats]
        play(players, 20)
        assert sum(player.repeated for player in players) > 6
        found += faults(fresh(seats[0]), players)
    return found


@pytest.fixture
def _known_deals(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("league.play.online.services.secrets.token_hex", lambda _bytes: "5eed")


@pytest.mark.django_db
@pytest.mark.usefixtures("_known_deals")
def test_an_act_whose_answer_is_lost_counts_once_when_it_is_repeated() -> None:
    assert played_with_losses("double-six", "udl") == []


@pytest.mark.django_db
@pytest.mark.usefixtures("_known_deals")
def test_the_control_without_the_check_for_repetitions_they_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(services, "was_done", lambda *_message: False)
    assert len([fault for fault in played_with_losses("double-six") if fault.startswith("409")]) > 4


@pytest.mark.django_db
@pytest.mark.usefixtures("_known_deals")
def test_the_control_a_player_that_changes_the_line_draws_twice() -> None:
    assert any("acts in the log" in fault for fault in played_with_losses("double-six", browser=ForgetfulBrowser))


@pytest.mark.slow("starts a site twice")
@pytest.mark.both
@pytest.mark.django_db(transaction=True)
def test_a_killed_web_process_loses_and_doubles_no_move(tmp_path: Path) -> None:
    site, port = Processes(tmp_path, "", LOG_LEVEL="WARNING"), free_port()
    app, options = "tests.league.play.late_site", ("--threads", str(GAMES))
    tables = [[*dealt(SYSTEMS[number % 4], clock="0")] for number in range(GAMES)]
    games = [[at_seat(port, seat) for seat in seats] for seats in tables]
    try:
        web = site.web(port, *options, app=app)
        assert until(lambda: is_up(port)), site.said("web")
        with ThreadPoolExecutor(GAMES) as threads:
            playing = [threads.submit(play, players, MOVES) for players in games]
            assert until(lambda: answered(games) > GAMES * 3)
            kill(web)
            assert not all(one.done() for one in playing)
            site.start("web", *web.args[2:])
            for one in playing:
                one.result()
    finally:
        site.stop()
    assert "Traceback" not in site.said("web"), site.said("web")
    assert any(player.repeated for players in games for player in players)
    for seats, players in zip(tables, games, strict=True):
        assert faults(fresh(seats[0]), players) == []


def at_seat(port: int, seat: object) -> Player:
    browser = HttpBrowser(port, seat=seat.key, csrftoken=TOKEN)
    return Player(browser, f"/play/online/{seat.game.code}/", Random(seat.pk))


def answered(games: list[list[Player]]) -> int:
    return sum(len(player.done) for players in games for player in players)


def is_up(port: int) -> bool:
    try:
        return HttpBrowser(port).get("/healthz").status == 200
    except OSError:
        return False
