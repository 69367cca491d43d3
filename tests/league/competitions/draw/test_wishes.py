"""Pinned tables, accessible tables and the stream: who gets which table, and what is told where a wish can't be met."""

from collections import Counter
from datetime import UTC, datetime, timedelta
from itertools import permutations
from random import Random
from zoneinfo import ZoneInfo

import pytest

from league.competitions.draw.schedule.table_assignment import Unmet, Wish, Wishes, cost, unmet
from league.competitions.draw.schedule.timetable import Bookings, Seat, Timetable

SEVEN = datetime(2026, 11, 20, 19, tzinfo=UTC)
HALF = timedelta(minutes=30)


def planned(matches, *, tables=(1, 2, 3), streamed=(), taken=None, start=SEVEN, **wishes):
    wanted = Wishes(**{"seeds": {one: one for who in matches for one in who}, **wishes})
    table = Timetable(
        starts_at=start,
        zone=ZoneInfo("UTC"),
        minutes=30,
        tables=list(tables),
        taken=taken or Bookings(),
        wishes=wanted,
    )
    [seats] = table.plan([matches], streamed=[streamed])
    return seats


def tables_of(seats):
    return [seat.table for seat in seats]


def test_a_pinned_entrant_plays_at_the_table_and_the_rest_fill_the_others_in_order():
    assert tables_of(planned([(1, 2), (3, 4), (5, 6)], pinned={4: 1})) == [2, 1, 3]


def test_of_two_pinned_who_meet_the_better_seed_stays_and_the_other_is_told():
    seats = planned([(1, 2), (5, 3)], pinned={5: 1, 3: 3})
    assert tables_of(seats) == [1, 3]
    wishes = Wishes(pinned={5: 1, 3: 3}, seeds={3: 3, 5: 5})
    assert unmet((5, 3), 3, wishes) == [Unmet(Wish.PINNED, 5, 1, rival=3)]


def test_a_pinned_table_that_others_have_booked_makes_no_round_longer_and_is_told():
    taken = Bookings(tables={1: [(SEVEN, SEVEN + HALF)]})
    seats = planned([(1, 2), (3, 4)], taken=taken, pinned={3: 1})
    assert seats == [Seat(2, SEVEN), Seat(3, SEVEN)]
    assert unmet((3, 4), 3, Wishes(pinned={3: 1})) == [Unmet(Wish.PINNED, 3, 1)]


def test_a_pinned_match_waits_for_its_table_in_a_round_that_takes_two_turns_anyway():
    taken = Bookings(tables={1: [(SEVEN, SEVEN + HALF)]})
    seats = planned([(1, 2), (3, 4), (5, 6)], tables=(1, 2), taken=taken, pinned={1: 1})
    assert seats == [Seat(1, SEVEN + HALF), Seat(2, SEVEN), Seat(2, SEVEN + HALF)]


def test_who_needs_an_accessible_table_gets_one_and_leaves_the_stream_where_there_is_a_choice():
    seats = planned([(1, 2), (3, 4), (5, 6)], needs={5}, accessible={1, 3}, stream={1}, streamed=[1])
    assert tables_of(seats) == [2, 1, 3]


def test_all_needs_are_met_in_the_turns_that_a_round_takes():
    seats = planned([(1, 2), (3, 4), (5, 6), (7, 8)], tables=(1, 2), needs={1, 3}, accessible={2})
    assert seats == [Seat(2, SEVEN), Seat(2, SEVEN + HALF), Seat(1, SEVEN), Seat(1, SEVEN + HALF)]


def test_a_need_that_cannot_be_met_is_told():
    seats = planned([(1, 2), (3, 4)], needs={1, 3}, accessible={2})
    wishes = Wishes(needs=frozenset({1, 3}), accessible=frozenset({2}))
    told = [unmet(who, seat.table, wishes) for who, seat in zip([(1, 2), (3, 4)], seats, strict=True)]
    assert told == [[], [Unmet(Wish.NEEDS, 3)]]


def test_a_match_for_the_stream_gets_its_table_and_a_second_one_is_told():
    seats = planned([(1, 2), (3, 4)], stream={3}, streamed=[0, 1])
    assert tables_of(seats) == [3, 1]
    assert unmet((3, 4), 1, Wishes(stream=frozenset({3})), streamed=True) == [Unmet(Wish.STREAM)]


def test_without_hours_the_tables_are_given_in_turn_and_wishes_hold():
    seats = planned([(1, 2), (3, 4), (5, 6), (7, 8)], start=None, pinned={7: 1})
    assert tables_of(seats) == [2, 3, 1, 1]


def test_what_is_not_as_wished_costs_pins_before_needs_before_the_stream():
    wishes = Wishes(pinned={1: 1, 2: 2}, needs=frozenset({2}), accessible=frozenset({3}), stream=frozenset({1}))
    costs = {table: cost((1, 2), table, wishes, streamed=True) for table in (1, 2, 3)}
    assert costs == {1: (1, 1, 0), 2: (2, 1, 1), 3: (3, 0, 1)}


def anything(seed):
    """A round by chance, with bookings of others and wishes of every kind."""
    rng = Random(seed)
    tables = list(range(1, rng.randint(2, 7)))
    people = rng.sample(range(1, 31), 2 * rng.randint(1, 9))
    matches = list(zip(people[::2], people[1::2], strict=True))

    def spans():
        starts = [SEVEN + timedelta(minutes=rng.randrange(-30, 90)) for _ in range(rng.choice([0, 0, 1]))]
        return [(at, at + timedelta(minutes=rng.choice([15, 40]))) for at in starts]

    taken = Bookings({table: spans() for table in tables}, {one: spans() for one in people})
    wishes = {
        "pinned": {one: rng.choice(tables) for one in rng.sample(people, rng.randint(0, min(4, len(people))))},
        "needs": frozenset(rng.sample(people, rng.randint(0, min(4, len(people))))),
        "accessible": frozenset(rng.sample(tables, rng.randint(0, len(tables)))),
        "stream": frozenset(rng.sample(tables, rng.randint(0, 1))),
    }
    streamed = rng.sample(range(len(matches)), rng.randint(0, 1))
    return matches, tables, taken, wishes, streamed


@pytest.mark.parametrize("seed", range(300))
def test_no_wish_ever_books_anything_twice_or_is_broken_without_a_reason(seed):
    matches, tables, taken, wishes, streamed = anything(seed)
    seats = planned(matches, tables=tables, taken=taken, streamed=streamed, **wishes)
    plain = planned(matches, tables=tables, taken=taken)
    wanted = Wishes(**wishes, seeds={one: one for who in matches for one in who})
    assert max(seat.starts_at for seat in seats) <= max(seat.starts_at for seat in plain) or has_spans(taken)
    assert len(set(seats)) == len(matches)
    for who, seat in zip(matches, seats, strict=True):
        span = seat.starts_at, seat.starts_at + HALF
        others = [*taken.tables[seat.table], *(one for entrant in who for one in taken.people[entrant])]
        assert not [one for one in others if one[0] < span[1] and span[0] < one[1]]
    at = {seat: who for who, seat in zip(matches, seats, strict=True)}
    for place, (who, seat) in enumerate(zip(matches, seats, strict=True)):
        for one in unmet(who, seat.table, wanted, streamed=place in streamed):
            there = at.get(Seat(one.table, seat.starts_at)) if one.wish is Wish.PINNED else None
            if one.wish is Wish.PINNED and there and not has_spans(taken) and not one.rival:
                # Whoever has the table is pinned there too, with a better seed.
                assert min(wanted.rank(other) for other in there if other in wanted.pinned) < wanted.rank(one.entrant)
            if one.wish is Wish.NEEDS and not wanted.pins(who):
                held = [
                    other
                    for other, its in zip(matches, seats, strict=True)
                    if its.starts_at == seat.starts_at and its.table in wanted.accessible
                ]
                assert all(wanted.need(other) or wanted.pins(other) for other in held)


def has_spans(taken):
    return any(taken.tables.values()) or any(taken.people.values())


@pytest.mark.parametrize("seed", range(60))
def test_as_many_needs_are_met_as_brute_force_finds(seed):
    rng = Random(seed)
    count = rng.randint(2, 5)
    tables = range(1, count + 1)
    matches = [(2 * place + 1, 2 * place + 2) for place in range(count)]
    wishes = Wishes(
        needs=frozenset(rng.sample(range(1, 2 * count + 1), rng.randint(1, count))),
        accessible=frozenset(rng.sample(list(tables), rng.randint(0, count))),
        pinned={rng.randint(1, 2 * count): rng.choice(tables)},
        seeds={one: one for one in range(1, 2 * count + 1)},
    )
    made = planned(matches, tables=tables, needs=wishes.needs, accessible=wishes.accessible, pinned=wishes.pinned)

    def total(order):
        costs = [cost(who, table, wishes) for who, table in zip(matches, order, strict=True)]
        return tuple(sum(part) for part in zip(*costs, strict=True))

    assert total(tables_of(made)) == min(map(total, permutations(tables)))


def test_the_rest_fill_the_tables_in_order():
    seats = planned(
        [(2 * n + 1, 2 * n + 2) for n in range(7)], tables=(1, 2, 3, 4), pinned={5: 4}, needs={9}, accessible={2}
    )
    rest = [seats[one] for one in (0, 1, 3, 5, 6)]
    assert [(seat.starts_at - SEVEN, seat.table) for seat in rest] == [
        (0 * HALF, 1),
        (0 * HALF, 3),
        (HALF, 1),
        (HALF, 2),
        (HALF, 3),
    ]
    assert Counter(tables_of(seats)) == {1: 2, 2: 2, 3: 2, 4: 1}
