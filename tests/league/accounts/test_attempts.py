"""Counts of wrong secrets, in the database."""

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest
from django.core.cache import cache
from django.db import connection

from league.accounts import attempts, tasks
from league.accounts.attempts import Limit
from league.accounts.models import Attempts
from tests.league.world import NOON

THREE = Limit("test", lambda: 3, timedelta(hours=1))


def minutes(number: float):
    return NOON + timedelta(minutes=number)


@pytest.mark.slow("many hashed passwords")
def test_a_full_window_says_when_it_is_free_and_slides(db):
    assert [attempts.count(THREE, "ana", at=minutes(at)) for at in (0, 10, 20)] == [None] * 3
    assert attempts.count(THREE, "ana", at=minutes(30)) == minutes(60)
    assert attempts.count(THREE, "ana", at=minutes(59)) == minutes(60)
    assert attempts.count(THREE, "ana", at=minutes(60)) is None
    # Not three more at once: the attempts at minutes 10 and 20 still count.
    assert attempts.count(THREE, "ana", at=minutes(61)) == minutes(70)


def test_each_kind_and_each_person_has_a_count_of_its_own(db):
    for _ in range(3):
        attempts.count(THREE, "ana", at=NOON)
    assert attempts.count(THREE, "bo", at=NOON) is None
    assert attempts.count(THREE, "ana", "phone", at=NOON) is None
    assert attempts.count(Limit("other", lambda: 3, timedelta(hours=1)), "ana", at=NOON) is None


def test_a_right_attempt_does_not_count_and_forgives_no_wrong_one(db):
    for at in (0, 1):
        attempts.count(THREE, "ana", at=minutes(at))
    for at in range(2, 30):
        assert attempts.count(THREE, "ana", at=minutes(at)) is None
        attempts.take_back(THREE, "ana", at=minutes(at))
    attempts.count(THREE, "ana", at=minutes(40))
    assert attempts.count(THREE, "ana", at=minutes(41)) == minutes(60)


def test_counts_outlive_the_cache_and_are_removed_once_they_count_for_nothing(db):
    for _ in range(3):
        attempts.count(THREE, "ana", at=NOON)
    attempts.count(THREE, "bo", at=minutes(30))
    cache.clear()
    assert attempts.count(THREE, "ana", at=minutes(1)) is not None
    assert attempts.forget_old(minutes(60)) == 1
    assert attempts.count(THREE, "bo", at=minutes(60)) is None
    assert Attempts.objects.count() == 1
    assert tasks.forget_attempts() == 1  # long ago by the clock of the machine


def test_neither_names_nor_secrets_are_kept(db):
    attempts.count(THREE, "ana", "1234", at=NOON)
    assert "1234" not in str(Attempts.objects.values().get())


def test_attempts_at_once_are_counted_one_by_one(transactional_db):
    def guess(_number: int) -> bool:
        try:
            return attempts.count(THREE, "ana") is None
        finally:
            connection.close()

    with ThreadPoolExecutor(8) as threads:
        assert sum(threads.map(guess, range(24))) == 3


@pytest.mark.postgres
def test_without_the_lock_more_would_pass(transactional_db, monkeypatch):
    """The control: without the lock the row is read before other attempts are written."""

    def unlocked(key, begin):
        row, _new = Attempts.objects.get_or_create(key=key, defaults={"ends_at": NOON})
        times = attempts._since(row.times, begin)
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_sleep(0.05)")
        return row, times

    monkeypatch.setattr(attempts, "_locked", unlocked)

    def guess(_number: int) -> bool:
        try:
            return attempts.count(THREE, "ana") is None
        finally:
            connection.close()

    with ThreadPoolExecutor(8) as threads:
        assert sum(threads.map(guess, range(24))) > 3
