"""Criteria packed into one integer, and pairs that need not be looked at."""

from itertools import combinations
from random import Random

import pytest

from league.competitions.formats.swiss import Contender, matching, pair
from league.competitions.formats.swiss.bounds import fewest_squares
from league.competitions.formats.swiss.matching import best_pairs, left_over
from league.competitions.formats.swiss.ranks import Costs, Ranks, bye_classes
from league.competitions.formats.swiss.weights import INTEGER_BITS, matched, packed, salts
from tests.league.competitions.swiss_world import all_met, event, least


def matchings_of(nodes):
    if not nodes:
        yield []
        return
    one, *others = nodes
    for other in others:
        for rest in matchings_of([each for each in others if each != other]):
            yield [(one, other), *rest]


@pytest.mark.parametrize("seed", range(20))
def test_the_heavier_round_is_the_one_that_costs_less_by_the_first_criterion_that_differs(seed):
    chance = Random(seed)
    costs = {edge: Costs(*(chance.randrange(3) for _ in Costs._fields)) for edge in combinations(range(8), 2)}
    edges = [(i, j, costs[i, j]) for i, j in costs]
    weights = {(i, j): weight for i, j, weight in packed(edges, 8, [0] * len(edges))}
    rounds = list(matchings_of(list(range(8))))
    by_weight = sorted(rounds, key=lambda round_: -sum(weights[edge] for edge in round_))
    summed = [tuple(map(sum, zip(*(costs[edge] for edge in round_), strict=True))) for round_ in by_weight]
    assert summed == sorted(summed)


def same_weights(drawn):
    """How many of the 105 rounds of eight alike are the best."""
    alike = Costs()
    edges = [(i, j, alike) for i, j in combinations(range(8), 2)]
    weights = {(i, j): weight for i, j, weight in packed(edges, 8, drawn(edges))}
    sums = [sum(weights[edge] for edge in round_) for round_ in matchings_of(list(range(8)))]
    return sums.count(max(sums))


def test_of_rounds_that_are_alike_in_all_criteria_one_is_the_best():
    ranks = Ranks([Contender(number, number) for number in range(1, 9)])
    assert same_weights(lambda edges: salts(ranks, edges)) == 1
    assert same_weights(lambda edges: [0] * len(edges)) == 105  # the control


@pytest.mark.parametrize(("entrants", "off"), [(10, 10), (100, 100), (1_000, 1_000), (5_000, 96)])
def test_the_worst_costs_of_a_tournament_leave_room_to_overflow_nothing(entrants, off):
    """Scores may differ by 15 wins and leads by 15 either way; the fold may be off by everybody, in a window of the
    second width by four times 24."""
    worst = Costs(1, squares=30**2, floats=2, leavers=off, halves=1, fold=off**2, sides=4 * 15 + 1)
    nothing = Costs()
    weights = [weight for _i, _j, weight in packed([(0, 1, worst), (2, 3, nothing)], entrants, [2**32 - 1, 0])]
    assert min(weights) == 0
    # Duals of the matching stay within (n/2 + 2) weights of zero, slacks within twice (n + 6), searches double them.
    assert max(weights) * (4 * entrants + 24) < 2**INTEGER_BITS


def test_criteria_that_would_not_fit_are_refused_rather_than_mixed_up():
    huge = Costs(0, 0, 0, 0, sides=2**120 - 1)
    with pytest.raises(OverflowError, match="need 120 bits, and there are 118"):
        packed([(0, 1, huge)], 100, [0])


def test_weights_as_large_as_are_allowed_are_matched_right_and_larger_ones_are_not():
    """The second half is the control: a matching that overflows panics where it checks itself, or is not the best."""
    assert heaviest_of_random(bits=118) == heaviest_of_random(bits=118, scaled=58)
    with pytest.raises(BaseException, match="assertion"):
        heaviest_of_random(bits=126, verified=True)


def heaviest_of_random(bits, *, scaled=0, verified=False):
    """The matching of 60 nodes with random weights of so many bits, `scaled` down so far in Python's own integers."""
    import rustworkx

    chance = Random(1)
    edges = [(i, j, chance.getrandbits(60) << (bits - 60)) for i, j in combinations(range(60), 2)]
    edges = [(i, j, weight >> scaled if scaled else weight) for i, j, weight in edges]
    if not verified:
        return matched(60, edges)
    graph = rustworkx.PyGraph()
    graph.add_nodes_from(range(60))
    graph.add_edges_from(edges)
    return rustworkx.max_weight_matching(graph, max_cardinality=True, weight_fn=int, verify_optimum=True)


# --- Windows and their proof ---


@pytest.mark.parametrize("seed", range(2))
def test_what_is_not_looked_at_among_a_hundred_and_more_would_not_bring_scores_closer(seed):
    one = event(seed, 100, 160)
    for _ in range(8):
        contenders = one.contenders()
        ranks = Ranks(contenders)
        if len(ranks) % 2 == 0:
            window, every = (
                sum(ranks.costs(i, j).squares for i, j in best_pairs(ranks, whole=whole)) for whole in (0, 1_000)
            )
            assert window == every
        one.play(pair(contenders), [])


def many_met(seed, counts, times):
    """Three scores; each has met some of the others, so that the best round is often worse than if nobody had met."""
    chance = Random(seed)
    count = chance.choice(counts)
    met = {id_: set() for id_ in range(1, count + 1)}
    for _ in range(times * count):
        a, b = chance.sample(range(1, count + 1), 2)
        met[a].add(b)
        met[b].add(a)
    return [Contender(id_, id_, 2 * chance.randrange(3), frozenset(met[id_])) for id_ in met]


@pytest.mark.parametrize("seed", range(60))
def test_the_bound_is_never_above_the_least_sum_of_squares(seed):
    contenders = many_met(seed, counts=[6, 8, 10], times=2)
    best = least(contenders)
    if best is not None:
        for worse in (0, 4, 8):
            assert fewest_squares(Ranks(contenders), (), at_most=best[2] + worse) <= best[2]


@pytest.mark.parametrize("batch", range(10))
def test_the_bound_is_never_above_the_best_round_of_large_groups_either(batch):
    """Some stand for all of a large group there; with a bye, and without."""
    for seed in range(batch, 300, 10):
        ranks = Ranks(many_met(seed, counts=[19, 20, 25, 26], times=3))
        takers = bye_classes(ranks.everybody)[0] if len(ranks) % 2 else ()
        pairs = best_pairs(ranks, takers)
        if pairs is not None:
            squares = sum(ranks.costs(i, j).squares for i, j in pairs if j < len(ranks))
            for worse in (0, 4, 8):
                assert fewest_squares(ranks, takers, at_most=squares + worse) <= squares


def test_the_bound_knows_that_the_two_at_the_top_have_met():
    met = all_met(1, 2)
    top = [Contender(1, 1, 8, met[1]), Contender(2, 2, 8, met[2])]
    ranks = Ranks([*top, *(Contender(number, number, 6) for number in range(3, 41))])
    assert fewest_squares(ranks, (), at_most=8) == 8
    ranks = Ranks([*(Contender(one.id, one.number, 8) for one in top), *ranks.everybody[2:]])
    assert fewest_squares(ranks, (), at_most=8) == 0


def test_who_stays_alone_is_the_same_whoever_is_asked_first():
    met = all_met(*range(1, 6))
    contenders = [Contender(id_, id_, met=met.get(id_, frozenset())) for id_ in range(1, 9)]
    for seed in range(5):
        ranks = Ranks(Random(seed).sample(contenders, 8))
        assert len(left_over(ranks)) == 2
        assert left_over(ranks) == left_over(Ranks(contenders))


def test_a_window_of_everything_looks_at_every_pair_once():
    ranks = Ranks([Contender(number, number, number // 3) for number in range(1, 12)])
    pairs = list(matching.Window(11, 11).pairs(ranks))
    assert sorted(pairs) == list(combinations(range(11), 2))
