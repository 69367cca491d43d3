"""Signing up: who may, what becomes of it, and that nobody gets in twice or past the others."""

from datetime import UTC, datetime, timedelta

import pytest
from django.utils import timezone

from league.competitions.attendance.late_entries import walk_in
from league.competitions.attendance.late_entry_undo import undo_late_entry
from league.competitions.attendance.withdrawals import withdraw
from league.competitions.draw.plans import Plan, found
from league.competitions.draw.publishing import publish
from league.competitions.draw.stages import draw
from league.competitions.models import Applicant, Competition, Invitation, Matchday
from league.competitions.registration.admission import (
    NEW,
    accept_sign_ups,
    applications,
    reconsider_sign_up,
    refuse_sign_ups,
    take_out_who_left,
)
from league.competitions.registration.entries import register, unregister
from league.competitions.registration.opening import (
    RegistrationTerms,
    digest_of,
    invitation_of,
    invite,
    open_competitions,
    places_of,
    revoke_invitation,
    set_registration,
    takes_sign_ups,
)
from league.competitions.registration.sign_ups import (
    Introduction,
    applicant_of,
    apply_as_player,
    apply_by_name,
    forget_contacts,
    standing_of,
    withdraw_application,
)
from league.errors import NotAllowed, Refused
from league.players.models import Player
from league.players.services import enrol, erase
from tests.league.world import NOON

OPEN = Competition.Opening.OPEN
INVITED = Competition.Opening.INVITED
MEMBERS = Competition.Admission.MEMBERS


def refused(act, *args, **more) -> Refused:
    with pytest.raises(Refused) as caught:
        act(*args, **more)
    return caught.value


def open_cup(world, **terms) -> Competition:
    cup = found(world.league, Plan(name="Cup", ruleset="udl"), user=world.owner)
    return set_registration(cup, RegistrationTerms(**{"registration": OPEN} | terms), user=world.owner)


def sign_up(cup, name: str, *, secret: str = "", **said) -> Applicant:
    more = {key: said.pop(key) for key in ("invitation", "user") if key in said}
    return apply_by_name(cup, Introduction(name=name, **said), secret=secret or f"secret of {name}", **more)


def registered(cup) -> list[str]:
    return [one.entrant.player.name for one in cup.registrations.order_by("seed").select_related("entrant__player")]


def waiting(cup, world) -> list[tuple[str, str, int]]:
    return [(str(one.applicant), one.pasted.note, one.queue) for one in applications(cup, user=world.owner).waiting]


# --- Who may ---


def test_a_competition_takes_sign_ups_only_while_it_is_an_open_draft(world):
    closed = found(world.league, Plan(name="Closed", ruleset="udl"), user=world.owner)
    assert refused(sign_up, closed, "Cy").code == "registration-closed"
    cup = open_cup(world)
    assert takes_sign_ups(cup, timezone.now())
    assert list(open_competitions(timezone.now())) == [cup]
    sign_up(cup, "Cy")
    set_registration(
        cup, RegistrationTerms(registration=OPEN, closes_at=timezone.now() - timedelta(minutes=1)), user=world.owner
    )
    assert refused(sign_up, cup, "Dee").code == "registration-closed"
    assert list(open_competitions(timezone.now())) == []
    set_registration(cup, RegistrationTerms(registration=OPEN), user=world.owner)
    register(cup, [world.ana, world.bo])
    draw(cup, user=world.owner)
    publish(cup, user=world.owner)
    assert refused(sign_up, cup, "Dee").code == "registration-over"
    assert refused(set_registration, cup, RegistrationTerms(), user=world.owner).code == "already-published"
    assert Applicant.objects.count() == 1


def test_only_a_manager_of_the_league_opens_invites_and_answers(world):
    cup = open_cup(world)
    row = sign_up(cup, "Cy")
    secret = invite(cup, user=world.owner)
    link = invitation_of(secret, timezone.now())
    for user in (world.referee, world.alice, world.charlie):
        for act, args in (
            (set_registration, (cup, RegistrationTerms())),
            (invite, (cup,)),
            (revoke_invitation, (link,)),
            (accept_sign_ups, (cup, [row.pk])),
            (refuse_sign_ups, (cup, [row.pk])),
            (reconsider_sign_up, (cup, row.pk)),
            (take_out_who_left, (cup,)),
            (applications, (cup,)),
        ):
            assert isinstance(refused(act, *args, user=user), NotAllowed), act
    row.refresh_from_db()
    assert (row.state, registered(cup)) == ("waiting", [])


def test_terms_that_make_no_sense_are_refused(world):
    cup = open_cup(world)
    naive = timezone.now().replace(tzinfo=None)
    for code, terms in (
        ("bad-registration", {"registration": "perhaps"}),
        ("bad-registration", {"admission": "perhaps"}),
        ("bad-hour", {"closes_at": naive}),
        ("bad-hour", {"closes_at": datetime(9999, 12, 31, 23, 30, tzinfo=UTC)}),
        ("bad-places", {"places": -1}),
        ("bad-places", {"places": 10_001}),
    ):
        assert refused(set_registration, cup, RegistrationTerms(**terms), user=world.owner).code == code


# --- By name ---


def test_a_name_waits_until_the_organizer_accepts_it_and_comes_in_as_a_pasted_one_does(world):
    cup = open_cup(world)
    row = sign_up(cup, " Cy   Diaz ", club="Hillside", born=1990, contact="cy@example.org", word="by bus")
    assert (row.name, row.club, row.state, registered(cup)) == ("Cy Diaz", "Hillside", "waiting", [])
    done = accept_sign_ups(cup, [row.pk], user=world.owner)
    assert ([str(one) for one in done.entered], done.before) == (["Cy Diaz"], 0)
    player = Player.objects.get(name="Cy Diaz")
    assert (player.born, player.memberships.get().club) == (1990, "Hillside")
    row.refresh_from_db()
    assert (row.state, row.entrant.player, row.decided_by, row.born) == ("accepted", player, world.owner, None)
    again = accept_sign_ups(cup, [row.pk], user=world.owner)
    assert (list(again.entered), again.before, registered(cup)) == ([], 0, ["Cy Diaz"])


def test_a_form_that_is_sent_twice_signs_up_once(world):
    cup = open_cup(world)
    first, second = (sign_up(cup, "Cy", secret="the same") for _ in range(2))
    assert first == second
    assert applicant_of("the same") == first
    assert not Applicant.objects.filter(digest="the same").exists(), "only the hash is kept"


@pytest.mark.parametrize("name", ["", "  ", "\u202e", "x" * 61, "1. ", "12", "\0"])
def test_what_is_no_name_is_refused(world, name):
    assert refused(sign_up, open_cup(world), name, secret="s").code == "bad-name"


def test_a_name_with_a_comma_stays_one_name(world):
    cup = open_cup(world)
    row = sign_up(cup, 'Diaz, Cy "El Toro"', club="Mill; Street")
    accept_sign_ups(cup, [row.pk], user=world.owner)
    assert registered(cup) == ['Diaz, Cy "El Toro"']
    assert Player.objects.get(folded__startswith="diaz").memberships.get().club == "Mill; Street"


def test_what_is_too_long_or_impossible_names_its_field(world):
    cup = open_cup(world)
    for code, said in (("long-contact", {"contact": "x" * 121}), ("long-word", {"word": "x" * 301}),
                       ("bad-year", {"born": 1066}), ("bad-club", {"club": "x" * 61})):  # fmt: skip
        assert refused(sign_up, cup, "Cy", **said).code == code


def test_a_flood_stops(world, monkeypatch):
    monkeypatch.setattr("league.competitions.registration.sign_ups.MOST_WAITING", 2)
    cup = open_cup(world)
    for name in ("Cy", "Dee"):
        sign_up(cup, name)
    assert refused(sign_up, cup, "Eve").code == "too-many-wait"


# --- Who is meant ---


def test_the_list_says_who_is_known_who_is_there_twice_and_who_takes_part_already(world):
    cup = open_cup(world)
    register(cup, [world.ana])
    for n, name in enumerate(("Ana Ruiz", "Bo Chen", "Bó Chen", "Cy", "cy")):
        sign_up(cup, name, secret=str(n))
    found = applications(cup, user=world.owner).waiting
    assert [(str(one.applicant), one.pasted.note, one.twin, one.registered) for one in found] == [
        ("Ana Ruiz", "known", None, True),
        ("Bo Chen", "known", None, False),
        ("Bó Chen", "similar", None, False),
        ("Cy", "new", None, False),
        ("cy", "repeated", 4, False),
    ]


def test_who_is_registered_already_is_not_registered_twice(world):
    cup = open_cup(world, places=1)
    register(cup, [world.ana])
    row = sign_up(cup, "Ana Ruiz")
    done = accept_sign_ups(cup, [row.pk], user=world.owner)
    assert (list(done.entered), done.before, registered(cup)) == ([], 1, ["Ana Ruiz"])


def test_somebody_of_a_known_name_may_be_somebody_new_or_one_of_several(world):
    cup = open_cup(world)
    first, second = sign_up(cup, "Ana Ruiz", secret="1"), sign_up(cup, "Ana Ruiz", secret="2")
    both = [first.pk, second.pk]
    assert refused(accept_sign_ups, cup, both, user=world.owner).code == "sign-ups-unclear"
    assert registered(cup) == []
    accept_sign_ups(cup, both, user=world.owner, who={second.pk: NEW})
    one, other = Player.objects.filter(name="Ana Ruiz").order_by("pk")
    assert [row.entrant.player for row in cup.registrations.order_by("seed")] == [one, other]
    assert one == world.ana.player
    third = sign_up(cup, "Ana Ruiz", secret="3")
    assert waiting(cup, world) == [("Ana Ruiz", "unclear", 0)]
    assert refused(accept_sign_ups, cup, [third.pk], user=world.owner).code == "sign-ups-unclear"
    assert refused(accept_sign_ups, cup, [third.pk], user=world.owner, who={third.pk: world.bo.player.code}).code == (
        "wrong-choice"
    )
    done = accept_sign_ups(cup, [third.pk], user=world.owner, who={third.pk: other.code})
    assert (done.before, len(registered(cup))) == (1, 2)


# --- Members ---


def test_a_player_with_an_account_signs_up_once_and_waits_like_others(world):
    cup = open_cup(world)
    row = apply_as_player(cup, world.ana.player, user=world.alice, secret="a")
    assert (row.state, registered(cup)) == ("waiting", [])
    assert apply_as_player(cup, world.ana.player, user=world.alice, secret="b") == row
    accept_sign_ups(cup, [row.pk], user=world.owner)
    assert registered(cup) == ["Ana Ruiz"]
    assert refused(apply_as_player, cup, world.bo.player, user=world.alice, secret="c").code == "not-your-player"


def test_members_are_in_at_once_where_the_organizer_said_so_and_guests_wait(world):
    cup = open_cup(world, admission=MEMBERS)
    row = apply_as_player(cup, world.ana.player, user=world.alice, secret="a")
    assert (row.state, row.decided_by, registered(cup)) == ("accepted", None, ["Ana Ruiz"])
    guest = Player.objects.get(name="Charlie Hill")
    other = apply_as_player(cup, guest, user=world.charlie, secret="b")
    assert (other.state, registered(cup)) == ("waiting", ["Ana Ruiz"])
    accept_sign_ups(cup, [other.pk], user=world.owner)
    assert registered(cup) == ["Ana Ruiz", "Charlie Hill"]
    assert guest.memberships.filter(league=world.league).exists()


def test_whoever_signs_up_takes_no_draw_back(world):
    cup = open_cup(world, admission=MEMBERS)
    third = enrol(league=world.league, name="Cy", since=NOON.date())
    register(cup, [world.bo, third])
    draw(cup, user=world.owner)
    row = apply_as_player(cup, world.ana.player, user=world.alice, secret="a")
    assert row.state == "waiting"
    assert Matchday.objects.filter(stage__competition=cup).exists()


# --- PlacesLeft ---


def test_beyond_the_places_there_is_a_waiting_list_in_the_order_of_arrival(world):
    cup = open_cup(world, places=2, admission=MEMBERS)
    register(cup, [world.bo])
    rows = [sign_up(cup, name) for name in ("Cy", "Dee", "Eve")]
    assert waiting(cup, world) == [("Cy", "new", 0), ("Dee", "new", 1), ("Eve", "new", 2)]
    assert [standing_of(row).queue for row in rows] == [0, 1, 2]
    found = places_of(cup)
    assert (found.free, found.to_give, found.queue) == (1, 0, 2)
    late = apply_as_player(cup, world.ana.player, user=world.alice, secret="a")
    assert (late.state, standing_of(late).queue) == ("waiting", 3), "a member does not overtake"
    assert refused(accept_sign_ups, cup, [one.pk for one in rows], user=world.owner).code == "no-places"
    assert registered(cup) == ["Bo Chen"]
    accept_sign_ups(cup, [rows[0].pk], user=world.owner)
    assert [one[2] for one in waiting(cup, world)] == [1, 2, 3]
    withdraw_application(Applicant.objects.get(pk=rows[0].pk))
    assert (registered(cup), [one[2] for one in waiting(cup, world)]) == (["Bo Chen"], [0, 1, 2])
    refuse_sign_ups(cup, [rows[1].pk], user=world.owner)
    assert [one[2] for one in waiting(cup, world)] == [0, 1]


# --- Answers, and second thoughts ---


def test_a_refusal_can_be_thought_over_and_a_withdrawal_forgets_what_was_said(world):
    cup = open_cup(world)
    row, other = sign_up(cup, "Cy", contact="c", word="w", born=1990), sign_up(cup, "Dee")
    assert refuse_sign_ups(cup, [row.pk], user=world.owner) == 1
    assert refuse_sign_ups(cup, [row.pk], user=world.owner) == 0
    assert not withdraw_application(row)
    assert reconsider_sign_up(cup, row.pk, user=world.owner)
    assert [name for name, _note, _queue in waiting(cup, world)] == ["Cy", "Dee"]
    assert withdraw_application(row)
    assert not withdraw_application(row)
    row.refresh_from_db()
    assert (row.state, row.name, row.contact, row.word, row.born) == ("withdrawn", "Cy", "", "", None)
    accept_sign_ups(cup, [row.pk, other.pk], user=world.owner)
    assert registered(cup) == ["Dee"]


def test_who_withdraws_after_the_draw_stays_in_it_until_the_organizer_takes_them_out(world):
    cup = open_cup(world)
    row = sign_up(cup, "Cy")
    register(cup, [world.ana, world.bo])
    accept_sign_ups(cup, [row.pk], user=world.owner)
    draw(cup, user=world.owner)
    row.refresh_from_db()
    assert withdraw_application(row)
    assert registered(cup) == ["Ana Ruiz", "Bo Chen", "Cy"]
    assert Matchday.objects.filter(stage__competition=cup).exists()
    assert [str(one) for one in applications(cup, user=world.owner).left] == ["Cy"]
    assert take_out_who_left(cup, user=world.owner) == 1
    assert take_out_who_left(cup, user=world.owner) == 0
    assert registered(cup) == ["Ana Ruiz", "Bo Chen"]
    register(cup, [applicant_of("secret of Cy").entrant])
    assert list(applications(cup, user=world.owner).left) == []


def test_who_was_withdrawn_by_an_organizer_has_left_and_is_told_so(world):
    cup = open_cup(world)
    register(cup, [world.ana, world.bo])
    row = apply_as_player(cup, world.ana.player, user=world.alice, secret="a")
    draw(cup, user=world.owner)
    publish(cup, user=world.owner)
    withdraw_application(row)
    assert [str(one) for one in applications(cup, user=world.owner).left] == ["Ana Ruiz"]
    assert standing_of(row).plays
    withdraw(cup, world.ana, user=world.owner, reason="goes home")
    assert list(applications(cup, user=world.owner).left) == []
    assert not standing_of(row).plays


def test_who_withdraws_from_the_draw_and_signs_up_again_plays_after_all(world):
    cup = open_cup(world)
    register(cup, [world.ana, world.bo])
    draw(cup, user=world.owner)
    withdraw_application(apply_as_player(cup, world.ana.player, user=world.alice, secret="a"))
    assert [str(one) for one in applications(cup, user=world.owner).left] == ["Ana Ruiz"]
    again = apply_as_player(cup, world.ana.player, user=world.alice, secret="b")
    assert (again.state, list(applications(cup, user=world.owner).left)) == ("accepted", [])
    withdraw_application(again)
    row = sign_up(cup, "Ana Ruiz")
    accept_sign_ups(cup, [row.pk], user=world.owner)
    assert list(applications(cup, user=world.owner).left) == []
    assert registered(cup) == ["Ana Ruiz", "Bo Chen"]


# --- Late entries ---


def test_a_late_entry_answers_the_sign_up_and_its_undo_lets_it_wait_again(world):
    cup = open_cup(world)
    register(cup, [world.ana, world.bo, enrol(league=world.league, name="P3", since=NOON.date())])
    rows = [sign_up(cup, name, secret=secret) for name, secret in (("Dee", "d"), ("Cy", "c"), ("CY ", "twin"))]
    draw(cup, user=world.owner)
    publish(cup, user=world.owner)
    entry = walk_in(cup, "Cy", user=world.owner).registration
    assert [row.state for row in again(rows)] == ["waiting", "accepted", "waiting"], "one entry, one sign-up"
    mine = standing_of(rows[1])
    assert (mine.plays, mine.applicant.entrant, mine.applicant.decided_by) == (True, entry.entrant, world.owner)
    assert undo_late_entry(entry, user=world.owner)
    assert [(row.state, row.entrant, row.decided_at) for row in again(rows)] == [("waiting", None, None)] * 3


def test_a_late_entry_answers_the_sign_up_of_the_account_before_that_of_a_namesake(world):
    cup = open_cup(world)
    namesake = sign_up(cup, "Ana Ruiz")
    mine = apply_as_player(cup, world.ana.player, user=world.alice, secret="a")
    walk_in(cup, world.ana.player.code, user=world.owner)
    assert [row.state for row in again([namesake, mine])] == ["waiting", "accepted"]


def test_a_late_entry_of_somebody_who_had_left_the_draft_plays_after_all(world):
    cup = open_cup(world)
    register(cup, [world.ana, world.bo])
    row = apply_as_player(cup, world.ana.player, user=world.alice, secret="a")
    draw(cup, user=world.owner)
    withdraw_application(row)
    unregister(cup, world.ana, user=world.owner)
    walk_in(cup, world.ana.player.code, user=world.owner)
    assert list(applications(cup, user=world.owner).left) == []


def again(rows):
    return [Applicant.objects.get(pk=row.pk) for row in rows]


def test_whoever_was_let_in_and_taken_out_again_reads_so(world):
    cup = open_cup(world)
    row = sign_up(cup, "Cy")
    accept_sign_ups(cup, [row.pk], user=world.owner)
    row = applicant_of("secret of Cy")
    assert standing_of(row).plays
    cup.registrations.all().delete()
    assert not standing_of(row).plays


# --- Invitations ---


def test_an_invitation_opens_as_often_as_it_says_until_it_ends_or_is_revoked(world):
    cup = open_cup(world, registration=INVITED)
    assert refused(sign_up, cup, "Cy").code == "by-invitation"
    assert list(open_competitions(timezone.now())) == []
    secret = invite(cup, user=world.owner, whom="the Mill", uses=2)
    assert Invitation.objects.get().digest == digest_of(secret) != secret
    row = sign_up(cup, "Cy", invitation=secret)
    assert row.invitation == Invitation.objects.get()
    assert sign_up(cup, "Cy", invitation=secret) == row, "sent twice, used once"
    sign_up(cup, "Dee", invitation=secret)
    assert refused(sign_up, cup, "Eve", invitation=secret).code == "by-invitation"
    other = invite(cup, user=world.owner)
    assert revoke_invitation(invitation_of(other, timezone.now()), user=world.owner)
    assert refused(sign_up, cup, "Eve", invitation=other).code == "by-invitation"
    third = invite(cup, user=world.owner, days=1)
    Invitation.objects.filter(digest=digest_of(third)).update(expires_at=timezone.now())
    assert refused(sign_up, cup, "Eve", invitation=third).code == "by-invitation"


def test_an_invitation_to_another_competition_opens_nothing_here(world):
    cup = open_cup(world, registration=INVITED)
    other = found(world.league, Plan(name="Other", ruleset="udl"), user=world.owner)
    secret = invite(other, user=world.owner)
    assert refused(sign_up, cup, "Cy", invitation=secret).code == "by-invitation"


@pytest.mark.parametrize("wrong", [{"uses": 0}, {"uses": 1001}, {"days": 0}, {"days": 367}, {"whom": "x" * 81}])
def test_an_invitation_for_nobody_or_for_ever_is_refused(world, wrong):
    assert refused(invite, open_cup(world), user=world.owner, **wrong).code == "bad-invitation"


# --- What is forgotten ---


def test_what_was_said_is_forgotten_a_month_after_the_draw_or_the_refusal(world):
    cup = open_cup(world)
    first, second = (sign_up(cup, name, contact="c", word="w") for name in ("Cy", "Dee"))
    refuse_sign_ups(cup, [first.pk], user=world.owner)
    assert forget_contacts() == 0
    Applicant.objects.filter(pk=first.pk).update(decided_at=timezone.now() - timedelta(days=31))
    assert forget_contacts() == 1
    Competition.objects.filter(pk=cup.pk).update(published_at=timezone.now() - timedelta(days=31))
    assert (forget_contacts(), forget_contacts()) == (1, 0)
    assert list(Applicant.objects.values_list("contact", "word")) == [("", "")] * 2
    assert second.name == "Dee"


def test_an_erased_name_is_erased_from_the_sign_ups_too(world):
    cup = open_cup(world)
    row = sign_up(cup, "Cy Diaz", contact="c")
    accept_sign_ups(cup, [row.pk], user=world.owner)
    own = apply_as_player(cup, world.ana.player, user=world.alice, secret="a")
    erase(Player.objects.get(name="Cy Diaz"))
    erase(world.ana.player)
    rows = Applicant.objects.order_by("pk").values_list("name", "contact", "user", "state")
    assert list(rows) == [("", "", None, "accepted"), ("", "", None, "withdrawn")]
    assert own.state == "waiting"
