"""Seasons as programs read them."""

import pytest
from django.test import Client

from league.competitions.seasons.next_season import make_play_offs
from league.competitions.seasons.services import close_season
from tests.league.competitions.season_world import MIDDLE, TOP, play_season, published_season
from tests.league.world import World, make_world

V1 = "http://testserver/api/v1"

pytestmark = pytest.mark.django_db


@pytest.fixture
def world() -> World:
    return make_world()


def test_a_season_is_told_with_its_divisions_dates_and_play_offs(world):
    season = published_season(world, names=(TOP, MIDDLE), places=((0, 1, 0), (1, 0, 1)))
    play_season(world, season)
    make_play_offs(season, user=world.owner)
    close_season(season, user=world.owner)
    season.refresh_from_db()
    found = Client().get("/api/v1/seasons/harbour/winter-2027").json()

    def division(level, **places):
        slug = f"winter-2027-division-{level}"
        address = f"{V1}/competitions/harbour/{slug}"
        return {
            "level": level,
            "name": f"Division {level}",
            **places,
            "players": 4,
            "matches_total": 6,
            "matches_decided": 6,
            "competition": address,
            "standings": f"{address}/standings",
            "rounds": f"{address}/rounds",
        }

    assert found == {
        "league": {"slug": "harbour", "name": "Harbour"},
        "slug": "winter-2027",
        "name": "Winter 2027",
        "starts_on": "2027-01-05",
        "ends_on": None,
        "follows": None,
        "published_at": season.published_at.isoformat().replace("+00:00", "Z"),
        "closed_at": season.closed_at.isoformat().replace("+00:00", "Z"),
        "divisions": [
            division(1, promote=0, play_off=0, relegate=1),
            division(2, promote=1, play_off=1, relegate=0),
        ],
        "dates": [
            {"number": 1, "starts_at": "2027-01-05T19:00:00Z"},
            {"number": 2, "starts_at": "2027-01-12T19:00:00Z"},
            {"number": 3, "starts_at": "2027-01-19T19:00:00Z"},
        ],
        "play_offs": [
            {
                "upper_level": 1,
                "number": 1,
                "competition": f"{V1}/competitions/harbour/winter-2027-play-off-for-division-1-1",
            }
        ],
        "url": f"{V1}/seasons/harbour/winter-2027",
    }
    assert Client().get("/api/v1/seasons?league=harbour").json()["results"] == [found]
    assert Client().get("/api/v1/seasons?league=hills").json()["results"] == []
    assert Client().get("/api/v1/seasons?legue=harbour").status_code == 400
