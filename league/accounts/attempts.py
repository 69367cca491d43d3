"""Limits on wrong passwords, PINs, tokens, codes (setup, cards, slips), on new practice games and hints.

Attempts are counted in the database, so a limit holds without Redis, with a full cache and after a restart. Each kind
of attempt has a `Limit`; it is counted by account, person, device or address, in a sliding window.
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from math import ceil

from django.conf import settings
from django.db import transaction
from django.utils import timezone
from django.utils.crypto import salted_hmac

from league.accounts.models import Attempts


@dataclass(frozen=True, slots=True)
class Limit:
    """The most attempts of one kind in a sliding window.

    `most` is a call, because a setting may change it.
    """

    kind: str
    most: Callable[[], int]
    window: timedelta

    def key(self, whose: tuple[object, ...]) -> str:
        """Hash the owner of the attempts, for PINs and mistyped passwords are secret."""
        text = "\n".join([self.kind, *map(str, whose)])
        return salted_hmac("league.accounts.attempts", text, algorithm="sha256").hexdigest()


PASSWORD = Limit("password", lambda: settings.SIGN_IN_GUESSES, timedelta(hours=1))
SETUP_CODE = Limit("setup code", lambda: 20, timedelta(hours=1))
PIN = Limit("pin", lambda: 20, timedelta(days=1))
# Secrets of 60 bits and more, in a hall with one address: guesses are slowed down, and a right code never waits.
CODE = Limit("code", lambda: 20, timedelta(seconds=5))
TOKEN = Limit("token", lambda: 20, timedelta(seconds=5))
# New practice games by address: a hall full of people has one.
PRACTICE = Limit("practice", lambda: 300, timedelta(hours=1))
# Hints by address: each takes up to half a second of a core.
HINT = Limit("hint", lambda: 100, timedelta(minutes=5))


def count(limit: Limit, *whose: object, at: datetime | None = None) -> datetime | None:
    """Count one attempt before it is checked, and return None if it is allowed.

    At the limit it counts nothing and returns the time of the next allowed attempt. Call it outside of any transaction,
    so that a rollback does not remove the count; `take_back` removes a right attempt.
    """
    at = at or timezone.now()
    with transaction.atomic():
        row, times = _locked(limit.key(whose), at - limit.window)
        if len(times) >= limit.most():
            return _free_at(limit, times)
        _write(row, limit, [*times, at.timestamp()])
    return None


def take_back(limit: Limit, *whose: object, at: datetime | None = None) -> None:
    """Remove the newest attempt, because it was right.

    The wrong ones before it still count.
    """
    at = at or timezone.now()
    with transaction.atomic():
        row, times = _locked(limit.key(whose), at - limit.window)
        _write(row, limit, times[:-1])


def minutes_until(free_at: datetime) -> int:
    """Return the time to wait in full minutes, at least one."""
    return max(1, ceil((free_at - timezone.now()).total_seconds() / 60))


def forget_old(at: datetime | None = None) -> int:
    """Remove the rows whose window is over, and return their number."""
    return Attempts.objects.filter(ends_at__lte=at or timezone.now()).delete()[0]


def _locked(key: str, begin: datetime) -> tuple[Attempts, list[float]]:
    row, _new = Attempts.objects.select_for_update().get_or_create(key=key, defaults={"ends_at": timezone.now()})
    return row, _since(row.times, begin)


def _since(times: list[float], begin: datetime) -> list[float]:
    return [one for one in times if one > begin.timestamp()]


def _free_at(limit: Limit, times: list[float]) -> datetime:
    """Return when the oldest attempt that fills the window leaves it."""
    return datetime.fromtimestamp(times[-limit.most()], tz=UTC) + limit.window


def _write(row: Attempts, limit: Limit, times: list[float]) -> None:
    row.times = times
    if times:
        row.ends_at = datetime.fromtimestamp(times[-1], tz=UTC) + limit.window
    row.save(update_fields=["times", "ends_at"])
