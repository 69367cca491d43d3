"""Tables worked by hand."""

import pytest

from league.competitions.standings.compute import Outcome, Played, table

PEOPLE = [(1, "Ana", "A1"), (2, "Bo", "B2"), (3, "Cy", "C3"), (4, "Di", "D4")]


def played(first, points, second, other, *, winner=...):
    won = (first if points > other else second) if winner is ... else winner
    return Played({first: points, second: other}, won)


def numbers(rows):
    return [
        (r.rank, r.name, r.played, r.won, r.drawn, r.lost, r.points_for, r.points_against, r.difference) for r in rows
    ]


def test_wins_come_first_then_difference_then_points_for():
    rows = table(
        PEOPLE,
        [
            played(1, 150, 2, 100),  # Ana +50, Bo -50
            played(3, 150, 4, 140),  # Cy +10, Di -10
            played(1, 90, 3, 150),  # Ana -60, Cy +60
            played(2, 155, 4, 95),  # Bo +60, Di -60
        ],
    )
    assert numbers(rows) == [
        (1, "Cy", 2, 2, 0, 0, 300, 230, 70),
        (2, "Bo", 2, 1, 0, 1, 255, 245, 10),
        (3, "Ana", 2, 1, 0, 1, 240, 250, -10),
        (4, "Di", 2, 0, 0, 2, 235, 305, -70),
    ]


def test_points_for_parts_those_level_on_wins_and_difference():
    rows = table(PEOPLE[:4], [played(1, 150, 2, 140), played(3, 160, 4, 150)])
    assert numbers(rows) == [
        (1, "Cy", 1, 1, 0, 0, 160, 150, 10),
        (2, "Ana", 1, 1, 0, 0, 150, 140, 10),
        (3, "Di", 1, 0, 0, 1, 150, 160, -10),
        (4, "Bo", 1, 0, 0, 1, 140, 150, -10),
    ]


def test_level_in_everything_is_one_rank_in_the_order_of_names_whatever_order_they_came_in():
    matches = [played(4, 150, 3, 100), played(2, 150, 1, 100)]
    expected = [(1, "Bo"), (1, "Di"), (3, "Ana"), (3, "Cy")]
    for people in (PEOPLE, PEOPLE[::-1]):
        assert [(row.rank, row.name) for row in table(people, matches)] == expected


def test_before_any_match_everybody_is_first():
    assert [(row.rank, row.name, row.played) for row in table(PEOPLE, [])] == [
        (1, "Ana", 0),
        (1, "Bo", 0),
        (1, "Cy", 0),
        (1, "Di", 0),
    ]


def test_namesakes_stand_in_the_order_of_their_codes():
    assert [row.code for row in table([(1, "Ana", "Z"), (2, "ana", "B")], [])] == ["B", "Z"]


def test_a_match_nobody_won_is_drawn_for_both():
    rows = table(PEOPLE[:2], [played(1, 100, 2, 100, winner=None)])
    assert [(row.name, row.won, row.drawn, row.lost) for row in rows] == [("Ana", 0, 1, 0), ("Bo", 0, 1, 0)]


def test_the_winner_is_given_and_not_read_off_the_points():
    # A concession: the scores stand, the other one wins (NOTATION.md 3).
    rows = table(PEOPLE[:2], [played(1, 120, 2, 30, winner=2)])
    assert [(row.name, row.won, row.difference) for row in rows] == [("Bo", 1, -90), ("Ana", 0, 90)]


def test_form_is_the_last_five_with_the_latest_last():
    matches = [played(1, 150, 2, 100) for _ in range(4)] + [played(1, 90, 2, 150)] * 2
    row = table(PEOPLE[:2], matches)[0]
    assert row.form == [Outcome.WON, Outcome.WON, Outcome.WON, Outcome.LOST, Outcome.LOST]


def test_a_match_of_somebody_who_is_not_entered_is_an_error():
    with pytest.raises(KeyError):
        table(PEOPLE[:1], [played(1, 150, 2, 100)])
