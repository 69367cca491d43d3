"""The dispatcher: the next ready match goes to the next free table."""

from datetime import UTC, datetime, timedelta

from league.competitions.draw.schedule.dispatching import DueMatch, Floor, TableCall, calls, longest_paths
from league.competitions.draw.schedule.table_assignment import Wishes

NOW = datetime(2026, 10, 20, 20, tzinfo=UTC)


def match(key, *entrants, **more):
    return DueMatch(key=key, entrants=entrants, people=frozenset(entrants), **more)


def floor(tables=(1, 2, 3), free=None, **more):
    return Floor(tables=tables, free=tables if free is None else free, now=NOW, **more)


def test_ready_matches_take_the_free_tables_in_the_order_of_plan_and_hall():
    matches = [match(11, 1, 2), match(12, 3, 4), match(13, 5, 6), match(14, 7, 8)]
    assert calls(matches, floor()) == [TableCall(11, 1), TableCall(12, 2), TableCall(13, 3)]
    assert calls(matches, floor(free=[2])) == [TableCall(11, 2)]


def test_a_match_keeps_its_planned_table_if_that_is_free():
    assert calls([match(11, 1, 2, planned=3), match(12, 3, 4, planned=1)], floor()) == [
        TableCall(11, 3),
        TableCall(12, 1),
    ]


def test_the_longest_remaining_path_goes_first():
    final = match(19, comes_from=(15, 12), waits=True)
    matches = [match(11, 1, 2), match(12, 3, 4), match(15, 9, comes_from=(14,), waits=True), match(14, 7, 8), final]
    assert longest_paths(matches) == {11: 1, 12: 2, 15: 2, 14: 3, 19: 1}
    assert calls(matches, floor(tables=(1, 2))) == [TableCall(14, 1), TableCall(12, 2)]


def test_the_person_with_the_most_matches_left_goes_first():
    assert longest_paths([match(11, 1, 2), match(12, 3, 4), match(13, 3, 1), match(14, 3, 2)]) == {
        11: 2,
        12: 3,
        13: 3,
        14: 3,
    }
    matches = [match(11, 1, 2), match(12, 3, 4), match(13, 3, 1), match(14, 3, 2)]
    assert [one.match for one in calls(matches, floor(tables=(1,)))] == [13]


def test_nobody_is_called_to_two_tables():
    assert calls([match(11, 1, 2), match(12, 2, 3), match(13, 4, 5)], floor()) == [TableCall(11, 1), TableCall(13, 2)]
    assert calls([match(11, 1, 2)], floor(playing={2})) == []
    # The same person in two entrants.
    pair = DueMatch(key=12, entrants=(8, 9), people=frozenset({2, 90}))
    assert calls([match(11, 1, 2), pair], floor()) == [TableCall(11, 1)]


def test_a_player_rests_between_two_matches():
    rest = {"ended": {1: NOW - timedelta(minutes=4)}, "rest": timedelta(minutes=5)}
    assert calls([match(11, 1, 2)], floor(**rest)) == []
    assert calls([match(11, 1, 2)], floor(**rest | {"rest": timedelta(minutes=4)})) == [TableCall(11, 1)]


def test_matches_that_wait_are_skipped():
    assert calls([match(11, 1, 2, waits=True), match(12, 3, 4)], floor()) == [TableCall(12, 1)]


def test_rounds_in_turn_are_played_by_each_person_in_their_order():
    turn = {"in_turn": True}
    matches = [
        match(11, 1, 2, waits=True, **turn),
        match(12, 3, 4, **turn),
        match(13, 2, 5, **turn),
        match(14, 6, 7, **turn),
    ]
    assert [one.match for one in calls(matches, floor())] == [12, 14]
    assert [one.match for one in calls(matches[1:], floor())] == [12, 13, 14]
    free = [match(11, 1, 2, waits=True), match(13, 2, 5)]
    assert [one.match for one in calls(free, floor())] == [13]


def test_an_accessible_table_is_kept_for_its_match_and_waited_for():
    wishes = Wishes(needs=frozenset({3}), accessible=frozenset({1}))
    assert calls([match(11, 1, 2), match(12, 3, 4)], floor(tables=(1, 2), wishes=wishes)) == [
        TableCall(12, 1),
        TableCall(11, 2),
    ]
    assert calls([match(12, 3, 4)], floor(free=[2, 3], wishes=wishes)) == []
    # With the only accessible table out of order, any table is better than none.
    assert calls([match(12, 3, 4)], floor(tables=(2, 3), wishes=wishes)) == [TableCall(12, 2)]


def test_a_match_gives_way_at_the_only_table_of_another():
    wishes = Wishes(pinned={3: 1, 5: 2})
    matches = [match(11, 1, 2, planned=1), match(12, 3, 4), match(13, 5, 6)]
    assert sorted(calls(matches, floor(tables=(1, 2, 3), wishes=wishes)), key=lambda one: one.match) == [
        TableCall(11, 3),
        TableCall(12, 1),
        TableCall(13, 2),
    ]
    # Without a third table the one that could play anywhere waits.
    assert calls(matches, floor(tables=(1, 2), wishes=wishes)) == [TableCall(12, 1), TableCall(13, 2)]


def test_the_stream_match_waits_for_the_stream_table():
    wishes = Wishes(stream=frozenset({1}))
    matches = [match(11, 1, 2, for_stream=True), match(12, 3, 4)]
    assert calls(matches, floor(free=[2, 3], wishes=wishes)) == [TableCall(12, 2)]
    assert calls(matches, floor(wishes=wishes)) == [TableCall(11, 1), TableCall(12, 2)]
