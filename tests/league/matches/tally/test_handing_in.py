"""A tally becomes a result when somebody hands it in."""

import pytest

from league.errors import Refused
from league.matches.models import KnownBy, Record, Result
from league.matches.models.tally import TallyTap
from league.matches.tally.hand_in import hand_in
from league.matches.tally.services import StaleTally
from tests.league.matches.tapping import Pad, points, round_end, tap

END = {"ended": "target", "winner": 0, "spinner": "5-5"}


@pytest.fixture
def pad(world) -> Pad:
    """150 to 15, in two rounds."""
    one = Pad(world.game, world.alice, 1)
    for seat, number in ((0, 10), (1, 15), (0, 35), (0, 20)):
        one.send(points(seat, number))
    one.send(round_end(0, 50))
    one.send(points(0, 35))
    return one


def offer(world, pad, **changes: object):
    return hand_in(world.game, changes.pop("who", world.alice), pad=pad.id, after=pad.after, **changes)


def test_a_finished_tally_is_a_provisional_result_known_as_such(world, pad):
    pad.send(tap("end", **END))
    entered = offer(world, pad)
    result = Result.objects.get(game=world.game, current=True)
    assert (result.scores, result.winner, result.ended) == ({"1": 150, "2": 15}, 1, "target")
    assert (result.known_by, result.state, result.needs_decision) == (KnownBy.TALLY, Result.State.PROVISIONAL, False)
    record = Record.objects.get()
    assert (record.kind, record.for_side, record.submitted_by) == (KnownBy.TALLY, 1, world.alice)
    assert [one["kind"] for one in record.score_sheet.data["taps"]] == [
        row.kind for row in TallyTap.objects.order_by("number")
    ]
    assert [one["totals"] for one in record.score_sheet.data["rounds"]] == [[115, 15], [150, 15]]
    assert entered.created


def test_the_same_tally_again_is_one_result(world, pad):
    pad.send(tap("end", **END))
    assert [offer(world, pad).created for _ in range(3)] == [True, False, False]
    assert Record.objects.count() == Result.objects.count() == 1


def test_nothing_is_handed_in_before_somebody_says_that_the_game_is_over(world, pad):
    with pytest.raises(Refused) as refused:
        offer(world, pad)
    assert (refused.value.code, Record.objects.count()) == ("not-ended", 0)


def test_what_is_handed_in_is_what_the_pad_has_shown(world, pad):
    pad.send(tap("end", **END))
    shown = pad.after
    pad.send(points(1, 5))
    pad.after = shown
    with pytest.raises(StaleTally):
        offer(world, pad)
    other = Pad(world.game, world.referee, after=shown + 1)
    with pytest.raises(StaleTally):
        offer(world, other, who=world.referee)
    assert Record.objects.count() == 0


def test_a_tally_that_does_not_add_up_is_told_why_and_needs_a_decision_if_it_is_insisted_on(world, pad):
    pad.send(tap("end", ended="bell", winner=1))
    with pytest.raises(Refused) as refused:
        offer(world, pad)
    assert (refused.value.code, Record.objects.count()) == ("does-not-add-up", 0)
    offer(world, pad, insist=True)
    result = Result.objects.get(game=world.game, current=True)
    assert (result.known_by, result.needs_decision) == (KnownBy.SCORE, True)


def test_who_does_not_keep_the_tally_hands_nothing_in(world, pad):
    pad.send(tap("end", **END))
    with pytest.raises(Refused) as refused:
        offer(world, pad, who=world.charlie)
    assert refused.value.code == "not-your-match"
