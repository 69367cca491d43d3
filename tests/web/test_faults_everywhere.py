"""A full disk at any statement of any request: 503 with reason, never 500."""

import sqlite3
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from random import Random
from typing import Any

import pytest
from django.db import OperationalError, connection, transaction
from django.test import Client
from django.urls import reverse

from league.accounts import attempts
from league.outages import Outage
from tests.volume import SEED, quarter
from tests.web import table_world
from tests.web.test_permission_table import TABLE
from tests.web.walk import Scope, paths

pytestmark = pytest.mark.slow("asks every address twice")
Request = tuple[str, str, dict[str, Any]]
ENDS = ("RELEASE SAVEPOINT", "ROLLBACK TO SAVEPOINT")


@dataclass
class Disk:
    """A disk that is full from a statement on.

    The rollback after a failure does not fail again.
    """

    full_at: int = 0
    statements: int = 0
    has_failed: bool = False

    def __call__(self, execute: Any, sql: str, *rest: Any) -> Any:
        self.statements += not sql.startswith(ENDS)
        if not self.full_at or self.statements < self.full_at or sql.startswith(ENDS):
            return execute(sql, *rest)
        self.has_failed = True
        told = sqlite3.OperationalError("database or disk is full")
        told.sqlite_errorcode = sqlite3.SQLITE_FULL
        raise OperationalError("database or disk is full") from told


@dataclass
class Asking:
    client: Client
    seen: Counter[int] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)

    def statements(self, request: Request) -> int:
        disk = Disk()
        self._answer(request, disk)
        return disk.statements

    def with_full_disk(self, request: Request, at: int) -> None:
        disk = Disk(full_at=at)
        answer = self._answer(request, disk)
        if not disk.has_failed:  # answered from a cache meanwhile
            return
        self.seen[answer.status_code] += 1
        told = answer.status_code == 503 and answer["Retry-After"] == str(Outage.DISK_FULL.wait)
        if not (told and b"disk of this site is full" in answer.content):
            self.wrong.append(f"{request[0]} {request[1]} at statement {at}: {answer.status_code}")

    def _answer(self, request: Request, disk: Disk) -> Any:
        method, path, data = request
        cookies = self.client.cookies.copy()
        with transaction.atomic():
            with connection.execute_wrapper(disk):
                answer = getattr(self.client, method)(path, data)
                answer = answer if not answer.streaming else self._whole(answer)
            transaction.set_rollback(True)
        self.client.cookies = cookies
        return answer

    @staticmethod
    def _whole(answer: Any) -> Any:
        b"".join(answer.streaming_content)
        return answer


def requests(own: table_world.Things) -> Iterator[Request]:
    """Yield every GET with its first row, and every form of the permission table."""
    for _address, path in {address: (address, path) for address, path in paths(Scope(), 1)}.values():
        yield "get", path, {}
    for row in TABLE:
        yield "post", reverse(row.name, args=row.args(own)), row.data(own)


@pytest.fixture
def asking(db: None, settings: Any, monkeypatch: pytest.MonkeyPatch) -> Asking:
    settings.API_LIMITS = dict.fromkeys(settings.API_LIMITS, 1_000_000)
    monkeypatch.setattr(attempts, "count", lambda *_, **__: None)
    return Asking(Client(raise_request_exception=False))


def test_a_disk_that_is_full_at_any_statement_is_said(asking: Asking) -> None:
    people, own, _foreign = table_world.build()
    asking.client.force_login(people["owner"])
    chance = Random(SEED)
    for request in quarter(requests(own), lambda one: one[0]):
        if last := asking.statements(request):
            asking.with_full_disk(request, chance.randint(1, last))
    print(f"{asking.seen.total()} requests on a full disk: {dict(asking.seen)}")
    assert asking.wrong == []
    assert asking.seen[503] > 50


def test_without_the_distinction_a_full_disk_is_a_fault(asking: Asking, monkeypatch: pytest.MonkeyPatch) -> None:
    """The control."""
    monkeypatch.setattr("league.web.shared.errors.outage_of", lambda _error: None)
    request = ("get", "/players/", {})
    asking.with_full_disk(request, asking.statements(request))
    assert asking.seen == {500: 1}
    assert asking.wrong
