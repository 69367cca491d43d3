"""Coming to a match without an account: who is believed to be which side, and for how long."""

from datetime import timedelta

import pytest

from league.errors import Refused
from league.matches import guests
from league.matches.clock.services import start_clock
from league.matches.models import Match, Side
from league.matches.permissions import Guest
from tests.league.world import NOON

ONE, TWO = "a" * 32, "b" * 32


@pytest.fixture
def match(world) -> Match:
    return Match.objects.get(pk=world.match.pk)


def refusal(act, *args, **more) -> str:
    with pytest.raises(Refused) as refused:
        act(*args, **{"now": NOON, **more})
    return refused.value.code


def test_the_door_is_found_as_people_type_it(match):
    assert guests.match_by_door(f" {match.door[:6].lower()} {match.door[6:]}") == match


def test_a_draft_has_no_door(match):
    Match.objects.update(published_at=None)
    with pytest.raises(Match.DoesNotExist):
        guests.match_by_door(match.door)


def test_the_door_is_open_from_an_hour_before_for_a_day(match):
    match.starts_at = NOON + timedelta(days=7)
    assert not guests.is_open(match, NOON + timedelta(days=7, minutes=-61))
    assert guests.is_open(match, NOON + timedelta(days=7, minutes=-60))
    assert guests.is_open(match, NOON + timedelta(days=7, hours=23, minutes=59))
    assert not guests.is_open(match, NOON + timedelta(days=8))
    match.state = Match.State.DECIDED
    assert not guests.is_open(match, NOON + timedelta(days=7))


def test_without_an_hour_it_is_open_from_publication(match):
    assert match.starts_at is None
    assert guests.is_open(match, match.published_at)
    assert not guests.is_open(match, match.published_at + timedelta(days=1))


def test_a_match_that_was_called_is_open_before_its_hour(match):
    match.starts_at = NOON + timedelta(days=7)
    match.state = Match.State.PLAYING
    assert guests.is_open(match, NOON)


def test_without_an_hour_it_is_open_again_for_a_day_once_it_is_called(world, match):
    late = match.published_at + timedelta(days=20)
    assert not guests.is_open(match, late)
    start_clock(match.games.get(), world.referee, late)
    match.refresh_from_db()
    assert guests.is_open(match, late + timedelta(minutes=1))
    assert not guests.is_open(match, late + timedelta(hours=25))


def test_a_closed_door_says_when_it_opens_and_the_desk_opens_it(world, match):
    Match.objects.update(starts_at=NOON + timedelta(days=7))
    match.refresh_from_db()
    for act in (guests.take_side, guests.side_by_pin):
        with pytest.raises(Refused) as refused:
            act(match, 1, ONE, now=NOON)
        assert refused.value.code == "door-early"
        assert "27 November 2026, 11:00" in str(refused.value)
    assert refusal(guests.open_door, match, by=world.alice) == "no-permission"
    guests.open_door(match, by=world.referee, now=NOON)
    assert guests.take_side(match, 1, ONE, now=NOON).side == 1
    Match.objects.update(state="decided")
    match.refresh_from_db()
    assert refusal(guests.open_door, match, by=world.referee) == "match-decided"
    assert refusal(guests.take_side, match, 1, ONE) == "door-closed"


def test_the_desk_opens_a_door_whose_day_is_over(world, match):
    late = NOON + timedelta(days=3)
    assert refusal(guests.take_side, match, 1, ONE, now=late) == "door-closed"
    guests.open_door(match, by=world.referee, now=late)
    assert guests.is_open(match, late + timedelta(hours=23))
    assert not guests.is_open(match, late + timedelta(hours=24))


def test_the_first_phone_of_a_side_is_believed_and_known_again(match):
    assert guests.take_side(match, 1, ONE, now=NOON) == Guest(match.pk, 1)
    assert guests.take_side(match, 1, ONE, now=NOON) == Guest(match.pk, 1)
    assert guests.take_side(match, 2, TWO, now=NOON) == Guest(match.pk, 2)
    assert list(Side.objects.order_by("number").values_list("device", flat=True)) == [ONE, TWO]


def test_one_phone_is_not_both_sides_and_a_second_phone_needs_the_pin(match):
    guests.take_side(match, 1, ONE, now=NOON)
    assert refusal(guests.take_side, match, 2, ONE) == "needs-pin"
    assert refusal(guests.take_side, match, 1, TWO) == "needs-pin"
    assert refusal(guests.take_side, match, 3, TWO) == "no-side"


def test_the_pin_of_a_slip_speaks_for_its_side_alone(world, match):
    world.ana.pin, world.bo.pin = "1111", "2222"
    world.ana.save()
    world.bo.save()
    assert guests.side_by_pin(match, 1, " 1111 ", now=NOON) == Guest(match.pk, 1, by_pin=True)
    assert refusal(guests.side_by_pin, match, 1, "2222") == "wrong-pin"


def test_after_twenty_wrong_pins_the_right_one_is_no_help_to_a_stranger(world, match):
    wrong = "0000" if world.ana.pin != "0000" else "0001"
    for _ in range(20):
        assert refusal(guests.side_by_pin, match, 1, wrong) == "wrong-pin"
    assert refusal(guests.side_by_pin, match, 1, world.ana.pin) == "too-many-tries"
    assert guests.side_by_pin(match, 1, world.ana.pin, known=ONE, now=NOON).side == 1
    assert guests.side_by_pin(match, 2, world.bo.pin, now=NOON).side == 2


def test_a_slip_opens_the_match_for_its_own_side(world, match):
    assert guests.side_by_slip(match, world.bo.door) == Guest(match.pk, 2, proved=True)
    assert guests.side_by_slip(match, "nobody") is None


def test_every_door_is_its_own(world):
    codes = {world.fixture().door for _ in range(3)} | {world.match.door, world.ana.door, world.bo.door}
    assert {len(code) for code in codes} == {12, 16}
    assert len(codes) == 6
