"""The database that tests are copied from is what all migrations make, and each test gets it untouched."""

from collections.abc import Iterator

import pytest
from django.conf import settings
from django.core.management import call_command
from django.db import connection

from tests import template_database
from tests.league.world import make_world
from tests.schemas import Schema, schema, triggers


@pytest.fixture
def empty(transactional_db, tmp_path) -> Iterator[None]:
    """An empty database of this test's own in the place of the usual one."""
    if connection.vendor == "postgresql":
        name = f"{connection.settings_dict['NAME']}_empty"
        with connection._nodb_cursor() as cursor:
            cursor.execute(f"CREATE DATABASE {connection.ops.quote_name(name)}")
        with template_database.connected_to(name):
            yield
        with connection._nodb_cursor() as cursor:
            cursor.execute(f"DROP DATABASE {connection.ops.quote_name(name)} WITH (FORCE)")
    else:
        with template_database.connected_to(str(tmp_path / "empty.sqlite3")):
            yield


@pytest.fixture
def of_the_template(transactional_db) -> Schema:
    return schema()


@pytest.mark.both
@pytest.mark.slow("makes every migration")
def test_all_migrations_from_nothing_make_the_schema_of_the_template(of_the_template, empty) -> None:
    assert triggers(of_the_template)
    call_command("migrate", verbosity=0, interactive=False)
    assert schema() == of_the_template


@pytest.mark.both
def test_the_replayed_statements_make_the_schema_of_the_template(of_the_template, empty) -> None:
    template_database.replay_schema()
    assert schema() == of_the_template


@pytest.mark.both
def test_a_replay_without_its_last_trigger_would_be_seen(of_the_template, empty, monkeypatch) -> None:
    """The control."""
    statements = template_database.schema_statements()
    last = max(place for place, one in enumerate(statements) if "CREATE TRIGGER" in one)
    monkeypatch.setattr(template_database, "schema_statements", lambda: statements[:last] + statements[last + 1 :])
    template_database.replay_schema()
    assert 0 < len(triggers(schema())) < len(triggers(of_the_template))


@pytest.mark.both
def test_what_a_test_committed_is_gone_after_it(transactional_db) -> None:
    from django.contrib.auth.models import Permission

    from tests.league.backups.rows import every_row

    before = every_row()
    make_world()
    Permission.objects.first().delete()
    assert every_row() != before
    template_database.reset()
    assert every_row() == before


def test_the_template_is_named_after_all_that_decides_the_schema(tmp_path) -> None:
    names = {str(path.relative_to(settings.BASE_DIR)) for path in template_database.schema_sources()}
    assert names >= {
        "league/matches/migrations/0001_tables.py",
        "league/matches/models/__init__.py",
        "league/matches/models/tally.py",  # a model outside of models.py
        "league/accounts/lettered.py",  # a field that migrations import
    }
    source, other = tmp_path / "a.py", tmp_path / "b.py"
    source.write_text("one")
    other.write_text("two")
    first = template_database.digest([source, other], ["django==5.2"])
    assert template_database.digest([source, other], ["django==5.2"]) == first
    assert template_database.digest([source, other], ["django==5.3"]) != first
    assert template_database.digest([source], ["django==5.2"]) != first
    other.write_text("three")
    assert template_database.digest([source, other], ["django==5.2"]) != first
