"""Statements, agreement and withdrawal before a ruling."""

from datetime import date

import pytest

from league.competitions.integrity.derived import everything
from league.disputes.protests import agreeing
from league.disputes.protests.statements import give_statement
from league.disputes.queries import case_view
from league.disputes.waiting import queue
from league.errors import Refused
from league.matches.logs.submission import confirm_result
from league.matches.permissions import Guest
from league.players.services import enrol
from tests.league.disputes.courtroom import Kind, Outcome, Point, file, find, logged, now, rule, score

pytestmark = pytest.mark.django_db


def refused(act, *args, **more):
    with pytest.raises(Refused) as caught:
        act(*args, **more)
    return caught.value.code


def offered(world, **more):
    logged(world)
    dispute = file(world)
    agreeing.offer(dispute, world.bob, **{"scores": (110, 165), "winner": 2, **more})
    return dispute, dispute.entries.order_by("number").last().number


def test_one_side_proposes_and_the_other_accepts(world):
    dispute, number = offered(world)
    assert refused(agreeing.accept_offer, dispute, world.bob, number) == "own-offer"
    assert refused(agreeing.accept_offer, dispute, Guest(world.match.pk, 2, proved=True), number) == "own-offer"
    assert refused(agreeing.accept_offer, dispute, Guest(world.match.pk, 1), number) == "needs-proof"
    assert refused(agreeing.accept_offer, dispute, world.referee, number) == "not-your-match"
    agreeing.accept_offer(dispute, Guest(world.match.pk, 1, by_pin=True), number)
    assert (now(dispute).state, score(world)) == ("agreed", ("110–165", "official"))
    assert queue(world.league, world.referee) == []
    assert list(everything()) == []


def test_an_offer_that_was_replaced_is_not_accepted(world):
    dispute, number = offered(world)
    agreeing.offer(dispute, world.alice, scores=(120, 160), winner=2)
    assert refused(agreeing.accept_offer, dispute, world.alice, number) == "offer-changed"
    assert score(world)[1] == "provisional"


def test_both_may_agree_that_the_record_stands(world):
    dispute, number = offered(world, scores=(), winner=None)
    agreeing.accept_offer(dispute, world.alice, number)
    assert (now(dispute).state, score(world)) == ("agreed", ("120–165", "provisional"))


def test_an_official_result_is_left_to_officials(world):
    confirm_result(result=logged(world), user=world.bob)
    dispute = file(world)
    agreeing.offer(dispute, world.bob, scores=(110, 165), winner=2)
    agreeing.accept_offer(dispute, world.alice, 2)
    assert (now(dispute).state, score(world)) == ("agreed", ("120–165", "official"))
    assert [one.waits for one in queue(world.league, world.referee)] == ["amendment"]


def test_an_impossible_offer_is_refused(world):
    logged(world)
    dispute = file(world)
    assert refused(agreeing.offer, dispute, world.bob, scores=(1, 2, 3)) == "bad-score"
    assert refused(agreeing.offer, dispute, world.referee, scores=(150, 2), winner=1) == "not-your-match"


def test_after_the_ruling_nothing_is_agreed(world):
    dispute, number = offered(world)
    find(dispute, world.referee, "yes")
    rule(dispute, world.referee, Outcome.DISMISSED)
    for act in (agreeing.offer, agreeing.withdraw):
        assert refused(act, dispute, world.bob) == "decided-meanwhile"
    assert refused(agreeing.accept_offer, dispute, world.alice, number) == "decided-meanwhile"
    assert refused(give_statement, dispute, world.alice, "Late") == "decided-meanwhile"


def test_only_the_side_that_filed_it_withdraws_a_protest(world):
    logged(world)
    dispute = file(world)
    assert refused(agreeing.withdraw, dispute, world.alice) == "not-your-protest"
    assert refused(agreeing.withdraw, dispute, world.referee, side=2) == "not-your-protest"
    agreeing.withdraw(dispute, world.bob)
    assert (now(dispute).state, score(world)) == ("withdrawn", ("120–165", "provisional"))
    again = file(world)
    file(world, world.alice)
    assert again != dispute
    assert refused(agreeing.withdraw, again, world.bob) == "joined"


def test_an_official_withdraws_an_own_protest(world):
    logged(world)
    dispute = file(world, world.referee)
    assert refused(agreeing.withdraw, dispute, world.owner) == "not-your-protest"
    agreeing.withdraw(dispute, world.referee)
    assert now(dispute).state == "withdrawn"


def test_a_side_gives_one_statement_the_desk_for_those_without_a_phone(world):
    logged(world)
    dispute = file(world)
    give_statement(dispute, world.referee, "Ana says that she called at once", side=1)
    assert refused(give_statement, dispute, world.alice, "I called") == "stated-already"
    assert refused(give_statement, dispute, world.referee, "I saw it") == "not-your-match"
    assert refused(give_statement, dispute, world.bob, "x" * 281) == "long-sentence"


def test_the_desk_withdraws_what_it_filed_for_a_side(world):
    logged(world)
    dispute = file(world, world.referee, side=2)
    agreeing.withdraw(dispute, world.owner, side=2)
    assert now(dispute).state == "withdrawn"


def test_a_side_does_not_withdraw_the_protest_of_an_official(world):
    logged(world)
    dispute = file(world, world.referee)
    for who in (world.alice, Guest(world.match.pk, 2), world.owner):
        assert refused(agreeing.withdraw, dispute, who) == "not-your-protest"
    agreeing.withdraw(dispute, world.referee)


def test_more_than_two_sides_agree_on_nothing(world, monkeypatch):
    third = enrol(league=world.league, name="Eva Gil", since=date(2026, 1, 1))
    world.match = world.fixture(entrants=[world.ana, world.bo, third], ruleset="uno")
    monkeypatch.setattr("league.disputes.protests.protesting.has_begun", lambda _match: True)
    dispute = file(world, point=Point(kind=Kind.FRAUD))
    assert refused(agreeing.offer, dispute, world.bob, scores=(0, 500, 0), winner=2) == "more-than-two"
    assert "offer" not in case_view(dispute.code, world.bob).may
