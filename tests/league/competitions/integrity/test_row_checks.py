"""The daily check of all rows by beat: its parts, /readyz, and the owner's page."""

from datetime import timedelta

import pytest
from django.core.cache import cache
from django.utils import timezone

from league import health
from league.competitions.integrity import row_check
from league.competitions.tasks import check_rows
from league.matches.integrity import reading
from league.matches.models import Match, Record, Result, RowCheck
from league.tasks import heartbeat
from tests.league.every_record import every_kind
from tests.league.tampering import drop_triggers


@pytest.fixture
def played(db):
    return every_kind()


def forge() -> Result:
    drop_triggers()
    result = Result.objects.filter(state="official", record__kind="log").order_by("pk").first()
    Result.objects.filter(pk=result.pk).update(scores={"1": 7, "2": 150})
    return result


def test_the_check_continues_in_parts_and_ends(played, monkeypatch):
    monkeypatch.setattr(reading, "AT_ONCE", 2)
    parts = 0
    while RowCheck.objects.filter(finished_at__isnull=False).count() == 0:
        row_check.go_on(budget=0)
        parts += 1
    check = RowCheck.objects.get()
    assert parts > Match.objects.count() // 2
    assert (check.records, check.rows, check.found) == (Record.objects.count(), 0, [])


def test_the_next_one_comes_a_day_later(played):
    check_rows()
    assert check_rows() == 0
    RowCheck.objects.update(started_at=timezone.now() - timedelta(days=1, minutes=1))
    assert check_rows() == Record.objects.count()
    assert RowCheck.objects.count() == 2


def test_a_difference_is_a_warning_and_stops_nothing(played, client, settings):
    cache.clear()
    result = forge()
    for queue in settings.QUEUES:
        heartbeat(queue)
    check_rows()
    health.LATEST.forget()
    answer = client.get("/readyz")
    assert answer.status_code == 200
    told = answer.json()
    assert (told["ready"], told["wrong"], told["parts"]["rows"]["ok"]) == (True, [], False)
    assert told["warnings"] == [
        f"{RowCheck.objects.get().rows} rows are not what the records say: `manage.py verify` names them."
    ]
    assert client.get(f"/matches/{result.game.match_id}/").status_code == 200


def test_the_owner_sees_which_and_nobody_else(played, client):
    result = forge()
    check_rows()
    line = f"result {result.pk}: scores is"
    names = " – ".join(f"<bdi>{side.entrant}</bdi>" for side in result.game.match.sides.order_by("number"))
    for user, sees in ((played.owner, True), (played.referee, False), (played.alice, False), (None, False)):
        client.logout() if user is None else client.force_login(user)
        shown = client.get("/leagues/harbour/").content.decode()
        assert (line in shown) is sees, user
        assert (f'<a href="/matches/{result.game.match_id}/">{names}</a>' in shown) is sees, user
