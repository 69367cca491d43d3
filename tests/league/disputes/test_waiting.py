"""Open cases of an account: the next step of each side and official, in each state."""

import pytest
from django.contrib.auth.models import AnonymousUser
from django.db import connection
from django.test.utils import CaptureQueriesContext

from league.accounts.models import Role
from league.disputes import deciders, ruling
from league.disputes.protests import agreeing, appealing, statements
from league.disputes.waiting import open_cases
from tests.league.disputes.courtroom import FRAUD, Outcome, file, find, logged, rule

pytestmark = pytest.mark.django_db


def steps(world, *names: str) -> list[str]:
    """The next step of each account, "" for none."""
    found = [open_cases(getattr(world, name)) for name in names]
    return ["".join(one.step.value for one in cases) for cases in found]


def test_each_step_of_a_case_has_the_accounts_that_take_it(world):
    logged(world)
    dispute = file(world)
    everybody = ("alice", "bob", "referee", "owner", "second_referee", "charlie")
    assert steps(world, *everybody) == ["state", "state", "find", "find", "find", ""]
    statements.give_statement(dispute, world.alice, "I called in time")
    agreeing.offer(dispute, world.bob)
    assert steps(world, "alice", "bob") == ["answer", "state"]
    find(dispute, world.referee)
    assert steps(world, "referee", "owner") == ["rule", "rule"]
    rule(dispute, world.referee)
    assert steps(world, *everybody) == ["wait", "wait", "", "confirm", "confirm", ""]
    ruling.confirm_ruling(dispute, world.second_referee)
    assert steps(world, *everybody) == ["appeal", "appeal", "", "", "", ""]
    appealing.appeal(dispute, world.bob, "Nobody asked the witness")
    assert steps(world, "referee", "owner", "second_referee") == ["", "hear", ""]
    assert open_cases(AnonymousUser()) == []


def test_a_side_reads_the_ruling_where_nobody_is_left_for_an_appeal(world):
    logged(world)
    dispute = file(world)
    find(dispute, world.owner, "yes")
    rule(dispute, world.owner, Outcome.DISMISSED)
    Role.objects.filter(user=world.second_referee).delete()
    assert steps(world, "alice") == ["read"]


def test_a_referee_who_stepped_back_has_no_step(world):
    logged(world)
    dispute = file(world)
    deciders.take_case(dispute, world.referee)
    deciders.step_back(dispute, world.referee)
    assert steps(world, "referee", "owner") == ["", "find"]


def test_three_cases_take_the_statements_of_one(world):
    logged(world)
    file(world)
    with CaptureQueriesContext(
        connection,
    ) as one:
        open_cases(world.alice)
    for _count in range(2):
        world.match = world.fixture()
        logged(world)
        file(world, point=FRAUD)
    with CaptureQueriesContext(connection) as three:
        assert len(open_cases(world.alice)) == 3
    assert len(three) == len(one)
