"""Circuits as programs read them."""

import pytest
from django.test import Client

from league.competitions.circuits import CircuitPlan, found_circuit
from league.competitions.formats.circuit import PointsBy
from league.competitions.honours import settle_missed
from tests.league.competitions.amended import played_out
from tests.league.competitions.cup import drafted
from tests.league.world import World, make_world

V1 = "http://testserver/api/v1"

pytestmark = pytest.mark.django_db


@pytest.fixture
def world() -> World:
    return make_world()


def test_a_circuit_is_told_with_its_evenings_and_its_ranking_with_exact_points(world):
    cup, _first = played_out(world)
    draft = drafted(world, 4, name="Draft")
    plan = CircuitPlan(name="Tuesdays", points_by=PointsBy.PERCENT, competitions=[cup.pk, draft.pk])
    found_circuit(world.league, plan, user=world.owner)
    settle_missed()
    told = Client().get("/api/v1/circuits/harbour/tuesdays").json()
    assert told == {
        "league": {"slug": "harbour", "name": "Harbour"},
        "slug": "tuesdays",
        "name": "Tuesdays",
        "points_by": "percent",
        "points": [],
        "counted": 0,
        "evenings": [
            {
                "slug": "cup",
                "name": "Cup",
                "starts_at": "2026-11-20T12:00:00Z",
                "counts": True,
                "competition": f"{V1}/competitions/harbour/cup",
            }
        ],
        "ranking": f"{V1}/circuits/harbour/tuesdays/ranking",
        "url": f"{V1}/circuits/harbour/tuesdays",
        "page": "http://testserver/circuits/harbour/tuesdays/",
    }
    assert Client().get("/api/v1/circuits?league=harbour").json()["results"] == [told]
    rows = Client().get("/api/v1/circuits/harbour/tuesdays/ranking?page_size=2").json()
    assert rows["count"] == 4
    assert [(one["rank"], one["player"]["name"], one["exact"], one["won"]) for one in rows["results"]] == [
        (1, "Ana Ruiz", "100", 1),
        (2, "Bo Chen", "75", 0),
    ]
    assert rows["results"][1]["scores"] == [
        {"evening": "cup", "place": 2, "to": 2, "points": 75, "exact": "75", "counts": True}
    ]
