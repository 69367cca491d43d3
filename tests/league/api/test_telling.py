"""Rows are told by a plan as the framework itself would tell them."""

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from rest_framework import serializers

from league.api.base import serializers as telling
from league.api.base.fields import Link
from league.competitions.ratings.services import rate_league
from tests.league.api.played import Played
from tests.league.api.test_constant_queries import season
from tests.league.competitions.cup import published

PATHS = (
    *("leagues", "players", "competitions", "seasons", "matches", "games", "results", "leagues/harbour/ratings"),
    *("competitions/harbour/cup/rounds", "competitions/harbour/autumn/rounds"),
    *("competitions/harbour/autumn/standings?terms=all", "leagues/harbour/ratings/udl/{ana}", "players/{ana}"),
)


@pytest.fixture
def paths(played: Played) -> list[str]:
    rate_league(played.world.league.pk)
    season(played.world.league, "year", played.competition)
    published(played.world, 4, name="Cup")
    return [f"/api/v1/{path.format(ana=played.world.ana.player.code)}" for path in PATHS]


def answers(paths: list[str]) -> dict[str, Any]:
    found = {path: Client().get(path) for path in paths}
    assert {path: answer.status_code for path, answer in found.items()} == dict.fromkeys(paths, 200)
    return {path: answer.json() for path, answer in found.items()}


def test_every_resource_is_told_as_the_framework_would(paths: list[str], monkeypatch) -> None:
    ours = answers(paths)
    monkeypatch.setattr(telling.Fields, "to_representation", serializers.Serializer.to_representation)
    assert answers(paths) == ours


def test_a_plan_that_forgets_something_is_found(paths: list[str], monkeypatch) -> None:
    """The control."""
    framework = serializers.Serializer.to_representation
    whole = telling.plan_of
    monkeypatch.setattr(telling, "plan_of", lambda kind: whole(kind)[1:])
    short = answers(paths)
    monkeypatch.setattr(telling.Fields, "to_representation", framework)
    assert [path for path, told in answers(paths).items() if told == short[path]] == []


class Inner(serializers.Serializer):
    letter = serializers.CharField()


class Outer(telling.Fields):
    number = serializers.IntegerField(source="deep.number")
    perhaps = serializers.CharField(allow_null=True, source="nobody.name")
    usual = serializers.CharField(default="as usual")
    skipped = serializers.CharField(required=False)
    inner = Inner(allow_null=True)
    many = Inner(many=True)
    doubled = serializers.SerializerMethodField()

    def get_doubled(self, row: dict[str, Any]) -> int:
        return 2 * row["deep"]["number"]


@pytest.mark.parametrize(
    "row",
    [
        {"deep": {"number": "7"}, "inner": None, "many": []},
        {
            "deep": {"number": 7},
            "nobody": {"name": 5},
            "skipped": "x",
            "inner": {"letter": "a"},
            "many": ({"letter": 1},),
        },
        {"deep": {"number": 7}, "nobody": None, "usual": None, "inner": {"letter": None}, "many": []},
    ],
)
def test_what_is_not_there_is_a_default_or_nothing(row: dict[str, Any]) -> None:
    assert telling.tell(telling.plan_of(Outer), row, {}) == serializers.Serializer.to_representation(Outer(), row)


def test_what_has_to_be_there_is_missed() -> None:
    with pytest.raises(KeyError):
        telling.tell(telling.plan_of(Outer), {"deep": {}, "inner": None, "many": []}, {})


@pytest.mark.parametrize(
    ("view", "parts"),
    [
        ("api:match", {"match_id": 987654321}),
        ("api:competition", {"league": "987654322", "slug": "a"}),
        ("api:competition", {"league": "~:@!$&'()*+,;=", "slug": "100% ü?#"}),
        ("api:rating", {"slug": "harbour", "ruleset": "udl", "code": "7KQ2M0ZX"}),
        ("api:rounds", {"league": "%(slug)s", "slug": "%s"}),
    ],
)
def test_an_address_is_the_one_that_django_makes(rf, view: str, parts: dict[str, Any]) -> None:
    link = Link(view, **{name: name for name in parts})
    request = rf.get("/")
    assert link.told(parts, {"request": request}) == request.build_absolute_uri(reverse(view, kwargs=parts))
