"""The clock of a game: a pure function of its events and the hour (DESIGN.md 4.4, RELIABILITY.md A-01)."""

from datetime import UTC, datetime, timedelta
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.ruleset import BellMode, Tie
from games.rulesets import RULESETS
from league.matches.clock.state import (
    MOST_GIVEN_MS,
    ClockMark,
    ClockRefusal,
    ClockRules,
    ClockState,
    GameClock,
    clock_rules,
    paused_ms,
)
from league.matches.clock_acts import ClockAct

NOON = datetime(2026, 11, 20, 12, tzinfo=UTC)
RULES = ClockRules(total_ms=900_000)


def at(seconds: float) -> datetime:
    """So many seconds after noon."""
    return NOON + timedelta(milliseconds=round(seconds * 1000))


def clock(*events: tuple, rules: ClockRules = RULES) -> GameClock:
    """From `("start", 0)`, `("give", 60, 30)`: an act, its second, and the seconds it gives."""
    return GameClock.of(
        rules, [ClockMark(ClockAct(act), at(when), int(1000 * sum(more))) for act, when, *more in events]
    )


def shown(made: GameClock, second: float) -> tuple[str, float, float]:
    """State, seconds elapsed, seconds left."""
    reading = made.reading(at(second))
    return reading.state.value, reading.elapsed_ms / 1000, reading.remaining_ms / 1000


@pytest.mark.parametrize(
    ("events", "second", "expected"),
    [
        ([], 50, ("not-started", 0, 900)),
        ([("start", 0)], 0, ("running", 0, 900)),
        ([("start", 0)], 60.25, ("running", 60.25, 839.75)),
        ([("start", 0), ("pause", 100)], 700, ("paused", 100, 800)),
        ([("start", 0), ("pause", 100), ("resume", 160)], 170, ("running", 110, 790)),
        ([("start", 0), ("pause", 100), ("resume", 160), ("pause", 200), ("resume", 300)], 310, ("running", 150, 750)),
        ([("start", 0)], 899.999, ("running", 899.999, 0.001)),
        ([("start", 0)], 900, ("rung", 900, 0)),
        ([("start", 0), ("pause", 899.999)], 5000, ("paused", 899.999, 0.001)),
        ([("start", 0), ("give", 60, 90)], 900, ("running", 900, 90)),
        ([("give", 0, 30), ("start", 10)], 940, ("rung", 930, 0)),
        ([("start", 0), ("pause", 10), ("give", 20, 60), ("resume", 30)], 979, ("running", 959, 1)),
        ([("start", 0), ("stop", 400)], 9000, ("over", 400, 500)),
        ([("start", 0), ("pause", 100), ("stop", 150)], 9000, ("over", 100, 800)),
        ([("start", 0), ("stop", 400), ("resume", 410)], 420, ("running", 410, 490)),
        ([("start", 0), ("cancel", 30)], 40, ("not-started", 0, 900)),
        ([("start", 0), ("give", 5, 60), ("cancel", 30), ("start", 50)], 60, ("running", 10, 890)),
    ],
)
def test_what_the_clock_shows(events, second, expected):
    assert shown(clock(*events), second) == expected


def test_a_pause_at_the_very_millisecond_of_the_bell_is_too_late():
    late = clock(("start", 0), ("pause", 900))
    assert shown(late, 1000) == ("rung", 900, 0)
    assert [(mark.act, mark.at) for mark in late.refused] == [(ClockAct.PAUSE, at(900))]
    assert clock(("start", 0)).why_not(ClockMark(ClockAct.PAUSE, at(900))) is ClockRefusal.RUNG
    assert clock(("start", 0)).why_not(ClockMark(ClockAct.PAUSE, at(899.999))) is None


def test_a_pause_over_the_end_moves_the_bell():
    made = clock(("start", 0), ("pause", 880), ("resume", 1000))
    assert made.reading(at(1000)).rings_at == at(1020)
    assert shown(made, 1020) == ("rung", 900, 0)


def test_the_bell_rang_when_it_was_due_however_late_somebody_looks():
    made = clock(("start", 0), ("pause", 100), ("resume", 250))
    assert made.reading(at(86_400)).rung_at == at(1050)
    assert made.bell_missing(at(1049.999)) is None
    assert made.bell_missing(at(86_400)) == at(1050)


def test_the_bell_is_kept_once():
    made = clock(("start", 0), ("bell", 900), ("bell", 900), ("bell", 1000))
    assert (made.bell_kept, len(made.refused), made.bell_missing(at(2000))) == (True, 2, None)
    assert clock(("start", 0), ("bell", 899.999)).bell_kept is False


def test_a_restart_of_the_server_costs_no_time():
    # The clock made anew from its events at any moment, also after hours without a server, is the same clock.
    events = [("start", 0), ("pause", 100), ("resume", 130), ("give", 200, 60)]
    whole = clock(*events)
    for second in (200, 500, 989.999, 990, 7200):
        rebuilt = GameClock.of(RULES, [ClockMark(ClockAct(a), at(s), int(1000 * sum(m))) for a, s, *m in events])
        assert rebuilt.reading(at(second)) == whole.reading(at(second))
    assert shown(whole, 989.999) == ("running", 959.999, 0.001)
    assert shown(whole, 990) == ("rung", 960, 0)


def test_a_server_whose_time_is_set_back_is_told_and_takes_nothing_away():
    made = clock(("start", 0), ("pause", 100))
    assert made.placed(at(70)) == (at(100), 30_000)
    assert made.placed(at(101)) == (at(101), 0)
    resumed = clock(("start", 0), ("pause", 100), ("resume", 70))
    assert resumed.refused == ()
    assert shown(resumed, 110) == ("running", 110, 790)
    reading = resumed.reading(at(80))
    assert (reading.set_back, reading.elapsed_ms) == (True, 100_000)


def test_overtime_counts_up_from_the_bell_on_and_has_none_of_its_own():
    made = clock(("start", 0), ("bell", 900), ("overtime", 930))
    reading = made.reading(at(5000))
    assert (reading.state, reading.overtime_ms, reading.remaining_ms) == (ClockState.OVERTIME, 4_070_000, 0)
    assert (reading.rings_at, reading.warnings, made.bell_missing(at(9000))) == (None, (), None)
    over = clock(("start", 0), ("overtime", 930), ("stop", 1000))
    assert (over.reading(at(9000)).state, over.reading(at(9000)).overtime_ms) == (ClockState.OVER, 70_000)
    assert over.bell_missing(at(9000)) == at(900)


def test_the_table_is_warned_five_minutes_and_one_minute_before_the_bell():
    made = clock(("start", 0), ("give", 10, 60))
    assert made.reading(at(20)).warnings == ((300_000, at(660)), (60_000, at(900)))
    assert made.reading(at(660)).warnings == ((60_000, at(900)),)
    assert made.reading(at(900)).warnings == ()
    assert clock(("start", 0), ("pause", 5)).reading(at(20)).warnings == ()
    short = ClockRules(total_ms=20_000, warnings_ms=(5_000,))
    assert clock(("start", 0), rules=short).reading(at(1)).warnings == ((5_000, at(15)),)


STATES = {
    "not-started": [],
    "running": [("start", 0)],
    "paused": [("start", 0), ("pause", 1)],
    "rung": [("start", -900), ("bell", 0)],
    "overtime": [("start", -900), ("overtime", 1)],
    "over": [("start", 0), ("stop", 1)],
}
REFUSED = {
    "start": [None, "already-running", "already-started", "rung", "rung", "over"],
    "pause": ["not-running", None, "already-paused", "rung", "rung", "over"],
    "resume": ["not-paused", "already-running", None, "rung", "rung", None],
    "give": [None, None, None, "rung", "rung", "over"],
    "overtime": ["not-rung", "not-rung", "not-rung", None, "already-overtime", "over"],
    "stop": ["not-running", None, None, None, None, "over"],
    "cancel": ["not-running", None, None, "rung", "rung", "over"],
    "bell": ["not-due", "not-due", "not-due", "rung", "not-due", "not-due"],
}


@pytest.mark.parametrize(
    ("act", "state", "code"),
    [(act, state, code) for act, row in REFUSED.items() for state, code in zip(STATES, row, strict=True)],
)
def test_each_act_in_each_state_is_possible_or_refused_by_its_code(act, state, code):
    made = clock(*STATES[state])
    assert made.state == state or made.reading(at(2)).state == state
    if (act, state) == ("bell", "overtime"):  # it rang before the overtime, and no event tells of it yet
        code = None
    assert made.why_not(ClockMark(ClockAct(act), at(2), 1000)) == code


def test_a_stop_after_the_bell_is_not_taken_back():
    assert clock(("start", -900), ("stop", 5)).why_not(ClockMark(ClockAct.RESUME, at(6))) is ClockRefusal.RUNG


@pytest.mark.parametrize(("second", "code"), [(60, None), (60.001, "too-late")])
def test_a_start_is_taken_back_within_a_minute(second, code):
    assert clock(("start", 0)).why_not(ClockMark(ClockAct.CANCEL, at(second))) == code


@pytest.mark.parametrize(
    ("given", "code"),
    [(0, "bad-time"), (1, None), (MOST_GIVEN_MS, None), (MOST_GIVEN_MS + 1, "bad-time")],
)
def test_a_gift_of_time_has_bounds(given, code):
    assert clock(("start", 0)).why_not(ClockMark(ClockAct.GIVE, at(1), given)) == code


def test_the_clock_of_a_game_is_that_of_its_rules():
    udl = RULESETS["udl"]
    assert clock_rules(udl) == ClockRules(900_000, BellMode.STOP, Tie.OVERTIME, (300_000, 60_000))
    other = udl.with_options({"clock_s": "20", "bell_mode": "turn", "tie": "replay"})
    assert clock_rules(other) == ClockRules(20_000, BellMode.TURN, Tie.REPLAY)
    assert clock_rules(RULESETS["muggins"]) is None
    assert clock_rules(udl.with_options({"clock_s": "0"})) is None


def test_pauses_add_up():
    events = [("start", 0), ("pause", 10), ("resume", 30), ("stop", 40), ("resume", 45), ("pause", 50)]
    assert paused_ms([ClockMark(ClockAct(act), at(second)) for act, second in events]) == 25_000


# --- Whatever is done to it ---

MARKS = st.lists(
    st.builds(
        lambda act, second, given: ClockMark(act, at(second), given),
        st.sampled_from(list(ClockAct)),
        st.integers(-10, 200).map(lambda tenth: tenth / 10),
        st.integers(-1000, 20_000),
    ),
    max_size=14,
)
SHORT = ClockRules(total_ms=5_000)


@given(MARKS, st.booleans())
def test_time_is_kept_whatever_is_done_in_whatever_order(marks, forward):
    """`forward`: the server's time never runs back, and then the clock does not either, but for a start taken back."""
    if forward:
        marks = sorted(marks, key=lambda mark: mark.at)
    made, bells, before = GameClock(SHORT), 0, None
    for mark in marks:
        last = made
        made = made.after(mark)
        bells += made.bell_kept and not last.bell_kept
        reading = made.reading(mark.at)
        assert reading.remaining_ms + reading.elapsed_ms == SHORT.total_ms + reading.given_ms
        assert reading.remaining_ms >= 0
        assert (reading.remaining_ms == 0) == (reading.rung_at is not None)
        if forward and before and mark.act is not ClockAct.CANCEL:
            assert reading.elapsed_ms >= before.elapsed_ms
            assert reading.overtime_ms >= before.overtime_ms
            assert reading.rung_at == before.rung_at or before.rung_at is None
        before = reading
    assert bells == made.bell_kept <= 1


@given(MARKS, st.lists(st.integers(0, 60_000), min_size=2, max_size=6))
def test_a_clock_that_is_only_looked_at_never_runs_back(marks, looks):
    made = GameClock.of(SHORT, marks)
    readings = [made.reading(at(20 + look / 1000)) for look in sorted(looks)]
    for earlier, later in pairwise(readings):
        assert later.elapsed_ms >= earlier.elapsed_ms
        assert later.overtime_ms >= earlier.overtime_ms
        assert later.rings_at == earlier.rings_at or later.rings_at is None
        assert later.rung_at == earlier.rung_at or later.rung_at == earlier.rings_at


@given(MARKS)
def test_what_was_refused_has_no_effect(marks):
    made = GameClock.of(SHORT, marks)
    taken = list(marks)
    for mark in made.refused:
        taken.pop(next(place for place, one in enumerate(taken) if one is mark))
    again = GameClock.of(SHORT, taken)
    assert again.refused == ()
    assert again.reading(at(100)) == made.reading(at(100))
