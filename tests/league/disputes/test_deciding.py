"""Who decides: never a party; taking, stepping back, refusal, second officials, judges, appeals."""

from datetime import date, timedelta

import pytest

from league.accounts.models import League, Role
from league.competitions.amendments.services import propose_amendment
from league.competitions.integrity.derived import everything
from league.disputes import deciders, ruling
from league.disputes.models import CourtRules
from league.disputes.protests import appealing
from league.disputes.queries import case_view
from league.disputes.shared_records import agreed_to
from league.errors import Refused
from league.matches.amendments import Wanted
from league.matches.logs.submission import confirm_result, verify_record
from league.matches.models import KnownBy, Result
from league.matches.permissions import Guest
from league.matches.results.judges import accept_judge, name_judge
from league.players.services import enrol
from tests.league.disputes.courtroom import Kind, Outcome, Point, file, find, logged, now, rule, score
from tests.league.world import person, played_log

pytestmark = pytest.mark.django_db


def refused(act, *args, **more):
    with pytest.raises(Refused) as caught:
        act(*args, **more)
    return caught.value.code


def only_alice_runs(world):
    Role.objects.filter(league=world.league).exclude(kind=Role.Kind.PLAYER).delete()
    Role.objects.create(user=world.alice, league=world.league, kind=Role.Kind.OWNER)


@pytest.fixture
def dora(world):
    user = person("dora")
    enrol(league=world.league, name="Dora Paz", since=date(2026, 1, 1), user=user)
    return user


def test_nobody_but_officials_outside_the_match_decides(world, dora):
    logged(world)
    dispute = file(world)
    Role.objects.create(user=world.alice, league=world.league, kind=Role.Kind.HEAD_REFEREE)
    for who, code in (
        (world.alice, "party"),
        (world.bob, "party"),
        (world.charlie, "needs-official"),
        (dora, "needs-official"),
        (Guest(world.match.pk, 1, proved=True), "sign-in"),
    ):
        for act in (deciders.take_case, find, rule):
            assert refused(act, dispute, who) == code
    assert now(dispute).state == "open"


def test_facts_come_first_and_the_question_wants_an_answer(world):
    logged(world)
    dispute = file(world)
    assert refused(rule, dispute, world.referee) == "facts-first"
    assert refused(find, dispute, world.referee, None) == "needs-answer"
    other = file(world, world.alice, Point(kind=Kind.FRAUD), "Tiles were marked")
    assert other == dispute
    find(dispute, world.referee, "yes")
    find(dispute, world.referee, "no")
    rule(dispute, world.referee)


def test_a_question_that_the_record_answers_has_no_answer(world):
    logged(world)
    dispute = file(world, point=Point(kind=Kind.FRAUD))
    assert refused(find, dispute, world.referee, "yes") == "no-question"
    find(dispute, world.referee, None)
    assert refused(rule, dispute, world.referee, Outcome.UPHELD) == "nothing-changes"
    assert refused(rule, dispute, world.referee, Outcome.DISMISSED, " ") == "no-reason"
    rule(dispute, world.referee, Outcome.RESULT, scores=(0, 150), winner=2)
    ruling.confirm_ruling(dispute, world.owner)
    assert score(world) == ("0–150", "official")


def test_a_referee_steps_back_and_facts_are_found_again(world):
    logged(world)
    dispute = file(world)
    find(dispute, world.referee)
    assert refused(deciders.step_back, dispute, world.owner) == "not-the-judge"
    deciders.step_back(dispute, world.referee)
    assert now(dispute).state == "open"
    assert refused(find, dispute, world.referee) == "refused-by-side"
    find(dispute, world.owner)


def test_each_side_refuses_one_referee(world):
    logged(world)
    dispute = file(world)
    assert refused(deciders.refuse_decider, dispute, world.bob) == "no-referee"
    deciders.take_case(dispute, world.referee)
    assert refused(deciders.refuse_decider, dispute, world.charlie) == "not-your-match"
    deciders.refuse_decider(dispute, world.bob)
    assert refused(find, dispute, world.referee) == "refused-by-side"
    deciders.take_case(dispute, world.owner)
    assert refused(deciders.refuse_decider, dispute, world.bob) == "refused-already"
    deciders.refuse_decider(dispute, Guest(world.match.pk, 1, by_pin=True))
    find(dispute, world.second_referee)
    assert refused(deciders.refuse_decider, dispute, world.alice) == "refused-already"


def test_facts_of_a_refused_referee_are_found_again(world):
    logged(world)
    dispute = file(world)
    find(dispute, world.referee)
    assert "refuse" in case_view(dispute.code, world.alice).may
    deciders.refuse_decider(dispute, world.alice)
    assert now(dispute).state == "open"
    assert refused(rule, dispute, world.owner) == "facts-first"
    find(dispute, world.owner)
    rule(dispute, world.owner)
    assert refused(ruling.confirm_ruling, dispute, world.referee) == "refused-by-side"


def test_nobody_is_refused_where_nobody_else_is_left(world):
    logged(world)
    dispute = file(world)
    Role.objects.filter(user__in=[world.owner, world.second_referee]).delete()
    deciders.take_case(dispute, world.referee)
    assert refused(deciders.refuse_decider, dispute, world.bob) == "nobody-else"


def test_of_two_who_decide_at_once_the_second_is_told(world):
    logged(world)
    dispute = file(world)
    find(dispute, world.referee)
    seen = case_view(dispute.code, world.owner).stage.last
    rule(dispute, world.referee, seen=seen)
    for act in (find, rule):
        assert refused(act, dispute, world.owner, seen=seen) == "decided-meanwhile"
    assert refused(ruling.confirm_ruling, dispute, world.owner, seen=seen) == "decided-meanwhile"


def test_of_two_who_take_a_case_at_once_the_second_is_told(world):
    logged(world)
    dispute = file(world)
    deciders.take_case(dispute, world.referee, seen=1)
    assert refused(deciders.take_case, dispute, world.owner, seen=1) == "decided-meanwhile"


def test_a_replay_of_an_official_result_waits_for_a_second_official(world):
    confirm_result(result=logged(world), user=world.bob)
    dispute = file(world)
    find(dispute, world.referee)
    assert ruling.preview(dispute, world.referee, ruling.WantedRuling(outcome=Outcome.GAME, reason="Again")).waits
    rule(dispute, world.referee, Outcome.GAME)
    assert now(dispute).state == "waiting"
    ruling.confirm_ruling(dispute, world.owner)
    assert (now(dispute).state, score(world)) == ("ruled", ("120–165", "official"))


def test_a_rejected_ruling_is_taken_back(world):
    logged(world)
    dispute = file(world)
    find(dispute, world.referee)
    rule(dispute, world.referee)
    ruling.reject_ruling(dispute, world.owner, reason="She said so in time")
    assert (now(dispute).state, score(world)) == ("found", ("120–165", "provisional"))
    rule(dispute, world.referee)
    ruling.reject_ruling(dispute, world.referee)
    rule(dispute, world.owner)
    ruling.confirm_ruling(dispute, world.referee)
    assert score(world) == ("115–165", "official")


def test_one_official_is_enough_where_the_league_says_so(world):
    League.objects.update(officials_needed=1)
    logged(world)
    dispute = file(world)
    find(dispute, world.referee)
    rule(dispute, world.referee)
    assert (now(dispute).state, score(world)) == ("ruled", ("115–165", "official"))


def test_a_judge_whom_both_sides_accept_decides_where_every_official_plays(world, dora):
    only_alice_runs(world)
    logged(world)
    dispute = file(world)
    assert refused(find, dispute, dora) == "needs-official"
    named = name_judge(world.match, "Dora Paz", by=world.alice)
    accept_judge(world.match, world.alice, named.player_id)
    assert refused(find, dispute, dora) == "needs-official"
    accept_judge(world.match, Guest(world.match.pk, 2, by_pin=True), named.player_id)
    assert "rule" in case_view(dispute.code, dora).may
    find(dispute, dora)
    rule(dispute, dora)
    assert (now(dispute).state, score(world)) == ("ruled", ("115–165", "official"))


def test_the_judge_amends_an_official_result(world, dora):
    confirm_result(result=logged(world), user=world.bob)
    only_alice_runs(world)
    dispute = file(world)
    named = name_judge(world.match, "Dora Paz", by=world.alice)
    for side in (world.alice, world.bob):
        accept_judge(world.match, side, named.player_id)
    find(dispute, dora)
    rule(dispute, dora)
    assert (now(dispute).state, score(world)) == ("ruled", ("115–165", "official"))


def test_a_judge_who_stepped_back_amends_nothing(world, dora):
    confirm_result(result=logged(world), user=world.bob)
    only_alice_runs(world)
    dispute = file(world)
    named = name_judge(world.match, "Dora Paz", by=world.alice)
    for side in (world.alice, world.bob):
        accept_judge(world.match, side, named.player_id)
    find(dispute, dora)
    deciders.step_back(dispute, dora)
    wanted = Wanted(kind=KnownBy.RULED, data={"scores": [0, 150], "winner": 2, "ended": "forfeit"}, reason="so")
    assert refused(propose_amendment, world.game, dora, wanted) in ("needs-official", "no-permission")
    assert score(world) == ("120–165", "official")


def test_what_both_logs_have_settled_stands_where_nothing_is_known(world):
    logged(world)
    text = played_log(7)
    dispute = file(world)
    find(dispute, world.referee, "not known")
    assert case_view(dispute.code, world.referee).decision.ruling is not None
    lines = text.splitlines()
    world.submit("\n".join([*lines[:40], 'note "from here on by hand"', *lines[40:]]) + "\n", by=world.bob)
    assert agreed_to(dispute, dispute.record) == 31
    view = case_view(dispute.code, world.referee)
    assert (view.decision.ruling, "both agreed" in view.decision.reason.text) == (None, True)


# --- Appeals


def ruled(world, outcome=Outcome.DISMISSED, by=None):
    logged(world)
    dispute = file(world)
    find(dispute, by or world.referee, "yes")
    rule(dispute, by or world.referee, outcome)
    return dispute


def test_an_appeal_goes_to_somebody_who_did_not_decide(world):
    dispute = ruled(world, by=world.second_referee)
    appealing.appeal(dispute, world.bob, "Nobody asked the witness")
    assert (now(dispute).state, now(dispute).instance) == ("appealed", 2)
    assert refused(find, dispute, world.second_referee) == "decided-before"
    assert refused(find, dispute, world.referee) == "needs-official"
    find(dispute, world.owner, "no")
    rule(dispute, world.owner)
    ruling.confirm_ruling(dispute, world.referee)
    assert (now(dispute).state, score(world)) == ("ruled", ("115–165", "official"))
    assert refused(appealing.appeal, dispute, world.alice, "Once more") == "appealed-already"


def test_the_appeal_amends_what_the_first_ruling_left(world):
    logged(world)
    dispute = file(world)
    find(dispute, world.referee, "no")
    rule(dispute, world.referee)
    ruling.confirm_ruling(dispute, world.second_referee)
    appealing.appeal(dispute, world.alice, "I called in time")
    find(dispute, world.owner, "yes")
    rule(dispute, world.owner, Outcome.CALL, "She called")
    assert (now(dispute).state, score(world)) == ("waiting", ("115–165", "official"))
    ruling.confirm_ruling(dispute, world.referee)
    assert score(world) == ("120–165", "official")
    first, second = [one.sealed for one in dispute.entries.filter(sealed__isnull=False).order_by("number")]
    assert (second.amends, second.results_in) == (first.results_in, first.amends)


def test_an_appeal_has_its_time(world):
    dispute = ruled(world)
    late = now(dispute).deadline + timedelta(seconds=1)
    assert refused(appealing.appeal, dispute, world.bob, "Late", at=late) == "too-late"
    assert refused(appealing.appeal, dispute, world.charlie, "Not mine") == "not-your-match"
    assert "appeal" in case_view(dispute.code, world.bob).may
    assert "appeal" not in case_view(dispute.code, world.bob, late).may


def test_a_page_says_before_the_ruling_where_nobody_is_left(world):
    logged(world)
    dispute = file(world)
    assert case_view(dispute.code, world.referee).appeal
    Role.objects.filter(user__in=[world.owner, world.second_referee]).delete()
    assert not case_view(dispute.code, world.referee).appeal
    find(dispute, world.referee, "yes")
    rule(dispute, world.referee, Outcome.DISMISSED)
    assert refused(appealing.appeal, dispute, world.bob, "Please") == "nobody-hears"
    assert not case_view(dispute.code, world.bob).appeal


def test_a_second_official_is_told_that_nobody_is_left(world):
    Role.objects.filter(user=world.second_referee).delete()
    logged(world)
    dispute = file(world)
    find(dispute, world.referee)
    assert rule(dispute, world.referee).state == "waiting"
    assert not case_view(dispute.code, world.owner).appeal


def test_an_appeal_goes_to_the_parent_league(world):
    CourtRules.objects.create(league=world.league, hears="parent")
    confirm_result(result=logged(world), user=world.bob)
    dispute = file(world)
    find(dispute, world.referee, "yes")
    rule(dispute, world.referee, Outcome.DISMISSED)
    assert refused(appealing.appeal, dispute, world.bob, "Please") == "nobody-hears"
    League.objects.filter(pk=world.league.pk).update(parent=world.elsewhere)
    appealing.appeal(dispute, world.bob, "Please")
    assert refused(find, dispute, world.owner) == "needs-official"
    find(dispute, world.charlie, "no")
    rule(dispute, world.charlie)
    assert now(dispute).state == "waiting"
    ruling.confirm_ruling(dispute, world.owner)
    assert score(world) == ("115–165", "official")


# --- Officials who filed

SCORE = {"scores": (115, 165), "winner": 2}


def test_an_official_does_not_decide_the_own_protest(world):
    logged(world)
    dispute = file(world, world.referee)
    for act in (deciders.take_case, find, rule):
        assert refused(act, dispute, world.referee) == "own-protest"
    assert "take" not in case_view(dispute.code, world.referee).may
    find(dispute, world.owner, None)
    rule(dispute, world.owner, Outcome.RESULT, **SCORE)
    assert refused(ruling.confirm_ruling, dispute, world.referee) == "own-protest"
    ruling.confirm_ruling(dispute, world.second_referee)


def test_an_official_who_joins_a_protest_decides_it_no_more(world):
    logged(world)
    dispute = file(world)
    find(dispute, world.referee)
    file(world, world.referee, Point(kind=Kind.FRAUD), "I saw it as well")
    assert now(dispute).state == "open"
    assert refused(find, dispute, world.referee) == "own-protest"
    find(dispute, world.owner)


def test_where_the_only_official_filed_a_judge_decides(world, dora):
    Role.objects.filter(user__in=[world.owner, world.second_referee]).delete()
    logged(world)
    dispute = file(world, world.referee)
    assert refused(find, dispute, world.referee) == "own-protest"
    assert "name-judge" in case_view(dispute.code, world.referee).may
    named = name_judge(world.match, "Dora Paz", by=world.referee)
    for side in (world.alice, world.bob):
        accept_judge(world.match, side, named.player_id)
    find(dispute, dora, None)
    rule(dispute, dora, Outcome.RESULT, **SCORE)
    assert (now(dispute).state, score(world)) == ("ruled", ("115–165", "official"))


def test_the_filer_confirms_only_where_nobody_else_is_left(world):
    Role.objects.filter(user=world.second_referee).delete()
    logged(world)
    dispute = file(world, world.referee)
    find(dispute, world.owner, None)
    rule(dispute, world.owner, Outcome.RESULT, **SCORE)
    assert now(dispute).state == "waiting"
    ruling.confirm_ruling(dispute, world.referee)
    assert (now(dispute).state, score(world)) == ("ruled", ("115–165", "official"))


def test_those_who_decided_first_do_not_confirm_the_appeal(world):
    Role.objects.create(user=world.charlie, league=world.league, kind=Role.Kind.REFEREE)
    dispute = ruled(world)
    appealing.appeal(dispute, world.bob, "Nobody asked the witness")
    find(dispute, world.owner, "no")
    rule(dispute, world.owner)
    assert refused(ruling.confirm_ruling, dispute, world.referee) == "decided-before"
    ruling.confirm_ruling(dispute, world.charlie)


def test_a_dismissed_appeal_leaves_the_first_ruling_and_its_outcome(world):
    logged(world)
    dispute = file(world)
    find(dispute, world.referee)
    rule(dispute, world.referee)
    ruling.confirm_ruling(dispute, world.second_referee)
    appealing.appeal(dispute, world.alice, "I called in time")
    find(dispute, world.owner)
    rule(dispute, world.owner, Outcome.DISMISSED, "The call was late indeed")
    assert (now(dispute).state, now(dispute).outcome, score(world)) == ("ruled", "call", ("115–165", "official"))
    first, second = [entry.data for entry in dispute.entries.filter(kind="ruled").order_by("number")]
    assert [(one["scores"], one["winner"]) for one in (first, second)] == [({"1": 115, "2": 165}, 2)] * 2
    assert list(everything()) == []


def test_a_dismissed_appeal_does_not_repeat_a_replay(world):
    logged(world)
    dispute = file(world)
    find(dispute, world.referee, "not known")
    rule(dispute, world.referee, Outcome.GAME, "Played again")
    ruling.confirm_ruling(dispute, world.second_referee)
    appealing.appeal(dispute, world.alice, "I called in time")
    again = world.submit(played_log(9))
    verify_record(again.pk)
    find(dispute, world.owner, "not known")
    rule(dispute, world.owner, Outcome.DISMISSED, "It was right to play again")
    assert now(dispute).outcome == "game"
    assert Result.objects.get(game=world.game, current=True).record == again
