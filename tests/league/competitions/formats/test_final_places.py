"""Final places of all entrants: bands by the round of the last loss, and by rank."""

import pytest

from league.competitions.formats.double_elimination import double_elimination
from league.competitions.formats.drawn import DrawnRound
from league.competitions.formats.final_places import Band, PlayedSlot, bands_by_last_loss, bands_by_rank
from league.competitions.formats.single_elimination import single_elimination

# COMPETITIONS.md, "final places"; those of double eliminations as start.gg and Liquipedia publish them (…, 5–6, 7–8,
# 9–12, 13–16, 17–24, 25–32); 13 entrants worked by hand: five matches in the first round, so five share 9–13, and with
# two lives only 4/13 and 5/12 meet in the losers' first round.
SINGLE = {
    2: "1 2",
    3: "1 2 3",
    4: "1 2 3-4",
    8: "1 2 3-4 5-8",
    13: "1 2 3-4 5-8 9-13",
    16: "1 2 3-4 5-8 9-16",
    32: "1 2 3-4 5-8 9-16 17-32",
}
DOUBLE = {
    3: "1 2 3",
    4: "1 2 3 4",
    8: "1 2 3 4 5-6 7-8",
    13: "1 2 3 4 5-6 7-8 9-12 13",
    16: "1 2 3 4 5-6 7-8 9-12 13-16",
    32: "1 2 3 4 5-6 7-8 9-12 13-16 17-24 25-32",
}


def played(rounds: list[DrawnRound], until: int | None = None, upsets: frozenset[tuple[int, int]] = frozenset()):
    """The rounds as played by seeds: the better seed wins, but in the slots of `upsets`; none after round `until`."""
    winners: dict[tuple[int, int], int] = {}
    losers: dict[tuple[int, int], int] = {}
    found = []
    for number, one in enumerate(rounds, start=1):
        slots = []
        for place, drawn in enumerate(one.slots, start=1):
            key = (number, place)
            sources = [
                (berth.source.round_number, berth.source.slot_number, berth.source.loser)
                for berth in drawn.berths
                if berth.source
            ]
            entrants = [
                (losers if berth.source.loser else winners).get((berth.source.round_number, berth.source.slot_number))
                if berth.source
                else berth.seed
                for berth in drawn.berths
            ]
            if drawn.is_bye:
                winners[key] = entrants[0]
                continue
            if drawn.conditional and sources and winners.get(sources[0][:2]) == min(entrants, default=0):
                continue  # the undefeated entrant has won the final
            slot = PlayedSlot(place * 100 + number, tuple((at * 100 + round_, loser) for round_, at, loser in sources))
            if None not in entrants and (until is None or number <= until):
                winner = max(entrants) if key in upsets else min(entrants)
                winners[key], losers[key] = winner, sum(entrants) - winner
                slot = slot._replace(winner=winner, loser=losers[key])
            slots.append(slot)
        found.append(slots)
    return found


def told(bands: list[Band]) -> str:
    return " ".join(f"{one.first}-{one.last}" if one.last > one.first else str(one.first) for one in bands)


@pytest.mark.parametrize("n", SINGLE)
def test_a_single_elimination_shares_places_by_the_round_of_the_loss(n: int) -> None:
    bands = bands_by_last_loss(played(single_elimination(n)))
    assert told(bands) == SINGLE[n]
    # The better seed wins, so each band holds the seeds of its places.
    assert [sorted(one.entrants) for one in bands] == [list(range(one.first, one.last + 1)) for one in bands]


@pytest.mark.parametrize("n", DOUBLE)
@pytest.mark.parametrize("reset", [True, False])
def test_a_double_elimination_shares_places_by_the_round_of_the_second_loss(n: int, reset: bool) -> None:
    bands = bands_by_last_loss(played(double_elimination(n, reset=reset)))
    assert told(bands) == DOUBLE[n]
    assert sorted(seed for one in bands for seed in one.entrants) == list(range(1, n + 1))
    assert [list(one.entrants) for one in bands[:3]] == [[1], [2], [3]]


def test_the_match_for_third_place_gives_two_places() -> None:
    bands = bands_by_last_loss(played(single_elimination(8, third_place=True)))
    assert told(bands) == "1 2 3 4 5-8"
    assert [list(one.entrants) for one in bands] == [[1], [2], [3], [4], [8, 5, 7, 6]]


def test_the_world_cup_of_2022() -> None:
    """FIFA World Cup 2022, knock-out: Croatia and Morocco played for third place (FIFA, final table: 1 to 4)."""
    results = [
        ["NED USA", "ARG AUS", "CRO JPN", "BRA KOR", "ENG SEN", "FRA POL", "MAR ESP", "POR SUI"],
        ["ARG NED", "CRO BRA", "FRA ENG", "MAR POR"],
        ["ARG CRO", "FRA MAR"],
        ["ARG FRA", "CRO MAR"],
    ]
    teams = [team for match in results[0] for team in match.split()]
    no = {team: number for number, team in enumerate(teams)}
    rounds = []
    for number, matches in enumerate(results):
        slots = []
        for place, match in enumerate(matches):
            winner, loser = match.split()
            sources = [(number * 10 - 10 + place * 2 + one, False) for one in range(2)] if number else []
            if (number, place) == (3, 1):
                sources = [(20, True), (21, True)]
            slots.append(PlayedSlot(number * 10 + place, tuple(sources), no[winner], no[loser]))
        rounds.append(slots)
    found = [[teams[one] for one in band.entrants] for band in bands_by_last_loss(rounds)]
    assert found == [
        ["ARG"],
        ["FRA"],
        ["CRO"],
        ["MAR"],
        ["NED", "BRA", "ENG", "POR"],
        ["USA", "AUS", "JPN", "KOR", "SEN", "POL", "ESP", "SUI"],
    ]


def test_the_reset_decides_the_first_two_places_and_the_final_alone_neither() -> None:
    rounds = double_elimination(4)
    final = len(rounds) - 1
    lost = played(rounds, until=final, upsets=frozenset({(final, 1)}))
    assert [list(one.entrants) for one in bands_by_last_loss(lost)] == [[], [], [3], [4]]
    after = played(rounds, upsets=frozenset({(final, 1)}))
    assert [list(one.entrants) for one in bands_by_last_loss(after)] == [[1], [2], [3], [4]]


def test_while_it_runs_only_those_who_are_out_have_a_place() -> None:
    bands = bands_by_last_loss(played(single_elimination(8), until=1))
    assert [(one.first, one.last, sorted(one.entrants)) for one in bands] == [
        (1, 1, []),
        (2, 2, []),
        (3, 4, []),
        (5, 8, [5, 6, 7, 8]),
    ]


def test_the_last_rounds_alone_give_the_same_first_places() -> None:
    rounds = played(double_elimination(32))
    whole = bands_by_last_loss(rounds)
    for cut in range(1, len(rounds)):
        part = bands_by_last_loss(rounds[cut:])
        assert part == whole[: len(part)]


def test_an_empty_draw_has_no_places() -> None:
    assert bands_by_last_loss([]) == []


def test_level_entrants_of_a_table_share_places() -> None:
    assert list(bands_by_rank([(1, 11), (2, 12), (2, 13), (4, 14)])) == [
        Band(1, 1, [11]),
        Band(2, 3, [12, 13]),
        Band(4, 4, [14]),
    ]


def test_all_thirds_of_three_groups_share_places_behind_the_knock_out() -> None:
    # Two of each group go on, and the best third (31); worked by hand.
    thirds_and_fourths = [(3, 32), (4, 42), (3, 33), (4, 43), (4, 41)]
    assert list(bands_by_rank(thirds_and_fourths, after=7)) == [Band(8, 9, [32, 33]), Band(10, 12, [41, 42, 43])]
