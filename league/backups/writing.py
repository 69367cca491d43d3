"""Backup of a running site."""

import contextlib
import json
from collections.abc import Iterator
from pathlib import Path
from zipfile import ZipFile

from django.db import connection, transaction
from django.db.models import Model
from django.utils import timezone

from league.backups import BackupProblem
from league.backups.archive import MANIFEST, Hashed, Manifest, SavedTable, written
from league.backups.schema import applied, apps_after, check_known, saved_models
from league.backups.values import codec, columns, selected
from referee import EDITION as ENGINE

ROWS_AT_ONCE = 2000


def save(path: Path) -> Manifest:
    """Write the whole database at one moment to a new file; writers are not blocked.

    Raises BackupProblem for a database of a newer edition, OSError if the file cannot be written. Either leaves no
    file.
    """
    with snapshot(), written(path) as archive:
        migrations = applied()
        if not migrations:
            raise BackupProblem("There is nothing to save: the database is empty.")
        check_known(migrations, "The database")
        manifest = Manifest(
            made_at=timezone.now().isoformat(timespec="seconds"),
            database=connection.vendor,
            engine=ENGINE,
            migrations=migrations,
            tables=[_save_table(archive, model) for model in saved_models(apps_after(migrations))],
        )
        archive.writestr(MANIFEST, manifest.dumps())
    return manifest


@contextlib.contextmanager
def snapshot() -> Iterator[None]:
    """Make every read inside see the same moment."""
    connection.ensure_connection()
    with contextlib.ExitStack() as stack:
        if connection.vendor == "sqlite":
            # A transaction that only reads keeps its view of a WAL file and takes no lock; the site's usual IMMEDIATE
            # would block every writer.
            stack.callback(setattr, connection, "transaction_mode", connection.transaction_mode)
            connection.transaction_mode = "DEFERRED"
        stack.enter_context(transaction.atomic(durable=True))
        if connection.vendor == "postgresql":
            with connection.cursor() as cursor:
                cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
        yield


def _save_table(archive: ZipFile, model: type[Model]) -> SavedTable:
    fields = columns(model)
    encoders = [codec(field)[0] for field in fields]
    rows = model._base_manager.order_by("pk").values_list(*map(selected, fields)).iterator(chunk_size=ROWS_AT_ONCE)
    saved = SavedTable(model._meta.db_table, model._meta.label, [field.column for field in fields], 0, "")
    count = 0
    with archive.open(saved.member, "w", force_zip64=True) as member:
        lines = Hashed(member)
        for row in rows:
            values = [None if one is None else encode(one) for one, encode in zip(row, encoders, strict=True)]
            lines.write(json.dumps(values, ensure_ascii=False, separators=(",", ":")) + "\n")
            count += 1
    return SavedTable(saved.table, saved.model, saved.columns, count, lines.sha256)
