"""Two players who are one person: what moves, what refuses, and that all of it can be undone."""

from datetime import date

import pytest

from league.accounts.models import Role
from league.competitions.models import Competition, Registration
from league.errors import Refused
from league.matches.models import Side
from league.matches.queries.match import match_page
from league.matches.visibility import visible_players
from league.players import merging
from league.players.models import Entrant, Membership, Player, PlayerClaim, PlayerMerge
from league.players.queries import kept_player
from league.players.services import claim, enrol, erase, merge, unmerge
from tests.league.world import person, played_log

pytestmark = pytest.mark.both

SINCE = date(2026, 1, 1)


@pytest.fixture
def olga(world):
    olga = person("olga")
    Role.objects.create(user=olga, league=world.league, kind=Role.Kind.MANAGER)
    return olga


@pytest.fixture
def double(world):
    """Ana once more, under another spelling."""
    return enrol(league=world.league, name="Anna Ruiz", since=date(2026, 5, 1), club="Hillside", number="4", born=1990)


def refusal(verb, *args, **kwargs) -> tuple[str, str]:
    with pytest.raises(Refused) as refused:
        verb(*args, **kwargs)
    return refused.value.code, str(refused.value)


def rows() -> dict[str, list]:
    """Everything that a merge could touch, as it stands."""
    return {
        "players": list(Player.objects.order_by("pk").values("pk", "name", "user", "born", "merged_into", "apart")),
        "entrants": list(Entrant.objects.order_by("pk").values()),
        "sides": list(Side.objects.order_by("pk").values()),
        "registrations": list(Registration.objects.order_by("pk").values()),
        "memberships": list(Membership.objects.order_by("pk").values()),
        "claims": list(PlayerClaim.objects.order_by("pk").values()),
    }


def test_who_needs_an_accessible_table_needs_it_as_one_person_until_the_merge_is_undone(world, olga, double):
    Entrant.objects.filter(pk=double.pk).update(needs_accessible=True)
    before = rows()
    done = merge(kept=world.ana.player, absorbed=double.player, league=world.league, by=olga)
    world.ana.refresh_from_db()
    assert world.ana.needs_accessible
    unmerge(done, league=world.league, by=olga)
    assert rows() == before


def test_what_the_absorbed_one_played_becomes_the_kept_ones(world, olga, double):
    match = world.fixture(entrants=[double, world.bo])
    competition = Competition.objects.create(league=world.league, name="Cup", slug="cup", ruleset="udl")
    registration = Registration.objects.create(competition=competition, entrant=double, seed=1)
    merge(kept=world.ana.player, absorbed=double.player, league=world.league, by=olga)
    registration.refresh_from_db()
    assert registration.entrant == world.ana
    assert {side.entrant for side in match.sides.all()} == {world.ana, world.bo}
    kept = Player.objects.get(pk=world.ana.player_id)
    assert (kept.name, kept.user, kept.born) == ("Ana Ruiz", world.alice, 1990)
    assert sorted(kept.memberships.values_list("since", "club")) == [(SINCE, ""), (date(2026, 5, 1), "Hillside")]
    assert double.player not in visible_players(olga)
    assert kept_player(double.player.code) == kept


def test_all_of_it_can_be_undone(world, olga, double):
    world.fixture(entrants=[double, world.bo])
    competition = Competition.objects.create(league=world.league, name="Cup", slug="cup", ruleset="udl")
    Registration.objects.create(competition=competition, entrant=double, seed=1)
    Player.objects.filter(pk=world.ana.player_id).update(user=None)
    Player.objects.filter(pk=double.player_id).update(user=world.alice)
    claim(Player.objects.get(pk=world.ana.player_id), world.referee)
    before = rows()
    done = merge(kept=world.ana.player, absorbed=double.player, league=world.league, by=olga)
    assert rows() != before
    unmerge(done, league=world.league, by=olga)
    assert rows() == before
    assert refusal(unmerge, done, league=world.league, by=olga)[0] == "undone-already"
    again = merge(kept=world.ana.player, absorbed=double.player, league=world.league, by=olga)
    unmerge(again, league=world.league, by=olga)
    assert rows() == before


def test_the_keys_that_are_kept_hold_no_name(world, olga, double):
    done = merge(kept=world.ana.player, absorbed=double.player, league=world.league, by=olga)
    assert "Ruiz" not in str(PlayerMerge.objects.get(pk=done.pk).moved)


def test_what_the_kept_one_did_since_stays_with_the_kept_one(world, olga, double):
    done = merge(kept=world.ana.player, absorbed=double.player, league=world.league, by=olga)
    later = world.fixture()
    unmerge(done, league=world.league, by=olga)
    assert {side.entrant for side in later.sides.all()} == {world.ana, world.bo}


def test_a_merge_undone_without_its_keys_would_lose_the_matches(world, olga, double):
    """The control: the keys are what brings the matches back."""
    match = world.fixture(entrants=[double, world.bo])
    done = merge(kept=world.ana.player, absorbed=double.player, league=world.league, by=olga)
    PlayerMerge.objects.filter(pk=done.pk).update(moved=done.moved | {"rows": []})
    unmerge(done, league=world.league, by=olga)
    assert double not in {side.entrant for side in match.sides.all()}


def test_who_met_cannot_be_one_person(world, olga, double):
    match = world.fixture(entrants=[double, world.ana])
    before = rows()
    told = refusal(merge, kept=world.ana.player, absorbed=double.player, league=world.league, by=olga)
    assert told == ("play-together", f"Both take part in one match ({match}), so they are not one person.")
    assert rows() == before


def test_who_is_in_one_competition_cannot_be_one_person(world, olga, double):
    competition = Competition.objects.create(league=world.league, name="Cup", slug="cup", ruleset="udl")
    for seed, entrant in enumerate((double, world.ana), start=1):
        Registration.objects.create(competition=competition, entrant=entrant, seed=seed)
    told = refusal(merge, kept=world.ana.player, absorbed=double.player, league=world.league, by=olga)
    assert told == ("play-together", "Both take part in one competition (Cup), so they are not one person.")


def test_two_with_accounts_of_their_own_are_parted_first(world, olga):
    other = enrol(league=world.league, name="Bob", since=SINCE, user=world.bob)
    told = refusal(merge, kept=world.ana.player, absorbed=other.player, league=world.league, by=olga)
    assert told[0] == "two-accounts"


def test_a_manager_merges_within_the_leagues_that_are_managed(world, olga, double):
    for user in (world.referee, world.charlie):
        code, _said = refusal(merge, kept=world.ana.player, absorbed=double.player, league=world.league, by=user)
        assert code == "no-permission"
    charlie = Player.objects.get(name="Charlie Hill")
    assert (
        refusal(merge, kept=world.ana.player, absorbed=charlie, league=world.league, by=olga)[0] == "not-in-this-league"
    )
    Membership.objects.create(player=charlie, league=world.league, since=SINCE)
    assert refusal(merge, kept=world.ana.player, absorbed=charlie, league=world.league, by=olga)[0] == "no-permission"
    Player.objects.filter(pk=charlie.pk).update(user=None)
    Role.objects.create(user=olga, league=world.elsewhere, kind=Role.Kind.OWNER)
    merge(kept=world.ana.player, absorbed=charlie, league=world.league, by=olga)
    assert {entrant.league for entrant in world.ana.player.entrants.all()} == {world.league, world.elsewhere}


def test_merges_are_undone_from_the_last_one_back(world, olga, double):
    third = enrol(league=world.league, name="A. Ruiz", since=SINCE)
    first = merge(kept=double.player, absorbed=third.player, league=world.league, by=olga)
    second = merge(kept=world.ana.player, absorbed=double.player, league=world.league, by=olga)
    assert kept_player(third.player.code) == world.ana.player
    assert refusal(unmerge, first, league=world.league, by=olga)[0] == "merged-further"
    unmerge(second, league=world.league, by=olga)
    unmerge(PlayerMerge.objects.get(pk=first.pk), league=world.league, by=olga)
    assert not Player.objects.filter(merged_into__isnull=False).exists()


def test_a_log_sealed_under_the_old_code_shows_the_kept_name(world, olga, double):
    match = world.fixture(entrants=[double, world.bo])
    text = played_log(names=("Anna Ruiz", "Bo Chen"))
    world.submit(text, by=world.bob, game=match.games.get())
    merge(kept=world.ana.player, absorbed=double.player, league=world.league, by=olga)
    shown = "\n".join(line.text for line in match_page(world.bob, match.pk).games[0].log)
    assert '[Seat.A "Ana Ruiz"]' in shown
    assert double.player.code not in shown


def test_an_erasure_reaches_whoever_was_absorbed_and_ends_the_way_back(world, olga, double):
    done = merge(kept=world.ana.player, absorbed=double.player, league=world.league, by=olga)
    erase(world.ana.player)
    assert set(Player.objects.filter(pk__in=[world.ana.player_id, double.player_id]).values_list("name", "born")) == {
        ("", None)
    }
    assert refusal(unmerge, done, league=world.league, by=olga)[0] == "name-erased"


def test_every_row_that_points_at_an_entrant_is_found():
    found = {(model._meta.label, field) for model, field in merging.pointing_at(Entrant)}
    assert found >= {
        ("matches.Side", "entrant_id"),
        ("competitions.Registration", "entrant_id"),
        ("competitions.Berth", "entrant_id"),
    }
