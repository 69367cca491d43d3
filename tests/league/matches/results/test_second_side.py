"""Proof of the second side, and the mark of one device for both sides."""

import pytest

from league.errors import Refused
from league.matches import guests
from league.matches.logs.submission import confirm_result, submit_log, verify_record
from league.matches.models import KnownBy, Match, Record, Result, Side
from league.matches.permissions import Guest
from league.matches.results import second_side
from league.matches.results.auto_confirm import confirm_by_silence
from league.matches.results.entering import enter_sheet
from league.matches.results.reviews import accept, disagree
from tests.league.world import NOON

SCORE = {"scores": [150, 95]}
LOG = '[Ruleset "udl"]\n[Seat.A "Ana Ruiz"]\n[Seat.B "Bo Chen"]\n\nround 1\nA 5-5 call 10\nB concedes\nend\n'
ONE, TWO = "a" * 32, "b" * 32


@pytest.fixture
def asked(world, monkeypatch):
    """Make the league ask for proof of the second side."""
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
    slip = guests.side_by_slip(Match.objects.get(pk=world.match.pk), world.bo.door)
    assert slip.is_proved
    confirm_result(result=result, user=slip)
    assert standing()[0] == "official"


def test_an_account_is_proof(world, asked):
    confirm_result(result=entered(world), user=world.bob)
    assert standing() == ("official", "person", "")


def test_a_phone_that_moved_with_the_pin_is_proved_and_one_that_took_the_name_is_not(world):
    match = Match.objects.get(pk=world.match.pk)
    assert not guests.take_side(match, 2, ONE, now=NOON).is_proved
    assert not guests.guest_of(match, ONE, "").is_proved
    assert guests.move_here(match, 2, world.bo.pin, TWO, now=NOON).is_proved
    assert guests.guest_of(match, TWO, "").is_proved
    guests.leave_side(match, TWO)
    guests.take_side(match, 2, ONE, now=NOON)
    assert not Side.objects.get(match=match, number=2).device_proved


def test_an_equal_entry_after_a_contradiction_needs_proof_too(world, asked):
    entered(world)
    enter_sheet(world.game, phone(world, 2, TWO), {"scores": [95, 150]}, kind=KnownBy.SCORE, at=NOON)
    with pytest.raises(Refused) as refused:
        enter_sheet(world.game, phone(world, 1), {"scores": [95, 150]}, kind=KnownBy.SCORE, at=NOON)
    assert refused.value.code == "needs-proof"


def test_a_knock_out_asks_too(world, monkeypatch):
    monkeypatch.setattr("league.competitions.receivers.is_of_knock_out", lambda match_id: match_id == world.match.pk)
    result = entered(world)
    with pytest.raises(Refused):
        confirm_result(result=result, user=phone(world, 2, TWO, hands="other"))
    monkeypatch.setattr("league.competitions.receivers.is_of_knock_out", lambda _match_id: False)  # the control
    confirm_result(result=result, user=phone(world, 2, TWO, hands="other"))
    assert standing()[0] == "official"


# --- The winner enters it in the name of the loser, then confirms it with an own proof ---

LOST = {"scores": [95, 150]}  # by the first side
SLIP = {"device": TWO, "hands": "h", "proved": True}


def in_the_name_of_the_loser(world, **more) -> Result:
    return enter_sheet(world.game, phone(world, 1, **more), LOST, kind=KnownBy.SCORE, at=NOON).result


def winner(world, proof):
    return world.bob if proof == "account" else phone(world, 2, **(SLIP if proof else SLIP | {"proved": False}))


def confirms(world, result, who):
    confirm_result(result=result, user=who)


def accepts(world, result, who):
    disagree(result, who, sentence="I typed it twice")
    accept(Result.objects.get(pk=result.pk), who)


def is_silent(world, result, who):
    if not confirm_by_silence(result.pk, world.match.pk, NOON):
        raise Refused("needs-proof", "nobody was silent")


WAYS = pytest.mark.parametrize(
    ("proof", "act"), [("slip", confirms), ("account", confirms), ("slip", accepts), ("", is_silent)]
)


@WAYS
def test_where_the_league_asks_the_loser_proves_its_word_too(world, asked, proof, act):
    result = in_the_name_of_the_loser(world)
    with pytest.raises(Refused) as refused:
        act(world, result, winner(world, proof))
    assert refused.value.code == "needs-proof"
    assert Result.objects.get(pk=result.pk).state == "provisional"


@WAYS
def test_without_that_the_winner_alone_makes_it_official(world, asked, monkeypatch, proof, act):
    """The control."""
    monkeypatch.setattr(second_side, "is_spoken_for", lambda _result: False)
    act(world, in_the_name_of_the_loser(world), winner(world, proof))
    assert standing()[0] == "official"


@pytest.mark.parametrize("proof", ["slip", "account", ""])
def test_the_winner_saying_the_same_waits_for_the_real_loser(world, asked, proof):
    in_the_name_of_the_loser(world)
    said = enter_sheet(world.game, winner(world, proof), LOST, kind=KnownBy.SCORE, at=NOON).result
    assert standing() == ("provisional", "", "")
    confirm_result(result=said, user=phone(world, 1, hands="other", by_pin=True))
    assert standing()[0] == "official"


@pytest.mark.parametrize("when", ["before", "after"])
def test_an_entry_of_the_loser_counts_once_the_phone_is_proved(world, asked, when):
    match = Match.objects.get(pk=world.match.pk)
    prove = lambda: guests.move_here(match, 1, world.ana.pin, ONE, now=NOON)  # noqa: E731
    result = in_the_name_of_the_loser(world, proved=prove().is_proved) if when == "before" else None
    if result is None:
        result = in_the_name_of_the_loser(world)
        prove()
    confirm_result(result=result, user=winner(world, "slip"))
    assert standing() == ("official", "side", "")


def test_elsewhere_it_is_kept_and_the_real_loser_is_asked_and_not_the_winner(world):
    confirm_result(result=in_the_name_of_the_loser(world), user=winner(world, "slip"))
    assert standing() == ("official", "side", "alike")
    result = Result.objects.get(current=True)
    assert not second_side.asks(winner(world, "slip"), 2, result)
    assert not second_side.asks(phone(world, 1), 1, result)
    assert second_side.asks(phone(world, 1, "c" * 32, hands="other", proved=True), 1, result)


def test_a_winner_who_repeats_a_word_that_counts_proves_itself(world, asked):
    in_the_name_of_the_loser(world, proved=True)
    with pytest.raises(Refused) as refused:
        enter_sheet(world.game, winner(world, ""), LOST, kind=KnownBy.SCORE, at=NOON)
    assert refused.value.code == "needs-proof"


def test_against_an_agreement_a_phone_that_proved_nothing_may_still_say_something_else(world, asked):
    entered(world)
    enter_sheet(world.game, phone(world, 2, TWO, hands="other", proved=True), SCORE, kind=KnownBy.SCORE, at=NOON)
    assert standing()[0] == "official"
    enter_sheet(world.game, phone(world, 1), LOST, kind=KnownBy.SCORE, at=NOON)
    assert Result.objects.get(current=True).contested


# --- Logs of the tile pad ---


def logged(world, who) -> Record:
    record = submit_log(game=world.game, user=who, raw=LOG.encode(), at=NOON).record
    verify_record(record.pk)
    return record


def test_the_log_of_a_phone_is_the_word_of_its_side(world):
    record = logged(world, phone(world, 1))
    assert (record.submitted_by, record.for_side, record.via, record.device) == (None, 1, "table", f"{ONE} h")
    assert standing() == ("provisional", "", "")
    confirm_result(result=Result.objects.get(), user=world.bob)
    assert standing() == ("official", "person", "")


@pytest.mark.parametrize(("device", "kept"), [(ONE, "same"), (TWO, "alike")])
def test_equal_logs_of_both_sides_from_one_device_are_marked(world, device, kept):
    logged(world, phone(world, 1))
    logged(world, phone(world, 2, device))
    assert standing() == ("official", "agreed", kept)


def test_where_the_second_side_proves_itself_a_log_needs_it_too(world, asked):
    logged(world, phone(world, 1))
    with pytest.raises(Refused) as refused:
        logged(world, phone(world, 2, TWO))
    assert refused.value.code == "needs-proof"
    logged(world, phone(world, 2, TWO, hands="other", proved=True))
    assert standing() == ("official", "agreed", "")
