"""Who leads: lots (RULES.md 1.4), the highest double (3.3), and draws for the lead where nobody has one (3.4)."""

import pytest

from games.errors import Reason
from games.moves import Draw, Pass, Play
from games.round import Round
from games.ruleset import Lead
from games.rulesets import get
from games.tiles import DOUBLE_SIX

A, B, C, D = range(4)
# Three hands without a double.
HANDS = ("6-5 6-4 6-3 6-2 6-1", "5-4 5-3 5-2 5-1 5-0", "4-3 4-2 4-1 4-0 3-2")


def tiles(names):
    return tuple(None if name == "?" else DOUBLE_SIX.tile(name) for name in names.split())


def tile(name):
    return DOUBLE_SIX.tile(name)


def dealt(hands=HANDS, *, lead=Lead.HIGHEST_DOUBLE, **options):
    live = Round(get("all-fives").with_options(options), len(hands), lead)
    for seat, hand in enumerate(hands):
        assert live.deal(seat, len(hand.split()), tiles(hand))
    return live


def draw(seat, names="?"):
    return Draw(seat, len(names.split()), tiles(names))


@pytest.mark.parametrize(
    ("lots", "leads"),
    [
        ({A: "6-2", B: "5-4"}, B),  # eight pips and nine: RULES.md Q5
        ({A: "5-4", B: "6-3"}, B),  # nine and nine: the higher half
        ({A: "6-6", B: "6-5", C: "5-5"}, A),
        ({A: "0-0", B: "1-0", C: "2-0", D: "1-1"}, C),
    ],
    ids=str,
)
def test_1_4_the_highest_lot_leads_by_pips_then_by_the_higher_half(lots, leads):
    live = Round(get("muggins"), len(lots), Lead.LOT)
    live.lead_by_lot({seat: tile(name).index for seat, name in lots.items()})
    assert (live.leader, live.to_act) == (leads, leads)


def test_highest_tile_lex_orders_lots_by_the_higher_half():
    live = Round(get("muggins").with_options({"highest_tile": "lex"}), 2, Lead.LOT)
    live.lead_by_lot({A: tile("6-2").index, B: tile("5-4").index})
    assert live.leader == A


def test_1_4_where_no_lot_was_logged_any_seat_may_lead_with_any_tile():
    live = Round(get("muggins"), 3, Lead.LOT)
    assert [live.why_illegal(Play(seat, tile("1-0"))) for seat in (A, B, C)] == [(), (), ()]


def test_3_4_the_first_draw_is_of_seat_a_and_the_next_ones_follow_clockwise():
    live = dealt()
    assert live.why_illegal(draw(B)) == (Reason.OUT_OF_TURN,)
    for seat, name in ((A, "3-1"), (B, "3-0"), (C, "2-1")):
        assert live.why_illegal(draw((seat + 1) % 3)) == (Reason.OUT_OF_TURN,)
        live.apply(draw(seat, name))
    assert live.to_act == A


def test_3_4_one_line_of_one_tile():
    live = dealt()
    assert live.why_illegal(draw(A, "3-1 3-0")) == (Reason.BAD_EVENT,)
    assert live.why_illegal(draw(B, "? ?")) == (Reason.BAD_EVENT,), "it stands before out-of-turn"


def test_3_4_the_drawer_of_the_first_double_leads_that_tile():
    live = dealt()
    live.apply(draw(A, "3-1"))
    live.apply(draw(B, "2-2"))
    assert (live.leader, live.to_act) == (B, B)
    assert live.why_illegal(draw(C)) == (Reason.OUT_OF_TURN,)
    assert live.why_illegal(draw(B)) == (Reason.DRAW_WHEN_ABLE,)
    assert live.why_illegal(Pass(B)) == (Reason.PASS_WHEN_ABLE, Reason.PASS_WITH_BONEYARD)
    assert live.why_illegal(Play(B, tile("5-4"))) == (Reason.WRONG_LEAD,)
    assert live.why_illegal(Play(C, tile("4-3"))) == (Reason.WRONG_LEAD,)
    assert list(live.legal_moves()) == [Play(B, tile("2-2"))]


def test_3_4_an_unseen_draw_may_be_the_double_and_then_only_its_drawer_leads():
    live = dealt()
    live.apply(draw(A))
    assert live.why_illegal(Play(A, tile("3-3"))) == ()
    assert live.why_illegal(Play(A, tile("6-5"))) == (Reason.WRONG_LEAD,)
    assert live.why_illegal(draw(A)) == (Reason.OUT_OF_TURN,)
    assert live.why_illegal(draw(B)) == ()
    live.apply(draw(B, "4-4"))
    # Had A drawn a double, B's draw was wrong and not A's lead: the analysis of hidden hands says which.
    assert (live.leader, live.to_act) == (None, B)


def test_3_4_nobody_leads_another_tile_where_nobody_has_a_double():
    live = dealt()
    assert {live.why_illegal(Play(seat, tile(hand.split()[0]))) for seat, hand in enumerate(HANDS)} == {
        (Reason.WRONG_LEAD,)
    }
    assert live.why_illegal(Pass(A)) == (Reason.PASS_WITH_BONEYARD,)


def test_3_3_a_lead_that_is_no_double_is_wrong_even_if_no_hand_is_known():
    """Where nobody holds a double it is drawn for, so somebody has one at every lead."""
    live = Round(get("all-fives"), 2, Lead.HIGHEST_DOUBLE)
    assert live.why_illegal(Play(A, tile("6-5"))) == (Reason.WRONG_LEAD,)
    assert live.why_illegal(Play(A, tile("0-0"))) == ()


def test_3_4_who_draws_while_somebody_has_a_double_breaks_a_rule():
    live = dealt((*HANDS[:2], "4-4 4-2 4-1 4-0 3-2"))
    assert live.leader == C
    assert live.why_illegal(draw(A)) == (Reason.OUT_OF_TURN,)
    assert live.why_illegal(draw(C)) == (Reason.DRAW_WHEN_ABLE,)
    live.record(draw(C, "3-3"))
    assert (live.leader, live.to_act, live.why_illegal(Play(C, tile("4-4")))) == (C, C, ())


def test_3_4_with_hidden_hands_draws_go_in_seat_order_too():
    live = Round(get("all-fives"), 2, Lead.HIGHEST_DOUBLE)
    assert live.why_illegal(draw(B)) == (Reason.OUT_OF_TURN,)
    live.apply(draw(A))
    live.apply(draw(B, "1-1"))
    assert live.why_illegal(Play(A, tile("6-6"))) == ()  # then B's draw was wrong
    assert live.why_illegal(Play(A, tile("0-0"))) == ()  # also if it is what A drew, before B drew a higher one
    assert live.why_illegal(Play(A, tile("6-5"))) == (Reason.WRONG_LEAD,)
    assert live.why_illegal(Play(B, tile("1-1"))) == ()


def test_3_4_the_first_double_drawn_is_led_also_by_who_drew_a_higher_one_after_it():
    live = dealt()
    live.apply(draw(A, "2-2"))
    live.record(draw(A, "5-5"))
    assert (live.leader, live.drawn_lead) == (A, tile("2-2").bit)
    assert live.why_illegal(Play(A, tile("2-2"))) == ()
    assert live.why_illegal(Play(A, tile("5-5"))) == (Reason.WRONG_LEAD,)
    live.record(draw(A, "6-6"))
    assert live.why_illegal(Play(A, tile("6-6"))) == (Reason.WRONG_LEAD,)


def test_3_4_the_highest_double_of_all_in_the_first_draw_leads_whoever_was_dealt_another():
    live = Round(get("all-fives"), 2, Lead.HIGHEST_DOUBLE)
    live.apply(draw(A, "6-6"))
    assert (live.leader, live.why_illegal(Play(A, tile("6-6")))) == (A, ())
    live = Round(get("all-fives"), 2, Lead.HIGHEST_DOUBLE)
    live.apply(draw(A))
    live.apply(draw(B, "6-6"))
    assert live.leader is None  # A may have drawn the first double
    assert live.why_illegal(Play(A, tile("2-2"))) == live.why_illegal(Play(B, tile("6-6"))) == ()


def test_lead_forced_false_lets_the_drawer_of_the_double_lead_any_tile():
    live = dealt(lead_forced="false")
    assert live.why_illegal(Play(A, tile("6-5"))) == (Reason.WRONG_LEAD,)
    live.apply(draw(A, "0-0"))
    assert (live.leader, live.why_illegal(Play(A, tile("6-5")))) == (A, ())


def test_no_double_highest_tile_leads_the_highest_tile_instead():
    live = dealt(no_double="highest_tile")
    assert (live.leader, list(live.legal_moves())) == (A, [Play(A, tile("6-5"))])
    assert live.why_illegal(draw(A)) == (Reason.DRAW_WHEN_ABLE,)


@pytest.mark.parametrize(("order", "leads"), [("lex", A), ("pips", B)])
def test_highest_tile_says_which_tile_is_highest(order, leads):
    hands = ("6-2 6-1 3-0 2-0 1-0", "5-4 5-1 4-3 4-0 2-1")
    live = dealt(hands, no_double="highest_tile", highest_tile=order)
    assert live.leader == leads


def test_4_9_a_draw_by_choice_before_the_lead_is_the_leaders():
    live = Round(get("double-six"), 2, Lead.HIGHEST_DOUBLE)
    live.deal(A, 7, tiles("6-6 6-5 6-4 6-3 6-2 6-1 6-0"))
    live.deal(B, 7, tiles("5-5 5-4 5-3 5-2 5-1 5-0 4-4"))
    assert live.why_illegal(draw(A, "? ?")) == ()
    assert live.why_illegal(draw(B)) == (Reason.OUT_OF_TURN,)


def test_voluntary_draws_do_not_end_the_draws_for_the_lead():
    live = dealt(voluntary_draw="true")
    assert live.why_illegal(draw(B)) == (Reason.OUT_OF_TURN,)
    live.apply(draw(A, "5-5"))
    assert (live.leader, live.why_illegal(draw(A))) == (A, ())


def test_who_draws_before_the_lead_takes_the_turn_so_another_seat_is_out_of_turn():
    live = Round(get("double-six"), 2, Lead.HIGHEST_DOUBLE)
    live.apply(draw(B, "3-0"))
    assert live.why_illegal(draw(A, "2-0")) == live.why_illegal(Pass(A)) == (Reason.OUT_OF_TURN,)
    assert live.why_illegal(draw(B, "2-0")) == ()
