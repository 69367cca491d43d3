"""One fault planted in an honest log of Uno Dominoes: exactly that code comes back, at that line."""

from functools import cache
from random import Random

import pytest

from games.errors import Reason
from games.notation.reading import dumps
from referee import verify_text
from referee.playouts.uno import UnoHabits, playout_uno
from tests.referee import uno_faults_calls, uno_faults_turns  # noqa: F401  # they fill PLANTERS
from tests.referee.playouts.test_uno_playouts import habits, options
from tests.referee.uno_scene import PLANTERS, planted, without_result

LEFT_OUT = {
    Reason.WRONG_RESULT: "stands at a tag, not in a line: planted by itself below",
    Reason.UNCLEAR_OFFENCE: "nobody has to play, so a wrong lead is all that hidden racks can prove (RULES.md 2.25)",
    Reason.WRONG_COUNT: "no play scores, nothing is announced: `call N` is a bad-event",
    Reason.MISSED_POINTS: "no play scores (RULES.md 2.34)",
    Reason.WRONG_CHIPS: "no chips are paid: `chips` is a bad-event",
    Reason.CLOCK_UNKNOWN: "no ruling needs a time: the order of lines decides a catch (RULES.md 2.29)",
}
"""Codes that no planter has, and why."""

GAMES = 200
FEWEST, ENOUGH = 3, 8
"""Times that a fault must find a place, or the games are the wrong ones for it; and when it is looked for no more."""
CLOCK_S = "36000"
"""No game lasts so long: the bell rings where a planter says so."""
WHOLE_SET, NEARLY = "40/27/20/16/13", "38/26/19/15/13"
"""Hands that leave no pile to three seats, and hardly one to anybody."""


def honest(seed, hidden=()):
    """A game of any number of seats and house rules; in some the set is dealt, or most of it."""
    chosen = options(seed) | {"clock_s": CLOCK_S}
    seats = 2 + seed % 5
    if seed % 7 == 3:
        seats, chosen["hand"] = 3, WHOLE_SET
    elif seed % 7 == 5:
        chosen["hand"] = NEARLY
    return without_result(playout_uno(rng=Random(seed), seats=seats, options=chosen, habits=habits(seed, hidden)).log)


@cache
def spoilt():
    """By planter: honest logs, each with its fault."""
    places = {name: [] for name in PLANTERS}
    for seed in range(GAMES):
        hidden = () if seed % 3 else tuple(range(seed % 2, 2 + seed % 5))
        wanted = [n for n, (_, blind, _) in PLANTERS.items() if blind is bool(hidden) and len(places[n]) < ENOUGH]
        if wanted:
            log = honest(seed, hidden)
            for name, fault in planted(log, Random(seed), wanted).items():
                places[name].append((log, fault))
    return places


def findings(text):
    (verdict,) = verify_text(text)
    return {(finding.line, finding.code) for finding in verdict.findings}


def test_every_code_is_planted_or_left_out_for_a_reason():
    planted_codes = {reason for reason, _, _ in PLANTERS.values()}
    assert planted_codes | set(LEFT_OUT) == set(Reason)
    assert not planted_codes & set(LEFT_OUT)


@pytest.mark.parametrize("name", PLANTERS)
def test_a_planted_fault_is_found_and_nothing_else(name):
    reason = PLANTERS[name][0]
    places = spoilt()[name]
    assert len(places) >= FEWEST, f"{name} could be planted only {len(places)} times"
    for log, fault in places:
        before = {found for found in findings(dumps(log)) if found[0] < fault.first}
        found = findings(fault.text)
        if reason is not Reason.INCOMPLETE:
            found = {(line, code) for line, code in found if code != "incomplete"}
        tail = fault.text.splitlines()[-4:]
        assert found - before == {(fault.line, reason.value)}, (log.tags, tail)
        assert before <= found, (log.tags, tail)


def test_a_wrong_result_is_found_at_its_tag():
    for seed in range(FEWEST):
        game = playout_uno(rng=Random(seed), seats=2 + seed, habits=UnoHabits())
        right = f'[Result "{game.log.tags["Result"]}"]'
        text = dumps(game.log)
        wrong = text.replace(right, right.replace('"]', '0"]'))
        line = text[: text.index(right)].count("\n") + 1
        assert findings(wrong) - findings(text) == {(line, "wrong-result")}
