"""Sentences of the documents about the end of a game, chips, the log and variations (docs/rules/sentences.md)."""

import pytest

from league.play.terms import SYSTEMS, VALUES, agree
from referee import verify
from tests.league.play.test_sentences import (
    ALL_FIVES,
    HANDS,
    MUGGINS,
    UDL,
    A,
    B,
    names,
    play,
    scores,
    table,
)

ENDS = [(UDL, 150, True), (ALL_FIVES, 100, True), (MUGGINS, 100, False)]


@pytest.mark.parametrize(("system", "target", "at_once"), ENDS)
def test_the_target_ends_the_game_at_once_or_with_the_hand(system, target, at_once) -> None:
    for start, reached in ((target - 10, True), (target - 15, False)):
        before = f'penalty B {start} "start"'
        one = table(system, "A hand 5-5 1-0", "B hand 4-4 3-2", before=before, hand="2", lead_first="highest_double")
        one.make(play(A, "5-5", points=10))
        assert scores(one)[A] == start + 10
        assert (one.over, one.game.card.winner) == ((True, A) if at_once and reached else (False, None))


def test_muggins_the_bonus_may_win_against_the_first_player_at_the_target() -> None:
    """A reaches 100 in the hand; B goes out and has 102 with the bonus."""
    before = 'penalty B 95 "start"\npenalty A 98 "start"'
    hands = "A hand 3-2 6-6 5-4", "B hand 2-0"
    one = table(MUGGINS, *hands, before=before, hand="3", lead_first="highest_double", lead_forced="false")
    one.make(play(A, "3-2"))
    assert (scores(one), one.over) == ([100, 98], False)
    one.make(play(B, "2-0", "3-2"))
    assert (scores(one), one.game.card.winner) == ([100, 102], B)


@pytest.mark.parametrize(("said", "winner"), [(15, B), (None, None)])
def test_udl_at_the_bell_the_player_with_the_most_points_wins(said, winner) -> None:
    """The tiles of the unfinished hand count nothing; level scores go into overtime."""
    one = table(UDL, *HANDS, "A 6-6")
    assert one.game.rules.clock_s == 15 * 60
    one.at = 8_000
    one.make(play(B, "6-3", "6-6", said))
    one.at = 9_000
    one.ring()
    one.at = 9_200
    one.settle()
    assert (one.game.card.winner, one.game.card.overtime) == (winner, winner is None)
    assert scores(one) == [0, said or 0]


def test_udl_the_scorer_is_paid_in_the_opponent_s_chips_and_no_chips_left_loses() -> None:
    one = table(UDL, *HANDS, "A 6-6")
    assert one.game.card.chips == [30, 30]
    one.make(play(B, "6-3", "6-6", 15))
    assert one.game.card.chips == [27, 30]
    last = table(UDL, *HANDS, "A 6-6", before='penalty A 135 "start"')
    last.make(play(B, "6-3", "6-6", 15))
    assert (last.game.card.chips, last.game.card.winner) == ([0, 30], B)


def test_the_log_of_the_table_marks_the_spinner_and_the_score() -> None:
    one = table(UDL, "A hand 6-5 6-6", "B hand 6-1 5-4", "A 6-6", "B 6-1 on 6-6", hand="2", clock_s="0")
    one.make(play(A, "6-5", "6-6"))
    one.settle()
    [marked] = verify(one.log).rounds
    assert (marked.spinner, marked.scores) == ("6-6", tuple(scores(one))) == ("6-6", (10, 0))


@pytest.mark.parametrize(
    ("spinner", "first", "later"), [("none", False, False), ("first", True, False), ("all", True, True)]
)
def test_the_variants_of_muggins_are_house_rules(spinner, first, later) -> None:
    """All Fives: the first double is a spinner. Five Up: every double is."""
    assert "spinner" in SYSTEMS[MUGGINS]
    assert spinner in VALUES["spinner"]
    assert agree(MUGGINS, "greedy", {"spinner": spinner}).options == ({} if spinner == "none" else {"spinner": spinner})
    one = table(MUGGINS, *HANDS, "A 6-6", "B 6-3 on 6-6", "A 6-2 on 6-6", spinner=spinner)
    assert ("6-5" in names(one, B)) is first
    hands = "A hand 6-6 6-5 5-1 5-2 3-1 2-0 1-0", "B hand 6-3 5-5 5-4 4-3 4-2 2-1 5-0"
    plays = "A 6-6", "B 6-3 on 6-6", "A 6-5 on 6-6", "B 5-5 on 6-5", "A 5-1 on 5-5"
    assert ("5-4" in names(table(MUGGINS, *hands, *plays, spinner=spinner), B)) is later
