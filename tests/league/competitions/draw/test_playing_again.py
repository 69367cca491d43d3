"""A match that was decided holds no table. Where its result is taken back or amended, it is played after all: beside
whoever has its table by now, never on top of them.
"""

from datetime import timedelta

import pytest

from league.competitions.draw.advancing import advance
from league.competitions.draw.schedule.rescheduling import move
from league.competitions.models import Matchday, Slot, Stage
from league.matches.models import KnownBy, Match, Table
from league.matches.results.entering import enter_sheet, undo_entry
from tests.league.competitions.amended import amend, score
from tests.league.competitions.cup import enter_result, published, slot
from tests.league.competitions.invariants import booked_twice

ROUND_ROBIN = Stage.Format.ROUND_ROBIN


@pytest.fixture
def casual(world):
    """What the referee enters is official."""
    world.league.confirmation_required = False
    world.league.save()
    return world


def place(one: Slot) -> tuple[str | None, bool]:
    """The name of its table, and whether it has an hour; its match says the same."""
    one.refresh_from_db()
    match = Match.objects.get(pk=one.match_id)
    assert (match.table_id, match.starts_at) == (one.table_id, one.starts_at)
    return one.table and one.table.name, one.starts_at is not None


def version(one: Slot) -> int:
    return Matchday.objects.get(pk=one.matchday_id).version


@pytest.mark.parametrize(("tables", "stays_at"), [(["1"], None), (["1", "2"], "2")])
def test_a_result_is_taken_back_while_another_match_has_the_table(casual, tables, stays_at):
    cup = published(casual, 4, format=ROUND_ROBIN, tables=tables)
    first, second = slot(cup, 1, 1), slot(cup, 1, 2)
    done = enter_sheet(first.match.games.get(), casual.referee, {"scores": [150, 95]}, kind=KnownBy.SCORE)
    move(second, user=casual.owner, table=Table.objects.get(name="1", league=cup.league), starts_at=first.starts_at)
    before = version(first)
    undo_entry(done.record, casual.referee)
    assert place(first) == (stays_at, True)
    assert place(second) == ("1", True)
    first.refresh_from_db()
    assert (version(first), first.changed_at is not None) == (before + 1, True)
    assert list(booked_twice(cup)) == []


def test_a_table_out_of_order_is_no_other_table(casual):
    cup = published(casual, 4, format=ROUND_ROBIN, tables=["1", "2", "3"])
    first, second = slot(cup, 1, 1), slot(cup, 1, 2)
    done = enter_sheet(first.match.games.get(), casual.referee, {"scores": [150, 95]}, kind=KnownBy.SCORE)
    move(second, user=casual.owner, table=Table.objects.get(name="1", league=cup.league), starts_at=first.starts_at)
    Table.objects.filter(name="2").update(out_of_order=True)
    undo_entry(done.record, casual.referee)
    assert place(first) == ("3", True)


def test_a_result_is_taken_back_while_one_of_the_two_plays_elsewhere(casual):
    cup = published(casual, 4, format=ROUND_ROBIN, tables=["1", "2"])
    first = slot(cup, 1, 1)
    done = enter_sheet(first.match.games.get(), casual.referee, {"scores": [150, 95]}, kind=KnownBy.SCORE)
    for other in (slot(cup, 1, 2), slot(cup, 2, 1)):
        enter_sheet(other.match.games.get(), casual.referee, {"scores": [150, 95]}, kind=KnownBy.SCORE)
    move(slot(cup, 2, 2), user=casual.owner, table=slot(cup, 2, 2).table, starts_at=first.starts_at)
    undo_entry(done.record, casual.referee)
    assert place(first) == (None, False)
    assert list(booked_twice(cup)) == []


def test_a_result_is_taken_back_and_nobody_has_the_table(casual):
    cup = published(casual, 4, format=ROUND_ROBIN, tables=["1", "2"])
    first = slot(cup, 1, 1)
    done = enter_sheet(first.match.games.get(), casual.referee, {"scores": [150, 95]}, kind=KnownBy.SCORE)
    before = version(first)
    undo_entry(done.record, casual.referee)
    assert (place(first), version(first)) == (("1", True), before)


def test_with_an_amended_game_a_match_of_three_is_not_over_and_its_table_is_another_one(world):
    cup = published(world, 4, format=ROUND_ROBIN, tables=["1", "2"], best_of=3)
    first, second = slot(cup, 1, 1), slot(cup, 1, 2)
    enter_result(world, first.match, 1)
    move(second, user=world.owner, table=Table.objects.get(name="1", league=cup.league), starts_at=first.starts_at)
    amend(world, first.match, score(95, 150), number=2)
    assert Match.objects.get(pk=first.match_id).state == Match.State.PLAYING
    assert place(first) == ("2", True), "it was given up by the other match"
    assert list(booked_twice(cup)) == []


def test_a_final_that_is_void_finds_another_table_where_its_own_is_taken(world):
    cup = published(world, 4, tables=["1", "2"], third_place=True)
    first = slot(cup, 1, 1).match
    for place_ in (1, 2):
        enter_result(world, slot(cup, 1, place_).match, 1)
    for place_ in (1, 2):
        advance(slot(cup, 1, place_).match_id)
    final, third = (Slot.objects.get(matchday__number=2, third_place=one) for one in (False, True))
    enter_result(world, final.match, 1)
    move(third, user=world.owner, table=final.table, starts_at=final.starts_at)
    amend(world, first, score(95, 150, later="void"), typed="Cup")
    final.refresh_from_db()
    assert Match.objects.get(pk=final.match_id).state == Match.State.SCHEDULED
    assert list(booked_twice(cup)) == []


def test_a_semi_final_that_is_taken_back_keeps_its_place_though_the_final_was_to_be_then(casual):
    cup = published(casual, 4, tables=["1", "2", "3"])
    semi, other, final = slot(cup, 1, 1), slot(cup, 1, 2), slot(cup, 2, 1)
    hour = final.starts_at - timedelta(minutes=10)
    move(semi, user=casual.owner, table=Table.objects.get(name="3", league=cup.league), starts_at=hour)
    done = enter_sheet(semi.match.games.get(), casual.referee, {"scores": [150, 95]}, kind=KnownBy.SCORE)
    enter_sheet(other.match.games.get(), casual.referee, {"scores": [150, 95]}, kind=KnownBy.SCORE)
    for one in (semi, other):
        advance(one.match_id)
    undo_entry(done.record, casual.referee)
    assert place(semi) == ("3", True)
    semi.refresh_from_db()
    assert semi.starts_at == hour
