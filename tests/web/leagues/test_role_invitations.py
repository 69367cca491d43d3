"""The link is shown once, opened by one account, and the owner agrees with one tap."""

import re

from django.urls import reverse

from league.accounts.models import League, Role, RoleInvitation
from league.accounts.services import invite_to_role, take_invitation
from league.web.words.roles import MAY
from tests.web import world as small

ROLES = reverse("people:roles", args=["harbour"])


def test_a_link_is_made_taken_and_agreed_to(world, browse):
    owner, newcomer = browse(world.owner), small.account("newcomer")
    made = owner.post(reverse("people:invite", args=["harbour"]), {"kind": "referee"})
    text = made.content.decode()
    [path] = set(re.findall(r"http://testserver(/invitation/[\w-]+/)", text))
    assert ("QR code" in text, made["Cache-Control"].count("no-store")) == (True, 1)
    assert path not in owner.get(ROLES).content.decode(), "shown once"
    assert browse(None).get(path).url == f"{reverse('account_login')}?next={path}"
    page = browse(newcomer).get(path).content.decode()
    assert str(MAY["referee"]) in page
    assert browse(newcomer).post(path).url == reverse("leagues:detail", args=["harbour"])
    assert browse(newcomer).get(path).status_code == 404
    for address in (reverse("organize:home", args=["harbour"]), reverse("leagues:detail", args=["harbour"])):
        assert re.search(
            r"took the invitation of owner: referee|Roles <span class=\"count\">1<", owner.get(address).content.decode()
        )
    waiting = owner.get(ROLES).content.decode()
    assert "newcomer" in waiting
    owner.post(reverse("people:decide_invitation", args=["harbour", RoleInvitation.objects.get().pk]))
    assert Role.objects.filter(user=newcomer, league=world.league, kind="referee").exists()


def test_a_manager_sees_no_decision(world, browse):
    manager = small.account("manager")
    Role.objects.create(user=manager, league=world.league, kind="manager")
    take_invitation(invite_to_role(world.league, world.owner, kind="owner"), small.account("newcomer"))
    page = browse(manager).get(ROLES).content.decode()
    assert ("Waiting for an owner" in page, 'value="owner"' in page, 'value="referee"' in page) == (False, False, True)
    assert browse(manager).post(reverse("people:invite", args=["harbour"]), {"kind": "owner"}).status_code == 403


def test_another_leagues_invitation_does_not_exist(world, browse):
    take_invitation(
        invite_to_role(League.objects.get(slug="hill"), world.charlie, kind="referee"), small.account("newcomer")
    )
    there = RoleInvitation.objects.get().pk
    for name in ("people:decide_invitation", "people:revoke_invitation"):
        assert browse(world.owner).post(reverse(name, args=["harbour", there])).status_code == 404


def test_the_page_takes_as_many_statements_for_one_invitation_as_for_three(world, browse, django_assert_num_queries):
    client, counts = browse(world.owner), []
    for rows in (1, 2):
        for _row in range(rows):
            invite_to_role(world.league, world.owner, kind="player")
            number = RoleInvitation.objects.count()
            take_invitation(invite_to_role(world.league, world.owner, kind="referee"), small.account(f"new{number}"))
        with django_assert_num_queries(STATEMENTS) as counted:
            client.get(ROLES)
        counts.append(len(counted))
    assert counts == [STATEMENTS] * 2


STATEMENTS = 10


def test_every_role_says_what_it_may_do():
    assert set(MAY) == set(Role.Kind)
