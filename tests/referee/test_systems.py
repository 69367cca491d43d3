"""Muggins, All Fives and Double-Six on whole logs: RULES.md sections 3, 5, 6, and NOTATION.md 3, 4, 5, 7 for them.

Lines are counted after the tags.
"""

import pytest

from games.errors import Reason
from games.rulesets import get
from games.tiles import DOUBLE_SIX
from referee import verify_text
from referee.game import RULE_OF
from tests.referee.logs import found, lines_found, pip, pip_header

# Ten plays after which both ends are sixes and all seven sixes lie on the table.
BLOCKING = (
    "6-6",
    "6-5 on 6-6",
    "6-4 on 6-6",
    "5-3 on 6-5",
    "4-2 on 6-4",
    "6-3 on 5-3",
    "6-2 on 4-2",
    "6-1 on 6-3",
    "1-0 on 6-1",
    "6-0 on 1-0",
)
# What is left then: 45 and 45 pips; 41 and 49; 27, 27 and 34; 20, 20, 25 and 25.
TIE = ("3-0 2-0 4-1 5-2 3-3 5-4 1-1 2-2 4-3", "5-0 5-1 2-1 4-4 5-5 3-2 4-0 0-0 3-1")
LOWER = ("4-1 4-4 1-1 0-0 3-2 2-2 2-1 4-0 5-5", "5-1 3-3 3-0 5-2 4-3 5-0 5-4 2-0 3-1")
THREE = ("5-2 0-0 4-0 4-3 5-4", "5-0 3-2 3-3 5-1 2-0 2-1", "3-0 2-2 4-1 3-1 4-4 5-5")
FOUR = ("1-1 2-2 5-4 3-2", "4-1 5-2 4-4 0-0", "3-0 3-3 3-1 2-0 5-5", "2-1 4-3 4-0 5-1 5-0")
OPTIONS = {2: "hand=14", 3: "hand=9 boneyard_reserve=1", 4: "hand=7"}


def blocked(ruleset, rests, after="", *, hands=True, tags=""):
    """A round that is blocked with these rests."""
    seats = len(rests)
    plays = [f"{'ABCD'[n % seats]} {play}" for n, play in enumerate(BLOCKING)]
    held = [rest.split() + [play.split()[0] for play in BLOCKING[n::seats]] for n, rest in enumerate(rests)]
    dealt = [f"{'ABCD'[n]} hand {' '.join(hand)}" for n, hand in enumerate(held)] if hands else []
    lines = "\n".join(["round 1", *dealt, *plays, after])
    return pip(ruleset, lines, seats=seats, tags=f"{OPTIONS[seats]} {tags}")


def lines_of(verdict, seats, options=0):
    return lines_found(verdict, 1 + seats + options)


def rounds(verdict):
    return [(r.led, r.ended, r.winner, r.points) for r in verdict.rounds]


# ---- lots


def test_1_4_the_highest_lot_leads():
    lots = "round 1\nA lot 5-4\nB lot 6-3\nC lot 0-0\n"
    assert found(pip("muggins", lots + "B 1-0", seats=3)) == []
    verdict = pip("muggins", lots + "A 1-1", seats=3)
    assert lines_of(verdict, 3) == [(5, "wrong-lead")]
    assert [f.message for f in verdict.findings if f.code == "wrong-lead"] == ["1-1 was led by A; the lead is B"]
    assert verdict.rounds[0].led == 0, "play goes on from the seat that led"


def test_1_4_lots_are_returned_to_the_wash():
    lots = "round 1\nA lot 6-5\nB lot 1-0\nA hand 1-0 5-5 6-5 4-4 3-3 2-2 1-1\n"
    assert found(pip("muggins", lots + "A 6-5")) == []


def test_1_4_where_no_lot_is_logged_any_seat_may_lead():
    assert [found(pip("muggins", f"round 1\n{seat} 2-1", seats=4)) for seat in "ABCD"] == [[]] * 4


@pytest.mark.parametrize(
    ("ruleset", "lines", "at", "code"),
    [
        ("muggins", "A lot 6-4", 1, "no-round"),  # 7.20
        ("muggins", "round 1\nA lot 5-4\nB lot 4-5", 3, "duplicate-tile"),  # 7.12
        ("muggins", "round 1\nA lot 5-4\nA lot 6-3", 3, "bad-event"),  # 7.12: one a seat
        ("muggins", "round 1\nA lot 7-4", 2, "unknown-tile"),
        ("muggins", "round 1\nD lot 6-4", 2, "bad-event"),
        ("muggins", "round 1\nA hand 5\nB lot 6-4", 3, "bad-event"),
        ("muggins", "round 1\nA 5-5\nB lot 6-4", 3, "bad-event"),
        ("all-fives", "round 1\nA lot 6-4", 2, "bad-event"),
        ("muggins", "round 1\nA 5-5\nA muggins", 3, "bad-event"),
        ("muggins", "round 1\nA 5-5\nbell", 3, "bad-event"),
        ("all-fives", "round 1\nA 5-5\nchips 1-1-1", 3, "bad-event"),
        ("all-fives", "round 1\nscore 0-0", 2, "bad-event"),
        ("all-fives", "round 1\nB draw ?", 2, "out-of-turn"),  # 7.12: draws for the lead
        ("all-fives", "round 1\nA draw ? ?", 2, "bad-event"),
        ("all-fives", "round 1\nA draw ?\nA draw ?", 3, "out-of-turn"),
        ("all-fives", "round 1\nA draw 5-5\nB draw ?", 3, "out-of-turn"),
        ("all-fives", "round 1\nA draw ?\nB draw ?\nC draw ?\nB draw ?", 5, "out-of-turn"),
        ("all-fives", "round 1\nA hand 6-6 6-5 6-4 6-3 6-2\nB draw ?", 3, "out-of-turn"),
        ("all-fives", "round 1\nA 5-5\nC draw ?", 3, "out-of-turn"),
        ("all-fives", "round 1\nA 5-5\nB draw 14", 3, "draw-from-empty"),
    ],
)
def test_what_cannot_be_in_a_game_of_three(ruleset, lines, at, code):
    verdict = pip(ruleset, lines, seats=3)
    assert (verdict.status, lines_of(verdict, 3)) == ("impossible", [(at, code)])


def test_a_lot_out_of_place_is_told_why():
    cases = {"all-fives": "", "muggins": "A hand 5\n"}
    verdicts = [pip(ruleset, f"round 1\n{before}A lot 6-4", seats=3) for ruleset, before in cases.items()]
    assert [f.message for verdict in verdicts for f in verdict.findings] == [
        "no lots are drawn for the lead of this round",
        "a lot stands before the first hand of its round",
    ]


# ---- leads of later rounds


def test_1_5_the_winner_of_a_blocked_round_leads_any_tile():
    after = f"A shows {LOWER[0]}\nA scores 18\nsettled\nround 2\nA 1-0"
    verdict = blocked("muggins", LOWER, after)
    assert (found(verdict), verdict.scores) == ([], {"A": 23, "B": 0}), "5 in play and (41+49)/5"
    assert rounds(verdict) == [(0, "blocked", 0, (18, 0)), (0, None, None, (0, 0))]
    assert lines_of(blocked("muggins", LOWER, "round 2\nB 1-0"), 2, 1) == [(15, "wrong-lead")]
    assert lines_of(blocked("muggins", LOWER, "round 2\nA lot 1-0"), 2, 1) == [(15, "bad-event")]


def test_1_6_after_a_blocked_tie_lots_are_drawn_again():
    verdict = blocked("muggins", TIE, "settled\nround 2\nA lot 1-1\nB lot 6-5\nA 0-0")
    assert rounds(verdict) == [(0, "blocked", None, (0, 0)), (0, None, None, (0, 0))]
    assert lines_of(verdict, 2, 1) == [(18, "wrong-lead")]
    assert found(blocked("muggins", TIE, "round 2\nB 0-0")) == []


def test_3_5_every_round_of_all_fives_is_led_by_the_highest_double():
    lines = "round 1\nA hand 6-6\nB hand 5-5\nA 6-6\nsettled\nround 2\nA hand 4-4\nB hand 5-5\nA 4-4"
    assert lines_of(pip("all-fives", lines, tags="hand=1"), 2, 1) == [(9, "wrong-lead")]
    assert found(pip("all-fives", lines, tags="hand=1 lead_later=winner_any")) == []
    assert found(pip("all-fives", lines, tags="hand=1 lead_later=dominoer_any")) == []


# ---- draws for the lead


HANDS = "A hand 6-5 6-4 6-3 6-2 6-1\nB hand 5-4 5-3 5-2 5-1 5-0\nC hand 4-3 4-2 4-1 4-0 3-2\n"


def test_3_4_draws_for_the_lead_go_round_until_a_double_comes():
    draws = "round 1\n" + HANDS + "A draw 3-1\nB draw 3-0\nC draw 2-1\nA draw 1-0\nB draw 3-3\n"
    verdict = pip("all-fives", draws + "B 3-3\nC 4-3 on 3-3 call 10", seats=3)
    assert (found(verdict), verdict.rounds[0].led, verdict.rounds[0].spinner) == ([], 1, "3-3")
    assert lines_of(pip("all-fives", draws + "C 4-3", seats=3), 3) == [(10, "wrong-lead")]
    assert lines_of(pip("all-fives", draws + "B 5-4", seats=3), 3) == [(10, "wrong-lead")]
    assert lines_of(pip("all-fives", draws + "B draw 2-0", seats=3), 3) == [(10, "draw-when-able")]


def test_3_4_who_leads_before_a_double_was_drawn_is_wrong():
    verdict = pip("all-fives", "round 1\n" + HANDS + "A draw 3-1\nB 5-4", seats=3)
    assert lines_of(verdict, 3) == [(6, "wrong-lead")]
    assert lines_of(pip("all-fives", "round 1\n" + HANDS + "A pass", seats=3), 3) == [(5, "pass-with-boneyard")]


def test_3_4_of_unseen_draws_the_last_drawer_leads_or_one_of_them_was_wrong():
    assert found(pip("all-fives", "round 1\nA draw ?\nB draw ?\nB 2-2", seats=3)) == []
    verdict = pip("all-fives", "round 1\nA draw ?\nB draw ?\nA 2-2", seats=3)
    assert lines_of(verdict, 3) == [(3, "draw-when-able")], "A had the double when B drew, drawn or dealt"


# ---- announcing where points are booked


def test_1_21_points_are_booked_without_a_word():
    lines = "round 1\nA 5-5\nB 5-0 on 5-5 call 15\nC 0-0\nC call 10\nA call 5"
    verdict = pip("muggins", lines, seats=4)
    assert verdict.scores == {"A": 10, "B": 10, "C": 10, "D": 0}
    assert lines_of(verdict, 4) == [(3, "wrong-count")], "the last call came after the right had lapsed"
    assert [p["awarded"] for p in verdict.as_json()["plays"]] == [{"A": 10}, {"B": 10}, {"C": 10}]
    assert [p["announced"] for p in verdict.as_json()["plays"]] == [None, 15, 10]
    assert "missed-points" not in [f.code for f in verdict.findings]


def test_1_21_a_number_called_for_nothing_is_wrong():
    verdict = pip("double-six", "round 1\nA 6-6 call 12\nB 6-3")
    assert (lines_of(verdict, 2), verdict.scores) == ([(2, "wrong-count")], {"A": 0, "B": 15})


def test_muggins_in_a_game_that_books_by_itself_is_rejected():
    lines = "round 1\nA 5-5\nB muggins\nscore 10-0"
    verdict = pip("muggins", lines, tags="muggins=before_next")
    assert (found(verdict), verdict.scores) == ([], {"A": 10, "B": 0})
    (finding,) = [f for f in verdict.findings if f.code == "claim-rejected"]
    assert finding.message == "no muggins for B: the points of line 6 were booked without being announced"


# ---- the end of a round


def test_3_17_the_lowest_hand_has_all_tiles_left_its_own_too():
    verdict = blocked("all-fives", LOWER, "A scores 90\nscore 90-0")
    assert (found(verdict), verdict.rounds[0].points) == ([], (90, 0))
    verdict = blocked("all-fives", LOWER, "A scores 49\nscore 49-0", tags="blocked_scope=opponents")
    assert (found(verdict), verdict.rounds[0].points) == ([], (49, 0))


def test_3_18_a_blocked_tie_is_nobodys():
    verdict = blocked("all-fives", THREE, "A scores 27")
    assert rounds(verdict) == [(0, "blocked", None, (0, 0, 0))]
    assert lines_of(verdict, 3, 2) == [(15, "wrong-points")]


def test_7_10_a_split_shares_the_pips_of_the_others():
    verdict = blocked("all-fives", THREE, "A scores 17\nB scores 17\nscore 17-17-0", tags="block_tie=split")
    assert (found(verdict), rounds(verdict)) == ([], [(0, "blocked", None, (17, 17, 0))])
    verdict = blocked("muggins", FOUR, "A scores 5\nB scores 5\nround 2\nC lot 1-1", tags="block_tie=split")
    assert (found(verdict), rounds(verdict)[0]) == ([], (0, "blocked", None, (5, 5, 0, 0)))


def test_passes_after_a_block_that_known_hands_show_are_checked_for_nothing():
    assert found(blocked("all-fives", FOUR, "B pass\nA pass\nblocked\nsettled\nsettled")) == []


def test_unknown_rests_leave_the_recorded_points_and_the_winner():
    verdict = blocked("muggins", FOUR, "blocked\nA shows 1-1 2-2 5-4 3-2\nA scores 18\nround 2\nB 1-1", hands=False)
    assert rounds(verdict)[0] == (0, "blocked", 0, (18, 0, 0, 0))
    assert lines_found(verdict, 6, "unverified-points") == [(14, "unverified-points"), (16, "wrong-lead")]
    verdict = blocked("muggins", FOUR, "blocked\nround 2\nB 1-1", hands=False)
    assert lines_found(verdict, 6, "unverified-points") == [(1, "unverified-points")], "any seat may lead then"


def test_the_number_of_tiles_settles_a_round_of_double_six_even_if_nobody_saw_them():
    verdict = blocked("double-six", TIE, "blocked\nA scores 5", hands=False)
    assert (lines_of(verdict, 2, 1), rounds(verdict)) == ([(13, "wrong-points")], [(0, "blocked", None, (0, 0))])
    verdict = pip("double-six", "round 1\nA 6-6\nA scores 10\nscore 10-0", tags="hand=1")
    assert (lines_of(verdict, 2, 1), verdict.scores) == ([(3, "wrong-points"), (4, "wrong-total")], {"A": 5, "B": 0})


def test_muggins_on_round_end_takes_what_the_winner_left_out():
    lines = "round 1\nA hand 6-6 6-2\nB hand 6-3 5-5\nA 6-6\nB 6-3 on 6-6 call 15\nA 6-2 call 5\nB shows 5-5\n"
    tags = "hand=2 muggins_on_round_end=true"
    verdict = pip("all-fives", lines + "A scores 6\nB muggins\nscore 11-19\nsettled", tags=tags)
    assert (found(verdict), verdict.rounds[0].points, verdict.rounds[0].winner) == ([], (6, 4), 0)
    assert verdict.rulings[0].as_json() == {
        "line": 14,
        "claimant": "B",
        "against": "A",
        "play": None,
        "claimed": None,
        "upheld": True,
        "points": 4,
        "rule": "all-fives.muggins",
    }
    verdict = pip("all-fives", lines + "A scores 10\nB muggins\nscore 15-15\nsettled", tags=tags)
    assert (found(verdict), verdict.rulings[0].upheld) == ([], False)
    verdict = pip("all-fives", lines + "A scores 6\nB muggins\nscore 15-15\nsettled", tags="hand=2")
    assert (found(verdict), verdict.rulings[0].upheld) == ([(12, "wrong-points")], False), "off by default"


# ---- Double-Six


SEVEN = "round 1\nA hand 6-6 6-2 6-4 6-1 5-5 4-4 3-3\nB hand 6-3 6-5 6-0 5-4 5-3 5-2 5-1\n"


def test_seed_4_the_example_of_the_document():
    verdict = pip("double-six", SEVEN + "A 6-6\nB 6-3 on 6-6\nA 6-2 on 6-6\nB 6-5 on 6-6\nA 6-1 on 6-6")
    assert [(p.count, p.worth) for p in verdict.plays] == [(12, 0), (15, 15), (5, 5), (10, 10), (11, 0)]
    assert (found(verdict), verdict.scores) == ([], {"A": 5, "B": 25})


def test_4_9_draws_by_choice_in_any_number_and_4_10_the_drawn_tile_need_not_be_played():
    assert found(pip("double-six", SEVEN + "A 6-6\nB draw 1-1 ? 2-2\nB draw 1-0\nB 6-3 on 6-6")) == []
    verdict = pip("double-six", SEVEN + "A 6-6\nB draw 1-1\nB pass")
    assert lines_of(verdict, 2) == [(6, "pass-when-able"), (6, "pass-with-boneyard")]
    tags = "must_play_drawn=true"
    lines = SEVEN + "A 6-6\nB 6-3 on 6-6\nA draw 3-2\nA 6-2 on 6-6"
    assert lines_of(pip("double-six", lines, tags=tags), 2, 1) == [(7, "must-play-drawn")]
    assert lines_of(pip("double-six", lines, tags="voluntary_draw=false"), 2, 1) == [(6, "draw-when-able")]


def test_4_17_a_game_of_double_six_ends_with_a_round():
    lines = 'penalty B 240 "late"\nround 1\nA hand 6-6 5-0\nB hand 6-3 6-5\nA 6-6\nB 6-3 on 6-6\n'
    verdict = pip("double-six", lines + 'penalty B 10 "again"\nscore 250-15', tags="hand=2")
    assert (found(verdict), verdict.ended) == ([], None)


def test_five_up_is_all_fives_with_every_double_a_spinner():
    """PAG5: four arms at every double; in All Fives at the first one only."""
    lines = "round 1\nA 5-5\nB 5-4\nA 4-4\nB 4-2 on 4-4\nA 4-3 on 4-4\nB 4-1 on 4-4"
    assert found(pip("all-fives", lines, tags="spinner=all")) == []
    assert lines_of(pip("all-fives", lines), 2) == [(6, "no-open-end")]
    counts = [play.count for play in pip("all-fives", lines, tags="spinner=all").plays]
    assert counts == [10, 14, 18, 12, 15, 16]


@pytest.mark.parametrize(("seats", "size"), [(2, 9), (3, 7), (4, 5)])
def test_q7_all_fives_with_other_hands(seats, size):
    names = (tile.name for tile in DOUBLE_SIX.tiles[::-1])
    hands = [f"{'ABCD'[n]} hand " + " ".join(next(names) for _ in range(size)) for n in range(seats)]
    lines = "\n".join(["round 1", *hands, "A 6-6"]) if seats < 4 else "round 1\nA hand 5\nA 6-6"
    assert found(pip("all-fives", lines, seats=seats, tags="hand=9/7/5")) == []
    rest = 28 - seats * size
    verdict = pip("all-fives", f"round 1\nA 6-6\nB draw {rest}", seats=seats, tags="hand=9/7/5")
    assert found(verdict) == []
    verdict = pip("all-fives", f"round 1\nA 6-6\nB draw {rest + 1}", seats=seats, tags="hand=9/7/5")
    assert lines_of(verdict, seats, 1) == [(3, "draw-from-empty")]


# ---- more than two seats


def test_turns_go_clockwise_round_four_seats():
    verdict = pip("all-fives", "round 1\nC 5-5 call 10\nD 5-1\nA 5-2\nB 5-3\nC 5-4\nB 4-4", seats=4)
    assert lines_of(verdict, 4) == [(7, "out-of-turn")]
    (finding,) = [f for f in verdict.findings if f.code == "out-of-turn"]
    assert finding.message == "it is the turn of D, not of B"


def test_a_penalty_gives_to_every_opponent():
    verdict = pip("all-fives", 'penalty B 30 "late"\nscore 30-0-30-30', seats=4)
    assert (found(verdict), verdict.scores) == ([], {"A": 30, "B": 0, "C": 30, "D": 30})


@pytest.mark.parametrize("ruleset", ["muggins", "uno-dominoes", "udl"])
def test_7_13_a_penalty_before_the_first_round_may_end_the_game(ruleset):
    verdict = pip(ruleset, 'penalty B 150 "gone"\nround 1', tags="target=150")
    assert lines_of(verdict, 2, 1) == [(2, "game-over")]
    verdict = pip(ruleset, 'penalty B 150 "gone"', tags="target=150")
    assert (verdict.status, verdict.winner, verdict.ended, verdict.rounds) == ("verified", "A", "target", ())


@pytest.mark.parametrize(
    ("penalties", "winner"), [('penalty D 5 "x"\npenalty A 5 "x"\n', None), ('penalty A 5 "x"\n', None), ("", None)]
)
def test_3_who_concedes_has_lost_and_the_best_of_the_others_wins_if_one_is(penalties, winner):
    verdict = pip("muggins", penalties + "A concedes", seats=4)
    assert (verdict.ended, verdict.winner) == ("concession", winner)


def test_3_the_best_of_the_others_wins():
    verdict = pip("muggins", "round 1\nC 5-5\nA concedes", seats=4)
    assert (verdict.ended, verdict.winner, verdict.scores) == ("concession", "C", {"A": 0, "B": 0, "C": 10, "D": 0})


def test_3_16_the_winner_has_the_pips_of_all_others_without_rounding():
    lines = "round 1\nA hand 6-6\nB hand 6-5\nC hand 4-3\nA 6-6\nB shows 5-6\nC shows 3-4\nA scores 18\nscore 18-0-0"
    verdict = pip("all-fives", lines, seats=3, tags="hand=1")
    assert (found(verdict), rounds(verdict)) == ([], [(0, "domino", 0, (18, 0, 0))])


def test_1_16_the_bonus_of_muggins_is_rounded_on_the_sum_and_divided():
    lines = "round 1\nA hand 6-6\nB hand 6-5\nC hand 4-3\nA 6-6\nA scores 4\nscore 4-0-0"
    verdict = pip("muggins", lines, seats=3, tags="hand=1")
    assert (found(verdict), rounds(verdict)) == ([], [(0, "domino", 0, (4, 0, 0))])


def test_a_clock_is_an_option_of_every_pip_system():
    lines = "round 1\n0:50 A 5-5\n0:55 B 5-0 on 5-5\n1:00.1 score 10-10\nsettled\nround 2\nA 0-0\nB 5-0 on 0-0"
    verdict = pip("muggins", lines, tags="clock_s=60")
    assert (found(verdict), [r.ended for r in verdict.rounds]) == ([], ["bell", None])
    assert (verdict.ended, verdict.scores, verdict.winner) == ("overtime", {"A": 10, "B": 15}, "B")
    verdict = pip("all-fives", "round 1\n0:50 A 5-5\n0:55 B 5-0 on 5-5 call 10\n1:00.1 A 0-0", tags="clock_s=60")
    assert [(f.line - 4, f.code, f.rule) for f in verdict.findings if f.severity == "impossible"] == [
        (4, "after-bell", "all-fives.bell")
    ]


@pytest.mark.parametrize("ruleset", ["muggins", "all-fives", "double-six"])
def test_every_finding_of_every_system_cites_a_rule_that_it_has(ruleset):
    assert {RULE_OF.get(reason, "record") for reason in Reason} <= set(get(ruleset).rules)
    assert set(get(ruleset).rules) == set(get("udl").rules)


def test_a_ruleset_that_is_not_registered_is_unreadable():
    (answer,) = verify_text(pip_header("bergen", 2, "") + "round 1")
    assert answer.status == "unreadable"
