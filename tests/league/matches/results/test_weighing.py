"""What several people's word about one game comes to."""

from dataclasses import replace

import pytest

from league.matches.results.weighing import Ground, Opinion, Statement, weigh

ANA = ((150, 95), 1)
BO = ((95, 150), 2)


def said(key, source, outcome=ANA, **more):
    return Statement(key=key, source=source, outcome=outcome, rank=more.pop("rank", 0), **more)


def weighed(*statements, required=True):
    found = weigh(statements, confirmation_required=required)
    return found and (found.current, found.contested, found.agreed, found.ground)


def test_nothing_said_is_nothing_known():
    assert weighed() is None


def test_one_word_waits_for_another():
    assert weighed(said(1, "a")) == (1, (), (), None)


def test_where_nobody_has_to_confirm_one_word_is_enough():
    assert weighed(said(1, "a"), required=False) == (1, (), (), Ground.NOT_REQUIRED)


def test_two_who_say_the_same_confirm_each_other():
    assert weighed(said(1, "a"), said(2, "b")) == (2, (), (1,), Ground.AGREED)


def test_the_same_person_twice_confirms_nothing():
    assert weighed(said(1, "a"), said(2, "a")) == (2, (), (), None)


def test_two_who_differ_stand_side_by_side():
    assert weighed(said(1, "a"), said(2, "b", BO)) == (2, (1,), (), None)


def test_two_who_differ_are_not_official_where_nobody_has_to_confirm():
    assert weighed(said(1, "a"), said(2, "b", BO), required=False) == (2, (1,), (), None)


def test_the_same_points_for_another_winner_differ():
    assert weighed(said(1, "a", ((100, 100), 1)), said(2, "b", ((100, 100), 2))) == (2, (1,), (), None)


def test_whoever_corrects_their_word_agrees():
    assert weighed(said(1, "a"), said(2, "b", BO), said(3, "b")) == (3, (), (1,), Ground.AGREED)


def test_a_third_who_agrees_with_one_leaves_the_other_contested():
    assert weighed(said(1, "a"), said(2, "b", BO), said(3, "c")) == (3, (2,), (1,), None)


def test_what_says_more_stands_and_is_confirmed_by_what_says_less():
    assert weighed(said(1, "a", rank=2), said(2, "b", rank=0)) == (1, (), (2,), Ground.AGREED)


def test_a_card_that_both_signed_is_official():
    assert weighed(said(1, "desk", signed=True)) == (1, (), (), Ground.SIGNED)


def test_a_signed_card_does_not_hide_that_somebody_said_something_else():
    assert weighed(said(1, "a", BO), said(2, "desk", signed=True)) == (2, (1,), (), None)


@pytest.mark.parametrize("required", [True, False])
def test_what_cannot_be_so_waits_for_a_decision_however_many_say_it(required):
    both = said(1, "a", sound=False), said(2, "b", sound=False)
    assert weighed(*both, required=required) == (2, (), (1,), None)


RULED = (said(1, "a", rank=3), said(2, "official", BO, ruling=True), said(3, "b", BO))


def test_a_ruling_outranks_every_entry_without_removing_it():
    assert weighed(*RULED) == (2, (1,), (3,), None)


def test_a_ruling_that_a_side_disagrees_with_is_under_review():
    ruling = said(1, "official", ruling=True)
    found = weigh([ruling, Opinion(source="b", agrees=False, outcome=ANA)], confirmation_required=True)
    assert (found.current, found.reviewed, found.ground) == (1, True, None)


@pytest.mark.parametrize(("alone", "required"), [(True, True), (False, False)])
def test_a_ruling_decides_where_it_takes_no_second_person(alone, required):
    first, ruling, last = RULED
    ground = Ground.ALONE if required else Ground.NOT_REQUIRED
    assert weighed(first, replace(ruling, alone=alone), last, required=required) == (2, (), (), ground)
