"""One person with two private windows: what the second side's word counts, where it is proved, and what is kept."""

import pytest

from league.errors import Refused
from league.matches import doors, second_side
from league.matches.entering import enter_sheet
from league.matches.models import KnownBy, Match, Result, Side
from league.matches.permissions import Guest
from league.matches.services import confirm_result
from tests.league.world import NOON

SCORE = {"scores": [150, 95]}
ONE, TWO = "a" * 32, "b" * 32


@pytest.fixture
def asked(world, monkeypatch):
    """The league asks its second sides to prove themselves."""
    type(world.league).objects.update(second_side_proves=True)


def phone(world, side: int, device: str = ONE, hands: str = "h", **more) -> Guest:
    return Guest(world.match.pk, side, device=device, hands=hands, **more)


def entered(world, who=None) -> Result:
    return enter_sheet(world.game, who or phone(world, 1), SCORE, kind=KnownBy.SCORE, at=NOON).result


def standing() -> tuple[str, str, str]:
    one = Result.objects.get(current=True)
    return one.state, one.confirmed_how, one.one_device


@pytest.mark.parametrize(
    ("second", "kept"),
    [
        ({"device": ONE, "hands": "h"}, "same"),
        ({"device": TWO, "hands": "h"}, "alike"),
        ({"device": TWO, "hands": "other"}, ""),
        ({"device": ONE, "hands": "h", "by_pin": True}, ""),
        ({"device": TWO, "hands": "h", "proved": True}, ""),
    ],
)
@pytest.mark.parametrize("says", ["confirms", "enters the same"])
def test_both_sides_from_one_device_is_kept(world, second, kept, says):
    result, who = entered(world), phone(world, 2, **second)
    if says == "confirms":
        confirm_result(result=result, user=who)
    else:
        entered(world, who)
    state, _how, one_device = standing()
    assert (state, one_device) == ("official", kept)


@pytest.mark.parametrize("device", [ONE, TWO])
def test_where_the_league_asks_a_name_on_a_phone_is_not_enough(world, asked, device):
    result, who = entered(world), phone(world, 2, device, hands=device)
    for act in (lambda: confirm_result(result=result, user=who), lambda: entered(world, who)):
        with pytest.raises(Refused) as refused:
            act()
        assert refused.value.code == "needs-proof"
    assert standing() == ("provisional", "", "")
    confirm_result(result=result, user=phone(world, 2, device, by_pin=True))
    assert standing() == ("official", "pin", "")


def test_slip_and_account_are_proof(world, asked):
    result = entered(world)
    slip = doors.side_by_slip(Match.objects.get(pk=world.match.pk), world.bo.door)
    assert slip.is_proved
    confirm_result(result=result, user=slip)
    assert standing()[0] == "official"


def test_an_account_is_proof(world, asked):
    confirm_result(result=entered(world), user=world.bob)
    assert standing() == ("official", "person", "")


def test_a_phone_that_moved_with_the_pin_is_proved_and_one_that_took_the_name_is_not(world):
    match = Match.objects.get(pk=world.match.pk)
    assert not doors.take_side(match, 2, ONE, now=NOON).is_proved
    assert not doors.guest_of(match, ONE, "").is_proved
    assert doors.move_here(match, 2, world.bo.pin, TWO, now=NOON).is_proved
    assert doors.guest_of(match, TWO, "").is_proved
    doors.leave_side(match, TWO)
    doors.take_side(match, 2, ONE, now=NOON)
    assert not Side.objects.get(match=match, number=2).device_proved


def test_who_enters_the_same_again_after_a_contradiction_is_a_second_side_too(world, asked):
    entered(world)
    enter_sheet(world.game, phone(world, 2, TWO), {"scores": [95, 150]}, kind=KnownBy.SCORE, at=NOON)
    with pytest.raises(Refused) as refused:
        enter_sheet(world.game, phone(world, 1), {"scores": [95, 150]}, kind=KnownBy.SCORE, at=NOON)
    assert refused.value.code == "needs-proof"


def test_a_knock_out_asks_too(world, monkeypatch):
    monkeypatch.setattr(second_side, "KNOCK_OUT", [lambda match_id: match_id == world.match.pk])
    result = entered(world)
    with pytest.raises(Refused):
        confirm_result(result=result, user=phone(world, 2, TWO, hands="other"))
    monkeypatch.setattr(second_side, "KNOCK_OUT", [lambda _match_id: False])  # the control
    confirm_result(result=result, user=phone(world, 2, TWO, hands="other"))
    assert standing()[0] == "official"
