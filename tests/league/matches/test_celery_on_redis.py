"""The real thing: workers and beat as processes, a real Redis, and what happens when one of them dies."""

import shutil
import time
from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path
from statistics import median

import pytest

from league.matches.clock.services import start_clock
from league.matches.logs.submission import queue_verification, submit_log
from league.matches.models import Record, Result, StoredVerdict
from tests.league.broker import broker_at
from tests.league.processes import OwnRedis, Processes, forget_keys, free_port, kill, own_redis, until
from tests.league.visitor import Visitor
from tests.league.world import World, played_log

# Workers with Redis are the production; the embedded default on SQLite has none of both.
pytestmark = [pytest.mark.postgres, pytest.mark.redis, pytest.mark.slow("starts the processes of a site")]

SWEEP = 2  # seconds
# A record is due for the sweep after ten seconds (sweeping.PATIENCE).
DUE = 10


@pytest.fixture
def processes(shared_world: World, redis_url: str, tmp_path: Path) -> Iterator[Processes]:
    """On the machine's Redis, under a prefix of this test's own; what the test itself sends goes there as well."""
    site = Processes(tmp_path, redis_url, SWEEP_SECONDS=str(SWEEP), SLOW_FOLDER=str(tmp_path), SLOW_SECONDS="30")
    with broker_at(redis_url, site.prefix):
        yield site
    site.stop()
    forget_keys(redis_url, site.prefix)


def hand_in(world: World) -> Record:
    return submit_log(game=world.game, user=world.alice, raw=played_log().encode()).record


def verified(record: Record) -> Callable[[], bool]:
    def look() -> bool:
        record.refresh_from_db()
        return record.state == Record.State.VERIFIED

    return look


def judging(folder: Path, number: int = 1) -> Callable[[], bool]:
    return lambda: len(list(folder.glob("*.judging"))) >= number


def one_verdict_and_one_result() -> bool:
    return (StoredVerdict.objects.count(), Result.objects.count()) == (1, 1)


def test_a_log_that_is_handed_in_gets_its_verdict_from_a_worker_of_its_own(shared_world, processes):
    worker = processes.worker()
    record = hand_in(shared_world)
    assert until(verified(record)), processes.said("worker")
    assert record.verdict.status == "verified"
    assert worker.poll() is None


def test_a_worker_killed_in_mid_task_loses_nothing_and_without_the_sweep_the_log_waits(
    shared_world, processes, tmp_path
):
    doomed = processes.worker("doomed", app="tests.league.slow")
    record = hand_in(shared_world)
    assert until(judging(tmp_path)), processes.said("doomed")
    processes.worker("second")
    kill(doomed)
    killed = time.monotonic()
    # The control: Redis keeps the message of a dead worker for ten minutes, so a second worker alone changes nothing.
    assert not until(verified(record), DUE + 3 * SWEEP)
    processes.beat()
    assert until(verified(record)), processes.said("beat") + processes.said("second")
    assert time.monotonic() - killed < 60
    assert one_verdict_and_one_result()


def test_a_message_that_is_delivered_six_times_to_workers_at_once_gives_one_verdict(shared_world, processes, tmp_path):
    processes.environment["SLOW_SECONDS"] = "1.5"
    processes.worker(app="tests.league.slow", processes=6)
    record = hand_in(shared_world)
    for _ in range(5):
        queue_verification(record.pk)
    assert until(judging(tmp_path, 6)), processes.said("worker")  # all of them have read it as not verified
    assert until(lambda: processes.said("worker").count("succeeded in") == 6), processes.said("worker")
    assert verified(record)()
    assert one_verdict_and_one_result()


@pytest.fixture
def broker(tmp_path: Path) -> Iterator[OwnRedis]:
    if shutil.which("redis-server") is None:
        pytest.skip("no redis-server on the PATH to stop and start (apt install redis-server)")
    with own_redis(tmp_path) as server:
        yield server


@pytest.mark.parametrize("how", ["killed", "frozen"])
def test_with_redis_away_a_log_is_taken_within_a_second_and_verified_after_its_return(
    shared_world, broker, tmp_path, how
):
    site, port = Processes(tmp_path, broker.url, SWEEP_SECONDS=str(SWEEP)), free_port()
    try:
        site.web(port)
        site.worker()
        site.beat()
        visitor = Visitor(f"http://127.0.0.1:{port}", shared_world.alice)
        assert visitor.wait(), site.said("web")
        path = f"/submit/{shared_world.game.code}/"
        form = visitor.form(path)
        assert visitor.post(path, {**form, "text": ""}).status == 422  # each process has imported what it needs
        broker.kill() if how == "killed" else broker.freeze()
        took = []
        for seed in (7, 8, 9):
            begun = time.monotonic()
            assert visitor.post(path, {**form, "text": played_log(seed)}).status == 302
            took.append(time.monotonic() - begun)
        assert median(took) < 1, took
        records = list(Record.objects.all())
        assert [record.state for record in records] == [Record.State.RECEIVED] * 3
        broker.start() if how == "killed" else broker.thaw()
        for record in records:
            assert until(verified(record)), site.said("worker") + site.said("beat")
        assert StoredVerdict.objects.count() == 3
    finally:
        site.stop()


def test_the_bell_is_rung_at_its_instant_by_a_worker_without_the_sweep(shared_world, processes):
    shared_world.match = shared_world.fixture(options={"clock_s": 2})
    processes.worker()
    started = start_clock(shared_world.game, shared_world.alice)
    assert until(lambda: shared_world.game.clock_events.count() == 2), processes.said("worker")
    bell = shared_world.game.clock_events.last()
    assert (bell.kind, bell.at - started.at, bell.by) == ("bell", timedelta(seconds=2), None)
    assert shared_world.game.rings_at is None
