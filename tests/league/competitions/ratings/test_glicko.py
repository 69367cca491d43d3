"""Glicko-2 against its author's example, an independent integral of its model, and what must hold of any update."""

from math import erf, exp, isclose, sqrt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from league.competitions.ratings import glicko2
from league.competitions.ratings.glicko2 import (
    USUAL,
    Held,
    RatedBout,
    Scheme,
    Step,
    Strength,
    after,
    chance,
    expected,
    idle,
    steps,
)

# M. E. Glickman, "Example of the Glicko-2 system" (glicko.net, 2013), pages 3 to 5.
PLAYER = Strength(1500, 200, 0.06)
MET = [(Strength(1400, 30, 0.06), 1), (Strength(1550, 100, 0.06), 0), (Strength(1700, 300, 0.06), 0)]

strengths = st.builds(
    Strength,
    st.floats(0, 3000, allow_nan=False),
    st.floats(30, 350, allow_nan=False),
    st.floats(0.03, 0.09, allow_nan=False),
)
games = st.lists(st.tuples(strengths, st.sampled_from([0, 0.5, 1])), min_size=1, max_size=8)


def test_the_authors_worked_example():
    """The paper rounds on the way (it multiplies 0.6364 by …), so its 1464.06 is 1464.0507 in full."""
    found = after(PLAYER, MET)
    assert found.rating == pytest.approx(1464.06, abs=0.01)
    assert found.deviation == pytest.approx(151.52, abs=0.005)
    assert found.volatility == pytest.approx(0.05999, abs=0.00001)


def test_the_authors_expectations_of_the_three_games():
    """The column E(μ, μj, φj) of the paper's table."""
    assert [round(expected(PLAYER, other), 3) for other, _points in MET] == [0.639, 0.432, 0.303]


def test_a_pause_makes_less_certain_by_the_volatility_and_never_less_than_a_newcomer():
    """Step 6: φ* = √(φ² + σ²) for each period."""
    once = sqrt((200 / glicko2.SCALE) ** 2 + 0.06**2) * glicko2.SCALE
    assert idle(PLAYER, 1) == Strength(1500, pytest.approx(once), 0.06)
    step_by_step = PLAYER
    for _period in range(5):
        step_by_step = idle(step_by_step, 1)
    assert idle(PLAYER, 5).deviation == pytest.approx(step_by_step.deviation, abs=1e-9)
    assert idle(PLAYER, 0) == PLAYER
    assert idle(PLAYER, 100_000) == Strength(1500, 350, 0.06)
    assert idle(Strength(1500, 360, 0.06), 3) == Strength(1500, 360, 0.06)


def test_the_chance_of_a_win_counts_how_uncertain_both_are():
    """FICS help "glicko": 1 / (1 + 10^(−(r1 − r2) · f(√(s1² + s2²)) / 400)), f(s) = 1 / √(1 + p · s²),
    p = 3 · (ln 10)² / (π² · 400²); computed here in that form.
    """
    p = 3 * 2.302585093**2 / (3.141592654**2 * 400**2)
    f = 1 / sqrt(1 + p * (80**2 + 150**2))
    one, other = Strength(1400, 80, 0.06), Strength(1500, 150, 0.06)
    assert chance(one, other) == pytest.approx(1 / (1 + 10 ** (100 * f / 400)), abs=1e-6)
    assert chance(one, other) + chance(other, one) == pytest.approx(1)
    assert chance(one, one) == 0.5


def test_the_expectation_is_near_the_integral_of_the_model():
    """E is Glickman's closed form of the mean chance against an opponent whose strength is normal around the rating."""
    other = Strength(1700, 150, 0.06)
    mean, total = 0.0, 0.0
    for step in range(-400, 401):
        at = step / 100
        density = exp(-at * at / 2)
        mean += density / (1 + 10 ** ((other.rating + at * other.deviation - 1500) / 400))
        total += density
    assert erf(4 / sqrt(2)) > 0.9999  # what lies beyond four deviations does not count
    assert expected(PLAYER, other) == pytest.approx(mean / total, abs=0.01)
    certain = Strength(other.rating, 1e-9, 0.06)  # the control: without the deviation it is off by three times that
    assert abs(expected(PLAYER, certain) - mean / total) > 0.025


@given(strengths, games)
def test_the_order_of_the_games_never_changes_a_number(one, played):
    assert after(one, played) == after(one, list(reversed(played)))
    assert after(one, played) == after(one, sorted(played, key=repr))


@given(strengths, games)
def test_more_points_never_make_weaker(one, played):
    opponents = [other for other, _points in played]
    lost, level, won = ([(other, points) for other in opponents] for points in (0, 0.5, 1))
    assert after(one, lost).rating <= after(one, level).rating <= after(one, won).rating
    assert after(one, lost).rating < one.rating < after(one, won).rating


@given(strengths, games)
def test_a_period_says_something_about_a_player(one, played):
    """The new deviation is below what the pause alone would have left."""
    found = after(one, played)
    grown = sqrt((one.deviation / glicko2.SCALE) ** 2 + found.volatility**2) * glicko2.SCALE
    assert 0 < found.deviation < grown
    assert 0 < found.volatility < 1


def test_the_furthest_strengths_have_numbers():
    weak, strong = Strength(0, 30, 0.001), Strength(5000, 30, 1)
    for one, other in ((weak, strong), (strong, weak)):
        for points in (0, 0.5, 1):
            for tau in (0.1, 2):
                found = after(one, [(other, points)] * 50, Scheme(tau=tau))
                assert all(isclose(number, number) for number in (found.rating, found.deviation, found.volatility))


def test_periods_follow_each_other_and_newcomers_start_where_the_scheme_says():
    """Two meet in period 3; one of them meets a third in period 6, after a pause of two."""
    found = list(steps([RatedBout(6, 1, 3, 1), RatedBout(3, 1, 2, 2)], {}))
    start = USUAL.start
    first = after(start, [(start, 1)])
    paused = idle(first, 2)
    assert found == [
        Step(1, 3, start, first, 1, 1),
        Step(2, 3, start, after(start, [(start, 0)]), 1, 1),
        Step(1, 6, paused, after(paused, [(start, 0.5)]), 1, 2),
        Step(3, 6, start, after(start, [(paused, 0.5)]), 1, 1),
    ]


def test_all_games_of_a_period_meet_the_strengths_of_its_beginning():
    found = {step.player: step for step in steps([RatedBout(1, 1, 2, 2), RatedBout(1, 2, 3, 2)], {})}
    assert found[2].after == after(USUAL.start, [(USUAL.start, 0), (USUAL.start, 1)])


def test_what_came_before_can_be_handed_in():
    bouts = [RatedBout(period, 1 + period % 3, 4 + period % 2, period % 3) for period in range(12)]
    whole = list(steps(bouts, {}))
    half = [step for step in whole if step.period < 6]
    held = {step.player: Held(step.after, step.period, step.played) for step in half}
    assert list(steps([one for one in bouts if one.period >= 6], held)) == whole[len(half) :]
