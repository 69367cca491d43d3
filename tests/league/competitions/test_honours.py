"""Titles: there once a competition is over by official results, moved by an amendment, gone while it is open again."""

from datetime import timedelta

import pytest
from django.contrib.auth.models import AnonymousUser
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from league.competitions.draw.advancing import advance
from league.competitions.honours import honour_differences, settle_honours, settle_missed
from league.competitions.ladders.closing import close_ladder, reopen_ladder
from league.competitions.models import Competition, Honour, Slot, Stage
from league.competitions.queries.last_match import day_of
from league.competitions.queries.lists import competitions
from league.competitions.queries.player import honours_of, titles_of
from league.competitions.visibility import seen_competition
from league.matches.clock.services import start_clock
from league.matches.models import Match, Record
from tests.league.competitions.amended import ROUND_ROBIN, amend, played_out, score, win
from tests.league.competitions.cup import enter_result, published, slot
from tests.league.competitions.ladders.test_ladders import THEN, challenged, ladder, play
from tests.league.competitions.pair_world import published_pairs
from tests.league.competitions.season_world import play_season, published_season

pytestmark = pytest.mark.django_db


def told(competition: Competition) -> list[tuple[int, str]]:
    """What is shown, over everybody."""
    people = {player for one in competition.registrations.select_related("entrant") for player in one.entrant.players}
    return sorted({(one.place, str(player)) for player in people for one in titles_of(player, 9).titles})


def test_a_cup_has_titles_once_its_last_match_is_official(world):
    cup = published(world, 4, third_place=True)
    for place in (1, 2):
        win(world, cup, 1, place)
    win(world, cup, 2, 1)
    assert settle_missed() == 0
    assert told(cup) == []
    match = slot(cup, 2, 2).match
    enter_result(world, match, 1, official=False)
    assert settle_missed() == 0
    match.games.first().results.update(state="official")
    match.state = "decided"
    match.save()
    advance(match.pk)
    assert settle_missed() == 1
    assert told(cup) == [(1, "Ana Ruiz"), (2, "Bo Chen"), (3, "P4")]
    assert settle_missed() == 0, "what is written is not written again"
    assert settle_honours(cup.pk) is False


def test_an_amended_final_moves_the_title_and_shows_none_in_between(world):
    cup, _first = played_out(world)
    settle_missed()
    before = told(cup)
    assert before[0] == (1, "Ana Ruiz")
    amend(world, slot(cup, 2, 1).match, score(80, 150))
    assert told(cup) == [], "rather none than the wrong one"
    assert settle_missed() == 1
    assert told(cup)[:2] == [(1, "Bo Chen"), (2, "Ana Ruiz")]


@pytest.mark.parametrize("ahead", [False, True], ids=["typed later", "played ahead of its day"])
def test_a_title_has_the_day_of_the_final_not_of_the_confirmation(world, ahead):
    now = timezone.now()
    to_start = now + timedelta(days=5) if ahead else now - timedelta(days=13)
    cup = published(world, 4, starts_at=to_start, days_between=7)
    for place in (1, 2):
        win(world, cup, 1, place)
    final = win(world, cup, 2, 1)
    settle_missed()
    [title] = titles_of(world.ana.player, 9).titles
    handed_in = Record.objects.get(game__match=final).submitted_at
    assert title.finished_at == (handed_in if ahead else Match.objects.get(pk=final.pk).starts_at)
    before = title.finished_at
    amend(world, final, score(150, 80))
    settle_missed()
    assert [one.finished_at for one in titles_of(world.ana.player, 9).titles] == [before]


@pytest.mark.parametrize("timed", [False, True], ids=["grid", "clock"])
def test_a_title_of_an_evening_has_the_day_on_which_it_was_played_not_the_planned_one(world, timed):
    """Planned four days ago and played today; its hours are a forecast."""
    now = timezone.now()
    cup = published(world, 2, starts_at=now - timedelta(days=4))
    final, began = slot(cup, 1, 1).match, (now - timedelta(days=2)).replace(microsecond=0)
    if timed:
        start_clock(final.games.get(), world.referee, began)
    win(world, cup, 1, 1)
    settle_missed()
    [title] = titles_of(world.ana.player, 9).titles
    handed_in = Record.objects.get(game__match=final).submitted_at
    assert title.finished_at == (began if timed else handed_in)
    seen = seen_competition(AnonymousUser(), "harbour", cup.slug)
    assert day_of(seen) == title.finished_at
    assert [one.last_day for one in competitions(AnonymousUser()).filter(pk=cup.pk)] == [title.finished_at]


def test_a_competition_that_is_not_over_has_its_planned_day(world):
    cup = published(world, 4)
    assert day_of(seen_competition(AnonymousUser(), "harbour", cup.slug)) == cup.starts_at
    assert [one.last_day for one in competitions(AnonymousUser()).filter(pk=cup.pk)] == [cup.starts_at]


def test_a_rebuild_names_a_title_that_the_results_do_not_give(world):
    cup, _first = played_out(world)
    settle_missed()
    assert honour_differences(cup) == []
    Honour.objects.filter(competition=cup, place=1).update(place=3)
    [one] = honour_differences(cup)
    assert (one.what, one.says, one.should) == ("place", 3, 1)


def test_what_is_open_again_has_no_titles(world):
    cup, _first = played_out(world)
    settle_missed()
    Stage.objects.filter(competition=cup).update(finished_at=None)
    assert Honour.objects.filter(competition=cup).exists()
    assert told(cup) == []


def test_the_table_of_a_round_robin_and_a_shared_place(world):
    league = published(world, 4, format=ROUND_ROBIN, tie_breaks=["wins"])
    # Everybody but the last beats one of the others, and all of them the last one.
    order = ["Ana Ruiz", "Bo Chen", "P3", "P4"]
    beats = {("Ana Ruiz", "Bo Chen"), ("Bo Chen", "P3"), ("P3", "Ana Ruiz")}
    for one in Slot.objects.filter(matchday__stage__competition=league).order_by("matchday__number", "number"):
        names = [str(side.entrant) for side in one.match.sides.order_by("number")]
        if "P4" in names:
            winner = 1 if names[0] != "P4" else 2
        else:
            winner = 1 if tuple(names) in beats else 2
        win(world, league, one.matchday.number, one.number, winner)
    settle_missed()
    assert told(league) == [(1, name) for name in order[:3]]


def test_a_ladder_has_them_when_it_is_closed_and_until_it_is_opened(world):
    competition = ladder(world)
    play(world, challenged(world, competition, "P4", "Bo"), (20, 150))
    assert settle_missed() == 0
    close_ladder(competition, user=world.owner, now=THEN)
    settle_missed()
    assert told(competition) == [(1, "Ana Ruiz"), (2, "P4"), (3, "Bo Chen")]
    assert [one.finished_at for one in titles_of(world.ana.player, 9).titles] == [THEN]
    reopen_ladder(competition, user=world.owner)
    assert told(competition) == []
    play(world, challenged(world, competition, "P4", "Ana"), (20, 150))
    close_ladder(competition, user=world.owner, now=THEN)
    assert told(competition) == []
    settle_missed()
    assert told(competition)[0] == (1, "P4")


def test_both_of_a_pair_have_the_title_and_each_reads_with_whom(world):
    cup = published_pairs(world)
    for round_number in sorted(set(Slot.objects.values_list("matchday__number", flat=True))):
        for one in Slot.objects.filter(matchday__stage__competition=cup, matchday__number=round_number):
            win(world, cup, round_number, one.number)
    assert settle_missed() == 1
    winners = Honour.objects.select_related("entrant__player", "entrant__partner").filter(place=1)
    # Level in everything: they share the place.
    assert len(winners) == 2
    for winner in winners:
        for one, other in (winner.entrant.players, winner.entrant.players[::-1]):
            [title] = titles_of(one, 9).titles
            assert (title.place, [partner.code for partner in title.partners]) == (1, [other.code])


def test_a_division_is_won_by_whom_its_season_has_on_top(world):
    season = published_season(world)
    play_season(world, season)
    settle_missed()
    for division in season.divisions.select_related("competition__league"):
        first = Honour.objects.filter(competition=division.competition, place=1).select_related("entrant__player")
        [title] = titles_of(first.first().entrant.player, 9).titles
        assert (title.division, title.season) == (division.name, season)
        assert title.entrants == division.competition.registrations.count()


def test_they_are_written_after_the_commit_without_a_sweep(world, at_once, django_capture_on_commit_callbacks):
    cup = published(world, 2)
    with django_capture_on_commit_callbacks(execute=True):
        win(world, cup, 1, 1)
    assert told(cup) == [(1, "Ana Ruiz"), (2, "Bo Chen")]


def test_a_player_s_titles_take_one_statement_however_many_there_are(world):
    def counted() -> int:
        with CaptureQueriesContext(connection) as asked:
            titles_of(world.ana.player, 9)
        return len(asked)

    for number in range(3):
        cup = published(world, 2, name=f"Cup {number}")
        win(world, cup, 1, 1)
        settle_missed()
        assert counted() == 1
    assert titles_of(world.ana.player, 2).total == 3
    assert [one.total for one in honours_of(world.ana.player)] == [3, 3, 3]
