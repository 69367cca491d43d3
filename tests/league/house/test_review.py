"""A review judges each move by what its player could know, and its sums are the result of the game."""

from itertools import pairwise

import pytest

from games.moves import Pass, Play, Totals
from league.house.evaluation import Valued
from league.house.levels import Level
from league.house.review import reviewed
from league.play.table import PLAYER
from league.play.uno_table import UnoTable
from tests.league.house.hands import SYSTEMS
from tests.league.play.tables import at, played, terms
from tests.league.play.uno_tables import lively, played_uno, uno_step, uno_terms


def leads(log) -> list[int]:
    """The lead of the player at the end of each hand, as the log says."""
    ends = []
    for one in log.rounds:
        *_, last = (entry.event for entry in one.entries if isinstance(entry.event, Totals))
        ends.append(last.scores[0] - last.scores[1])
    return ends


@pytest.mark.parametrize("system", SYSTEMS)
def test_the_sums_of_the_hands_are_the_result(system) -> None:
    log = played(terms("reviewed", Level.CAREFUL, system, target="100")).log
    hands = reviewed(log, PLAYER, samples=20)
    ends = leads(log)
    assert [hand.result for hand in hands] == [ends[0], *(after - before for before, after in pairwise(ends))]
    for hand in hands:
        parts = hand.deal + hand.draws + hand.others - hand.lost - hand.unannounced
        assert parts == pytest.approx(hand.result)
        assert all(one.lost >= 0 for one in hand.moves)


def test_the_same_seed_gives_the_same_review() -> None:
    log = played(terms("reviewed", target="50")).log
    assert reviewed(log, PLAYER, samples=20, seed="a") == reviewed(log, PLAYER, samples=20, seed="a")


@pytest.mark.parametrize("system", ["muggins", "udl"])
def test_a_better_player_leaves_less(system) -> None:
    lost = {}
    for level in (Level.RANDOM, Level.STRONG):
        logs = [played(terms(f"left {seed}", Level.GREEDY, system, target="50"), level).log for seed in range(2)]
        hands = [hand for log in logs for hand in reviewed(log, PLAYER, samples=100)]
        lost[level] = sum(hand.lost for hand in hands) / sum(len(hand.moves) for hand in hands)
    assert lost[Level.STRONG] < lost[Level.RANDOM] / 2


def test_a_play_that_gives_points_away_is_found() -> None:
    """10 points for 5-0 on 5-5; 6-2 and the others fit nowhere, and 5-2 makes seven."""
    hands = "A hand 5-2 5-0 6-2 4-1 3-1 2-0 1-0", "B hand 5-5 6-5 5-4 4-3 4-2 2-1 1-1"
    table = at(*hands, "B 5-5", "A 5-2 on 5-5", ruleset="muggins")
    [hand] = reviewed(table.log, PLAYER, samples=300)
    [one] = hand.moves
    assert isinstance(one.best, Play)
    assert (one.played.tile.name, one.best.tile.name) == ("5-2", "5-0")
    assert [event.tile.name for line, _at, event in table.log.each() if line == one.line] == ["5-2"]
    assert one.lost > 4


def test_a_play_whose_line_leaves_out_the_only_place_is_named_with_it() -> None:
    hands = "A hand 5-2 5-0 6-2 4-1 3-1 2-0 1-0", "B hand 5-5 6-5 5-4 4-3 4-2 2-1 1-1"
    [hand] = reviewed(at(*hands, "B 5-5", "A 5-2", ruleset="muggins").log, PLAYER, samples=10)
    [one] = hand.moves
    assert (one.played.tile.name, one.played.on.name) == ("5-2", "5-5")


def test_points_that_were_not_announced_and_muggins_that_was_missed_are_listed() -> None:
    hands = "A hand 5-5 6-2 5-2 4-1 3-1 2-0 1-0", "B hand 5-0 6-5 5-4 4-3 4-2 2-1 1-1"
    table = at(*hands, "A 5-5", "B 5-0 on 5-5", "A 5-2 on 5-5", "B 5-4 on 5-0", ruleset="udl")
    [hand] = reviewed(table.log, PLAYER, samples=10)
    assert [(one.points, one.muggins) for one in hand.missed][:2] == [(10, False), (10, True)]
    assert hand.unannounced == 10


def test_the_computer_s_hidden_tiles_change_no_judgement() -> None:
    """The same public history with two tiles exchanged between its hand and the boneyard."""
    mine, line = "A hand 5-2 5-0 6-2 4-1 3-1 2-0 1-0", ("B 5-5", "A 5-2 on 5-5")
    judged = [
        reviewed(at(mine, f"B hand 5-5 6-5 5-4 4-3 4-2 2-1 {tile}", *line, ruleset="muggins").log, PLAYER)[0].moves
        for tile in ("1-1", "6-6")
    ]
    assert judged[0] == judged[1]


def sums_are_results(log, samples: int) -> list:
    hands = reviewed(log, PLAYER, samples=samples)
    for hand in hands:
        parts = hand.deal + hand.draws + hand.others - hand.lost - hand.unannounced
        assert parts == pytest.approx(hand.result)
        assert all(one.lost >= 0 for one in hand.moves)
    return hands


@pytest.mark.parametrize("seats", [2, 4])
def test_a_game_of_uno_with_every_kind_of_event_is_reviewed(seats) -> None:
    """Catches, challenges, penalties and draws for the lead are no moves; what is judged adds up to the result."""
    log = played_uno(uno_terms("reviewed", seats=seats, target="100"), lively).log
    hands = sums_are_results(log, samples=12)
    judged = {one.line for hand in hands for one in hand.moves}
    assert {line for line, _at, event in log.each() if isinstance(event, Play) and event.seat == PLAYER} <= judged
    ends = [
        event for one in log.rounds for event in (entry.event for entry in one.entries) if isinstance(event, Totals)
    ]
    rivals = ends[-1].scores[1:]
    assert sum(hand.result for hand in hands) == pytest.approx(ends[-1].scores[0] - sum(rivals) / len(rivals))


def test_a_better_player_of_uno_leaves_less() -> None:
    lost = {}
    for level in (Level.RANDOM, Level.STRONG):
        tables = [UnoTable(uno_terms(f"left {seed}", seats=2, target="50")) for seed in range(2)]
        for table in tables:
            while not table.over:
                uno_step(table, level)
        hands = [hand for table in tables for hand in reviewed(table.log, PLAYER, samples=200)]
        lost[level] = sum(hand.lost for hand in hands) / sum(len(hand.moves) for hand in hands)
    assert lost[Level.STRONG] < lost[Level.RANDOM] / 2


def test_a_difference_within_two_standard_errors_is_noise() -> None:
    """Differences 9, -7, 9, -7 and so on: one point on average, and a standard error of 8 / sqrt(n - 1)."""
    one = Valued(Pass(0), 1.0, [9.0, -7.0] * 8)
    other = Valued(Pass(0), 0.0, [0.0] * 16)
    assert one.standard_error(other) == pytest.approx(8 / 15**0.5)
    assert one.standard_error(Valued(Pass(0), 0.0, [0.0])) == 0.0
