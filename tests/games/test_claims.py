"""Announcing and muggins: the examples M01 to M18 of RULES.md 9.4, each played through the claim windows."""

import pytest

from games.claims import Claims, PlayScore, Why
from games.moves import Play
from games.rulesets import get
from games.scorecard import Scorecard
from games.tiles import DOUBLE_SIX

A, B, C, D = range(4)
TILE = DOUBLE_SIX.tile("6-6")
LEAD = TILE.joins[DOUBLE_SIX.places.start]


class Table:
    """A claim window with the rules of one system, and short words for what happens at it."""

    def __init__(self, muggins: str = "after_next", seats: int = 2, **options: str) -> None:
        rules = get("udl").with_options({"muggins": muggins, **options})
        self.card = Scorecard(rules, seats)
        self.claims = Claims(rules, self.card)
        self.line = 0

    def plays(self, seat: int, worth: int, call: int | None = None, at: int | None = None) -> PlayScore:
        self.line += 1
        self.claims.played(self.line, at, Play(seat, TILE), LEAD, worth or 12)
        play = self.claims.fresh
        assert play is not None
        if call is not None:
            self.claims.announce(seat, call, at)
        return play

    def says(self, seat: int, points: int, at: int | None = None) -> None:
        self.line += 1
        self.claims.announce(seat, points, at)

    def muggins(self, seat: int, at: int | None = None) -> None:
        self.line += 1
        self.claims.claim(self.line, seat, None, at)

    @property
    def ruled(self) -> list[Why]:
        return [decision.why for decision in self.claims.decisions]


def test_m01_a_call_before_the_next_play_is_premature_and_the_scorer_may_still_announce():
    table = Table()
    table.plays(A, 10)
    table.muggins(B)
    table.says(A, 10)
    assert (table.ruled, table.card.scores) == ([Why.PREMATURE], [10, 0])


def test_m01_a_premature_call_is_not_used_up():
    table = Table()
    table.plays(A, 10)
    table.muggins(B)
    table.plays(B, 0)
    table.muggins(B)
    assert (table.ruled, table.card.scores) == ([Why.PREMATURE, Why.OWED], [0, 10])


def test_m02_after_the_next_play_the_points_are_the_callers():
    table = Table()
    table.plays(A, 10)
    table.plays(B, 0)
    table.muggins(B)
    assert (table.ruled, table.card.scores) == ([Why.OWED], [0, 10])


def test_m03_what_was_announced_in_time_is_the_scorers():
    table = Table()
    table.plays(A, 10)
    table.says(A, 10)
    table.plays(B, 0)
    table.muggins(B)
    assert (table.ruled, table.card.scores) == ([Why.ANNOUNCED], [10, 0])


def test_m04_the_scorer_is_too_late_after_the_next_play():
    table = Table()
    table.plays(A, 10)
    table.plays(B, 0)
    table.says(A, 10)
    table.muggins(B)
    assert (table.ruled, table.card.scores) == ([Why.OWED], [0, 10])


def test_m05_after_the_play_that_follows_nobody_gets_the_points():
    table = Table()
    missed = table.plays(A, 10)
    table.plays(B, 0)
    table.plays(A, 0)
    table.muggins(B)
    assert (table.card.scores, table.claims.missed) == ([0, 0], [missed])
    assert table.ruled == [Why.OWN_PLAY]


def test_m06_of_an_under_announcement_the_difference_is_claimable():
    table = Table()
    table.plays(A, 15, call=10)
    table.plays(B, 0)
    table.muggins(B)
    assert (table.ruled, table.card.scores) == ([Why.OWED], [10, 5])


def test_m07_the_last_play_of_a_round_can_be_called_when_hands_are_shown():
    table = Table()
    table.plays(A, 5)
    table.claims.settlement_opened()
    table.muggins(B)
    assert (table.ruled, table.card.scores) == ([Why.OWED], [0, 5])


def test_m08_not_after_the_settlement_was_confirmed():
    table = Table()
    table.plays(A, 5)
    table.claims.settlement_opened()
    table.claims.closed()
    table.muggins(B)
    assert (table.ruled, table.card.scores) == ([Why.NO_PLAY], [0, 0])


@pytest.mark.parametrize("seconds", [3, 10])
def test_m09_a_play_before_the_bell_can_be_called_within_ten_seconds(seconds):
    table = Table()
    table.plays(A, 10, at=8900)
    table.claims.bell_rung(9000)
    table.muggins(B, at=9000 + seconds * 10)
    assert (table.ruled, table.card.scores) == ([Why.OWED], [0, 10])


def test_m10_and_not_later():
    table = Table()
    table.plays(A, 10, at=8900)
    table.claims.bell_rung(9000)
    table.muggins(B, at=9101)
    assert (table.ruled, table.card.scores) == ([Why.TOO_LATE], [0, 0])


def test_a_tile_released_in_the_last_five_seconds_may_be_announced_five_seconds_long():
    table = Table()
    table.plays(A, 10, at=8970)
    table.claims.bell_rung(9000)
    table.muggins(B, at=9010)
    table.says(A, 10, at=9020)
    assert (table.ruled, table.card.scores) == ([Why.PREMATURE], [10, 0])
    late = Table()
    late.plays(A, 10, at=8970)
    late.claims.bell_rung(9000)
    late.says(A, 10, at=9021)
    late.muggins(B, at=9030)
    assert (late.ruled, late.card.scores) == ([Why.OWED], [0, 10])


def test_m11_the_first_of_two_claimants_has_it():
    table = Table("before_next", 3)
    table.plays(A, 10)
    table.muggins(C)
    table.muggins(B)
    assert (table.ruled, table.card.scores) == ([Why.OWED, Why.TAKEN], [0, 0, 10])


def test_m12_before_next_is_too_late_after_the_next_play():
    table = Table("before_next")
    table.plays(A, 10)
    table.plays(B, 0)
    table.muggins(B)
    assert (table.ruled, table.card.scores) == ([Why.OWN_PLAY], [0, 0])


def test_m13_a_play_that_does_not_score_is_a_false_call():
    table = Table("before_next")
    table.plays(A, 0)
    table.muggins(B)
    assert (table.ruled, table.card.scores) == ([Why.NO_SCORE], [0, 0])


def test_m14_of_an_over_announcement_the_true_value_counts():
    table = Table()
    table.plays(A, 10, call=15)
    table.plays(B, 0)
    table.muggins(B)
    assert (table.ruled, table.card.scores) == ([Why.ANNOUNCED], [10, 0])


def test_m15_a_held_call_is_void_if_the_scorer_announces_in_time():
    table = Table("before_next", 3, muggins_grace_s="3")
    table.plays(A, 10, at=100)
    table.muggins(C, at=112)
    table.says(A, 10, at=120)
    assert (table.ruled, table.card.scores) == ([Why.VOID], [10, 0, 0])


def test_m16_a_held_call_takes_effect_if_he_does_not():
    table = Table("before_next", 3, muggins_grace_s="3")
    table.plays(A, 10, at=100)
    table.muggins(C, at=112)
    table.says(A, 10, at=134)
    assert (table.ruled, table.card.scores) == ([Why.OWED], [0, 0, 10])


def test_m18_the_first_call_received_wins_even_from_a_seat_farther_away():
    table = Table("before_next", 4, muggins_grace_s="3")
    table.plays(B, 15, at=0)
    table.muggins(A, at=40)
    table.muggins(C, at=41)
    assert (table.ruled, table.card.scores) == ([Why.OWED, Why.TAKEN], [15, 0, 0, 0])


def test_one_call_for_a_play():
    table = Table()
    table.plays(A, 10)
    table.plays(B, 0)
    table.muggins(A)
    table.muggins(B)
    table.muggins(B)
    assert table.ruled == [Why.OWN_PLAY, Why.OWED, Why.TAKEN]


def test_a_pass_completes_a_turn():
    table = Table()
    missed = table.plays(A, 10)
    table.claims.turn_completed()
    assert table.claims.claimable is missed
    table.claims.turn_completed()
    assert table.claims.missed == [missed]


def test_of_an_announced_seven_the_scorer_keeps_a_chip():
    table = Table()
    table.plays(A, 10, call=7)
    table.plays(B, 0)
    table.muggins(B)
    assert table.card.scores == [5, 5]


def test_foster_gives_an_announcement_that_is_too_high_to_the_next_seat():
    table = Table(overclaim="foster")
    table.plays(A, 10, call=15)
    table.plays(B, 0)
    table.muggins(B)
    assert (table.ruled, table.card.scores) == ([Why.TAKEN], [0, 15])


def test_where_points_are_booked_by_themselves_nothing_is_owed():
    table = Table("off", announce="auto")
    play = table.plays(A, 10)
    assert (play.owed, play.awarded, table.card.scores) == (0, {A: 10}, [10, 0])
