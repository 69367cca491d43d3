"""A fee is owed, paid to somebody, or let off with a reason; the cash of each person adds up to all that was taken."""

import pytest
from django.utils import translation

from league.competitions.models import Competition, Payment
from league.competitions.registration import fees
from league.competitions.registration.entries import unregister
from league.competitions.registration.fees import give_back, let_off, take_fee
from league.errors import NotAllowed, Refused
from tests.league.competitions.cup import drafted
from tests.league.competitions.draw.test_advancing import both_at_once


@pytest.fixture
def cup(world):
    return with_fee(drafted(world, 4))


def with_fee(competition):
    Competition.objects.filter(pk=competition.pk).update(fee=500, currency="€")
    competition.refresh_from_db()
    return competition


def pay(cup, entrant, user, **more):
    return take_fee(cup, entrant, user=user, **({"owed": 500} | more))


def tills(cup):
    found = fees.cash(cup)
    return [(till.name, till.payments, till.amount) for till in found.tills], found.total, found.owed


def test_what_each_took_adds_up(world, cup):
    guest = cup.registrations.get(seed=3).entrant
    pay(cup, world.ana, world.referee)
    pay(cup, world.bo, world.referee, amount=200)
    pay(cup, world.bo, world.owner, owed=300)
    let_off(cup, guest, user=world.referee, reason="  lent   the tables ")
    assert tills(cup) == ([("owner", 1, 300), ("Rosa Ley", 2, 700)], 1000, 500)
    assert [(str(row.entrant), row.free_reason) for row in fees.cash(cup).free] == [("P3", "lent the tables")]


def test_money_that_is_given_back_leaves_the_sums_and_stays_in_the_list(world, cup):
    payment = pay(cup, world.ana, world.referee)
    assert give_back(payment, user=world.owner)
    assert not give_back(payment, user=world.owner)
    assert tills(cup) == ([], 0, 2000)
    assert [(one.amount, str(one.returned_by)) for one in fees.cash(cup).payments] == [(500, "owner")]
    pay(cup, world.ana, world.owner)
    assert tills(cup) == ([("owner", 1, 500)], 500, 1500)


def test_a_form_that_is_sent_twice_takes_the_money_once(world, cup):
    pay(cup, world.ana, world.referee)
    with pytest.raises(Refused) as caught:
        pay(cup, world.ana, world.referee)
    assert (caught.value.code, Payment.objects.count()) == ("fee-changed", 1)


def test_two_desks_that_take_the_fee_at_once_take_it_once(shared_world):
    cup = with_fee(drafted(shared_world, 4))
    errors = both_at_once(lambda user: pay(cup, shared_world.ana, user), shared_world.referee, shared_world.owner)
    assert [one.code for one in errors] == ["fee-changed"]
    assert [one.amount for one in Payment.objects.all()] == [500]


@pytest.mark.parametrize("amount", [0, -1, 501])
def test_an_amount_that_is_not_owed_is_refused(world, cup, amount):
    with pytest.raises(Refused) as caught:
        pay(cup, world.ana, world.referee, amount=amount)
    assert (caught.value.code, Payment.objects.count()) == ("bad-amount", 0)


def test_who_plays_free_or_where_nothing_is_owed_nobody_pays(world, cup):
    let_off(cup, world.ana, user=world.referee, reason="a guest")
    free = drafted(world, 2, name="Free")
    for competition, owed in ((cup, 500), (cup, 0), (free, 0)):
        with pytest.raises(Refused) as caught:
            pay(competition, world.ana, world.referee, owed=owed)
        assert caught.value.code == "fee-changed"
    with pytest.raises(Refused) as caught:
        let_off(cup, world.ana, user=world.referee, reason="x" * 121)
    assert caught.value.code == "long-reason"


def test_players_and_strangers_touch_no_money(world, cup):
    payment = pay(cup, world.bo, world.referee)
    acts = (
        lambda user: pay(cup, world.ana, user),
        lambda user: give_back(payment, user=user),
        lambda user: let_off(cup, world.ana, user=user, reason="me"),
    )
    for stranger in (world.alice, world.charlie):
        for act in acts:
            with pytest.raises(NotAllowed):
                act(stranger)
    assert tills(cup) == ([("Rosa Ley", 1, 500)], 500, 1500)


def test_who_paid_and_is_taken_out_of_the_draft_is_still_in_the_cash(world, cup):
    pay(cup, world.ana, world.referee)
    unregister(cup, world.ana, user=world.owner)
    assert tills(cup) == ([("Rosa Ley", 1, 500)], 500, 1500)


@pytest.mark.parametrize(
    ("language", "amount", "told"),
    [("en", 1250, "12.50 €"), ("es", 1250, "12,50 €"), ("en", 5, "0.05 €"), ("en", 123456789, "1,234,567.89 €")],
)
def test_amounts_are_written_as_the_reader_writes_numbers(language, amount, told):
    with translation.override(language):
        assert fees.told(amount, "€").replace("\xa0", " ") == told
