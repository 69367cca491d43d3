"""Payments changed by SQL are found and named."""

from datetime import UTC, date, datetime, timedelta
from importlib import import_module

import pytest
from django.apps import apps
from django.core.management import CommandError, call_command
from django.db import connection

from league.competitions.integrity.derived import everything
from league.competitions.models import Competition, Payment
from league.competitions.registration.fees import give_back, take_fee
from league.players.merging import merge, unmerge
from league.players.services import enrol
from tests.league.competitions.cup import drafted
from tests.league.tampering import drop_triggers, taken_back

HOUR = datetime(2026, 11, 20, 19, tzinfo=UTC)


@pytest.fixture
def paid(world) -> list[Payment]:
    """Three payments, of which the second was returned."""
    cup = drafted(world, 4)
    Competition.objects.filter(pk=cup.pk).update(fee=500)
    guest = cup.registrations.get(seed=3).entrant
    for entrant, amount in ((world.ana, 500), (world.bo, 200), (guest, 300)):
        take_fee(cup, entrant, user=world.referee, owed=500, amount=amount)
    give_back(Payment.objects.get(amount=200), user=world.owner)
    return list(Payment.objects.order_by("pk"))


def found() -> list[str]:
    return [str(one) for one in everything() if one.row.startswith("payment")]


def test_untouched_payments_have_no_difference(paid):
    assert found() == []
    hashes = [(bool(one.paid_head), bool(one.returned_head)) for one in paid]
    assert hashes == [(True, False), (True, True), (True, False)]


@pytest.mark.parametrize(
    ("number", "change"),
    [
        (0, {"amount": 400}),
        (0, {"taken_at": HOUR}),
        (0, {"taken_by": "owner"}),
        (2, {"entrant": "ana"}),
        (0, {"paid_head": None}),
        (0, {"paid_head": "0" * 64}),
        (0, {"returned_at": HOUR, "returned_by": "owner"}),
        (0, {"returned_at": HOUR, "returned_by": "owner", "returned_head": "0" * 64}),
        (1, {"returned_at": None, "returned_by": None}),
        (1, {"returned_at": None, "returned_by": None, "returned_head": "x"}),
        (1, {"returned_at": HOUR}),
        (1, {"returned_by": "referee"}),
    ],
)
def test_a_changed_payment_is_found(world, paid, number, change):
    people = {"owner": world.owner, "referee": world.referee, "ana": world.ana}
    Payment.objects.filter(pk=paid[number].pk).update(
        **{name: people.get(value, value) for name, value in change.items()}
    )
    assert found()[0].startswith(f"payment {paid[number].pk}: ")


def test_a_payment_of_another_competition_is_found(world, paid):
    other = drafted(world, 4, name="Other")
    Payment.objects.filter(pk=paid[0].pk).update(competition=other)
    assert [one.partition(":")[0] for one in found()] == [f"payment {paid[1].pk}", f"payment {paid[0].pk}"]


def test_a_removed_or_inserted_payment_is_found(world, paid):
    Payment.objects.filter(pk=paid[0].pk).delete()
    assert [one.partition(":")[0] for one in found()] == [f"payment {paid[1].pk}"]
    facts = {"competition": paid[1].competition, "entrant": world.ana, "taken_by": world.referee}
    added = Payment.objects.create(pk=paid[2].pk + 5, amount=500, taken_at=HOUR + timedelta(1), **facts)
    assert f"payment {added.pk}: chain head is None" in found()[-1]


def test_a_payment_of_a_missing_entrant_is_named_and_the_check_goes_on(paid):
    with taken_back():
        drop_triggers()
        Payment.objects.filter(pk=paid[0].pk).update(entrant=999_999)
        told = found()
    assert f"payment {paid[0].pk}: entrant is 999999, should be a row that is there" in told


def test_the_command_names_the_payment_and_fails(paid, capsys):
    Payment.objects.filter(pk=paid[2].pk).update(amount=1)
    with pytest.raises(CommandError, match="1 differences"):
        call_command("verify")
    assert f"payment {paid[2].pk}: chain head" in capsys.readouterr().out


def test_a_merge_of_players_breaks_no_chain(world, paid):
    guest = paid[2].entrant.player
    kept = enrol(league=world.league, name="Same Guest", since=date(2026, 1, 1)).player
    done = merge(kept=kept, absorbed=guest, league=world.league, by=world.owner)
    assert Payment.objects.get(pk=paid[2].pk).entrant.player == kept
    assert found() == []
    unmerge(done, league=world.league, by=world.owner)
    assert found() == []


def test_payments_before_the_chain_get_their_hashes(paid):
    before = list(Payment.objects.order_by("pk").values("paid_head", "returned_head"))
    Payment.objects.update(paid_head=None, returned_head=None)
    import_module("league.competitions.migrations.0016_payment_chain").chain(apps, connection.schema_editor())
    assert list(Payment.objects.order_by("pk").values("paid_head", "returned_head")) == before
