"""Who leaves a round robin: under half of the matches none counts, from half on all do (FIDE C.05 6.6); no rank.

Every table is worked by hand.
"""

import pytest

from league.accounts.models import League
from league.competitions.attendance.withdrawals import undo_withdrawal, withdraw
from league.competitions.draw.advancing import advance
from league.competitions.draw.publishing import publish_matchday
from league.competitions.draw.stages import draw_next
from league.competitions.models import Competition, Stage
from league.competitions.queries.competition import competition_page
from league.competitions.queries.final_places import final_ranking
from league.competitions.standings.stage_table import stage_tables
from league.matches.models import Match
from league.players.models import Entrant
from tests.league.competitions.cup import enter_result, published

HALF, KEEP, ANNUL = Competition.Leaving
ROUND_ROBIN = {"format": Stage.Format.ROUND_ROBIN}


@pytest.fixture(autouse=True)
def _at_once(world):
    League.objects.filter(pk=world.league.pk).update(confirmation_required=False)


def entrant(name: str) -> Entrant:
    return Entrant.objects.get(player__name__startswith=name)


def beats(world, cup, winner: str, loser: str) -> None:
    """150–95, wherever the two meet."""
    matches = Match.objects.filter(slot__matchday__stage__competition=cup, sides__entrant=entrant(winner))
    match = matches.filter(sides__entrant=entrant(loser)).distinct().get()
    number = match.sides.get(entrant=entrant(winner)).number
    enter_result(world, match, number)
    advance(match.pk)


def leaves(world, cup, name: str):
    return withdraw(cup, entrant(name), user=world.owner, reason="goes home")


def page(world, cup, group=None):
    return competition_page(world.owner, "harbour", cup.slug, group=group)


def rows(world, cup, group=None):
    """Rank, name, matches played, won, and the difference."""
    return [
        (row.rank, row.name.split()[0], row.played, row.won, row.difference) for row in page(world, cup, group).official
    ]


def of_four(world, leaving):
    """P4 beats Ana and leaves after one of three matches. P3 beats Bo, Ana beats Bo and P3."""
    cup = published(world, 4, **ROUND_ROBIN, leaving=leaving)
    beats(world, cup, "P4", "Ana")
    beats(world, cup, "P3", "Bo")
    leaves(world, cup, "P4")
    beats(world, cup, "Ana", "Bo")
    beats(world, cup, "Ana", "P3")
    return cup


@pytest.mark.parametrize("leaving", [HALF, ANNUL])
def test_with_one_of_three_matches_played_none_counts(world, leaving):
    assert rows(world, of_four(world, leaving)) == [
        (1, "Ana", 2, 2, 110),
        (2, "P3", 2, 1, 0),
        (3, "Bo", 2, 0, -110),
        (0, "P4", 0, 0, 0),
    ]


def test_where_matches_are_kept_the_rest_is_forfeited(world):
    assert rows(world, of_four(world, KEEP)) == [
        (1, "Ana", 3, 2, 55),
        (2, "P3", 3, 2, 0),
        (3, "Bo", 3, 1, -110),
        (0, "P4", 3, 1, 55),
    ]


def of_five(world, leaving):
    """P5 has played exactly half, two of four: beats Ana, loses to Bo; then leaves. The others do not play."""
    cup = published(world, 5, **ROUND_ROBIN, leaving=leaving)
    beats(world, cup, "P5", "Ana")
    beats(world, cup, "Bo", "P5")
    leaves(world, cup, "P5")
    return cup


def test_with_half_of_the_matches_played_they_count_and_the_rest_is_forfeited(world):
    assert rows(world, of_five(world, HALF)) == [
        (1, "Bo", 1, 1, 55),
        (2, "P3", 1, 1, 0),
        (2, "P4", 1, 1, 0),
        (4, "Ana", 1, 0, -55),
        (0, "P5", 4, 1, 0),
    ]


def test_all_are_annulled_where_the_organizer_says_so(world):
    assert [row[2:] for row in rows(world, of_five(world, ANNUL))] == [(0, 0, 0)] * 5


def test_an_undone_withdrawal_gives_the_table_back(world):
    cup = published(world, 4, **ROUND_ROBIN)
    beats(world, cup, "P4", "Ana")
    before = rows(world, cup)
    done = leaves(world, cup, "P4")
    assert rows(world, cup) != before
    undo_withdrawal(done, user=world.owner)
    assert rows(world, cup) == before


@pytest.mark.parametrize("others", [True, False])
def test_whoever_has_played_every_match_keeps_the_rank(world, others):
    """Whether the others are through or not."""
    cup = published(world, 3, **ROUND_ROBIN)
    beats(world, cup, "P3", "Ana")
    beats(world, cup, "P3", "Bo")
    if others:
        beats(world, cup, "Ana", "Bo")
    leaves(world, cup, "P3")
    assert rows(world, cup)[0] == (1, "P3", 2, 2, 110)


def test_a_match_of_one_who_left_is_not_waited_for_and_takes_no_place(world):
    """Ana is surely first of the three, and the outlook knows no place for the one who left."""
    cup = published(world, 4, **ROUND_ROBIN)
    leaves(world, cup, "P4")
    table = page(world, cup).table
    outlook = table.outlook(official_only=True)
    assert (outlook.of(world.ana.pk).best, outlook.of(world.ana.pk).worst) == (1, 3)
    for pair in (("Ana", "Bo"), ("Ana", "P3"), ("Bo", "P3")):
        beats(world, cup, *pair)
    stage = cup.stages.get()
    assert stage.finished_at is not None
    assert [place.entrant.name.split()[0] for place in final_ranking(page(world, cup))] == ["Ana", "Bo", "P3"]


def test_in_groups_the_results_against_one_who_left_decide_nothing(world):
    """Of Ana, P4, P5 and Bo, P3, P6: P5 beats Ana and leaves with one of two matches, which is half; P6 with none."""
    plan = {"format": Stage.Format.GROUPS, "groups": 2, "then": Stage.Format.SINGLE_ELIMINATION, "advance_each": 1}
    cup = published(world, 6, **plan)
    group = next(one for one in (1, 2) if any(row[1] == "Ana" for row in rows(world, cup, one)))
    others = [row[1] for row in rows(world, cup, group) if row[1] != "Ana"]
    beats(world, cup, others[1], "Ana")
    leaves(world, cup, others[1])
    beats(world, cup, "Ana", others[0])
    assert rows(world, cup, group) == [
        (1, "Ana", 2, 1, 0),
        (2, others[0], 2, 1, -55),
        (0, others[1], 2, 1, 55),
    ]
    Competition.objects.filter(pk=cup.pk).update(leaving=ANNUL)
    assert [row[:4] for row in rows(world, cup, group)] == [
        (1, "Ana", 1, 1),
        (2, others[0], 1, 0),
        (0, others[1], 0, 0),
    ]


def test_who_leaves_the_knock_out_keeps_the_rank_in_the_group(world):
    plan = {"format": Stage.Format.ROUND_ROBIN, "then": Stage.Format.SINGLE_ELIMINATION, "advance_each": 2}
    cup = published(world, 3, **plan)
    for pair in (("Ana", "Bo"), ("Ana", "P3"), ("Bo", "P3")):
        beats(world, cup, *pair)
    before = rows(world, cup)
    publish_matchday(draw_next(cup, user=world.owner), user=world.owner)
    leaves(world, cup, "Ana")
    assert rows(world, cup) == before
    assert [row.rank for row in stage_tables(cup.stages.get(number=1), also={world.ana.pk})[0].rows] == [1, 2, 3]


def test_in_a_swiss_system_results_stay_and_there_is_no_rank(world):
    cup = published(world, 4, format=Stage.Format.SWISS, rounds=2, leaving=ANNUL)
    pairs = [
        list(match.sides.values_list("entrant__player__name", flat=True))
        for match in Match.objects.filter(slot__matchday__stage__competition=cup)
    ]
    for winner, loser in pairs:
        beats(world, cup, winner, loser)
    winner = pairs[0][0]
    leaves(world, cup, winner)
    found = rows(world, cup)
    assert found[-1][:4] == (0, winner.split()[0], 1, 1)
    assert [row[0] for row in found] == [1, 2, 2, 0] or [row[0] for row in found] == [1, 2, 3, 0]
