"""The verbs of a clock: who may, what is stored, one bell, and what a result does to it."""

import threading
from contextlib import nullcontext
from datetime import timedelta
from types import SimpleNamespace

import pytest
from django.contrib.auth.models import AnonymousUser
from django.core.exceptions import ValidationError
from django.db import DatabaseError, IntegrityError, connection, transaction
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from league.accounts.models import Role
from league.errors import Refused
from league.matches import tasks
from league.matches.clock import services as timekeeping
from league.matches.clock.queries import clocks_in, clocks_of
from league.matches.clock.state import ClockState
from league.matches.clock_acts import ClockAct
from league.matches.logs import submission
from league.matches.models import ClockEvent, Game, Match, Result
from league.matches.queries.match import match_page
from league.players.signals import player_erased
from tests.league.matches.test_match_permissions import asker
from tests.league.processes import PATIENCE
from tests.league.world import NOON, played_log


def at(seconds: float):
    return NOON + timedelta(seconds=seconds)


def rows(game: Game) -> list[tuple]:
    return [(one.number, one.kind, (one.at - NOON).total_seconds(), one.by_id) for one in game.clock_events.all()]


def code_of(act) -> str | None:
    try:
        act()
    except Refused as refused:
        return refused.code
    return None


def rings_at(game: Game):
    return Game.objects.get(pk=game.pk).rings_at


def state(world) -> str:
    return Match.objects.get(pk=world.match.pk).state


def test_the_rows_know_every_act_of_the_clock():
    assert {kind.value for kind in ClockEvent.Kind} == {act.value for act in ClockAct}


def test_an_evening_at_one_table(world):
    game, ref = world.game, world.referee
    timekeeping.start_clock(game, ref, at(0))
    assert (rings_at(game), state(world)) == (at(900), "playing")
    timekeeping.pause_clock(game, world.alice, at(100))
    assert rings_at(game) is None
    timekeeping.give_time(game, ref, seconds=60, reason=" A tile\nfell. ", at=at(130))
    timekeeping.resume_clock(game, world.bob, at(160))
    assert rings_at(game) == at(1020)
    assert timekeeping.ring_if_due(game.pk, at(1019.999)) is False
    assert timekeeping.ring_if_due(game.pk, at(1100)) is True
    assert timekeeping.ring_if_due(game.pk, at(1101)) is False
    timekeeping.start_overtime(game, ref, level_at=115, at=at(1130))
    timekeeping.stop_clock(game, ref, at(1200))
    assert rows(game) == [
        (1, "start", 0, ref.pk),
        (2, "pause", 100, world.alice.pk),
        (3, "give", 130, ref.pk),
        (4, "resume", 160, world.bob.pk),
        (5, "bell", 1020, None),
        (6, "overtime", 1130, ref.pk),
        (7, "stop", 1200, ref.pk),
    ]
    gift, overtime = game.clock_events.get(number=3), game.clock_events.get(number=6)
    assert (gift.given_ms, gift.reason, overtime.level_at) == (60_000, "A tilefell.", 115)
    assert rings_at(game) is None


def test_a_start_by_mistake_is_taken_back_and_stays_on_record(world):
    game = world.game
    timekeeping.start_clock(game, world.referee, at(0))
    assert code_of(lambda: timekeeping.cancel_start(game, world.referee, reason="  ", at=at(20))) == "no-reason"
    timekeeping.cancel_start(game, world.referee, reason="The wrong table", at=at(20))
    assert (state(world), rings_at(game)) == ("scheduled", None)
    timekeeping.start_clock(game, world.referee, at(30))
    assert [kind for _number, kind, *_ in rows(game)] == ["start", "cancel", "start"]
    assert (state(world), rings_at(game)) == ("playing", at(930))
    assert code_of(lambda: timekeeping.cancel_start(game, world.referee, reason="Late", at=at(91))) == "too-late"


def test_taking_back_a_start_leaves_a_match_that_is_being_played_alone(world):
    world.match = world.fixture(best_of=3)
    first, second = world.game, Game.objects.get(match=world.match, number=2)
    timekeeping.start_clock(first, world.referee, at(0))
    timekeeping.pause_clock(first, world.referee, at(10))
    timekeeping.start_clock(second, world.referee, at(20))
    timekeeping.cancel_start(second, world.referee, reason="Back", at=at(30))
    assert state(world) == "playing"


REFUSALS = {
    "already-running": [("start", 0), ("start", 5)],
    "already-started": [("start", 0), ("pause", 5), ("start", 9)],
    "not-running": [("pause", 5)],
    "already-paused": [("start", 0), ("pause", 5), ("pause", 9)],
    "not-paused": [("resume", 5)],
    "rung": [("start", 0), ("pause", 900)],
    "over": [("start", 0), ("stop", 5), ("pause", 9)],
}
VERBS = {
    "start": timekeeping.start_clock,
    "pause": timekeeping.pause_clock,
    "resume": timekeeping.resume_clock,
    "stop": timekeeping.stop_clock,
}


@pytest.mark.parametrize("code", REFUSALS)
def test_what_cannot_be_done_is_refused_in_words_and_not_stored(world, code):
    *before, (last, second) = REFUSALS[code]
    for act, when in before:
        VERBS[act](world.game, world.referee, at(when))
    with pytest.raises(Refused) as caught:
        VERBS[last](world.game, world.referee, at(second))
    assert caught.value.code == code
    assert world.game.code in str(caught.value)
    assert last not in [kind for _number, kind, *_ in rows(world.game)][len(before) :]


def test_a_pause_that_comes_too_late_keeps_the_bell_that_was_due(world):
    timekeeping.start_clock(world.game, world.referee, at(0))
    assert code_of(lambda: timekeeping.pause_clock(world.game, world.referee, at(901))) == "rung"
    assert rows(world.game) == [(1, "start", 0, world.referee.pk), (2, "bell", 900, None)]


@pytest.mark.parametrize("seconds", [0, -60, 3601])
def test_a_gift_out_of_bounds_is_refused(world, seconds):
    assert code_of(lambda: timekeeping.give_time(world.game, world.referee, seconds=seconds)) == "bad-time"


def test_overtime_needs_the_bell_and_a_score(world):
    game, ref = world.game, world.referee
    timekeeping.start_clock(game, ref, at(0))
    assert code_of(lambda: timekeeping.start_overtime(game, ref, level_at=115, at=at(899))) == "not-rung"
    assert code_of(lambda: timekeeping.start_overtime(game, ref, level_at=-1, at=at(900))) == "bad-score"
    timekeeping.start_overtime(game, ref, level_at=115, at=at(900))
    assert [kind for _number, kind, *_ in rows(game)] == ["start", "bell", "overtime"]
    assert code_of(lambda: timekeeping.start_overtime(game, ref, level_at=115, at=at(950))) == "already-overtime"
    assert timekeeping.ring_if_due(game.pk, at(90_000)) is False


@pytest.mark.parametrize(("ruleset", "options"), [("muggins", {}), ("udl", {"clock_s": 0}), ("unheard-of", {})])
def test_a_game_without_a_clock_has_none(world, ruleset, options):
    world.match = world.fixture(ruleset=ruleset, options=options)
    assert code_of(lambda: timekeeping.start_clock(world.game, world.referee)) == "untimed"
    assert clocks_of([world.match.pk], NOON) == {}
    assert match_page(world.referee, world.match.pk).games[0].clock is None


def test_a_house_rule_sets_the_time_of_the_game(world):
    world.match = world.fixture(options={"clock_s": 20, "bell_mode": "turn"})
    timekeeping.start_clock(world.game, world.referee, at(0))
    assert rings_at(world.game) == at(20)


def test_the_clock_of_a_draft_is_not_started(world):
    Match.objects.update(published_at=None)
    assert code_of(lambda: timekeeping.start_clock(world.game, world.referee)) == "not-published"


def test_one_clock_of_a_match_runs_at_a_time(world):
    world.match = world.fixture(best_of=3)
    second = Game.objects.get(match=world.match, number=2)
    timekeeping.start_clock(world.game, world.referee, at(0))
    assert code_of(lambda: timekeeping.start_clock(second, world.referee, at(10))) == "another-running"
    timekeeping.start_clock(second, world.referee, at(900))  # the bell of the first has rung by then


def test_a_server_set_back_is_kept_beside_the_event(world):
    timekeeping.start_clock(world.game, world.referee, at(0))
    timekeeping.pause_clock(world.game, world.referee, at(100))
    event = timekeeping.resume_clock(world.game, world.referee, at(40))
    assert (event.at, event.set_back_ms, rings_at(world.game)) == (at(100), 60_000, at(900))


# --- Who may ---

MAY = {
    "alice": (None, "staff-only"),
    "bob": (None, "staff-only"),
    "referee": (None, None),
    "helper": (None, None),
    "charlie": ("not-your-clock", "not-your-clock"),
    "reader": ("not-your-clock", "not-your-clock"),
    "other_player": ("not-your-clock", "not-your-clock"),
    "superuser": ("not-your-clock", "not-your-clock"),
    "anonymous": ("sign-in", "sign-in"),
}


@pytest.mark.parametrize("by_players", [True, False])
@pytest.mark.parametrize("who", MAY)
def test_who_may_run_the_clock_and_who_may_give_time(world, settings, who, by_players):
    settings.CLOCKS_BY_PLAYERS = by_players
    user, game = asker(world, who), world.game
    started, gave = MAY[who]
    if who in {"alice", "bob"} and not by_players:
        started = gave = "not-your-clock"
    assert code_of(lambda: timekeeping.start_clock(game, user, at(0))) == started
    assert code_of(lambda: timekeeping.give_time(game, user, seconds=60, at=at(1))) == gave
    assert ClockEvent.objects.count() == [started, gave].count(None)


def test_a_player_who_is_also_an_official_gives_time(world):
    Role.objects.create(user=world.alice, league=world.league, kind=Role.Kind.OWNER)
    assert code_of(lambda: timekeeping.give_time(world.game, world.alice, seconds=60)) is None


@pytest.mark.parametrize("who", MAY)
def test_the_page_offers_what_the_service_takes(world, who):
    page = match_page(asker(world, who) if who != "anonymous" else AnonymousUser(), world.match.pk, now=NOON)
    started, gave = MAY[who]
    expected = {act for act, code in ((ClockAct.START, started), (ClockAct.GIVE, gave)) if code is None}
    assert page.games[0].clock.may == expected


# --- Rows are for ever ---


def test_an_event_is_never_changed_or_removed(world):
    event = timekeeping.start_clock(world.game, world.referee, at(0))
    for act in (event.save, event.delete, ClockEvent.objects.all().delete, lambda: ClockEvent.objects.update(number=9)):
        with pytest.raises(ValidationError):
            act()
    with pytest.raises(DatabaseError), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("UPDATE matches_clockevent SET number = 9")
    assert rows(world.game) == [(1, "start", 0, world.referee.pk)]


def test_a_reason_can_be_forgotten_with_the_player_it_may_name(world):
    timekeeping.give_time(world.game, world.referee, seconds=60, reason="Ana fell ill", at=at(0))
    player_erased.send(type(world.ana.player), player_id=world.ana.player_id)
    assert [(one.reason, one.given_ms) for one in world.game.clock_events.all()] == [("", 60_000)]


def test_the_database_takes_one_bell_a_game_and_no_number_twice(world):
    timekeeping.start_clock(world.game, world.referee, at(0))
    timekeeping.ring_if_due(world.game.pk, at(900))
    for number, kind in ((3, "bell"), (2, "stop")):
        with pytest.raises(IntegrityError), transaction.atomic():
            ClockEvent.objects.create(game=world.game, number=number, kind=kind, at=at(950))


# --- One bell ---


def together(acts) -> tuple[list, list]:
    """What each gave, and what each raised, in threads of their own."""
    found, errors = [], []

    def run(act):
        try:
            found.append(act())
        except Exception as error:
            errors.append(error)
        finally:
            connection.close()

    threads = [threading.Thread(target=run, args=(act,)) for act in acts]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return found, errors


def test_two_who_look_at_once_ring_one_bell(shared_world):
    game = shared_world.game
    timekeeping.start_clock(game, shared_world.referee, at(0))
    barrier = threading.Barrier(4, timeout=PATIENCE)

    def look():
        barrier.wait()
        return timekeeping.ring_if_due(game.pk, at(1000))

    found, errors = together([look] * 4)
    assert (sorted(found), errors) == ([False, False, False, True], [])
    assert rows(game)[1:] == [(2, "bell", 900, None)]


def without_protection(monkeypatch):
    """No lock, no transaction: both read before either writes."""
    barrier = threading.Barrier(2, timeout=PATIENCE)
    read = timekeeping._clock

    def meet(rules, game_id):
        found = read(rules, game_id)
        barrier.wait()
        return found

    monkeypatch.setattr(timekeeping, "transaction", SimpleNamespace(atomic=nullcontext, on_commit=lambda act: act()))
    monkeypatch.setattr(timekeeping, "_locked", lambda match_id: Match.objects.get(pk=match_id))
    monkeypatch.setattr(timekeeping, "_clock", meet)


def test_with_the_lock_away_only_the_database_stops_a_second_bell(shared_world, monkeypatch):
    # The control of the test before: both want to ring, and the constraint refuses one of them with an error.
    game = shared_world.game
    timekeeping.start_clock(game, shared_world.referee, at(0))
    without_protection(monkeypatch)
    found, errors = together([lambda: timekeeping.ring_if_due(game.pk, at(1000))] * 2)
    assert (found, [type(error) for error in errors]) == ([True], [IntegrityError])


def test_two_who_start_at_once_start_it_once(shared_world):
    game, barrier = shared_world.game, threading.Barrier(2, timeout=PATIENCE)

    def start(user):
        barrier.wait()
        return code_of(lambda: timekeeping.start_clock(game, user, at(0)))

    found, errors = together([lambda: start(shared_world.alice), lambda: start(shared_world.referee)])
    assert (sorted(found, key=str), errors) == ([None, "already-running"], [])
    assert [kind for _number, kind, *_ in rows(game)] == ["start"]


def test_a_bell_and_a_pause_at_once_are_one_or_the_other(shared_world):
    game, barrier = shared_world.game, threading.Barrier(2, timeout=PATIENCE)
    timekeeping.start_clock(game, shared_world.referee, at(0))

    def both(act):
        barrier.wait()
        return act()

    ring = lambda: timekeeping.ring_if_due(game.pk, at(900))  # noqa: E731
    pause = lambda: code_of(lambda: timekeeping.pause_clock(game, shared_world.alice, at(899)))  # noqa: E731
    _found, errors = together([lambda: both(ring), lambda: both(pause)])
    assert errors == []
    kinds = [kind for _number, kind, *_ in rows(game)]
    assert kinds in (["start", "bell"], ["start", "pause"])


# --- A task, the sweep, and whoever looks ---


@pytest.fixture
def sent(monkeypatch):
    """Messages about bells: (game, number of the event, when)."""
    found = []
    monkeypatch.setattr(tasks.ring, "apply_async", lambda args, eta: found.append((*args, eta)))
    return found


def test_the_bell_is_set_when_the_clock_starts_and_goes_on(world, sent, django_capture_on_commit_callbacks):
    now = timezone.now().replace(microsecond=0)
    world.match = world.fixture(options={"clock_s": 60})
    with django_capture_on_commit_callbacks(execute=True):
        timekeeping.start_clock(world.game, world.referee, now)
        timekeeping.pause_clock(world.game, world.referee, now + timedelta(seconds=10))
        timekeeping.resume_clock(world.game, world.referee, now + timedelta(seconds=20))
    minute = timedelta(seconds=60)
    assert sent == [(world.game.pk, 1, now + minute), (world.game.pk, 3, now + minute + timedelta(seconds=10))]


def test_a_message_waits_for_five_minutes_at_most_and_is_sent_on(world, sent, settings):
    timekeeping.queue_bell(world.game.pk, 1, timezone.now() + timedelta(minutes=15))
    [(_game, _number, when)] = sent
    waits = when - timezone.now()
    assert timedelta(minutes=4, seconds=50) < waits <= timekeeping.LONGEST_WAIT
    # Redis hands a message that nobody acknowledged to somebody else after this long.
    assert timedelta(seconds=600) > timekeeping.LONGEST_WAIT


def test_a_task_that_wakes_early_goes_on_only_for_the_event_that_sent_it(world, sent):
    now = timezone.now()
    timekeeping.start_clock(world.game, world.referee, now)
    tasks.ring(world.game.pk, 1)
    assert [one[:2] for one in sent] == [(world.game.pk, 1)]
    timekeeping.pause_clock(world.game, world.referee, now)
    timekeeping.resume_clock(world.game, world.referee, now)
    sent.clear()
    tasks.ring(world.game.pk, 1)
    assert sent == []
    tasks.ring(world.game.pk, 3)
    assert [one[:2] for one in sent] == [(world.game.pk, 3)]


def test_the_task_rings_when_it_is_due_and_twice_has_one_effect(world, sent):
    timekeeping.start_clock(world.game, world.referee, at(0))
    tasks.ring(world.game.pk, 1)
    tasks.ring(world.game.pk, 1)
    assert [kind for _number, kind, *_ in rows(world.game)] == ["start", "bell"]
    assert sent == []


def test_nothing_waits_where_tasks_are_done_at_once(world, sent, at_once):
    timekeeping.queue_bell(world.game.pk, 1, timezone.now())
    assert sent == []


def test_a_broker_that_is_away_costs_no_start(world, monkeypatch, caplog, django_capture_on_commit_callbacks):
    def down(*_, **__):
        raise OSError("no broker")

    monkeypatch.setattr(tasks.ring, "apply_async", down)
    with django_capture_on_commit_callbacks(execute=True):
        timekeeping.start_clock(world.game, world.referee)
    assert f"matches.ring({world.game.pk}, 1) waits for the sweep" in caplog.text


def test_the_sweep_rings_what_was_missed(world):
    other = world.fixture()
    timekeeping.start_clock(world.game, world.referee, at(0))
    later = other.games.get()
    timekeeping.start_clock(later, world.referee, timezone.now())
    assert tasks.ring_due() == 1
    assert tasks.ring_due() == 0
    assert [kind for _number, kind, *_ in rows(world.game)] == ["start", "bell"]
    assert [kind for _number, kind, *_ in rows(later)] == ["start"]


def test_one_bell_that_fails_does_not_stop_the_sweep(world, monkeypatch, caplog):
    other = world.fixture().games.get()
    for game in (world.game, other):
        timekeeping.start_clock(game, world.referee, at(0))
    ring = timekeeping.ring_if_due

    def fails_on_the_first(game_id, now):
        if game_id == world.game.pk:
            raise RuntimeError("a fault")
        return ring(game_id, now)

    monkeypatch.setattr(timekeeping, "ring_if_due", fails_on_the_first)
    assert tasks.ring_due() == 2
    assert [kind for _number, kind, *_ in rows(other)] == ["start", "bell"]
    assert f"the bell of game {world.game.pk}" in caplog.text


def test_no_bell_without_rules(world):
    """A running clock outlives its rules if the site no longer knows them."""
    timekeeping.start_clock(world.game, world.referee, at(0))
    Match.objects.filter(pk=world.match.pk).update(ruleset="forgotten")
    assert timekeeping.ring_if_due(world.game.pk, at(1000)) is False
    assert code_of(lambda: timekeeping.stop_clock(world.game, world.referee, at(1000))) == "untimed"


# --- A result ends it ---


def test_a_verdict_with_a_result_stops_the_clock(world):
    now = timezone.now()
    timekeeping.start_clock(world.game, world.alice, now - timedelta(minutes=10))
    submission.verify_record(world.submit(played_log()).pk)
    assert [(kind, by) for _number, kind, _at, by in rows(world.game)] == [("start", world.alice.pk), ("stop", None)]
    assert rings_at(world.game) is None
    [view] = clocks_in([world.match.pk], timezone.now())
    assert view.reading.state is ClockState.OVER
    assert code_of(lambda: timekeeping.resume_clock(world.game, world.referee)) == "over"


def test_a_result_after_the_time_rings_the_bell_before_it_stops_the_clock(world):
    timekeeping.start_clock(world.game, world.alice, at(0))
    submission.verify_record(world.submit(played_log()).pk)
    assert [(kind, when) for _number, kind, when, _by in rows(world.game)][:2] == [("start", 0), ("bell", 900)]
    assert rows(world.game)[2][1] == "stop"


def test_a_verdict_without_a_result_leaves_the_clock_running(world):
    timekeeping.start_clock(world.game, world.alice)
    submission.verify_record(world.submit().pk)
    assert [kind for _number, kind, *_ in rows(world.game)] == ["start"]


def test_a_confirmed_result_stops_a_clock_that_still_runs(world):
    submission.verify_record(world.submit(played_log()).pk)
    # As if it had been started in the moment in which the result came.
    ClockEvent.objects.create(game=world.game, number=1, kind="start", at=timezone.now(), by=world.alice)
    submission.confirm_result(result=Result.objects.get(current=True), user=world.bob)
    assert [kind for _number, kind, *_ in rows(world.game)] == ["start", "stop"]


def test_a_game_with_a_result_gets_no_clock(world):
    submission.verify_record(world.submit(played_log()).pk)
    assert code_of(lambda: timekeeping.start_clock(world.game, world.referee)) == "over"
    assert match_page(world.referee, world.match.pk).games[0].clock is None


def test_a_match_that_is_decided_starts_no_further_clock(world):
    world.match = world.fixture(best_of=3)
    Match.objects.filter(pk=world.match.pk).update(state="decided")
    assert code_of(lambda: timekeeping.start_clock(world.game, world.referee)) == "match-decided"


@pytest.mark.parametrize("number", [1, 2])
def test_verification_keeps_to_thirteen_statements_with_a_clock_that_is_past_its_bell(shared_world, number):
    world = shared_world
    world.match = world.fixture(best_of=3)
    first = world.game
    if number == 2:
        submission.verify_record(world.submit(played_log(8), game=first).pk)
    game = Game.objects.select_related("match__league").get(match=world.match, number=number)
    timekeeping.start_clock(game, world.alice, at(0))
    record = world.submit(played_log(), game=game)
    with CaptureQueriesContext(connection) as statements:
        submission.verify_record(record.pk)
    assert [kind for _number, kind, *_ in rows(game)] == ["start", "bell", "stop"]
    assert len(statements) <= 13, "\n".join(one["sql"] for one in statements.captured_queries)


# --- Views ---


def test_the_clocks_of_matches_are_asked_for_in_one_statement(world, django_assert_num_queries):
    matches = [world.fixture(best_of=3) for _ in range(3)] + [world.fixture(ruleset="muggins")]
    running, later, untouched, _untimed = matches
    first, second = running.games.get(number=1), later.games.get(number=2)
    timekeeping.start_clock(later.games.get(number=1), world.referee, at(0))
    timekeeping.stop_clock(later.games.get(number=1), world.referee, at(5))
    timekeeping.start_clock(first, world.referee, at(0))
    timekeeping.give_time(first, world.referee, seconds=30, at=at(1))
    timekeeping.start_clock(second, world.referee, at(10))
    timekeeping.pause_clock(second, world.referee, at(30))
    with django_assert_num_queries(1):
        found = clocks_of([match.pk for match in matches], at(100))
    assert {
        match_id: (view.number, view.reading.state.value, view.reading.remaining_ms, view.version)
        for match_id, view in found.items()
    } == {
        running.pk: (1, "running", 830_000, 2),
        later.pk: (2, "paused", 880_000, 2),
        untouched.pk: (1, "not-started", 900_000, 0),
    }
    assert [view.number for view in clocks_in([later.pk], at(100))] == [1, 2, 3]


def test_the_match_page_tells_the_history_of_its_clock(world):
    timekeeping.start_clock(world.game, world.alice, at(0))
    timekeeping.pause_clock(world.game, world.alice, at(100))
    clock = match_page(world.bob, world.match.pk, now=at(200)).games[0].clock
    assert [(line.event.kind, line.event.by, line.elapsed_ms) for line in clock.history] == [
        ("start", world.alice, 0),
        ("pause", world.alice, 100_000),
    ]
    assert clock.may == {ClockAct.RESUME, ClockAct.STOP}
    assert (clock.view.reading.remaining_ms, clock.view.bell_due) == (800_000, False)


def test_a_clock_past_its_end_has_rung_for_everybody_before_anybody_keeps_the_bell(world):
    timekeeping.start_clock(world.game, world.alice, at(0))
    clock = match_page(world.bob, world.match.pk, now=at(901)).games[0].clock
    assert (clock.view.reading.state, clock.view.bell_due) == (ClockState.RUNG, True)
    assert clock.may == {ClockAct.OVERTIME, ClockAct.STOP}
    assert rows(world.game) == [(1, "start", 0, world.alice.pk)]


def test_the_log_shown_is_held_against_the_clock_and_the_verdict_stays(world):
    timekeeping.start_clock(world.game, world.alice, at(0))
    timekeeping.stop_clock(world.game, world.alice, at(300))
    submission.verify_record(world.submit(played_log()).pk)
    view = match_page(world.bob, world.match.pk).games[0]
    assert [one.what.value for one in view.clock.differences] == ["later-than-clock"]
    assert (view.verdict.status, {finding.severity for finding in view.findings}) == ("verified", {"note"})
