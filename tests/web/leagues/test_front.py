"""The front of a league's page: next matches, leaders, latest results."""

import re
from dataclasses import replace
from datetime import timedelta

import pytest
from django.utils import timezone

from league.matches.logs.submission import Fixture, schedule_matches
from league.matches.models import Game, Match
from tests.web import world as small

PAGE = "/leagues/harbour/"


def part(html: str, heading: str) -> str:
    """Text of the section with this heading; empty without."""
    found = re.search(rf'<h2 id="{heading}">(.*?)(<h2 |</main>)', html, re.DOTALL)
    return " ".join(re.sub("<[^>]+>", " ", found[1]).split()) if found else ""


def test_next_matches_leaders_and_results_come_before_the_competitions(world, browse) -> None:
    small.played(world, official=True)
    others = [match for match in world.matches if match != world.match]
    Match.objects.filter(pk=others[0].pk).update(starts_at=timezone.now() + timedelta(days=1))
    html = browse().get(PAGE).content.decode()
    places = [html.index(f'id="{name}"') for name in ("next", "leaders", "latest", "competitions")]
    assert places == sorted(places)
    assert "Tomorrow," in part(html, "next")
    assert "1 Ana Ruiz" in part(html, "leaders")
    assert re.search(r"Ana Ruiz 150 Bo Chen \d+", part(html, "latest"))


def test_the_leaders_are_of_a_competition_with_standings_though_a_knock_out_has_the_last_result(world, browse) -> None:
    small.played(world, official=True)
    small.knock_out(world, players=4, name="Cup", played=1)
    html = browse().get(PAGE).content.decode()
    assert "Cup" in part(html, "latest")[:30]
    assert "1 Ana Ruiz" in part(html, "leaders")


def test_an_empty_league_has_none_of_them(world, browse) -> None:
    Match.objects.update(starts_at=None)
    html = browse().get(PAGE).content.decode()
    assert [part(html, name) for name in ("next", "leaders", "latest")] == ["", "", ""]


def test_a_live_match_is_next_with_its_running_score_also_between_two_of_its_games(world, browse) -> None:
    Match.objects.update(starts_at=None)
    now = timezone.now()
    agreed = Fixture(
        league=world.league, entrants=world.entrants[:2], ruleset="udl", options={}, published_at=now, best_of=3
    )
    [match] = schedule_matches([replace(agreed, starts_at=now - timedelta(minutes=10))])
    small.played(world, match)
    Match.objects.filter(pk=match.pk).update(state="playing")
    Game.objects.filter(match=match, number=2).update(tally={"points": [10, 15], "round": 2, "at": now.isoformat()})
    html = browse().get(PAGE).content.decode()
    assert "10–15" in part(html, "next")
    assert html.count(f'href="/matches/{match.pk}/"') == 1
    assert html.count(f'data-tally="{match.pk}"') == 1


@pytest.mark.parametrize("rows", [1, 3])
def test_it_takes_the_same_statements_for_one_and_three_results(world, browse, django_assert_num_queries, rows) -> None:
    for match in world.matches[:rows]:
        small.played(world, match, official=True)
    Match.objects.update(starts_at=None)
    client = browse()
    client.get(PAGE)
    with django_assert_num_queries(28):
        client.get(PAGE)
