"""Semi-finals, the match for third place and the final may be played over more games than the other matches."""

import pytest

from league.competitions.attendance.late_entries import walk_in
from league.competitions.draw.plans import Plan, check
from league.competitions.integrity.draws import draw_differences
from league.competitions.models import Slot, Stage
from league.competitions.queries.print import papers
from league.errors import Refused
from league.matches.models import Game
from tests.league.competitions.amended import win
from tests.league.competitions.cup import published
from tests.league.competitions.import_export.test_transfer import brought
from tests.league.competitions.pair_world import published_pairs

pytestmark = pytest.mark.django_db

OWN = {"semi_finals": 3, "third_place": 1, "final": 5}
DOUBLE = Stage.Format.DOUBLE_ELIMINATION


def lengths(competition) -> list[tuple[str, bool, int, int]]:
    """Of every match: its round, whether it is for third place, best of, and its games."""
    slots = Slot.objects.filter(matchday__stage__competition=competition, match__isnull=False)
    return [
        (str(one.matchday), one.third_place, one.match.best_of, one.match.games.count())
        for one in slots.select_related("match", "matchday").order_by("matchday__number", "number")
    ]


def test_the_last_rounds_have_a_length_of_their_own(world):
    cup = published(world, 8, best_of=1, own_best_of=OWN, third_place=True)
    for round_number, places in ((1, 4), (2, 2)):
        for place in range(1, places + 1):
            win(world, cup, round_number, place)
    first, semi = ("Quarter-finals", False, 1, 1), ("Semi-finals", False, 3, 3)
    assert lengths(cup) == [*[first] * 4, *[semi] * 2, ("Final", False, 5, 5), ("Final", True, 1, 1)]
    assert draw_differences(cup) == []
    win(world, cup, 3, 1)
    final = Slot.objects.get(matchday__number=3, number=1, matchday__stage__competition=cup).match
    assert Game.objects.filter(match=final, results__current=True).count() == 3


def test_the_cards_of_a_round_say_of_how_many_games_before_its_players_are_known(world):
    cup = published(world, 4, best_of=1, own_best_of=OWN)
    first, last = (slot.matchday for slot in Slot.objects.filter(matchday__stage__competition=cup, number=1))
    assert [one.best_of for one in papers(cup, first)] == [3] * 6
    assert [one.best_of for one in papers(cup, last)] == [5]


def test_the_deciding_match_of_a_double_elimination_is_as_long_as_its_final(world):
    cup = published(world, 4, format=DOUBLE, own_best_of={"final": 3})
    for round_number, place, winner in ((1, 1, 1), (1, 2, 1), (2, 1, 1), (3, 1, 1), (4, 1, 1), (5, 1, 2)):
        win(world, cup, round_number, place, winner)
    assert [one[0::2] for one in lengths(cup)][-2:] == [("Final", 3), ("Deciding match", 3)]
    assert {one[2] for one in lengths(cup)[:-2]} == {1}


def test_each_bracket_of_a_double_elimination_has_its_length(world):
    cup = published(world, 4, format=DOUBLE, best_of=1, own_best_of={"winners": 3, "final": 5})
    for round_number, place, winner in ((1, 1, 1), (1, 2, 1), (2, 1, 1), (3, 1, 1), (4, 1, 1)):
        win(world, cup, round_number, place, winner)
    found = sorted((one[0].split()[0], one[2], one[3]) for one in lengths(cup))
    assert found == [("Final", 5, 5), *[("Losers’", 1, 1)] * 2, *[("Winners’", 3, 3)] * 3]
    assert draw_differences(cup) == []


FINALS = {"winners_final": 5, "losers_final": 7, "final": 9}


@pytest.mark.parametrize("brackets", [{}, {"winners": 3, "losers": 3}])
def test_the_finals_of_the_brackets_and_the_grand_final_have_their_lengths_alone(world, brackets):
    cup = published(world, 4, format=DOUBLE, best_of=1, own_best_of=brackets | FINALS)
    for round_number, place, winner in ((1, 1, 1), (1, 2, 1), (2, 1, 1), (3, 1, 1), (4, 1, 1)):
        win(world, cup, round_number, place, winner)
    usual = brackets.get("winners", 1)
    assert [one[0::2] for one in lengths(cup)] == [
        *[("Winners’ round 1", usual)] * 2,
        ("Winners’ round 2", 5),
        ("Losers’ round 1", usual),
        ("Losers’ round 2", 7),
        ("Final", 9),
    ]
    assert draw_differences(cup) == []


def test_the_finals_keep_their_lengths_after_a_preliminary_match(world):
    cup = published(world, 4, format=DOUBLE, best_of=1, own_best_of=FINALS)
    walk_in(cup, "Zoe Late", user=world.owner)
    for round_number, place in ((1, 2), (2, 1), (2, 2), (3, 1), (4, 1), (5, 1), (6, 1)):
        win(world, cup, round_number, place, 1)
    assert [one[2] for one in lengths(cup)] == [1, 1, 1, 1, 5, 1, 7, 9]
    assert draw_differences(cup) == []


def test_a_double_elimination_as_a_file_has_as_many_games_as_its_finals(world):
    cup = published(world, 4, format=DOUBLE, best_of=1, own_best_of=FINALS)
    for round_number, place in ((1, 1), (1, 2), (2, 1)):
        win(world, cup, round_number, place)
    _value, done = brought(world, cup)
    assert lengths(done.competition) == lengths(cup)
    assert done.competition.own_best_of == FINALS


def test_a_knock_out_after_groups_may_be_longer_from_the_round_of_16_on(world):
    cup = published(world, 16, own_best_of={"round_of_16": 3})
    assert {one[:1] + one[2:] for one in lengths(cup)} == {("Round of 16", 3, 3)}
    for key in ("losers", "losers_final"):
        with pytest.raises(Refused, match="Only a double elimination has brackets"):
            check(Plan(name="Cup", ruleset="udl", format=Stage.Format.SINGLE_ELIMINATION, own_best_of={key: 3}))


def test_partners_alternate_in_the_long_final_and_from_round_to_round_before_it(world):
    cup = published_pairs(world, format=Stage.Format.SINGLE_ELIMINATION, own_best_of={"final": 3})
    for place in (1, 2):
        win(world, cup, 1, place)
    final = Slot.objects.get(matchday__number=2, matchday__stage__competition=cup).match
    assert set(final.sides.values_list("opener", flat=True)) == {1}
    assert draw_differences(cup) == []


@pytest.mark.parametrize(
    "wrong",
    [
        {"own_best_of": {"final": 2}, "format": Stage.Format.SINGLE_ELIMINATION},
        {"own_best_of": {"round": 3}, "format": Stage.Format.SINGLE_ELIMINATION},
        {"own_best_of": {"final": 3}, "format": Stage.Format.ROUND_ROBIN},
        {"clubs_apart": True, "format": Stage.Format.ROUND_ROBIN},
    ],
)
def test_a_plan_that_cannot_be_played_is_refused(wrong):
    with pytest.raises(Refused) as refused:
        check(Plan(name="Cup", ruleset="udl", **wrong))
    assert refused.value.code == "bad-plan"


def test_a_final_after_groups_has_its_own_length_too():
    check(Plan(name="Cup", ruleset="udl", format="swiss", then="single_elimination", advance_each=4, own_best_of=OWN))
