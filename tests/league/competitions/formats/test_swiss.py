"""One Swiss round: COMPETITIONS.md, Swiss."""

from collections import Counter
from dataclasses import replace
from itertools import combinations
from random import Random

import pytest

from league.competitions.formats.swiss import (
    Because,
    Contender,
    Lift,
    NoPairing,
    PairingReason,
    SwissPair,
    SwissRound,
    pair,
)
from tests.league.competitions.swiss_world import all_met, event, met_again, rounds, seated
from tests.volume import seeds

WHY_LEFT = {
    PairingReason.ODD_GROUP,
    PairingReason.ODD_REST,
    PairingReason.MET_ALL,
    PairingReason.UNPAIRABLE_GROUP,
    PairingReason.BEST_ROUND,
}


def newcomers(count):
    return [Contender(id=10 * number, number=number) for number in range(1, count + 1)]


def tables(drawn):
    return [(one.first, one.second) for one in drawn.pairs]


def codes(reasons):
    return [one.code.value for one in reasons]


def refusal(contenders, **asked):
    with pytest.raises(NoPairing) as refused:
        pair(contenders, **asked)
    return refused.value.code, refused.value.ids, refused.value.lifts


# --- The fold, floats, byes ---


def test_the_first_round_folds_the_seeds_and_the_better_number_leads_at_every_other_table():
    assert tables(pair(newcomers(8))) == [(10, 50), (60, 20), (30, 70), (80, 40)]


def test_a_pair_of_one_score_tells_its_score_its_places_in_the_halves_and_its_sides():
    assert pair(newcomers(4)).pairs[1] == SwissPair(
        first=40,
        second=20,
        reasons=(
            Because(PairingReason.SAME_SCORE, {"score": 0}),
            Because(PairingReason.FOLD, {"top": 2, "bottom": 2}),
            Because(PairingReason.SIDES_TURN, {}),
        ),
        float=0,
    )


def test_the_last_of_an_odd_group_meets_the_first_of_the_next_and_says_why():
    scores = {1: 4, 2: 4, 3: 4, 4: 2, 5: 2, 6: 2}
    drawn = pair([Contender(id_, id_, score, leads=-id_ % 2) for id_, score in scores.items()])
    assert tables(drawn) == [(2, 1), (3, 4), (5, 6)] or tables(drawn) == [(2, 1), (4, 3), (6, 5)]
    floating = drawn.pairs[1]
    assert floating.float == 2
    assert floating.reasons[:2] == (
        Because(PairingReason.FLOAT, {"higher": 4, "lower": 2}),
        Because(PairingReason.ODD_GROUP, {"score": 4, "size": 3}),
    )


def test_a_float_from_a_group_made_odd_from_above_has_its_reason():
    scores = {1: 4, 2: 2, 3: 2, 4: 0}
    drawn = pair([Contender(id_, id_, score) for id_, score in scores.items()])
    assert drawn.pairs[1].float == 2
    assert drawn.pairs[1].reasons[1] == Because(PairingReason.ODD_REST, {"score": 2, "size": 2, "left": 1})


def test_a_float_from_an_unpairable_even_group_gives_the_number_of_pairs():
    met = all_met(1, 2, 3)
    scores = {1: 2, 2: 2, 3: 2, 4: 2, 5: 0, 6: 0}
    drawn = pair([Contender(id_, id_, score, met.get(id_, frozenset())) for id_, score in scores.items()])
    why = Because(PairingReason.UNPAIRABLE_GROUP, {"score": 2, "left": 4, "pairs": 1})
    assert [one.reasons[1] for one in drawn.pairs if one.float] == [why, why]


def test_a_float_from_a_pairable_group_says_that_others_need_it():
    met = all_met(5, 6)
    scores = {1: 2, 2: 2, 3: 2, 4: 2, 5: 0, 6: 0}
    drawn = pair([Contender(id_, id_, score, met.get(id_, frozenset())) for id_, score in scores.items()])
    why = Because(PairingReason.BEST_ROUND, {"score": 2})
    assert [one.reasons[1] for one in drawn.pairs if one.float] == [why, why]


@pytest.mark.parametrize("seed", seeds(40))
def test_every_pair_between_score_groups_gives_the_reason_for_the_float(seed):
    """Check the reason, and that its odd numbers are odd."""
    for _event, contenders, drawn in rounds(seed, 8, 40):
        if isinstance(drawn, NoPairing):
            break
        score = {one.id: one.score for one in contenders}
        from_above = Counter(min(score[one.first], score[one.second]) for one in drawn.pairs if one.float)
        for one in (one for one in drawn.pairs if one.float):
            upper = max(score[one.first], score[one.second])
            assert WHY_LEFT.intersection(because.code for because in one.reasons)
            size = sum(each == upper for each in score.values())
            left = size - from_above[upper] - (drawn.bye is not None and score[drawn.bye] == upper)
            for because in one.reasons:
                if because.code == PairingReason.ODD_GROUP:
                    assert (size % 2, left) == (1, size)
                if because.code == PairingReason.ODD_REST:
                    assert (left % 2, because.facts["left"]) == (1, left)


def test_the_bye_goes_to_the_last_of_the_lowest_score_group():
    contenders = [Contender(1, 1, 2), Contender(2, 2, 2), Contender(3, 3), Contender(4, 4), Contender(5, 5)]
    drawn = pair(contenders)
    assert drawn.bye == 5
    assert drawn.bye_reasons == (
        Because(PairingReason.BYE_LOWEST, {"score": 0}),
        Because(PairingReason.BYE_LAST, {"place": 3, "size": 3}),
    )


def test_who_rested_or_won_by_forfeit_has_no_bye_while_anybody_higher_has_had_none():
    contenders = [Contender(1, 1, 4), Contender(2, 2, 2), Contender(3, 3, 0, byes=1)]
    drawn = pair(contenders)
    assert (drawn.bye, tables(drawn)) == (2, [(1, 3)])
    assert drawn.bye_reasons[0] == Because(PairingReason.BYE_HIGHER, {"score": 2, "lowest": 0})


def test_when_all_have_rested_those_with_the_fewest_byes_come_first_and_the_page_can_say_so():
    contenders = [Contender(1, 1, 4, byes=1), Contender(2, 2, 2, byes=1), Contender(3, 3, 0, byes=2)]
    drawn = pair(contenders)
    assert drawn.bye == 2
    assert drawn.bye_reasons[-1] == Because(PairingReason.BYE_AGAIN, {"byes": 1})


def test_a_second_bye_while_a_locked_pair_has_had_none_is_not_told_as_if_everybody_had_had_one():
    contenders = [
        Contender(1, 1),
        Contender(2, 2),
        Contender(3, 3, byes=1),
        Contender(4, 4, byes=1),
        Contender(5, 5, byes=1),
    ]
    drawn = pair(contenders, locked=[(1, 2)])
    assert codes(drawn.bye_reasons)[-1] == "bye-forced"


def test_who_floated_down_within_two_rounds_stays_and_another_of_the_group_floats():
    fresh = [Contender(1, 1, 2), Contender(2, 2, 2), Contender(3, 3, 2), Contender(4, 4, 0)]
    assert {4, 3} in [{one.first, one.second} for one in pair(fresh).pairs]
    for floats, floater in (((1, 0), 2), ((0, 1), 2), ((1, 0, 0), 3), ((-1, 0), 3)):
        tired = [*fresh[:2], Contender(3, 3, 2, floats=floats), fresh[3]]
        assert {4, floater} in [{one.first, one.second} for one in pair(tired).pairs], floats


def test_a_second_float_that_cannot_be_helped_is_told():
    drawn = pair([Contender(1, 1, 2, floats=(1,)), Contender(2, 2, 0, floats=(0,))])
    assert drawn.pairs[0].reasons[:2] == (
        Because(PairingReason.FLOAT, {"higher": 2, "lower": 0}),
        Because(PairingReason.ODD_GROUP, {"score": 2, "size": 1}),
    ) or drawn.pairs[0].reasons[1] == Because(PairingReason.MET_ALL, {"entrant": 1, "score": 2})
    assert Because(PairingReason.FLOATED_BEFORE, {"entrant": 1}) in drawn.pairs[0].reasons


def test_who_has_met_the_whole_group_floats_for_that_reason():
    met = all_met(1, 2)
    contenders = [Contender(1, 1, 4, met[1]), Contender(2, 2, 4, met[2]), Contender(3, 3, 2), Contender(4, 4, 2)]
    drawn = pair(contenders)
    assert [one.float for one in drawn.pairs] == [2, 2]
    assert drawn.pairs[0].reasons[1] == Because(PairingReason.MET_ALL, {"entrant": 1, "score": 4})


def test_the_nearest_to_the_fold_is_taken_where_two_of_the_fold_have_met():
    met = all_met(1, 5)
    contenders = [Contender(id_, id_, met=met.get(id_, frozenset())) for id_ in range(1, 9)]
    drawn = pair(contenders)
    assert [{one.first, one.second} for one in drawn.pairs] == [{1, 6}, {2, 5}, {3, 7}, {4, 8}]
    assert drawn.pairs[0].reasons[1] == Because(PairingReason.OFF_FOLD, {"top": 1, "bottom": 2})


def test_two_of_one_half_meet_only_where_nothing_else_is_left():
    met = {1: frozenset({3, 4}), 2: frozenset({3, 4}), 3: frozenset({1, 2}), 4: frozenset({1, 2})}
    drawn = pair([Contender(id_, id_, met=others) for id_, others in met.items()])
    assert [{one.first, one.second} for one in drawn.pairs] == [{1, 2}, {3, 4}]
    assert drawn.pairs[0].reasons[1] == Because(PairingReason.SAME_HALF, {"higher": 1, "lower": 2})


# --- Who leads ---


@pytest.mark.parametrize(
    ("one", "other", "first", "why"),
    [
        ({"leads": 1}, {"leads": -1}, 2, Because(PairingReason.SIDES_BALANCE, {"first": -1, "second": 1})),
        ({"leads": 0}, {"leads": 2}, 1, Because(PairingReason.SIDES_BALANCE, {"first": 0, "second": 2})),
        ({"led_last": True}, {"led_last": False}, 2, Because(PairingReason.SIDES_LAST, {})),
        ({"led_last": True}, {"led_last": None}, 2, Because(PairingReason.SIDES_LAST, {})),
        ({"led_last": False}, {"led_last": None}, 1, Because(PairingReason.SIDES_LAST, {})),
        ({"led_last": True}, {"led_last": True}, 1, Because(PairingReason.SIDES_TURN, {})),
    ],
)
def test_who_has_led_less_leads_then_who_did_not_lead_last_then_the_better_number(one, other, first, why):
    drawn = pair([Contender(1, 1, **one), Contender(2, 2, **other)])
    assert (drawn.pairs[0].first, drawn.pairs[0].reasons[-1]) == (first, why)


# --- What organizers ask for ---


def test_locked_pairs_meet_at_the_table_of_their_score_and_the_others_are_paired_around_them():
    drawn = pair(newcomers(8), locked=[(80, 10)])
    assert [{one.first, one.second} for one in drawn.pairs] == [{10, 80}, {20, 50}, {30, 60}, {40, 70}]
    assert codes(drawn.pairs[0].reasons) == ["locked", "sides-turn"]


def test_those_who_are_kept_apart_do_not_meet():
    drawn = pair(newcomers(4), apart=[(30, 10), (999, 10)])
    assert [{one.first, one.second} for one in drawn.pairs] == [{10, 40}, {20, 30}]


def test_club_mates_are_apart_only_as_long_as_score_differences_stay_as_small():
    clubs = {10: "a", 20: "b", 30: "a", 40: "b"}
    drawn = pair(replace(one, clubs=frozenset(clubs[one.id])) for one in newcomers(4))
    assert [{one.first, one.second} for one in drawn.pairs] == [{10, 40}, {20, 30}]
    leaders = [Contender(1, 1, 2, clubs=frozenset("a")), Contender(2, 2, 2, clubs=frozenset("a"))]
    drawn = pair([*leaders, Contender(3, 3, clubs=frozenset("b")), Contender(4, 4)])
    assert [{one.first, one.second} for one in drawn.pairs] == [{1, 2}, {3, 4}]
    assert ["club-mates" in codes(one.reasons) for one in drawn.pairs] == [True, False]


def test_a_thousand_of_forty_clubs_are_paired_with_hardly_two_of_a_club():
    chance = Random(7)
    everybody = [
        Contender(number, number, chance.randrange(9), clubs=frozenset([f"club {chance.randrange(40)}"]))
        for number in range(1, 1001)
    ]
    clubs = {one.id: one.clubs for one in everybody}
    drawn = pair(everybody)
    assert len(drawn.pairs) == 500
    assert sum(clubs[one.first] == clubs[one.second] for one in drawn.pairs) == 0


def test_rematches_are_as_few_as_can_be_and_only_where_there_is_no_round_without():
    contenders = [Contender(id_, id_, met=others) for id_, others in all_met(1, 2, 3, 4).items()]
    contenders += [Contender(5, 5), Contender(6, 6)]
    drawn = pair(contenders, allow_rematch=True)
    assert len(met_again({frozenset(two) for two in combinations((1, 2, 3, 4), 2)}, drawn)) == 1
    assert sum("rematch" in codes(one.reasons) for one in drawn.pairs) == 1
    assert pair(newcomers(6), allow_rematch=True) == pair(newcomers(6))


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        ({"locked": [(10, 30), (30, 20)]}, ("locked-twice", (30,), (Lift.LOCKED,))),
        ({"locked": [(10, 99)]}, ("locked-unknown", (10, 99), (Lift.LOCKED,))),
        ({"locked": [(10, 10)]}, ("locked-unknown", (10, 10), (Lift.LOCKED,))),
        ({"locked": [(10, 20)], "apart": [(20, 10)]}, ("locked-apart", (10, 20), (Lift.LOCKED,))),
        ({"apart": [(10, 20), (10, 30), (10, 40)]}, ("apart", (10,), (Lift.APART,))),
        ({"locked": [(10, 20)], "apart": [(30, 40)]}, ("locked", (30, 40), (Lift.LOCKED,))),
    ],
)
def test_constraints_that_leave_no_round_are_named_with_whom_they_concern(asked, told):
    assert refusal(newcomers(4), **asked) == told


def test_those_are_named_who_stay_alone_although_each_has_an_opponent():
    """Three of one club are kept apart from all but the same one."""
    apart = [(10, 20), (10, 30), (20, 30)]
    code, ids, lifts = refusal(newcomers(4), apart=apart)
    assert (code, lifts) == ("apart", (Lift.APART,))
    assert len(ids) == 2
    assert set(ids) < {10, 20, 30}


def test_a_locked_rematch_is_refused_unless_rematches_are_allowed():
    contenders = [Contender(id_, id_, met=others) for id_, others in all_met(1, 2).items()]
    contenders += [Contender(3, 3), Contender(4, 4)]
    assert refusal(contenders, locked=[(1, 2)]) == ("locked-rematch", (1, 2), (Lift.LOCKED,))
    drawn = pair(contenders, locked=[(1, 2)], allow_rematch=True)
    assert codes(drawn.pairs[0].reasons) == ["locked", "rematch", "sides-turn"]


def test_when_everybody_has_met_everybody_the_organizer_is_told_to_allow_rematches():
    contenders = [Contender(id_, id_, met=others) for id_, others in all_met(1, 2, 3, 4).items()]
    assert refusal(contenders) == ("rematches", (1, 2, 3, 4), (Lift.REMATCHES,))
    assert seated(pair(contenders, allow_rematch=True)) == [1, 2, 3, 4]


def test_when_only_a_second_bye_would_help_the_organizer_is_told_and_may_allow_it():
    met = {1: frozenset({2}), 2: frozenset({1}), 3: frozenset()}
    contenders = [Contender(id_, id_, met=met[id_], byes=int(id_ < 3)) for id_ in met]
    assert refusal(contenders)[::2] == ("byes", (Lift.BYES,))
    drawn = pair(contenders, allow_second_bye=True)
    assert (drawn.bye, codes(drawn.bye_reasons)[-1]) == (2, "bye-forced")
    assert pair(newcomers(3), allow_second_bye=True) == pair(newcomers(3))


def test_when_one_thing_to_lift_is_not_enough_all_are_named():
    contenders = [Contender(id_, id_, met=others) for id_, others in all_met(1, 2).items()]
    assert refusal(contenders, apart=[(1, 2)]) == ("apart", (1, 2), (Lift.APART, Lift.REMATCHES))


@pytest.mark.parametrize("count", [0, 1])
def test_a_round_takes_two(count):
    assert refusal(newcomers(count)) == ("too-few", tuple(10 * number for number in range(1, count + 1)), ())


def test_nobody_stands_twice_among_the_contenders():
    with pytest.raises(ValueError, match="twice"):
        pair([Contender(1, 1), Contender(1, 2)])


# --- The same again ---


@pytest.mark.parametrize("seed", range(10))
def test_the_order_in_which_contenders_come_changes_nothing(seed):
    one = event(seed, 10, 40)
    for _ in range(4):
        contenders = one.contenders()
        drawn = pair(contenders)
        for shuffle in range(5):
            assert pair(Random(shuffle).sample(contenders, len(contenders))) == drawn
        one.play(drawn, [])


def test_reasons_are_plain_numbers_by_name():
    drawn: SwissRound = pair(newcomers(5))
    every = [because for one in drawn.pairs for because in one.reasons] + list(drawn.bye_reasons)
    assert every
    assert all(type(fact) is int for because in every for fact in because.facts.values())
