"""The table of Uno Dominoes: what fits, what an active half does, whose turn it is (RULES.md 4.3 and 9.6)."""

import pytest

from games.errors import IllegalMove, OptionError, Reason
from games.moves import Draw, Pass, Play
from games.round import RoundEnd
from games.ruleset import Lead
from games.rulesets import get
from games.uno.calls import Caught
from games.uno.markings import UNO
from games.uno.round import ColourRound


def rules(**options):
    return get("uno-dominoes").with_options(options)


def at_table(*arms, racks=(), seats=3, pile=None, **options):
    """A round in play: every arm shows the second half of its tile, seat A is to act; racks beyond those are unseen."""
    live = ColourRound(rules(**options), seats, Lead.HIGHEST_DOUBLE)
    for seat, rack in enumerate(racks):
        tiles = tuple(map(UNO.tile, rack.split()))
        assert live.deal(seat, len(tiles), tiles)
    for arm in arms:
        tile = UNO.tile(arm)
        live.layout.table |= tile.bit
        live.layout.ends[tile.index], live.layout.free[tile.index] = tile.low, 1
        live.located |= tile.bit
    if pile is not None:
        live.boneyard = pile
    live.to_act, live.led_by, live.begun = 0, 0, True
    return live


def play(tile, on=None, colour=None, seat=0):
    return Play(seat, UNO.tile(tile), None if on is None else UNO.tile(on), None, colour)


def why_not(live, *arguments, **more):
    return live.why_illegal(play(*arguments, **more))


def shown(live):
    return live.layout.shown()


# ---- matching


def test_u01_only_the_half_that_touches_is_active():
    """RULES.md 9.6, U01; 2.10: the other half stays inactive and can still be matched."""
    skips = at_table("y9-r6").after(play("rS-r3"))
    assert (skips.to_act, shown(skips)) == (2, ["r3"])
    not_active = at_table("y9-r6").after(play("r3-rS"))
    assert (not_active.to_act, shown(not_active)) == (1, ["rS"])
    assert why_not(not_active, "bS-y7", seat=1) == ()
    assert why_not(not_active, "r4-g7", seat=1) == ()
    assert why_not(not_active, "g7-r4", seat=1) == (Reason.DOES_NOT_MATCH,)


def test_u02_a_tile_fits_by_colour_or_by_kind():
    live = at_table("r9-b7")
    assert why_not(live, "y7-bS") == why_not(live, "bS-y7") == why_not(live, "g7-r4") == ()
    assert why_not(live, "r4-g7") == why_not(live, "r1-g9") == why_not(live, "g9-r1") == (Reason.DOES_NOT_MATCH,)


def test_u03_a_doublet_is_never_joined_to_a_doublet():
    live = at_table("y9-y9")
    assert why_not(live, "g9-g9") == why_not(live, "W-W", colour="red") == (Reason.DOES_NOT_MATCH,)
    assert why_not(live, "WD4-WD4", colour="red") == (Reason.DOES_NOT_MATCH,)
    assert why_not(live, "y6-r7") == ()


def test_u04_a_dead_end_closes_its_arm():
    live = at_table("y9-r6", "r9-b7").after(play("g6-DE", "y9-r6"))
    assert shown(live) == ["b7"]
    assert why_not(live, "b8-DE", "g6-DE", seat=1) == (Reason.NO_OPEN_END,)
    assert why_not(live, "DE-b8", "r9-b7", seat=1) == (Reason.DOES_NOT_MATCH,)


@pytest.mark.parametrize(
    ("rack", "arms", "lawful"),
    [
        ("b1-WD4 b6-g7", ("y9-r6", "g8-y5"), True),  # U05: b6 is a match of kind
        ("b1-WD4 g1-y9", ("y9-r6", "g8-y5"), False),  # U05: y9 matches y5
        ("b1-WD4 b6-g7", ("r9-b7",), False),  # U06
        ("b1-WD4", ("r9-b7",), True),  # 2.19: the tile's own other half is not counted
        ("b1-WD4 W-W", ("r9-b7",), True),  # 2.18: W-W is no match of colour
        ("b1-WD4 y8-rR", ("b8-y1",), False),
        ("b1-WD4 b2-g4", ("b8-y1", "r9-b7"), False),
        ("b1-WD4 b2-g4", ("b8-y1",), True),
    ],
)
def test_u05_u06_a_wild_draw_four_needs_a_rack_without_an_exposed_colour(rack, arms, lawful):
    live = at_table(*arms, racks=[rack])
    four = play("WD4-b1", UNO.tiles[UNO.tile(arms[0]).index].name)
    assert live.is_lawful(four) is lawful
    assert why_not(live, "WD4-b1", arms[0]) == ()  # it stands unless it is challenged (NOTATION.md 7.19)
    assert (four in list(live.legal_moves()), four in list(live.bluffs())) == (lawful, not lawful)
    after = live.after(four)
    after.challenge(1)
    assert after.wild_four.guilty is not lawful
    assert (after.debts, after.to_act) == ([0, 6, 0] if lawful else [4, 0, 0], 2 if lawful else 1)


def test_u06_an_inactive_wild_draw_four_draws_nothing_and_its_colour_is_called():
    live = at_table("r9-b7", racks=["b1-WD4 b6-g7"])
    assert why_not(live, "b1-WD4") == (Reason.BAD_EVENT,)
    after = live.after(play("b1-WD4", colour="green"))
    assert (after.debts, after.to_act, after.wild_four, shown(after)) == ([0, 0, 0], 1, None, ["green"])


def test_a_closed_arm_exposes_no_colour():
    """RULES.md 2.18."""
    live = at_table("r9-b7", "b8-y1", racks=["b1-WD4 b2-g4", "b8-DE y1-r4"])
    live.begin_turn(0)
    live.layout.place(UNO.tile("b8-DE"), UNO.tile("r9-b7").index, None)
    assert live.is_lawful(play("WD4-b1", "b8-y1"))


def test_a_named_colour_or_a_wild_fits_an_exposed_wild():
    """RULES.md 2.17: afterwards only that colour (or a wild) fits."""
    live = at_table("r9-b7").after(play("b1-WD4", colour="green"))
    assert why_not(live, "g7-r4", seat=1) == why_not(live, "WD4-y7", seat=1) == ()
    assert why_not(live, "W-W", colour="red", seat=1) == ()
    assert why_not(live, "r4-g7", seat=1) == why_not(live, "b4-gS", seat=1) == (Reason.DOES_NOT_MATCH,)
    named = at_table("r9-b7", racks=["b1-WD4 y1-r4", "WD4-y7 g1-y9 W-W"]).after(play("b1-WD4", colour="green"))
    assert not named.is_lawful(play("WD4-y7", "b1-WD4", seat=1))  # 2.18: with the called colour


def test_a_wild_fits_everywhere():
    """RULES.md 2.17: also where its player holds other tiles that fit."""
    live = at_table("r9-b7", racks=["W-W b2-g4"])
    assert why_not(live, "W-W", colour="yellow") == ()
    assert shown(live.after(play("W-W", colour="yellow"))) == ["yellow"]


@pytest.mark.parametrize("colour", ["red", None])
def test_a_colour_is_named_exactly_where_a_wild_half_is_left_exposed(colour):
    """NOTATION.md 7.21; with the last tile it may be left out."""
    live = at_table("r9-b7", racks=["b1-WD4 b6-g7"])
    assert (why_not(live, "b6-g7", colour=colour) == ()) is (colour is None)
    assert (why_not(live, "WD4-b1", colour=colour) == ()) is (colour is None)
    last = at_table("r9-b7", racks=["b1-WD4"])
    assert why_not(last, "b1-WD4", colour=colour) == ()


# ---- places


def test_the_starting_doublet_is_open_on_four_sides_at_once():
    """RULES.md 2.6, 2.8: and the base game has exactly four arms."""
    live = ColourRound(rules(), 2, Lead.HIGHEST_DOUBLE)
    live.apply(play("g9-g9"))
    for n, tile in enumerate(("g1-y9", "g4-r9", "g5-b9", "g7-r4")):
        assert why_not(live, tile, "g9-g9", seat=live.to_act) == ()
        live.apply(play(tile, "g9-g9", seat=live.to_act))
        assert live.layout.free.get(UNO.tile("g9-g9").index, 0) == 3 - n
    assert why_not(live, "gS-rD2", "g9-g9", seat=live.to_act) == (Reason.NO_OPEN_END,)


@pytest.mark.parametrize(("option", "places"), [("false", 1), ("true", 3)])
def test_a_later_doublet_goes_on_from_its_far_side(option, places):
    """RULES.md 2.8, and 2.38: in the all-doublet variation from its ends too."""
    live = at_table("r9-b7", all_doublet=option).after(play("b5-b5"))
    assert live.layout.free == {UNO.tile("b5-b5").index: places}


def test_where_two_tiles_can_take_it_the_record_says_which():
    live = at_table("r9-b7", "y6-b2")
    assert why_not(live, "b5-g4") == (Reason.AMBIGUOUS_PLAY,)
    assert why_not(live, "b5-g4", "y6-b2") == why_not(live, "g2-b5") == ()
    assert why_not(live, "r4-y1") == (Reason.DOES_NOT_MATCH,)
    assert why_not(live, "b5-g4", "b4-b4") == (Reason.NO_OPEN_END,)


# ---- turns


def after_halves(*halves, seats=4, **options):
    """Who acts after each of these active halves, from seat A on, every tile joined to a wild of its colour."""
    turns = []
    live = at_table("y9-r6", seats=seats, **options)
    for tile in halves:
        live.begin_turn(live.to_act)
        live.layout.ends = {UNO.tile("y9-r6").index: UNO.tile(tile).high}
        live.layout.free = {UNO.tile("y9-r6").index: 1}
        live.record(play(tile, "y9-r6", seat=live.to_act))
        turns.append(live.to_act)
    return turns


def test_u08_reverse_turns_the_direction():
    """RULES.md 9.6, U08, and 2.14."""
    assert after_halves("gR-r3", "b5-g2", "rR-y8", "b5-g4") == [3, 2, 3, 0]


def test_u09_reverse_of_two_is_a_skip_or_nothing():
    """RULES.md 2.15."""
    assert after_halves("gR-r3", "b5-g2", seats=2) == [0, 1]
    assert after_halves("gR-r3", "b5-g2", seats=2, reverse_2p="none") == [1, 0]


def test_a_skip_and_forced_draws_lose_the_turn():
    """RULES.md 2.12, 2.13, 2.18; 2.11: an active doublet has its effect once."""
    assert after_halves("rS-r3") == [2]
    assert after_halves("rS-r3", seats=2) == [0]
    assert after_halves("gD2-r8") == after_halves("WD4-b1") == [2]
    live = at_table("y9-r6").after(play("rD2-rD2"))
    assert (live.debts, live.to_act, live.unpaid) == ([0, 2, 0], 2, [1])
    assert at_table("y9-r6").after(play("rS-rS")).to_act == 2


def test_penalties_are_drawn_in_several_lines_and_no_more():
    """NOTATION.md 7.18."""
    live = at_table("y9-r6").after(play("rD2-rD2"))
    assert live.why_illegal(Draw(1, 3)) == (Reason.OUT_OF_TURN,)
    live.apply(Draw(1, 1))
    assert live.unpaid == [1]
    live.apply(Draw(1, 1))
    assert live.unpaid == []
    assert live.why_illegal(Draw(1, 1)) == live.why_illegal(Pass(1)) == (Reason.OUT_OF_TURN,)


def test_nobody_acts_before_penalties_are_drawn():
    """NOTATION.md 4: forced-draw; what was recorded all the same stands, and the debt is gone."""
    live = at_table("y9-r6").after(play("rD2-rD2"))
    assert why_not(live, "r1-g9", seat=2) == live.why_illegal(Draw(2, 1)) == (Reason.FORCED_DRAW,)
    assert list(live.legal_moves()) == []
    live.record(play("r1-g9", seat=2))
    assert (live.debts, live.to_act) == ([0, 0, 0], 0)


def test_penalties_take_what_is_left():
    """RULES.md 2.26."""
    live = at_table("y9-r6", pile=1).after(play("rD2-rD2"))
    assert live.why_illegal(Draw(1, 2)) == (Reason.DRAW_FROM_EMPTY,)
    live.apply(Draw(1, 1))
    assert live.unpaid == []


def test_who_does_not_play_draws_one_tile_and_may_play_only_that():
    """RULES.md 2.24, 2.25."""
    live = at_table("r9-b7", racks=["b2-g4 b4-b4"])
    assert live.why_illegal(Pass(0)) == (Reason.PASS_WITH_BONEYARD,)
    assert live.why_illegal(Draw(0, 2)) == (Reason.BAD_EVENT,)
    drawn = live.after(Draw(0, 1, (UNO.tile("b5-b5"),)))
    assert why_not(drawn, "b2-g4") == (Reason.MUST_PLAY_DRAWN,)
    assert why_not(drawn, "b5-b5") == drawn.why_illegal(Pass(0)) == ()
    assert drawn.why_illegal(Draw(0, 1)) == (Reason.BAD_EVENT,)
    with pytest.raises(IllegalMove):
        drawn.apply(Draw(0, 1))


def test_an_unseen_drawn_tile_may_be_any_but_those_known_before():
    """NOTATION.md 7.3."""
    live = at_table("r9-b7", racks=["b2-g4 b4-b4"]).after(Draw(0, 1, (None,)))
    assert why_not(live, "b2-g4") == (Reason.MUST_PLAY_DRAWN,)
    assert why_not(live, "b5-b5") == ()


def test_a_full_circle_of_passes_at_an_empty_pile_blocks():
    """RULES.md 2.26, 2.27."""
    live = at_table("r9-b7", pile=0)
    for seat in (0, 1):
        live.apply(Pass(seat))
        assert live.ended is None
    live.apply(Pass(2))
    assert (live.ended, live.found_blocked, live.scorer) == (RoundEnd.BLOCKED, False, None)


def test_a_play_breaks_the_circle_of_passes():
    live = at_table("r9-b7", pile=0)
    live.apply(Pass(0))
    live.apply(Pass(1))
    live.apply(play("b2-g4", seat=2))
    live.apply(Pass(0))
    assert live.ended is None


def test_a_block_is_seen_when_all_racks_are_known():
    """NOTATION.md 3: nobody can play or draw."""
    live = at_table("r9-b7", "y1-b8", pile=0, racks=["b8-DE r2-g6", "r3-r3", "y4-r5"], seats=3)
    live.apply(play("b8-DE", "y1-b8"))
    assert live.ended is None or live.found_blocked
    assert (live.ended, live.found_blocked) == (RoundEnd.BLOCKED, True)


# ---- the lead


def deal(*racks, **options):
    live = ColourRound(rules(**options), len(racks), Lead.HIGHEST_DOUBLE)
    for seat, rack in enumerate(racks):
        tiles = tuple(None if name == "?" else UNO.tile(name) for name in rack.split())
        assert live.deal(seat, len(tiles), tiles)
    return live


def test_the_highest_numeric_doublet_leads():
    """RULES.md 2.3: action doublets do not count; 2.4: of two equal ones red, green, yellow, blue."""
    live = deal("y8-y8 rS-rS W-W", "g7-g7 WD4-WD4 bR-bR")
    assert live.leader == 0
    assert why_not(live, "y8-y8") == ()
    assert why_not(live, "rS-rS") == why_not(live, "g7-g7", seat=1) == (Reason.WRONG_LEAD,)
    nines = deal("y9-y9 r1-g9", "g9-g9 b1-yS")
    assert nines.leader == 1
    assert why_not(nines, "y9-y9") == (Reason.WRONG_LEAD,)
    assert deal("g4-g4", "b4-b4").leader == 0
    assert deal("y3-y3", "r3-r3").leader == 1


def test_two_equal_doublets_by_lot():
    """RULES.md 2.4: the lot that is not in the record may have fallen on either."""
    live = deal("y9-y9 r1-g9", "g9-g9 b1-yS", start_tie="lot")
    assert live.leader is None
    assert why_not(live, "y9-y9") == why_not(live, "g9-g9", seat=1) == ()
    assert why_not(deal("y9-y9 g8-b1", "y8-y8 b1-yS", start_tie="lot"), "y8-y8", seat=1) == (Reason.WRONG_LEAD,)


def test_without_a_numeric_doublet_each_draws_one_until_one_is_drawn():
    """RULES.md 2.5: from seat 1 on, the tiles are kept, the drawer of the first one leads it."""
    live = deal("rS-rS b1-yS", "W-W r1-g9")
    assert live.leader is None
    assert live.why_illegal(Draw(1, 1)) == live.why_illegal(Pass(1)) == (Reason.OUT_OF_TURN,)
    assert live.why_illegal(Draw(0, 2)) == (Reason.BAD_EVENT,)
    assert live.why_illegal(Pass(0)) == (Reason.PASS_WITH_BONEYARD,)
    assert why_not(live, "rS-rS") == (Reason.WRONG_LEAD,)
    live.apply(Draw(0, 1, (UNO.tile("bR-bR"),)))
    live.apply(Draw(1, 1, (UNO.tile("b2-g4"),)))
    live.apply(Draw(0, 1, (UNO.tile("y1-y1"),)))
    assert (live.leader, live.held) == (0, [4, 3])
    assert live.why_illegal(Draw(1, 1)) == (Reason.OUT_OF_TURN,)
    assert live.why_illegal(Draw(0, 1)) == (Reason.BAD_EVENT,)
    assert why_not(live, "bR-bR") == (Reason.WRONG_LEAD,)
    assert why_not(live, "y1-y1") == ()


def test_an_unseen_tile_drawn_for_the_lead_may_be_the_doublet():
    live = deal("? ?", "? ?").after(Draw(0, 1, (None,)))
    assert why_not(live, "y1-y1") == live.why_illegal(Draw(1, 1)) == ()
    assert why_not(live, "y1-y1", seat=1) == why_not(live, "b1-yS") == (Reason.WRONG_LEAD,)


def test_a_known_doublet_leaves_nothing_to_draw_for():
    live = deal("y8-y8 b1-yS", "r1-g9 b1-g8")
    assert live.why_illegal(Draw(1, 1)) == live.why_illegal(Pass(1)) == (Reason.OUT_OF_TURN,)
    assert live.why_illegal(Draw(0, 1)) == (Reason.DRAW_WHEN_ABLE,)
    assert live.why_illegal(Pass(0)) == (Reason.PASS_WHEN_ABLE, Reason.PASS_WITH_BONEYARD)
    assert list(live.legal_moves()) == [play("y8-y8")]


def test_an_unseen_rack_may_hold_a_higher_doublet():
    live = deal("y8-y8 b1-yS", "? ?")
    assert live.leader is None
    assert why_not(live, "y8-y8") == why_not(live, "g9-g9", seat=1) == ()
    assert why_not(live, "g7-g7", seat=1) == (Reason.WRONG_LEAD,)
    assert deal("g9-g9 b1-yS", "? ?").leader == 0


def test_a_seat_known_not_to_lead_neither_draws_nor_passes():
    """NOTATION.md 3 and 4: out-of-turn, also where it is not known who leads."""
    live = deal("y8-y8 b1-yS", "g7-g7 r1-g9", "W-W r2-g6", "? ?")
    assert live.leader is None
    for seat in (1, 2, 3):
        assert live.why_illegal(Draw(seat, 1)) == live.why_illegal(Pass(seat)) == (Reason.OUT_OF_TURN,)
    assert live.why_illegal(Draw(0, 1)) == (Reason.DRAW_WHEN_ABLE,)


def test_a_wrong_lead_that_is_no_doublet_gives_one_open_end():
    """NOTATION.md 7.21; a half that nothing was joined to is not active."""
    live = deal("rS-r3 b1-yS", "W-W r1-g9")
    live.record(play("rS-r3"))
    assert (live.layout.free, shown(live), live.to_act) == ({UNO.tile("rS-r3").index: 1}, ["r3"], 1)


# ---- calls


def down_to_one(**more):
    live = at_table("r9-b7", racks=["b2-g4 b4-b4", "r1-g9 y1-r4", "y6-r7 g6-r2"], **more)
    live.begin_turn(0)
    live.play(0, UNO.tile("b2-g4"), None, None, line=7)
    return live


def test_u11_a_missed_uno_is_caught_until_another_tile_is_placed():
    """RULES.md 2.28, 2.29: draws and passes do not close the window."""
    live = down_to_one()
    live.apply(Draw(1, 1, (UNO.tile("b5-b5"),)))
    live.apply(Pass(1))
    why, last = live.catch(2, 0)
    assert (why, last.line, live.debts) == (Caught.MISSED, 7, [2, 0, 0])
    assert live.catch(2, 0) == (Caught.NOBODY, None)
    late = down_to_one()
    late.apply(Draw(1, 1, (UNO.tile("b5-b5"),)))
    late.apply(Pass(1))
    late.apply(play("g6-r2", seat=2))
    assert late.catch(2, 0) == (Caught.NOBODY, None)


def test_a_catch_is_false_after_the_call_of_oneself_and_of_somebody_else():
    """NOTATION.md 7.21; RULES.md 2.30."""
    live = down_to_one()
    assert live.catch(2, 1)[0] is Caught.NOBODY
    assert live.catch(0, 0)[0] is Caught.ONESELF
    live.say_uno(0)
    assert live.catch(2, 0)[0] is Caught.CALLED
    assert live.debts == [0, 0, 0]


def test_uno_counts_with_one_tile_or_with_two_and_the_turn():
    """NOTATION.md 7.21; drawing clears it."""
    live = at_table("r9-b7", racks=["b2-g4 b4-b4", "r1-g9 y1-r4", "y6-r7 g6-r2 b1-yS"])
    live.say_uno(1)
    live.say_uno(2)
    assert live.said_uno == [False] * 3
    early = live.copy()
    early.say_uno(0)
    early.apply(play("b2-g4"))
    assert early.catch(1, 0)[0] is Caught.CALLED
    cleared = live.copy()
    cleared.say_uno(0)
    cleared.apply(Draw(0, 1, (UNO.tile("b5-b5"),)))
    assert cleared.said_uno == [False] * 3


def test_going_out_closes_the_window():
    live = down_to_one()
    live.to_act = 0
    live.apply(play("b4-b4"))
    assert (live.ended, live.scorer) == (RoundEnd.DOMINO, 0)
    assert live.catch(1, 0) == (Caught.NOBODY, None)


def four(rack="WD4-b1 b6-g7", **more):
    live = at_table("y9-r6", racks=[rack], **more)
    live.apply(play("WD4-b1"))
    return live


def test_who_must_draw_four_may_challenge_before_the_first_tile():
    """RULES.md 2.20 to 2.23, NOTATION.md 7.19."""
    live = four()
    assert [live.can_challenge(seat) for seat in range(3)] == [False, True, False]
    after = live.after(Draw(1, 1))
    assert not after.can_challenge(1)
    live.challenge(9)
    assert not live.can_challenge(1)
    assert (live.wild_four.guilty, live.debts, live.to_act) == (False, [0, 6, 0], 2)
    assert not at_table("y9-r6").after(play("rD2-rD2")).can_challenge(1)


@pytest.mark.parametrize("option", ["6", "4"])
def test_a_wrong_challenge_costs_six_or_four(option):
    live = four(failed_challenge=option)
    live.challenge(9)
    assert live.debts == [0, int(option), 0]


def test_a_rack_that_nobody_saw_is_judged_when_it_is_shown():
    live = at_table("y9-r6")
    live.apply(play("WD4-b1"))
    live.challenge(9)
    assert live.wild_four.pending
    wrong_number = live.copy()
    wrong_number.show_rack((UNO.tile("r1-g9"),))
    assert wrong_number.wild_four.pending
    live.show_rack(tuple(map(UNO.tile, ["r1-g9", "y1-y1", "b4-b4", "b5-b5", "g4-g4"])))
    assert (live.wild_four.guilty, live.debts, live.to_act) == (True, [4, 0, 0], 1)


def test_who_draws_tells_how_a_challenge_ended():
    live = at_table("y9-r6")
    live.apply(play("WD4-b1"))
    live.challenge(9)
    guilty, innocent = live.copy(), live.copy()
    guilty.apply(Draw(0, 4))
    assert (guilty.wild_four.guilty, guilty.unpaid, guilty.to_act) == (True, [], 1)
    innocent.apply(Draw(1, 4))
    assert (innocent.wild_four.guilty, innocent.debts, innocent.to_act) == (False, [0, 2, 0], 2)


def test_the_last_tile_may_be_challenged_never_rightly():
    """RULES.md 2.32."""
    live = at_table("y9-r6", racks=["WD4-b1"])
    live.apply(play("WD4-b1"))
    assert live.can_challenge(1)
    live.challenge(9)
    assert (live.wild_four.guilty, live.unpaid) == (False, [1])
    live.apply(Draw(1, 6))
    assert live.held == [0, 12, 6]


# ---- the end


def test_a_dead_end_is_the_last_arm_closed():
    """RULES.md 2.36."""
    live = at_table("y9-r6", racks=["g6-DE r1-g9"]).after(play("g6-DE"))
    assert (live.ended, live.scorer) == (RoundEnd.DEAD_END, 0)
    out = at_table("y9-r6", racks=["g6-DE"]).after(play("g6-DE"))
    assert (out.ended, out.scorer) == (RoundEnd.DOMINO, 0)  # NOTATION.md 7.21


def dead_end():
    live = at_table("y9-r6", racks=["g6-DE r1-g9", "W-W y1-y1", "b1-yS y1-r4"], reopening="true")
    live.layout.table |= UNO.tile("g9-g9").bit
    return live.after(play("g6-DE"))


def test_a_dead_end_is_opened_again_beside_any_doublet():
    """RULES.md 2.37: far side and two ends; play goes on from that player."""
    live = dead_end()
    wild, nine = UNO.tile("W-W"), UNO.tile("g9-g9")
    assert live.why_not_reopen(1, wild, nine) is None
    assert live.why_not_reopen(2, wild, nine) is Reason.TILE_NOT_IN_HAND
    assert live.why_not_reopen(1, wild, UNO.tile("y8-y8")) is Reason.NO_OPEN_END
    assert live.why_not_reopen(1, wild, UNO.tile("g6-DE")) is Reason.DOES_NOT_MATCH
    assert live.why_not_reopen(1, UNO.tile("y1-y1"), nine) is Reason.DOES_NOT_MATCH
    assert live.why_not_reopen(1, UNO.tile("g6-DE"), nine) is Reason.TILE_ALREADY_PLAYED
    live.reopen(1, wild, "red")
    assert (live.ended, live.to_act, shown(live), live.layout.free) == (None, 2, ["red"], {wild.index: 3})
    assert live.last_tile.seat == 1


def test_a_copy_is_independent():
    live = four()
    twin = live.copy()
    twin.challenge(9)
    twin.apply(Draw(1, 6))
    twin.apply(play("b2-g4", seat=2))
    assert (live.wild_four.challenged, live.debts, live.held, shown(live)) == (0, [0, 4, 0], [1, 6, 6], ["b1"])


# ---- options


def test_uno_has_options_of_its_own():
    """RULES.md 11: S2."""
    changed = rules(start_tie="lot", reverse_2p="none", failed_challenge="4", block="void", target="200", hand="7")
    assert (changed.failed_challenge, changed.target, changed.hand_size(6)) == (4, 200, 7)
    assert get("uno-dominoes").hand_size(2) == 6


@pytest.mark.parametrize(
    ("system", "key", "value"),
    [
        ("uno-dominoes", "spinner", "all"),
        ("uno-dominoes", "muggins", "off"),
        ("uno-dominoes", "failed_challenge", "5"),
        ("uno-dominoes", "start_tie", "high"),
        ("uno-dominoes", "all_doublet", "yes"),
        ("udl", "all_doublet", "true"),
        ("udl", "failed_challenge", "4"),
    ],
)
def test_an_option_that_a_system_does_not_have_is_refused_with_those_it_has(system, key, value):
    with pytest.raises(OptionError) as refused:
        get(system).with_options({key: value})
    assert key in str(refused.value)
    assert "options are" in str(refused.value) or f"not '{value}'" in str(refused.value)
