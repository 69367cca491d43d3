"""Leagues are founded and changed, roles given and taken: by whom, and what can never happen."""

import threading

import pytest
from django.db import connection

from league.accounts import first, founding, services
from league.accounts.models import Founding, League, Role, User
from league.accounts.permissions import ALLOWED, Act, acts_of, may
from league.accounts.queries import children, officials, possible_parents
from league.accounts.roles import other_owners
from league.errors import NotAllowed, Refused
from tests.league.world import person

Kind = Role.Kind


@pytest.fixture
def olga(world):
    """The owner of the league."""
    User.objects.filter(pk=world.owner.pk).update(username="olga", first_name="Olga", last_name="Prado")
    return User.objects.get(pk=world.owner.pk)


@pytest.fixture
def max_(world):
    """A manager of the league."""
    user = person("max")
    Role.objects.create(user=user, league=world.league, kind=Kind.MANAGER)
    return user


def refusal(verb, *args, **kwargs) -> str:
    with pytest.raises(Refused) as refused:
        verb(*args, **kwargs)
    assert str(refused.value)
    return refused.value.code


# --- The table of acts ---


def test_acts_of_says_the_same_as_may_for_every_role_and_act(world):
    for kind in Kind:
        user = person(f"one-{kind}")
        Role.objects.create(user=user, league=world.league, kind=kind)
        assert acts_of(user, world.league) == {act for act in Act if may(user, act, world.league)}
        assert acts_of(user, world.league) == {act for act in Act if kind in ALLOWED[act]}
        assert acts_of(user, world.elsewhere) == frozenset()


def test_those_who_run_the_site_put_a_league_in_order_and_no_more(world):
    root = User.objects.create_superuser("root")
    assert acts_of(root, world.league) == {Act.RUN_LEAGUE}
    assert may(root, Act.RUN_LEAGUE, world.league)
    assert not may(root, Act.MANAGE_PEOPLE, world.league)


# --- Leagues ---


def test_an_owner_founds_a_league_within_the_own_one_and_owns_it(world, olga):
    league = services.found_league(olga, name="  Harbour   Juniors ", place="Pier 3", parent=world.league)
    assert (league.name, league.slug, league.place, league.parent) == (
        "Harbour Juniors",
        "harbour-juniors",
        "Pier 3",
        world.league,
    )
    assert [(role.user, role.kind) for role in league.roles.all()] == [(olga, "owner")]
    assert children(world.league) == [league]


def test_nobody_else_founds_one(world, olga, max_):
    assert refusal(services.found_league, olga, name="Free") == "no-permission"
    assert refusal(services.found_league, max_, name="Sub", parent=world.league) == "no-permission"
    assert refusal(services.found_league, world.charlie, name="Sub", parent=world.league) == "no-permission"
    assert services.found_league(User.objects.create_superuser("root"), name="Free").parent is None


@pytest.mark.parametrize(
    ("facts", "code"),
    [
        ({"name": " "}, "bad-league-name"),
        ({"name": "x" * 121}, "bad-league-name"),
        ({"name": "x", "time_zone": "Atlantis"}, "bad-time-zone"),
    ],
)
def test_a_league_has_a_name_and_a_time_zone(world, olga, facts, code):
    assert refusal(services.found_league, olga, parent=world.league, **facts) == code


def test_addresses_are_made_from_names_and_never_meet(world, olga):
    slugs = [services.found_league(olga, name=name, parent=world.league).slug for name in ("New", "Harbour", "Ω", "Ω")]
    assert slugs == ["new-2", "harbour-2", "league", "league-2"]


def edit(league, user, **changes):
    facts = {
        "name": league.name,
        "place": league.place,
        "time_zone": league.time_zone,
        "confirmation_required": league.confirmation_required,
        "parent": league.parent,
    }
    return services.edit_league(league, user, **facts | changes)


def test_an_owner_changes_everything_but_the_address(world, olga):
    edit(world.league, olga, name="Port", place="Pier 4", time_zone="Europe/Madrid", confirmation_required=False)
    league = League.objects.get(pk=world.league.pk)
    assert (league.name, league.place, league.time_zone, league.confirmation_required, league.slug) == (
        "Port",
        "Pier 4",
        "Europe/Madrid",
        False,
        "harbour",
    )


def test_a_league_is_put_into_one_that_the_owner_runs_too_and_never_into_itself(world, olga, max_):
    assert refusal(edit, world.league, max_, name="Mine") == "no-permission"
    assert refusal(edit, world.league, olga, parent=world.elsewhere) == "no-permission"
    child = services.found_league(olga, name="Child", parent=world.league)
    assert refusal(edit, world.league, olga, parent=child) == "league-in-itself"
    assert refusal(edit, world.league, olga, parent=world.league) == "league-in-itself"
    assert list(possible_parents(olga, child)) == [world.league]
    # What it is part of stays, although its owner does not run that.
    Role.objects.filter(user=olga, league=world.league).delete()
    assert edit(child, olga, name="Still").parent == world.league


def test_officials_are_named_without_addresses(world, olga):
    person_with_address = person("ann@example.org")
    Role.objects.create(user=person_with_address, league=world.league, kind=Kind.REFEREE)
    told = [(str(one.user), [role.kind for role in one.roles]) for one in officials(world.league)]
    assert told == [
        ("Olga Prado", ["owner"]),
        ("second", ["head_referee"]),
        ("Rosa Ley", ["referee"]),
        (person_with_address.code, ["referee"]),
    ]


# --- Roles ---


@pytest.mark.parametrize("who", ["bob", "BOB", "bob@example.org", " Bob@Example.org "])
def test_an_owner_gives_any_role_by_name_or_address_once(world, olga, who):
    for kind in Kind:
        services.give_role(world.league, olga, who=who, kind=kind)
        services.give_role(world.league, olga, who=who, kind=kind)
    assert sorted(Role.objects.filter(user=world.bob, league=world.league).values_list("kind", flat=True)) == sorted(
        Kind
    )


def test_a_manager_gives_and_takes_the_lower_roles_only(world, olga, max_):
    for kind in (Kind.OWNER, Kind.MANAGER):
        assert refusal(services.give_role, world.league, max_, who="bob", kind=kind) == "no-permission"
    role = services.give_role(world.league, max_, who="charlie", kind=Kind.HEAD_REFEREE)
    services.take_role(role, max_)
    assert not Role.objects.filter(pk=role.pk).exists()
    owner = Role.objects.get(user=olga)
    assert refusal(services.take_role, owner, max_) == "no-permission"
    assert refusal(services.take_role, Role.objects.get(user=max_), world.charlie) == "no-permission"


def test_only_open_accounts_get_roles(world, olga):
    assert refusal(services.give_role, world.league, olga, who="nobody", kind=Kind.REFEREE) == "unknown-account"
    assert refusal(services.give_role, world.league, olga, who="", kind=Kind.REFEREE) == "unknown-account"
    assert refusal(services.give_role, world.league, olga, who="bob", kind="king") == "bad-role"
    User.objects.filter(pk=world.bob.pk).update(is_active=False)
    assert refusal(services.give_role, world.league, olga, who="bob", kind=Kind.REFEREE) == "unknown-account"


def test_everybody_lays_down_a_role_of_their_own(world):
    role = Role.objects.get(user=world.referee)
    services.take_role(role, world.referee)
    assert not Role.objects.filter(pk=role.pk).exists()


def test_one_owner_always_stays(world, olga):
    role = Role.objects.get(user=olga)
    assert refusal(services.take_role, role, olga) == "last-owner"
    other = services.give_role(world.league, olga, who="bob", kind=Kind.OWNER)
    services.take_role(role, world.bob)
    assert refusal(services.take_role, other, world.bob) == "last-owner"
    # An owner whose account is closed is none.
    Role.objects.create(user=olga, league=world.league, kind=Kind.OWNER)
    User.objects.filter(pk=olga.pk).update(is_active=False)
    assert refusal(services.take_role, other, world.bob) == "last-owner"


def test_two_owners_who_take_each_others_role_at_once_leave_one(shared_world):
    world = shared_world
    first = Role.objects.get(user=world.owner, league=world.league)
    second = Role.objects.create(user=world.bob, league=world.league, kind=Kind.OWNER)
    codes = at_once(
        lambda: services.take_role(first, world.bob),
        lambda: services.take_role(second, world.owner),
    )
    assert sorted(codes) in (["done", "last-owner"], ["done", "no-permission"])
    assert Role.objects.filter(league=world.league, kind=Kind.OWNER).count() == 1


def at_once(*verbs) -> list[str]:
    """What each of them said, begun at one time in a thread of its own."""
    gate, said = threading.Barrier(len(verbs)), []

    def run(verb) -> None:
        gate.wait()
        try:
            verb()
            said.append("done")
        except Refused as refused:
            said.append(refused.code)
        finally:
            connection.close()

    threads = [threading.Thread(target=run, args=[verb]) for verb in verbs]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return said


# --- The first owner ---

FACTS = {"username": "olga", "password": "six-six-leads", "league_name": "Harbour", "time_zone": "Europe/Lisbon"}


def test_the_first_account_runs_the_site_and_owns_its_league(db):
    assert services.is_empty()
    user, league = services.found_site(**FACTS, email="olga@example.org", full_name="Olga Prado")
    assert (user.username, str(user), user.is_superuser, user.is_staff) == ("olga", "Olga Prado", True, True)
    assert user.check_password("six-six-leads")
    assert (league.name, league.slug, league.time_zone) == ("Harbour", "harbour", "Europe/Lisbon")
    assert [(role.user, role.kind) for role in league.roles.all()] == [(user, "owner")]
    assert not services.is_empty()


def test_there_is_one_first_owner(db):
    services.found_site(**FACTS)
    assert refusal(services.found_site, **FACTS | {"username": "eve"}) == "site-founded"
    assert (User.objects.count(), League.objects.count()) == (1, 1)


def test_nothing_is_left_of_a_first_owner_whose_league_is_refused(db):
    assert refusal(services.found_site, **FACTS | {"time_zone": "Atlantis"}) == "bad-time-zone"
    assert services.is_empty()
    assert not Founding.objects.exists()


def test_two_who_both_saw_an_empty_site_give_one_owner(db, monkeypatch):
    monkeypatch.setattr(first, "is_empty", lambda: True)
    services.found_site(**FACTS)
    assert refusal(services.found_site, **FACTS | {"username": "eve"}) == "site-founded"
    assert list(User.objects.values_list("username", flat=True)) == ["olga"]


def test_without_the_row_of_the_founding_they_would_give_two(db, monkeypatch):
    """The control."""
    monkeypatch.setattr(first, "is_empty", lambda: True)
    monkeypatch.setattr(Founding.objects, "create", lambda **_: None)
    services.found_site(**FACTS)
    services.found_site(**FACTS | {"username": "eve"})
    assert User.objects.filter(is_superuser=True).count() == 2


def test_two_at_once_give_one_owner(transactional_db):
    said = at_once(
        lambda: services.found_site(**FACTS),
        lambda: services.found_site(**FACTS | {"username": "eve", "league_name": "Hill"}),
    )
    assert sorted(said) == ["done", "site-founded"]
    assert (User.objects.count(), League.objects.count(), Role.objects.count()) == (1, 1, 1)


def test_the_setup_code_is_made_once_and_kept_to_its_owner(db, tmp_path, settings):
    settings.DATA_DIR, settings.FIRST_OWNER_CODE = tmp_path, ""
    code = services.setup_code()
    assert len(code) == 8
    assert services.setup_code() == code
    assert (tmp_path / "setup.code").stat().st_mode & 0o777 == 0o600
    services.check_code(f" {code.lower()} ")
    assert refusal(services.check_code, "") == "wrong-code"
    assert refusal(services.check_code, "ÄÖÜ") == "wrong-code"
    settings.FIRST_OWNER_CODE = "from the environment"
    services.check_code("From The Environment")


@pytest.mark.parametrize(
    ("embedded", "hosts", "address", "needed"),
    [
        (True, ["localhost", "127.0.0.1", "[::1]"], "127.0.0.1", False),
        (True, ["localhost", "127.0.0.1", "[::1]"], "192.168.1.7", True),
        (True, ["localhost", "192.168.1.5"], "127.0.0.1", True),
        (True, ["*"], "127.0.0.1", True),
        (False, ["localhost"], "127.0.0.1", True),
    ],
)
def test_only_the_machine_itself_needs_no_code_and_only_on_a_site_for_it_alone(
    settings, embedded, hosts, address, needed
):
    settings.EMBEDDED, settings.ALLOWED_HOSTS = embedded, hosts
    assert services.code_needed(address) is needed


def test_other_owners_are_open_accounts(world, olga):
    assert list(other_owners(world.league, olga)) == []
    assert founding.may_found(olga, world.league)
    with pytest.raises(NotAllowed):
        services.found_league(world.alice, name="x", parent=world.league)
