"""What is proved of racks of Uno Dominoes that nobody saw whole (NOTATION.md 4 and 7.1)."""

from tests.referee.logs import found
from tests.referee.uno_logs import FIRST, HANDS, uno

A, B, C = HANDS.splitlines(keepends=True)


def messages(verdict, code):
    return [f.message for f in verdict.findings if f.code == code]


def test_a_tile_of_a_known_rack_is_placed_from_another_one():
    verdict = uno("A g9-g9\nB g4-b5\nC gR-r5 on g9-g9\n", hands=A + "B hand 6\n" + C)
    assert found(verdict) == [(FIRST + 1, "no-consistent-deal")]
    assert (verdict.status, verdict.winner, verdict.ended) == ("impossible", None, None)
    assert messages(verdict, "no-consistent-deal") == ["b5-g4 cannot have been with two players: lines 8, 10"]
    assert [play.line for play in verdict.plays] == [9, 10, 11]  # replay stops after the round


def test_an_impossible_line_after_it_is_found_too():
    verdict = uno("A g9-g9\nB g4-b5\nA y7-WD4\n", hands=A + "B hand 6\n" + C)
    assert found(verdict) == [(FIRST + 1, "no-consistent-deal"), (FIRST + 2, "bad-event")]


def test_more_tiles_were_placed_than_the_rack_had_places():
    lines = "A g9-g9\nB gR-r2 on g9-g9\nA gD2-b4 on g9-g9\nC draw b2-g8 g6-g6\nB g8-y5 on g9-g9\n"
    verdict = uno(lines, hands=A + B.replace("b4-gS", "?") + C)
    assert found(verdict) == [(FIRST + 4, "no-consistent-deal")]
    told = "B can have had only 5 of W-W g1-y9 bD2-g2 DE-g5 g8-y5 b6-g9: lines 7, 13"
    assert messages(verdict, "no-consistent-deal") == [told]


def test_a_tile_was_shown_in_two_racks():
    small = "A hand g9-g9 r2-g9\nB hand 2\nC hand 2\n"
    lines = "A g9-g9\nB g1-y9\nC g4-b5 on g9-g9\nA g9-r2 on g9-g9\nB shows g6-y2\nC shows g6-y2\n"
    verdict = uno(lines, hands=small, tags='[Option.hand "2"]\n')
    assert found(verdict) == [(FIRST + 6, "no-consistent-deal")]
    assert messages(verdict, "no-consistent-deal") == ["g6-y2 cannot have been with two players: lines 14, 15"]


def test_a_doublet_that_was_dealt_unseen_should_have_led():
    """Counting proves it: B drew nothing before it was placed."""
    hands = A.replace("g9-g9", "y9-y9") + "B hand 6\n" + C
    lines = "A y9-y9\nB y9-g1\nC g4-b5 on g1-y9\nA b4-gD2 on b5-g4\nB g9-g9 on gD2-b4\n"
    verdict = uno(lines, hands=hands)
    assert found(verdict) == [(FIRST, "wrong-lead")]
    assert messages(verdict, "wrong-lead") == ["y9-y9 was led by A; the lead is g9-g9"]
    assert found(uno(lines.replace("B y9", "B draw y9-g1\nB y9"), hands=hands)) == [(FIRST, "wrong-lead")]
    assert found(uno(lines.replace("B y9", "B draw ?\nB y9"), hands=hands)) == []


def test_after_a_lead_that_was_no_doublet_none_is_looked_for():
    assert found(uno("A r2-g9\nB g9-g9 on g9-r2\n", hands=A.replace("g9-g9", "y9-y9") + "B hand 6\n" + C)) == [
        (FIRST, "wrong-lead")
    ]


def test_a_better_doublet_in_a_rack_that_was_shown():
    hands = "A hand y9-y9 r2-g9\nB hand 2\nC hand 2\n"
    lines = "A y9-y9\nB y9-g1\nC g4-b5 on g1-y9\nA g9-r2 on y9-y9\nB shows g9-g9\n"
    assert found(uno(lines, hands=hands, tags='[Option.hand "2"]\n')) == [(FIRST + 1, "wrong-lead")]
    lot = '[Option.hand "2"]\n[Option.start_tie "lot"]\n'
    assert found(uno(lines, hands=hands, tags=lot)) == []
