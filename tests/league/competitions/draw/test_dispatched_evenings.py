"""Random evenings played with the dispatcher, beside the same evenings by the fixed plan."""

from itertools import pairwise
from random import Random
from statistics import mean

import pytest

from league.competitions.formats.registry import SPECS
from tests.league.competitions.draw.simulated_evening import (
    dispatched,
    end_of,
    lower_bound,
    planned,
    random_evening,
)
from tests.volume import SEED, THOROUGH

FORMATS = [key for key, spec in SPECS.items() if not spec.is_ladder]
EVENINGS = (1000 if THOROUGH else 35) // len(FORMATS)


def evenings(key, *, wishes=False):
    random = Random(f"{SEED} {key}")
    return [random_evening(key, random, wishes=wishes) for _ in range(EVENINGS)]


@pytest.mark.parametrize("key", FORMATS)
def test_evenings_end_earlier_than_by_the_plan(key):
    before, later = [], 0
    for evening in evenings(key):
        plays, by_plan = dispatched(evening), planned(evening)
        assert {one.key for one in plays} == {one.key for one in by_plan}
        assert nobody_is_twice_at_once(plays)
        assert end_of(plays) >= lower_bound(evening, plays) - 1e-6
        behind = end_of(plays) - end_of(by_plan)
        assert behind <= max(evening.minutes)
        before.append(-behind)
        later += behind > 1e-6
    assert mean(before) > 0
    assert later <= len(before) * 0.02


@pytest.mark.parametrize("key", FORMATS)
def test_wishes_and_rest_are_honoured(key):
    for evening in evenings(key, wishes=True)[:20]:
        plays = dispatched(evening, rest=5)
        assert nobody_is_twice_at_once(plays, rest=5)
        for one in plays:
            pins = evening.wishes.pins(one.people)
            if pins:
                assert one.table == pins[0][1]
            elif evening.wishes.need(one.people):
                assert one.table in evening.wishes.accessible


def nobody_is_twice_at_once(plays, *, rest=0.0):
    """Tell whether matches of a table follow one another, and those of a person with a rest between them."""
    tables, people = {}, {}
    for one in sorted(plays, key=lambda one: one.begins):
        tables.setdefault(one.table, []).append(one)
        for person in one.people:
            people.setdefault(person, []).append(one)
    return all(
        before.ends + pause <= after.begins + 1e-6
        for spans, pause in ((tables, 0.0), (people, rest))
        for each in spans.values()
        for before, after in pairwise(each)
    )


def test_the_control_a_person_at_two_tables_is_found():
    evening = evenings(FORMATS[0])[0]
    plays = dispatched(evening)
    first = min(plays, key=lambda one: one.begins)
    assert not nobody_is_twice_at_once([*plays, first._replace(table=99, begins=first.begins + 1)])
    assert not nobody_is_twice_at_once([*plays, first._replace(people=frozenset(), begins=first.begins + 1)])
