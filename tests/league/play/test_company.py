"""Three and four seats at the practice table: all computers answer, and the player has time to call muggins."""

import pytest

from games.moves import Play
from games.tiles import DOUBLE_SIX
from league.errors import Refused
from league.house.levels import Level
from league.play.dealer import WrongMoment
from league.play.table import PLAYER, PracticeTable
from league.play.terms import agree
from referee import verify
from tests.league.play.tables import at, played, says, step, terms
from tests.volume import seeds

A = "A hand 5-5 6-2 5-2 4-1 3-1"
B = "B hand 5-0 6-5 5-4 4-3 4-2"
C = "C hand 2-1 1-1 6-6 0-0 5-3"
OF_THREE = "A hand 6-5 6-2 5-2 4-1 3-1", "B hand 5-5 5-0 5-4 4-3 4-2", C.replace("6-6", "6-1")
SYSTEMS = ("muggins", "all-fives")


def test_the_referee_verifies_every_finished_log_of_three_and_four() -> None:
    for seed in seeds(24, least=8):
        for system in SYSTEMS:
            table = played(terms(seed, list(Level)[seed % 3], system, 3 + seed % 2))
            verdict = verify(table.log)
            assert verdict.status == "verified", (seed, system, verdict.findings)
            assert {one.severity for one in verdict.findings} <= {"note"}
            assert len(table.game.card.scores) == 3 + seed % 2


def test_the_log_alone_gives_the_table_back() -> None:
    table = PracticeTable(terms("again", Level.RANDOM, "all-fives", 4, target="50"))
    while not table.over:
        again = PracticeTable(table.terms, table.lines)
        for one in (table, again):
            step(one)
        assert again.lines == table.lines


def test_all_computers_answer_in_their_order() -> None:
    table = at(A, B, C.replace("6-6", "6-1"), ruleset="muggins")
    before = table.lines[:]
    table.move(Play(PLAYER, DOUBLE_SIX.tile("5-5")))
    played_by = [line[0] for line in says(table, before) if line[2].isdigit()]
    assert played_by == ["A", "B", "C"]
    assert table.live is not None
    assert table.live.to_act == PLAYER


def waiting() -> PracticeTable:
    """B has led the five-double and left ten points; C would be next."""
    return at(*OF_THREE, "B 5-5", ruleset="all-fives", level=Level.CAREFUL)


def test_where_muggins_is_called_the_next_computer_waits() -> None:
    table = waiting()
    assert table.paused
    table.call_muggins()
    assert table.game.card.scores == [10, 0, 0]
    table.wait()
    assert "C muggins" not in table.lines  # nothing was left to call


def test_who_does_not_call_leaves_the_points_to_the_next_computer() -> None:
    table = waiting()
    before = table.lines[:]
    table.wait()
    assert says(table, before)[0] == "C muggins"
    assert table.game.card.scores[2] >= 10


def test_the_pause_comes_after_every_tile_with_points_or_without() -> None:
    kinds = set()
    for seed in range(8):
        table = PracticeTable(terms(f"pause {seed}", Level.RANDOM, "all-fives", 3, target="50"))
        while not table.over:
            step(table)
            if table.paused:
                fresh = table.game.claims.fresh
                kinds.add(bool(fresh and fresh.owed))
    assert kinds == {True, False}


@pytest.mark.parametrize(("system", "seats"), [("muggins", 4), ("all-fives", 2), ("udl", 2)])
def test_without_muggins_or_between_two_nobody_waits(system, seats) -> None:
    table = PracticeTable(terms("no pause", Level.GREEDY, system, seats))
    for _act in range(60):
        if not table.over:
            step(table)
            assert not table.paused
            with pytest.raises(WrongMoment):
                table.wait()


def test_five_tiles_are_dealt_to_three_and_four_by_the_rules() -> None:
    assert agree("muggins", "greedy", {}, 4).options == {}
    table = PracticeTable(agree("muggins", "greedy", {"hand": "5"}, 4))
    table.deal()
    assert "hand" not in table.terms.options
    assert agree("muggins", "greedy", {"hand": "7"}, 4).options == {"hand": "7"}
    assert agree("muggins", "greedy", {"hand": "7"}, 2).options == {}


@pytest.mark.parametrize(
    ("system", "options", "sentence"),
    [("muggins", {"hand": "9"}, "not enough tiles"), ("all-fives", {"muggins": "after_next"}, "before the next tile")],
)
def test_terms_that_do_not_suit_four_are_refused(system, options, sentence) -> None:
    with pytest.raises(Refused, match=sentence) as caught:
        agree(system, "greedy", options, 4)
    assert caught.value.code == "bad-terms"
