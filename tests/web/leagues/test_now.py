"""The pages whose address stays: what is in play now."""

from datetime import timedelta

import pytest
from django.utils import timezone

from league.competitions.models import Competition
from league.matches.models import Game, Match
from tests.web import world as small

PAGES = ("/leagues/harbour/now/", "/competitions/harbour/autumn/now/")


def playing(match: Match, points: tuple[int, int] = (10, 0)) -> None:
    Match.objects.filter(pk=match.pk).update(state=Match.State.PLAYING)
    tally = {"points": list(points), "round": 2, "at": timezone.now().isoformat()}
    Game.objects.filter(match=match, number=1).update(tally=tally)


@pytest.fixture
def quiet(world):
    """Nothing is in play or to come."""
    Match.objects.update(starts_at=None)
    return world


@pytest.mark.parametrize("path", PAGES)
def test_one_address_shows_what_is_in_play_at_every_moment(quiet, client, path) -> None:
    first, second, third = quiet.matches
    assert "No match is being played at this moment." in client.get(path).content.decode()
    playing(first, (85, 60))
    html = client.get(path).content.decode()
    assert "85–60" in html
    assert f'data-match="{first.pk}"' in html
    small.played(quiet, first, official=True)
    playing(second, (15, 20))
    Match.objects.filter(pk=third.pk).update(starts_at=timezone.now() + timedelta(minutes=20))
    html = client.get(path).content.decode()
    assert f'data-match="{first.pk}"' not in html
    assert html.index(f'data-match="{second.pk}"') < html.index(">Next<") < html.index(f"/matches/{third.pk}/")


def test_a_competition_shows_its_own_matches_only(quiet, client) -> None:
    cup = small.knock_out(quiet, players=4, played=0)
    of_cup = Match.objects.filter(slot__matchday__stage__competition=cup, games__records=None).latest("pk")
    playing(of_cup)
    assert f'data-match="{of_cup.pk}"' in client.get("/leagues/harbour/now/").content.decode()
    assert f'data-match="{of_cup.pk}"' not in client.get("/competitions/harbour/autumn/now/").content.decode()
    assert "data-match" not in client.get("/leagues/hill/now/").content.decode()


def test_a_draft_is_on_no_such_page(quiet, browse) -> None:
    playing(quiet.match)
    Match.objects.update(published_at=None)
    Competition.objects.update(published_at=None)
    assert "data-match" not in browse().get(PAGES[0]).content.decode()
    assert browse().get(PAGES[1]).status_code == 404
    assert browse(quiet.owner).get(PAGES[1]).status_code == 200


def test_followed_players_come_first(quiet, client) -> None:
    """The control: the closer score is first without it."""
    first, second = (quiet.matches[place] for place in (0, 1))
    playing(first, (50, 0))
    playing(second, (10, 5))
    order = [f'data-match="{one.pk}"' for one in (first, second)]
    html = client.get(PAGES[0]).content.decode()
    assert html.index(order[1]) < html.index(order[0])
    alone = next(side.entrant for side in first.sides.all() if not second.sides.filter(entrant=side.entrant).exists())
    client.post("/following/act/", {"what": f"player:{alone.player.code}"})
    html = client.get(PAGES[0]).content.decode()
    assert html.index(order[0]) < html.index(order[1])


@pytest.mark.parametrize("path", PAGES)
@pytest.mark.parametrize("rows", [1, 3])
def test_it_takes_the_same_statements_for_one_match_and_for_three(
    quiet, client, django_assert_num_queries, path, rows
) -> None:
    for match in quiet.matches[:rows]:
        playing(match)
    with django_assert_num_queries(9 if path == PAGES[0] else 10):
        client.get(path)


def test_the_pages_of_league_and_competition_lead_there(quiet, client) -> None:
    for path, above in zip(PAGES, ("/leagues/harbour/", "/competitions/harbour/autumn/"), strict=True):
        assert f'href="{path}"' in client.get(above).content.decode()
        assert f'href="/address/?next={path}"' in client.get(path).content.decode()
