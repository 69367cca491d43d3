"""The control of the invariants: a competition in which all is well has nothing wrong, and each wrong is named."""

from datetime import timedelta

import pytest
from django.utils import timezone

from league.competitions.attendance.withdrawals import withdraw
from league.competitions.models import Berth, Matchday, Payment, Slot, Stage, Withdrawal
from league.matches.models import Side
from league.players.models import Entrant
from tests.league.competitions import at_tables
from tests.league.competitions.cup import published, slot
from tests.league.competitions.invariants import Scene, scene, wrong, wrong_step
from tests.league.competitions.night_kinds import LadderNight
from tests.league.competitions.pair_world import pair, published_pairs


@pytest.fixture
def night(world):
    made = published(world, 4, format="round_robin", tables=["1", "2"], fee=500)
    at_tables.play(world, slot(made, 1, 1), (150, 95))
    return made


def found(world, night):
    return wrong(night, world.owner, scene(night), friendly=[world.match.pk])


def test_nothing_is_wrong_with_a_competition_as_it_is_played(world, night):
    assert found(world, night) == []
    assert wrong_step(Scene(), scene(night)) == []


def twice_in_a_round(_world, night):
    one, other = slot(night, 2, 1).berths.first(), slot(night, 2, 2).berths.first()
    Berth.objects.filter(pk=other.pk).update(entrant=one.entrant_id)


def table_twice(_world, night):
    first = slot(night, 2, 1)
    Slot.objects.filter(pk=slot(night, 2, 2).pk).update(
        table=first.table, starts_at=first.starts_at + timedelta(minutes=5)
    )


def lost_match(_world, night):
    Slot.objects.filter(pk=slot(night, 3, 1).pk).update(match=None)


def gone_and_awaited(world, night):
    Withdrawal.objects.create(
        competition=night, entrant=world.bo, reason="ill", made_at=timezone.now(), made_by=world.owner
    )


def paid_twice(world, night):
    Payment.objects.create(
        competition=night, entrant=world.bo, amount=1000, taken_at=timezone.now(), taken_by=world.owner
    )


@pytest.mark.parametrize(
    ("break_it", "told"),
    [
        (twice_in_a_round, "is in round 2 2 times"),
        (table_twice, "table 1 is booked twice"),
        (lost_match, "has no slot"),
        (gone_and_awaited, "is open, though one of the two has left"),
        (paid_twice, "has paid 1000"),
    ],
)
def test_each_wrong_is_named(world, night, break_it, told):
    break_it(world, night)
    assert any(told in one for one in found(world, night))


def test_a_table_that_counts_wrongly_is_named(world, night, monkeypatch):
    monkeypatch.setattr("league.competitions.standings.table.counting", lambda line: [])
    assert any("should be Line(won=1" in one for one in found(world, night))


@pytest.fixture
def tables(world):
    made = at_tables.published(world, 7, rounds=2, bye_points=1)
    first, _second = at_tables.slots(made, 1)
    at_tables.play(world, first, (100, 40, 40, 10))
    return made


def test_nothing_is_wrong_at_tables_of_several_and_each_wrong_is_named(world, tables, monkeypatch):
    assert found(world, tables) == []
    open_slot = at_tables.slots(tables, 2)[0]
    gone = open_slot.berths.first().entrant
    done = withdraw(tables, gone, user=world.owner, reason="ill")
    assert found(world, tables) == []
    Side.objects.create(match=open_slot.match, number=9, entrant=gone)
    Berth.objects.filter(slot=open_slot, entrant=gone).update(absent_since=None)
    assert any(f"entrants [{gone.pk}] have left and sit at table" in one for one in found(world, tables))
    Side.objects.filter(number=9).delete()
    Berth.objects.filter(slot=open_slot, entrant=gone).update(absent_since=done.made_at)
    monkeypatch.setattr("league.competitions.standings.table.by_place", lambda at, points: dict.fromkeys(at, 1))
    assert any("should be Line(won=1" in one for one in found(world, tables))


def test_who_is_in_two_pairs_is_named(world):
    made = published_pairs(world)
    assert found(world, made) == []
    ana, bo = pair("Ana Ruiz"), pair("Bo Chen")
    Entrant.objects.filter(pk=bo.pk).update(partner=ana.partner)
    assert f"player {ana.partner_id} takes part 2 times" in found(world, made)


def test_a_published_round_that_changes_in_silence_is_named(world, night):
    before = scene(night)
    Slot.objects.filter(pk=slot(night, 1, 1).pk).update(table=slot(night, 1, 2).table)
    assert [one.partition(" of")[2] for one in wrong_step(before, scene(night))] == [
        " the published round 1 changed and does not say so"
    ]
    Matchday.objects.filter(stage__competition=night, number=1).update(published_at=None)
    assert "round 1 is not published any more" in wrong_step(before, scene(night))


def test_a_pair_that_meets_again_is_named(world, night):
    again = slot(night, 2, 1)
    pair = list(slot(night, 1, 1).berths.order_by("number").values_list("entrant", flat=True))
    for berth, one in zip(again.berths.order_by("number"), pair, strict=True):
        Berth.objects.filter(pk=berth.pk).update(entrant=one)
    assert any("meet again" in one for one in wrong_step(Scene(), scene(night)))


def test_a_ladder_in_another_order_than_it_was_played_is_named(db, monkeypatch, at_once):
    plan = {"format": Stage.Format.LADDER, "challenge_reach": LadderNight.reach, "challenge_days": LadderNight.days}
    night = type("LadderNight", (LadderNight,), {"plan": plan})()
    try:
        night.found(count=4, shown=True, asks=False)
        night.challenge(which=3, above=2)
        night.enter(which=0, winner=2, lost=3, by="referee")
        seeds = list(night.registrations().values_list("entrant", flat=True))
        assert night.order() == [seeds[0], seeds[3], seeds[1], seeds[2]]
        night.everybody_stands_where_they_should()
        monkeypatch.setattr(
            "league.competitions.ladders.services.orders", lambda seeds, bouts: [seeds] * (len(bouts) + 1)
        )
        with pytest.raises(AssertionError):
            night.everybody_stands_where_they_should()
    finally:
        night.teardown()
