"""T-14 (RELIABILITY.md): in a Swiss system of nine rounds one result of each earlier round is amended. Standings with
their tie-breaks and the ratings are what a rebuild from nothing gives, the published pairings stay and say so, and the
table as it stood after each round can still be looked at.

16 players here; with `THOROUGH=1` the 64 of the promise.
"""

from random import Random

import pytest

from league.competitions.draw.publishing import publish_matchday
from league.competitions.draw.rebuilding import differences
from league.competitions.draw.stages import draw_next
from league.competitions.models import Competition, Matchday, Slot
from league.competitions.queries.competition import competition_page
from league.competitions.ratings import services as ratings
from league.matches.models import Result
from tests.league.competitions import at_tables
from tests.league.competitions.amended import amend, score
from tests.league.competitions.cup import names, published
from tests.league.competitions.invariants import scene, wrong
from tests.volume import amount

PLAYERS = amount(64)
ROUNDS = 9
PLAN = {
    "format": "swiss",
    "rounds": ROUNDS,
    "release": Competition.Release.ROUND_BY_ROUND,
    "tie_breaks": ["match_points", "buchholz_cut_1", "buchholz", "sonneborn_berger", "progressive", "difference"],
}


def slots(competition, number):
    rows = Slot.objects.filter(matchday__stage__competition=competition, matchday__number=number, match__isnull=False)
    return list(rows.select_related("match").order_by("number"))


def play(world, competition, number, chance):
    for one in slots(competition, number):
        winner, points = chance.choice([1, 2]), (150, 5 * chance.randrange(29))
        at_tables.play(world, one, points if winner == 1 else points[::-1])


def table(world, competition, after=None):
    """Every row with all of its numbers."""
    page = competition_page(world.owner, competition.league.slug, competition.slug, after=after)
    return [
        (row.rank, row.name, row.match_points, row.difference, [figure.value for figure in row.figures.values()])
        for row in page.official
    ]


@pytest.fixture
def nine_rounds(world):
    made, chance = published(world, PLAYERS, **PLAN), Random(9)
    play(world, made, 1, chance)
    for number in range(2, ROUNDS + 1):
        publish_matchday(draw_next(made, user=world.owner), user=world.owner)
        if number < ROUNDS:
            play(world, made, number, chance)
    ratings.rate_league(world.league.pk)
    return made


@pytest.mark.slow("amends every round of a large competition")
def test_a_swiss_of_nine_rounds_equals_a_rebuild_whichever_earlier_round_is_amended(world, nine_rounds):
    cup = nine_rounds
    pairings = [names(cup, number) for number in range(1, ROUNDS + 1)]
    rows = Matchday.objects.filter(stage__competition=cup).order_by("number")
    days = list(rows.values_list("version", "published_at"))
    for number in range(1, ROUNDS):
        earlier, later = table(world, cup, number - 1) if number > 1 else [], table(world, cup)
        match = slots(cup, number)[0].match
        old = Result.objects.get(game__match=match, current=True).scores
        amend(world, match, score(old["2"], old["1"]))
        ratings.rate_match(match.pk)
        now = scene(cup)
        assert wrong(cup, world.owner, now, friendly=[world.match.pk]) == []
        assert differences(cup) == []
        [rated] = cup.league.rating_lists.all()
        assert ratings.differences(rated) == []
        assert table(world, cup) != later
        assert earlier == [] or table(world, cup, number - 1) == earlier, "as it stood before that round"
        page = competition_page(world.owner, cup.league.slug, cup.slug)
        assert [day.paired_before for day in page.matchdays[number:]] == [match.pk] * (ROUNDS - number)
    assert [names(cup, number) for number in range(1, ROUNDS + 1)] == pairings
    assert list(rows.all().values_list("version", "published_at")) == days
