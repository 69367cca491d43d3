"""Founding, drawing, publishing, and what the pages ask: with 1 and 3 rows under the same number of statements."""

from datetime import timedelta

import pytest
from django.contrib.auth.models import AnonymousUser

from league.competitions import tasks
from league.competitions.draw.counts import with_counts
from league.competitions.draw.plans import Plan, found
from league.competitions.draw.publishing import publish
from league.competitions.draw.stages import draw
from league.competitions.models import Competition, Matchday, Slot, Stage
from league.competitions.queries import home as home_page
from league.competitions.queries import lists as queries
from league.competitions.queries.competition import competition_page
from league.competitions.registration.entries import register
from league.house.mistakes import with_broken_rule
from league.matches.logs.submission import confirm_result, verify_record
from league.matches.models import Match, Result
from league.players.services import enrol
from tests.league.world import NOON, play, played_log

NOBODY = AnonymousUser()
COMPETITION_STATEMENTS = 9
HOME_STATEMENTS = 16


@pytest.fixture
def entrants(world):
    third = enrol(league=world.league, name="Cy Diaz", since=NOON.date())
    return [world.ana, world.bo, third]


def drawn(world, entrants, name="Autumn", starts_at=NOON):
    plan = Plan(name=name, ruleset="udl", starts_at=starts_at, days_between=7)
    competition = found(world.league, plan, user=world.owner)
    register(competition, entrants)
    draw(competition, user=world.owner)
    return competition


@pytest.fixture
def competition(world, entrants):
    competition = drawn(world, entrants)
    publish(competition, user=world.owner)
    competition.refresh_from_db()
    world.match = Match.objects.get(
        slot__matchday__stage__competition=competition, sides__entrant=world.ana, sides__number=1
    )
    return competition


def page(user=NOBODY):
    return competition_page(user, "harbour", "autumn")


def table(rows):
    return [(row.rank, row.name, row.played, row.won, row.difference) for row in rows]


def between(world, first, second):
    """The match of two players, made the world's own; who is at side 1 sits at seat A."""
    world.match = Match.objects.filter(sides__entrant=first).get(sides__entrant=second, slot__isnull=False)
    return tuple(str(side.entrant) for side in world.match.sides.order_by("number"))


def enter(world, first, second, seed=7, mistake=str):
    names = between(world, first, second)
    record = world.submit(mistake(played_log(seed, names=names)), by=world.referee)
    verify_record(record.pk)
    return play(seed, names=names), names


def test_the_draw_is_the_berger_table_in_the_order_of_seeds_with_a_bye_each(competition):
    days = page().matchdays
    assert [[[side.name for side in line.sides] for line in day.matches] for day in days] == [
        [["Bo Chen", "Cy Diaz"]],
        [["Ana Ruiz", "Bo Chen"]],
        [["Cy Diaz", "Ana Ruiz"]],
    ]
    assert [day.bye for day in days] == [["Ana Ruiz"], ["Cy Diaz"], ["Bo Chen"]]
    assert [day.name for day in days] == ["Round 1", "Round 2", "Round 3"]
    assert [day.starts_at for day in days] == [NOON + timedelta(weeks=week) for week in range(3)]


def test_a_draft_and_its_matches_are_absent_for_everybody_but_the_staff(world, competition):
    Competition.objects.update(published_at=None)
    Matchday.objects.update(published_at=None)
    Match.objects.update(published_at=None)
    for outsider in (NOBODY, world.alice, world.charlie):
        with pytest.raises(Competition.DoesNotExist):
            page(outsider)
        assert list(queries.competitions(outsider)) == []
        assert [line.id for line in home_page.home(outsider, NOON).upcoming] == []
    assert page(world.referee).draft
    publish(competition, user=world.owner)
    assert not page().draft
    assert Match.objects.filter(published_at=None, slot__isnull=False).count() == 0


def test_a_provisional_result_moves_the_provisional_table_only(world, competition):
    game, names = enter(world, world.ana, world.bo)
    won = names["AB".index(game.winner)]
    difference = abs(game.scores["A"] - game.scores["B"])
    lost = next(name for name in names if name != won)
    shown = page()
    assert table(shown.official) == [(1, "Ana Ruiz", 0, 0, 0), (1, "Bo Chen", 0, 0, 0), (1, "Cy Diaz", 0, 0, 0)]
    assert table(shown.provisional) == [
        (1, won, 1, 1, difference),
        (2, "Cy Diaz", 0, 0, 0),
        (3, lost, 1, 0, -difference),
    ]
    assert shown.has_provisional
    confirm_result(result=Result.objects.get(), user=world.bob)
    shown = page()
    assert shown.official == shown.provisional
    assert table(shown.official)[0] == (1, won, 1, 1, difference)
    assert not shown.has_provisional


def test_a_result_that_needs_a_decision_counts_nowhere_until_an_official_decides(world, competition):
    enter(world, world.ana, world.bo, mistake=with_broken_rule)
    assert [row.played for row in page().provisional] == [0, 0, 0]
    assert [line.needs_decision for day in page().matchdays for line in day.matches] == [False, True, False]
    confirm_result(result=Result.objects.get(), user=world.second_referee)
    assert sorted(row.played for row in page().official) == [0, 1, 1]


def test_the_table_is_what_the_logs_say_when_all_is_played(world, competition, entrants):
    expected = {str(one): [0, 0] for one in entrants}
    pairs = [(entrants[0], entrants[1]), (entrants[1], entrants[2]), (entrants[2], entrants[0])]
    for seed, (first, second) in enumerate(pairs, start=20):
        game, names = enter(world, first, second, seed)
        confirm_result(result=Result.objects.get(game=world.game), user=world.second_referee)
        for name, own, other in ((names[0], "A", "B"), (names[1], "B", "A")):
            expected[name][0] += game.winner == own
            expected[name][1] += game.scores[own] - game.scores[other]
    rows = page().official
    assert {row.name: [row.won, row.difference] for row in rows} == expected
    assert [(row.won, row.difference) for row in rows] == sorted(((r.won, r.difference) for r in rows), reverse=True)


def test_the_stage_is_finished_with_its_last_official_match(
    world, competition, entrants, django_capture_on_commit_callbacks
):
    finished = []
    for first, second in ((0, 1), (1, 2), (2, 0)):
        enter(world, entrants[first], entrants[second])
        with django_capture_on_commit_callbacks(execute=True):
            confirm_result(result=Result.objects.get(game=world.game), user=world.second_referee)
        finished.append(Stage.objects.get().finished_at is not None)
    assert finished == [False, False, True]


def test_a_stage_whose_last_signal_was_lost_is_finished_by_the_sweep(world, competition, entrants):
    for first, second in ((0, 1), (1, 2)):
        enter(world, entrants[first], entrants[second])
        confirm_result(result=Result.objects.get(game=world.game), user=world.second_referee)
    assert tasks.sweep() == 0
    enter(world, entrants[2], entrants[0])
    confirm_result(result=Result.objects.get(game=world.game), user=world.second_referee)
    assert Stage.objects.get().finished_at is None, "nobody heard of it"
    # The stage, and the titles of the competition that ends with it.
    assert (tasks.sweep(), tasks.sweep()) == (2, 0)
    assert Stage.objects.get().finished_at is not None


def test_the_competition_page_takes_as_many_statements_with_one_result_as_with_three(
    world, competition, entrants, django_assert_num_queries
):
    enter(world, entrants[0], entrants[1])
    with django_assert_num_queries(COMPETITION_STATEMENTS):
        page()
    enter(world, entrants[1], entrants[2])
    enter(world, entrants[2], entrants[0])
    with django_assert_num_queries(COMPETITION_STATEMENTS):
        page()


def test_the_home_page_takes_as_many_statements_with_one_of_everything_as_with_three(
    world, competition, entrants, django_assert_num_queries
):
    now = NOON + timedelta(days=8)
    enter(world, entrants[0], entrants[1])
    Match.objects.filter(slot=None).update(starts_at=now)
    with django_assert_num_queries(HOME_STATEMENTS):
        first_page = home_page.home(NOBODY, now)
    assert (len(first_page.live.lines), len(first_page.upcoming), len(first_page.latest)) == (1, 1, 1)
    for slug in ("b", "c"):
        publish(drawn(world, entrants, slug, now + timedelta(days=1)), user=world.owner)
    for first, second in ((1, 2), (2, 0)):
        world.match = Match.objects.filter(
            sides__entrant=entrants[first], slot__matchday__stage__competition=competition
        ).get(sides__entrant=entrants[second])
        names = tuple(str(side.entrant) for side in world.match.sides.order_by("number"))
        verify_record(world.submit(played_log(7, names=names), by=world.referee).pk)
    for _ in range(2):
        world.fixture(starts_at=now)
    with django_assert_num_queries(HOME_STATEMENTS):
        first_page = home_page.home(NOBODY, now)
    assert (len(first_page.live.lines), len(first_page.upcoming), len(first_page.latest)) == (3, 6, 3)
    assert [(one.name, one.draw_count.players, one.draw_count.matches) for one in first_page.competitions] == [
        ("c", 3, 3),
        ("b", 3, 3),
        ("Autumn", 3, 3),
    ]


def test_a_list_counts_byes_and_matches_to_come_as_they_are_and_reads_those_that_it_shows(
    world, competition, entrants, django_assert_num_queries
):
    """Three in a round robin have three byes; a cup of three has a bye and a final that waits for its sides."""
    enter(world, entrants[0], entrants[1])
    confirm_result(result=Result.objects.get(game=world.game), user=world.second_referee)
    enter(world, entrants[1], entrants[2])
    cup = found(world.league, Plan(name="Cup", ruleset="udl", format="single_elimination"), user=world.owner)
    register(cup, entrants)
    draw(cup, user=world.owner)
    found(world.league, Plan(name="Empty", ruleset="udl"), user=world.owner)
    with django_assert_num_queries(5):
        found_ones = with_counts(queries.competitions(world.owner))
    counted = {one.name: (one.draw_count.players, one.draw_count.matches, one.draw_count.decided) for one in found_ones}
    assert counted == {"Autumn": (3, 3, 1), "Cup": (3, 2, 0), "Empty": (0, 0, 0)}


def test_the_match_for_third_place_is_not_called_the_final(world, entrants):
    fourth = enrol(league=world.league, name="Di Evans", since=NOON.date())
    plan = Plan(name="Cup", ruleset="udl", format="single_elimination", third_place=True)
    cup = found(world.league, plan, user=world.owner)
    register(cup, [*entrants, fourth])
    draw(cup, user=world.owner)
    publish(cup, user=world.owner)
    for slot in Slot.objects.filter(matchday__number=2):
        match = Match.objects.create(league=world.league, ruleset="udl", published_at=NOON)
        Slot.objects.filter(pk=slot.pk).update(match=match)
        [place] = queries.competition_of([match.pk]).values()
        assert place.matchday == ("Third place" if slot.third_place else "Final")


def test_where_a_match_belongs_is_one_question_for_many(world, competition, django_assert_num_queries):
    matches = list(Match.objects.values_list("pk", flat=True))
    with django_assert_num_queries(1):
        places = queries.competition_of(matches)
    assert world.match.pk in places
    place = places[world.match.pk]
    assert (place.competition, place.league_slug, place.slug, place.matchday) == (
        "Autumn",
        "harbour",
        "autumn",
        "Round 2",
    )
