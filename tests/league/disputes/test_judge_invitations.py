"""Invitations to judge one case: one use, half an hour, a member who does not play."""

from datetime import date, timedelta

import pytest
from django.contrib.auth.models import AnonymousUser

from league.accounts.models import Role
from league.disputes.judge_invitations import invite_judge, judge_invitation, take_judge_invitation
from league.disputes.models import Dispute
from league.disputes.queries import case_view, visible_disputes
from league.errors import Refused
from league.matches.models import NamedJudge
from league.matches.results.judges import accept_judge, name_judge
from league.players.services import enrol
from tests.league.disputes.courtroom import FRAUD, file, find, logged, rule, score, soon
from tests.league.world import World, person

pytestmark = pytest.mark.django_db


def refused(act, *args, **more):
    with pytest.raises(Refused) as caught:
        act(*args, **more)
    return caught.value.code


@pytest.fixture
def alone(world) -> World:
    """Alice is the only official, and plays; Dora is a member."""
    logged(world)
    Role.objects.filter(league=world.league).exclude(kind=Role.Kind.PLAYER).delete()
    Role.objects.create(user=world.alice, league=world.league, kind=Role.Kind.OWNER)
    world.dora = person("dora")
    enrol(league=world.league, name="Dora Paz", since=date(2026, 1, 1), user=world.dora)
    return world


def works(secret: str, **more) -> bool:
    try:
        judge_invitation(secret, **more)
    except Dispute.DoesNotExist:
        return False
    return True


def test_a_member_takes_it_once_and_decides_after_both_sides_accept(alone):
    dispute = file(alone)
    first, second = invite_judge(dispute, alone.alice), invite_judge(dispute, alone.alice)
    assert refused(take_judge_invitation, first, alone.bob) == "no-such-judge"
    assert refused(take_judge_invitation, first, alone.charlie) == "no-such-judge"
    assert refused(take_judge_invitation, first, AnonymousUser()) == "sign-in"
    named = take_judge_invitation(first, alone.dora)
    assert (named.player.user, named.named_by, named.accepted) == (alone.dora, alone.alice, {})
    assert not works(first)
    assert not works(second)
    with pytest.raises(Dispute.DoesNotExist):
        take_judge_invitation(first, alone.dora)
    assert refused(find, dispute, alone.dora) == "needs-official"
    for side in (alone.alice, alone.bob):
        accept_judge(alone.match, side, named.player_id)
    find(dispute, alone.dora)
    rule(dispute, alone.dora)
    assert score(alone) == ("115–165", "official")


def test_it_ends_after_half_an_hour_and_with_its_makers_power(alone):
    dispute = file(alone)
    secret = invite_judge(dispute, alone.alice)
    assert works(secret, at=soon(29))
    assert not works(secret, at=soon(31))
    assert not works(secret[:-1] + ("A" if secret[-1] != "A" else "B"))
    Role.objects.filter(user=alone.alice).delete()
    assert not works(secret)


def test_another_judge_ends_it_for_good(alone):
    emil = person("emil")
    enrol(league=alone.league, name="Emil Roy", since=date(2026, 1, 1), user=emil)
    dispute = file(alone)
    secret = invite_judge(dispute, alone.alice)
    for name in ("Emil Roy", "Dora Paz"):
        name_judge(alone.match, name, by=alone.alice)
        assert not works(secret)
    later = invite_judge(dispute, alone.alice)
    name_judge(alone.match, "Emil Roy", by=alone.alice)
    name_judge(alone.match, "Dora Paz", by=alone.alice, at=soon() + timedelta(minutes=1))
    assert not works(later)


def test_the_judge_that_was_named_takes_it_once_and_stays_accepted(alone):
    dispute = file(alone)
    named = name_judge(alone.match, alone.dora, by=alone.alice)
    secret = invite_judge(dispute, alone.alice)
    accept_judge(alone.match, alone.bob, named.player_id)
    assert take_judge_invitation(secret, alone.dora).accepted == {"2": "account"}
    assert not works(secret)


def test_it_is_made_by_the_desk_where_no_official_is_free(world, alone):
    dispute = file(alone)
    assert refused(invite_judge, dispute, alone.bob) == "no-permission"
    Role.objects.create(user=alone.referee, league=alone.league, kind=Role.Kind.REFEREE)
    assert refused(invite_judge, dispute, alone.alice) == "official-is-free"


def test_the_judge_sees_this_case_only_also_one_that_accuses_a_person(alone):
    dispute = file(alone, point=FRAUD)
    named = take_judge_invitation(invite_judge(dispute, alone.alice), alone.dora)
    alone.match = alone.fixture()
    logged(alone)
    other = file(alone, point=FRAUD)
    assert not visible_disputes(alone.dora).exists()
    for side in (alone.alice, alone.bob):
        accept_judge(dispute.match, side, named.player_id)
    assert list(visible_disputes(alone.dora)) == [dispute]
    assert "take" in case_view(dispute.code, alone.dora).may
    assert NamedJudge.objects.filter(match=other.match_id).count() == 0
