"""What holds for the draw of every format, for every number of entrants: COMPETITIONS.md, formats."""

from collections import Counter

import pytest

from league.competitions.formats.double_elimination import double_elimination
from league.competitions.formats.groups import group_stage
from league.competitions.formats.round_robin import round_robin
from league.competitions.formats.single_elimination import single_elimination
from tests.cases import for_each
from tests.league.competitions.drawn_play import chance, numbered, play

SIZES = [*range(4, 65), 128, 256, 512, 1024]
FORMATS = {
    "knock-out": single_elimination,
    "knock-out with third place": lambda n: single_elimination(n, third_place=True),
    "double elimination": double_elimination,
    "double elimination without a reset": lambda n: double_elimination(n, reset=False),
    "groups of four": lambda n: group_stage(n, n // 4),
}
ROUND_ROBINS = {"round robin": round_robin, "double round robin": lambda n: round_robin(n, double=True)}
DRAWS = [
    *(pytest.param(make, n, id=f"{name}-{n}") for name, make in FORMATS.items() for n in SIZES),
    # 256 entrants make 32,640 matches; larger ones are in test_round_robin.py.
    *(pytest.param(make, n, id=f"{name}-{n}") for name, make in ROUND_ROBINS.items() for n in SIZES if n <= 256),
]


@for_each(("make", "n"), DRAWS)
def test_every_berth_is_a_seed_or_comes_from_an_earlier_round_and_a_bye_has_no_loser(make, n):
    slots = dict(numbered(make(n)))
    for (number, _place), slot in slots.items():
        assert len(slot.berths) in {1, 2}
        for berth in slot.berths:
            source = berth.source
            assert berth.seed is None or 1 <= berth.seed <= n
            if source is None:
                assert berth.seed
            else:
                before = slots[source.round_number, source.slot_number]
                assert source.round_number < number
                assert (berth.seed is None) == (not before.is_bye)
                assert not (source.loser and before.is_bye)


@for_each(("make", "n"), DRAWS)
def test_nobody_goes_to_two_places(make, n):
    drawn = make(n)
    sources = Counter(berth.source for _key, slot in numbered(drawn) for berth in slot.berths if berth.source)
    assert all(times == 1 for times in sources.values())


@for_each(("make", "n"), DRAWS)
def test_everybody_takes_part_and_nobody_is_twice_in_a_round(make, n):
    drawn = make(n)
    ends = play(drawn, chance(n))
    by_round = [[] for _one in drawn]
    for (number, _place), end in ends.items():
        by_round[number - 1] += [seed for seed in end if seed]
    for number, here in enumerate(by_round, start=1):
        assert len(here) == len(set(here)), number
    everybody = set(range(1, n + 1))
    assert set().union(*by_round) == everybody
    assert set(by_round[0]) == everybody
