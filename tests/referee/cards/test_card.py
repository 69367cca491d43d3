"""What a score card proves, rule by rule, on cards worked by hand; numbers are those of RULES.md."""

import pytest

from games.rulesets import get
from referee.cards import check as card
from referee.cards import tally
from referee.cards.check import CardError, CardReason, card_severity
from referee.cards.sentences import CARD_SENTENCES


def checked(data, key="udl", seats=2, **options):
    rules = get(key).with_options(options)
    return card.check(card.read(data, rules, seats))


def found(data, key="udl", seats=2, **options):
    return [(finding.row, finding.code) for finding in checked(data, key, seats, **options).findings]


def said(data, key="udl", seats=2, **options):
    (finding,) = checked(data, key, seats, **options).findings
    return finding.message


OFFICIAL = {
    "scores": [150, 95],
    "ended": "target",
    "winner": 0,
    "chips": [11, 0],
    "started": "19:05",
    "stopped": "19:19",
    "clock_s": 832,
    "rounds": [
        {
            "spinner": "6-6",
            "ended": "domino",
            "winner": 0,
            "play": [45, 30],
            "muggins": [0, 10],
            "penalties": [0, 0],
            "bonus": [20, 0],
            "pips": [0, 21],
            "tiles": [0, 3],
            "totals": [65, 40],
        },
        {
            "spinner": "none",
            "ended": "blocked",
            "winner": 1,
            "play": [40, 20],
            "muggins": [10, 0],
            "penalties": [0, 30],
            "bonus": [0, 5],
            "pips": [7, 3],
            "totals": [115, 95],
        },
        {"spinner": "5-5", "ended": None, "play": [35, 0], "muggins": [0, 0], "totals": [150, 95]},
    ],
}


def test_the_official_score_card_of_udl():
    """2.2, with everything of the additions: 65 = 45 + 20 of R03 (6-6 6-3 left), a penalty is an award (C8)."""
    done = checked(OFFICIAL)
    assert (done.scores, done.winner, done.ended, done.status, done.findings) == (
        (150, 95),
        0,
        "target",
        "verified",
        (),
    )


def test_a_card_of_nothing_but_the_score_proves_little_and_passes():
    done = checked({"scores": [150, 95]})
    assert (done.winner, done.ended, done.status) == (0, None, "verified")


def test_a_finding_is_plain_data_and_speaks():
    (finding,) = checked({"scores": [150, 95], "chips": [12, 0]}).findings
    assert finding.as_json() == {
        "row": 0,
        "code": "wrong-chips",
        "severity": "correction",
        "rule": "udl.chips",
        "message": "at 150-95 the chips left are 11-0, not 12-0",
        "say": "card-wrong-chips",
        "facts": {"scores": "150-95", "due": "11-0", "chips": "12-0"},
    }
    assert checked({"scores": [150, 95], "chips": [12, 0]}).status == "violation"


@pytest.mark.parametrize(
    ("scores", "chips", "codes"),
    [
        ([25, 20], [26, 25], []),  # C01 and one award more
        ([150, 100], [10, 0], []),  # C02
        ([165, 30], [24, 0], []),  # C03, C7: chips stop at nothing
        ([165, 30], [24, -3], CardError),
        ([165, 30], [24, 1], [(0, "wrong-chips")]),
        ([150, 95], [None, 0], []),
        ([150, 95], [None, 1], [(0, "wrong-chips")]),
    ],
)
def test_chips_c1_to_c7(scores, chips, codes):
    data = {"scores": scores, "chips": chips, "ended": "bell" if max(scores) < 150 else "target"}
    if codes is CardError:
        with pytest.raises(CardError):
            found(data)
    else:
        assert found(data) == codes


def test_c5_two_players_cant_both_have_the_target():
    assert found({"scores": [155, 150]}) == [(0, "two-at-target")]
    assert found({"scores": [255, 250]}, "double-six") == []  # 4.18: higher score wins
    assert found({"scores": [255, 255]}, "double-six") == [(0, "level")]  # E10: another round


@pytest.mark.parametrize(
    ("key", "scores", "codes"),
    [
        ("udl", [152, 95], [(0, "not-fives")]),  # C6
        ("muggins", [103, 88], []),  # 1.16: round-end points are divided
        ("all-fives", [101, 90], []),  # 3.16: no rounding
        ("double-six", [252, 100], [(0, "not-fives")]),  # 4.15
        ("uno-dominoes", [507, 33], []),  # 2.33
    ],
)
def test_multiples_of_five_where_the_ruleset_says_so(key, scores, codes):
    assert found({"scores": scores}, key) == codes


def test_how_far_the_last_award_goes():
    """C7: from at most 145 one award gives 155 more; 300-95 can be, 305-95 can't."""
    assert found({"scores": [300, 95]}) == []
    assert said({"scores": [305, 95]}) == (
        "A has 305: from below 150 no single award goes further than 300; a penalty that did it must be written"
    )
    punished = {"penalties": [200, 0], "totals": [305, 95]}
    assert found({"scores": [305, 95], "rounds": [{"totals": [140, 95]}, punished]}) == [(2, "wrong-total")]
    assert found({"scores": [340, 95], "rounds": [{"totals": [140, 95]}, punished | {"totals": [340, 95]}]}) == []
    assert found({"scores": [155, 95]}, cap_at_target="true") == [(0, "too-far")]


def test_level_scores_are_no_end():
    assert found({"scores": [115, 115], "ended": "bell"}) == [(0, "level")]  # 0.25, E05
    assert found({"scores": [120, 115], "ended": "overtime"}) == []
    assert found({"scores": [115, 290], "ended": "overtime"}) == [(0, "too-far")]  # Q18: the first award wins


def test_winner_and_end_agree_with_the_score():
    assert found({"scores": [120, 115], "ended": "bell", "winner": 1}) == [(0, "wrong-winner")]
    assert said({"scores": [120, 115], "ended": "target"}) == "120-115: nobody has reached the target, 150"
    assert found({"scores": [150, 115], "ended": "bell"}) == [(0, "wrong-end")]
    assert found({"scores": [150, 145], "ended": "overtime"}) == []  # whatever total it makes
    assert found({"scores": [80, 60]}, "muggins") == [(0, "wrong-end")]  # no clock: not over
    assert found({"scores": [100, 60]}, "muggins") == []  # E07
    assert found({"scores": [100, 60]}, "muggins", target_strict="true") == [(0, "wrong-end")]  # E07
    assert found({"scores": [80, 60], "ended": "bell"}, "all-fives") == [(0, "no-clock")]


def test_a_forfeit_is_the_target_to_nothing():
    assert found({"scores": [150, 0], "ended": "forfeit", "chips": [30, 0], "winner": 0}) == []
    assert said({"scores": [85, 60], "ended": "forfeit"}) == "a forfeited game is written 150-0, not 85-60"
    assert found({"scores": [0, 150], "ended": "forfeit", "winner": 0}) == [(0, "wrong-forfeit")]
    assert found({"scores": [250, 0], "ended": "forfeit"}, "double-six") == []


def test_rounds_add_up_and_the_row_is_named():
    rounds = [{"play": [20, 10], "muggins": [0, 0], "bonus": [15, 0], "totals": [30, 10]}, {"totals": [60, 40]}]
    data = {"scores": [60, 40], "ended": "bell", "rounds": rounds}
    assert said(data) == "A: the points of this round make 35, not 30"
    assert found(data) == [(1, "wrong-total")]
    rounds[0]["totals"] = [35, 10]
    assert found(data) == []
    assert found({**data, "scores": [60, 45]}) == [(0, "wrong-score")]


def test_totals_never_fall_and_a_miswritten_one_is_found_alone():
    rounds = [{"totals": [30, 10]}, {"totals": [25, 40]}, {"totals": [60, 40]}]
    assert found({"scores": [60, 40], "ended": "bell", "rounds": rounds}) == [(2, "wrong-total")]
    known = [{"play": [0, 10], "muggins": [0, 0], "bonus": [30, 0], "totals": total} for total in ([30, 10], [65, 20])]
    known.append({"play": [0, 10], "muggins": [0, 0], "bonus": [30, 0], "totals": [90, 30]})
    assert found({"scores": [90, 30], "ended": "bell", "rounds": known}) == [(2, "wrong-total")]


def test_what_is_not_written_proves_nothing():
    """Muggins points that nobody wrote may have been; a penalty is written by whoever gives it."""
    rounds = [{"play": [20, 10], "bonus": [15, 0], "totals": [50, 10]}]
    assert found({"scores": [50, 10], "ended": "bell", "rounds": rounds}) == []
    assert found({"scores": [50, 10], "rounds": [rounds[0] | {"muggins": [0, 0]}], "ended": "bell"}) == [
        (1, "wrong-total")
    ]
    half = [{"play": [20, None], "muggins": [0, 0], "bonus": [15, 0], "totals": [None, 40]}]
    assert found({"scores": [35, 40], "ended": "bell", "rounds": half}) == []
    assert found({"scores": [40, 40], "ended": "bell", "rounds": half}) == [(0, "level")]


def test_what_a_round_yields_at_most():
    """615 points by 27 plays with a spinner, 515 by a player's own 21; fewer where many tiles were left."""
    assert found({"scores": [150, 0], "rounds": [{"play": [520, 0]}]}) == [(1, "round-too-much")]
    assert found({"scores": [75, 0], "rounds": [{"play": [515, 0]}]})[0][1] != "round-too-much"
    assert found({"scores": [100, 0], "rounds": [{"play": [195, 0]}]}, "muggins") == [(1, "round-too-much")]
    left = {"play": [110, 100], "muggins": [0, 0], "pips": [60, 40], "totals": [110, 100], "ended": "bell"}
    assert found({"scores": [110, 100], "rounds": [left], "ended": "bell"}) == []
    # 90 and 60 pips are on 16 tiles at least: 12 plays give 335 at most.
    many = {"play": [200, 140], "muggins": [0, 0], "pips": [90, 60]}
    assert (1, "round-too-much") in found({"scores": [200, 140], "rounds": [many, {}], "ended": "bell"})
    assert (1, "round-too-much") not in found({"scores": [195, 140], "rounds": [many | {"play": [195, 140]}, {}]})
    assert found({"scores": [145, 0], "rounds": [{"bonus": [160, 0]}], "ended": "bell"}) == [(1, "round-too-much")]


def test_nobody_is_at_the_target_before_the_last_round():
    data = {"scores": [160, 95], "rounds": [{"totals": [150, 90]}, {"totals": [160, 95]}]}
    assert found(data) == [(1, "over-before")]
    assert found({**data, "rounds": [{"totals": [145, 90]}, {"totals": [160, 95]}]}) == []
    double = {"scores": [260, 255], "rounds": [{"totals": [250, 250]}, {"totals": [260, 255]}]}
    assert found(double, "double-six") == []  # 4.18: level, another round
    cut = [{"ended": "bell", "totals": [120, 115]}, {"totals": [125, 115]}]
    assert found({"scores": [125, 115], "ended": "overtime", "rounds": cut}) == [(1, "over-before")]
    cut[0]["totals"] = [115, 115]
    assert found({"scores": [125, 115], "ended": "overtime", "rounds": cut}) == []
    assert found({"scores": [125, 115], "ended": "bell", "rounds": cut}) == [(0, "wrong-end")]


def test_e02_and_e03_round_end_points_after_the_target_are_void():
    last = {"ended": "domino", "winner": 0, "play": [10, 0], "muggins": [0, 0], "bonus": [25, 0], "pips": [0, 25]}
    rounds = [{"totals": [140, 140]}, last]
    assert found({"scores": [175, 140], "rounds": rounds}) == [(2, "void-points")]
    assert found({"scores": [150, 140], "rounds": [rounds[0], last | {"bonus": [0, 0]}]}) == []
    assert (
        found({"scores": [101, 85], "rounds": [{"play": [100, 85], "muggins": [0, 0], "bonus": [1, 0]}]}, "muggins")
        == []
    )  # 1.19


@pytest.mark.parametrize(
    ("key", "options", "ended", "pips", "bonus", "due"),
    [
        ("udl", {}, "domino", [0, 3], [5, 0], True),  # R01
        ("udl", {}, "domino", [0, 2], [0, 0], True),  # R02
        ("udl", {}, "domino", [0, 27], [30, 0], False),  # R04: 25
        ("udl", {}, "blocked", [1, 19], [20, 0], True),  # R06
        ("udl", {}, "blocked", [7, 7], [0, 0], True),  # R07
        ("udl", {}, "blocked", [7, 7], [5, 0], False),
        ("udl", {}, "blocked", [3, 10], [5, 0], False),  # R08: 10, not the difference
        ("udl", {"blocked_points": "diff"}, "blocked", [3, 10], [5, 0], True),
        ("muggins", {}, "domino", [0, 27], [5, 0], True),  # R09
        ("muggins", {}, "blocked", [5, 18], [5, 0], True),  # R12
        ("all-fives", {}, "domino", [0, 18], [18, 0], True),  # R13
        ("all-fives", {}, "blocked", [5, 18], [18, 0], False),  # R14: 23, the own 5 too
        ("uno-dominoes", {}, "domino", [0, 25], [25, 0], True),  # U07
        ("uno-dominoes", {}, "domino", [0, 25], [26, 0], False),
    ],
)
def test_round_end_points_are_what_the_hands_give(key, options, ended, pips, bonus, due):
    row = {"ended": ended, "pips": pips, "bonus": bonus}
    rules = get(key).with_options(options)
    data = {"scores": [rules.target, 0], "rounds": [row, {}]}
    assert found(data, key, **options) == ([] if due else [(1, "wrong-bonus")])


def test_double_six_counts_tiles():
    """R16 to R18: five for each tile more, and the fewer tiles win, not pips."""
    for tiles, bonus, codes in (([1, 4], [15, 0], []), ([0, 2], [10, 0], []), ([2, 2], [0, 0], [])):
        row = {"ended": "domino" if 0 in tiles else "blocked", "tiles": tiles, "bonus": bonus}
        assert found({"scores": [250, 0], "rounds": [row, {}]}, "double-six") == codes
    row = {"ended": "blocked", "tiles": [1, 4], "pips": [12, 6], "bonus": [0, 15], "winner": 1}
    assert found({"scores": [250, 0], "rounds": [row, {}]}, "double-six") == [(1, "wrong-round-winner")]


def test_three_players_share_a_blocked_tie_only_by_option():
    """R15: 5, 5 and 12 left."""
    row = {"ended": "blocked", "pips": [5, 5, 12], "bonus": [6, 6, 0]}
    data = {"scores": [100, 50, 20], "rounds": [row, {}]}
    assert found(data, "all-fives", 3) == [(1, "bonus-of-loser")]
    assert found(data, "all-fives", 3, block_tie="split") == []
    assert found({**data, "rounds": [row | {"bonus": [12, 0, 0]}, {}]}, "all-fives", 3, block_tie="split") == [
        (1, "wrong-bonus")
    ]


def test_who_may_have_round_end_points():
    row = {"ended": "domino", "winner": 0, "bonus": [0, 20]}
    assert found({"scores": [150, 0], "rounds": [row, {}]}) == [(1, "bonus-of-loser")]
    assert found({"scores": [150, 0], "rounds": [{"bonus": [10, 20]}, {}]}) == [(1, "bonus-of-loser")]
    bell = {"ended": "bell", "bonus": [20, 0]}
    assert found({"scores": [100, 90], "rounds": [bell], "ended": "bell"}) == [(1, "no-bonus")]  # E04


def test_what_can_be_left_in_the_hands():
    for row in (
        {"ended": "domino", "winner": 0, "pips": [3, 20]},
        {"ended": "domino", "pips": [3, 20]},
        {"ended": "blocked", "tiles": [0, 3]},
        {"pips": [100, 80]},
        {"tiles": [20, 9]},
        {"pips": [0, 13], "tiles": [0, 1]},
    ):
        assert found({"scores": [150, 0], "rounds": [row, {}]}) == [(1, "wrong-pips")], row
    assert found({"scores": [150, 0], "rounds": [{"ended": "blocked", "pips": [0, 5]}, {}]}) == []  # 0-0 has no pips


@pytest.mark.parametrize(
    ("key", "options", "spinner", "codes"),
    [
        ("udl", {}, "6-6", []),
        ("udl", {}, "0-0", []),  # all six higher ones may lie in the boneyard
        ("udl", {}, "none", [(1, "rare-lead")]),  # 0.5
        ("udl", {}, "6-5", [(1, "not-a-double")]),
        ("udl", {"no_double": "draw_until"}, "none", [(1, "wrong-lead")]),
        ("udl", {"lead_forced": "false"}, "none", []),
        ("udl", {"hand": "14"}, "6-6", []),
        ("udl", {"hand": "14"}, "5-5", [(1, "wrong-lead")]),  # every tile is dealt
        ("udl", {"hand": "13"}, "4-4", []),
        ("udl", {"hand": "13"}, "3-3", [(1, "wrong-lead")]),
        ("all-fives", {}, "none", [(1, "wrong-lead")]),  # 3.4
        ("muggins", {}, "6-6", [(1, "no-spinner")]),  # 1.7
        ("muggins", {}, "none", []),
        ("double-six", {}, "none", [(1, "rare-lead")]),
        ("uno-dominoes", {}, "6-6", [(1, "no-spinner")]),
    ],
)
def test_the_spinner_of_the_first_round(key, options, spinner, codes):
    rules = get(key).with_options(options)
    assert found({"scores": [rules.target, 0], "rounds": [{"spinner": spinner}, {}]}, key, **options) == codes


def test_no_spinner_in_the_first_round_is_said_to_be_rare_and_no_more():
    """0.5: 0.29 % of deals."""
    done = checked({"scores": [150, 0], "rounds": [{"spinner": "none"}, {}]})
    (finding,) = done.findings
    assert (finding.severity, finding.facts["odds"], done.status) == ("note", 345, "verified")
    later = {"scores": [150, 0], "rounds": [{"ended": "domino", "winner": 0}, {"spinner": "none"}, {}]}
    assert found(later) == []  # 0.6: any tile
    assert found({"scores": [150, 0], "rounds": [{"ended": "blocked"}, {"spinner": "none"}, {}]}) == [(2, "rare-lead")]


def test_muggins_and_points_in_play_only_where_they_are():
    assert found({"scores": [100, 0], "rounds": [{"muggins": [10, 0]}, {}]}, "muggins") == [(1, "no-muggins")]
    assert found({"scores": [500, 0], "rounds": [{"play": [10, 0]}, {}]}, "uno-dominoes") == [(1, "no-play-points")]
    assert found({"scores": [100, 0], "chips": [4, 4]}, "all-fives") == [(0, "no-chips")]


@pytest.mark.parametrize(
    ("said_of_time", "codes"),
    [
        ({"started": "19:05", "stopped": "19:20", "ended": "bell", "clock_s": 900}, []),
        ({"started": "23:55", "stopped": "00:10", "ended": "bell"}, []),
        ({"started": "19:05", "stopped": "19:15", "ended": "bell"}, ["wrong-clock"]),
        ({"ended": "bell", "clock_s": 840}, ["wrong-clock"]),
        ({"started": "19:05", "stopped": "19:10", "clock_s": 400, "ended": "bell"}, ["wrong-clock"]),
        ({"started": "19:20", "stopped": "19:05", "ended": "bell"}, ["wrong-clock"]),
        ({"started": "19:05", "stopped": "19:40", "ended": "bell"}, ["long-game"]),
        ({"started": "19:05", "stopped": "19:40", "ended": "overtime"}, []),
    ],
)
def test_times_against_the_clock(said_of_time, codes):
    assert [code for _, code in found({"scores": [120, 115], **said_of_time})] == codes


def test_a_target_is_not_reached_after_the_bell_but_for_the_last_claim():
    """M09: ten seconds for a call."""
    assert found({"scores": [150, 115], "ended": "target", "clock_s": 910}) == []
    assert said({"scores": [150, 115], "ended": "target", "clock_s": 911}) == (
        "the clock shows 15:11, and the bell rang at 15:00"
    )


def test_totals_are_reckoned_where_the_card_leaves_them_out():
    whole = {"play": [20, 10], "muggins": [0, 0], "bonus": [15, 0]}
    rounds = [whole, {"totals": [60, None]}, {}]
    read = card.read({"scores": [150, 60], "rounds": rounds}, get("udl"))
    assert card.known_totals(read) == [(35, 10), (60, None), (None, None)]


# ---- reading


@pytest.mark.parametrize(
    ("data", "row", "field", "message"),
    [
        ({}, 0, "scores", "scores is missing"),
        ({"scores": [150]}, 0, "scores", "scores needs 2 whole numbers from 0 to 99999, one for each seat, not [150]"),
        ({"scores": [150, None]}, 0, "scores", None),
        ({"scores": [150, -5]}, 0, "scores", None),
        ({"scores": [150, True]}, 0, "scores", None),
        (
            {"scores": [150, 95], "ended": "tired"},
            0,
            "ended",
            "ended is one of target, bell, overtime, forfeit, not 'tired'",
        ),
        ({"scores": [150, 95], "winner": 2}, 0, "winner", "winner is a seat from 0 to 1, not 2"),
        ({"scores": [150, 95], "started": "7pm"}, 0, "started", "started is a time such as 19:05, not '7pm'"),
        ({"scores": [150, 95], "score": []}, 0, "score", None),
        ({"scores": [150, 95], "rounds": {}}, 0, "rounds", "rounds is a list, not {}"),
        ({"scores": [150, 95], "rounds": [{}, 3]}, 2, "rounds", "rounds is an object with fields, not 3"),
        ({"scores": [150, 95], "rounds": [{}, {"spinner": "six"}]}, 2, "spinner", None),
        ({"scores": [150, 95], "rounds": [{"play": [1]}]}, 1, "play", None),
        ({"scores": [150, 95], "rounds": [{}] * 201}, 0, "rounds", "rounds has 201 lines, and at most 200 are read"),
        ([150, 95], 0, "", None),
    ],
)
def test_a_card_that_cant_be_read_says_where(data, row, field, message):
    with pytest.raises(CardError) as caught:
        card.read(data, get("udl"))
    assert (caught.value.row, caught.value.field) == (row, field)
    assert str(caught.value) == caught.value.template % caught.value.facts
    assert message in (None, str(caught.value))


def test_the_spinner_is_read_as_people_write_it():
    data = {"scores": [150, 0], "rounds": [{"spinner": text} for text in ("6-6", "66", "6/6", " 6 6 ", "none", None)]}
    assert [row.spinner for row in card.read(data, get("udl")).rounds] == ["6-6"] * 4 + ["none", None]


# ---- forms


def test_the_form_of_each_ruleset():
    """From its data alone; 2.2 is the model."""
    udl = card.form(get("udl"))
    assert udl.columns == ("play", "muggins", "penalties", "bonus", "pips", "totals")
    assert (udl.spinner, udl.spinners[0], udl.spinners[-1], len(udl.spinners)) == (True, "6-6", "none", 8)
    assert (udl.chips, udl.clock_s, udl.ends) == (30, 900, ("target", "bell", "overtime", "forfeit"))
    assert udl.round_ends == ("domino", "blocked", "bell")
    muggins = card.form(get("muggins"), 3)
    assert (muggins.spinner, muggins.seats, muggins.ends) == (False, 3, ("target", "forfeit"))
    assert muggins.columns == ("play", "penalties", "bonus", "pips", "totals")
    assert card.form(get("all-fives")).columns == ("play", "muggins", "penalties", "bonus", "pips", "totals")
    assert card.form(get("double-six")).columns == ("play", "penalties", "bonus", "tiles", "totals")
    uno = card.form(get("uno-dominoes"))
    assert (uno.columns, uno.spinners) == (("penalties", "bonus", "pips", "totals"), ())
    assert uno.round_ends == ("domino", "blocked", "dead-end")


# ---- tallies


def taps(*some):
    return [{"n": n, **one} for n, one in enumerate(some, 1)]


def points(seat, number, kind="points"):
    return {"kind": kind, "seat": seat, "points": number}


def test_a_tally_folds_into_its_card():
    made = taps(
        points(0, 10),
        points(1, 15),
        {"kind": "undo", "of": 2},
        points(1, 5),
        points(0, 10, "muggins"),
        {"kind": "round_end", "spinner": "6-6", "ended": "domino", "winner": 1, "points": 20, "pips": [21, 0]},
        points(1, 30, "penalty"),
        {"kind": "bell", "clock_ms": 900_000},
        {"kind": "end", "ended": "bell", "winner": 1, "spinner": "4-4", "clock_ms": 905_500},
    )
    folded = tally.card_of(made, get("udl"))
    assert folded == {
        "scores": [20, 55],
        "ended": "bell",
        "winner": 1,
        "chips": [19, 26],
        "clock_s": 905,
        "rounds": [
            {
                "play": [10, 5],
                "muggins": [10, 0],
                "penalties": [0, 0],
                "bonus": [0, 20],
                "spinner": "6-6",
                "ended": "domino",
                "winner": 1,
                "pips": [21, 0],
                "totals": [20, 25],
            },
            {
                "play": [0, 0],
                "muggins": [0, 0],
                "penalties": [0, 30],
                "bonus": [0, 0],
                "spinner": "4-4",
                "ended": "bell",
                "totals": [20, 55],
            },
        ],
    }
    done = tally.check({"taps": made}, get("udl"))
    assert (done.status, done.winner, done.findings) == ("verified", 1, ())
    assert tally.check({"taps": made, "scores": [20, 60]}, get("udl")).findings[0].code == "wrong-score"


def at_taps(*some, key="udl", seats=2):
    return [(f.row, f.code) for f in tally.check({"taps": taps(*some)}, get(key), seats).findings]


def test_what_the_order_of_taps_proves():
    start = [points(0, 35)] * 4 + [points(1, 35)] * 4
    end = {"kind": "end", "ended": "target"}
    assert at_taps(*start, points(0, 10), end) == []
    assert at_taps(*start, points(0, 10), points(1, 5), end) == [(10, "after-end")]
    # The first to reach it wins, whoever has more in the end: on a card 150-155 only shows that one is wrong.
    assert at_taps(*start, points(0, 10), points(1, 15), end) == [(10, "after-end")]
    assert at_taps(points(0, 40), *start, end)[0] == (1, "award-too-big")
    assert at_taps(points(0, 7), *start, points(0, 10), end)[0] == (1, "not-fives")


def test_after_the_bell_only_the_last_play_counts():
    bell = {"kind": "bell"}
    end = {"kind": "end", "ended": "bell"}
    assert at_taps(points(0, 10), bell, points(1, 15), end) == []  # M09: a claim
    assert at_taps(points(0, 10), bell, points(1, 25), points(1, 15), end) == [(4, "after-end")]
    overtime = {"kind": "end", "ended": "overtime"}
    close = {"kind": "round_end", "ended": "bell", "spinner": "6-6", "points": 0}
    assert at_taps(points(0, 10), points(1, 10), bell, close, points(1, 5), overtime) == []
    assert at_taps(points(0, 10), points(1, 10), bell, close, points(1, 5), points(0, 5), overtime)[0] == (
        6,
        "after-end",
    )


def test_taps_that_a_ruleset_does_not_have():
    assert at_taps(points(0, 10, "muggins"), key="muggins")[0] == (1, "no-muggins")
    assert at_taps(points(0, 10), key="uno-dominoes")[0] == (1, "no-play-points")
    ended = {"kind": "round_end", "ended": "domino", "winner": 0, "points": 20}
    assert (1, "missing-spinner") in at_taps(ended)
    assert (1, "award-too-big") in at_taps({**ended, "points": 200, "spinner": "6-6"})
    assert at_taps({**ended, "points": 21, "spinner": "6-6"})[0] == (1, "not-fives")
    back = [{**points(0, 5), "clock_ms": 60_000}, {**points(0, 5), "clock_ms": 59_000}]
    assert (2, "clock-backwards") in at_taps(*back)


@pytest.mark.parametrize(
    ("some", "row", "field"),
    [
        ([{"n": 2, "kind": "bell"}], 1, "n"),
        ([{"n": 1, "kind": "shout"}], 1, "kind"),
        ([{"n": 1}], 1, "kind"),
        ([{"n": 1, "kind": "points", "seat": 0}], 1, "points"),
        ([{"n": 1, "kind": "points", "points": 5}], 1, "seat"),
        ([{"n": 1, "kind": "undo", "of": 1}], 1, "of"),
        ([{"n": 1, "kind": "undo"}], 1, "of"),
        ([7], 1, "taps"),
        (None, 0, "taps"),
    ],
)
def test_a_tally_that_cant_be_read_names_the_tap(some, row, field):
    with pytest.raises(CardError) as caught:
        tally.check({"taps": some}, get("udl"))
    assert (caught.value.row, caught.value.field) == (row, field)


def test_more_taps_than_a_game_has_are_refused():
    with pytest.raises(CardError) as caught:
        tally.read_taps(taps(*[{"kind": "bell"}] * (tally.MOST_TAPS + 1)), get("udl"))
    assert (caught.value.row, caught.value.field) == (tally.MOST_TAPS + 1, "taps")


def test_a_tally_is_an_object():
    with pytest.raises(CardError) as caught:
        tally.check([], get("udl"))
    assert (caught.value.row, caught.value.field) == (0, "")


def test_a_capped_score_is_capped_in_the_last_total():
    rules = get("udl").with_options({"cap_at_target": "true"})
    made = tally.card_of(taps(*[points(0, 35)] * 4, points(0, 20), {"kind": "end", "ended": "target"}), rules)
    assert (made["scores"], made["rounds"][-1]["totals"]) == ([150, 0], [150, 0])


# ---- sentences


def test_every_code_has_its_sentence_and_every_card_sentence_is_one_of_the_referees():
    from referee.sentences import SENTENCES

    for reason in CardReason:
        assert any(name.startswith(f"card-{reason.value}") for name in CARD_SENTENCES) or reason is CardReason.WRONG_END
    assert CARD_SENTENCES.items() <= SENTENCES.items()
    assert {card_severity(reason).value for reason in CardReason} == {"impossible", "correction", "note"}


def test_every_finding_cites_a_rule_of_its_system():
    from referee.cards.findings import found as finding

    for key in ("udl", "muggins", "all-fives", "double-six", "uno-dominoes"):
        rules = get(key)
        for reason in CardReason:
            made = finding(rules, reason, 1)
            assert made.rule.partition(".")[2] in rules.rules
