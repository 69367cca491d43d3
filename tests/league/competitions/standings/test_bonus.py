"""Bonuses and deductions of match points, by hand and in a published table."""

from league.competitions.standings.compute import Played, Scoring, table
from league.competitions.standings.reachable_places import outlook
from league.competitions.standings.tiebreaks.figures import TermNote

# Premier League 2023–24, places 15 to 18: won, drawn, lost, deducted, points (premierleague.com/tables, 2023/24).
PUBLISHED = {
    "Everton": (13, 9, 16, 8, 40),
    "Brentford": (10, 9, 19, 0, 39),
    "Nottingham Forest": (9, 9, 20, 4, 32),
    "Luton Town": (6, 8, 24, 0, 26),
}
REST = 99


def season():
    """Each of the four against one entrant that stands for the rest of the league."""
    people = [(REST, "Rest", "R"), *((at, name, name) for at, name in enumerate(PUBLISHED))]
    matches = [
        Played({at: 0, REST: 0}, winner)
        for at, (won, drawn, lost, *_) in enumerate(PUBLISHED.values())
        for winner in [at] * won + [None] * drawn + [REST] * lost
    ]
    return people, matches


def test_the_premier_league_of_2023_24_with_its_deductions():
    people, matches = season()
    bonus = {at: -deducted for at, (*_, deducted, _points) in enumerate(PUBLISHED.values()) if deducted}
    rows = table(people, matches, order=["match_points"], scoring=Scoring(win=3, draw=1, bonus=bonus))
    assert [(row.name, row.match_points) for row in rows if row.entrant_id != REST] == [
        (name, points) for name, (*_, points) in PUBLISHED.items()
    ]
    assert [row.figures["match_points"].value for row in rows] == [row.match_points for row in rows]


def test_a_deduction_is_a_term_of_the_sum_and_counts_for_no_opponent():
    people = [(1, "Ana", "A"), (2, "Bo", "B"), (3, "Cy", "C")]
    matches = [
        Played({1: 150, 2: 90}, 1, 1),
        Played({2: 150, 3: 90}, 2, 2),
        Played({1: 150, 3: 90}, 1, 3),
    ]
    order = ["match_points", "wins", "buchholz"]
    scoring = Scoring(bonus={1: -3, 3: 1})
    rows = {row.name: row for row in table(people, matches, order=order, scoring=scoring)}
    assert {name: (row.rank, row.match_points) for name, row in rows.items()} == {
        "Bo": (1, 2),
        "Ana": (2, 1),
        "Cy": (3, 1),
    }, "Ana 4 − 3 and Cy 0 + 1; level on points, Ana has won"
    terms = rows["Ana"].figures["match_points"].terms
    assert [(term.round, term.adds, term.notes) for term in terms] == [
        (1, 2, ()),
        (3, 2, ()),
        (0, -3, (TermNote.BONUS,)),
    ]
    plain = {row.name: row for row in table(people, matches, order=order)}
    assert all(rows[name].figures["buchholz"].value == plain[name].figures["buchholz"].value for name in rows)


def test_reachable_places_count_a_deduction():
    people = [(1, "Ana", "A"), (2, "Bo", "B")]
    matches = [Played({1: 150, 2: 90}, 1, 1)]
    found = {
        deducted: outlook(
            people, matches, order=["match_points"], missing=[(1, 2)], scoring=Scoring(bonus={1: -deducted})
        ).of(1)
        for deducted in (0, 5)
    }
    assert [(one.best, one.worst) for one in found.values()] == [(1, 1), (2, 2)], "level on points is a shared place"
