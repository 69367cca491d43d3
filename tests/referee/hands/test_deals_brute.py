"""Hidden hands against brute force: on small sets every deal is laid out, and the answer must be the same."""

from random import Random

import pytest

from games.notation import reading as notation
from games.notation.reading import loads
from games.ruleset import Lead, NoDouble, Spinner
from games.rulesets import RULESETS
from referee import verify_text
from referee.verdict import Verdict
from tests.referee.brute import answer
from tests.referee.tiny import TinyTable, tiny_rules
from tests.volume import seeds

JUDGED = {"draw-when-able", "pass-when-able", "must-play-drawn", "wrong-lead", "unclear-offence", "no-consistent-deal"}
OPTIONS = {
    "plain": {},
    "draw_until": {"no_double": NoDouble.DRAW_UNTIL},
    "lot": {"lead_first": Lead.LOT},
    "any tile leads": {"lead_forced": False},
    "any tile leads, draw_until": {"lead_forced": False, "no_double": NoDouble.DRAW_UNTIL},
    "voluntary": {"voluntary_draw": True, "must_play_drawn": False},
    "must play drawn": {"voluntary_draw": True, "must_play_drawn": True, "lead_first": Lead.LOT},
    "must play drawn, led": {"voluntary_draw": True, "must_play_drawn": True},
    "reserve": {"boneyard_reserve": 2, "spinner": Spinner.ALL},
}
DRAWN_FOR = {
    "": {},
    "any tile leads": {"lead_forced": False},
    "voluntary": {"voluntary_draw": True, "must_play_drawn": False},
    "any tile leads, must play drawn": {"lead_forced": False, "voluntary_draw": True, "must_play_drawn": True},
}
SIZES = [(2, 2, 2), (3, 2, 3), (3, 2, 2), (3, 3, 2)]
FEW_DEALT = [(2, 2, 1), (3, 2, 2), (2, 3, 1), (3, 2, 1)]
"""Highest half, seats, tiles a hand, with doubles enough in the boneyard."""


def compare(rules, seats, text):
    """Whether the text could be judged by its hidden hands; then both must say the same."""
    (log,) = loads(text)
    (verdict,) = verify_text(text)
    assert isinstance(verdict, Verdict)
    impossible = [f for f in verdict.findings if f.severity == "impossible"]
    if verdict.evidence == "complete" or any(f.code != "no-consistent-deal" for f in impossible):
        return None
    expected = answer(log.entries, rules, seats, rules.lead_first)
    found = {(f.line, f.code) for f in verdict.findings if f.code in JUDGED}
    if isinstance(expected, tuple):
        assert [(f.code, f.line) for f in impossible] == [expected], text
        assert verdict.status == "impossible"
        return "no-consistent-deal"
    assert found == expected, text
    if expected:
        assert verdict.status == "violation"
    codes = {code for _, code in expected}
    return "unclear-offence" if "unclear-offence" in codes else "offence" if codes else "nothing"


def same_as_brute_force(monkeypatch, rules, seed, *, doubles=True):
    """Play a round and write it down with some tiles unseen; see :func:`compare`."""
    rng = Random(seed)
    (seats,) = rules.hand
    monkeypatch.setitem(RULESETS, "tiny", rules)
    monkeypatch.setattr(notation, "_PLAIN_HEADERS", {})  # what the last "tiny" meant is forgotten
    table = TinyTable(rules, seats, rng, offend=rng.choice((0, 0.15, 0.4)))
    if not doubles:
        table.deal_no_double()
    table.play_round()
    return compare(rules, seats, table.written(hide=rng.choice((0.4, 0.8, 1.0)), lie=rng.choice((0, 0, 0.15))))


@pytest.mark.slow("every deal of small rounds")
@pytest.mark.parametrize("options", OPTIONS.values(), ids=OPTIONS)
def test_the_same_answer_as_brute_force(options, monkeypatch):
    rules = [tiny_rules(*size, **options) for size in SIZES]
    told = {same_as_brute_force(monkeypatch, rules[seed % len(rules)], seed) for seed in seeds(40)}
    assert {"nothing", "offence"} <= told


@pytest.mark.slow("every deal of small rounds")
@pytest.mark.parametrize("options", DRAWN_FOR.values(), ids=DRAWN_FOR)
def test_3_4_the_same_answer_as_brute_force_where_a_double_is_drawn_for(options, monkeypatch):
    rules = [tiny_rules(*size, no_double=NoDouble.DRAW_UNTIL, **options) for size in FEW_DEALT]
    told = {same_as_brute_force(monkeypatch, rules[seed % 4], seed, doubles=False) for seed in seeds(40)}
    assert {"nothing", "offence"} <= told
