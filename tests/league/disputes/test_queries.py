"""A case shows to each asker only what this asker may see."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from league.accounts.models import Role
from league.competitions.amendments.services import propose_amendment
from league.disputes import ruling
from league.disputes.protests import agreeing
from league.disputes.protests.protesting import protest
from league.disputes.protests.statements import give_statement
from league.disputes.queries import case_view, public_rulings
from league.disputes.ruling import confirm_ruling
from league.disputes.waiting import queue
from league.matches.amendments import Wanted
from league.matches.logs.submission import confirm_result, verify_record
from league.matches.models import KnownBy, Result
from tests.league.disputes.courtroom import MUGGINS, Outcome, file, find, logged, rule, score
from tests.league.world import person, played_log

pytestmark = pytest.mark.django_db

AGAIN = {"scores": [150, 40], "winner": 1, "ended": "target"}


def seen(dispute, user):
    view = case_view(dispute.code, user)
    return sorted(view.words.values()), view.proposal is not None, view.question is not None


def test_statements_are_for_the_judge_and_the_proposal_comes_after_the_facts(world):
    logged(world)
    dispute = file(world)
    give_statement(dispute, world.alice, "I called at once")
    give_statement(dispute, world.bob, "She called late")
    words = ["I announced five", "I called at once", "She called late"]
    assert seen(dispute, world.alice) == (["I called at once"], False, False)
    assert seen(dispute, world.bob) == (["I announced five", "She called late"], False, False)
    assert seen(dispute, world.referee) == ([], False, True)
    find(dispute, world.referee, "yes")
    assert seen(dispute, world.referee) == (words, True, True)
    assert seen(dispute, world.second_referee) == ([], True, True)
    assert seen(dispute, world.bob)[1:] == (False, False)
    rule(dispute, world.referee, Outcome.DISMISSED, "She called in time")
    assert seen(dispute, world.bob) == (["I announced five", "She called in time", "She called late"], True, False)
    assert seen(dispute, world.charlie) == (["She called in time"], False, False)


def test_the_queue_has_open_disputes_and_reviews(world):
    logged(world)
    assert queue(world.league, world.referee) == []
    dispute = file(world)
    assert [(one.dispute, one.waits) for one in queue(world.league, world.referee)] == [(dispute, "facts")]
    find(dispute, world.referee, "yes")
    assert [one.waits for one in queue(world.league, world.referee)] == ["ruling"]
    rule(dispute, world.referee, Outcome.DISMISSED)
    assert (queue(world.league, world.referee), list(public_rulings(world.league))) == ([], [dispute])


def test_the_queue_of_three_costs_no_more_than_that_of_one(world, django_assert_num_queries):
    logged(world)
    disputes = [file(world)]
    with CaptureQueriesContext(connection) as one:
        queue(world.league, world.referee)
    for _ in range(2):
        game = world.fixture().games.select_related("match__league").first()
        verify_record(world.submit(played_log(7), game=game).pk)
        disputes.append(protest(game, world.bob, MUGGINS, "Late"))
    agreeing.offer(disputes[1], world.bob, scores=(110, 165), winner=2)
    with django_assert_num_queries(len(one)):
        assert len(queue(world.league, world.referee)) == 3


def test_the_desk_reads_no_finding_and_no_ruling_before_it_stands(world):
    desk = person("desk")
    Role.objects.create(user=desk, league=world.league, kind=Role.Kind.DESK_HELPER)
    logged(world)
    dispute = file(world)
    find(dispute, world.referee)
    rule(dispute, world.referee, reason="The call was late")
    view = case_view(dispute.code, desk)
    told = {one.kind: bool(one.data) for one in view.entries}
    assert told == {"filed": True, "taken": True, "found": False, "ruled": False}
    assert (view.words, view.stage.answer, view.stage.waiting) == ({}, None, None)
    confirm_ruling(dispute, world.owner)
    assert list(case_view(dispute.code, desk).words.values()) == ["The call was late"]


def test_a_waiting_ruling_is_no_entry_of_its_game(world):
    logged(world)
    dispute = file(world)
    find(dispute, world.referee)
    rule(dispute, world.referee)
    assert (score(world), world.game.records.count()) == (("120–165", "provisional"), 1)
    confirm_ruling(dispute, world.owner)
    assert score(world) == ("115–165", "official")


def test_a_replay_of_a_confirmed_game_waits_for_its_amendment(world):
    confirm_result(result=logged(world), user=world.bob)
    dispute = file(world)
    find(dispute, world.referee)
    rule(dispute, world.referee, Outcome.GAME)
    ruling.confirm_ruling(dispute, world.owner)
    assert [(one.dispute, one.waits) for one in queue(world.league, world.referee)] == [(dispute, "replay")]
    propose_amendment(world.game, world.referee, Wanted(kind=KnownBy.RULED, data=AGAIN, reason="played again"))
    assert queue(world.league, world.referee) == []


def test_a_replay_of_an_open_game_waits_for_nobody(world):
    logged(world)
    dispute = file(world)
    find(dispute, world.referee)
    rule(dispute, world.referee, Outcome.GAME)
    ruling.confirm_ruling(dispute, world.owner)
    assert queue(world.league, world.referee) == []
    record = world.submit(played_log(9))
    verify_record(record.pk)
    confirm_result(result=Result.objects.get(record=record), user=world.bob)
    assert queue(world.league, world.referee) == []
