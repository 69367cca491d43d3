"""A line says the same of matches that a queryset names, which are read as plain values, and of loaded ones."""

from datetime import date

import pytest

from league.accounts.naming import this_year
from league.matches.models import Game, KnownBy, Match, Result, Table
from league.matches.queries.lines import match_lines
from league.matches.results.entering import enter_sheet
from league.players.models import Entrant, Player
from league.players.services import enrol
from tests.league.competitions.cup import enter_result


def with_result(world, match):
    enter_result(world, match, 1)


def that_waits(world, match):
    enter_sheet(match.games.get(), world.referee, {"scores": [150, 95]}, kind=KnownBy.SCORE)


def to_be_decided(world, match):
    that_waits(world, match)
    Result.objects.update(needs_decision=True, contested=True)


def with_a_log(world, match):
    """Which waits for its verdict."""
    world.submit(game=match.games.get())


def tallied(world, match):
    Game.objects.filter(match=match).update(tally={"points": [10, 5], "round": 2, "at": "2026-11-06T19:00:00+00:00"})
    Match.objects.filter(pk=match.pk).update(published_at="2026-11-06T18:00:00Z")


def of_a_pair_with_a_namesake(world, match):
    other = enrol(league=world.league, name="Zoe Ruiz", since=date(2026, 1, 1))
    Entrant.objects.filter(pk=match.sides.first().entrant_id).update(partner=other.player)
    Player.objects.filter(pk=other.player_id).update(apart="Harbour club")


def of_a_minor_at_a_table(world, match):
    Player.objects.filter(entrants__sides__match=match).update(born=this_year() - 12)
    Match.objects.filter(pk=match.pk).update(table=Table.objects.create(league=world.league, name="7", stream=True))


def of_somebody_erased(world, match):
    Player.objects.filter(entrants__sides__match=match).update(name="")


KINDS = [
    with_result,
    that_waits,
    to_be_decided,
    with_a_log,
    tallied,
    of_a_pair_with_a_namesake,
    of_a_minor_at_a_table,
    of_somebody_erased,
]


@pytest.mark.parametrize("kind", KINDS)
def test_read_as_plain_values_it_says_what_it_says_of_loaded_matches(world, kind):
    match = world.fixture()
    matches = Match.objects.filter(pk=match.pk)
    before = match_lines(matches)
    kind(world, match)
    for user in (world.charlie, world.alice, world.referee):
        assert match_lines(matches, user) == match_lines(list(matches), user)
    assert match_lines(matches) != before
