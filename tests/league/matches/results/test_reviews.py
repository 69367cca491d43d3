"""Reviews: no entry is replaced silently.

A review ends by agreement or by an official's decision.
"""

import pytest
from django.utils import timezone

from league.accounts.models import League, Role
from league.competitions.queries import results_grid
from league.competitions.queries.inbox import inbox
from league.errors import Refused
from league.matches.logs.submission import confirm_result, verify_record
from league.matches.models import KnownBy, Match, Record, Reply, Result
from league.matches.permissions import Guest
from league.matches.queries.match import match_page
from league.matches.results import reviews
from league.matches.results.auto_confirm import confirm_by_silence
from league.matches.results.entering import enter_sheet, rule, undo_entry
from tests.league.world import NOON, played_log

pytestmark = pytest.mark.django_db

ONE = {"scores": [150, 125]}
OTHER = {"scores": [125, 150]}


def says(world, who, sheet=ONE):
    return enter_sheet(world.game, who, sheet, kind=KnownBy.SCORE)


def current(world):
    return Result.objects.select_related("record", "game__match__league").get(game=world.game, current=True)


def state(world):
    """Return score, state, kind of confirmation, and whether it is under review."""
    one = current(world)
    return str(one), one.state, one.confirmed_how, one.contested


def refused(act, *args, **more):
    with pytest.raises(Refused) as caught:
        act(*args, **more)
    return caught.value.code


def only_official(world):
    Role.objects.filter(league=world.league).exclude(user=world.referee).exclude(kind=Role.Kind.PLAYER).delete()


# --- I disagree ---


def test_a_side_that_disagrees_puts_the_result_under_review_with_its_sentence(world):
    says(world, world.alice)
    reviews.disagree(current(world), world.bob, sentence="  I had 5 more. ", at=NOON)
    assert state(world) == ("150–125", "provisional", "", True)
    [said] = reviews.objections([world.game.pk], sentences=True)[world.game.pk]
    assert (said.sentence, said.for_side, said.said_by) == ("I had 5 more.", 2, world.bob)


@pytest.mark.parametrize("who", ["bob", "referee", "second_referee"])
def test_nobody_confirms_a_result_under_review(world, who):
    says(world, world.alice)
    reviews.disagree(current(world), world.bob, sentence="no")
    assert refused(confirm_result, result=current(world), user=getattr(world, who)) == "under-review"
    assert not match_page(getattr(world, who), world.match.pk).games[0].may_confirm


@pytest.mark.parametrize(
    ("who", "sentence", "code"),
    [
        ("bob", "", "no-reason"),
        ("bob", "x" * 201, "long-reason"),
        ("alice", "no", "own-submission"),
        ("charlie", "no", "not-your-match"),
    ],
)
def test_permission_and_sentence_of_an_objection(world, who, sentence, code):
    says(world, world.alice)
    assert refused(reviews.disagree, current(world), getattr(world, who), sentence=sentence) == code
    assert state(world)[3] is False
    assert not Reply.objects.exists()


def test_a_correction_by_the_author_ends_the_review(world):
    says(world, world.alice)
    reviews.disagree(current(world), world.bob, sentence="I had 130")
    says(world, world.alice, {"scores": [150, 130]})
    assert state(world) == ("150–130", "provisional", "", False)
    confirm_result(result=current(world), user=world.bob)
    assert state(world)[1] == "official"


def test_an_own_entry_replaces_the_objection(world):
    says(world, world.alice)
    reviews.disagree(current(world), world.bob, sentence="no")
    says(world, world.bob, ONE)
    assert state(world) == ("150–125", "official", "agreed", False)


def test_an_objection_without_an_account_is_the_sides(world):
    says(world, world.alice)
    assert refused(reviews.disagree, current(world), Guest(world.match.pk, 1), sentence="no") == "own-submission"
    reviews.disagree(current(world), Guest(world.match.pk, 2), sentence="no")
    assert [(one.for_side, one.said_by) for one in Reply.objects.all()] == [(2, None)]


# --- Accepting the other's ---


@pytest.mark.parametrize(("guest", "how"), [(False, "person"), (True, "side")])
def test_a_side_accepts_the_others_entry_and_it_is_official(world, guest, how):
    says(world, world.alice)
    says(world, world.bob, OTHER)
    assert state(world)[3]
    hers = Result.objects.get(record__for_side=1)
    reviews.accept(hers, Guest(world.match.pk, 2) if guest else world.bob, at=NOON)
    assert state(world) == ("150–125", "official", how, False)
    assert current(world).confirmed_by == (None if guest else world.bob)
    assert Match.objects.get(pk=world.match.pk).state == "decided"


def test_acceptance_does_not_end_a_review_with_a_third_entry(world):
    says(world, world.alice)
    says(world, world.bob, OTHER)
    says(world, world.referee, {"scores": [150, 100]})
    reviews.accept(Result.objects.get(record__for_side=1), world.bob)
    assert state(world)[1:] == ("provisional", "", True)
    reviews.choose(Result.objects.get(record__for_side=1), world.second_referee, reason="seen")
    assert state(world) == ("150–125", "official", "person", False)


@pytest.mark.parametrize(
    ("who", "code"), [("alice", "own-submission"), ("referee", "not-your-match"), ("charlie", "not-your-match")]
)
def test_only_the_other_side_accepts(world, who, code):
    says(world, world.alice)
    says(world, world.bob, OTHER)
    assert refused(reviews.accept, Result.objects.get(record__for_side=1), getattr(world, who)) == code


def test_an_uncontradicted_entry_is_confirmed_not_accepted(world):
    says(world, world.alice)
    assert refused(reviews.accept, current(world), world.bob) == "not-under-review"


# --- An official takes one ---


def test_an_official_takes_one_with_a_reason_that_stays(world):
    says(world, world.alice)
    reviews.disagree(current(world), world.bob, sentence="no")
    assert refused(reviews.choose, current(world), world.referee, reason=" ") == "no-reason"
    reviews.choose(current(world), world.referee, reason="I saw the card")
    one = current(world)
    assert (one.state, one.decided, one.reason, one.confirmed_by) == ("official", True, "I saw the card", world.referee)
    [game] = match_page(world.bob, world.match.pk).games
    assert [said.sentence for said in game.review.objections] == ["no"]
    assert game.review.is_open is False


def test_a_repeated_entry_does_not_reopen_a_decision(world):
    says(world, world.alice)
    says(world, world.bob, OTHER)
    reviews.choose(Result.objects.get(record__for_side=1), world.referee, reason="seen")
    says(world, world.alice, {"scores": [150, 125], "winner": 0})
    assert state(world) == ("150–125", "official", "person", False)


def test_a_ruling_against_both_entries_waits_for_another_official(world):
    says(world, world.alice)
    says(world, world.bob, OTHER)
    rule(world.game, world.referee, scores=[0, 150], winner=2, reason="seen")
    assert state(world) == ("0–150", "provisional", "", True)
    for who in (world.alice, world.bob, world.second_referee):
        assert refused(confirm_result, result=current(world), user=who) == "under-review"
    assert refused(reviews.choose, current(world), world.referee, reason="seen") == "own-submission"
    reviews.choose(current(world), world.second_referee, reason="seen too")
    assert state(world) == ("0–150", "official", "person", False)


def test_a_side_disagrees_with_a_ruling(world):
    rule(world.game, world.referee, scores=[150, 0], winner=1, reason="Bo did not come")
    reviews.disagree(current(world), world.bob, sentence="I was there")
    assert state(world) == ("150–0", "provisional", "", True)


def test_the_only_official_rules_against_both_entries(world):
    only_official(world)
    says(world, world.alice)
    says(world, world.bob, OTHER)
    rule(world.game, world.referee, scores=[0, 150], winner=2, reason="seen")
    assert state(world) == ("0–150", "official", "alone", False)


# --- Everybody sees what happened, both sides and officials read why ---


def review_for(world, who):
    return match_page(who, world.match.pk).games[0].review


@pytest.mark.parametrize(("who", "sentence"), [("alice", "no"), ("bob", "no"), ("referee", "no"), ("charlie", "")])
def test_a_sentence_is_for_both_sides_and_officials(world, who, sentence):
    says(world, world.alice)
    reviews.disagree(current(world), world.bob, sentence="no")
    assert [one.sentence for one in review_for(world, getattr(world, who)).objections] == [sentence]


def test_a_review_closed_by_agreement_is_still_shown(world):
    says(world, world.alice)
    reviews.disagree(current(world), world.bob, sentence="I had 130")
    says(world, world.alice, {"scores": [150, 130]})
    assert review_for(world, world.bob) is None
    confirm_result(result=current(world), user=world.bob)
    told = review_for(world, world.alice)
    assert (told.is_open, [one.sentence for one in told.objections]) == (False, ["I had 130"])


def test_the_other_log_with_different_awards_is_shown_after_the_decision(world):
    for seed, who in ((6, world.alice), (11, world.bob)):  # two games that end 85–150
        verify_record(world.submit(played_log(seed), by=who).pk)
    taken = Result.objects.get(record__for_side=1)
    reviews.choose(taken, world.referee, reason="seen")
    assert [one.result.record.for_side for one in review_for(world, world.bob).entries] == [1, 2]


def test_beside_a_log_under_review_a_side_corrects_its_own_score(world):
    says(world, world.bob, OTHER)
    verify_record(world.submit(played_log(7), by=world.alice).pk)
    assert state(world)[3]
    assert match_page(world.bob, world.match.pk).games[0].may_enter
    says(world, world.bob, {"scores": list(current(world).scores.values())})
    assert state(world)[1:] == ("official", "agreed", False)
    assert not match_page(world.bob, world.match.pk).games[0].may_enter


def test_over_logs_under_review_an_official_is_told_to_take_one(world):
    for seed, who in ((6, world.alice), (7, world.bob)):
        verify_record(world.submit(played_log(seed), by=who).pk)
    with pytest.raises(Refused, match="Take one of them"):
        rule(world.game, world.referee, scores=[150, 0], winner=1, reason="seen")


def test_a_result_that_is_open_again_loses_the_mark_of_one_device(world):
    says(world, world.alice)
    bobs = says(world, world.bob).record
    Result.objects.filter(current=True).update(one_device=Result.OneDevice.SAME)
    undo_entry(bobs, world.bob)
    assert (current(world).state, current(world).one_device) == ("provisional", "")


def test_a_review_waits_on_the_home_of_both_sides_and_of_officials(world):
    says(world, world.alice)
    says(world, world.bob, OTHER)
    for who in (world.alice, world.bob, world.referee):
        assert [one.game.match_id for one in inbox(who)] == [world.match.pk]
    assert inbox(world.charlie) == []
    reviews.choose(current(world), world.referee, reason="seen")
    assert inbox(world.alice) == []


# --- A log that waits for its verdict is heard first ---


def test_nothing_is_confirmed_while_an_older_log_waits_for_its_verdict(world):
    record = world.submit(played_log(7), by=world.alice)
    says(world, world.bob, OTHER)
    assert refused(confirm_result, result=current(world), user=world.referee) == "being-checked"
    assert not match_page(world.referee, world.match.pk).games[0].may_confirm
    verify_record(record.pk)
    assert state(world)[1:] == ("provisional", "", True)


def test_no_review_is_decided_while_a_log_waits_for_its_verdict(world):
    says(world, world.alice)
    record = world.submit(played_log(7), by=world.alice)
    says(world, world.bob, OTHER)
    bobs = Result.objects.get(record__for_side=2)
    assert refused(reviews.choose, bobs, world.referee, reason="seen") == "being-checked"
    verify_record(record.pk)
    assert reviews.choose(Result.objects.get(pk=bobs.pk), world.referee, reason="seen").state == "official"


def test_agreement_does_not_overtake_a_waiting_log(world):
    record = world.submit(played_log(7), by=world.alice)
    says(world, world.bob, OTHER)
    says(world, world.referee, OTHER)
    assert state(world) == ("125–150", "provisional", "", False)
    verify_record(record.pk)
    assert state(world)[1:] == ("provisional", "", True)


def test_a_log_without_a_result_lets_waiting_entries_become_official(world):
    record = world.submit(by=world.alice)
    says(world, world.bob, OTHER)
    says(world, world.referee, OTHER)
    verify_record(record.pk)
    assert state(world) == ("125–150", "official", "agreed", False)


def test_a_side_whose_log_waits_is_not_silent(world):
    League.objects.update(silence_minutes=30)
    says(world, world.alice)
    record = world.submit(played_log(7), by=world.bob)
    assert not confirm_by_silence(current(world).pk, world.match.pk, NOON)
    verify_record(record.pk)
    assert state(world)[1:] == ("provisional", "", True)


def test_of_two_logs_that_wait_the_first_verdict_makes_nothing_official(world):
    """In a league where nobody has to confirm."""
    League.objects.update(confirmation_required=False)
    first, second = (world.submit(played_log(seed), by=who) for seed, who in ((6, world.alice), (7, world.bob)))
    verify_record(first.pk)
    assert state(world)[1] == "provisional"
    verify_record(second.pk)
    assert state(world)[1:] == ("provisional", "", True)


# --- Logs list awards ---


def test_logs_with_one_score_and_different_awards_are_under_review(world):
    for seed, who in ((6, world.alice), (11, world.bob)):  # two games that end 85–150
        verify_record(world.submit(played_log(seed), by=who).pk)
    assert {str(row) for row in Result.objects.all()} == {str(current(world))}
    assert state(world)[3]
    [game] = match_page(world.referee, world.match.pk).games
    assert any(entry.only_here for entry in game.review.entries)
    assert all(entry.may_take for entry in game.review.entries)


def test_logs_that_differ_in_times_only_agree(world):
    text = played_log(7)
    verify_record(world.submit(text, by=world.alice).pk)
    verify_record(world.submit(text.replace("0:14.3 B 5-3", "0:14.4 B 5-3"), by=world.bob).pk)
    assert state(world)[1:] == ("official", "agreed", False)


# --- One official is enough where there is no second ---


def test_two_neutral_officials_are_two(world):
    says(world, world.referee)
    assert state(world)[1] == "provisional"
    assert refused(confirm_result, result=current(world), user=world.referee) == "own-submission"
    confirm_result(result=current(world), user=world.second_referee)
    assert state(world)[1:3] == ("official", "person")


def test_the_only_official_enters_a_result_alone_and_it_says_so(world):
    only_official(world)
    says(world, world.referee)
    assert state(world) == ("150–125", "official", "alone", False)
    assert current(world).confirmed_by == world.referee


def test_the_league_can_ask_for_one(world):
    League.objects.update(officials_needed=1)
    rule(world.game, world.referee, scores=[150, 0], winner=1, reason="Bo did not come")
    assert state(world) == ("150–0", "official", "alone", False)


def test_a_playing_official_is_no_second_official(world):
    """Olga plays and decides nothing, so the other official acts alone."""
    Role.objects.filter(league=world.league).exclude(kind=Role.Kind.PLAYER).delete()
    for user in (world.referee, world.alice):
        Role.objects.create(user=user, league=world.league, kind=Role.Kind.REFEREE)
    says(world, world.referee)
    assert state(world)[1:3] == ("official", "alone")


def test_the_only_official_plays_and_the_other_side_has_the_word(world):
    Role.objects.filter(league=world.league).exclude(kind=Role.Kind.PLAYER).delete()
    Role.objects.create(user=world.alice, league=world.league, kind=Role.Kind.OWNER)
    says(world, world.alice)
    assert state(world)[1] == "provisional"
    assert refused(confirm_result, result=current(world), user=world.alice) == "own-submission"
    assert refused(rule, world.game, world.alice, scores=[150, 0], winner=1, reason="x") == "needs-official"
    confirm_result(result=current(world), user=world.bob)
    assert state(world)[1:3] == ("official", "person")


def test_the_author_confirms_a_result_after_the_second_official_left(world):
    says(world, world.referee)
    only_official(world)
    confirm_result(result=current(world), user=world.referee)
    assert state(world)[1:3] == ("official", "alone")


def test_alone_is_taken_back_within_minutes_like_any_entry(world):
    only_official(world)
    entered = says(world, world.referee)
    undo_entry(entered.record, world.referee)
    assert not Result.objects.filter(game=world.game, current=True).exists()


def test_a_contradiction_to_a_lone_official_is_shown(world):
    only_official(world)
    says(world, world.bob, OTHER)
    says(world, world.referee)
    assert state(world)[1:] == ("provisional", "", True)
    reviews.choose(Result.objects.get(record__submitted_by=world.referee), world.referee, reason="I kept the card")
    assert state(world) == ("150–125", "official", "alone", False)


def test_what_an_official_alone_decided_stands_when_a_side_takes_its_entry_back(world):
    only_official(world)
    says(world, world.bob, OTHER)
    entered = says(world, world.alice, {"scores": [150, 60]})
    says(world, world.referee)
    reviews.choose(Result.objects.get(record__submitted_by=world.referee), world.referee, reason="I kept the card")
    undo_entry(entered.record, world.alice)
    assert state(world) == ("150–125", "official", "alone", False)
    assert current(world).reason == "I kept the card"
    assert results_grid.recent(world.referee, world.league, timezone.now()) == []


def test_a_log_of_the_only_official_is_official_once_it_is_checked(world):
    only_official(world)
    verify_record(world.submit(played_log(7), by=world.referee).pk)
    assert state(world)[1:3] == ("official", "alone")
    assert Record.objects.get().alone
