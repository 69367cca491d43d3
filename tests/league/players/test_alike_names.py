"""Names of a list that may be one person are found, others are not."""

import time

import pytest

from league.players.alike_names import MOST_ALIKE, Alike, NameAnswer, alike_names, renamed
from league.players.naming import same
from tests.volume import amount

ONE = [
    ("Ana Ruiz", "Ana Ruíz"),
    ("Bo Chen", "Bo Chenn"),
    ("Bo Chen", "Bo Cehn"),
    ("Hugo Martín", "Hugo Martin"),
    ("Hugo Martin", "Hugo Nartin"),
    ("Ana Ruiz", "Ruiz Ana"),
    ("Ana Ruiz", "A. Ruiz"),
    ("Łukasz Nowak", "Lukasz Nowak"),
    ("Jose Pena Gil", "José Peña-Gil"),
]
TWO = [
    ("Ana Ruiz", "Eva Ruiz"),
    ("Ana", "Ada"),
    ("Player 1", "Player 2"),
    ("Player 1", "Player 11"),
    ("Leo Paz", "Lea Pez"),
    ("Ana Ruiz", "Ana Ríos"),
    ("Ana Ruiz", "E. Ruiz"),
]


@pytest.mark.parametrize("pair", ONE)
def test_a_name_in_another_spelling_is_found(pair):
    assert alike_names(["Mia Sol", *pair]) == [Alike(*pair)]


@pytest.mark.parametrize("pair", TWO)
def test_two_names_are_two_people(pair):
    assert alike_names(pair) == []


def test_upper_case_and_a_second_line_are_the_same_name():
    assert alike_names(["Ana Ruiz", "ANA RUIZ", "Ana Ruiz"]) == []


def test_the_chosen_spelling_is_taken_for_all_also_in_a_chain():
    asked = [Alike("Bo Chenn", "Bo Chén"), Alike("Bo Chén", "Bo Chen")]
    chosen = dict.fromkeys((one.key for one in asked), NameAnswer.SECOND)
    assert renamed(asked, chosen) == {same("Bo Chenn"): "Bo Chen", same("Bo Chén"): "Bo Chen"}
    assert renamed(asked, {one.key: NameAnswer.TWO_PEOPLE for one in asked}) == {}
    assert renamed(asked, {one.key: "nonsense" for one in asked}) == {}


def test_a_circle_of_answers_ends():
    asked = [Alike("Bo Chen", "Bo Chenn"), Alike("Bo Chenn", "Bo Chen")]
    assert set(renamed(asked, {one.key: NameAnswer.FIRST for one in asked}).values()) <= {"Bo Chen", "Bo Chenn"}


def test_a_long_list_is_looked_through_at_once():
    names = [f"{first}{n:05} {last}" for n in range(amount(4_000)) for first, last in (("Ana", "Ruiz"),)]
    before = time.process_time()
    assert alike_names(names) == []
    assert time.process_time() - before < 3
    many = [f"{'abcdefghij'[n // 10]}{'abcdefghij'[n % 10]} Fernandez" for n in range(100)]
    assert len(alike_names(many)) == MOST_ALIKE
