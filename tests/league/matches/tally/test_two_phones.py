"""Two phones make one record: each enters its own seat, and a call is the caller's own entry."""

import pytest

from league.matches.models.tally import TallyTap
from league.matches.tally.services import StaleTally, broken_at
from league.matches.tally.two_phones import NotNow, NotYours, pads_by_seat
from tests.league.matches.tally.test_tile_log import events_of, line, taps_of
from tests.league.matches.tapping import Pad, take_back, tap


@pytest.fixture
def phones(world) -> tuple[Pad, Pad]:
    """Ana's phone and Bo's, each sitting at its seat; nothing is played yet."""
    one, other = Pad(world.game, world.alice, 1), Pad(world.game, world.bob, 2)
    one.send(tap("take_over", seat=0))
    other.after = 1
    other.send(tap("take_over", seat=1))
    return one, other


def in_turn(*sent: tuple[Pad, list[object]]) -> None:
    """Each batch by a phone that has heard of all before it."""
    for pad, touches in sent:
        pad.after = TallyTap.objects.filter(game=pad.game).count()
        pad.send(*touches)


def test_the_record_is_made_of_both_and_names_who_called(world, phones) -> None:
    one, other = phones
    in_turn((one, [line("round 1", "A 6-6")]), (other, [line("B 6-3 on 6-6"), line("B call 10")]))
    in_turn((one, [line("A 6-5 on 6-6"), line("A muggins")]))
    assert events_of(world.game) == ["round 1", "A 6-6", "B 6-3 on 6-6 call 10", "A 6-5 on 6-6", "A muggins"]
    calls = [
        (row.line, row.by, row.for_side, row.pad) for row in taps_of(world.game) if row.line and row.number in {5, 7}
    ]
    assert calls == [("B call 10", world.bob, 2, other.id), ("A muggins", world.alice, 1, one.id)]
    assert broken_at(taps_of(world.game)) is None


@pytest.mark.parametrize(
    "lines", [("B 6-3 on 6-6",), ("A call 10",), ("A muggins",), ('penalty B 10 "late"',), ("B 6-3 on 6-6", "A call 5")]
)
def test_a_phone_enters_only_its_own_seat(world, phones, lines) -> None:
    one, other = phones
    in_turn((one, [line("round 1", "A 6-6")]))
    wrong = one if lines[0][0] in "Bp" and len(lines) == 1 else other
    wrong.after = 3
    with pytest.raises(NotYours):
        wrong.send(line(*lines))
    assert len(taps_of(world.game)) == 3


def test_a_play_out_of_turn_is_refused_and_stays_on_its_phone(world, phones) -> None:
    one, _other = phones
    in_turn((one, [line("round 1", "A 6-6")]))
    late = line("A 6-5 on 6-6")
    with pytest.raises(NotNow, match="it is the turn of B") as refused:
        one.send(late)
    assert refused.value.touch == str(late.id)


def test_a_phone_that_has_not_heard_of_the_other_one_asks_first(world, phones) -> None:
    one, other = phones
    in_turn((one, [line("round 1", "A 6-6")]))
    other.after = 2
    with pytest.raises(StaleTally):
        other.send(line("B 6-3 on 6-6"))


def test_each_takes_back_only_the_own_last_tap_and_both_together_more(world, phones) -> None:
    one, other = phones
    first, second = line("round 1", "A 6-6"), line("B 6-3 on 6-6")
    in_turn((one, [first]), (other, [second]))
    for wrong in (first, second):
        one.after = 4
        with pytest.raises(NotYours):
            one.send(take_back(wrong))
    in_turn((other, [take_back(second)]), (one, [take_back(first), line("round 1", "A 5-5")]))
    assert events_of(world.game) == ['note "taken back: A 6-6"', "round 1", "A 5-5"]


def test_the_way_back_to_one_phone_keeps_its_reason(world, phones) -> None:
    one, other = phones
    in_turn((other, [tap("take_over", line="battery"), line("round 1", "A 6-6")]))
    assert pads_by_seat(taps_of(world.game)) == {}
    assert taps_of(world.game)[2].line == "battery"
    one.after = 4
    with pytest.raises(StaleTally):
        one.send(line("B 6-3 on 6-6"))


def test_nobody_sits_down_at_the_seat_of_the_other_side(world, phones) -> None:
    third = Pad(world.game, world.referee, after=2)
    with pytest.raises(NotYours):
        third.send(tap("take_over", seat=0))
