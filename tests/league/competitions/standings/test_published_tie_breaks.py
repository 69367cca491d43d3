"""Tie-breaks against published tables (tests/league/competitions/published_tables.py names the source). There a win is
one point and a draw a half, here two and one: a score is twice, a product of scores four times what is printed.
"""

from fractions import Fraction

import pytest

from league.competitions.standings.compute import Scoring, table
from tests.league.competitions import published_tables as published

IN_2024 = {
    "match_points": (2, "3.5 4 3.5 3.5 2.5 3 1.5 2.5 1.5 1 2.5 2 1.5 2 2 3.5"),
    "wins": (1, "2 3 2 2 2 3 1 2 1 1 2 2 1 2 2 3"),
    "won": (1, "2 3 2 2 2 2 1 2 0 1 1 0 1 2 2 3"),
    "progressive": (2, "11 13 11 11.5 5 6 6 8.5 2.5 4 5.5 7 7 6 7 10.5"),
    "buchholz": (2, "12.5 13 15.5 15 8.5 12 14.5 13.5 9 13 13.5 11.5 14 11 12 12.5"),
    "fore_buchholz": (2, "13.5 13.5 15 15.5 10 12 13.5 12.5 9.5 12.5 12.5 11.5 13.5 10.5 12 13.5"),
    "sonneborn_berger": (4, "8 9.5 10.5 9.75 4.25 6.5 3.25 5.25 2.25 1.5 5.75 4 4.25 4.5 3.5 7.25"),
    "sonneborn_berger_cut_1": (4, "7.25 8.5 9.25 8 3.25 5.5 1.25 3.75 2.25 0 4.25 4 4.25 3 2.5 5.75"),
    "opponents_rating": (1, "1820 1880 1940 1888 1690 1813 1760 1730 1975 1880 1863 2050 1930 1800 1860 1820"),
    "performance": (1, "1969 2120 2089 2081 1690 1813 1611 1730 1175 1640 1776 1250 1781 1925 1788 1969"),
}
IN_2026 = IN_2024 | {
    "buchholz": (2, "12.5 13 15.5 14 8.5 11.5 14.5 13.5 9 13 12.5 11.5 14 11 12 12.5"),
    "fore_buchholz": (2, "13.5 13.5 15 14.5 10 12 13.5 12.5 9.5 12.5 12 11 13.5 10.5 12 13.5"),
    "sonneborn_berger": (4, "8 9.5 10.5 9.25 4.25 6 3.25 5.25 2.25 1.5 4.75 4 4.25 4.5 3.5 7.25"),
    "sonneborn_berger_cut_1": (4, "7.25 8.5 9.25 7.75 3.25 5 1.25 3.75 2.25 0 3.25 4 4.25 3 2.5 5.75"),
}
# Only these are printed: 2, 6 and 10 stood level with nobody.
CUT = (1, 3, 4, 5, 7, 8, 9, 11, 12, 13, 14, 15, 16)
BUCHHOLZ_CUT_1 = {
    2024: "11 13 11.5 7.5 12.5 12 7.5 12 9.5 12 9 11 11",
    2026: "11 13 11.5 7.5 12.5 12 7.5 11 9.5 12 9 11 11",
}
# To two decimals.
AVERAGE_BUCHHOLZ = {
    2024: "12.6 13.6 13.4 13.38 13.4 13.25 11.9 13 12.75 10.9 12.75 15 12.1 13.17 12.2 13.3",
    2026: "12.4 13.6 12.9 13.38 13.2 13.25 11.7 12.9 12.75 10.8 12.75 14 11.9 13 12.2 13.1",
}


def swiss(edition, **more):
    return Scoring(edition=edition, paired=True, ratings=published.TEC_SWISS_RATINGS, rounds=5, **more)


def figures(text, key, scoring):
    rows = table(published.people(text), published.matches(text), order=[key], scoring=scoring)
    return {row.entrant_id: row.figures[key] for row in rows}


def values(text, key, scoring):
    return {one: found.value for one, found in figures(text, key, scoring).items()}


def printed(text, times, of=None):
    numbers = [Fraction(one) * times for one in text.split()]
    return dict(zip(of or range(1, len(numbers) + 1), numbers, strict=True))


@pytest.mark.parametrize(("edition", "tables"), [(2024, IN_2024), (2026, IN_2026)])
@pytest.mark.parametrize("key", IN_2024)
def test_a_swiss_of_sixteen_with_byes_forfeits_and_a_withdrawal(edition, tables, key):
    times, text = tables[key]
    assert values(published.TEC_SWISS, key, swiss(edition)) == printed(text, times)


@pytest.mark.parametrize("edition", [2024, 2026])
def test_cut_1_takes_a_voluntarily_unplayed_round_first(edition):
    found = values(published.TEC_SWISS, "buchholz_cut_1", swiss(edition))
    assert {one: found[one] for one in CUT} == printed(BUCHHOLZ_CUT_1[edition], 2, of=CUT)


@pytest.mark.parametrize("edition", [2024, 2026])
def test_average_buchholz_is_the_mean_over_the_opponents_met(edition):
    found = values(published.TEC_SWISS, "average_buchholz", swiss(edition))
    for number, mean in printed(AVERAGE_BUCHHOLZ[edition], 1).items():
        assert abs(Fraction(found[number]) / 2 - mean) <= Fraction(1, 200), number


def test_a_round_robin_with_a_forfeit_which_counts_as_played():
    scoring = Scoring(ratings=published.TEC_ROUND_ROBIN_RATINGS)
    tables = {
        "match_points": (2, "3.5 3.5 3.5 1.5 1.5 1.5"),
        "sonneborn_berger": (4, "9.25 6.25 6.25 4.25 3.25 2.25"),
        "sonneborn_berger_cut_1": (4, "9.25 4.75 4.75 4.25 3.25 1.5"),
        "koya": (2, "2 0.5 0.5 1 0.5 0"),
        # Article 15.2: for ratings a forfeit stays unplayed.
        "performance": (1, "2199 2209 2219 1931 2038 1803"),
    }
    for key, (times, text) in tables.items():
        assert values(published.TEC_ROUND_ROBIN, key, scoring) == printed(text, times), key


def ranks(text, scoring):
    rows = table(
        published.people(text), published.matches(text), order=["match_points", "direct_encounter"], scoring=scoring
    )
    return [(row.rank, row.entrant_id) for row in rows]


def test_the_direct_encounter_of_the_round_robin():
    """Among 1, 2 and 3, who are level, 1 has two points, 2 and 3 a half. Of 4, 5 and 6, 6 and 5 have one and a half and
    one, the forfeit included, 4 a half.
    """
    assert ranks(published.TEC_ROUND_ROBIN, Scoring()) == [(1, 1), (2, 2), (2, 3), (4, 6), (5, 5), (6, 4)]


def test_the_direct_encounter_of_a_swiss_gives_no_place_that_a_match_that_was_not_played_could_change():
    """Of the four with six points all have met: 6 has two of three, 1 and 4 one and a half and drew, 2 has one. Further
    down some have not met, and nobody is parted.
    """
    scoring = Scoring(paired=True, rounds=9)
    expected = [(1, 3), (2, 6), (3, 1), (3, 4), (5, 2), (6, 7), (6, 8), (6, 16)]
    expected += [(9, 5), (9, 10), (9, 14), (9, 15), (13, 11), (14, 9), (14, 12), (16, 13)]
    assert ranks(published.TEC_SWISS_NINE, scoring) == expected


def test_a_second_swiss_of_2026():
    scoring = Scoring(paired=True, rounds=5)
    tables = {
        "progressive": (2, "11 12.5 9.5 9.5 12.5 10.5 8 3 4.5 5.5 8.5 1.5 2.5 6"),
        "buchholz": (2, "14.5 15 14 14.5 13.5 13.5 13.5 10.5 11.5 11 13 10 9 11"),
    }
    for key, (times, text) in tables.items():
        assert values(published.LAPEYRE_SWISS, key, scoring) == printed(text, times), key
    cut = values(published.LAPEYRE_SWISS, "buchholz_cut_1", scoring)
    assert {one: cut[one] for one in (9, 12)} == printed("10 9.5", 2, of=(9, 12))
