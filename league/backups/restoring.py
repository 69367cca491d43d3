"""Restore of a backup file: everything or nothing."""

import contextlib
import io
import itertools
import json
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from zipfile import ZipFile

from django.apps import apps as todays_apps
from django.core.management.color import no_style
from django.core.management.sql import emit_post_migrate_signal
from django.db import DEFAULT_DB_ALIAS, DatabaseError, IntegrityError, OperationalError, connection, transaction
from django.db.models import Model

from league.backups import BackupProblem, checks
from league.backups.archive import Manifest, SavedTable, opened
from league.backups.schema import (
    apps_after,
    check_known,
    drop_tables,
    make_tables,
    migrate_to_today,
    models_of,
    saved_models,
)
from league.backups.values import codec, columns

ROWS_AT_ONCE = 500
Report = Callable[[str], None]


def restore(path: Path, report: Report, *, accept: bool = False) -> Manifest:
    """Replace the rows of the database by those of the file, and check them.

    `accept`: rows that differ from the records are reported, and do not stop the restore.

    Raises BackupProblem (a damaged file, a newer edition, a row that does not fit, a check that fails) and errors of
    the database; nothing has changed then.
    """
    with opened(path) as (archive, manifest):
        check_known(manifest.migrations, "The file")
        with _one_transaction():
            drop_tables()
            make_tables(manifest.migrations)
            report(f"Putting {manifest.rows} rows into {len(manifest.tables)} tables")
            _load_all(archive, manifest)
            _bring_up_to_date(report)
            _reset_sequences()
            report("Holding every row against the records")
            checks.check_rows(report, accept=accept)
    return manifest


@contextlib.contextmanager
def _one_transaction() -> Iterator[None]:
    """Run in one transaction that checks foreign keys at its end, on either database.

    So tables can be filled in any order.
    """
    connection.ensure_connection()
    # SQLite cannot switch the check off inside a transaction, and Django's schema editor requires it off there.
    with connection.constraint_checks_disabled(), transaction.atomic(durable=True):
        yield


def _load_all(archive: ZipFile, manifest: Manifest) -> None:
    apps = apps_after(manifest.migrations)
    models = {model._meta.db_table: model for model in saved_models(apps)}
    missing = sorted(set(models) - {table.table for table in manifest.tables})
    if missing:
        raise BackupProblem(f"The file has no table {missing[0]}. Nothing was changed.")
    for model in models.values():
        model._base_manager.all()._raw_delete(DEFAULT_DB_ALIAS)  # the file also has the rows of migrations
    _check_keys_at_the_end()
    for table in manifest.tables:
        _load(archive, table, models[table.table])
    for model in set(models_of(apps)) - set(models.values()):
        model._base_manager.all()._raw_delete(DEFAULT_DB_ALIAS)
    try:
        connection.check_constraints()
    except IntegrityError as problem:
        raise BackupProblem(f"The file names rows that it does not hold: {_first_line(problem)}") from problem
    checks.check_counts({models[table.table]: table.rows for table in manifest.tables})


def _check_keys_at_the_end() -> None:
    """Defer the check of foreign keys to the end.

    Migrations leave PostgreSQL checking each row at once.
    """
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SET CONSTRAINTS ALL DEFERRED")


def _load(archive: ZipFile, table: SavedTable, model: type[Model]) -> None:
    """Insert rows unchanged: no signal, no default, no time of today."""
    by_column = {field.column: field for field in columns(model)}
    fields = [by_column[column] for column in table.columns]
    decoders = [(field.attname, codec(field)[1]) for field in fields]
    with archive.open(table.member) as member:
        lines = enumerate(io.TextIOWrapper(member, "utf-8", newline="\n"), start=1)
        size = min(ROWS_AT_ONCE, connection.ops.bulk_batch_size(fields, [None] * ROWS_AT_ONCE))
        while batch := list(itertools.islice(lines, size)):
            try:
                rows = [_row(model, decoders, json.loads(line)) for _, line in batch]
                model._base_manager._insert(rows, fields=fields, using=DEFAULT_DB_ALIAS, raw=True)
            except (DatabaseError, ValueError, TypeError, RecursionError) as problem:
                if isinstance(problem, OperationalError) and "full" in str(problem):
                    raise  # the disk is full: not a fault of the row
                raise BackupProblem(
                    f"Rows {batch[0][0]} to {batch[-1][0]} of {table.table} do not fit into this database: "
                    f"{_first_line(problem)} Nothing was changed."
                ) from problem


def _row(model: type[Model], decoders: Iterable[tuple[str, Callable]], values: list[object]) -> Model:
    return model(
        **{
            name: None if value is None else decode(value)
            for (name, decode), value in zip(decoders, values, strict=True)
        }
    )


def _bring_up_to_date(report: Report) -> None:
    if migrate_to_today():
        report("Bringing the tables up to date")
        _reset_sequences()  # types and permissions of new models are rows, too
        emit_post_migrate_signal(0, False, DEFAULT_DB_ALIAS)


def _reset_sequences() -> None:
    """Number the next row of each table after the highest restored one."""
    with connection.cursor() as cursor:
        for statement in connection.ops.sequence_reset_sql(no_style(), models_of(todays_apps)):
            cursor.execute(statement)


def _first_line(problem: Exception) -> str:
    return str(problem).strip().splitlines()[0].rstrip(".") + "."
