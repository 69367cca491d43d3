"""What must hold of a database that was just filled."""

from collections.abc import Mapping

from django.db.models import Model

from league.backups import BackupProblem
from league.matches.chain import broken_at, sha256
from league.matches.models import KnownBy, Record, SealedLog, StoredVerdict
from league.matches.results import DUE, Due
from league.matches.services import judge
from referee import EDITION

COMPARED = ("status", "scores", "winner", "ended")


def check_counts(expected: Mapping[type[Model], int]) -> None:
    for model, rows in expected.items():
        found = model._base_manager.count()
        if found != rows:
            raise BackupProblem(f"{model._meta.db_table} has {found} rows and should have {rows}. Nothing was changed.")


def check_logs() -> None:
    """Every sealed log is what was sealed, and gives the verdict that is stored, so that every table of results can be
    computed anew. Verdicts of another edition of the engine are left alone.
    """
    for log in SealedLog.objects.order_by("pk").iterator():
        if sha256(log.text.encode()) != log.sha256 or broken_at(log.text, log.heads) is not None:
            raise BackupProblem(
                f"The sealed log of record {log.record_id} is not what was sealed: its hash or its chain is broken. "
                f"Nothing was changed."
            )
    stored = StoredVerdict.objects.filter(record__kind=KnownBy.LOG, engine_edition=EDITION).order_by("record")
    records = Record.objects.filter(kind=KnownBy.LOG, verdict__engine_edition=EDITION).order_by("pk").values_list(*DUE)
    for then, row in zip(stored.iterator(), records.iterator(), strict=True):
        now = judge(Due(*row))
        if any(getattr(now, name) != getattr(then, name) for name in COMPARED):
            raise BackupProblem(
                f"Record {then.record_id} gives another verdict than the stored one ({now.status}, not {then.status}). "
                f"Nothing was changed."
            )
