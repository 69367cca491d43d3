"""Who is there is known from the list, by whoever runs the desk or by the player, and the draw is made of those."""

import pytest
from django.contrib.auth.models import AnonymousUser

from league.accounts.models import Role
from league.competitions.attendance.check_in import (
    check_in,
    check_oneself_in,
    check_out,
    draw_with_present,
    open_check_in,
)
from league.competitions.draw.publishing import publish
from league.competitions.entrants import registration_of
from league.competitions.models import Competition, Registration
from league.competitions.registration.fees import let_off
from league.competitions.registration.seeding import reseed
from league.errors import NotAllowed, Refused
from tests.league.competitions.cup import drafted, names, published
from tests.league.competitions.draw.test_advancing import both_at_once
from tests.league.world import person

NOBODY = AnonymousUser()


def here(competition):
    rows = competition.registrations.filter(checked_in_at__isnull=False).select_related("entrant__player")
    return [str(row.entrant) for row in rows.order_by("seed")]


def test_the_desk_checks_in_once_and_takes_it_back(world):
    cup = drafted(world, 3)
    assert check_in(cup, world.ana, user=world.referee)
    first = registration_of(cup, world.ana)
    assert (first.checked_in_by, here(cup)) == (world.referee, ["Ana Ruiz"])
    assert not check_in(cup, world.ana, user=world.owner)
    again = registration_of(cup, world.ana)
    assert (again.checked_in_at, again.checked_in_by) == (first.checked_in_at, world.referee)
    assert check_out(cup, world.ana, user=world.owner)
    assert not check_out(cup, world.ana, user=world.owner)
    assert here(cup) == []


@pytest.mark.parametrize("kind", Role.Kind)
def test_officials_and_desk_helpers_check_in_and_nobody_else(world, kind):
    cup = drafted(world, 3)
    somebody = person("somebody")
    Role.objects.create(user=somebody, league=world.league, kind=kind)
    may = kind not in {Role.Kind.PLAYER, Role.Kind.READ_ONLY}
    if may:
        check_in(cup, world.ana, user=somebody)
    else:
        with pytest.raises(NotAllowed) as caught:
            check_in(cup, world.ana, user=somebody)
        assert caught.value.code == "no-permission"
    assert here(cup) == (["Ana Ruiz"] if may else [])


def test_strangers_and_the_unregistered_are_refused(world):
    cup = drafted(world, 2)
    for stranger, code in ((NOBODY, "sign-in"), (world.charlie, "no-permission"), (world.alice, "no-permission")):
        with pytest.raises(NotAllowed) as caught:
            check_in(cup, world.ana, user=stranger)
        assert caught.value.code == code
    other = drafted(world, 1 + 2, name="Other")
    stranger = other.registrations.get(seed=3).entrant
    with pytest.raises(Refused) as caught:
        check_in(cup, stranger, user=world.owner)
    assert caught.value.code == "not-registered"


def test_players_check_themselves_in_only_while_that_is_open(world):
    cup = drafted(world, 3)
    with pytest.raises(NotAllowed) as caught:
        check_oneself_in(cup, world.ana)
    assert (caught.value.code, here(cup)) == ("check-in-closed", [])
    with pytest.raises(NotAllowed):
        open_check_in(cup, user=world.referee, to_players=True)
    open_check_in(cup, user=world.owner, to_players=True)
    assert check_oneself_in(cup, world.ana)
    assert registration_of(cup, world.ana).checked_in_by is None
    open_check_in(cup, user=world.owner, to_players=False)
    with pytest.raises(NotAllowed):
        check_oneself_in(cup, world.bo)
    assert here(cup) == ["Ana Ruiz"]


def test_two_desks_that_check_in_the_same_player_at_once_do_it_once(shared_world):
    cup = drafted(shared_world, 3)
    done = []
    errors = both_at_once(
        lambda user: done.append(check_in(cup, shared_world.ana, user=user)),
        shared_world.referee,
        shared_world.owner,
    )
    assert (errors, sorted(done)) == ([], [False, True])
    assert registration_of(cup, shared_world.ana).checked_in_by in {shared_world.referee, shared_world.owner}


def test_the_draw_is_made_of_those_who_are_here_in_their_order(world):
    cup = drafted(world, 6)
    for seed in (1, 3, 4, 6):
        check_in(cup, cup.registrations.get(seed=seed).entrant, user=world.owner)
    absent = [row.entrant_id for row in cup.registrations.filter(checked_in_at=None)]
    draw_with_present(cup, user=world.owner, absent=absent)
    assert [(row.seed, str(row.entrant)) for row in cup.registrations.order_by("seed")] == [
        (1, "Ana Ruiz"),
        (2, "P3"),
        (3, "P4"),
        (4, "P6"),
    ]
    assert names(cup, 1) == [["Ana Ruiz", "P6"], ["P3", "P4"]]
    assert here(cup) == ["Ana Ruiz", "P3", "P4", "P6"], "a new order of seeds keeps who is here"


def test_nobody_is_taken_out_whom_the_organizer_was_not_shown(world):
    cup = drafted(world, 4)
    check_in(cup, world.ana, user=world.owner)
    shown = [row.entrant_id for row in cup.registrations.filter(checked_in_at=None)]
    check_in(cup, world.bo, user=world.referee)
    with pytest.raises(Refused) as caught:
        draw_with_present(cup, user=world.owner, absent=shown)
    assert (caught.value.code, cup.registrations.count()) == ("others-absent", 4)
    check_out(cup, world.ana, user=world.owner)
    check_out(cup, world.bo, user=world.owner)
    everybody = list(cup.registrations.values_list("entrant", flat=True))
    with pytest.raises(Refused) as caught:
        draw_with_present(cup, user=world.owner, absent=everybody)
    assert (caught.value.code, cup.registrations.count()) == ("nobody-here", 4)


def test_a_published_competition_and_a_helper_draw_nobody_out(world):
    cup = drafted(world, 4)
    absent = list(cup.registrations.exclude(entrant=world.ana).values_list("entrant", flat=True))
    check_in(cup, world.ana, user=world.owner)
    with pytest.raises(NotAllowed):
        draw_with_present(cup, user=world.referee, absent=absent)
    publish(cup, user=world.owner)
    with pytest.raises(Refused) as caught:
        draw_with_present(cup, user=world.owner, absent=absent)
    assert (caught.value.code, cup.registrations.count()) == ("already-published", 4)


def test_seeds_that_change_keep_who_is_here_and_who_plays_free(world):
    cup = drafted(world, 3)
    check_in(cup, world.bo, user=world.referee)
    let_off(cup, world.bo, user=world.referee, reason="lent the tables")
    order = [row.entrant_id for row in cup.registrations.order_by("-seed")]
    reseed(cup, order, user=world.owner)
    row = registration_of(cup, world.bo)
    assert (row.seed, row.checked_in_by, row.free_reason) == (2, world.referee, "lent the tables")
    assert list(cup.registrations.order_by("seed").values_list("entrant", flat=True)) == order


def test_check_in_goes_on_after_the_competition_is_published(world):
    cup = published(world, 4)
    assert check_in(cup, world.ana, user=world.referee)
    assert Registration.objects.filter(checked_in_at__isnull=False).count() == 1
    assert Competition.objects.get(pk=cup.pk).published_at is not None
