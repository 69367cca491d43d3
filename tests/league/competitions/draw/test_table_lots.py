"""The lot that ends a table: drawn once, stored, shown."""

from random import Random

import pytest

from league.competitions.draw.lots import draw_table_lots
from league.competitions.models import Registration
from league.competitions.registration.entries import register
from league.errors import NotAllowed, Refused
from league.players.services import enrol
from tests.web import world as small


def lots(competition):
    return dict(Registration.objects.filter(competition=competition).values_list("entrant", "lot"))


def test_everybody_gets_one_lot_and_keeps_it(db) -> None:
    world = small.build(players=5)
    assert draw_table_lots(world.competition, user=world.owner, rng=Random(1)) == 5
    drawn = lots(world.competition)
    assert sorted(drawn.values()) == [1, 2, 3, 4, 5]
    assert draw_table_lots(world.competition, user=world.owner, rng=Random(2)) == 0
    assert lots(world.competition) == drawn


def test_another_chance_gives_another_order(db) -> None:
    world = small.build(players=5)
    found = set()
    for seed in range(6):
        Registration.objects.update(lot=None)
        draw_table_lots(world.competition, user=world.owner, rng=Random(seed))
        found.add(tuple(lots(world.competition).values()))
    assert len(found) > 1


def test_whoever_comes_later_stands_behind_those_who_have_a_lot(db) -> None:
    world = small.build(players=3, published=False)
    Registration.objects.filter(entrant=world.entrants[0]).update(lot=1)
    late = enrol(league=world.league, name="Zoe Late", since=small.FIRST.date())
    register(world.competition, [late])
    world.competition.published_at = small.FIRST
    world.competition.save()
    assert draw_table_lots(world.competition, user=world.owner, rng=Random(1)) == 3
    found = lots(world.competition)
    assert found[world.entrants[0].pk] == 1
    assert sorted(found.values()) == [1, 2, 3, 4]


def test_lots_are_drawn_when_it_is_known_who_takes_part_and_by_whoever_manages(db) -> None:
    world = small.build(published=False)
    with pytest.raises(Refused) as refused:
        draw_table_lots(world.competition, user=world.owner, rng=Random(1))
    assert refused.value.code == "not-published"
    for user in (world.ref, world.alice, world.charlie):
        with pytest.raises(NotAllowed):
            draw_table_lots(world.competition, user=user, rng=Random(1))
    assert set(lots(world.competition).values()) == {None}
