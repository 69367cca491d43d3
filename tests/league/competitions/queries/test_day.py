"""The strip of the day: which steps there are, where each stands, and what holds it up. No database."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from league.competitions.queries.next_step import (
    DayFacts,
    DayPerson,
    DayRound,
    DayStage,
    HeldBy,
    Missing,
    OpenMatch,
    OpenMatches,
    Part,
    People,
    StepState,
    steps,
)

DONE, NOW, WAITS = StepState.DONE, StepState.NOW, StepState.WAITS
SEVEN = datetime(2026, 11, 20, 19, tzinfo=UTC)


def person(name):
    return DayPerson(name.upper(), name, name)


def stage(number=1, rounds=3, *, paired=False, finished=False):
    return DayStage(number, "round robin", rounds, paired, finished)


def rounds(*open_ones, shown=99, stage=1, first=1):
    return [
        DayRound(number, f"Round {number}", stage, 4, count, shown=number <= shown)
        for number, count in enumerate(open_ones, start=first)
    ]


def match(name, reason=HeldBy.NO_RESULT, number=1, missing=()):
    return OpenMatch(1, 1, number, (person(name), person("Leo")), "4", reason, missing)


def held(*matches, count=0):
    return OpenMatches(matches[0].reason, count or len(matches), matches)


def facts(**changes):
    usual = {"entrants": 8, "fewest": 2, "published": True, "by_round": False, "stages": [stage()], "rounds": []}
    return DayFacts(**(usual | changes))


def strip(**changes):
    """(part, state, what it is about, what holds it up) of each step."""
    return [
        (one.part, one.state, one.round.name if one.round else one.number, [hold.reason for hold in one.holds])
        for one in steps(facts(**changes))
    ]


def named(found):
    return {part: (state, about, holds) for part, state, about, holds in found}


def test_with_too_few_names_nothing_else_is_now():
    assert strip(entrants=1, published=False) == [
        (Part.NAMES, NOW, 0, [HeldBy.TOO_FEW]),
        (Part.CHECK_IN, WAITS, 0, []),
        (Part.SEEDS, WAITS, 0, []),
        (Part.DRAW, WAITS, 0, []),
        (Part.PUBLISH, WAITS, 0, []),
        (Part.FINISH, WAITS, 0, []),
    ]


def test_names_are_drawn_and_a_check_in_that_is_not_used_holds_nothing_up():
    found = named(strip(published=False, absent=People(8, (person("Ana"),))))
    assert (found[Part.DRAW], found[Part.CHECK_IN]) == ((NOW, 0, []), (WAITS, 0, []))


def test_once_somebody_is_checked_in_the_others_are_named_before_anything_is_published():
    away = People(3, (person("Ana"), person("Bo"), person("Cleo")))
    found = steps(facts(published=False, checks_in=True, absent=away, rounds=rounds(4, 4, 4, shown=0)))
    here = next(one for one in found if one.part is Part.CHECK_IN)
    assert (here.state, here.holds[0].reason, here.holds[0].count, here.holds[0].people) == (
        NOW,
        HeldBy.NOT_HERE,
        3,
        away.first,
    )
    assert next(one for one in found if one.part is Part.PUBLISH).state is WAITS


def test_fees_that_are_owed_are_told_and_hold_nothing_up():
    found = named(strip(published=False, fee=True, owing=People(2, (person("Ana"),))))
    assert (found[Part.FEES], found[Part.DRAW][0]) == ((WAITS, 0, [HeldBy.FEES_OWED]), NOW)
    assert named(strip(published=False, fee=True))[Part.FEES] == (DONE, 0, [])
    assert Part.FEES not in named(strip(published=False))


def test_a_drawn_draft_is_published_and_wishes_that_are_not_met_are_told_there():
    found = named(strip(published=False, rounds=rounds(4, 4, 4, shown=0), unmet=1))
    assert (found[Part.DRAW], found[Part.PUBLISH]) == ((DONE, 0, []), (NOW, 0, [HeldBy.WISHES_UNMET]))


def test_a_draw_in_the_background_and_one_that_was_refused_are_told():
    assert named(strip(published=False, drawing=True))[Part.DRAW] == (NOW, 0, [HeldBy.DRAWING])
    assert named(strip(published=False, refused="Too few."))[Part.DRAW] == (NOW, 0, [HeldBy.DRAW_REFUSED])


def test_of_rounds_that_are_all_shown_the_first_open_one_is_now():
    assert strip(rounds=rounds(0, 0, 2, 4, 4, 4), stages=[stage(rounds=6)])[4:] == [
        (Part.PLAYED, DONE, 2, []),
        (Part.ROUND, NOW, "Round 3", []),
        (Part.NEXT, WAITS, "Round 4", []),
        (Part.LATER, WAITS, 2, []),
        (Part.FINISH, WAITS, 0, []),
    ]


def test_the_rounds_of_groups_come_before_the_knock_out_that_follows_them():
    groups = {"stages": [stage(rounds=3), stage(2, rounds=2)]}
    found = named(strip(rounds=rounds(2, 4, 4), **groups))
    assert (found[Part.NEXT], found[Part.LATER]) == ((WAITS, "Round 2", []), (WAITS, 3, []))
    last = named(strip(rounds=rounds(0, 0, 4), **groups))
    assert (last[Part.NEXT], last[Part.LATER]) == ((WAITS, 0, [HeldBy.RESULTS_MISSING]), (WAITS, 1, []))


def test_once_it_is_over_nobody_is_missing_at_the_check_in():
    away = {"checks_in": True, "absent": People(1, (person("Ana"),)), "rounds": rounds(0, 0, 0)}
    assert named(strip(**away))[Part.CHECK_IN] == (WAITS, 0, [HeldBy.NOT_HERE])
    assert Part.CHECK_IN not in named(strip(stages=[stage(finished=True)], **away))


def test_what_is_missing_of_a_round_is_told_with_the_first_of_how_many():
    late = Missing(person("Leo"), SEVEN, 12, over=False)
    open_ones = [
        held(match("Eva", HeldBy.AWAITED, missing=(late,))),
        held(match("Ana"), match("Dan"), count=40),
    ]
    [now] = [
        one for one in steps(facts(rounds=rounds(5), stages=[stage(rounds=1)], open=open_ones)) if one.state is NOW
    ]
    assert [(hold.reason, hold.count, [one.people[0].name for one in hold.matches]) for hold in now.holds] == [
        (HeldBy.AWAITED, 1, ["Eva"]),
        (HeldBy.NO_RESULT, 40, ["Ana", "Dan"]),
    ]
    assert (now.number, now.of) == (1, 1)


def test_round_by_round_the_next_one_waits_for_the_results_and_is_then_published():
    swiss = {"by_round": True, "stages": [stage(rounds=5, paired=True)]}
    waiting = named(strip(rounds=rounds(0, 2, 4, shown=2), **swiss))
    assert (waiting[Part.ROUND][1], waiting[Part.NEXT]) == ("Round 2", (WAITS, "Round 3", [HeldBy.RESULTS_MISSING]))
    assert waiting[Part.LATER] == (WAITS, 2, [])
    ready = named(strip(rounds=rounds(0, 0, 4, shown=2), **swiss))
    assert (Part.ROUND in ready, ready[Part.NEXT]) == (False, (NOW, "Round 3", [HeldBy.IS_DRAFT]))
    stale = named(strip(rounds=rounds(0, 0, 4, shown=2), stale=True, **swiss))
    assert stale[Part.NEXT] == (NOW, "Round 3", [HeldBy.STALE])


def test_of_two_rounds_that_are_played_at_once_the_later_one_is_now_and_both_hold_up_the_next():
    swiss = {"by_round": True, "stages": [stage(rounds=4, paired=True)]}
    [hold] = [one.holds[0] for one in steps(facts(rounds=rounds(1, 3, 4, shown=2), **swiss)) if one.part is Part.NEXT]
    assert (hold.reason, hold.count) == (HeldBy.RESULTS_MISSING, 4)
    assert named(strip(rounds=rounds(1, 3, 4, shown=2), **swiss))[Part.ROUND][1] == "Round 2"


def test_a_swiss_round_is_paired_once_the_one_before_is_official():
    swiss = {"by_round": True, "stages": [stage(rounds=3, paired=True)]}
    assert named(strip(rounds=rounds(0), **swiss))[Part.NEXT] == (NOW, 2, [HeldBy.TO_DRAW])
    assert named(strip(rounds=rounds(2), **swiss))[Part.NEXT] == (WAITS, 2, [HeldBy.RESULTS_MISSING])
    assert Part.NEXT not in named(strip(rounds=rounds(0, 0, 0), **swiss))


def test_after_the_groups_the_knock_out_is_drawn():
    both = [stage(1, 2, finished=True), stage(2, 2)]
    groups, cup = rounds(0, 0), rounds(2, 1, stage=2, first=3)
    found = steps(facts(rounds=groups, stages=both))
    due = next(one for one in found if one.part is Part.NEXT)
    assert (due.state, due.stage, due.number, due.holds[0].reason) == (NOW, both[1], 0, HeldBy.TO_DRAW)
    assert named(strip(rounds=groups, stages=both))[Part.LATER] == (WAITS, 1, [])
    semis = [one for one in steps(facts(rounds=groups + cup, stages=both)) if one.part is Part.ROUND]
    assert [(one.round.name, one.number, one.of) for one in semis] == [("Round 3", 1, 2)]


def test_a_knock_out_that_nobody_won_is_told_where_it_stops():
    nobody = held(match("Ana", HeldBy.NO_WINNER))
    found = named(strip(rounds=rounds(0, 0), stages=[stage(rounds=2)], no_winner=nobody))
    assert found[Part.FINISH] == (NOW, 0, [HeldBy.NO_WINNER])
    going = named(strip(rounds=rounds(0, 1), stages=[stage(rounds=2)], no_winner=nobody))
    assert going[Part.ROUND][2] == [HeldBy.NO_WINNER]


def test_it_is_over_once_nothing_waits_any_more():
    over = {"rounds": rounds(0), "stages": [stage(rounds=1, finished=True)]}
    assert strip(**over)[-2:] == [(Part.PLAYED, DONE, 1, []), (Part.FINISH, DONE, 0, [])]
    assert [state for _part, state, _about, _holds in strip(**over)].count(NOW) == 0
    held = named(strip(**over, amendments=1, imported=2, lots=True))[Part.FINISH]
    assert held == (NOW, 0, [HeldBy.AMENDMENT, HeldBy.IMPORTED, HeldBy.LOTS])


@pytest.mark.parametrize("count", [1, 39, 1000])
def test_the_strip_is_as_short_for_a_thousand_rounds(count):
    many = rounds(*[4] * count)
    assert len(strip(rounds=many, stages=[stage(rounds=count)])) <= 9


@pytest.mark.parametrize("open_ones", [(0, 0, 0), (0, 2, 2), (2, 0, 2), (2, 2, 2)])
@pytest.mark.parametrize("shown", [0, 1, 2, 3])
@pytest.mark.parametrize("published", [True, False])
@pytest.mark.parametrize("by_round", [True, False])
@pytest.mark.parametrize("paired", [True, False])
def test_at_most_one_step_is_now_and_never_more(open_ones, shown, published, by_round, paired):
    made = facts(
        published=published,
        by_round=by_round,
        rounds=rounds(*open_ones, shown=shown if published else 0),
        stages=[stage(rounds=4, paired=paired)],
    )
    for one in (made, replace(made, checks_in=True, absent=People(1, (person("Ana"),)))):
        assert [step.state for step in steps(one)].count(NOW) == 1
