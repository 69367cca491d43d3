"""Who may protest, until when, and the first answer."""

from datetime import timedelta

import pytest
from django.contrib.auth.models import AnonymousUser

from league.accounts.models import League
from league.disputes.models import Dispute, DisputeEntry
from league.disputes.protests.protesting import Point, first_answer, protest
from league.disputes.shared_records import is_shared
from league.disputes.signals import dispute_changed
from league.errors import Refused
from league.matches.logs.submission import confirm_result, verify_record
from league.matches.models import KnownBy, Match, Result, Table
from league.matches.permissions import Guest
from league.matches.results.entering import enter_sheet
from tests.league.disputes.courtroom import FRAUD, MUGGINS, PLAY, Kind, Outcome, file, find, logged, rule, soon
from tests.league.world import played_log

pytestmark = pytest.mark.django_db

RESULT = Point(kind=Kind.RESULT)


def refused(act, *args, **more):
    with pytest.raises(Refused) as caught:
        act(*args, **more)
    return caught.value.code


def test_sides_officials_and_the_desk_for_a_side_may_protest(world):
    logged(world)
    match = world.match.pk
    for who, side, by in (
        (world.bob, None, 2),
        (Guest(match, 2, by_pin=True), None, 2),
        (Guest(match, 1, proved=True), None, 1),
        (world.referee, None, None),
        (world.referee, 2, 2),
    ):
        dispute = file(world, who, side=side)
        assert dispute.entries.order_by("number").last().for_side == by
    assert [one.kind for one in DisputeEntry.objects.order_by("number")] == ["filed", *["joined"] * 4]


def test_strangers_and_phones_without_proof_are_refused(world):
    logged(world)
    for who, side, code in (
        (AnonymousUser(), None, "sign-in"),
        (world.charlie, None, "not-your-match"),
        (Guest(world.match.pk, 2), None, "needs-proof"),
        (world.bob, 1, "not-your-match"),
        (world.referee, 3, "no-side"),
    ):
        assert refused(file, world, who, side=side) == code
    assert not Dispute.objects.exists()


def test_the_words_are_at_most_280_letters(world):
    logged(world)
    assert refused(file, world, sentence=" \n") == "no-sentence"
    assert refused(file, world, sentence="x" * 281) == "long-sentence"
    file(world, sentence="x" * 280)


def test_the_first_answer_is_whether_the_rules_allow_it(world):
    logged(world)
    settled = Point(kind=Kind.MUGGINS, line=PLAY)
    with pytest.raises(Refused) as caught:
        first_answer(world.game, world.bob, settled)
    assert (caught.value.code, caught.value.facts["rule"]) == ("not-admitted", "udl.total")
    assert "settled at line 31" in str(caught.value)
    assert refused(file, world, point=settled) == "not-admitted"
    assert first_answer(world.game, world.bob, MUGGINS).rule == "udl.record"
    assert first_answer(world.game, world.bob, Point(kind=Kind.MUGGINS, line=PLAY, filed_line=14)).rule == "udl.total"
    assert refused(file, world, point=Point(kind=Kind.COUNT, line=2, miswritten=True)) == "no-such-line"
    assert not Dispute.objects.exists()


def test_a_hand_that_the_card_does_not_have_is_refused(world):
    card = {"scores": [150, 95], "ended": "target", "winner": 0, "rounds": [{"play": [150, 95], "muggins": [0, 0]}]}
    enter_sheet(world.game, world.alice, card, kind=KnownBy.CARD)
    point = Point(kind=Kind.COUNT, hand=2, column="play", number=10, against=1)
    assert refused(file, world, point=point) == "no-such-hand"
    assert refused(file, world, point=Point(kind=Kind.COUNT, line=2)) == "no-such-hand"
    file(world, point=Point(kind=Kind.COUNT, hand=1, column="play", number=10, against=1))


def test_a_side_that_confirmed_protests_no_more_but_fraud_and_errors_of_writing_outlive_it(world):
    result = logged(world)
    at = soon()
    confirm_result(result=result, user=world.bob, at=at)
    assert refused(file, world, point=Point(kind=Kind.RESULT, filed_line=107)) == "confirmed-by-side"
    for who, point in ((world.alice, RESULT_AT_TABLE), (world.bob, FRAUD), (world.bob, MUGGINS)):
        first_answer(world.game, who, point)
    first_answer(world.game, world.referee, RESULT_AT_TABLE)


@pytest.mark.parametrize("by_pin", [True, False])
def test_the_confirmation_of_one_side_does_not_bind_the_other(world, by_pin):
    """Of a score typed by the desk, which the phone of one side confirms."""
    League.objects.filter(pk=world.league.pk).update(second_side_proves=by_pin)
    enter_sheet(world.game, world.referee, {"scores": [150, 95]}, kind=KnownBy.SCORE)
    result = Result.objects.get(game=world.game)
    confirm_result(result=result, user=Guest(world.match.pk, 1, by_pin=by_pin), at=soon())
    result.refresh_from_db()
    assert (result.state, result.confirmed_how) == ("official", "pin" if by_pin else "side")
    dispute = file(world, world.bob, Point(kind=Kind.RESULT))
    assert not is_shared(dispute, result.record)


def test_a_side_confirms_the_record_of_the_other_with_its_slip(world):
    result = logged(world)
    confirm_result(result=result, user=Guest(world.match.pk, 2, by_pin=True), at=soon())
    assert refused(file, world, point=Point(kind=Kind.RESULT, filed_line=107)) == "confirmed-by-side"


RESULT_AT_TABLE = Point(kind=Kind.RESULT, filed_line=1)


def test_the_time_is_the_leagues_in_a_hall_and_elsewhere(world):
    entered = logged(world).entered_at
    late = entered + timedelta(minutes=11)
    assert first_answer(world.game, world.bob, RESULT_AT_TABLE, at=late)
    assert refused(first_answer, world.game, world.bob, RESULT_AT_TABLE, at=entered + timedelta(hours=25)) == "too-late"
    table = Table.objects.create(league=world.league, name="1")
    Match.objects.filter(pk=world.match.pk).update(table=table)
    assert refused(first_answer, world.game, world.bob, RESULT_AT_TABLE, at=late) == "too-late"
    for who, side in ((world.referee, None), (world.referee, 2)):
        assert first_answer(world.game, who, RESULT_AT_TABLE, side=side, at=late)
    assert first_answer(world.game, world.bob, MUGGINS, at=late)


def test_a_draft_has_no_protest(world):
    logged(world)
    Match.objects.filter(pk=world.match.pk).update(published_at=None)
    assert refused(file, world, world.referee) == "not-published"


def test_a_change_is_told(world):
    logged(world)
    told = []

    def hear(*, dispute, entry, **_):
        told.append((dispute.state, entry.kind))

    dispute_changed.connect(hear)
    dispute = file(world)
    find(dispute, world.referee, "yes")
    rule(dispute, world.referee, Outcome.DISMISSED)
    dispute_changed.disconnect(hear)
    assert told == [("open", "filed"), ("found", "found"), ("ruled", "ruled")]


def test_a_joined_protest_about_another_game_is_filed_again_after_the_ruling(world):
    match = world.fixture(best_of=3, table=Table.objects.create(league=world.league, name="1"))
    first, second = list(match.games.order_by("number"))[:2]
    for game, seed in ((first, 7), (second, 9)):
        verify_record(world.submit(played_log(seed), game=game).pk)
    entered = Result.objects.get(game=second).entered_at
    soon_after, late = entered + timedelta(minutes=5), entered + timedelta(minutes=40)
    dispute = protest(first, world.alice, FRAUD, "Not him", at=soon_after)
    assert protest(second, world.bob, RESULT_AT_TABLE, "Not so", at=soon_after) == dispute
    find(dispute, world.referee, None)
    rule(dispute, world.referee, Outcome.DISMISSED)
    assert refused(protest, second, world.alice, RESULT_AT_TABLE, "Not so", at=late) == "too-late"
    again = protest(second, world.bob, RESULT_AT_TABLE, "Not so", at=late)
    assert (again.game, again.state) == (second, "open")


UNFINISHED = """[Ruleset "udl"]
[Seat.A "Ana Ruiz"]
[Seat.B "Bo Chen"]
round 1
A hand 6-6 6-5 4-1 2-2 1-0 6-4 3-3
B hand 7
A 6-6
B 6-3 on 6-6
"""
"""Bo has not announced his 15: Ana may claim them until the window closes."""


@pytest.mark.parametrize("line", [8, None])
@pytest.mark.parametrize("kind", [Kind.COUNT, Kind.MUGGINS])
def test_a_protest_tells_nothing_of_a_hidden_hand(world, line, kind):
    record = world.submit(UNFINISHED, by=world.bob)
    verify_record(record.pk)
    point = Point(kind=kind, line=line)
    assert refused(first_answer, world.game, world.alice, point, record=record) == "no-such-line"
    assert refused(first_answer, world.game, world.alice, Point(kind=kind, line=99), record=record) == "no-such-line"
    for who in (world.bob, world.referee):
        first_answer(world.game, who, point, record=record)
    first_answer(world.game, world.alice, FRAUD, record=record)
