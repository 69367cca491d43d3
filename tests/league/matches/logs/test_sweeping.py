"""The sweep: records that fail have their turn, later and later, and never keep the others waiting."""

from datetime import timedelta

import pytest
from celery.exceptions import SoftTimeLimitExceeded
from django.core.cache import cache

from league.matches.logs import submission
from league.matches.logs import sweep as sweeping
from league.matches.logs.submission import submit_log
from league.matches.models import Record
from league.matches.tasks import sweep
from tests.league.world import NOON, played_log

FAILING = 7


@pytest.fixture(autouse=True)
def _small(monkeypatch):
    monkeypatch.setattr(sweeping, "BATCH", 3)
    cache.clear()


@pytest.fixture
def clock(monkeypatch):
    """The hour of the rests, which a test may put forward."""

    class Clock:
        now = 1_000_000.0

        def time(self):
            return self.now

        monotonic = staticmethod(sweeping.time.monotonic)

    clock = Clock()
    monkeypatch.setattr(sweeping, "time", clock)
    return clock


@pytest.fixture
def missed(world):
    """Seven that will fail, all older than one that will not."""
    return [
        submit_log(
            game=world.game, user=world.alice, raw=played_log(seed).encode(), at=NOON + timedelta(seconds=seed)
        ).record
        for seed in range(FAILING + 1)
    ]


@pytest.fixture
def tried(missed, monkeypatch):
    """Ids of the records that were judged, in order; the first seven fail."""
    judged, judge = [], submission.judge

    def fails(due):
        judged.append(due.record_id)
        if due.record_id != missed[-1].pk:
            raise RuntimeError("a fault of the engine")
        return judge(due)

    monkeypatch.setattr(submission, "judge", fails)
    return judged


def is_verified(record):
    record.refresh_from_db()
    return record.state == Record.State.VERIFIED


def test_older_records_that_fail_do_not_starve_the_others(missed, tried):
    assert sweep() == FAILING + 1
    assert is_verified(missed[-1])


def test_the_control_one_batch_a_sweep_starves_them(missed, tried, monkeypatch):
    batches = sweeping._batches
    monkeypatch.setattr(sweeping, "_batches", lambda: [next(batches())])
    monkeypatch.setattr(sweeping.Rests, "awake", lambda _self, ids: ids)
    for _ in range(5):
        sweep()
    assert not is_verified(missed[-1])


@pytest.mark.slow("weeks of sweeps")
def test_those_that_fail_rest_longer_each_time_and_are_never_given_up(missed, tried, clock):
    first = missed[0].pk
    waits = []
    for _ in range(12):
        before = clock.now
        while tried.count(first) == len(waits):
            sweep()
            clock.now += 10
        waits.append(round(clock.now - 10 - before))
    assert waits[:5] == [0, 10, 30, 70, 150]  # 20 s, 40 s, 80 s, 160 s of rest; ten of them had gone by
    assert max(waits) <= sweeping.LONGEST_REST
    assert waits[-1] > sweeping.LONGEST_REST - 20
    assert Record.objects.filter(state="received").count() == FAILING


def test_one_that_recovers_is_verified_and_forgotten(missed, tried, clock, monkeypatch):
    sweep()
    monkeypatch.undo()
    monkeypatch.setattr(sweeping, "time", clock)
    assert sweep() == 0
    clock.now += sweeping.FIRST_REST
    assert sweep() == FAILING
    assert Record.objects.filter(state="received").count() == 0
    assert cache.get(sweeping._key(missed[0].pk)) is None


def test_one_that_takes_its_worker_down_rests_as_well(missed, monkeypatch):
    def dies(_due):
        raise SystemExit  # no `Exception`: nothing after it runs

    monkeypatch.setattr(submission, "judge", dies)
    with pytest.raises(SystemExit):
        sweep()
    monkeypatch.undo()
    assert sweep() == FAILING
    assert [is_verified(record) for record in missed] == [False] + [True] * FAILING


def test_one_that_takes_too_long_ends_the_sweep_and_rests(missed, monkeypatch, caplog):
    def hangs(_due):
        raise SoftTimeLimitExceeded

    monkeypatch.setattr(submission, "judge", hangs)
    with pytest.raises(SoftTimeLimitExceeded):
        sweep()
    assert f"record {missed[0].pk} could not be verified in time" in caplog.text
    monkeypatch.undo()
    assert sweep() == FAILING


def test_a_sweep_ends_in_time_and_the_next_goes_on(missed, monkeypatch):
    monkeypatch.setattr(sweeping, "BUDGET", 0)
    assert sweep() == 0
    monkeypatch.setattr(sweeping, "BUDGET", 15)
    assert sweep() == FAILING + 1
