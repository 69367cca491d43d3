"""Whose account a player is, and the ways back for who forgot a password where there is no mail."""

from datetime import date, timedelta

import pytest
from django.utils import timezone

from league.accounts.models import Role, User
from league.accounts.naming import this_year
from league.accounts.signals import account_erased
from league.errors import Refused
from league.players.models import ClaimLink, Player, PlayerClaim
from league.players.services import (
    claim,
    decide_claim,
    edit_player,
    end_membership,
    enrol,
    erase_account,
    erase_for,
    link_of,
    make_claim_link,
    make_reset_link,
    recent_links,
    release,
    renew_membership,
    use_claim_link,
)
from tests.league.world import person

SINCE = date(2026, 1, 1)


@pytest.fixture
def olga(world):
    olga = person("olga")
    Role.objects.create(user=olga, league=world.league, kind=Role.Kind.MANAGER)
    return olga


@pytest.fixture
def cy(world) -> Player:
    return enrol(league=world.league, name="Cy Diaz", since=SINCE).player


@pytest.fixture
def dora(db) -> User:
    return person("dora")


def refusal(verb, *args, **kwargs) -> str:
    with pytest.raises(Refused) as refused:
        verb(*args, **kwargs)
    assert str(refused.value)
    return refused.value.code


def owner_of(player: Player) -> User | None:
    return Player.objects.select_related("user").get(pk=player.pk).user


def test_a_claim_waits_for_a_manager_and_gives_nothing_before(world, olga, cy, dora):
    made = claim(cy, dora)
    assert claim(cy, dora) == made
    assert owner_of(cy) is None
    other = claim(cy, person("eve"))
    assert refusal(decide_claim, made.pk, world.referee, accept=True, league=world.league) == "no-permission"
    done = decide_claim(made.pk, olga, accept=True, league=world.league)
    assert (done.state, done.decided_by) == ("accepted", olga)
    assert owner_of(cy) == dora
    assert PlayerClaim.objects.get(pk=other.pk).state == "refused"
    assert refusal(decide_claim, made.pk, olga, accept=False, league=world.league) == "decided-already"


def test_a_refused_claim_gives_nothing_and_may_be_made_again(world, olga, cy, dora):
    decide_claim(claim(cy, dora).pk, olga, accept=False, league=world.league)
    assert owner_of(cy) is None
    assert claim(cy, dora).state == "waiting"


def test_a_player_has_one_account_and_an_account_one_player_in_a_league(world, olga, cy, dora):
    assert refusal(claim, world.ana.player, dora) == "claimed-already"
    assert refusal(claim, cy, world.alice) == "player-here-already"
    elsewhere = enrol(league=world.elsewhere, name="Ana Ruiz", since=SINCE).player
    assert claim(elsewhere, world.alice).state == "waiting"


def test_a_claim_of_another_league_is_not_decided_here(world, olga, dora):
    elsewhere = enrol(league=world.elsewhere, name="Hal", since=SINCE).player
    made = claim(elsewhere, dora)
    assert refusal(decide_claim, made.pk, olga, accept=True, league=world.league) == "decided-already"
    assert owner_of(elsewhere) is None


def test_managers_do_not_decide_their_own_claims_unless_they_are_alone(world, olga, cy):
    made = claim(cy, olga)
    assert refusal(decide_claim, made.pk, olga, accept=True, league=world.league) == "own-claim"
    Role.objects.get(user=world.owner, league=world.league).delete()
    decide_claim(made.pk, olga, accept=True, league=world.league)
    assert owner_of(cy) == olga


def test_ten_claims_may_wait_and_no_more(world, dora):
    for number in range(10):
        claim(enrol(league=world.league, name=f"Player {number}", since=SINCE).player, dora)
    assert refusal(claim, enrol(league=world.league, name="Last", since=SINCE).player, dora) == "too-many-claims"


def test_a_link_works_once_for_whoever_holds_it(world, olga, cy, dora):
    secret = make_claim_link(cy, world.league, olga)
    assert secret not in str(ClaimLink.objects.values())
    assert link_of(secret).player == cy
    assert use_claim_link(secret, dora) == cy
    assert owner_of(cy) == dora
    with pytest.raises(ClaimLink.DoesNotExist):
        use_claim_link(secret, person("eve"))


def test_a_link_ends_with_the_next_one_and_after_two_weeks(world, olga, cy, dora):
    first, second = (make_claim_link(cy, world.league, olga) for _ in range(2))
    with pytest.raises(ClaimLink.DoesNotExist):
        link_of(first)
    ClaimLink.objects.update(expires_at=timezone.now() - timedelta(seconds=1))
    with pytest.raises(ClaimLink.DoesNotExist):
        use_claim_link(second, dora)
    assert refusal(make_claim_link, world.ana.player, world.league, olga) == "claimed-already"
    assert refusal(make_claim_link, cy, world.league, world.referee) == "no-permission"


def test_a_wrong_account_is_parted_again(world, olga):
    assert refusal(release, world.ana.player, world.league, world.referee) == "no-permission"
    release(world.ana.player, world.league, olga)
    assert owner_of(world.ana.player) is None


def test_the_account_of_a_minor_shows_no_name_from_the_claim_on(world, olga, dora):
    User.objects.filter(pk=dora.pk).update(first_name="Dora", last_name="Little")
    child = enrol(league=world.league, name="Dora Little", since=SINCE, born=this_year() - 10).player
    use_claim_link(make_claim_link(child, world.league, olga), dora)
    assert str(User.objects.get(pk=dora.pk)) == "D. L."
    edit_player(child, world.league, olga, name="Dora Little", born=this_year() - 30)
    assert str(User.objects.get(pk=dora.pk)) == "Dora Little"


# --- Names and memberships ---


def test_a_manager_edits_and_others_do_not(world, olga, cy):
    assert refusal(edit_player, cy, world.league, world.referee, name="X") == "no-permission"
    edit_player(cy, world.league, olga, name=" Cy  Díaz ", born=1990, club="Hillside", number="7")
    cy = Player.objects.get(pk=cy.pk)
    held = cy.memberships.get()
    assert (cy.name, cy.folded, cy.born, held.club, held.number) == ("Cy Díaz", "cy diaz", 1990, "Hillside", "7")
    for facts, code in (
        ({"name": ""}, "bad-name"),
        ({"name": "Cy", "born": 1815}, "bad-year"),
        ({"name": "Cy", "club": "x" * 61}, "bad-club"),
        ({"name": "Cy", "number": "x" * 21}, "bad-number"),
    ):
        assert refusal(edit_player, cy, world.league, olga, **facts) == code
    assert refusal(edit_player, world.ana.player, world.league, olga, name="Ana", number="7") == "number-taken"


def test_a_membership_ends_and_is_renewed(world, olga, cy):
    assert refusal(renew_membership, cy, world.league, olga, since=date(2026, 6, 1)) == "member-already"
    assert refusal(end_membership, cy, world.league, olga, until=SINCE) == "ends-before-it-begins"
    end_membership(cy, world.league, olga, until=date(2026, 3, 1))
    assert refusal(end_membership, cy, world.league, olga, until=date(2026, 6, 1)) == "no-member"
    renew_membership(cy, world.league, olga, since=date(2026, 6, 1))
    held = list(cy.memberships.order_by("since").values_list("since", "until"))
    assert held == [(SINCE, date(2026, 3, 1)), (date(2026, 6, 1), None)]


# --- Erasure ---


def test_a_name_is_erased_by_a_manager_or_by_the_person_and_by_nobody_else(world, olga):
    for user in (world.referee, world.bob, world.charlie):
        assert refusal(erase_for, world.ana.player, world.league, user) == "no-permission"
    erase_for(world.ana.player, world.league, world.alice)
    erase_for(world.bo.player, world.league, olga)
    for player in Player.objects.filter(pk__in=[world.ana.player_id, world.bo.player_id]):
        assert (str(player), player.user) == (player.code, None)


def test_an_erased_name_stays_away(world, olga, cy):
    erase_for(cy, world.league, olga)
    assert refusal(edit_player, cy, world.league, olga, name="Cy Diaz") == "name-erased"
    assert refusal(claim, cy, world.referee) == "no-such-player"


@pytest.mark.parametrize("with_names", [True, False])
def test_an_account_is_erased_with_or_without_the_names_of_its_players(world, client, with_names):
    world.alice.set_password("six-six-leads")
    world.alice.save()
    client.force_login(world.alice)
    assert client.get("/account/").status_code == 200
    heard = []
    account_erased.connect(lambda user_id, **_: heard.append(user_id), weak=False, dispatch_uid="here")
    erase_account(User.objects.get(pk=world.alice.pk), with_names=with_names)
    account_erased.disconnect(dispatch_uid="here")
    gone = User.objects.get(pk=world.alice.pk)
    assert (gone.username, gone.email, gone.first_name, gone.is_active) == (
        f"erased-{gone.code.lower()}",
        "",
        "",
        False,
    )
    assert str(gone) == gone.code
    assert not gone.has_usable_password()
    assert not gone.roles.exists()
    assert heard == [gone.pk]
    player = Player.objects.get(pk=world.ana.player_id)
    assert (player.user, player.name) == (None, "" if with_names else "Ana Ruiz")
    # The session of before is void.
    assert client.get("/account/").url.startswith("/sign-in/")


def test_the_last_owner_and_the_last_who_runs_the_site_are_not_erased(world):
    assert refusal(erase_account, world.charlie, with_names=True) == "last-owner"
    assert Player.objects.get(user=world.charlie).name == "Charlie Hill"
    assert refusal(erase_account, User.objects.create_superuser("root"), with_names=True) == "last-administrator"


# --- Links for a new password ---


def test_a_manager_helps_a_member_back_in_and_the_member_sees_it(world, olga):
    made = make_reset_link(world.league, world.alice, by=olga)
    assert [(one.made_by, one.user) for one in recent_links(world.alice)] == [(olga, world.alice)]
    assert made in recent_links(world.alice)


def test_nobody_takes_over_an_account_that_opens_more_doors_than_the_own(world, olga, dora):
    assert refusal(make_reset_link, world.league, world.bob, by=world.referee) == "no-permission"
    assert refusal(make_reset_link, world.league, dora, by=olga) == "not-a-member"
    assert refusal(make_reset_link, world.league, olga, by=olga) == "own-account"
    owner = person("owen")
    Role.objects.create(user=owner, league=world.league, kind=Role.Kind.OWNER)
    assert refusal(make_reset_link, world.league, owner, by=olga) == "beyond-your-league"
    Role.objects.create(user=world.charlie, league=world.league, kind=Role.Kind.PLAYER)
    assert refusal(make_reset_link, world.league, world.charlie, by=olga) == "beyond-your-league"
    enrol(league=world.elsewhere, name="Bo Chen", since=SINCE, user=world.bob)
    assert refusal(make_reset_link, world.league, world.bob, by=olga) == "beyond-your-league"
    root = User.objects.create_superuser("root")
    Role.objects.create(user=root, league=world.league, kind=Role.Kind.PLAYER)
    assert refusal(make_reset_link, world.league, root, by=owner) == "beyond-your-league"
    assert make_reset_link(world.league, olga, by=owner).user == olga
