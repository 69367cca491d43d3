"""Reading the log of changes: positions in it, and the changes after a position.

In PostgreSQL a position is the text of a snapshot, for example ``745:749:745,747``. Numbers of a sequence would not do:
a row that commits late has a lower number than rows already read. A snapshot misses no row, and waits for no long
transaction. SQLite has a single writer, so the number of the last row is enough.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db import connection
from django.db.models.expressions import RawSQL
from django.utils import timezone

from league.live.models import LiveChange
from league.matches.live_score import public_from
from league.matches.models import Game

KEPT = timedelta(hours=1)
LONGEST_DELAY = timedelta(minutes=1)
RESUMED = timedelta(minutes=30)
"""Age up to which a position is resumed from: well before the rows of its time are pruned."""


@dataclass(frozen=True, slots=True)
class Changed:
    """A change of a match or a competition. `clock`: of a game's clock; `desk`: only the desk sees it."""

    match_id: int | None
    competition_id: int | None
    clock: bool
    at: datetime
    desk: bool = False


@dataclass(frozen=True, slots=True)
class LogPosition:
    """A place in the log. `text`: see above."""

    text: str

    def changes_after(self, upto: "LogPosition | None" = None) -> tuple[list[Changed], "LogPosition"]:
        """Return the changes committed since, and the position after them. One statement.

        With `upto` only those before it. Raises DatabaseError for a position of another database.
        """
        if connection.vendor == "postgresql":
            return _after_snapshot(self, upto)
        return _after_number(self, upto)


def here() -> LogPosition:
    """Return the position of this moment. One statement."""
    if connection.vendor == "postgresql":
        return LogPosition(_snapshot())
    return LogPosition(str(LiveChange.objects.order_by("-pk").values_list("pk", flat=True).first() or 0))


def write(match_id: int, at: datetime) -> None:
    """Write a change that no statement made, but time: a delay that is over."""
    writer = RawSQL("pg_current_xact_id()::text::bigint", []) if connection.vendor == "postgresql" else None
    LiveChange.objects.create(match_id=match_id, at=at, transaction_id=writer)


def recent_matches(since: datetime) -> set[int]:
    """Return the matches that changed since. One statement."""
    rows = LiveChange.objects.filter(at__gte=since, match_id__isnull=False)
    return {key for key in rows.values_list("match_id", flat=True) if key is not None}


def scores_due(matches: Iterable[int]) -> Iterator[tuple[int, list[datetime]]]:
    """Yield the matches with delayed scores, and when each of these becomes public. One statement."""
    now = timezone.now()
    for match, tally in Game.objects.filter(match__in=matches, tally__has_key="delay_s").values_list("match", "tally"):
        if moments := [at for at, _score in public_from(tally) if at > now]:
            yield match, moments


def prune(now: datetime | None = None) -> int:
    """Delete old changes, and return how many."""
    gone, _models = LiveChange.objects.filter(at__lt=(now or timezone.now()) - KEPT).delete()
    return gone


def _after_number(position: LogPosition, upto: LogPosition | None) -> tuple[list[Changed], LogPosition]:
    rows = LiveChange.objects.filter(pk__gt=int(position.text)).order_by("pk")
    if upto:
        rows = rows.filter(pk__lte=int(upto.text))
    found = list(rows)
    return [_changed(row) for row in found], LogPosition(str(found[-1].pk) if found else position.text)


def _changed(row: LiveChange) -> Changed:
    return Changed(row.match_id, row.competition_id, row.clock, row.at, row.desk)


def _snapshot() -> str:
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_current_snapshot()::text")
        return str(cursor.fetchone()[0])


# The left join gives the snapshot of the statement also where nothing has changed.
AFTER = """
SELECT seen.now, c.match_id, c.competition_id, c.clock, c.at, c.desk
FROM (SELECT pg_current_snapshot()::text AS now) AS seen
LEFT JOIN live_livechange AS c
  ON c.transaction_id >= pg_snapshot_xmin(%(since)s::pg_snapshot)::text::bigint
  AND NOT pg_visible_in_snapshot(c.transaction_id::text::xid8, %(since)s::pg_snapshot)
  AND (%(upto)s = '' OR pg_visible_in_snapshot(c.transaction_id::text::xid8, NULLIF(%(upto)s, '')::pg_snapshot))
ORDER BY c.id
"""


def _after_snapshot(position: LogPosition, upto: LogPosition | None) -> tuple[list[Changed], LogPosition]:
    with connection.cursor() as cursor:
        cursor.execute(AFTER, {"since": position.text, "upto": upto.text if upto else ""})
        rows = cursor.fetchall()
    found = [Changed(*row) for _now, *row in rows if row[3] is not None]
    return found, LogPosition(str(rows[0][0]))
