"""Somebody comes late to rounds at tables of more than two, and sits down where a seat is empty."""

import pytest

from league.competitions.attendance.late_entries import walk_in
from league.competitions.attendance.late_places import offers
from league.competitions.attendance.withdrawals import undo_withdrawal, withdraw
from league.competitions.draw.rebuilding import differences
from league.competitions.models import Berth, Slot
from league.errors import Refused
from league.players.models import Entrant
from tests.league.competitions.at_tables import play, published, sides, slots

pytestmark = pytest.mark.django_db


def refused(act) -> str:
    with pytest.raises(Refused) as caught:
        act()
    return caught.value.code


def tables_of(competition, name) -> list[tuple[int, list[str]]]:
    """By round, with whom."""
    rows = Slot.objects.filter(matchday__stage__competition=competition, berths__entrant__player__name=name)
    return [
        (slot.matchday.number, sorted(one for one in sides(slot.match) if one != name))
        for slot in rows.select_related("matchday", "match").order_by("matchday__number")
    ]


def test_a_newcomer_sits_at_a_smaller_table_in_every_round(world):
    competition = published(world, 7)
    before = {one.pk: one.version for one in competition.stages.get().matchdays.all()}
    doors = {slot.pk: slot.match.door for number in (1, 2, 3) for slot in slots(competition, number)}
    done = walk_in(competition, "Zoe Late", user=world.owner)
    assert [(place.slot.matchday.number, len(place.others) + 1) for place in done.places] == [(1, 3), (2, 3), (3, 3)]
    assert [(number, len(there)) for number, there in tables_of(competition, "Zoe Late")] == [(1, 3), (2, 3), (3, 3)]
    assert all(len(sides(slot.match)) == 4 for number in (1, 2, 3) for slot in slots(competition, number))
    assert {slot.pk: slot.match.door for number in (1, 2, 3) for slot in slots(competition, number)} == doors
    assert {one.pk: one.version - before[one.pk] for one in competition.stages.get().matchdays.all()} == dict.fromkeys(
        before, 1
    )
    assert done.registration.checked_in_at is not None
    assert differences(competition) == []


def test_a_table_that_has_begun_is_left_alone_and_a_round_that_is_over_stays(world):
    competition = published(world, 10)  # 4, 3 and 3
    for slot in slots(competition, 1):
        play(world, slot, (150, 90, 60, 20)[: len(sides(slot.match))])
    small = [slot for slot in slots(competition, 2) if len(sides(slot.match)) == 3]
    play(world, small[0], (150, 90, 60))
    [offer] = offers(competition)
    assert (offer.missed, offer.now.slot.pk, [place.slot.matchday.number for place in offer.later]) == (
        1, small[1].pk, [3],
    )  # fmt: skip
    walk_in(competition, "Zoe Late", user=world.owner, now=False)
    assert [number for number, _there in tables_of(competition, "Zoe Late")] == [3]
    assert differences(competition) == []


def test_where_every_table_is_full_nobody_is_taken_in(world):
    competition = published(world, 8)
    assert offers(competition) == []
    assert refused(lambda: walk_in(competition, "Zoe Late", user=world.owner)) == "no-bye"
    assert competition.registrations.count() == 8


def test_a_second_newcomer_takes_the_next_seat_and_meets_others(world):
    competition = published(world, 10)
    walk_in(competition, "Zoe Late", user=world.owner)
    walk_in(competition, "Yan Later", user=world.owner)
    assert offers(competition) == [], "4, 4 and 4"
    met = [one for _number, there in tables_of(competition, "Zoe Late") for one in there]
    assert len(met) == 9
    assert max(map(met.count, met)) <= 2
    assert differences(competition) == []


def test_a_round_without_an_empty_seat_is_named(world):
    competition = published(world, 7)
    first = slots(competition, 1)
    play(world, next(slot for slot in first if len(sides(slot.match)) == 3), (150, 90, 60))
    [offer] = offers(competition)
    assert [str(day) for day in offer.full] == ["Round 1"]
    assert offer.missed == 0
    assert [place.slot.matchday.number for place in offer.places] == [2, 3]


def test_the_seat_of_who_left_is_taken_and_who_left_does_not_come_back_to_it(world):
    competition = published(world, 8)
    leaver = competition.registrations.get(seed=8).entrant
    done = withdraw(competition, leaver, user=world.owner, reason="ill")
    walk_in(competition, "Zoe Late", user=world.owner)
    assert [(number, len(there)) for number, there in tables_of(competition, "Zoe Late")] == [(1, 3), (2, 3), (3, 3)]
    assert differences(competition) == []
    assert refused(lambda: undo_withdrawal(done, user=world.owner)) == "seat-taken"
    assert Berth.objects.filter(entrant=leaver, absent_since=None).count() == 0


def test_who_plays_elsewhere_at_that_hour_does_not_sit_there(world):
    competition, other = published(world, 7), published(world, 8, name="Other tables")
    busy = Entrant.objects.get(player__name="P8")
    Slot.objects.filter(matchday__stage__competition=other).update(starts_at=None)
    hour = slots(competition, 2)[0].starts_at
    Slot.objects.filter(matchday__stage__competition=other, matchday__number=1).update(starts_at=hour)
    done = walk_in(competition, busy.player.code, user=world.owner)
    assert [place.slot.matchday.number for place in done.places] == [1, 3]


@pytest.mark.parametrize("count", [7, 10, 27])
def test_offers_take_the_same_statements_for_any_number_of_tables(world, django_assert_num_queries, count):
    competition = published(world, count)
    with django_assert_num_queries(6):
        assert len(offers(competition)[0].places) == 3


def test_a_table_takes_no_more_than_its_rules_do(world):
    competition = published(world, 6, seats=3, options={"players": "3-3"})
    assert offers(competition) == []
