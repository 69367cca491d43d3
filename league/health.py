"""Health checks for load balancers, containers and monitoring.

`/healthz` only says that this process answers: without its database it need not be restarted. `/readyz` checks
everything that a match day needs, and names each fault in words.
"""

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field

from django.conf import settings
from django.db import Error as DatabaseProblem
from django.db import connection
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.views.decorators.cache import never_cache

from league import heartbeats

# Requests within this time get the same answer: the page is public and must stay cheap.
REMEMBERED = 1.0  # seconds
BEATS_MISSED = 3


@dataclass(frozen=True, slots=True)
class Condition:
    """The state of one part.

    `wrong` is a sentence, empty if all is well; a `warning` does not stop the site.
    """

    wrong: str = ""
    facts: dict[str, object] = field(default_factory=dict)
    warning: str = ""


Look = Callable[[], Condition]
CHECKS: dict[str, Look] = {}


def check(name: str) -> Callable[[Look], Look]:
    """Register the check of one part; higher packages add theirs."""

    def register(look: Look) -> Look:
        CHECKS[name] = look
        return look

    return register


@never_cache
def healthz(request: HttpRequest) -> HttpResponse:
    """Answer 200: this process runs."""
    return HttpResponse("ok\n", content_type="text/plain")


@never_cache
def readyz(request: HttpRequest) -> HttpResponse:
    """Answer 200 if every part is well, else 503, with the findings as JSON."""
    found = LATEST.findings()
    wrong = [finding.wrong for finding in found.values() if finding.wrong]
    warnings = [finding.warning for finding in found.values() if finding.warning]
    parts = {name: {"ok": not (finding.wrong or finding.warning), **finding.facts} for name, finding in found.items()}
    told = {"ready": not wrong, "wrong": wrong, "warnings": warnings, "parts": parts}
    return JsonResponse(told, status=503 if wrong else 200)


class Remembered:
    """The last findings, renewed after `REMEMBERED` seconds."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._found: dict[str, Condition] = {}
        self._until = float("-inf")

    def findings(self) -> dict[str, Condition]:
        with self._lock:
            if time.monotonic() >= self._until:
                self._found = look_at_everything()
                self._until = time.monotonic() + REMEMBERED
            return self._found

    def forget(self) -> None:
        self._until = float("-inf")


LATEST = Remembered()


def look_at_everything() -> dict[str, Condition]:
    """Run all checks; without the database the checks that need it are left out."""
    database = CHECKS["database"]()
    others = {} if database.wrong else {name: look() for name, look in CHECKS.items() if name != "database"}
    return {"database": database, **others}


@check("database")
def _database() -> Condition:
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
    except DatabaseProblem:
        return Condition("The database does not answer.")
    return Condition()


@check("migrations")
def _migrations() -> Condition:
    """Compare with the migrations at the start of this process.

    New code in the folder does not matter before a restart.
    """
    due = _on_disk() - set(MigrationRecorder(connection).applied_migrations())
    if due:
        return Condition("The database is older than the program: run `manage.py migrate`.", {"due": len(due)})
    return Condition()


def _on_disk() -> set[tuple[str, str]]:
    if not _ON_DISK:
        _ON_DISK.update(MigrationLoader(None).graph.nodes)
    return _ON_DISK


_ON_DISK: set[tuple[str, str]] = set()


@check("broker")
def _broker() -> Condition:
    from league.celery import app

    try:
        with app.connection_for_write() as broker:
            broker.ensure_connection(max_retries=1, timeout=1)
    except Exception:  # errors of kombu, redis and the socket
        return Condition("The broker does not answer. Logs are kept and wait for their verdict.")
    return Condition()


@check("workers")
def _workers() -> Condition:
    limit = settings.HEARTBEAT_SECONDS * BEATS_MISSED
    silent = {queue: heartbeats.silent_for(queue) for queue in settings.QUEUES}
    facts = {queue: None if seconds is None else round(seconds) for queue, seconds in silent.items()}
    missing = [queue for queue, seconds in silent.items() if seconds is None or seconds > limit]
    if missing:
        return Condition(f"No worker was seen lately for: {', '.join(missing)}. Is one started, and is beat?", facts)
    return Condition("", facts)
