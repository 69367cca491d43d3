"""Who goes up and down at the end of a season: worked by hand, and whatever the tables say."""

from hypothesis import given
from hypothesis import strategies as st

from league.competitions.formats.promotion import (
    Destination,
    DivisionEnd,
    DivisionRules,
    Fate,
    LevelGroup,
    PlayOffPair,
    Zone,
    promotions,
    zones,
)


def end(level, entrants, *, left=(), ranks=None, **rules):
    order = [(one, ranks[place] if ranks else place + 1) for place, one in enumerate(entrants)]
    return DivisionEnd(level=level, order=order, rules=DivisionRules(**rules), left=frozenset(left))


def moves(found):
    return {one.entrant: (one.why, one.to_level) for one in found.destinations}


TOP, MIDDLE, LAST = [11, 12, 13, 14], [21, 22, 23, 24], [31, 32, 33, 34]


def test_the_first_go_up_and_the_last_go_down_but_not_from_the_top_or_the_bottom():
    found = promotions(
        [end(number, one, promote=1, relegate=1) for number, one in enumerate((TOP, MIDDLE, LAST), start=1)], {}
    )
    assert moves(found) == {
        11: (Fate.STAYS, 1), 12: (Fate.STAYS, 1), 13: (Fate.STAYS, 1), 14: (Fate.RELEGATED, 2),
        21: (Fate.PROMOTED, 1), 22: (Fate.STAYS, 2), 23: (Fate.STAYS, 2), 24: (Fate.RELEGATED, 3),
        31: (Fate.PROMOTED, 2), 32: (Fate.STAYS, 3), 33: (Fate.STAYS, 3), 34: (Fate.STAYS, 3),
    }  # fmt: skip
    assert found.settled
    assert found.champions == {1: (11,), 2: (21,), 3: (31,)}
    assert [one.entrant for one in found.of(2)] == [14, 22, 23, 31]


def test_play_offs_pair_the_best_below_with_the_last_above_and_nobody_moves_before_they_are_decided():
    ends = [end(1, TOP, relegate=1), end(2, MIDDLE, promote=1, play_off_up=2)]
    found = promotions(ends, {frozenset((22, 13)): 22})
    assert found.pairs == (
        PlayOffPair(upper_level=1, number=1, lower=22, upper=13, decided=True, winner=22),
        PlayOffPair(upper_level=1, number=2, lower=23, upper=12, decided=False, winner=None),
    )
    assert not found.settled
    assert moves(found) == {
        11: (Fate.STAYS, 1), 12: (Fate.WAITS, None), 13: (Fate.LOST_DOWN, 2), 14: (Fate.RELEGATED, 2),
        21: (Fate.PROMOTED, 1), 22: (Fate.WON_UP, 1), 23: (Fate.WAITS, None), 24: (Fate.STAYS, 2),
    }  # fmt: skip
    over = promotions(ends, {frozenset((22, 13)): 22, frozenset((23, 12)): None})
    assert over.settled
    assert [moves(over)[one] for one in (12, 23)] == [(Fate.HELD, 1), (Fate.MISSED_UP, 2)]


def test_a_play_off_between_others_decides_nothing():
    ends = [end(1, TOP), end(2, MIDDLE, play_off_up=1)]
    found = promotions(ends, {frozenset((22, 14)): 22})
    assert [(one.lower, one.upper, one.decided) for one in found.pairs] == [(21, 14, False)]


def test_whoever_left_is_not_promoted_and_the_next_one_is():
    found = promotions([end(1, TOP, relegate=1), end(2, MIDDLE, left=[21], promote=1)], {})
    assert moves(found)[21] == (Fate.LEFT, None)
    assert moves(found)[22] == (Fate.PROMOTED, 1)
    assert found.champions[2] == (22,)


def test_whoever_left_keeps_no_place_and_the_next_one_keeps_it():
    found = promotions([end(1, TOP, left=[11], relegate=1), end(2, MIDDLE, promote=1)], {})
    assert moves(found)[14] == (Fate.STAYS, 1)
    assert [one.entrant for one in found.of(1)] == [12, 13, 14, 21]


def test_who_is_level_where_it_matters_waits_for_a_lot():
    ends = [end(1, TOP, ranks=[1, 1, 3, 3], relegate=1), end(2, MIDDLE, promote=1)]
    found = promotions(ends, {})
    assert found.ties == (LevelGroup(1, (13, 14)),)
    assert not found.settled
    assert found.champions[1] == (11, 12)


def test_the_order_within_a_play_off_matters_too():
    ends = [end(1, TOP), end(2, MIDDLE, ranks=[1, 1, 3, 4], play_off_up=2)]
    assert promotions(ends, {}).ties == (LevelGroup(2, (21, 22)),)


def test_with_more_places_than_people_promotion_comes_first():
    assert zones(3, DivisionRules(promote=2, play_off_up=2, play_off_down=2, relegate=2)) == [
        Zone.UP,
        Zone.UP,
        Zone.DOWN,
    ]
    assert zones(0, DivisionRules(promote=1, relegate=1)) == []


def test_a_season_of_one_division_moves_nobody():
    found = promotions([end(1, TOP, promote=2, relegate=2, play_off_up=1)], {})
    assert set(moves(found).values()) == {(Fate.STAYS, 1)}


def test_levels_need_not_follow_one_another():
    found = promotions([end(2, TOP, relegate=1), end(5, LAST, promote=1)], {})
    assert found.destinations[3] == Destination(entrant=14, level=2, place=4, why=Fate.RELEGATED, to_level=5)
    assert moves(found)[31] == (Fate.PROMOTED, 2)


# --- Whatever the tables ---


@st.composite
def seasons(draw, *, balanced=False):
    """Divisions of any size with any places, who has left, and play-offs of which some are decided."""
    count = draw(st.integers(1, 5))
    small = st.integers(0, 3)
    between = [(draw(small), draw(small)) for _ in range(count - 1)]  # (moves, play-offs) of each border
    ends = []
    for level in range(1, count + 1):
        size = draw(st.integers(12, 16) if balanced else st.integers(0, 9))
        people = [100 * level + number for number in range(size)]
        up, off = between[level - 2] if level > 1 else (0, 0)
        down = between[level - 1][0] if level < count else 0
        ends.append(
            end(
                level,
                draw(st.permutations(people)),
                left=() if balanced else draw(st.sets(st.sampled_from(people))) if people else (),
                promote=up,
                relegate=down if balanced else draw(small),
                play_off_up=off,
            )
        )
    return ends


def decided(ends, choose):
    """Every play-off of the season decided, by `choose` of (lower, upper)."""
    open_ones = promotions(ends, {}).pairs
    return promotions(ends, {frozenset((one.lower, one.upper)): choose(one.lower, one.upper) for one in open_ones})


@given(seasons(), st.randoms())
def test_everybody_is_in_one_division_afterwards_unless_they_left_and_nobody_moves_more_than_one_level(ends, rng):
    found = decided(ends, lambda lower, upper: rng.choice([lower, upper, None]))
    assert found.settled
    everybody = [entrant for one in ends for entrant, _rank in one.order]
    assert sorted(one.entrant for one in found.destinations) == sorted(everybody)
    gone = {entrant for one in ends for entrant in one.left}
    assert {one.entrant for one in found.destinations if one.to_level is None} == gone
    assert all(abs(one.to_level - one.level) <= 1 for one in found.destinations if one.to_level is not None)
    levels = {one.level for one in ends}
    assert {one.to_level for one in found.destinations} - {None} <= levels
    placed = [one.entrant for level in levels for one in found.of(level)]
    assert sorted(placed) == sorted(set(everybody) - gone)


@given(seasons(balanced=True), st.randoms())
def test_sizes_are_kept_where_as_many_go_up_as_go_down(ends, rng):
    found = decided(ends, lambda lower, upper: rng.choice([lower, upper, None]))
    assert [len(found.of(one.level)) for one in ends] == [len(one.order) for one in ends]


@given(seasons())
def test_nobody_moves_upwards_past_somebody_of_their_division_who_stood_higher(ends):
    found = decided(ends, lambda lower, upper: upper)  # the tables alone
    for one in ends:
        steps = [each.level - each.to_level for each in found.destinations if each.level == one.level and each.place]
        assert steps == sorted(steps, reverse=True)
