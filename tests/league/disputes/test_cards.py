"""Protests about a card, a bare score and a game without a record."""

from datetime import timedelta

import pytest

from league.competitions.integrity.derived import everything
from league.disputes import ruling
from league.disputes.court_rules import WantedRules, change_rules, rules_of_court
from league.disputes.queries import case_view
from league.disputes.shared_records import is_shared
from league.errors import Refused
from league.matches.clock.services import start_clock
from league.matches.logs.submission import confirm_result, submit_log
from league.matches.models import KnownBy, Record, Result
from league.matches.results.entering import enter_sheet
from league.matches.tally.hand_in import hand_in
from tests.league.disputes.courtroom import Kind, Outcome, Point, file, find, logged, now, rule, score
from tests.league.matches.tapping import Pad, points, round_end, tap
from tests.league.world import NOON

pytestmark = pytest.mark.django_db

ROUNDS = [{"play": [60, 40], "muggins": [0, 0]}, {"play": [80, 55], "muggins": [10, 0]}]
CARD = {"scores": [150, 95], "ended": "target", "winner": 0, "rounds": ROUNDS}
BELL = {"scores": [70, 60], "ended": "bell", "winner": 0, "rounds": [{"play": [60, 60], "muggins": [10, 0]}]}
OF_ANA = Point(kind=Kind.MUGGINS, hand=1, column="muggins", number=0, against=1)
SECOND = Point(kind=Kind.MUGGINS, hand=2, column="muggins", number=0, against=1)


def refused(act, *args, **more):
    with pytest.raises(Refused) as caught:
        act(*args, **more)
    return caught.value.code


def carded(world, data, point):
    enter_sheet(world.game, world.alice, data, kind=KnownBy.CARD, insist=True)
    return file(world, point=point)


def test_points_that_no_record_proves_go_to_nobody(world):
    bell = {**BELL, "rounds": [{"play": [60, 60], "muggins": [20, 0]}], "scores": [80, 60]}
    dispute = carded(world, bell, Point(kind=Kind.MUGGINS, hand=1, column="muggins", number=10, against=1))
    find(dispute, world.referee, None)
    rule(dispute, world.referee, Outcome.CALL)
    ruling.confirm_ruling(dispute, world.owner)
    assert score(world) == ("70–60", "official")
    assert list(everything()) == []


def test_a_game_that_would_go_on_is_replayed_or_ruled(world):
    dispute = carded(world, CARD, SECOND)
    find(dispute, world.referee, None)
    assert refused(rule, dispute, world.referee, Outcome.CALL) == "game-goes-on"
    rule(dispute, world.referee, Outcome.GAME, "Play it again")
    assert (now(dispute).state, score(world)[1]) == ("waiting", "provisional")
    ruling.confirm_ruling(dispute, world.owner)
    assert now(dispute).state == "ruled"
    assert not Record.objects.filter(withdrawn_at=None).exists()
    enter_sheet(world.game, world.bob, BELL, kind=KnownBy.CARD)
    assert score(world) == ("70–60", "provisional")
    assert list(everything()) == []


def test_the_leagues_rule_of_proof_decides(world):
    change_rules(world.league, world.owner, WantedRules(proof="claimant"))
    dispute = carded(world, BELL, OF_ANA)
    find(dispute, world.referee, None)
    rule(dispute, world.referee, Outcome.DISMISSED)
    assert score(world)[0] == "70–60"


def test_a_bare_score_or_no_record_leaves_a_ruling_on_the_result(world):
    start_clock(world.game, world.referee)
    dispute = file(world, point=Point(kind=Kind.CONDUCT))
    assert refused(rule, dispute, world.referee, Outcome.UPHELD) == "no-proposal"
    rule(dispute, world.referee, Outcome.RESULT, "He left", scores=(150, 0), winner=1, ended="forfeit")
    ruling.confirm_ruling(dispute, world.owner)
    assert score(world) == ("150–0", "official")
    assert list(everything()) == []


def test_a_hand_replayed_leaves_the_log_up_to_it(world):
    logged(world)
    dispute = file(world)
    find(dispute, world.referee, "not known")
    rule(dispute, world.referee, Outcome.HAND, "Nobody knows")
    ruling.confirm_ruling(dispute, world.owner)
    assert dispute.entries.get(kind="ruled").sealed.text.startswith("[Amends ")
    assert not Record.objects.filter(withdrawn_at=None).exists()
    assert list(everything()) == []


def test_only_an_owner_changes_the_rules(world):
    assert (rules_of_court(world.league.pk).minutes_in_hall, rules_of_court(world.league.pk).pk) == (10, None)
    changed = WantedRules(minutes_in_hall=15, hears="owner", penalties={"draw-when-able": 30, "out-of-turn": 0})
    assert refused(change_rules, world.league, world.referee, changed) == "no-permission"
    change_rules(world.league, world.owner, changed)
    rules = rules_of_court(world.league.pk)
    assert (rules.minutes_in_hall, rules.hears, rules.penalties) == (15, "owner", {"draw-when-able": 30})
    for wrong in (
        {"proof": "coin"},
        {"hold_minutes": -1},
        {"penalties": {"yawning": 5}},
        {"penalties": {"out-of-turn": "5"}},
    ):
        assert refused(change_rules, world.league, world.owner, WantedRules(**wrong)) == "bad-rules"


# --- Records that both sides share


def tallied(world, *pads: Pad):
    """A tally of 150 to 60 from a score pad, kept by these one after the other; Bo protests 10 muggins of Ana."""
    first, last = pads[0], pads[-1]
    for touch in (tap("muggins", seat=0, points=10), points(0, 35), points(1, 60)):
        first.send(touch)
    if last is not first:
        last.after = first.after
        last.send(tap("take_over"))
    last.send(round_end(0, 25))
    last.send(tap("end", ended="bell", winner=0, spinner=""))
    hand_in(world.game, world.alice, pad=last.id, after=last.after, insist=True)


@pytest.mark.parametrize(
    ("pads", "stands"),
    [
        (("alice 1",), False),
        (("referee None",), True),
        (("alice 1", "bob 2"), True),
    ],
)
def test_the_record_of_one_side_alone_is_no_proof_and_that_of_a_shared_pad_is(world, pads, stands):
    keepers = [(getattr(world, who), None if side == "None" else int(side)) for who, side in map(str.split, pads)]
    tallied(world, *(Pad(world.game, who, side) for who, side in keepers))
    dispute = file(world, point=OF_ANA)
    find(dispute, world.referee, None)
    decision = case_view(dispute.code, world.referee).decision
    assert ("one shared pad" in decision.reason.text) is stands
    assert (decision.outcome.scores == (70, 60)) is stands


def test_a_pad_that_goes_on_after_the_protest_is_no_proof(world):
    tallied(world, Pad(world.game, world.referee, None))
    dispute = file(world, point=OF_ANA)
    assert is_shared(dispute, dispute.record)
    dispute.raised_at = NOON - timedelta(hours=1)
    assert not is_shared(dispute, dispute.record)


def test_a_card_that_the_other_side_confirmed_is_a_record_of_both(world):
    enter_sheet(world.game, world.alice, BELL, kind=KnownBy.CARD, insist=True)
    record = Record.objects.get()
    dispute = file(world, point=Point(kind=Kind.FRAUD))
    assert not is_shared(dispute, record)
    confirm_result(result=Result.objects.get(record=record), user=world.bob)
    assert is_shared(dispute, record)


@pytest.mark.parametrize("alone", [False, True], ids=["two phones", "one phone"])
def test_a_log_of_two_phones_is_a_record_of_both_and_one_of_a_single_phone_is_not(world, alone):
    ana, bo = Pad(world.game, world.alice, 1), Pad(world.game, world.bob, 2, after=1)
    ana.send(tap("take_over", **({} if alone else {"seat": 0})))
    if not alone:
        ana.after = bo.send(tap("take_over", seat=1))
    ana.send(tap("line", line="round 1\nA 5-5"), tap("line", line="A call 10"))
    bo = ana if alone else bo
    bo.after = ana.after
    bo.send(tap("line", line="B concedes"), tap("line", line="end"))
    record = hand_in(world.game, world.bob, pad=bo.id, after=bo.after).record
    dispute = file(world, point=Point(kind=Kind.FRAUD))
    assert is_shared(dispute, record) is not alone
    raw = record.sealed.text.replace("call 10", "call 5").encode()
    other = submit_log(game=world.game, user=world.bob, raw=raw).record
    assert not is_shared(dispute, other)
