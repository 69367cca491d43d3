"""One match on the screen of a hall: what stands large, in which words its state is told, and who sees it."""

import json
import re
from dataclasses import replace
from datetime import timedelta
from html import unescape

import pytest
from django.utils import timezone

from league.matches.clock import services as timekeeping
from league.matches.logs.submission import Fixture, schedule_matches
from league.matches.models import Game, Match, Result
from league.players.models import Player
from tests.web import world as small


def board(world, match: Match | None = None) -> str:
    return f"/matches/{(match or world.match).pk}/scoreboard/"


def html_of(client, path: str) -> str:
    answer = client.get(path)
    assert answer.status_code == 200
    return answer.content.decode()


def text_of(html: str) -> str:
    return unescape(" ".join(re.sub(r"<[^>]+>", " ", html.split("<main")[1]).split()))


def digits(html: str) -> list[str]:
    return re.findall(r'class="board-digits".*?<text[^>]*>([^<]*)</text>', html)


def state(html: str) -> str:
    return re.search(r'class="board-state"><span class="badge[^>]*>.*?</svg>(.*?)</span>', html)[1]


def tallied(match: Match, points: list[int], *, number: int = 1) -> None:
    tally = {"points": points, "round": 3, "at": timezone.now().isoformat()}
    Game.objects.filter(match=match, number=number).update(tally=tally)


def best_of_three(world, entrants: int = 2) -> Match:
    agreed = Fixture(
        league=world.league,
        entrants=world.entrants[:entrants],
        ruleset="udl" if entrants == 2 else "uno",
        options={},
        published_at=timezone.now(),
        best_of=3,
    )
    [made] = schedule_matches([replace(agreed, starts_at=timezone.now() - timedelta(minutes=10))])
    return made


def test_the_points_of_the_tally_stand_large_with_game_and_round(world, browse) -> None:
    html = html_of(browse(), board(world))
    assert (digits(html), state(html)) == (["–", "–"], "Not started")
    assert "no score yet" in text_of(html)
    tallied(world.match, [85, 60])
    html = html_of(browse(), board(world))
    assert (digits(html), state(html)) == (["85", "60"], "Live")
    assert "hand 3" in text_of(html)
    assert 'data-score="Ana Ruiz 85, Bo Chen 60. Live"' in html


def test_between_two_games_the_games_won_stand_large_and_beside_a_tally_they_are_told(world, browse) -> None:
    match = best_of_three(world)
    small.played(world, match)
    Match.objects.filter(pk=match.pk).update(state=Match.State.PLAYING)
    html = html_of(browse(), board(world, match))
    assert digits(html) == ["1", "0"]
    assert "Games won" in text_of(html)
    assert "best of 3 games" in text_of(html)
    tallied(match, [5, 140], number=2)
    html = html_of(browse(), board(world, match))
    assert digits(html) == ["5", "140"]
    assert "Game 2 of 3" in text_of(html)
    assert ["Games won: 1" in text_of(html), "Games won: 0" in text_of(html)] == [True, True]


def test_the_state_is_told_in_words(world, browse) -> None:
    client, game, now = browse(), world.game(), timezone.now()

    def told() -> str:
        return state(html_of(client, board(world)))

    timekeeping.start_clock(game, world.ref, now - timedelta(minutes=5))
    assert told() == "Live"
    timekeeping.pause_clock(game, world.ref, now - timedelta(minutes=1))
    assert told() == "Paused"
    small.played(world)
    assert told() == "Unconfirmed"
    Result.objects.update(contested=True)
    assert told() == "Under review"
    Result.objects.update(contested=False)
    Match.objects.filter(pk=world.match.pk).update(state=Match.State.DECIDED)
    assert told() == "Confirmed"


def test_the_clock_is_that_of_the_game_that_is_on_and_goes_with_its_result(world, browse) -> None:
    client, now = browse(), timezone.now()
    timekeeping.start_clock(world.game(), world.ref, now - timedelta(minutes=5))
    html = html_of(client, board(world))
    counts = json.loads(unescape(re.search(r'data-hall-clock="([^"]*)"', html)[1]))
    assert counts["state"] == "running"
    assert 590_000 < counts["remaining_ms"] <= 600_000
    assert int(re.search(r'data-now="(\d+)"', html)[1]) == pytest.approx(timezone.now().timestamp() * 1000, abs=5_000)
    small.played(world)
    assert "data-hall-clock" not in html_of(client, board(world))


def test_whoever_looks_first_after_the_bell_rings_it(world, browse) -> None:
    timekeeping.start_clock(world.game(), world.ref, timezone.now() - timedelta(minutes=16))
    html = html_of(browse(), board(world))
    assert "The bell has rung" in text_of(html)
    assert world.game().clock_events.filter(kind="bell").count() == 1


def test_without_a_script_the_page_looks_again_right_after_the_bell(world, browse) -> None:
    assert '<noscript><meta http-equiv="refresh" content="20"></noscript>' in html_of(browse(), board(world))
    timekeeping.start_clock(world.game(), world.ref, timezone.now() - timedelta(minutes=14, seconds=50))
    again = int(re.search(r'http-equiv="refresh" content="(\d+)"', html_of(browse(), board(world)))[1])
    assert again <= 11


def test_a_draft_has_no_scoreboard_for_anybody(world, browse) -> None:
    Match.objects.update(published_at=None)
    assert [browse(user).get(board(world)).status_code for user in (None, world.alice, world.owner)] == [404] * 3


def test_where_a_minor_sits_is_not_told_to_the_hall(world, browse) -> None:
    assert "Table 1" in text_of(html_of(browse(), board(world)))
    Player.objects.filter(pk=world.entrants[0].player_id).update(born=2015)
    assert "Table 1" not in text_of(html_of(browse(world.owner), board(world)))


def test_names_are_text_and_long_ones_are_written_smaller(world, browse) -> None:
    for entrant, name in zip(world.entrants, ("<b>W</b>" + "W" * 50, "Maximiliana Featherstone"), strict=False):
        Player.objects.filter(pk=entrant.player_id).update(name=name)
    html = html_of(browse(), board(world))
    assert "<b>W" not in html
    assert re.findall(r'class="board-name ([a-z-]*)"', html) == ["very-long", "long"]


def test_a_table_of_three_has_three_plates(world, browse) -> None:
    match = best_of_three(world, entrants=3)
    tallied(match, [10, 20, 230])
    html = html_of(browse(), board(world, match))
    assert digits(html) == ["10", "20", "230"]
    assert 'class="board-plates four"' in html


def test_a_scoreboard_takes_the_same_statements_for_one_game_and_three(
    world, browse, django_assert_num_queries
) -> None:
    client, match = browse(), best_of_three(world, entrants=3)
    for path in (board(world), board(world, match)):
        with django_assert_num_queries(6):
            client.get(path)


def test_the_page_of_a_match_and_the_tables_of_the_hall_lead_there(world, browse) -> None:
    Match.objects.filter(pk=world.match.pk).update(starts_at=timezone.now())
    link = f'href="{board(world)}"'
    assert link in html_of(browse(), f"/matches/{world.match.pk}/")
    assert link in html_of(browse(world.ref), "/organize/harbour/tables/")
    Match.objects.update(published_at=None)
    assert link not in html_of(browse(world.owner), f"/matches/{world.match.pk}/")
