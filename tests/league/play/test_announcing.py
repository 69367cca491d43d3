"""Where points are announced: muggins both ways, each call in its window, and points that are forgotten."""

import pytest

from games.moves import Draw, Play
from games.tiles import DOUBLE_SIX
from league.house import levels
from league.house.levels import Level
from league.play.dealer import WrongMoment
from league.play.table import PLAYER, PracticeTable
from referee import verify
from tests.league.play.tables import at, played, says, step, terms

A = "A hand 5-5 6-2 5-2 4-1 3-1 2-0 1-0"
B = "B hand 5-0 6-5 5-4 4-3 4-2 2-1 1-1"
UDL, ALL_FIVES = "udl", "all-fives"


def play(tile: str, on: str = "", points: int | None = None) -> Play:
    return Play(PLAYER, DOUBLE_SIX.tile(tile), DOUBLE_SIX.tile(on) if on else None, points)


def scores(table: PracticeTable) -> list[int]:
    return table.game.card.scores


def test_announced_points_are_the_player_s() -> None:
    table = at(A, B, ruleset=UDL, level=Level.CAREFUL)
    table.move(play("5-5", points=10))
    assert scores(table)[0] == 10
    assert "B muggins" not in table.lines


@pytest.mark.parametrize(("system", "place"), [(UDL, -1), (ALL_FIVES, 0)])
def test_the_careful_computer_calls_points_that_the_player_left_in_the_window_of_the_rules(system, place) -> None:
    """UDL: after its next tile. All Fives: before it."""
    table = at(A, B, ruleset=system, level=Level.CAREFUL)
    before = [*table.lines, "A 5-5"]
    table.move(play("5-5"))
    answer = says(table, before)
    assert answer[place] == "B muggins"
    assert len(answer) == 2
    assert scores(table)[1] >= 10


def test_of_too_few_points_the_rest_is_open() -> None:
    table = at(A, B, ruleset=UDL, level=Level.CAREFUL)
    table.move(play("5-5", points=5))
    assert scores(table)[0] == 5
    assert "B muggins" in table.lines


def test_of_too_many_points_the_true_ones_count() -> None:
    table = at(A, B, ruleset=UDL, level=Level.CAREFUL)
    table.move(play("5-5", points=20))
    assert scores(table)[0] == 10


@pytest.mark.parametrize("system", [UDL, ALL_FIVES])
def test_points_that_the_computer_left_are_the_caller_s(system) -> None:
    """5-0 on 5-5 makes ten, and nobody said so."""
    table = at(A, B, "A 5-5 call 10", "B 5-0 on 5-5", ruleset=system)
    table.move(play("5-2", "5-5"), muggins=True)
    assert table.lines.index("A muggins") - table.lines.index("A 5-2 on 5-5") == (1 if system == UDL else -1)
    assert scores(table)[0] == 20


@pytest.mark.parametrize("system", [UDL, ALL_FIVES])
def test_a_call_with_nothing_open_gives_nothing(system) -> None:
    table = at(A, B, "A 5-5 call 10", "B 5-0 on 5-5 call 10", ruleset=system)
    table.move(play("5-2", "5-5"), muggins=True)
    assert "A muggins" in table.lines
    assert scores(table)[0] == 10


def test_a_draw_does_not_use_up_the_call() -> None:
    table = at(A, B, "A 5-5 call 10", "B 5-0 on 5-5", ruleset=UDL, voluntary_draw="true", must_play_drawn="false")
    table.move(Draw(PLAYER, 1), muggins=True)
    assert "A muggins" not in table.lines
    table.move(play("5-2", "5-5"), muggins=True)
    assert scores(table)[0] == 20


def finished_hand(seed: int, system: str) -> PracticeTable:
    table = PracticeTable(terms(seed, Level.RANDOM, system))
    step(table)
    while table.live:
        step(table)
    return table


@pytest.mark.parametrize("system", [UDL, ALL_FIVES])
def test_the_last_tile_of_a_hand_can_be_called_until_the_next_deal(system) -> None:
    taken = 0
    for seed in range(120):
        table = finished_hand(seed, system)
        if table.over:
            continue
        before = scores(table)[0]
        assert "settled" not in table.lines
        table.call_muggins()
        taken += scores(table)[0] > before
        if table.between:
            table.deal()
            assert "settled" in table.lines
            with pytest.raises(WrongMoment):
                table.call_muggins()
    assert taken


def test_the_computer_forgets_less_at_each_level(monkeypatch) -> None:
    """Its plays that score without a call, in games whose player says everything."""
    monkeypatch.setattr(levels, "SAMPLES", 30)
    missed = {}
    for level in Level:
        logs = [played(terms(f"forgets {seed}", level, UDL)).log for seed in range(12)]
        missed[level] = sum(one.code == "missed-points" for log in logs for one in verify(log).findings)
    assert missed[Level.RANDOM] > missed[Level.GREEDY] > missed[Level.CAREFUL] >= missed[Level.STRONG]


def test_where_nobody_holds_a_double_it_is_drawn_for() -> None:
    hands = "A hand 6-5 6-4 6-3 6-2 6-1 6-0 5-4", "B hand 5-3 5-2 5-1 5-0 4-3 4-2 4-1"
    table = at(*hands, ruleset=ALL_FIVES)
    assert table.plays == ()
    table.draw_or_pass()
    drawn = [line for line in table.lines if " draw " in line]
    assert drawn[0].startswith("A draw")
    assert table.plays or "B draw" in table.lines[4]
    while table.live and not table.live.layout.table:
        step(table)
    assert verify(table.log).findings[0].code == "incomplete"


def test_the_table_has_no_clock() -> None:
    assert PracticeTable(terms("x", ruleset=UDL)).game.rules.clock_s == 0
