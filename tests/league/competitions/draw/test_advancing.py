"""Winners take their berths: by signal, by the sweep, once, from official results only."""

import contextlib
import threading
from datetime import timedelta

import pytest
from django.contrib.auth.models import AnonymousUser
from django.db import connection

from league.competitions import receivers, tasks
from league.competitions.draw import advancing
from league.competitions.draw.advancing import advance
from league.competitions.models import Berth, Competition, Slot, Stage
from league.competitions.queries.competition import competition_page
from league.competitions.queries.final_places import final_ranking
from league.competitions.queries.staff import tables_page
from league.errors import Refused
from league.matches.logs.submission import confirm_result, verify_record
from league.matches.models import KnownBy, Match, Result
from league.matches.results.entering import enter_sheet, undo_entry
from league.matches.signals import match_decided
from tests.league.competitions.cup import enter_result, names, published, slot
from tests.league.world import NOON, played_log

NOBODY = AnonymousUser()


def win(world, competition, round_number, place, berth=1):
    match = slot(competition, round_number, place).match
    enter_result(world, match, berth)
    return advance(match.pk)


def page(competition):
    return competition_page(NOBODY, competition.league.slug, competition.slug)


def ranking(competition):
    return [(place.first, place.entrant.name) for place in final_ranking(page(competition))]


def test_the_winner_goes_on_and_the_match_is_scheduled_when_both_are_known(world):
    cup = published(world, 4, tables=["1"], minutes=30)
    assert names(cup, 2) == [[None, None]]
    assert win(world, cup, 1, 1)
    assert names(cup, 2) == [["Ana Ruiz", None]]
    assert slot(cup, 2, 1).match is None
    assert win(world, cup, 1, 2, berth=2)
    assert names(cup, 2) == [["Ana Ruiz", "P3"]]
    final = slot(cup, 2, 1)
    assert [str(side.entrant) for side in final.match.sides.order_by("number")] == ["Ana Ruiz", "P3"]
    assert (final.match.table.name, final.match.starts_at, final.match.state) == ("1", final.starts_at, "scheduled")
    assert final.match.published_at is not None
    assert final.match.games.count() == 1


def test_the_losers_of_the_semi_finals_meet_for_third_place(world):
    cup = published(world, 5, third_place=True)
    assert names(cup, 3) == [[None, None], [None, None]]
    win(world, cup, 1, 2)  # P4 – P5
    win(world, cup, 2, 1, berth=2)  # Ana – P4
    win(world, cup, 2, 2)  # Bo – P3
    assert names(cup, 3) == [["P4", "Bo Chen"], ["Ana Ruiz", "P3"]]
    assert [one.third_place for one in Slot.objects.filter(matchday__number=3).order_by("number")] == [False, True]
    assert Match.objects.filter(slot__matchday__number=3).count() == 2


def test_whoever_has_a_bye_waits_for_the_winner_of_the_other_match(world):
    cup = published(world, 3)
    assert names(cup, 1) == [["Ana Ruiz"], ["Bo Chen", "P3"]]
    assert names(cup, 2) == [["Ana Ruiz", None]]
    win(world, cup, 1, 2)
    assert names(cup, 2) == [["Ana Ruiz", "Bo Chen"]]


def test_a_second_time_changes_nothing(world):
    cup = published(world, 4)
    win(world, cup, 1, 1)
    win(world, cup, 1, 2)
    before = list(Berth.objects.order_by("pk").values()), Match.objects.count()
    for match in Match.objects.filter(slot__matchday__number=1):
        assert not advance(match.pk)
    assert tasks.sweep() == 0
    assert (list(Berth.objects.order_by("pk").values()), Match.objects.count()) == before


def test_a_provisional_result_moves_nobody_and_an_official_one_does_by_itself(
    world, django_capture_on_commit_callbacks
):
    cup = published(world, 4)
    world.match = slot(cup, 1, 1).match
    sides = tuple(str(side.entrant) for side in world.match.sides.order_by("number"))
    with django_capture_on_commit_callbacks(execute=False):
        verify_record(world.submit(played_log(7, names=sides), by=world.referee).pk)
    advance(world.match.pk)
    assert names(cup, 2) == [[None, None]]
    result = Result.objects.get(game__match=world.match)
    with django_capture_on_commit_callbacks(execute=True):
        confirm_result(result=result, user=world.second_referee)
    assert names(cup, 2) == [[sides[result.winner - 1], None]]


def test_the_sweep_finds_whom_a_lost_signal_left_behind(world, django_capture_on_commit_callbacks):
    """The control: with the receiver off nobody moves until the sweep comes."""
    cup = published(world, 4)
    assert match_decided.disconnect(dispatch_uid="competitions.advance")
    try:
        for place in (1, 2):
            match = slot(cup, 1, place).match
            enter_result(world, match, 1)
            match_decided.send_robust(Match, match_id=match.pk, winner=1)
        assert names(cup, 2) == [[None, None]]
        assert tasks.sweep() == 2
    finally:
        match_decided.connect(receivers.advance, dispatch_uid="competitions.advance")
    assert names(cup, 2) == [["Ana Ruiz", "Bo Chen"]]
    assert slot(cup, 2, 1).match is not None
    assert tasks.sweep() == 0


def test_a_match_that_fails_in_the_sweep_keeps_nobody_else_waiting(world, monkeypatch, caplog):
    cup = published(world, 4)
    for place in (1, 2):
        enter_result(world, slot(cup, 1, place).match, 1)
    broken, fill = slot(cup, 1, 1).match_id, advancing.winners_and_losers

    def fail_for_one(matches):
        if broken in matches:
            raise RuntimeError("out of tiles")
        return fill(matches)

    with monkeypatch.context() as failing:
        failing.setattr(advancing, "winners_and_losers", fail_for_one)
        assert tasks.sweep() == 1
    assert f"advance of {broken} failed in the sweep" in caplog.text
    assert names(cup, 2) == [[None, "Bo Chen"]]
    assert tasks.sweep() == 1
    assert names(cup, 2) == [["Ana Ruiz", "Bo Chen"]]


def test_a_match_that_nobody_won_stops_its_half_and_breaks_nothing(world):
    cup = published(world, 4, tables=["1", "2"])
    level = slot(cup, 1, 1).match
    enter_result(world, level, None, points=(100, 100))
    assert not advance(level.pk)
    win(world, cup, 1, 2)
    assert (tasks.sweep(), tasks.sweep()) == (0, 0)
    assert names(cup, 2) == [[None, "Bo Chen"]]
    assert [one.no_winner for one in page(cup).matchdays[0].slots] == [True, False]
    shown = tables_page(world.referee, "harbour", cup.slug, now=NOON)
    assert [(one.name, one.now.no_winner) for one in shown.tables] == [("1", True), ("2", False)]
    assert Stage.objects.get().finished_at is None


def test_the_table_of_a_decided_match_shows_what_is_played_there_next_though_its_hour_is_to_come(world):
    cup = published(world, 4, format=Stage.Format.ROUND_ROBIN, tables=["1", "2"], minutes=60)
    win(world, cup, 1, 1)

    def shown(*, now=NOON):
        tables = tables_page(world.referee, "harbour", cup.slug, now=now).tables
        return [[match and match.matchday for match in (one.now, one.coming)] for one in tables]

    assert shown() == [["Round 2", "Round 3"], ["Round 1", "Round 2"]]
    assert shown(now=NOON - timedelta(days=1)) == [["Round 1", "Round 2"], [None, "Round 1"]], "not another evening's"


def test_a_final_that_nobody_won_is_no_end(world):
    cup = published(world, 2)
    match = slot(cup, 1, 1).match
    enter_result(world, match, None, points=(100, 100))
    assert not advance(match.pk)
    assert tasks.sweep() == 0
    assert Stage.objects.get().finished_at is None
    assert ranking(cup) == []


def test_a_knock_out_is_over_with_its_last_match_and_the_match_for_third_place(world):
    cup = published(world, 4, third_place=True)
    win(world, cup, 1, 1)
    win(world, cup, 1, 2)
    win(world, cup, 2, 1)
    assert Stage.objects.get().finished_at is None
    assert ranking(cup) == [(1, "Ana Ruiz"), (2, "Bo Chen")]
    win(world, cup, 2, 2, berth=2)
    assert Stage.objects.get().finished_at is not None
    assert ranking(cup) == [
        (1, "Ana Ruiz"),
        (2, "Bo Chen"),
        (3, "P3"),
        (4, "P4"),
    ]


def places_of(n):
    """By hand: the final, and the match for third place if there is one; then the losers of each round share places."""
    bands = [
        (1, 1),
        (2, 2),
        *([(3, 3), (4, 4)] if n >= 4 else [(3, 3)] * (n == 3)),
        (5, min(n, 8)),
        (9, min(n, 16)),
        (17, 17),
    ]
    return [(first, last) for first, last in bands if last <= n for _one in range(first, last + 1)]


@pytest.mark.parametrize("n", range(2, 18))
def test_a_cup_of_any_size_is_played_to_its_end(world, n):
    cup = published(world, n, third_place=n >= 4, tables=["1", "2", "3"])
    played = 0
    while due := Match.objects.filter(slot__isnull=False).exclude(state="decided").order_by("pk").first():
        enter_result(world, due, 1 + played % 2)
        advance(due.pk)
        played += 1
    assert played == n - 1 + (n >= 4)
    assert Stage.objects.get().finished_at is not None
    assert [(place, last) for place, last, _one in final_ranking(page(cup))] == places_of(n)


def test_best_of_three_goes_on_after_two_games(world):
    cup = published(world, 2, best_of=3)
    enter_result(world, slot(cup, 1, 1).match, 2)
    advance(slot(cup, 1, 1).match_id)
    assert ranking(cup) == [(1, "Bo Chen"), (2, "Ana Ruiz")]


def both_at_once(work, *arguments):
    """Run `work` with each of two arguments in threads of their own; what they raised."""
    errors = []

    def run(argument):
        try:
            work(argument)
        except Exception as error:
            errors.append(error)
        finally:
            connection.close()

    threads = [threading.Thread(target=run, args=(one,)) for one in arguments]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(20)
    return errors


def two_semi_finals(world):
    cup = published(world, 4)
    matches = [slot(cup, 1, place).match_id for place in (1, 2)]
    for match in Match.objects.filter(pk__in=matches):
        enter_result(world, match, 1)
    return cup, matches


def meeting_before_they_schedule(monkeypatch):
    """Both have filled their berth before either schedules; where a lock keeps the second out, the first goes on after
    a second.
    """
    both = threading.Barrier(2)
    schedule = advancing.schedule_known

    def wait_and_schedule(*arguments):
        with contextlib.suppress(threading.BrokenBarrierError):
            both.wait(timeout=1)
        return schedule(*arguments)

    monkeypatch.setattr(advancing, "schedule_known", wait_and_schedule)


def test_two_semi_finals_decided_at_once_make_one_final(shared_world, monkeypatch):
    cup, matches = two_semi_finals(shared_world)
    meeting_before_they_schedule(monkeypatch)
    assert both_at_once(advance, *matches) == []
    assert names(cup, 2) == [["Ana Ruiz", "Bo Chen"]]
    assert Match.objects.filter(slot__matchday__number=2).count() == 1
    assert Match.objects.filter(league=shared_world.league).count() == 4, "one of the world's own, two and the final"


@pytest.mark.postgres
def test_without_the_lock_neither_would_schedule_the_final_and_the_sweep_does(shared_world, monkeypatch):
    """The control of the test before it: neither sees the berth that the other has filled."""
    cup, matches = two_semi_finals(shared_world)
    with monkeypatch.context() as off:
        off.setattr(advancing, "locked", lambda pk: Competition.objects.select_related("league").get(pk=pk))
        meeting_before_they_schedule(off)
        assert both_at_once(advance, *matches) == []
    assert names(cup, 2) == [["Ana Ruiz", "Bo Chen"]]
    assert slot(cup, 2, 1).match is None
    assert (tasks.sweep(), tasks.sweep()) == (1, 0)
    assert slot(cup, 2, 1).match is not None


def test_one_result_told_twice_at_once_makes_one_match(shared_world):
    cup, matches = two_semi_finals(shared_world)
    advance(matches[0])
    assert both_at_once(advance, matches[1], matches[1]) == []
    assert Match.objects.filter(league=shared_world.league).count() == 4
    assert names(cup, 2) == [["Ana Ruiz", "Bo Chen"]]


# --- A result is taken back ---


def signed(world, match, scores):
    """A card that both signed, typed by the desk: official at once; the record that can be taken back."""
    entered = enter_sheet(match.games.first(), world.referee, {"scores": scores}, kind=KnownBy.SCORE, signed=True)
    advance(match.pk)
    return entered.record


def test_whoever_went_on_by_a_result_that_is_taken_back_goes_back(world):
    cup = published(world, 4, tables=["1"])
    signed(world, slot(cup, 1, 2).match, [95, 150])
    record = signed(world, slot(cup, 1, 1).match, [150, 95])
    assert names(cup, 2) == [["Ana Ruiz", "P3"]]
    assert slot(cup, 2, 1).match is not None
    undo_entry(record, world.referee)
    assert names(cup, 2) == [[None, "P3"]]
    assert slot(cup, 2, 1).match is None
    assert Match.objects.exclude(pk=world.match.pk).count() == 2
    signed(world, slot(cup, 1, 1).match, [120, 150])
    assert names(cup, 2) == [["P4", "P3"]]
    assert slot(cup, 2, 1).match is not None


def test_a_published_round_that_loses_somebody_again_has_a_new_version(world):
    cup = published(world, 4)
    record = signed(world, slot(cup, 1, 1).match, [150, 95])
    assert (slot(cup, 2, 1).matchday.version, slot(cup, 2, 1).changed_at) == (1, None)
    undo_entry(record, world.referee)
    assert (slot(cup, 2, 1).matchday.version, slot(cup, 2, 1).changed_at is None) == (2, False)


def test_a_final_that_has_begun_holds_the_results_that_led_to_it(world):
    cup = published(world, 4, tables=["1"])
    signed(world, slot(cup, 1, 2).match, [95, 150])
    record = signed(world, slot(cup, 1, 1).match, [150, 95])
    signed(world, slot(cup, 2, 1).match, [150, 0])
    with pytest.raises(Refused) as refused:
        undo_entry(record, world.referee)
    assert refused.value.code == "next-begun"
    assert names(cup, 2) == [["Ana Ruiz", "P3"]]


def test_a_competition_that_was_over_is_not_once_its_last_result_is_taken_back(world):
    cup = published(world, 2)
    record = signed(world, slot(cup, 1, 1).match, [150, 95])
    assert Stage.objects.get(competition=cup).finished_at
    undo_entry(record, world.referee)
    assert Stage.objects.get(competition=cup).finished_at is None


def test_taking_back_an_objection_leaves_what_rests_on_the_official_result(world):
    """Nobody who went on comes back, and the cards that were printed for the next match stay good."""
    cup = published(world, 4, tables=["1"])
    signed(world, slot(cup, 1, 2).match, [95, 150])
    signed(world, slot(cup, 1, 1).match, [150, 95])
    door = slot(cup, 2, 1).match.door
    game = slot(cup, 1, 1).match.games.get()
    objection = enter_sheet(game, world.second_referee, {"scores": [120, 150]}, kind=KnownBy.SCORE, signed=True)
    assert objection.contested
    undo_entry(objection.record, world.second_referee)
    assert slot(cup, 2, 1).match.door == door
    assert names(cup, 2) == [["Ana Ruiz", "P3"]]
    standing = Result.objects.get(game=game, current=True)
    assert (standing.scores, standing.state, standing.contested) == ({"1": 150, "2": 95}, "official", False)


def test_a_final_that_has_begun_does_not_hold_an_objection(world):
    cup = published(world, 4, tables=["1"])
    signed(world, slot(cup, 1, 2).match, [95, 150])
    signed(world, slot(cup, 1, 1).match, [150, 95])
    signed(world, slot(cup, 2, 1).match, [150, 0])
    game = slot(cup, 1, 1).match.games.get()
    objection = enter_sheet(game, world.second_referee, {"scores": [120, 150]}, kind=KnownBy.SCORE, signed=True)
    undo_entry(objection.record, world.second_referee)
    assert not Result.objects.filter(game=game, contested=True).exists()
