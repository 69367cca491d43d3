"""The titles of a player, on the player's page, on a page of their own and in the API."""

from datetime import timedelta

from django.utils import timezone

from league.competitions.amendments.services import confirm_amendment, propose_amendment
from league.competitions.honours import settle_missed
from league.competitions.models import Competition, Honour, Stage
from league.matches.amendments import Wanted
from league.matches.models import KnownBy, Match
from tests.web import world as small


def won(world, count: int) -> None:
    """Of Ana, each of a cup that ended a day after the one before it."""
    now = timezone.now()
    for number in range(count):
        cup = Competition.objects.create(
            league=world.league,
            name=f"Cup {number}",
            slug=f"cup-{number}",
            ruleset="udl",
            published_at=now,
            honours_at=now,
        )
        Stage.objects.create(competition=cup, finished_at=now - timedelta(days=count - number))
        Honour.objects.create(competition=cup, entrant=world.entrants[0], place=number % 3 + 1)


def page_of(browse, entrant, more: str = "") -> str:
    return browse().get(f"/players/{entrant.player.code}/{more}").content.decode()


def test_the_winner_of_a_cup_has_the_title_and_an_amendment_moves_it(world, browse) -> None:
    cup = small.knock_out(world, players=2)
    ana, bo = world.entrants[:2]
    assert settle_missed() == 1
    assert 'class="of-1"' in page_of(browse, ana)
    assert 'class="of-2"' in page_of(browse, bo)
    told = browse().get(f"/api/v1/players/{ana.player.code}").json()
    assert told["titles_in_all"] == 1
    [title] = told["titles"]
    assert {key: title[key] for key in ("place", "entrants", "competition", "name", "season", "partners")} == {
        "place": 1,
        "entrants": 2,
        "competition": cup.slug,
        "name": "Cup",
        "season": None,
        "partners": [],
    }
    game = Match.objects.get(slot__matchday__stage__competition=cup).games.get()
    wanted = Wanted(kind=KnownBy.RULED, data={"scores": [0, 150], "winner": 2}, reason="two racks")
    confirm_amendment(propose_amendment(game, world.ref, wanted), world.owner)
    assert 'id="titles"' not in page_of(browse, ana)
    settle_missed()
    assert 'class="of-2"' in page_of(browse, ana)
    assert 'class="of-1"' in page_of(browse, bo)


def test_a_player_without_a_title_has_no_heading_for_them(world, browse) -> None:
    assert 'id="titles"' not in page_of(browse, world.entrants[0])
    assert "No title yet." in page_of(browse, world.entrants[0], "titles/")


def test_the_page_of_a_player_shows_the_latest_and_leads_to_all_of_them(world, browse) -> None:
    won(world, 26)
    html = page_of(browse, world.entrants[0])
    assert [f"<bdi>Cup {n}</bdi>" in html for n in (25, 20, 19)] == [True, True, False]
    assert "All 26 titles" in html
    first, second = (page_of(browse, world.entrants[0], f"titles/?page={n}") for n in (1, 2))
    assert (first.count('class="of-'), second.count('class="of-')) == (24, 2)
    told = browse().get(f"/api/v1/players/{world.entrants[0].player.code}").json()
    assert (len(told["titles"]), told["titles_in_all"]) == (24, 26)


def test_a_competition_that_nobody_sees_gives_no_title(world, browse) -> None:
    won(world, 1)
    Competition.objects.filter(slug="cup-0").update(published_at=None)
    assert 'id="titles"' not in page_of(browse, world.entrants[0])
