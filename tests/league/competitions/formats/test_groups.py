"""Groups, who goes on from them, and the bracket after them: COMPETITIONS.md, formats."""

from collections import Counter, defaultdict
from itertools import combinations, permutations, product

import pytest

from league.competitions.formats.club_separation import kept_apart
from league.competitions.formats.groups import GroupPlace, Qualifier, group_stage, knockout_seeds, qualifiers, snake
from league.competitions.formats.round_robin import round_robin
from league.competitions.formats.single_elimination import single_elimination
from tests.cases import for_each
from tests.league.competitions.drawn_play import numbered

NUMBERS = [*range(2, 65), 128, 256, 512, 1024]
GROUPS = [1, 2, 3, 4, 5, 7, 8, 16, 32]
STAGES = [(n, groups) for n in NUMBERS for groups in GROUPS if 2 * groups <= n <= 32 * groups]


def test_seeds_go_to_the_groups_as_a_snake():
    assert snake(12, 4) == [[1, 8, 9], [2, 7, 10], [3, 6, 11], [4, 5, 12]]
    assert snake(10, 4) == [[1, 8, 9], [2, 7, 10], [3, 6], [4, 5]]
    assert snake(6, 1) == [[1, 2, 3, 4, 5, 6]]


@for_each(("n", "groups"), STAGES)
def test_everybody_is_in_one_group_sizes_differ_by_one_and_no_group_has_two_of_one_lap(n, groups):
    found = snake(n, groups)
    assert sorted(seed for seeds in found for seed in seeds) == list(range(1, n + 1))
    assert {len(seeds) for seeds in found} <= {n // groups, -(-n // groups)}
    for seeds in found:
        assert [(seed - 1) // groups for seed in seeds] == list(range(len(seeds)))


@pytest.mark.parametrize(("n", "groups"), [(3, 2), (7, 4), (5, 0), (1, 1), (4, -1)])
def test_a_group_of_one_is_refused(n, groups):
    with pytest.raises(ValueError, match="groups of two or more"):
        snake(n, groups)
    with pytest.raises(ValueError, match="groups of two or more"):
        group_stage(n, groups)


@for_each("double", [False, True])
@for_each(("n", "groups"), [(n, groups) for n, groups in STAGES if n <= 128])
def test_round_k_of_every_group_is_in_round_k_by_its_berger_table(n, groups, double):
    rounds = group_stage(n, groups, double=double)
    by_group = [defaultdict(list) for _one in rounds]
    for (number, _place), slot in numbered(rounds):
        by_group[number - 1][slot.group].append(slot)
    for number, seeds in enumerate(snake(n, groups), start=1):
        own = [one[number] for one in by_group]
        table = round_robin(len(seeds), double=double)
        expected = [[tuple(seeds[berth.seed - 1] for berth in slot.berths) for slot in one.slots] for one in table]
        found = [[tuple(berth.seed for berth in slot.berths) for slot in slots] for slots in own]
        assert found == expected + [[]] * (len(rounds) - len(table))
    for one in rounds:
        seated = [berth.seed for slot in one.slots for berth in slot.berths]
        assert len(seated) == len(set(seated))
        assert [slot.group for slot in one.slots] == sorted(slot.group for slot in one.slots)
    assert rounds[-1].slots


@for_each(("n", "groups"), STAGES)
def test_group_mates_meet_once_and_others_never(n, groups):
    rounds = group_stage(n, groups)
    met = Counter(frozenset(berth.seed for berth in slot.berths) for _key, slot in numbered(rounds) if not slot.is_bye)
    mates = Counter(frozenset(pair) for seeds in snake(n, groups) for pair in combinations(seeds, 2))
    assert met == mates


# --- Who goes on ---


def place(entrant, group, place, played, *totals, seed=None):
    return GroupPlace(entrant, seed or entrant, group, place, played, totals)


# Three groups; the third has one entrant fewer, so fewer matches were played in it. Wins, then difference.
TABLES = [
    place(1, 1, 1, 3, 3, 90),
    place(6, 1, 2, 3, 2, 15),
    place(7, 1, 3, 3, 1, -30),
    place(12, 1, 4, 3, 0, -75),
    place(2, 2, 1, 3, 3, 120),
    place(5, 2, 2, 3, 1, 6),
    place(8, 2, 3, 3, 1, -36),
    place(11, 2, 4, 3, 1, -90),
    place(3, 3, 1, 2, 2, 70),
    place(4, 3, 2, 2, 1, -15),
    place(9, 3, 3, 2, 0, -55),
]


def test_the_best_of_each_group_go_on_and_the_best_of_those_who_come_next():
    """Worked by hand. Winners: 1, 1, 1 wins a match and 30, 40, 35 points. Seconds: 2/3, 1/3 and 1/2 wins a match.
    Thirds: 1/3 with -10, 1/3 with -12, and 0.
    """
    through = qualifiers(TABLES, best=2, rest=2)
    assert through == [
        Qualifier(2, 2, 1),
        Qualifier(3, 3, 1),
        Qualifier(1, 1, 1),
        Qualifier(6, 1, 2),
        Qualifier(4, 3, 2),
        Qualifier(5, 2, 2),
        Qualifier(7, 1, 3, among_the_rest=True),
        Qualifier(8, 2, 3, among_the_rest=True),
    ]


def test_a_smaller_group_is_compared_by_averages_a_match():
    """1 of 2 (0.5 a match) is better than 1 of 3; the totals alone would say the points difference decides."""
    through = qualifiers(TABLES, best=1, rest=2)
    assert [one.entrant for one in through] == [2, 3, 1, 6, 4]
    by_totals = sorted((one for one in TABLES if one.place == 2), key=lambda one: one.totals, reverse=True)
    assert [one.entrant for one in by_totals] == [6, 5, 4]


def test_who_is_level_in_everything_with_somebody_left_behind_is_known_to_go_on_by_seed_alone():
    level = [place(10, 1, 1, 2, 4), place(11, 1, 2, 2, 2, seed=4), place(20, 2, 1, 2, 4), place(21, 2, 2, 2, 2, seed=3)]
    assert qualifiers(level, best=1, rest=1) == [
        Qualifier(10, 1, 1),
        Qualifier(20, 2, 1),
        Qualifier(21, 2, 2, among_the_rest=True, only_by_seed=True),
    ]
    shared = [
        place(10, 1, 1, 2, 4),
        place(11, 1, 2, 2, 2, seed=8),
        place(12, 1, 2, 2, 2, seed=7),
        place(13, 1, 4, 2, 0),
    ]
    assert qualifiers(shared, best=2) == [Qualifier(10, 1, 1), Qualifier(12, 1, 2, only_by_seed=True)]
    assert qualifiers(shared, best=3) == [Qualifier(10, 1, 1), Qualifier(12, 1, 2), Qualifier(11, 1, 3)]


def test_a_group_that_has_not_played_is_level_with_nothing_won():
    through = qualifiers([place(1, 1, 1, 0, 0, 0), place(2, 2, 1, 1, 1, 20), place(3, 3, 1, 1, 0, -20)], best=1)
    assert [one.entrant for one in through] == [2, 1, 3]


@pytest.mark.parametrize(("best", "rest"), [(0, 0), (5, 0), (4, 0), (3, 3), (2, 4), (-1, 3), (3, -1)])
def test_more_than_the_groups_have_cannot_go_on(best, rest):
    """Groups of four, four and three: three of each and two of the rest at most."""
    with pytest.raises(ValueError, match="do not yield"):
        qualifiers(TABLES, best=best, rest=rest)


def test_where_entrants_left_as_many_go_on_as_there_are():
    short = [place(10, 1, 1, 1, 2), place(20, 2, 1, 1, 2), place(21, 2, 2, 1, 0)]
    with pytest.raises(ValueError, match="do not yield"):
        qualifiers(short, best=2)
    assert [one.entrant for one in qualifiers(short, best=2, may_lack=True)] == [10, 20, 21]


# --- The bracket after them ---


def through_from(groups, best, rest=()):
    """Winners of groups 1, 2, … in this order, seconds in the same, then the next-placed of `rest` groups."""
    tiers = [(number, tier) for tier in range(1, best + 1) for number in range(1, groups + 1)]
    return [Qualifier(100 * tier + group, group, tier) for group, tier in tiers] + [
        Qualifier(100 * (best + 1) + group, group, best + 1, among_the_rest=True) for group in rest
    ]


def earliest_rounds(n):
    """The round in which each pair of seeds can first meet, from the drawn bracket itself."""
    can_come, first = {}, {}
    for key, slot in numbered(single_elimination(n)):
        sides = [
            can_come[berth.source.round_number, berth.source.slot_number] if berth.source else {berth.seed}
            for berth in slot.berths
        ]
        can_come[key] = set().union(*sides)
        first |= {frozenset(pair): key[0] for pair in product(*sides)} if len(sides) == 2 else {}
    return first


def meetings_by_round(entrants, first):
    """How many pairs of group-mates can first meet in round 1, 2, …; a group is the number below the hundreds."""
    rounds = max(first.values())
    pairs = combinations(enumerate(entrants, start=1), 2)
    met = Counter(first[frozenset((a, b))] for (a, one), (b, other) in pairs if one % 100 == other % 100)
    return [met[number] for number in range(1, rounds + 1)]


def late_as_can_be(best, rounds):
    """Two mates can be kept for the final, three or four for the semi-finals: one in each part of the bracket."""
    return rounds - (best - 1).bit_length() + 1


@for_each("best", range(2, 5))
@for_each("groups", range(2, 17))
def test_group_mates_meet_as_late_as_can_be(groups, best):
    through = through_from(groups, best)
    first = earliest_rounds(len(through))
    met = meetings_by_round(knockout_seeds(through), first)
    earliest = next(number for number, pairs in enumerate(met, start=1) if pairs)
    assert earliest == late_as_can_be(best, len(met))
    halves = best // 2 * (best - best // 2)
    assert met[-1] == groups * halves


def test_in_the_order_of_merit_some_would_meet_earlier():
    early = []
    for groups, best in product(range(2, 17), range(2, 5)):
        through = through_from(groups, best)
        met = meetings_by_round([one.entrant for one in through], earliest_rounds(len(through)))
        if any(met[: late_as_can_be(best, len(met)) - 1]):
            early.append((groups, best))
    assert len(early) > 20


@for_each("best", range(1, 5))
@for_each("groups", range(2, 17))
def test_winners_keep_the_best_seeds_in_their_order_and_no_third_stands_above_a_second(groups, best):
    through = through_from(groups, best, rest=range(1, groups, 2))
    seeds = knockout_seeds(through)
    assert seeds[:groups] == [one.entrant for one in through[:groups]]
    assert [entrant // 100 for entrant in seeds] == [one.place for one in through]
    assert sorted(seeds) == sorted(one.entrant for one in through)
    assert seeds == knockout_seeds(through)


SMALL = [
    (groups, best, rest)
    for groups, best in [(2, 1), (2, 2), (2, 3), (2, 4), (3, 1), (3, 2), (3, 3), (4, 1), (4, 2), (5, 1), (5, 2)]
    for size in range(min(groups, 4))
    for rest in combinations(range(1, groups + 1), size)
]


@for_each(("groups", "best", "rest"), SMALL)
def test_no_other_order_within_the_places_keeps_mates_further_apart(groups, best, rest):
    """Every order of the seconds, of the thirds, … and of the rest is tried."""
    through = through_from(groups, best, rest)
    first = earliest_rounds(len(through))
    entrants = [one.entrant for one in through]
    tiers = [[entrant for entrant in entrants if entrant // 100 == tier] for tier in range(2, best + 2)]
    every = product(*map(permutations, tiers))
    least = min(
        meetings_by_round([*entrants[:groups], *(entrant for tier in order for entrant in tier)], first)
        for order in every
    )
    assert meetings_by_round(knockout_seeds(through), first) == least


def test_where_merit_already_keeps_mates_apart_nothing_is_changed():
    through = through_from(6, 2)
    assert knockout_seeds(through) == [one.entrant for one in through]


def test_nobody_to_change_with_keeps_the_order_of_merit():
    assert kept_apart([1, 1, 1], []) == [0, 1, 2]
    assert kept_apart([4], [range(1)]) == [0]
