"""Databases and backups that name the migrations which a squashed one replaces."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from django.core.management import call_command
from django.db import connection, transaction
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder

from league.accounts.models import League
from league.backups import schema, writing
from tests import schemas
from tests.league.backups.rows import every_row

pytestmark = pytest.mark.django_db(transaction=True)


def squashed() -> set[schema.Migration]:
    return {key for key, migration in MigrationLoader(None).disk_migrations.items() if migration.replaces}


@pytest.fixture
def before_squashing() -> Iterator[None]:
    """The names of a database that all replaced migrations made."""
    recorder = MigrationRecorder(connection)
    for app, name in squashed():
        recorder.record_unapplied(app, name)
    yield
    for app, name in squashed():
        recorder.record_applied(app, name)


def people(rows: dict) -> dict:
    return {table: found for table, found in rows.items() if table != "django_migrations"}


def test_a_database_of_the_replaced_migrations_starts_with_nothing_to_do(before_squashing) -> None:
    tables, rows = schemas.schema(), people(every_row())
    assert schema.behind() == []
    call_command("migrate", verbosity=0)
    assert (schemas.schema(), people(every_row())) == (tables, rows)
    assert squashed() <= set(schema.applied())


@pytest.mark.both
def test_its_backup_is_restored(before_squashing, tmp_path: Path) -> None:
    League.objects.create(name="Peñíscola", slug="harbour", time_zone="Europe/Madrid")
    tables, rows = schemas.schema(), people(every_row())
    assert not squashed() & set(writing.save(tmp_path / "old.zip").migrations)
    call_command("restore", str(tmp_path / "old.zip"), replace=True)
    assert (schemas.schema(), people(every_row())) == (tables, rows)
    assert squashed() <= set(schema.applied())


@pytest.mark.sqlite
@pytest.mark.slow("runs the replaced migrations")
def test_a_backup_of_an_early_step_is_restored_into_the_same_tables(tmp_path: Path) -> None:
    today = schemas.schema()
    with connection.constraint_checks_disabled(), transaction.atomic():
        schema.drop_tables()
        executor = MigrationExecutor(connection)
        executor.loader = schema.ChainOf(connection, ())
        executor.migrate([("competitions", "0010_leaving"), ("disputes", "0001_tables"), ("account", "0001_initial")])
    league = schema.apps_after(schema.applied()).get_model("accounts", "League")
    league.objects.create(name="Peñíscola", slug="harbour", time_zone="Europe/Madrid")
    writing.save(tmp_path / "early.zip")
    call_command("restore", str(tmp_path / "early.zip"), replace=True)
    assert schemas.schema() == today
    assert set(schema.applied()) == set(MigrationLoader(None).disk_migrations)
    assert League.objects.get().slug == "harbour"


def test_the_control_without_its_last_step_an_app_has_the_tables_before() -> None:
    last = ("competitions", "0014_delay_of_running_scores")
    earlier = {key for key in MigrationLoader(None).disk_migrations if key[0] != last[0] or key <= last}
    names = {key for key in earlier if key[0] != "live"} - squashed()

    def columns(migrations: set[schema.Migration]) -> set[str]:
        competition = schema.apps_after(migrations).get_model("competitions", "Competition")
        return {field.name for field in competition._meta.fields}

    assert columns(names) - columns(names - {last}) == {"live_delay_s"}
    assert columns(names) == columns(names | squashed())
