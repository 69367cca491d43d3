"""Counting the matches of many competitions at once says the same as counting those of each."""

import pytest

from league.competitions.draw.advancing import advance
from league.competitions.draw.counts import DrawCount, draw_counts
from league.competitions.models import Competition, Slot, Stage
from league.matches.models import Match
from tests.league.competitions.cup import drafted, enter_result, published, slot
from tests.league.world import World


def counted(competition: Competition) -> DrawCount:
    slots = Slot.objects.filter(matchday__stage__competition=competition, berths__number=2)
    decided = slots.filter(match__state=Match.State.DECIDED)
    return DrawCount(competition.registrations.count(), slots.count(), decided.count())


@pytest.fixture
def several(world: World) -> list[Competition]:
    """With byes, with matches that nobody knows yet, played ones, one that waits for its confirmation, and a draft."""
    cup = published(world, 5, third_place=True)
    table = published(world, 5, name="Table", format=Stage.Format.ROUND_ROBIN)
    first = next(one for one in (slot(table, 1, number) for number in (1, 2, 3)) if one.match)
    enter_result(world, first.match, 1)
    enter_result(world, slot(cup, 1, 2).match, 2)
    advance(slot(cup, 1, 2).match.pk)
    waiting = next(one for one in (slot(table, 2, number) for number in (1, 2, 3)) if one.match)
    enter_result(world, waiting.match, 1, official=False)
    return [cup, table, drafted(world, 6, name="Draft")]


def test_the_counts_are_those_of_each(world: World, several: list[Competition]) -> None:
    keys = [one.pk for one in several]
    found = draw_counts(keys)
    assert found == {one.pk: counted(one) for one in several}
    assert found[keys[0]] == DrawCount(players=5, matches=5, decided=1)
    assert found[keys[1]] == DrawCount(players=5, matches=10, decided=1)


def test_four_statements_for_any_number(world: World, several: list[Competition], django_assert_num_queries) -> None:
    for keys in ([several[0].pk], [one.pk for one in several]):
        with django_assert_num_queries(4):
            draw_counts(keys)


def test_a_competition_without_a_draw_has_none(world: World) -> None:
    assert draw_counts([0]) == {0: DrawCount()}
