"""Ratings for programs: every member, from games that were played."""

from datetime import timedelta
from typing import Any

from django.utils import timezone

from league.competitions.models import RatedGame
from league.competitions.ratings import services as ratings
from league.competitions.ratings.glicko2 import USUAL, Strength, after, expected, idle
from tests.league.api.played import Played
from tests.league.api.test_reading_rows import V1, ana, bo, told
from tests.league.competitions.rated import competition, met
from tests.league.world import NOON

NEW = USUAL.start


def person(entrant: dict[str, Any]) -> dict[str, Any]:
    """Who is rated: a player, not the entrant."""
    return entrant["players"][0]


def strength(one: Strength) -> dict[str, float]:
    return {"rating": one.rating, "deviation": one.deviation, "volatility": one.volatility}


def test_ratings_of_a_league(played: Played) -> None:
    """Ana and Bo met once, in a competition that is decided; how long ago makes their strength less certain."""
    ratings.rate_league(played.world.league.pk)
    game = RatedGame.objects.get()
    pause = ratings.period_of(timezone.now(), "UTC", 7) - game.period - 1
    since = ratings.first_day(game.period, 7).isoformat()
    best, other = (
        (person(ana(played)), person(bo(played))) if game.points == 2 else (person(bo(played)), person(ana(played)))
    )
    if game.first.code != ana(played)["code"]:
        best, other = other, best
    won, lost = after(NEW, [(NEW, 1)]), after(NEW, [(NEW, 0)])
    rows = [
        {
            "ruleset": "udl",
            "rank": rank,
            "player": player,
            "strength": strength(idle(found, pause)),
            "change": found.rating - 1500,
            "games": 1,
            "since": since,
            "history": f"{V1}/leagues/harbour/ratings/udl/{player['code']}",
        }
        for rank, player, found in ((1, best, won), (2, other, lost))
    ]
    answer = {"count": 2, "next": None, "previous": None, "results": rows}
    assert told("leagues/harbour/ratings") == answer
    assert told("leagues/harbour/ratings?ruleset=udl") == answer
    assert told("leagues/harbour/ratings?ruleset=muggins")["results"] == []
    assert told("leagues/hills/ratings")["results"] == []


def test_how_a_rating_came_about(played: Played) -> None:
    world = played.world
    cup = competition(world, "Fives", ruleset="all-fives")
    first = met(world, cup, world.ana, world.bo, 1, 2, 1, best_of=3)
    second = met(world, cup, world.bo, world.ana, None, at=NOON + timedelta(weeks=3))
    ratings.rate_league(world.league.pk)
    code = ana(played)["code"]
    beat, lost = after(NEW, [(NEW, 1), (NEW, 0), (NEW, 1)]), after(NEW, [(NEW, 0), (NEW, 1), (NEW, 0)])
    mine, theirs = idle(beat, 2), idle(lost, 2)
    start = ratings.first_day(ratings.period_of(NOON, "UTC", 7), 7)

    def game(match, number, other, chance, points):
        told = {"match": match.pk, "number": number, "opponent": person(bo(played))}
        return told | {"strength": strength(other), "expected": chance, "points": points}

    assert told(f"leagues/harbour/ratings/all-fives/{code.lower()}")["results"] == [
        {
            "first": str(start + timedelta(weeks=3)),
            "last": str(start + timedelta(days=27)),
            "pause": 2,
            "before": strength(mine),
            "after": strength(after(mine, [(theirs, 0.5)])),
            "games": [game(second, 1, theirs, expected(mine, theirs), 0.5)],
        },
        {
            "first": str(start),
            "last": str(start + timedelta(days=6)),
            "pause": 0,
            "before": strength(NEW),
            "after": strength(beat),
            "games": [game(first, n, NEW, 0.5, points) for n, points in ((1, 1.0), (2, 0.0), (3, 1.0))],
        },
    ]
