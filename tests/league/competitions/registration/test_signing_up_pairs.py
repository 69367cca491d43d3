"""Signing up as a pair: both are named, both are looked at, and nobody plays in two pairs."""

import pytest

from league.competitions.attendance.late_entries import walk_in
from league.competitions.draw.plans import Plan, found, replan
from league.competitions.models import Applicant, Competition
from league.competitions.registration.admission import NEW, accept_all, accept_sign_ups, applications
from league.competitions.registration.opening import RegistrationTerms, set_registration
from league.competitions.registration.sign_ups import (
    Introduction,
    applicant_of,
    apply_as_player,
    apply_by_name,
    standing_of,
    withdraw_application,
)
from league.errors import Refused
from league.players.models import Entrant, Player
from league.players.services import enrol, erase
from tests.league.world import NOON

OPEN = Competition.Opening.OPEN


def code_of(act, *args, **more) -> str:
    with pytest.raises(Refused) as refused:
        act(*args, **more)
    return refused.value.code


@pytest.fixture
def cup(world) -> Competition:
    return opened(world)


def opened(world, *, pairs: bool = True, **terms) -> Competition:
    made = found(world.league, Plan(name="Cup", ruleset="udl", pairs=pairs), user=world.owner)
    return set_registration(made, RegistrationTerms(**{"registration": OPEN} | terms), user=world.owner)


def sign_up(cup, name: str, partner: str = "", **said) -> Applicant:
    return apply_by_name(cup, Introduction(name=name, partner=partner, **said), secret=f"{name} {partner}")


def pairs_in(cup) -> list[str]:
    rows = cup.registrations.order_by("seed").select_related("entrant__player", "entrant__partner")
    return [row.entrant.full_name for row in rows]


@pytest.mark.parametrize(
    ("name", "partner"), [("Cy Diaz", "Leo Paz"), ("Cy  Diaz / Leo Paz", ""), ("Cy Diaz & Leo Paz", "")]
)
def test_two_names_wait_as_one_pair_and_come_in_as_a_pasted_one_does(world, cup, name, partner):
    row = sign_up(cup, name, partner, club="Mill", born=1990, partner_born=1991)
    assert (row.name, row.partner_name, str(row)) == ("Cy Diaz", "Leo Paz", "Cy Diaz & Leo Paz")
    assert len(accept_sign_ups(cup, [row.pk], user=world.owner).entered) == 1
    row.refresh_from_db()
    cy, leo = Player.objects.get(name="Cy Diaz"), Player.objects.get(name="Leo Paz")
    assert (row.entrant.player, row.entrant.partner) == (cy, leo)
    assert (cy.born, leo.born, row.born, row.partner_born) == (1990, 1991, None, None)
    assert {one.memberships.get().club for one in (cy, leo)} == {"Mill"}
    assert standing_of(applicant_of(f"{name} {partner}")).name == "Cy Diaz & Leo Paz"


@pytest.mark.parametrize(
    ("name", "partner", "code"),
    [
        ("Cy Diaz", "", "no-partner"),
        ("Cy Diaz / ", "", "no-partner"),
        ("Cy / Leo / Mia", "", "no-partner"),
        ("Cy / Leo", "Mia", "no-partner"),
        ("Cy Diaz", "12", "bad-partner"),
        ("Cy Diaz", "L" * 61, "bad-partner"),
        ("Cy Diaz", "cy diaz", "one-person"),
        (" / Leo Paz", "", "bad-name"),
    ],
)
def test_what_is_no_pair_is_refused(cup, name, partner, code):
    assert code_of(sign_up, cup, name, partner) == code
    assert not Applicant.objects.exists()


def test_a_partners_year_that_is_none_is_refused_at_its_own_field(cup):
    assert code_of(sign_up, cup, "Cy", "Leo", partner_born=1066) == "bad-partner-year"


def test_where_everybody_plays_alone_nobody_signs_up_as_two(world):
    cup = opened(world, pairs=False)
    assert code_of(sign_up, cup, "Cy", "Leo") == "is-pair"
    assert code_of(sign_up, cup, "Cy Diaz / Leo Paz") == "is-pair"
    assert sign_up(cup, "Cy O/Neill").name == "Cy O/Neill"


def test_each_of_a_pair_is_looked_at_and_chosen_for_oneself(world, cup):
    twin = enrol(league=world.league, name="Leo Paz", since=NOON.date()).player
    enrol(league=world.league, name="Leo Paz", since=NOON.date())
    row = sign_up(cup, "Ana Ruiz", "Leo Paz")
    [one] = applications(cup, user=world.owner).waiting
    assert [person.note for person in one.people] == ["known", "unclear"]
    assert (one.undecided, [len(one.candidates(person)) for person in one.people]) == (True, [0, 2])
    assert code_of(accept_sign_ups, cup, [row.pk], user=world.owner) == "sign-ups-unclear"
    wrong = {"who": {row.pk: twin.code}}
    assert code_of(accept_sign_ups, cup, [row.pk], user=world.owner, **wrong) == "wrong-choice"
    accept_sign_ups(cup, [row.pk], user=world.owner, partners={row.pk: twin.code})
    entrant = cup.registrations.get().entrant
    assert (entrant.player, entrant.partner) == (world.ana.player, twin)


def test_a_partner_may_be_somebody_new_of_a_known_name(world, cup):
    row = sign_up(cup, "Cy Diaz", "Ana Ruiz")
    accept_sign_ups(cup, [row.pk], user=world.owner, partners={row.pk: NEW})
    partner = cup.registrations.get().entrant.partner
    assert (partner.name, partner == world.ana.player) == ("Ana Ruiz", False)


def test_the_same_pair_again_is_answered_and_stands_once(world, cup):
    first = sign_up(cup, "Cy Diaz", "Leo Paz")
    second = sign_up(cup, "Leo Paz", "Cy Diaz")
    found = applications(cup, user=world.owner).waiting
    assert [(one.twin, one.undecided) for one in found] == [(None, False), (1, True)]
    assert code_of(accept_sign_ups, cup, [first.pk, second.pk], user=world.owner) == "sign-ups-unclear"
    done = accept_all(cup, user=world.owner)
    assert (len(done.admitted.entered), done.unclear) == (1, ["Leo Paz & Cy Diaz"])
    [one] = applications(cup, user=world.owner).waiting
    assert (one.registered, one.undecided) == (True, False)
    again = accept_all(cup, user=world.owner)
    assert ([*again.admitted.entered], again.admitted.before, pairs_in(cup)) == ([], 1, ["Cy Diaz & Leo Paz"])


def test_nobody_gets_in_with_a_second_partner(world, cup):
    accept_sign_ups(cup, [sign_up(cup, "Cy Diaz", "Leo Paz").pk], user=world.owner)
    row, other = sign_up(cup, "Cy Diaz", "Mia Sol"), sign_up(cup, "Dee Roe", "Eva Mar")
    found = applications(cup, user=world.owner).waiting
    assert [(str(one.elsewhere or ""), one.undecided) for one in found] == [("Cy Diaz & Leo Paz", True), ("", False)]
    assert code_of(accept_sign_ups, cup, [row.pk], user=world.owner) == "plays-already"
    done = accept_all(cup, user=world.owner)
    assert (len(done.admitted.entered), done.unclear) == (1, ["Cy Diaz & Mia Sol"])
    other.refresh_from_db()
    assert (other.state, pairs_in(cup)) == ("accepted", ["Cy Diaz & Leo Paz", "Dee Roe & Eva Mar"])
    assert not Player.objects.filter(name="Mia Sol").exists()


def test_an_account_signs_up_with_its_partner_and_waits_even_where_members_are_in_at_once(world):
    cup = opened(world, admission=Competition.Admission.MEMBERS)
    ana = world.ana.player
    assert code_of(apply_as_player, cup, ana, user=world.alice, secret="s") == "no-partner"
    assert code_of(apply_as_player, cup, ana, user=world.alice, secret="s", partner="ana ruiz") == "one-person"
    made = apply_as_player(cup, ana, user=world.alice, secret="s", partner="Bo Chen")
    assert (made.state, str(made)) == ("waiting", "Ana Ruiz & Bo Chen")
    assert apply_as_player(cup, ana, user=world.alice, secret="t", partner="Bo Chen") == made
    accept_sign_ups(cup, [made.pk], user=world.owner)
    entrant = cup.registrations.get().entrant
    assert (entrant.player, entrant.partner) == (ana, world.bo.player)
    # The partner's account finds the pair that is there, and no other one.
    bo = world.bo.player
    assert code_of(apply_as_player, cup, bo, user=world.bob, secret="u", partner="Mia Sol") == "plays-already"
    same = apply_as_player(cup, bo, user=world.bob, secret="u", partner="Ana Ruiz")
    assert (same.state, same.entrant, standing_of(same).name) == ("accepted", entrant, "Ana Ruiz & Bo Chen")


def test_a_pair_that_withdraws_leaves_the_list_and_no_year_behind(world, cup):
    row = sign_up(cup, "Cy", "Leo", partner_born=1990)
    accept_sign_ups(cup, [row.pk], user=world.owner)
    row.refresh_from_db()
    assert withdraw_application(row)
    row.refresh_from_db()
    assert (row.state, row.partner_born, pairs_in(cup)) == ("withdrawn", None, [])


@pytest.mark.parametrize("name", ["Cy Diaz", "Leo Paz"])
def test_whoever_of_a_pair_is_erased_takes_along_what_was_typed(world, cup, name):
    row = sign_up(cup, "Cy Diaz", "Leo Paz", club="Mill", contact="cy@example.org", word="by bus")
    accept_sign_ups(cup, [row.pk], user=world.owner)
    entrant = Entrant.objects.get(partner__isnull=False)
    Entrant.objects.update(needs_accessible=True)
    erase(Player.objects.get(name=name))
    row.refresh_from_db()
    entrant.refresh_from_db()
    said = (row.name, row.partner_name, row.club, row.contact, row.word, row.born, row.partner_born)
    assert (said, entrant.needs_accessible) == (("", "", "", "", "", None, None), False)


def test_who_plays_is_not_changed_while_sign_ups_wait(world, cup):
    sign_up(cup, "Cy", "Leo")
    assert code_of(replan, cup, Plan(name="Cup", ruleset="udl"), user=world.owner) == "sign-ups-wait"
    # Should it come to that all the same, they are neither clear nor let in.
    Competition.objects.update(pairs=False)
    cup.refresh_from_db()
    [one] = applications(cup, user=world.owner).waiting
    assert (one.fits, one.undecided) == (False, True)
    assert code_of(accept_sign_ups, cup, [one.applicant.pk], user=world.owner) == "other-plan"


def test_a_late_entry_answers_the_sign_up_of_both_in_either_order(world, cup):
    alone = sign_up(cup, "Cy Diaz", "Eve Roe")
    row = sign_up(cup, "Cy Diaz", "Leo Paz")
    walk_in(cup, "Leo Paz / Cy Diaz", user=world.owner)
    assert [Applicant.objects.get(pk=one.pk).state for one in (alone, row)] == ["waiting", "accepted"]
