"""Options of RULES.md section 11 and of its register: which there are, what they may be, and what they do to claims."""

import pytest

from games.claims import Why
from games.errors import OptionError
from games.notation.reading import NotationError, loads
from games.ruleset import (
    OPTIONS,
    Announce,
    BellMode,
    BlockedBy,
    BlockTie,
    EndCheck,
    FalseCall,
    Lead,
    Muggins,
    NoDouble,
    Overclaim,
    Ruleset,
    Scope,
    Settlement,
    Spinner,
    Tie,
    TileOrder,
)
from games.rulesets import RULESETS, UDL, get
from games.tiles import DOUBLE_SIX
from referee import verify_text
from referee.playouts.simulate import simulate
from referee.rulespage import rules_page
from referee.verdict import Status
from tests.games.test_claims import A, B, C, D, Table

PIP_SYSTEMS = ("udl", "muggins", "all-fives", "double-six")

# RULES.md 11, row by row: the columns S0, S1, S3, S4; NOTATION.md 7.16 splits the joined keys. The value of S1 or S3
# for a dash is what the option begins from where an event sets another one that needs it.
TABLE = {
    "spinner": (Spinner.FIRST, Spinner.NONE, Spinner.FIRST, Spinner.ALL),
    "lead_first": (Lead.HIGHEST_DOUBLE, Lead.LOT, Lead.HIGHEST_DOUBLE, Lead.HIGHEST_DOUBLE),
    "lead_forced": (True, False, True, True),
    "no_double": (NoDouble.HIGHEST_TILE, NoDouble.HIGHEST_TILE, NoDouble.DRAW_UNTIL, NoDouble.HIGHEST_TILE),
    "highest_tile": (TileOrder.LEX, TileOrder.PIPS, TileOrder.LEX, TileOrder.LEX),
    "lead_later": (Lead.DOMINOER_ANY, Lead.WINNER_ANY, Lead.HIGHEST_DOUBLE, Lead.HIGHEST_DOUBLE),
    "lead_after_block": (Lead.HIGHEST_DOUBLE, Lead.WINNER_ANY, Lead.HIGHEST_DOUBLE, Lead.HIGHEST_DOUBLE),
    "voluntary_draw": (False, False, False, True),
    "must_play_drawn": (True, True, True, False),
    "boneyard_reserve": (0, 0, 0, 0),
    "domino_points": (Settlement.OPP_R5, Settlement.ALL_R5_DIV5, Settlement.OPP, Settlement.TILES_X5),
    "blocked_by": (BlockedBy.PIPS, BlockedBy.PIPS, BlockedBy.PIPS, BlockedBy.TILES),
    "blocked_points": (Settlement.OPP_R5, Settlement.ALL_R5_DIV5, Settlement.ALL, Settlement.TILES_X5),
    "round_per_hand": (False, False, False, False),
    "block_tie": (BlockTie.NONE, BlockTie.NONE, BlockTie.NONE, BlockTie.NONE),
    "target": (150, 100, 100, 250),
    "target_strict": (False, False, False, False),
    "end_check": (EndCheck.IMMEDIATE, EndCheck.ROUND, EndCheck.IMMEDIATE, EndCheck.ROUND),
    "clock_s": (900, 0, 0, 0),
    "bell_mode": (BellMode.STOP,) * 4,
    "tie": (Tie.OVERTIME,) * 4,
    "announce": (Announce.MANUAL, Announce.AUTO, Announce.MANUAL, Announce.AUTO),
    "muggins": (Muggins.AFTER_NEXT, Muggins.OFF, Muggins.BEFORE_NEXT, Muggins.OFF),
    "muggins_grace_s": (0, 0, 3, 0),
    "announce_grace_s": (5, 5, 5, 5),
    "post_bell_claim_s": (10, 10, 10, 10),
    "overclaim": (Overclaim.CORRECT,) * 4,
    "false_call": (FalseCall.WARN,) * 4,
    "chips": (30, 0, 0, 0),
    # the register
    "bonus_scope": (None,) * 4,
    "blocked_scope": (None,) * 4,
    "round_bonus": (None,) * 4,
    "bonus_divisor": (None,) * 4,
    "play_divisor": (1, 1, 1, 1),
    "cap_at_target": (False,) * 4,
    "muggins_on_round_end": (False,) * 4,
    "next_action_counts_draw": (False,) * 4,
    "players": (None,) * 4,
}

ALLOWED = {
    "players": {"2": (2, 2)},
    "hand": {"5": 5, "1": 1},
    "spinner": {word: Spinner(word) for word in ("none", "first", "all")},
    "lead_first": {word: Lead(word) for word in ("highest_double", "lot")},
    "lead_later": {word: Lead(word) for word in ("dominoer_any", "winner_any", "highest_double")},
    "lead_after_block": {word: Lead(word) for word in ("highest_double", "winner_any", "lot")},
    "no_double": {word: NoDouble(word) for word in ("highest_tile", "draw_until")},
    "highest_tile": {word: TileOrder(word) for word in ("lex", "pips")},
    "boneyard_reserve": {"0": 0, "1": 1, "2": 2},
    "domino_points": {word: Settlement(word) for word in ("opp_r5", "all_r5_div5", "opp", "tiles_x5")},
    "blocked_by": {word: BlockedBy(word) for word in ("pips", "tiles")},
    "blocked_points": {w: Settlement(w) for w in ("opp_r5", "all_r5_div5", "all", "opp", "diff", "tiles_x5")},
    "bonus_scope": {word: Scope(word) for word in ("all", "opponents")},
    "blocked_scope": {word: Scope(word) for word in ("all", "opponents")},
    "bonus_divisor": {"1": 1, "5": 5},
    "play_divisor": {"1": 1, "5": 5},
    "block_tie": {word: BlockTie(word) for word in ("none", "split")},
    "target": {"1": 1, "200": 200},
    "end_check": {word: EndCheck(word) for word in ("immediate", "round")},
    "clock_s": {"0": 0, "600": 600},
    "bell_mode": {word: BellMode(word) for word in ("stop", "turn", "round")},
    "tie": {word: Tie(word) for word in ("overtime", "replay")},
    "announce": {word: Announce(word) for word in ("manual", "auto")},
    "muggins": {word: Muggins(word) for word in ("off", "after_next", "before_next")},
    "muggins_grace_s": {"0": 0, "3": 3},
    "announce_grace_s": {"0": 0, "5": 5},
    "post_bell_claim_s": {"0": 0, "10": 10},
    "overclaim": {word: Overclaim(word) for word in ("correct", "foster")},
    "false_call": {word: FalseCall(word) for word in ("warn", "acc", "fixed")},
    "chips": {"0": 0, "30": 30},
}
FLAGS = (
    "lead_forced",
    "voluntary_draw",
    "must_play_drawn",
    "round_per_hand",
    "round_bonus",
    "target_strict",
    "cap_at_target",
    "muggins_on_round_end",
    "next_action_counts_draw",
)
ALLOWED |= {key: {"true": True, "false": False} for key in FLAGS}


def header(ruleset, seats, **options):
    tags = [f'[Ruleset "{ruleset}"]', *(f'[Seat.{letter} ""]' for letter in "ABCDEF"[:seats])]
    return "\n".join([*tags, *(f'[Option.{key} "{value}"]' for key, value in options.items()), "round 1"])


def refused(ruleset, seats, **options):
    with pytest.raises(NotationError) as caught:
        loads(header(ruleset, seats, **options))
    return caught.value.line, caught.value.message


@pytest.mark.parametrize("key", TABLE)
def test_the_defaults_are_those_of_the_table(key):
    assert tuple(getattr(get(ruleset), key) for ruleset in PIP_SYSTEMS) == TABLE[key]


def test_players_and_hands_are_those_of_the_table():
    systems = [get(ruleset) for ruleset in PIP_SYSTEMS]
    assert [rules.seats for rules in systems] == [(2, 2), (2, 4), (2, 4), (2, 2)]
    assert [rules.hand for rules in systems] == [{2: 7}, {2: 7, 3: 5, 4: 5}, {2: 7, 3: 5, 4: 5}, {2: 7}]


def test_a_ruleset_lists_only_what_differs_from_the_defaults(monkeypatch):
    toy = Ruleset(
        key="toy", name="Toy", edition=1, tiles=DOUBLE_SIX, seats=(2, 3), hand={2: 9, 3: 6}, rules=UDL.rules, target=60
    )
    monkeypatch.setitem(RULESETS, "toy", toy)
    for seats in toy.hand:
        (text,) = simulate("toy", games=1, seed=1, players=seats)
        (verdict,) = verify_text(text)
        assert (verdict.ruleset, verdict.status, verdict.findings) == ("toy", Status.VERIFIED.value, ())
        assert max(verdict.totals) >= toy.target
    page = rules_page(toy)
    assert page.startswith("# Toy")
    assert "60 points" in page


def test_every_option_is_known_here():
    assert set(ALLOWED) <= set(OPTIONS)
    assert set(TABLE) - {"players"} | {"hand", "players"} <= set(ALLOWED)


@pytest.mark.parametrize("ruleset", PIP_SYSTEMS)
@pytest.mark.parametrize("key", ALLOWED)
def test_every_pip_system_takes_every_value_and_no_other(ruleset, key):
    for text, value in ALLOWED[key].items():
        changed = getattr(get(ruleset).with_options({key: text}), key)
        assert (changed[2] if key == "hand" else changed) == value
    for text in ("", "True", "yes", "-1", "nothing", "0x5", "²"):
        with pytest.raises(OptionError) as caught:
            get(ruleset).with_options({key: text})
        assert str(caught.value) == f"{key} is {OPTIONS[key].allowed}, not {text!r}"
        assert caught.value.key == key


def test_an_unknown_option_is_answered_with_those_that_there_are():
    line, message = refused("muggins", 3, spiner="all")
    assert line == 5
    assert message.startswith("no option 'spiner'; the options are announce, announce_grace_s, bell_mode,")


def test_7_16_a_hand_is_one_number_or_one_for_each_number_of_seats():
    assert get("all-fives").with_options({"hand": "9/7/5"}).hand == {2: 9, 3: 7, 4: 5}
    assert get("all-fives").with_options({"hand": "6"}).hand == {2: 6, 3: 6, 4: 6}
    assert get("double-six").with_options({"hand": "9"}).hand == {2: 9}
    for text in ("7/5", "7/5/5/5", "15/5/5", "9/9/9", "15", "0", "7/5/0"):
        with pytest.raises(OptionError):
            get("muggins").with_options({"hand": text})


def test_a_hand_too_large_for_so_many_seats_is_refused_where_they_are():
    assert loads(header("muggins", 3, hand="9"))
    assert refused("muggins", 4, hand="9") == (6, "4 hands of 9 are more tiles than the set has")


def test_players_says_how_many_may_sit_down():
    assert loads(header("muggins", 3, players="3"))
    assert loads(header("all-fives", 4, players="3-4"))
    assert refused("muggins", 2, players="3") == (4, "players is 3, and there are 2 seats")
    assert refused("muggins", 0, players="3-4") == (2, "players is 3-4, and there are 2 seats")
    assert refused("udl", 2, players="3") == (
        4,
        "players is a number of seats that the system has, or a span of them such as 2-4, not '3'",
    )


@pytest.mark.parametrize(
    ("ruleset", "seats", "error"),
    [
        ("muggins", 1, (2, "Muggins has 2 to 4 seats, not 1")),
        ("all-fives", 5, (6, "All Fives has 2 to 4 seats, not 5")),
        ("double-six", 3, (4, "Double-Six Dominoes has 2 seats, not 3")),
    ],
)
def test_7_15_a_number_of_seats_that_the_system_does_not_have(ruleset, seats, error):
    assert refused(ruleset, seats) == error


# ---- what options do to announcing and calling


def test_muggins_finds_nothing_to_call_where_points_are_booked_by_themselves():
    for window in ("after_next", "before_next"):
        table = Table(window, announce="auto")
        table.plays(A, 10)
        if window == "after_next":
            table.plays(B, 0)
        table.muggins(B)
        assert (table.ruled, table.card.scores) == ([Why.BOOKED], [10, 0])


def test_play_divisor_divides_what_a_play_is_worth():
    table = Table("off", announce="auto", play_divisor="5")
    play = table.plays(A, 15)
    assert (play.count, play.worth, table.card.scores) == (15, 3, [3, 0])


def test_play_divisor_divides_what_is_owed_too():
    table = Table("before_next", play_divisor="5", chips="0")
    table.plays(A, 15, call=1)
    table.muggins(B)
    assert (table.ruled, table.card.scores) == ([Why.OWED], [1, 2])


def test_without_chips_the_scorer_keeps_what_was_said():
    """RULES.md Q21; with chips points move in fives (C6)."""
    table = Table("before_next", chips="0")
    table.plays(A, 10, call=7)
    table.muggins(B)
    assert (table.ruled, table.card.scores) == ([Why.OWED], [7, 3])


def test_next_action_counts_draw_opens_the_call_at_the_draw():
    """Q19: "before the next person plays, draws or passes"; the rest of that turn is no further action."""
    table = Table(next_action_counts_draw="true")
    table.plays(A, 10)
    table.claims.drawn()
    table.says(A, 10)
    table.claims.drawn()
    table.plays(B, 0)
    table.muggins(B)
    assert (table.ruled, table.card.scores) == ([Why.OWED], [0, 10])


def test_next_action_counts_draw_closes_the_call_at_the_second_next_action():
    table = Table(next_action_counts_draw="true")
    missed = table.plays(A, 10)
    table.plays(B, 0)
    table.claims.drawn()
    table.muggins(B)
    assert (table.claims.missed, table.card.scores) == ([missed], [0, 0])


def test_next_action_counts_draw_ends_the_call_before_next():
    table = Table("before_next", next_action_counts_draw="true")
    table.plays(A, 10)
    table.claims.drawn()
    table.muggins(B)
    assert (table.ruled, table.card.scores) == ([Why.NO_PLAY], [0, 0])


def test_a_draw_is_no_action_by_default():
    table = Table("before_next")
    table.plays(A, 10)
    table.claims.drawn()
    table.says(A, 10)
    assert table.card.scores == [10, 0]


@pytest.mark.parametrize("window", ["after_next", "before_next"])
def test_m17_of_two_calls_at_the_same_time_the_seat_nearest_after_the_scorer_has_it(window):
    table = Table(window, 4, muggins_grace_s="3")
    table.plays(B, 10, at=0)
    if window == "after_next":
        table.plays(C, 0, at=10)
    assert table.claims.nearest_first([A, D]) == [1, 0]
    table.claims.claim(8, D, None, 40)
    table.claims.claim(7, A, None, 40)
    assert (table.ruled, table.card.scores) == ([Why.OWED, Why.TAKEN], [0, 0, 0, 10])


def test_m17_in_the_hold_the_announcement_voids_both():
    table = Table("before_next", 4, muggins_grace_s="3")
    table.plays(B, 10, at=0)
    table.claims.claim(8, D, None, 20)
    table.claims.claim(7, A, None, 20)
    assert (table.ruled, table.claims.held_call) == ([], (D, 10))
    table.says(B, 10, at=30)
    assert (table.ruled, table.card.scores) == ([Why.VOID, Why.VOID], [0, 10, 0, 0])
