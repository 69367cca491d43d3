"""The real thing: a worker process, a real Redis, and a verdict that arrives."""

import os
import secrets
import subprocess
import sys
import time
from datetime import timedelta
from pathlib import Path

import pytest
from django.db import connection

from league.celery import app
from league.matches.models import Record
from league.matches.services import submit_log
from league.matches.timekeeping import start_clock
from tests.league.broker import broker_at
from tests.league.world import played_log

ROOT = Path(__file__).resolve().parents[3]
PATIENCE_S = 40

pytestmark = pytest.mark.redis


@pytest.fixture
def queue(redis_url):
    """A queue of this test's own on the machine's Redis."""
    name = f"test-{secrets.token_hex(6)}"
    with broker_at(redis_url, name):
        yield name
        with app.connection_for_write() as broker:
            broker.default_channel.queue_delete(name)


@pytest.fixture
def worker(queue, redis_url, tmp_path):
    """`celery -A league worker` on the test database, as in production."""
    parts = connection.settings_dict
    database = (
        f"postgres://{parts['USER']}:{parts['PASSWORD']}@{parts['HOST']}:{parts['PORT']}/{parts['NAME']}"
        if connection.vendor == "postgresql"
        else f"sqlite:///{parts['NAME']}"
    )
    environment = os.environ | {
        "DATABASE_URL": database,
        "SECRET_KEY": "only for this test, and long enough to be one",
        "REDIS_URL": redis_url,
        "CELERY_BROKER_URL": redis_url,
        "DATA_DIR": str(tmp_path),
        "LOG_LEVEL": "INFO",
    }
    command = [sys.executable, "-m", "celery", "-A", "league", "worker", "-Q", queue, "-c", "1", "--without-mingle"]
    log = (tmp_path / "worker.log").open("w+")
    process = subprocess.Popen(command, cwd=ROOT, env=environment, stdout=log, stderr=subprocess.STDOUT)
    yield process
    process.terminate()
    process.wait(timeout=20)
    log.close()


def test_a_log_that_is_handed_in_gets_its_verdict_from_a_worker_of_its_own(shared_world, worker):
    record = submit_log(game=shared_world.game, user=shared_world.alice, raw=played_log().encode()).record
    until = time.monotonic() + PATIENCE_S
    while record.state == Record.State.RECEIVED and time.monotonic() < until:
        time.sleep(0.2)
        record.refresh_from_db()
    assert (record.state, record.verdict.status) == ("verified", "verified")
    assert worker.poll() is None


def test_the_bell_is_rung_at_its_instant_by_a_worker_without_the_sweep(shared_world, worker):
    shared_world.match = shared_world.fixture(options={"clock_s": 2})
    started = start_clock(shared_world.game, shared_world.alice)
    until = time.monotonic() + PATIENCE_S
    while shared_world.game.clock_events.count() < 2 and time.monotonic() < until:
        time.sleep(0.2)
    bell = shared_world.game.clock_events.last()
    assert (bell.kind, bell.at - started.at, bell.by) == ("bell", timedelta(seconds=2), None)
    assert shared_world.game.rings_at is None
