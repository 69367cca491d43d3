"""After any amendment everything equals a rebuild from nothing (T-14): what rows say is recomputed from results alone,
and standings by the definitions, written down here once more.
"""

from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.db.models import Count

from league.competitions.amendments import services as amending
from league.competitions.draw.advancing import advance
from league.competitions.draw.publishing import publish_matchday
from league.competitions.draw.rebuilding import differences
from league.competitions.models import Berth, Matchday, Slot, Stage
from league.competitions.official_results import winners_and_losers
from league.competitions.queries.competition import competition_page
from league.matches.amendments import Wanted
from league.matches.models import KnownBy, Match, Result
from tests.league.competitions.cup import enter_result, names, published, slot

ROUND_ROBIN = Stage.Format.ROUND_ROBIN


def play_round(world, competition, number):
    """Each match to the side whose turn it is by its place, with a score of its own."""
    slots = Slot.objects.filter(matchday__stage__competition=competition, matchday__number=number)
    played = slots.annotate(berth_count=Count("berths")).filter(berth_count=2, match__isnull=False)
    for one in played.select_related("match").order_by("number"):
        enter_result(world, one.match, 1 + (number + one.number) % 2, points=(150, 5 * (one.number * number % 29)))
        advance(one.match_id)


def turn_over(world, match, later=""):
    """The other side has won, with the points that it had lost with."""
    game = match.games.select_related("match__league").get(number=1)
    old = Result.objects.get(game=game, current=True)
    data = {"scores": [old.scores["2"], old.scores["1"]]}
    wanted = Wanted(kind=KnownBy.SCORE, data=data, reason="names were swapped", later=later)
    proposal = amending.propose_amendment(game, world.referee, wanted, typed="Cup")
    return amending.confirm_amendment(proposal, world.second_referee, typed="Cup")


def by_hand(competition):
    """Wins, difference and points for of everybody, from the rows of official results and sides alone."""
    found = {}
    rows = Result.objects.filter(
        game__match__slot__matchday__stage__competition=competition, current=True, state="official"
    )
    for result in rows.select_related("game__match"):
        sides = dict(result.game.match.sides.values_list("number", "entrant"))
        for number, entrant in sides.items():
            own = result.scores[str(number)]
            other = sum(result.scores.values()) - own
            wins, difference, points = found.get(entrant, (0, 0, 0))
            found[entrant] = (wins + (result.winner == number), difference + own - other, points + own)
    return found


def shown(world, competition):
    page = competition_page(world.owner, competition.league.slug, competition.slug)
    return {row.entrant_id: (row.won, row.difference, row.points_for) for row in page.official}, page


@pytest.mark.slow("amends every round of a large competition")
def test_a_round_robin_of_nine_rounds_equals_a_rebuild_whichever_earlier_round_is_amended(world):
    league = published(world, 10, format=ROUND_ROBIN, release="round_by_round")
    for number in range(1, 9):
        play_round(world, league, number)
        publish_matchday(Matchday.objects.get(stage__competition=league, number=number + 1), user=world.owner)
    pairings = [names(league, number) for number in range(1, 10)]
    versions = list(Matchday.objects.order_by("number").values_list("version", flat=True))
    for number in range(1, 9):
        match = slot(league, number, 1).match
        before, _page = shown(world, league)
        turn_over(world, match)
        after, page = shown(world, league)
        assert after == by_hand(league)
        assert after != before
        ranks = [(row.won, row.difference, row.points_for) for row in page.official]
        assert ranks == sorted(ranks, reverse=True)
        assert differences(league) == []
        assert [day.paired_before for day in page.matchdays[number:]] == [match.pk] * (9 - number)
    assert [names(league, number) for number in range(1, 10)] == pairings
    assert list(Matchday.objects.order_by("number").values_list("version", flat=True)) == versions


@pytest.mark.slow("amends every round of a large competition")
@pytest.mark.parametrize("later", ["stand", "void"])
def test_a_knock_out_of_64_equals_a_rebuild_whichever_earlier_round_is_amended(world, later):
    cup = published(world, 64)
    for number in range(1, 6):
        play_round(world, cup, number)
    for number in range(5, 0, -1):
        before = {one.pk: one.match_id for one in Slot.objects.exclude(match=None)}
        path = {one.pk for one in Slot.objects.filter(matchday__number__gt=number, number=1)}
        turn_over(world, slot(cup, number, 1).match, later=later)
        assert differences(cup) == []
        kept = {one.pk: one.match_id for one in Slot.objects.exclude(match=None)}
        if later == "stand" and number < 5:
            assert kept == before
        assert {key for key in before if kept.get(key) != before[key]} <= path
    marks = Berth.objects.exclude(stands_although=None).count()
    # The final was not begun, so nobody stands there against the results.
    assert marks == (4 if later == "stand" else 0)
    # Void, and played anew to the end: the bracket closes as if it had been played so from the beginning.
    for number in range(1, 7):
        for one in Slot.objects.filter(matchday__number=number, match__state=Match.State.SCHEDULED):
            enter_result(world, one.match, 1)
            advance(one.match_id)
    assert differences(cup) == []
    assert Stage.objects.get(competition=cup).finished_at is not None


def test_the_check_sees_a_draw_that_does_not_follow_the_amended_result(world, monkeypatch):
    """The control: with the following switched off the rows are not what the results come to."""
    monkeypatch.setattr(amending.Following, "follow", lambda *_: None)
    cup = published(world, 4)
    play_round(world, cup, 1)
    assert differences(cup) == []
    turn_over(world, slot(cup, 1, 1).match)
    [winner, _loser] = winners_and_losers([slot(cup, 1, 1).match_id])[slot(cup, 1, 1).match_id]
    [found] = differences(cup)
    assert (found.what, found.should) == ("entrant", winner)
    with pytest.raises(CommandError, match="1 rows are not what the results come to"):
        call_command("rebuild", "--check", stdout=StringIO())


def test_the_command_says_that_everything_agrees(world):
    cup = published(world, 4)
    play_round(world, cup, 1)
    told = StringIO()
    call_command("rebuild", "--check", "--competition", f"harbour/{cup.slug}", stdout=told)
    assert told.getvalue() == "1 competitions are what their results come to\n"
    with pytest.raises(CommandError, match="there is no competition harbour/nothing"):
        call_command("rebuild", "--check", "--competition", "harbour/nothing", stdout=told)


@pytest.mark.parametrize(
    ("broken", "what"),
    [
        (lambda cup: Match.objects.filter(slot=slot(cup, 1, 1)).update(state="playing"), "state of its match"),
        (lambda cup: Slot.objects.filter(pk=slot(cup, 2, 1).pk).update(match=None), "match"),
        (lambda cup: Stage.objects.update(finished_at=cup.published_at), "finished"),
    ],
)
def test_the_check_names_each_kind_of_row_that_is_wrong(world, broken, what):
    cup = published(world, 4)
    play_round(world, cup, 1)
    broken(cup)
    assert what in [one.what for one in differences(cup)]


def played_out(world, **plan):
    made = published(world, **plan)
    for number in range(1, Matchday.objects.filter(stage__competition=made).count() + 1):
        for one in Slot.objects.filter(matchday__stage__competition=made, matchday__number=number, match__isnull=False):
            enter_result(world, one.match, 1)
            advance(one.match_id)
    return made


def test_an_amended_grand_final_brings_the_deciding_match_or_takes_it_away(world):
    cup = played_out(world, count=4, format="double_elimination")
    last = Matchday.objects.filter(stage__competition=cup).count()
    final = slot(cup, last - 1, 1).match
    assert (slot(cup, last, 1).not_needed, differences(cup)) == (True, [])
    turn_over(world, final)
    decider = slot(cup, last, 1)
    assert (decider.not_needed, decider.match is not None, differences(cup)) == (False, True, [])
    turn_over(world, Match.objects.get(pk=final.pk))
    decider = slot(cup, last, 1)
    assert (decider.not_needed, decider.match, differences(cup)) == (True, None, [])


def test_the_effect_in_the_second_group_is_shown_in_its_own_table(world):
    cup = played_out(world, count=6, format="groups", groups=2)
    match = Slot.objects.filter(matchday__stage__competition=cup, group=2, match__isnull=False).first().match
    game = match.games.get()
    old = Result.objects.get(game=game, current=True)
    data = {"scores": [old.scores["2"], old.scores["1"]]}
    effect = amending.outlooks(game, world.referee, Wanted(kind=KnownBy.SCORE, data=data, reason="swapped")).stand
    assert {row.name for row in effect.rows} >= {str(side.entrant) for side in match.sides.all()}
    assert differences(cup) == []
