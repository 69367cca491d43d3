"""The practice table plays Double-Six to the letter of its document (double-six.txt): a test for each sentence."""

import pytest

from games.errors import IllegalMove, Reason
from games.moves import Deal, Draw, Pass, Play
from games.tiles import DOUBLE_SIX
from league.house.levels import Level
from league.play.dealer import WrongMoment
from league.play.table import COMPUTER, PLAYER, PracticeTable
from referee import verify
from referee.frames import reel
from tests.league.play.tables import PIP_SYSTEMS, at, in_play, played, says, step, terms
from tests.volume import seeds

A = "A hand 6-6 6-2 5-0 4-1 3-1 2-0 1-0"
B = "B hand 6-3 6-5 5-4 4-3 4-2 2-1 1-1"


def play(tile: str, on: str = "") -> Play:
    return Play(PLAYER, DOUBLE_SIX.tile(tile), DOUBLE_SIX.tile(on) if on else None)


def points(table: PracticeTable) -> list[int]:
    """What each play of the hand scored."""
    return [one.worth for _line, one in sorted(reel(table.log).plays.items())]


def refusal(table: PracticeTable, move: Play | Draw | Pass) -> Reason:
    before = table.lines[:]
    with pytest.raises(IllegalMove) as caught:
        table.move(move)
    assert table.lines == before
    return caught.value.reason


def dealt(seed: object) -> PracticeTable:
    table = PracticeTable(terms(seed))
    table.deal()
    return table


def test_two_players_play_with_a_double_six_set() -> None:
    table = dealt(1)
    assert len(table.log.seats) == 2
    assert table.game.rules.tiles is DOUBLE_SIX


def test_the_tiles_are_shuffled_and_each_player_takes_seven() -> None:
    hands = set()
    for seed in range(20):
        one, other = (entry.event for entry in dealt(seed).log.entries if isinstance(entry.event, Deal))
        assert len({*one.tiles, *other.tiles}) == 14
        hands.add(one.tiles)
    assert len(hands) == 20


def test_the_remaining_tiles_are_the_boneyard() -> None:
    table = at(A, B)
    table.draw_or_pass()
    assert len(table.boneyard) == 13
    assert {tile.name for tile in table.boneyard}.isdisjoint({*A.split(), *B.split()})


def test_the_player_with_the_highest_double_plays_first() -> None:
    for seed in seeds(80, least=20):
        table = dealt(seed)
        doubles = [[t for t in e.event.tiles if t.double] for e in table.log.entries if isinstance(e.event, Deal)]
        if not any(doubles):
            continue
        highest = max((tile.high, seat) for seat, hand in enumerate(doubles) for tile in hand)
        led_by = PLAYER if table.live.leader == PLAYER else COMPUTER
        assert led_by == highest[1]


def test_a_player_with_the_highest_double_must_lead_it() -> None:
    assert refusal(at(A, B), play("6-2")) is Reason.WRONG_LEAD


def test_players_take_turns() -> None:
    table = at(A, B)
    table.move(play("6-6"))
    assert [line[0] for line in table.lines[3:] if "draw" not in line] == ["A", "B"]
    assert table.live.to_act == PLAYER


def test_a_tile_must_match_the_spots_of_an_exposed_end() -> None:
    table = at(A, B, "A 6-6", "B 6-3 on 6-6")
    assert refusal(table, play("5-0", "6-3")) is Reason.DOES_NOT_MATCH
    table.move(play("3-1", "6-3"))
    assert "A 3-1 on 6-3" in table.lines


def test_a_tile_must_be_in_the_hand() -> None:
    assert refusal(at(A, B, "A 6-6", "B 6-3 on 6-6"), play("6-1", "6-6")) is Reason.TILE_NOT_IN_HAND


def test_a_multiple_of_five_scores_six_six_and_six_three_make_fifteen() -> None:
    assert points(at(A, B, "A 6-6", "B 6-3 on 6-6")) == [0, 15]


def test_a_double_counts_both_halves_until_it_is_covered_then_six_two_makes_five() -> None:
    assert points(at(A, B, "A 6-6", "B 6-3 on 6-6", "A 6-2 on 6-6")) == [0, 15, 5]


@pytest.mark.parametrize(("tile", "scores"), [("6-5", 10), ("6-0", 5)])
def test_the_ends_of_a_double_take_tiles_once_both_middles_are_covered(tile, scores) -> None:
    hand = B.replace("1-1", "6-0")
    assert points(at(A, hand, "A 6-6", "B 6-3 on 6-6", "A 6-2 on 6-6", f"B {tile} on 6-6")) == [0, 15, 5, scores]


def test_every_double_opens_its_ends() -> None:
    hands = "A hand 6-6 6-5 5-4 5-1 5-2 2-0 1-0", "B hand 5-5 6-3 4-3 4-2 2-1 1-1 3-0"
    lines = "A 6-6", "B 6-3 on 6-6", "A 6-5 on 6-6", "B 5-5 on 6-5", "A 5-4 on 5-5", "B 4-3 on 5-4", "A 5-2 on 5-5"
    table = at(*hands, *lines)
    assert table.game.findings == []


def test_the_table_chooses_the_orientation_and_the_only_place() -> None:
    table = at(A, B, "A 6-6", "B 6-3 on 6-6")
    table.move(play("3-1"))
    assert "A 3-1 on 6-3" in table.lines


def test_a_tile_that_fits_in_several_places_needs_the_choice_of_one() -> None:
    table = at(A.replace("5-0", "3-2"), B, "A 6-6", "B 6-3 on 6-6", "A 6-2 on 6-6", "B 6-5 on 6-6")
    assert refusal(table, play("3-2")) is Reason.AMBIGUOUS_PLAY
    table.move(play("3-2", "6-2"))
    assert "A 3-2 on 6-2" in table.lines


def test_a_player_that_can_not_play_must_draw() -> None:
    table = at("A hand 5-5 5-0 4-1 3-1 2-0 1-0 0-0", "B hand 6-6 6-5 5-4 4-3 4-2 2-1 1-1", "B 6-6")
    assert table.plays == ()
    assert refusal(table, Pass(PLAYER)) is Reason.PASS_WITH_BONEYARD
    first = table.boneyard[0].name
    table.draw_or_pass()
    assert table.lines[-1] == f"A draw {first}"
    assert table.live.to_act == PLAYER


def test_a_player_may_draw_at_any_time_any_number_of_tiles() -> None:
    table = at(A, B)
    before = table.lines[:]
    for _turn in range(3):
        assert table.plays
        table.draw_or_pass()
    assert [line[:6] for line in says(table, before)] == ["A draw"] * 3
    assert table.live.held[PLAYER] == 10


def test_draw_is_pass_when_the_boneyard_is_empty() -> None:
    passes = 0
    for seed in range(12):
        table = PracticeTable(terms(seed, spinner="none"))  # few ends, so that a player is often unable
        while not table.over:
            if table.live and not table.live.can_draw and not table.plays:
                before = table.lines[:]
                table.draw_or_pass()
                assert says(table, before)[0] == "A pass"
                passes += 1
            else:
                step(table)
    assert passes > 3


def test_a_player_that_can_play_can_not_pass() -> None:
    table = dealt(1)
    while table.live and table.live.can_draw:
        table.draw_or_pass()
    assert table.plays
    with pytest.raises(IllegalMove) as caught:
        table.draw_or_pass()
    assert caught.value.reason is Reason.PASS_WHEN_ABLE


def rounds(table: PracticeTable) -> list[list[str]]:
    lines = "\n".join(table.lines).split("round ")[1:]
    return [one.splitlines() for one in lines]


def left(lines: list[str], seat: str) -> int:
    shown = next(line for line in lines if line.startswith(f"{seat} shows"))
    return 0 if shown.endswith("none") else len(shown.split()) - 2


def test_a_hand_ends_at_an_empty_hand_or_when_nobody_can_play_or_draw() -> None:
    blocked = 0
    for seed in seeds(60, least=30):
        for lines in rounds(played(terms(seed))):
            is_blocked = "blocked" in lines
            blocked += is_blocked
            assert (0 in (left(lines, "A"), left(lines, "B"))) != is_blocked
    assert blocked


def test_the_fewest_tiles_win_five_points_for_each_tile_of_difference() -> None:
    seen = set()
    for seed in seeds(60, least=30):
        for lines in rounds(played(terms(seed))):
            a, b = left(lines, "A"), left(lines, "B")
            due = [f"{'A' if a < b else 'B'} scores {5 * abs(a - b)}"] if a != b else []
            assert [line for line in lines if " scores " in line] == due
            seen.add(min(a, b) > 0 and a != b)
    assert seen == {True, False}  # also of a blocked hand, as 1 and 4 tiles of the document


def test_the_game_ends_at_250_at_the_end_of_a_hand() -> None:
    """Points within a hand end no game: some games pass 250 in mid-hand."""
    passed = 0
    for seed in seeds(60, least=30):
        table = played(terms(seed))
        scores = table.game.card.scores
        assert max(scores) >= 250
        assert table.lines[-1] == "settled"
        ended = rounds(table)[-1]
        bonus = next((int(line.split()[-1]) for line in ended if " scores " in line), 0)
        passed += max(scores) - bonus >= 250
    assert passed


def test_the_referee_verifies_every_finished_log() -> None:
    for seed in seeds(40):
        for system in PIP_SYSTEMS:
            verdict = verify(played(terms(seed, list(Level)[seed % 3], system)).log)
            assert verdict.status == "verified"
            assert {one.severity for one in verdict.findings} <= {"note"}  # missed points, and muggins calls


def test_the_log_alone_gives_the_table_back() -> None:
    """Nothing outlives a request: the table read from its lines acts as the table that wrote them."""
    table = in_play(3)
    again = PracticeTable(table.terms, table.lines)
    for one in (table, again):
        step(one)
    assert again.lines == table.lines


def test_a_hand_is_dealt_between_two_hands_only() -> None:
    with pytest.raises(WrongMoment):
        in_play(4).deal()
    table = in_play(5)
    while table.live:
        step(table)
    with pytest.raises(WrongMoment):
        table.draw_or_pass()


def test_house_rules_are_played() -> None:
    table = dealt("x")
    assert len(table.log.entries) > 2
    small = PracticeTable(terms("x", hand="5", target="50"))
    small.deal()
    assert len(small.log.entries[1].event.tiles) == 5
    assert 50 <= max(played(terms("x", hand="5", target="50")).game.card.scores) < 250
