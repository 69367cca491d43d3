"""Invitations to a role: one use, one day, revocable; above player an owner agrees."""

from datetime import timedelta
from functools import partial

import pytest

from league.accounts import services
from league.accounts.models import Role, RoleInvitation
from league.accounts.role_invitations import MOST_AT_ONCE, VALID_FOR
from league.errors import NotAllowed, Refused
from tests.league.matches.results.test_entering_at_once import at_once
from tests.league.world import person
from tests.web import world as small


@pytest.fixture
def newcomer(world):
    return small.account("newcomer")


def kinds(user, league):
    return list(Role.objects.filter(user=user, league=league).values_list("kind", flat=True))


def make_manager(world):
    user = small.account("manager")
    Role.objects.create(user=user, league=world.league, kind="manager")
    return user


def test_an_invitation_as_player_gives_the_role_at_once(world, newcomer):
    secret = services.invite_to_role(world.league, world.owner, kind="player")
    done = services.take_invitation(secret, newcomer)
    assert (done.accepted, kinds(newcomer, world.league)) == (True, ["player"])
    assert not services.waiting_invitations(world.league).exists()


@pytest.mark.parametrize("kind", [one for one in Role.Kind.values if one != "player"])
def test_any_other_role_waits_for_an_owner_who_sees_who_took_it(world, newcomer, kind):
    secret = services.invite_to_role(world.league, world.owner, kind=kind)
    services.take_invitation(secret, newcomer)
    assert kinds(newcomer, world.league) == []
    [waiting] = services.waiting_invitations(world.league)
    assert (waiting.taken_by, waiting.kind, waiting.made_by) == (newcomer, kind, world.owner)
    services.decide_invitation(waiting, world.owner, accept=True)
    assert kinds(newcomer, world.league) == [kind]
    with pytest.raises(Refused) as refused:
        services.decide_invitation(waiting, world.owner, accept=False)
    assert refused.value.code == "decided-already"


def test_a_refused_person_has_no_role(world, newcomer):
    services.take_invitation(services.invite_to_role(world.league, world.owner, kind="referee"), newcomer)
    services.decide_invitation(services.waiting_invitations(world.league)[0], world.owner, accept=False)
    assert kinds(newcomer, world.league) == []
    assert not services.waiting_invitations(world.league).exists()


def test_a_manager_invites_below_and_does_not_agree(world, newcomer):
    manager = make_manager(world)
    for kind in ("owner", "manager"):
        with pytest.raises(NotAllowed):
            services.invite_to_role(world.league, manager, kind=kind)
    services.take_invitation(services.invite_to_role(world.league, manager, kind="referee"), newcomer)
    waiting = services.waiting_invitations(world.league)[0]
    with pytest.raises(NotAllowed):
        services.decide_invitation(waiting, manager, accept=True)
    with pytest.raises(NotAllowed):
        services.invite_to_role(world.league, newcomer, kind="player")
    with pytest.raises(Refused) as refused:
        services.invite_to_role(world.league, world.owner, kind="king")
    assert refused.value.code == "bad-role"


def used(world, secret, _newcomer):
    services.take_invitation(secret, small.account("faster"))


def revoked(world, _secret, _newcomer):
    services.revoke_invitation(RoleInvitation.objects.get(), world.owner)


def too_old(_world, _secret, _newcomer):
    for one in RoleInvitation.objects.all():
        RoleInvitation.objects.filter(pk=one.pk).update(expires_at=one.expires_at - VALID_FOR - timedelta(seconds=1))


def made_by_nobody(world, _secret, _newcomer):
    Role.objects.filter(user=world.owner, league=world.league).update(kind="referee")


@pytest.mark.parametrize("end", [used, revoked, too_old, made_by_nobody])
def test_an_invitation_ends(world, newcomer, end):
    secret = services.invite_to_role(world.league, world.owner, kind="player")
    assert services.invitation_of(secret).kind == "player", "the control"
    end(world, secret, newcomer)
    with pytest.raises(RoleInvitation.DoesNotExist):
        services.invitation_of(secret)
    with pytest.raises(RoleInvitation.DoesNotExist):
        services.take_invitation(secret, newcomer)
    assert kinds(newcomer, world.league) == []


def test_it_lasts_a_day(world):
    services.invite_to_role(world.league, world.owner, kind="player")
    one = RoleInvitation.objects.get()
    assert one.expires_at - one.made_at == timedelta(hours=24)


def test_who_has_the_role_or_waits_for_it_does_not_use_it_up(world, newcomer):
    first, second = (services.invite_to_role(world.league, world.owner, kind="referee") for _ in range(2))
    services.take_invitation(first, newcomer)
    Role.objects.create(user=(referee := small.account("another")), league=world.league, kind="referee")
    for user in (newcomer, referee):
        with pytest.raises(Refused) as refused:
            services.take_invitation(second, user)
        assert refused.value.code == "role-held"
    assert services.invitation_of(second)


def test_what_was_taken_is_not_revoked_and_only_so_many_are_open(world, newcomer):
    services.take_invitation(services.invite_to_role(world.league, world.owner, kind="referee"), newcomer)
    with pytest.raises(Refused) as refused:
        services.revoke_invitation(RoleInvitation.objects.get(), world.owner)
    assert refused.value.code == "invitation-taken"
    for _one in range(MOST_AT_ONCE - 1):
        services.invite_to_role(world.league, world.owner, kind="player")
    with pytest.raises(Refused) as refused:
        services.invite_to_role(world.league, world.owner, kind="player")
    assert refused.value.code == "too-many-role-invitations"
    services.revoke_invitation(services.open_invitations(world.league)[0], world.owner)
    assert services.invite_to_role(world.league, world.owner, kind="player")


def test_the_secret_is_kept_nowhere(world):
    secret = services.invite_to_role(world.league, world.owner, kind="player")
    assert secret not in str(RoleInvitation.objects.values().get())


def test_an_erased_account_leaves_no_open_invitation_and_waits_for_nothing(world, newcomer):
    other = make_manager(world)
    services.invite_to_role(world.league, other, kind="player")
    services.take_invitation(services.invite_to_role(world.league, world.owner, kind="referee"), newcomer)
    services.erase_account(other)
    services.erase_account(newcomer)
    assert not services.open_invitations(world.league).exists()
    assert not services.waiting_invitations(world.league).exists()


@pytest.mark.postgres
def test_of_two_accounts_that_take_one_invitation_at_once_one_has_it(shared_world):
    secret = services.invite_to_role(shared_world.league, shared_world.owner, kind="player")
    both = [person("one-of-two"), person("other-of-two")]
    found = at_once(*(partial(taken, secret, who) for who in both))
    assert sorted(found) == [False, True]
    assert Role.objects.filter(user__in=both).count() == 1


def taken(secret, user):
    try:
        services.take_invitation(secret, user)
    except RoleInvitation.DoesNotExist:
        return False
    return True
