"""Rounds at tables of three to six, for multi-player games. Pure.

Source: COMPETITIONS.md, formats.
"""

from collections import Counter
from collections.abc import Iterator, Sequence

from league.competitions.formats.drawn import DrawnBerth, DrawnRound, DrawnSlot, RoundKind
from league.competitions.formats.table_rotation import Seating, fewest_repeats

FEWEST_SEATS, MOST_SEATS = 3, 6


def table_sizes(n: int, seats: int) -> list[int]:
    """Give the number of entrants at each table of a round, full tables first.

    As many as possible play, at tables of `seats` or one fewer, but never of two. The others have a bye.

    Raises ValueError for tables of fewer than three or more than six seats, and if not even one table can be filled.

    >>> table_sizes(18, 4), table_sizes(11, 3), table_sizes(9, 6)
    ([4, 4, 4, 3, 3], [3, 3, 3], [6])
    """
    if not FEWEST_SEATS <= seats <= MOST_SEATS:
        raise ValueError(f"tables have {FEWEST_SEATS} to {MOST_SEATS} seats, not {seats}")
    fewest = max(FEWEST_SEATS, seats - 1)
    for playing in range(n, fewest - 1, -1):
        tables = -(-playing // seats)
        if playing >= fewest * tables:
            full = playing - tables * (seats - 1)
            return [seats] * full + [seats - 1] * (tables - full)
    raise ValueError(f"{n} entrants do not fill a table of {seats}")


def table_rounds(n: int, seats: int, rounds: int) -> list[DrawnRound]:
    """Draw rounds at tables with as few repeated meetings as the search finds.

    Entrants without a seat have a bye, none a second bye before all had one.

    The first berth of a slot leads; the numbers of leads differ by at most one if possible, and the other seats rotate.
    In round 1 the first seeds sit at different tables.

    Raises ValueError as `table_sizes`, and for fewer than one round.
    """
    if rounds < 1:
        raise ValueError(f"table rounds are one or more, not {rounds}")
    sizes = table_sizes(n, seats)
    absent = _byes(n, n - sum(sizes), rounds)
    present = [[one for one in range(n) if one not in away] for away in absent]
    seated = _in_turn(fewest_repeats(present, sizes, n), n)
    return [_drawn(tables, sorted(away)) for tables, away in zip(seated, absent, strict=True)]


def _byes(n: int, each_round: int, rounds: int) -> list[set[int]]:
    """Give the byes of each round, from the last seed upwards, in a cycle."""
    return [{n - 1 - (number * each_round + one) % n for one in range(each_round)} for number in range(rounds)]


def _drawn(tables: Seating, away: Sequence[int]) -> DrawnRound:
    seats = [*tables, *([one] for one in away)]
    return DrawnRound(RoundKind.PLAIN, tuple(DrawnSlot(tuple(DrawnBerth(one + 1) for one in table)) for table in seats))


def _in_turn(rounds: Sequence[Seating], n: int) -> list[Seating]:
    """Order each table's seats: leader first, the others evenly over the other seats."""
    leads = iter(_leads([table for tables in rounds for table in tables], n))
    times: Counter[tuple[int, int]] = Counter()
    return [[_seats(table, next(leads), times) for table in tables] for tables in rounds]


def _seats(table: Sequence[int], lead: int, times: Counter[tuple[int, int]]) -> list[int]:
    seats, left = [lead], [one for one in table if one != lead]
    while left:
        seats.append(min(left, key=lambda one: (times[one, len(seats)], one)))
        left.remove(seats[-1])
    times.update((one, seat) for seat, one in enumerate(seats))
    return seats


def _leads(tables: Sequence[Sequence[int]], n: int) -> list[int]:
    """Choose the leader of each table, with leads as even as possible.

    The entrant with the fewest leads first; then leads are passed on from entrants with two more.
    """
    counts = [0] * n
    leads: list[int] = []
    for table in tables:
        leads.append(min(table, key=lambda one: (counts[one], one)))
        counts[leads[-1]] += 1
    while passed := _passed_on(tables, leads, counts):
        for number, lead in passed:
            counts[leads[number]] -= 1
            counts[lead] += 1
            leads[number] = lead
    return leads


def _passed_on(tables: Sequence[Sequence[int]], leads: Sequence[int], counts: Sequence[int]) -> list[tuple[int, int]]:
    """Find a chain of tables that passes a lead to an entrant with two fewer.

    Returns the tables and their new leaders; entrants in between give one lead and get one. Empty if there is no such
    chain.
    """
    too_many = min(counts) + 2
    for giver in (one for one, count in enumerate(counts) if count >= too_many):
        came: dict[int, tuple[int, int]] = {}
        reached = [giver]
        for one in reached:
            if counts[one] <= counts[giver] - 2:
                return list(_way_back(one, giver, came))
            for number, table in enumerate(tables):
                if leads[number] == one:
                    new = [other for other in table if other != giver and other not in came]
                    came.update((other, (number, one)) for other in new)
                    reached.extend(new)
    return []


def _way_back(taker: int, giver: int, came: dict[int, tuple[int, int]]) -> Iterator[tuple[int, int]]:
    while taker != giver:
        number, before = came[taker]
        yield number, taker
        taker = before
