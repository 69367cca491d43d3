"""The home page."""

from datetime import timedelta

import pytest
from django.utils import timezone

from league.matches.models import Match
from tests.web import world as small


def test_the_home_page_shows_live_latest_and_next(world, browse) -> None:
    small.played(world, official=True)
    others = [match for match in world.matches if match != world.match]
    now = timezone.now()
    Match.objects.filter(pk=others[0].pk).update(starts_at=now - timedelta(minutes=10))
    Match.objects.filter(pk=others[1].pk).update(starts_at=now + timedelta(days=1))
    html = browse().get("/").content.decode()
    for heading in ("Live now", "Latest results", "Next", "Competitions"):
        assert f">{heading}</h2>" in html
    assert html.index("Live now") < html.index("Latest results") < html.index(">Next<")
    assert "3 players" in html
    assert "1 of 3 matches official" in html
    assert "Official" in html


def test_a_player_is_told_which_results_wait_for_them(world, browse) -> None:
    small.played(world)
    assert "Waiting for your word" in browse(world.bob).get("/").content.decode()
    assert "Waiting for your word" not in browse(world.alice).get("/").content.decode()
    assert "Waiting for your word" not in browse().get("/").content.decode()


def test_a_site_without_any_account_leads_to_the_page_of_the_first(db, browse) -> None:
    answer = browse().get("/")
    assert (answer.status_code, answer.url) == (302, "/first/")


def test_an_empty_site_says_so(db, browse) -> None:
    small.account("olga")
    html = browse().get("/").content.decode()
    assert "No game has been decided yet." in html
    assert "No competition is open to you yet." in html


@pytest.mark.parametrize("rows", [1, 3])
def test_the_home_page_takes_the_same_statements_for_one_and_three_results(
    world, browse, django_assert_num_queries, rows
) -> None:
    for match in world.matches[:rows]:
        small.played(world, match)
    # Nothing is live or to come, on any day on which this runs.
    Match.objects.update(starts_at=None)
    client = browse()
    with django_assert_num_queries(9):
        client.get("/")


def test_the_link_of_a_match_begins_with_who_plays(world, browse) -> None:
    small.played(world)
    card = browse().get("/").content.decode().split('<a class="open" href="/matches/')[1].split("</a>")[0]
    assert card.split(">", 1)[1].startswith('<span class="hidden">Ana Ruiz – Bo Chen, </span><time')
