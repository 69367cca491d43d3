"""Tie-breaks by hand, where no published table has them, and what holds of all of them."""

from fractions import Fraction
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from league.competitions.standings.choices import tie_break_choices
from league.competitions.standings.compute import HowPlayed, Played, Scoring, table
from league.competitions.standings.tiebreaks.figures import Figure, TermNote, half_up
from league.competitions.standings.tiebreaks.ratings import rating_difference
from league.competitions.standings.tiebreaks.registry import TIE_BREAKS, TieBreakEntry
from league.web.words.tie_breaks import COLUMNS

PEOPLE = [(1, "Ana", "A1"), (2, "Bo", "B2"), (3, "Cy", "C3"), (4, "Di", "D4")]


def played(number, first, points, second, other, *, games=None, count=1, kind=HowPlayed.PLAYED, winner=...):
    won = (first if points > other else second) if winner is ... else winner
    return Played({first: points, second: other}, won, number, kind, games, count)


def bye(number, one, kind=HowPlayed.BYE):
    return Played({one: 0}, None, number, kind)


def figures(key, matches, people=PEOPLE, missing=(), **settings):
    rows = table(people, matches, order=[key], scoring=Scoring(**settings), missing=missing)
    return {row.entrant_id: row.figures[key] for row in rows}


def values(key, matches, people=PEOPLE, **settings):
    return {one: found.value for one, found in figures(key, matches, people, **settings).items()}


def test_each_tie_break_has_a_choice_an_entry_and_words():
    assert [key for key, _ in tie_break_choices()] == list(TIE_BREAKS)
    assert set(TIE_BREAKS) == set(COLUMNS)
    assert all(one.key == key for named in (TIE_BREAKS, COLUMNS) for key, one in named.items())


def test_a_new_tie_break_is_one_entry(monkeypatch):
    games = TieBreakEntry(
        key="games", name="games", figure=lambda table, one: Figure(len(table.bouts[one])), lowest_first=True
    )
    monkeypatch.setitem(TIE_BREAKS, "games", games)
    matches = [played(1, 1, 150, 2, 100), played(2, 1, 150, 3, 100), played(3, 1, 150, 4, 100), played(3, 2, 9, 3, 150)]
    rows = table(PEOPLE, matches, order=["games", "wins"])
    assert [(row.rank, row.name, row.figures["games"].value) for row in rows] == [
        (1, "Di", 1),
        (2, "Cy", 2),
        (3, "Bo", 2),
        (4, "Ana", 3),
    ]


# --- By hand, from the definition: no published table of dominoes has these ---


def test_match_points_are_what_the_competition_gives():
    matches = [
        played(1, 1, 150, 2, 100),
        played(1, 3, 90, 4, 90, winner=None),
        bye(2, 1),
        bye(2, 2, HowPlayed.ZERO_BYE),
    ]
    assert values("match_points", matches, paired=True) == {1: 4, 2: 0, 3: 1, 4: 1}
    assert values("match_points", matches, paired=True, win=3, draw=2, loss=1, bye=3) == {1: 6, 2: 1, 3: 2, 4: 2}


def test_a_requested_bye_brings_a_draw_or_nothing():
    matches = [bye(1, 1, HowPlayed.HALF_BYE), bye(1, 2, HowPlayed.ZERO_BYE), bye(1, 3)]
    assert values("match_points", matches, paired=True) == {1: 1, 2: 0, 3: 2, 4: 0}
    assert values("wins", matches, paired=True) == {1: 0, 2: 0, 3: 1, 4: 0}
    # A bye for a draw's points is no win.
    assert values("wins", matches, paired=True, bye=1) == {1: 0, 2: 0, 3: 0, 4: 0}


def test_wins_count_forfeits_and_byes_and_won_only_what_was_won_at_the_table():
    matches = [
        played(1, 1, 150, 2, 0, kind=HowPlayed.FORFEIT, count=0),
        played(2, 1, 150, 3, 140),
        bye(3, 1),
        played(3, 2, 150, 3, 90),
    ]
    assert values("wins", matches, paired=True) == {1: 3, 2: 1, 3: 0, 4: 0}
    assert values("won", matches, paired=True) == {1: 1, 2: 1, 3: 0, 4: 0}
    # Where everybody's opponents stand before the start, a forfeit counts as played (C.07 15.2).
    assert values("won", matches[:2]) == {1: 2, 2: 0, 3: 0, 4: 0}


def test_a_forfeit_that_nobody_won_is_lost_by_both():
    matches = [played(1, 1, 0, 2, 0, kind=HowPlayed.FORFEIT, count=0, winner=None)]
    rows = table(PEOPLE[:2], matches, order=["match_points"])
    assert [(row.match_points, row.won, row.drawn, row.lost) for row in rows] == [(0, 0, 0, 1)] * 2


def test_game_points_are_games_won_and_the_average_is_over_games_played():
    matches = [
        played(1, 1, 400, 2, 310, games={1: 2, 2: 1}, count=3),
        played(2, 1, 250, 3, 300, games={1: 0, 3: 2}, count=2),
        played(2, 4, 150, 2, 0, kind=HowPlayed.FORFEIT, games={4: 1, 2: 0}, count=0),
    ]
    assert values("game_points", matches) == {1: 2, 2: 1, 3: 2, 4: 1}
    # 650 points in five games; the forfeit is no game.
    assert values("average", matches) == {1: 130, 2: Fraction(310, 3), 3: 150, 4: None}
    assert [row.entrant_id for row in table(PEOPLE, matches, order=["average"])] == [3, 1, 2, 4]


def test_a_bye_adds_nothing_to_the_difference():
    assert values("difference", [bye(1, 1), played(1, 2, 150, 3, 95)], paired=True) == {1: 0, 2: 55, 3: -55, 4: 0}


def test_buchholz_median_leaves_out_the_lowest_and_then_the_highest():
    """Ana beat Bo (2 points), Cy (2) and Di (0); without Di and one of the two others two points are left."""
    matches = [played(1, 1, 150, 2, 9), played(1, 3, 150, 4, 9), played(2, 1, 150, 3, 9), played(2, 2, 150, 4, 9)]
    matches += [played(3, 1, 150, 4, 9)]
    found = figures("buchholz_median_1", matches, paired=True)[1]
    assert (found.value, [term.notes for term in found.terms]) == (
        2,
        [(TermNote.CUT_HIGHEST,), (), (TermNote.CUT_LOWEST,)],
    )


@pytest.mark.parametrize(("edition", "full", "cut", "median"), [(2024, 20, 13, 6), (2026, 16, 11, 6)])
def test_the_median_of_somebody_with_two_requested_byes(edition, full, cut, median):
    """As Sharly Chess has it (tests/json/median-buchholz-byes.json, case MedianBuchholzWithByesTestCase): 3.5 points, a
    half-point and a zero-point bye in five rounds. The dummies are 3.5 each before 2026 and 2.5 since; the first goes
    by the cut, the other one as the highest. Here the opponents are made to have what is left: 3 points (6 halves).
    """
    people = [(number, f"P{number}", str(number)) for number in range(1, 8)]
    matches = [
        played(1, 1, 150, 2, 9),
        bye(2, 1, HowPlayed.HALF_BYE),
        played(3, 1, 150, 3, 9),
        bye(4, 1, HowPlayed.ZERO_BYE),
        played(5, 1, 150, 4, 9),
        # 2 and 4 have a point each, 3 has one: six halves in all.
        played(2, 2, 150, 5, 9),
        played(2, 3, 150, 6, 9),
        played(2, 4, 150, 7, 9),
    ]
    for key, expected in (("buchholz", full), ("buchholz_cut_1", cut), ("buchholz_median_1", median)):
        assert values(key, matches, people, paired=True, edition=edition, rounds=5)[1] == expected, key


def test_fore_buchholz_draws_the_pairs_of_the_last_round_that_are_still_to_play():
    matches = [played(1, 1, 150, 2, 9), played(1, 3, 150, 4, 9)]
    settings = {"paired": True, "rounds": 2, "final_pairs": [(1, 3), (2, 4)]}
    # With the draws Ana and Cy have 3, Bo and Di 1.
    assert values("fore_buchholz", matches, **settings) == {1: 1 + 3, 2: 3 + 1, 3: 1 + 3, 4: 3 + 1}
    assert values("buchholz", matches, **settings) == {1: 0, 2: 2, 3: 0, 4: 2}


def test_koya_counts_points_against_those_with_half_of_what_can_be_made():
    """Four in a round robin can make six points each: Ana 6, Bo 4, Cy 2 and Di 0, so half is 3."""
    matches = [played(1, a, 150, b, 9) for a, b in ((1, 2), (1, 3), (1, 4), (2, 3), (2, 4), (3, 4))]
    assert values("koya", matches) == {1: 2, 2: 0, 3: 0, 4: 0}


def test_muggins_and_lots_are_as_they_were_told_and_the_lowest_lot_is_first():
    assert values("muggins", [], muggins={2: 3}) == {1: 0, 2: 3, 3: 0, 4: 0}
    rows = table(PEOPLE, [], order=["lot"], scoring=Scoring(lots={1: 4, 2: 1, 3: 3}))
    assert [(row.entrant_id, row.figures["lot"].value) for row in rows] == [(2, 1), (3, 3), (1, 4), (4, None)]


def test_whoever_has_no_rating_is_left_out_of_the_mean():
    matches = [played(1, 1, 150, 2, 9), played(2, 1, 150, 3, 9), played(3, 4, 150, 1, 9)]
    found = figures("opponents_rating", matches, ratings={2: 1500, 4: 1601})[1]
    assert (found.value, [term.counted for term in found.terms]) == (1551, [True, False, True])
    assert values("opponents_rating", matches)[1] is None


def test_what_a_share_of_the_score_is_worth():
    """FIDE Rating Regulations B.02, table 8.1.1."""
    worth = {0: -800, 1: -677, 25: -193, 49: -7, 50: 0, 51: 7, 67: 125, 75: 193, 90: 366, 99: 677, 100: 800}
    assert {share: rating_difference(Fraction(share, 100)) for share in worth} == worth
    assert rating_difference(Fraction(1, 8)) == -322  # 12.5 % reads as 13 %
    assert half_up(Fraction(5, 2)) == 3


# --- What holds of all ---

OUTSIDE = (HowPlayed.BYE, HowPlayed.FULL_BYE, HowPlayed.HALF_BYE, HowPlayed.ZERO_BYE)


@st.composite
def seasons(draw):
    """A few rounds of five people, in pairs drawn anyhow; whoever is left over has a bye of some kind."""
    people = [(number, f"P{number}", str(number)) for number in range(1, 6)]
    matches = []
    for number in range(1, draw(st.integers(1, 4)) + 1):
        order = draw(st.permutations([one for one, *_ in people]))
        for a, b in ((order[0], order[1]), (order[2], order[3])):
            kind = draw(st.sampled_from([HowPlayed.PLAYED] * 3 + [HowPlayed.FORFEIT]))
            winner = draw(st.sampled_from([a, b, None]))
            gap = draw(st.integers(0, 3))
            matches.append(
                Played({a: 100 + gap * (winner == a), b: 100 + gap * (winner == b)}, winner, number, kind, None, 1)
            )
        matches.append(bye(number, order[4], draw(st.sampled_from(OUTSIDE))))
    return people, matches


def scoring(paired, edition):
    return Scoring(
        paired=paired,
        edition=edition,
        ratings={1: 1500, 2: 1620, 4: 1433},
        lots={1: 2, 2: 1, 3: 3, 4: 5, 5: 4},
        muggins={3: 1},
    )


@pytest.mark.slow("many orders")
@given(seasons(), st.booleans(), st.sampled_from([2024, 2026]), st.randoms(use_true_random=False))
def test_no_number_and_no_place_depends_on_the_order_of_the_rows(season, paired, edition, rng):
    people, matches = season
    for key in TIE_BREAKS:
        expected = table(people, matches, order=["wins", key], scoring=scoring(paired, edition))
        again = table(
            rng.sample(people, len(people)),
            rng.sample(matches, len(matches)),
            order=["wins", key],
            scoring=scoring(paired, edition),
        )
        assert [(row.rank, row.entrant_id) for row in again] == [(row.rank, row.entrant_id) for row in expected], key
        assert [row.figures[k].value for row in again for k in row.figures] == [
            row.figures[k].value for row in expected for k in row.figures
        ]


@given(seasons(), st.booleans(), st.sampled_from([2024, 2026]))
def test_every_number_is_the_sum_of_what_it_is_shown_to_be_made_from(season, paired, edition):
    people, matches = season
    for key in set(TIE_BREAKS) - {"direct_encounter", "muggins", "lot"}:
        for one, found in figures(key, matches, people, paired=paired, edition=edition, ratings={1: 1500}).items():
            added = Fraction(sum(term.adds for term in found.terms if term.counted)) / found.divisor
            if found.value is not None:
                assert found.value == (half_up(added) if found.rounded else added) + found.plus, (key, one)
            assert not isinstance(found.value, float)


# --- Brute force, written apart from the code that it tests ---


@pytest.mark.parametrize("seed", range(30))
def test_buchholz_and_sonneborn_berger_of_a_season_in_which_everything_was_played(seed):
    rng = Random(seed)
    ids = [one for one, *_ in PEOPLE]
    results = [(a, b, rng.choice([a, b, None])) for a in ids for b in ids if a < b and rng.random() < 0.8]
    matches = [Played({a: 0, b: 0}, winner, number) for number, (a, b, winner) in enumerate(results, start=1)]
    made = {one: sum(2 * (w == one) + (w is None) for a, b, w in results if one in (a, b)) for one in ids}
    met = {one: [(b if a == one else a, w) for a, b, w in results if one in (a, b)] for one in ids}
    assert values("buchholz", matches, paired=True) == {one: sum(made[o] for o, _w in met[one]) for one in ids}
    assert values("sonneborn_berger", matches, paired=True) == {
        one: sum(made[o] * (2 * (w == one) + (w is None)) for o, w in met[one]) for one in ids
    }
