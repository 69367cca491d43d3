"""Hold and play on, the rule of proof without a decider, rulings confirmed elsewhere, protests through the desk."""

from datetime import date, timedelta

import pytest
from django.test import TestCase

from league.accounts.models import Role
from league.competitions.amendments.services import close_amendment, confirm_amendment
from league.competitions.draw.schedule import calling
from league.competitions.integrity.derived import everything
from league.competitions.queries.inbox import InboxKind, inbox
from league.disputes import deciders, proving, receivers, sweeping
from league.disputes.models import Dispute
from league.disputes.protests import appealing, effects
from league.disputes.protests.effects import held_entrants, holds
from league.disputes.protests.protesting import protest
from league.disputes.queries import precedents
from league.errors import Refused
from league.matches.logs.submission import confirm_result
from league.matches.models import Amendment, Record, Result
from league.matches.results.judges import accept_judge, name_judge
from league.matches.signals import amendments_withheld_asked
from league.players.services import enrol
from tests.league.competitions.cup import slot
from tests.league.competitions.draw.test_calling import called, evening, finish
from tests.league.disputes.courtroom import MUGGINS, Kind, Outcome, Point, file, find, logged, now, rule, score, soon
from tests.league.world import person

pytestmark = pytest.mark.django_db


def refused(act, *args, **more):
    with pytest.raises(Refused) as caught:
        act(*args, **more)
    return caught.value.code


def test_the_next_matches_wait_for_the_leagues_minutes_and_then_play_on(world):
    logged(world)
    dispute = file(world)
    at = dispute.raised_at
    for minutes, held in ((0, True), (4, True), (5, False)):
        later = at + timedelta(minutes=minutes)
        assert holds(now(dispute), later) is held
        assert held_entrants(later).count() == (2 if held else 0)


def test_the_desk_chooses_play_on_or_hold(world):
    logged(world)
    dispute = file(world)
    for who in (world.bob, world.charlie):
        assert refused(effects.choose_effect, dispute, who, Dispute.Effect.HOLD) == "not-the-desk"
    effects.choose_effect(dispute, world.referee, Dispute.Effect.PLAY_ON)
    assert not holds(now(dispute), soon())
    effects.choose_effect(dispute, world.referee, Dispute.Effect.HOLD, minutes=30)
    assert (holds(now(dispute), soon(29)), holds(now(dispute), soon(32))) == (True, False)
    effects.choose_effect(dispute, world.referee, Dispute.Effect.HOLD)
    assert holds(now(dispute), soon(10_000))
    find(dispute, world.referee, "yes")
    rule(dispute, world.referee, Outcome.DISMISSED)
    assert not holds(now(dispute), soon())
    assert refused(effects.choose_effect, dispute, world.referee, Dispute.Effect.HOLD) == "decided-meanwhile"


def test_a_final_is_not_called_before_the_ruling_on_a_semi_final(world):
    cup = evening(world, 4, tables=["1", "2"])
    finish(world, cup, 1, 1)
    game = slot(cup, 1, 1).match.games.select_related("match__league").first()
    dispute = protest(game, world.referee, Point(kind=Kind.CONDUCT), "He spoke to a spectator")
    finish(world, cup, 1, 2)
    assert (called(cup), calling.sweep()) == ([], 0)
    rule(dispute, world.owner, Outcome.DISMISSED)
    assert calling.sweep() == 1
    assert called(cup) == [("1", 2, 1)]


# --- Nobody is free


@pytest.fixture
def alone(world):
    Role.objects.filter(league=world.league).exclude(kind=Role.Kind.PLAYER).delete()
    Role.objects.create(user=world.alice, league=world.league, kind=Role.Kind.OWNER)
    logged(world)
    return world


def test_where_nobody_is_free_the_rule_of_proof_decides_in_time(alone):
    dispute = file(alone)
    late = proving.proof_from(dispute)
    assert refused(proving.decide_by_proof, dispute, alone.bob) == "too-early"
    assert refused(proving.decide_by_proof, dispute, alone.charlie, late) == "not-your-match"
    proving.decide_by_proof(dispute, alone.bob, late)
    assert (now(dispute).state, score(alone)) == ("ruled", ("115–165", "official"))
    ruling = dispute.entries.get(kind="ruled")
    assert (ruling.data["proof"], ruling.data["answer"]) == (True, "not known")
    assert list(everything()) == []
    assert precedents(dispute) == []


def test_a_judge_who_stepped_back_leaves_the_rule_of_proof(alone):
    dispute = file(alone)
    dora = person("dora")
    enrol(league=alone.league, name="Dora Paz", since=date(2026, 1, 1), user=dora)
    named = name_judge(alone.match, dora, by=alone.alice)
    for side in (alone.alice, alone.bob):
        accept_judge(alone.match, side, named.player_id)
    late = proving.proof_from(dispute)
    assert refused(proving.decide_by_proof, dispute, alone.bob, late) == "judge-accepted"
    find(dispute, dora)
    deciders.step_back(dispute, dora)
    proving.decide_by_proof(dispute, alone.bob, late)
    assert now(dispute).state == "ruled"


def test_the_record_stands_where_nothing_is_known(alone):
    dispute = file(alone, point=Point(kind=Kind.FRAUD))
    proving.decide_by_proof(dispute, alone.alice, proving.proof_from(dispute))
    assert (now(dispute).outcome, score(alone)) == ("dismissed", ("120–165", "provisional"))


@pytest.mark.parametrize("own", [True, False])
def test_the_rule_of_proof_prefers_no_side_where_entries_differ(alone, own):
    dispute = file(alone)
    if own:
        Record.objects.filter(pk=dispute.record_id).update(for_side=2)
    else:
        Result.objects.filter(game=alone.game, current=True).update(contested=True)
    assert refused(proving.decide_by_proof, dispute, alone.bob, proving.proof_from(dispute)) == "needs-judge"


def test_with_a_free_official_the_rule_of_proof_decides_nothing(world):
    logged(world)
    dispute = file(world)
    assert refused(proving.decide_by_proof, dispute, world.bob, soon(10_000)) == "official-is-free"


# --- Rulings confirmed elsewhere


@pytest.mark.parametrize("confirmed", [True, False])
def test_a_ruling_follows_its_amendment(world, confirmed):
    confirm_result(result=logged(world), user=world.referee)
    dispute = file(world)
    find(dispute, world.referee)
    rule(dispute, world.referee)
    amendment = Amendment.objects.select_related("game__match__league").get()
    with TestCase.captureOnCommitCallbacks(execute=True):
        (confirm_amendment if confirmed else close_amendment)(amendment, world.owner)
    assert sweeping.sweep(soon()) == (0 if confirmed else 1)
    assert now(dispute).state == ("ruled" if confirmed else "found")
    assert dispute.entries.order_by("number").last().by == world.owner


def amended(world):
    """A ruling of the owner whose amendment waits; the referee filed the protest, the head referee stepped back."""
    confirm_result(result=logged(world), user=world.referee)
    dispute = file(world, world.referee)
    deciders.take_case(dispute, world.second_referee)
    deciders.step_back(dispute, world.second_referee)
    find(dispute, world.owner, None)
    rule(dispute, world.owner, Outcome.RESULT, scores=(115, 165), winner=2)
    return Amendment.objects.select_related("game__match__league").get()


@pytest.mark.parametrize("act", [confirm_amendment, close_amendment])
@pytest.mark.parametrize(("who", "code"), [("referee", "own-protest"), ("second_referee", "refused-by-side")])
def test_nobody_ends_an_amendment_whom_its_case_refuses(world, act, who, code):
    charlie = Role.objects.create(user=world.charlie, league=world.league, kind=Role.Kind.REFEREE).user
    amendment = amended(world)
    assert refused(act, amendment, getattr(world, who)) == code
    assert not [one for one in inbox(getattr(world, who)) if one.kind == InboxKind.AMENDMENT]
    act(amendment, charlie)
    with pytest.raises(Refused):
        act(amendment, world.owner)


def test_the_control_without_the_question_the_filer_confirms(world):
    Role.objects.create(user=world.charlie, league=world.league, kind=Role.Kind.REFEREE)
    amendment = amended(world)
    amendments_withheld_asked.disconnect(dispatch_uid="disputes.withheld_amendments")
    try:
        confirm_amendment(amendment, world.referee)
    finally:
        amendments_withheld_asked.connect(receivers.answer_withheld, dispatch_uid="disputes.withheld_amendments")


def test_those_who_decided_first_do_not_confirm_the_amendment_of_the_appeal(world):
    Role.objects.create(user=world.charlie, league=world.league, kind=Role.Kind.REFEREE)
    confirm_result(result=logged(world), user=world.referee)
    dispute = file(world)
    find(dispute, world.referee, "yes")
    rule(dispute, world.referee, Outcome.DISMISSED)
    appealing.appeal(dispute, world.bob, "Nobody asked the witness")
    find(dispute, world.owner, "no")
    rule(dispute, world.owner)
    amendment = Amendment.objects.select_related("game__match__league").get()
    assert refused(confirm_amendment, amendment, world.referee) == "decided-before"
    confirm_amendment(amendment, world.charlie)


def test_a_ruling_is_rejected_where_another_entry_was_taken(world):
    first = logged(world)
    dispute = file(world)
    find(dispute, world.referee)
    rule(dispute, world.referee)
    confirm_result(result=first, user=world.owner)
    assert sweeping.sweep(soon()) == 1
    assert (now(dispute).state, score(world)) == ("found", ("120–165", "official"))


def test_precedents_name_the_rule_and_the_finding_and_no_person(world):
    logged(world)
    first = file(world)
    find(first, world.referee, "yes")
    rule(first, world.referee, Outcome.DISMISSED, "Ana was right")
    second = file(world, point=MUGGINS)
    [found] = precedents(second)
    assert (found.code, found.outcome, found.fact, found.answer) == (first.code, "dismissed", "called", "yes")
    assert "udl.muggins" in found.rules
