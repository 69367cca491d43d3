"""Databases and backups of the first chain of migrations: restored into the tables of today, refused at the start.

`first_chain.zip` was made by the last edition that had the chain, of the site of `conftest.site`.
"""

from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from django.db import connection, transaction
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder

from league.accounts.models import League
from league.backups import archive, first_chain, restoring, schema, writing
from league.management.commands.demo import Command as Demo
from league.management.commands.serve import Command as Serve
from tests import schemas
from tests.league.backups.rows import Rows, every_row

pytestmark = pytest.mark.django_db(transaction=True)

FILE = Path(__file__).with_name("first_chain.zip")
EARLY = "The database is of an early edition of this program. Save it: .*Nothing was changed."
BY_MIGRATE = {"django_migrations", "django_content_type", "auth_permission"}


def old_database() -> None:
    """Put the rows of the file into the tables of the chain, as a site of that edition had them."""
    with archive.opened(FILE) as (file, manifest), connection.constraint_checks_disabled(), transaction.atomic():
        schema.drop_tables()
        schema.make_tables(manifest.migrations)
        restoring._load_all(file, manifest)


def record_only(app: str, name: str) -> None:
    recorder = MigrationRecorder(connection)
    recorder.migration_qs.filter(app__in=first_chain.APPS | first_chain.LATER_APPS).delete()
    recorder.record_applied(app, name)


# Columns that came after the chain.
LATER = (
    *("set_aside_at", "forfeit_points", "direct_by", "late_changes", "leaving", "bonus", "own_best_of", "clubs_apart"),
    *("cancelled_at", "cancelled_by_id", "cancel_reason"),
    *("dispatches", "rest_minutes", "called_at", "here_at", "on_hold", "out_of_order"),
    *("questioned_by_id", "requested_bye", "bye_rounds", "most_byes", "ruled", "live_delay_s", "line"),
    *("paid_head", "returned_head"),
)


def rows_of_people() -> Rows:
    return {table: rows for table, rows in every_row(LATER).items() if table not in BY_MIGRATE}


@pytest.mark.both
@pytest.mark.slow("runs the first chain of migrations twice")
def test_an_old_database_is_refused_saved_and_restored_into_the_tables_of_today(tmp_path) -> None:
    today = schemas.schema()
    old_database()
    before = rows_of_people()
    assert [table for table, rows in before.items() if not rows] == []
    with pytest.raises(CommandError, match=EARLY):
        call_command("migrate", verbosity=0)
    call_command("backup", str(tmp_path / "old.zip"))
    call_command("restore", str(tmp_path / "old.zip"), replace=True)
    after = rows_of_people()
    assert {table: after[table] for table in before} == before
    assert schemas.schema() == today
    assert set(schema.applied()) == set(MigrationLoader(None).disk_migrations)
    call_command("migrate", verbosity=0)
    assert writing.save(tmp_path / "new.zip").rows == sum(map(len, every_row().values()))


@pytest.mark.sqlite
@pytest.mark.slow("runs the first chain of migrations")
def test_a_backup_of_an_early_step_of_the_chain_is_restored(tmp_path) -> None:
    today = schemas.schema()
    with connection.constraint_checks_disabled(), transaction.atomic():
        schema.drop_tables()
        executor = MigrationExecutor(connection)
        executor.loader = first_chain.FirstChain(connection)
        executor.migrate([("matches", "0003_order_of_logs_and_decisions")])
    league = schema.apps_after(schema.applied()).get_model("accounts", "League")
    league.objects.create(name="Peñíscola", slug="harbour", time_zone="Europe/Madrid")
    writing.save(tmp_path / "early.zip")
    call_command("restore", str(tmp_path / "early.zip"), replace=True)
    assert schemas.schema() == today
    assert League.objects.values_list("name", "folded").get() == ("Peñíscola", "peniscola")


@pytest.mark.parametrize(
    "start",
    [
        lambda: call_command("migrate", verbosity=0),
        lambda: call_command("verify"),
        lambda: Serve().save_before_migrating(),
    ],
    ids=["migrate", "verify", "serve"],
)
def test_a_start_on_an_old_database_says_what_to_do(start) -> None:
    record_only("matches", "0030_heads_of_judges")
    before = every_row()
    with pytest.raises(CommandError, match=EARLY):
        start()
    assert every_row() == before


def test_an_old_demonstration_is_played_anew(settings, tmp_path) -> None:
    record_only("accounts", "0001_initial")
    settings.DATA_DIR = tmp_path
    command = Demo()
    command.started = 0
    with pytest.raises(CommandError, match=r"early edition .* add --fresh"):
        command.prepare(fresh=False)


def test_the_control_a_database_of_today_is_not_refused() -> None:
    first_chain.refuse(schema.applied())
    assert first_chain.holds([("matches", "0030_heads_of_judges")])
    assert not first_chain.holds(first_chain.SAME_TABLES)


def test_the_chain_is_frozen() -> None:
    """A site may stand at any of its steps."""
    assert len(first_chain.names()) == 81
    assert set(MigrationLoader(None).disk_migrations) >= first_chain.SAME_TABLES
