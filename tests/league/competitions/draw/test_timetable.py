"""Tables and hours of a draw: nothing and nobody is booked twice."""

from datetime import UTC, datetime, timedelta
from random import Random
from zoneinfo import ZoneInfo

import pytest

from league.competitions.draw.schedule.timetable import Bookings, Seat, Timetable

SEVEN = datetime(2026, 10, 20, 18, tzinfo=UTC)  # seven in the evening in Lisbon, where summer time ends on 25 October


def timetable(**changes):
    return Timetable(**({"starts_at": SEVEN, "zone": ZoneInfo("Europe/Lisbon"), "minutes": 30} | changes))


def at(minutes, table=None):
    return Seat(table, SEVEN + timedelta(minutes=minutes))


def pairs(count, first=1):
    return [(first + 2 * place, first + 2 * place + 1) for place in range(count)]


def test_a_round_with_more_matches_than_tables_goes_on_after_the_minutes_of_a_match():
    assert timetable(tables=[7, 8]).plan([pairs(5)]) == [[at(0, 7), at(0, 8), at(30, 7), at(30, 8), at(60, 7)]]


def test_the_next_round_starts_when_the_one_before_should_be_over():
    assert timetable(tables=[7, 8]).plan([pairs(3), pairs(2)]) == [
        [at(0, 7), at(0, 8), at(30, 7)],
        [at(60, 7), at(60, 8)],
    ]


def test_without_tables_a_round_is_played_at_once():
    assert timetable().plan([pairs(3), pairs(1)]) == [[at(0), at(0), at(0)], [at(30)]]


def test_with_days_between_the_hour_stays_when_the_clocks_change():
    rounds = timetable(days_between=7).plan([pairs(1), pairs(1)])
    assert [seat.starts_at for one in rounds for seat in one] == [SEVEN, SEVEN + timedelta(days=7, hours=1)]


def test_a_round_that_lasts_longer_than_the_days_between_takes_the_next_of_those_days():
    rounds = timetable(days_between=1, minutes=60, tables=[7]).plan([pairs(25), pairs(1)])
    assert rounds[1][0].starts_at == SEVEN + timedelta(days=2)


def test_without_a_start_tables_are_given_in_turn_and_no_hour():
    assert timetable(starts_at=None, tables=[7, 8]).plan([pairs(3)]) == [[Seat(7, None), Seat(8, None), Seat(7, None)]]


def test_what_others_have_booked_is_left_to_them():
    taken = Bookings(
        tables={7: [(SEVEN - timedelta(minutes=15), SEVEN + timedelta(minutes=15))]},
        people={1: [(SEVEN, SEVEN + timedelta(minutes=30))]},
    )
    # Table 7 is free from 19:30 on; entrant 1 cannot play before, so the second match takes the first free table.
    assert timetable(tables=[7, 8], taken=taken).plan([pairs(2)]) == [[at(30, 7), at(0, 8)]]
    assert timetable(taken=taken).plan([pairs(2)]) == [[at(30), at(0)]]


@pytest.mark.parametrize("seed", range(40))
def test_no_table_and_nobody_is_ever_booked_twice(seed):
    rng = Random(seed)
    length = timedelta(minutes=rng.choice([10, 25, 60]))

    def spans():
        starts = [SEVEN + timedelta(minutes=rng.randrange(-60, 400)) for _ in range(rng.randrange(5))]
        return [(start, start + timedelta(minutes=rng.choice([15, 40]))) for start in starts]

    tables = list(range(rng.randrange(5)))
    taken = Bookings({table: spans() for table in tables}, {one: spans() for one in range(1, 21)})
    rounds = []
    for _ in range(4):
        people = rng.sample(range(1, 21), 20)
        rounds.append(list(zip(people[::2], people[1::2], strict=True)))
    made = timetable(
        minutes=length // timedelta(minutes=1), tables=tables, taken=taken, days_between=rng.choice([0, 0, 1])
    ).plan(rounds)
    booked = {("table", key): list(found) for key, found in taken.tables.items()}
    booked |= {("entrant", key): list(found) for key, found in taken.people.items()}
    for one, seats in zip(rounds, made, strict=True):
        for pair, seat in zip(one, seats, strict=True):
            keys = [("entrant", entrant) for entrant in pair] + ([("table", seat.table)] if tables else [])
            for key in keys:
                booked[key].append((seat.starts_at, seat.starts_at + length))
    own = len(rounds) * len(rounds[0])
    assert sum(map(len, made)) == own
    for key, found in booked.items():
        planned = found[len(taken.tables.get(key[1], ()) if key[0] == "table" else taken.people.get(key[1], ())) :]
        for begin, end in planned:
            assert [one for one in found if one[0] < end and begin < one[1]] == [(begin, end)], key
