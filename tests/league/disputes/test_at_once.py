"""Several who act on one dispute at the same moment. Real threads, on the database of this run."""

import pytest

from league.disputes import ruling
from league.disputes.chain import broken_at
from league.disputes.models import Dispute
from league.disputes.protests import agreeing, appealing
from league.errors import Refused
from league.matches.models import Result
from tests.league.disputes.courtroom import Outcome, file, find, logged, now, rule
from tests.league.matches.results.test_entering_at_once import at_once

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def world(shared_world):
    return shared_world


@pytest.fixture
def dispute(world):
    logged(world)
    return file(world)


def codes(found):
    return sorted(one.code if isinstance(one, Refused) else "done" for one in found)


def is_whole(dispute):
    entries = list(dispute.entries.order_by("number"))
    return broken_at(entries, dispute.code, dispute.game.code) is None


def test_of_two_who_rule_at_once_one_wins(world, dispute):
    find(dispute, world.referee, "yes")
    seen = dispute.entries.count()
    acts = [
        lambda who=who: rule(dispute, who, Outcome.DISMISSED, seen=seen)
        for who in (world.referee, world.second_referee, world.owner)
    ]
    assert codes(at_once(*acts)) == ["decided-meanwhile", "decided-meanwhile", "done"]
    assert (now(dispute).state, is_whole(dispute)) == ("ruled", True)


def test_of_two_who_confirm_at_once_one_wins(world, dispute):
    find(dispute, world.referee)
    rule(dispute, world.referee)
    acts = [lambda who=who: ruling.confirm_ruling(dispute, who) for who in (world.second_referee, world.owner)]
    assert codes(at_once(*acts)) == ["decided-meanwhile", "done"]
    assert Result.objects.filter(game=world.game, state="official").count() == 1
    assert is_whole(dispute)


def test_a_ruling_and_an_agreement_at_once(world, dispute):
    find(dispute, world.referee)
    agreeing.offer(dispute, world.bob, scores=(110, 165), winner=2)
    number = dispute.entries.count()
    found = at_once(
        lambda: agreeing.accept_offer(dispute, world.alice, number), lambda: rule(dispute, world.referee, seen=number)
    )
    assert codes(found) == ["decided-meanwhile", "done"]
    assert is_whole(dispute)


def test_two_protests_at_once_are_one_dispute(world):
    logged(world)
    assert codes(at_once(lambda: file(world, world.alice), lambda: file(world, world.bob))) == ["done", "done"]
    dispute = Dispute.objects.get()
    assert [one.kind for one in dispute.entries.order_by("number")] == ["filed", "joined"]


def test_of_two_appeals_at_once_one_is_filed(world, dispute):
    find(dispute, world.referee, "yes")
    rule(dispute, world.referee, Outcome.DISMISSED)
    found = at_once(*(lambda who=who: appealing.appeal(dispute, who, "Please") for who in (world.alice, world.bob)))
    assert codes(found) == ["decided-meanwhile", "done"]
