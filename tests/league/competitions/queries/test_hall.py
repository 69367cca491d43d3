"""The clocks of a hall: which tables start together, at one instant, and which not and why."""

import time
from datetime import timedelta

import pytest
from django.contrib.auth.models import AnonymousUser
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from league.accounts.models import Role
from league.competitions.draw.advancing import advance
from league.competitions.models import Competition, Matchday, Slot, Stage, Withdrawal
from league.competitions.queries.hall import hall, tables_for
from league.competitions.queries.hall_tables import NotReady
from league.errors import NotAllowed, Refused
from league.matches.clock import services as timekeeping
from league.matches.clock.hall import run_together
from league.matches.clock.state import ClockState
from league.matches.clock_acts import ClockAct
from league.matches.models import ClockEvent, Game, Match
from tests.league.competitions.amended import win
from tests.league.competitions.cup import enter_result, published, slot
from tests.league.world import NOON, person

NOBODY = AnonymousUser()
ROBIN = Stage.Format.ROUND_ROBIN


def at(seconds: float):
    return NOON + timedelta(seconds=seconds)


@pytest.fixture
def cup(world) -> Competition:
    """Eight players in a round robin at four tables, all rounds shown."""
    Match.objects.all().delete()  # the world's own
    return published(world, 8, format=ROBIN, tables=("1", "2", "3", "10"), minutes=20)


def now_in(world, seconds: float = 0, **more):
    return hall(NOBODY, world.league, at(seconds), **more)


def press(world, act, seconds: float = 0, **more):
    found = now_in(world, seconds)
    games = [one.game for one in tables_for(act, found)]
    return run_together(games, world.referee, act, at=at(seconds), **more)


def states(found) -> list[tuple[str, str]]:
    return [(one.name, one.why_not or "ready") for one in found.tables]


def test_all_tables_of_the_round_start_at_one_instant_and_ring_together(world, cup):
    done = press(world, ClockAct.START)
    assert [one.refusal for one in done] == [None] * 4
    assert {event.at for event in ClockEvent.objects.all()} == {NOON}
    assert set(Game.objects.filter(rings_at__isnull=False).values_list("rings_at", flat=True)) == {at(900)}
    found = now_in(world, 60)
    assert states(found) == [("1", "running"), ("2", "running"), ("3", "running"), ("10", "running")]
    assert (found.main.reading.remaining_ms, found.different) == (840_000, [])
    assert set(Match.objects.filter(slot__matchday__number=1).values_list("state", flat=True)) == {"playing"}


def test_the_second_press_starts_nothing_and_the_next_round_waits_for_this_one(world, cup):
    press(world, ClockAct.START)
    found = now_in(world, 5)
    assert [one.matchday.number for one in found.rounds] == [1]
    assert tables_for(ClockAct.START, found) == []
    assert ClockEvent.objects.count() == 4


def test_whoever_cannot_start_is_named_with_the_reason_and_keeps_nobody_waiting(world, cup):
    first = [slot(cup, 1, place).match for place in range(1, 5)]
    by_table = {match.table.name: match for match in first}
    timekeeping.start_clock(by_table["1"].games.get(), world.referee, NOON)
    timekeeping.pause_clock(by_table["1"].games.get(), world.referee, at(5))
    enter_result(world, by_table["2"], 1)
    Match.objects.filter(pk=by_table["2"].pk).update(state=Match.State.DECIDED)
    Match.objects.filter(pk=by_table["3"].pk).update(options={"clock_s": 0})
    assert states(now_in(world, 10)) == [("1", "paused"), ("2", "played"), ("3", "untimed"), ("10", "ready")]
    done = press(world, ClockAct.START, 10)
    assert [one.game.match_id for one in done] == [by_table["10"].pk]


def test_a_table_that_somebody_else_started_meanwhile_is_refused_alone(world, cup):
    tables = now_in(world).ready
    timekeeping.start_clock(tables[1].game, world.referee, NOON)
    done = run_together([one.game for one in tables], world.referee, ClockAct.START, at=at(1))
    assert [one.refusal.code if one.refusal else "" for one in done] == ["", "already-running", "", ""]
    assert ClockEvent.objects.filter(kind="start").count() == 4


def test_nobody_plays_at_two_tables(world, cup):
    """A late table of round 1 still plays: round 2 starts without whoever sits there."""
    press(world, ClockAct.START)
    late = slot(cup, 1, 1).match
    for match in Match.objects.filter(slot__matchday__number=1).exclude(pk=late.pk):
        enter_result(world, match, 1)
        Match.objects.filter(pk=match.pk).update(state=Match.State.DECIDED)
    found = now_in(world, 300, slug=cup.slug, number=2)
    waits = [one for one in found.tables if one.why_not is NotReady.ELSEWHERE]
    seated = set(late.sides.values_list("entrant", flat=True))
    assert {one.match.pk for one in waits} == {
        match.pk
        for match in Match.objects.filter(slot__matchday__number=2)
        if seated & set(match.sides.values_list("entrant", flat=True))
    }
    assert {one.busy_at for one in waits} == {late.table.name}
    assert late.pk in [one.match.pk for one in found.tables if one.why_not is NotReady.RUNNING]
    assert len(found.ready) == 4 - len(waits)


def test_of_a_match_of_three_the_next_game_starts(world):
    Match.objects.all().delete()
    made = published(world, 4, best_of=3)
    press(world, ClockAct.START)
    match = slot(made, 1, 1).match
    game = match.games.get(number=1)
    timekeeping.stop_clock(game, world.referee, at(100))
    enter_result(world, match, 1)
    match.games.get(number=2).results.update(current=False, state="provisional")
    Match.objects.filter(pk=match.pk).update(state=Match.State.PLAYING)
    found = now_in(world, 200)
    ready = [(one.match.pk, one.game.number) for one in found.ready]
    assert ready == [(match.pk, 2)]


def test_a_pause_of_all_ends_for_those_that_were_paused_together(world, cup):
    press(world, ClockAct.START)
    alone = now_in(world, 10).tables[0]
    timekeeping.pause_clock(alone.game, world.referee, at(10))
    assert len(press(world, ClockAct.PAUSE, 60)) == 3
    found = now_in(world, 100)
    assert (found.main.reading.state, found.main.reading.remaining_ms) == (ClockState.PAUSED, 840_000)
    assert [one.name for one in found.different] == [alone.name]
    went = press(world, ClockAct.RESUME, 120)
    assert [one.game.match.table.name for one in went] == ["2", "3", "10"]
    assert set(Game.objects.filter(rings_at__isnull=False).values_list("rings_at", flat=True)) == {at(960)}


def test_a_table_given_time_rings_later_and_stands_beside_the_others(world, cup):
    press(world, ClockAct.START)
    table = now_in(world, 10).tables[2]
    timekeeping.give_time(table.game, world.referee, seconds=120, at=at(30))
    for seconds, state, left in (
        (899, ClockState.RUNNING, 121_000),
        (900, ClockState.RUNG, 120_000),
        (1_020, ClockState.RUNG, 0),
    ):
        found = now_in(world, seconds)
        assert found.main.reading.state is state
        assert [(one.name, one.clock.reading.remaining_ms) for one in found.different] == [("3", left)]


def test_a_bell_is_forgotten_when_the_next_clock_starts(world, cup):
    """Results of round 1 are still missing: the wall shows the clocks of whoever has begun since."""
    press(world, ClockAct.START)
    assert now_in(world, 1_000).main.reading.state is ClockState.RUNG
    last = now_in(world, 1_000, slug=cup.slug, number=3).ready[0]
    timekeeping.start_clock(last.game, world.referee, at(1_100))
    found = now_in(world, 1_200)
    assert (found.main.reading.state, found.main.match_id) == (ClockState.RUNNING, last.match.pk)
    assert [one.match.pk for one in found.with_main] == [last.match.pk]
    assert len(found.different) == 4


def test_a_start_of_all_by_mistake_is_taken_back_within_the_minute(world, cup):
    press(world, ClockAct.START)
    with pytest.raises(Refused) as caught:
        press(world, ClockAct.CANCEL, 20, reason="  ")
    assert caught.value.code == "no-reason"
    assert len(press(world, ClockAct.CANCEL, 60, reason="two players were missing")) == 4
    assert len(now_in(world, 61).ready) == 4
    assert set(Match.objects.values_list("state", flat=True)) == {"scheduled"}
    press(world, ClockAct.START, 90)
    assert tables_for(ClockAct.CANCEL, now_in(world, 90 + 61)) == []


def test_only_the_last_common_start_is_taken_back(world, cup):
    one = now_in(world).tables[0]
    timekeeping.start_clock(one.game, world.referee, NOON)
    press(world, ClockAct.START, 20)
    assert [table.name for table in tables_for(ClockAct.CANCEL, now_in(world, 30))] == ["2", "3", "10"]


@pytest.mark.parametrize(("who", "code"), [("alice", "not-your-clock"), ("charlie", "not-your-clock")])
def test_only_those_who_run_clocks_run_them_all(world, cup, settings, who, code):
    settings.CLOCKS_BY_PLAYERS = False
    games = [one.game for one in now_in(world).ready]
    with pytest.raises(NotAllowed) as caught:
        run_together(games, getattr(world, who), ClockAct.START)
    assert caught.value.code == code
    assert not ClockEvent.objects.exists()
    helper = person("helper")
    Role.objects.create(user=helper, league=world.league, kind=Role.Kind.DESK_HELPER)
    assert all(one.event for one in run_together(games, helper, ClockAct.START))


def test_what_is_not_done_to_all_is_refused(world, cup):
    games = [one.game for one in now_in(world).ready]
    with pytest.raises(Refused) as caught:
        run_together(games, world.referee, ClockAct.STOP)
    assert caught.value.code == "unknown-act"


def test_drafts_hidden_rounds_and_other_evenings_are_not_of_the_hall(world, cup):
    by_round = published(
        world, 4, name="Late", format=ROBIN, release=Competition.Release.ROUND_BY_ROUND, starts_at=at(36 * 3600)
    )
    assert Matchday.objects.filter(stage__competition=by_round, published_at__isnull=True).exists()
    found = now_in(world)
    assert [one.competition.name for one in found.rounds] == ["Cup"]
    assert ("Late", 1) in [(one.competition.name, one.matchday.number) for one in found.others]
    named = now_in(world, slug=by_round.slug)
    assert [(one.competition.name, one.matchday.number) for one in named.rounds] == [("Late", 1)]
    Competition.objects.filter(pk=by_round.pk).update(published_at=None)
    with pytest.raises(Competition.DoesNotExist):
        now_in(world, slug=by_round.slug)


def test_what_comes_next_is_told_while_nothing_runs(world, cup):
    found = now_in(world)
    assert (found.main, [(one.matchday.number, one.waiting) for one in found.next_rounds]) == (None, [(1, 4)])
    press(world, ClockAct.START)
    assert [(one.matchday.number, one.waiting) for one in now_in(world, 1).next_rounds] == [(2, 4)]


def test_a_match_played_ahead_of_its_day_names_its_own_round_and_does_not_hide_it(world, cup):
    """Play a match of round 2, a week ahead, before any match of round 1."""
    week = timedelta(days=7)
    Match.objects.filter(slot__matchday__number__gt=1).update(starts_at=NOON + week)
    Match.objects.filter(slot__matchday__number=1).update(state=Match.State.DECIDED)
    ahead = slot(cup, 2, 1).match
    timekeeping.start_clock(ahead.games.get(), world.referee, NOON)
    other = published(world, 4, name="Spring", format=ROBIN)
    found = now_in(world, 60)
    assert [one.competition for one in found.rounds] == [other]
    assert found.rounds_with_main == [ahead.slot.matchday]
    Match.objects.filter(pk=ahead.pk).update(state=Match.State.DECIDED)
    coming = [one for one in now_in(world, 60).next_rounds if one.competition == cup]
    assert [(one.matchday.number, one.waiting, one.next_at) for one in coming] == [(2, 3, NOON + week)]
    Match.objects.filter(slot__matchday=ahead.slot.matchday).update(starts_at=NOON)
    coming = [one for one in now_in(world, 60).next_rounds if one.competition == cup]
    assert [(one.matchday.number, one.waiting) for one in coming] == [(2, 3)], "its other matches are ready"


def test_the_round_with_ready_matches_is_next_whatever_the_plan_says(world, cup):
    """Three of four matches of round 1 are over, long after its hour; the fourth is ready."""
    for place in (1, 2, 3):
        enter_result(world, slot(cup, 1, place).match, 1)
    found = now_in(world, 3 * 3600)
    assert [(one.matchday.number, one.waiting) for one in found.next_rounds] == [(1, 1)]
    Match.objects.filter(pk=slot(cup, 1, 4).match_id).update(starts_at=NOON + timedelta(days=7))
    assert [one.matchday.number for one in now_in(world, 3 * 3600).next_rounds] == [2], "it was moved to another day"


def test_both_brackets_are_next_side_by_side(world):
    Match.objects.all().delete()
    made = published(world, 4, format=Stage.Format.DOUBLE_ELIMINATION)
    for place in (1, 2):
        advance(win(world, made, 1, place).pk)
    assert [str(one.matchday) for one in now_in(world).next_rounds] == ["Winners’ round 2", "Losers’ round 1"]


def test_matches_of_an_entrant_who_has_withdrawn_leave_the_hall(world, cup):
    open_match = slot(cup, 1, 1).match
    left = open_match.sides.first().entrant
    Withdrawal.objects.create(competition=cup, entrant=left, reason="ill", made_at=NOON, made_by=world.owner)
    found = now_in(world)
    assert open_match.pk not in [one.match.pk for one in found.tables]
    assert [(one.matchday.number, one.waiting) for one in found.next_rounds] == [(1, 3)]
    Withdrawal.objects.update(undone_at=NOON, undone_by=world.owner)
    assert open_match.pk in [one.match.pk for one in now_in(world).tables]


def test_a_bye_has_no_clock_and_unknown_players_are_waited_for(world):
    Match.objects.all().delete()
    made = published(world, 3)
    assert [one.why_not for one in now_in(world).tables] == [None]
    enter_result(world, slot(made, 1, 2).match, 1)
    Slot.objects.filter(matchday__number=2).update(match=None)
    Match.objects.update(state=Match.State.DECIDED)
    assert now_in(world).tables == []


def test_the_hall_takes_five_statements_however_many_tables(world, cup, django_assert_num_queries):
    with django_assert_num_queries(5):
        now_in(world)
    more = published(world, 24, name="Big", format=ROBIN)
    press(world, ClockAct.START)
    with django_assert_num_queries(5):
        assert len(now_in(world, 1).tables) == 16
    with django_assert_num_queries(6):
        now_in(world, 1, slug=more.slug)


def test_forty_tables_start_in_a_few_hundred_milliseconds_with_ten_statements_each(world):
    Match.objects.all().delete()
    published(world, 80, format=ROBIN, tables=tuple(str(number) for number in range(1, 41)))
    found = now_in(world)
    assert len(found.ready) == 40
    with CaptureQueriesContext(connection) as asked:
        began = time.perf_counter()
        done = run_together([one.game for one in found.ready], world.referee, ClockAct.START, at=NOON)
        took = time.perf_counter() - began
    assert all(one.event for one in done)
    assert set(Game.objects.filter(rings_at__isnull=False).values_list("rings_at", flat=True)) == {at(900)}
    assert len(asked) <= 40 * 9 + 3  # seven, and a savepoint of this test's transaction around them
    print(f"40 clocks: {took * 1000:.0f} ms, {len(asked)} statements")
    assert took < 2  # a few hundred milliseconds on a machine that does nothing else


def test_a_broker_that_is_away_is_asked_once(world, cup, monkeypatch, settings, django_capture_on_commit_callbacks):
    asked = []
    monkeypatch.setattr(timekeeping, "queue_bell", lambda *hint: asked.append(hint) and False)
    future = timezone.now()
    games = [one.game for one in hall(NOBODY, world.league, NOON).ready]
    with django_capture_on_commit_callbacks(execute=True):
        run_together(games, world.referee, ClockAct.START, at=future)
    assert len(asked) == 1
