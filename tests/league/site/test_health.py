"""/healthz: this process answers. /readyz: everything a match day needs is there, or what is wrong, in words."""

from datetime import timedelta

import pytest
from django.conf import settings
from django.core.cache import cache
from django.db import OperationalError, connection
from django.db.migrations.recorder import MigrationRecorder
from django.utils import timezone

from league import health, heartbeats
from league.celery import app
from league.matches.models import Record
from league.matches.tasks import sweep, verify_record
from league.tasks import heartbeat
from tests.league.broker import broker_at
from tests.league.world import NOON, played_log

pytestmark = pytest.mark.both


@pytest.fixture(autouse=True)
def _looked_at_anew() -> None:
    cache.clear()
    health.LATEST.forget()


@pytest.fixture
def workers() -> None:
    for queue in settings.QUEUES:
        heartbeat(queue)


def ask(client):
    health.LATEST.forget()
    answer = client.get("/readyz")
    assert "no-store" in answer["Cache-Control"]
    return answer.status_code, answer.json()


def test_alive_asks_nobody(client, db, django_assert_num_queries):
    with django_assert_num_queries(0):
        response = client.get("/healthz")
    assert (response.status_code, response.content) == (200, b"ok\n")
    assert "no-store" in response["Cache-Control"]


def test_ready_where_all_is_well(client, db, workers):
    status, said = ask(client)
    ages = [said["parts"]["workers"].pop(queue) for queue in ("default", "verify")]
    assert all(0 <= seconds < 60 for seconds in ages)  # since their heartbeat, on a machine however busy
    assert (status, said) == (
        200,
        {
            "ready": True,
            "wrong": [],
            "warnings": [],
            "parts": {
                "database": {"ok": True},
                "migrations": {"ok": True},
                "broker": {"ok": True},
                "workers": {"ok": True},
                "verdicts": {"ok": True, "waiting": 0, "late": 0, "oldest_seconds": 0},
                "rows": {"ok": True, "checked_at": None},
            },
        },
    )


def test_a_flood_of_questions_costs_one_look_a_second(client, db, workers, django_assert_num_queries):
    client.get("/readyz")
    with django_assert_num_queries(0):
        for _ in range(5):
            assert client.get("/readyz").status_code == 200


def test_a_database_that_is_away(client, db, monkeypatch):
    def away(*_):
        raise OperationalError("password for league at 10.0.0.7 refused")

    with monkeypatch.context() as broken:
        broken.setattr(connection, "cursor", away)
        status, said = ask(client)
    assert (status, said["wrong"]) == (503, ["The database does not answer."])
    assert said["parts"] == {"database": {"ok": False}}  # and no host, no name, no reason


def test_a_migration_that_is_due(client, db, workers):
    MigrationRecorder(connection).record_unapplied("sessions", "0001_initial")
    status, said = ask(client)
    assert (status, said["parts"]["migrations"]) == (503, {"ok": False, "due": 1})
    assert said["wrong"] == ["The database is older than the program: run `manage.py migrate`."]


def test_a_broker_that_is_away(client, db, workers):
    with broker_at("redis://127.0.0.1:1/0"):
        status, said = ask(client)
    assert (status, said["parts"]["broker"]) == (503, {"ok": False})
    assert said["wrong"] == ["The broker does not answer. Logs are kept and wait for their verdict."]


def test_a_queue_that_nobody_empties(client, db, monkeypatch):
    heartbeat("default")
    status, said = ask(client)
    assert (status, said["parts"]["workers"]) == (503, {"ok": False, "default": 0, "verify": None})
    assert said["wrong"] == ["No worker was seen lately for: verify. Is one started, and is beat?"]
    heartbeat("verify")
    assert ask(client)[0] == 200
    later = heartbeats.time.time() + settings.HEARTBEAT_SECONDS * health.BEATS_MISSED + 1
    monkeypatch.setattr(heartbeats.time, "time", lambda: later)
    assert ask(client)[1]["wrong"] == ["No worker was seen lately for: default, verify. Is one started, and is beat?"]


def test_each_queue_has_its_heartbeat_and_each_task_a_queue_that_is_worked():
    beats = [entry for entry in app.conf.beat_schedule.values() if entry["task"] == "league.heartbeat"]
    assert [(*entry["args"], entry["options"]["queue"]) for entry in beats] == [(q, q) for q in settings.QUEUES]
    assert {queue.name for queue in app.conf.task_queues} == set(settings.QUEUES)
    router = app.amqp.Router()
    assert router.route({}, verify_record.name)["queue"].name == "verify"
    assert router.route({}, sweep.name)["queue"].name == "default"


def test_a_verification_that_fails_again_and_again(client, world, workers, monkeypatch, caplog):
    from league.matches.logs import submission

    def fault(_due):
        raise RuntimeError("a fault of the engine")

    monkeypatch.setattr(submission, "judge", fault)
    record = submission.submit_log(game=world.game, user=world.alice, raw=played_log().encode(), at=NOON).record
    with pytest.raises(RuntimeError):
        verify_record(record.pk)
    assert f"record {record.pk} could not be verified; the sweep tries it again" in caplog.text
    sweep()
    assert f"record {record.pk} could not be verified; next try in 20 s at the earliest" in caplog.text
    Record.objects.update(submitted_at=timezone.now() - timedelta(seconds=100))
    status, said = ask(client)
    assert (status, said["parts"]["verdicts"]) == (
        503,
        {"ok": False, "waiting": 1, "late": 1, "oldest_seconds": 100},
    )
    assert said["wrong"] == ["1 logs wait for their verdict for more than 90 s; the worker's log says why."]
