"""Drafts are seen by nobody but the staff, published once, and shown round by round where the organizer says so."""

import threading

import pytest
from django.contrib.auth.models import AnonymousUser
from django.db import connection

from league.competitions.draw import publishing
from league.competitions.draw.advancing import advance
from league.competitions.draw.plans import Plan, replan
from league.competitions.draw.publishing import publish, publish_matchday
from league.competitions.draw.stages import draw
from league.competitions.models import Competition, Matchday
from league.competitions.queries import home as home_page
from league.competitions.queries import lists as queries
from league.competitions.queries.competition import competition_page
from league.competitions.queries.staff import draft_page
from league.competitions.registration.entries import register, unregister
from league.competitions.registration.seeding import reseed
from league.errors import NotAllowed, Refused
from league.matches.models import Match
from league.matches.queries.lists import upcoming
from league.matches.visibility import visible_players
from tests.league.competitions.cup import drafted, enter_result, published, slot
from tests.league.world import NOON

NOBODY = AnonymousUser()
BY_ROUND = Competition.Release.ROUND_BY_ROUND
ROUND_ROBIN = "round_robin"


def page(user, competition):
    return competition_page(user, "harbour", competition.slug)


def day(competition, number):
    return Matchday.objects.get(stage__competition=competition, number=number)


def refused(act, *arguments, **more):
    with pytest.raises(Refused) as caught:
        act(*arguments, **more)
    return caught.value


def test_a_draft_is_absent_for_everybody_but_the_staff(world):
    Match.objects.all().delete()  # the world's own
    cup = drafted(world, 4)
    for outsider in (NOBODY, world.alice, world.charlie):
        for ask in (competition_page, draft_page):
            with pytest.raises(Competition.DoesNotExist):
                ask(outsider, "harbour", cup.slug)
        assert list(queries.competitions(outsider)) == []
        first_page = home_page.home(outsider, NOON)
        assert (first_page.live.lines, first_page.upcoming, first_page.competitions) == ([], [], [])
        assert [one.competition_count for one in queries.leagues(outsider)] == [0, 0]
        assert not visible_players(outsider).filter(name="P3").exists()
    for staff in (world.owner, world.referee):
        assert page(staff, cup).draft
        assert draft_page(staff, "harbour", cup.slug).draft
    assert Match.objects.filter(published_at__isnull=False).count() == 0


def test_whoever_has_a_bye_is_seen_with_the_others_once_it_is_published(world):
    Match.objects.all().delete()  # the world's own
    cup = drafted(world, 3)
    first = cup.registrations.get(seed=1).entrant.player
    assert not visible_players(NOBODY).filter(pk=first.pk).exists()
    publish(cup, user=world.owner)
    assert visible_players(NOBODY).filter(pk=first.pk).exists()


def test_publishing_shows_all_rounds_at_once(world):
    cup = drafted(world, 4)
    assert publish(cup, user=world.owner)
    shown = page(NOBODY, cup)
    assert [(one.name, one.hidden) for one in shown.matchdays] == [("Semi-finals", False), ("Final", False)]
    assert set(Matchday.objects.values_list("published_by", flat=True)) == {world.owner.pk}
    assert [one.published_at is not None for one in Match.objects.filter(slot__isnull=False)] == [True, True]


def test_a_second_time_changes_nothing(world):
    cup = drafted(world, 4)
    assert publish(cup, user=world.owner)
    before = Competition.objects.get().published_at
    assert not publish(cup, user=world.owner)
    assert Competition.objects.get().published_at == before


def test_what_is_not_drawn_is_not_published_and_only_organizers_publish(world):
    cup = drafted(world, 4)
    for stranger in (world.referee, world.alice, world.charlie):
        with pytest.raises(NotAllowed) as caught:
            publish(cup, user=stranger)
        assert caught.value.code == "no-permission"
    with pytest.raises(NotAllowed) as caught:
        publish(cup, user=NOBODY)
    assert caught.value.code == "sign-in"
    unregister(cup, world.ana, user=world.owner)
    assert refused(publish, cup, user=world.owner).code == "not-drawn"
    assert Competition.objects.get().published_at is None


def test_what_is_published_is_neither_drawn_nor_changed_any_more(world):
    cup = published(world, 4)
    plan = Plan(name="Cup", ruleset="udl")
    acts = [
        lambda: draw(cup, user=world.owner),
        lambda: register(cup, []),
        lambda: unregister(cup, world.ana, user=world.owner),
        lambda: reseed(cup, [], user=world.owner),
        lambda: replan(cup, plan, user=world.owner),
    ]
    assert [refused(act).code for act in acts] == ["already-published"] * 5


# --- Round by round ---


def test_round_by_round_the_first_round_is_shown_and_of_the_others_no_more_than_the_shape(world):
    cup = published(world, 5, release=BY_ROUND, tables=["1"])
    shown = page(NOBODY, cup)
    assert [one.name for one in shown.shown] == ["Quarter-finals"]
    hidden = [slot for one in shown.matchdays[1:] for slot in one.slots]
    assert [[berth.entrant for berth in one.berths] for one in hidden] == [[None, None]] * 3
    assert {(one.match, one.table, one.starts_at) for one in hidden} == {(None, "", None)}
    # P2 and P3 have byes, so their semi-final is scheduled, and stays unseen.
    assert Match.objects.filter(slot__matchday__number=2, published_at=None).count() == 1
    assert [line.id for line in home_page.home(NOBODY, NOON).upcoming] == []
    assert slot(cup, 2, 2).match not in upcoming(NOBODY, NOON)
    staff = page(world.referee, cup)
    assert [one.name for one in staff.shown] == ["Quarter-finals", "Semi-finals", "Final"]


def test_the_next_round_waits_for_its_results_or_for_a_reason_that_stands_for_ever(world):
    league = published(world, 4, format=ROUND_ROBIN, release=BY_ROUND)
    enter_result(world, slot(league, 1, 1).match, 1)
    refusal = refused(publish_matchday, day(league, 2), user=world.owner)
    assert refusal.code == "results-missing"
    assert str(refusal) == (
        "Confirmed results are missing before Round 2: Round 1: Bo Chen – P3. Enter or confirm them, or give a reason."
    )
    assert [one.name for one in page(NOBODY, league).shown] == ["Round 1"]
    assert publish_matchday(day(league, 2), user=world.owner, reason="  Bo is \n ill ")
    assert not publish_matchday(day(league, 2), user=world.owner, reason="other")
    early = page(NOBODY, league).shown[1]
    assert (early.missing_before, early.missing_rounds, early.reason) == (1, ["Round 1"], "Bo is ill")
    enter_result(world, slot(league, 1, 2).match, 1)
    for place in (1, 2):
        enter_result(world, slot(league, 2, place).match, 1)
    assert publish_matchday(day(league, 3), user=world.owner, reason="not needed")
    days = page(NOBODY, league).shown
    assert [(one.missing_before, one.reason) for one in days] == [(0, ""), (1, "Bo is ill"), (0, "")]
    assert day(league, 3).published_by == world.owner


def test_rounds_are_published_in_their_order_and_after_their_competition(world):
    league = drafted(world, 4, format=ROUND_ROBIN, release=BY_ROUND)
    assert refused(publish_matchday, day(league, 1), user=world.owner).code == "not-published"
    publish(league, user=world.owner)
    refusal = refused(publish_matchday, day(league, 3), user=world.owner, reason="hurry")
    assert (refusal.code, str(refusal)) == ("out-of-turn", "Round 2 comes first; publish it before.")
    with pytest.raises(NotAllowed):
        publish_matchday(day(league, 2), user=world.referee, reason="hurry")
    assert refused(publish_matchday, day(league, 2), user=world.owner, reason="x" * 201).code == "long-reason"
    assert [one.published_at is None for one in Matchday.objects.order_by("number")] == [False, True, True]


def test_a_match_that_becomes_known_in_a_published_round_is_seen_at_once_and_else_with_its_round(world):
    cup = published(world, 4, release=BY_ROUND)
    for place in (1, 2):
        enter_result(world, slot(cup, 1, place).match, 1)
        advance(slot(cup, 1, place).match_id)
    assert slot(cup, 2, 1).match.published_at is None
    publish_matchday(day(cup, 2), user=world.owner)
    assert slot(cup, 2, 1).match.published_at is not None


def test_a_round_published_early_shows_its_matches_as_they_become_known(world):
    cup = published(world, 4, release=BY_ROUND)
    publish_matchday(day(cup, 2), user=world.owner, reason="the hall closes")
    assert page(NOBODY, cup).shown[1].missing_before == 2
    for place in (1, 2):
        enter_result(world, slot(cup, 1, place).match, 1)
        advance(slot(cup, 1, place).match_id)
    assert slot(cup, 2, 1).match.published_at is not None


# --- Two at once ---


def publish_by_two(cup, world):
    """Two organizers press the button at once; what each was told, in no order."""
    told, errors = [], []

    def press():
        try:
            told.append(publish(cup, user=world.owner))
        except Exception as error:
            errors.append(error)
        finally:
            connection.close()

    threads = [threading.Thread(target=press) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(20)
    assert errors == []
    return sorted(told)


def meeting(monkeypatch, read):
    """Both callers read the competition before either goes on; where a lock keeps the second out, the first does not
    wait for ever.
    """
    both = threading.Barrier(2)

    def read_and_wait(pk):
        competition = read(pk)
        try:
            both.wait(timeout=1)
        except threading.BrokenBarrierError:
            return competition
        return competition

    monkeypatch.setattr(publishing, "locked", read_and_wait)


def test_a_double_click_on_publish_has_one_effect(shared_world, monkeypatch):
    cup = drafted(shared_world, 4)
    meeting(monkeypatch, publishing.locked)
    assert publish_by_two(cup, shared_world) == [False, True]


@pytest.mark.postgres
def test_without_the_lock_a_double_click_publishes_twice(shared_world, monkeypatch):
    """The control of the test before it."""
    cup = drafted(shared_world, 4)
    meeting(monkeypatch, lambda pk: Competition.objects.select_related("league").get(pk=pk))
    assert publish_by_two(cup, shared_world) == [True, True]
