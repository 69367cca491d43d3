"""One migrated database, kept between runs: the database of every test is a copy of it.

Migrations from nothing take seconds of processor time, a copy takes milliseconds. The template is built under a lock,
once for each state of migrations, models and packages, with the statements that made its schema
(`schema_statements`), which tests of restores replay.
"""

import hashlib
import importlib.metadata
import importlib.util
import json
import re
import sqlite3
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from functools import cache
from pathlib import Path
from typing import ClassVar

from django.apps import apps
from django.conf import settings
from django.core.management import call_command
from django.db import DatabaseError, connection, transaction

from league import file_locks

FOLDER = settings.BASE_DIR / "var" / "test-template"
MIGRATION_FILES = "league/*/migrations/*.py"
OUR_MODULE = re.compile(r"\bleague(?:\.\w+)+")
FILLED_BY_MIGRATE = {"auth_permission", "django_content_type", "django_migrations"}
LONGEST_LOCK = 30.0  # seconds
PATIENCE = 600.0  # seconds, for others that build
# What a replay leaves out: rows, and what a connection sets for itself.
SCHEMA_STATEMENT = re.compile(r"\s*(CREATE|ALTER|DROP|SET CONSTRAINTS)\b", re.IGNORECASE)


# --- Which template ---


@cache
def key() -> str:
    """Name the state of the schema: sources of migrations and models, versions of packages."""
    packages = sorted(f"{one.name}=={one.version}" for one in importlib.metadata.distributions())
    return digest(schema_sources(), [sys.version, sqlite3.sqlite_version, *packages])


def digest(sources: list[Path], packages: list[str]) -> str:
    """16 hexadecimal digits that change with every name, text or version given."""
    found = hashlib.sha256("\n".join(packages).encode())
    for path in sources:
        found.update(f"\n{path}\n".encode() + path.read_bytes())
    return found.hexdigest()[:16]


def schema_sources() -> list[Path]:
    """The files that decide what `migrate` makes: migrations, modules they name, modules with models."""
    migrations = sorted(settings.BASE_DIR.glob(MIGRATION_FILES))
    named = {name for path in migrations for name in OUR_MODULE.findall(path.read_text(encoding="utf-8"))}
    named |= {model.__module__ for model in apps.get_models() if model.__module__.startswith("league.")}
    return sorted({*migrations, *filter(None, map(source_of, named))})


def source_of(name: str) -> Path | None:
    """The file of a module, or of the module that holds the name."""
    while name:
        try:
            spec = importlib.util.find_spec(name)
        except ModuleNotFoundError:
            spec = None
        if spec and spec.origin:
            return Path(spec.origin)
        name = name.rpartition(".")[0]
    return None


# --- Building ---


@contextmanager
def lock() -> Iterator[None]:
    """Let one process at a time build, copy and remove templates."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    with file_locks.lock(FOLDER / "lock", patience=PATIENCE):
        yield


@contextmanager
def connected_to(name: str) -> Iterator[None]:
    """Point the default connection to another database of the same server or folder."""
    before = connection.settings_dict["NAME"]
    close()
    connection.settings_dict["NAME"] = name
    try:
        yield
    finally:
        close()
        connection.settings_dict["NAME"] = before


def close() -> None:
    connection.close()
    if connection.vendor == "postgresql":
        connection.close_pool()


def migrate_and_record() -> list[str]:
    """Run every migration on the connected database; the statements that changed the schema."""
    statements: list[str] = []

    def record(execute: Callable, sql: object, params: object, many: bool, context: object) -> object:
        if SCHEMA_STATEMENT.match(str(sql)):
            assert not params, f"a statement of the schema with parameters can't be replayed: {sql}"
            statements.append(str(sql))
        return execute(sql, params, many, context)

    with connection.execute_wrapper(record):
        call_command("migrate", verbosity=0, interactive=False)
    return statements


def statements_file() -> Path:
    return FOLDER / f"{key()}-{connection.vendor}.json"


def schema_statements() -> list[str]:
    """The statements of all migrations that made the schema, in their order."""
    ensure()
    return json.loads(statements_file().read_text("utf-8"))


def replay_schema() -> None:
    """Make today's empty tables on the connected database as all migrations make them, without running these."""
    with connection.cursor() as cursor:
        for statement in schema_statements():
            cursor.execute(statement)


def ensure() -> None:
    """Build the template of today's sources where it is missing, and remove those of other sources."""
    with lock():
        if not (statements_file().exists() and KINDS[connection.vendor].exists()):
            KINDS[connection.vendor].build()


def keep_statements(statements: list[str]) -> None:
    """Written last: a template without them was not finished."""
    draft = statements_file().with_suffix(".draft")
    draft.write_text(json.dumps(statements))
    draft.replace(statements_file())


class SqliteTemplate:
    """A file in journal mode DELETE without a log beside it."""

    @staticmethod
    def path() -> Path:
        return FOLDER / f"{key()}.sqlite3"

    @classmethod
    def exists(cls) -> bool:
        return cls.path().exists()

    @classmethod
    def build(cls) -> None:
        for old in [*FOLDER.glob("*.sqlite3*"), *FOLDER.glob("*-sqlite.json")]:
            old.unlink()
        draft = FOLDER / "draft.sqlite3"
        with connected_to(str(draft)):
            statements = migrate_and_record()
            with connection.cursor() as cursor:
                cursor.execute("VACUUM INTO %s", [str(cls.path())])
        for old in FOLDER.glob("draft.sqlite3*"):
            old.unlink()
        keep_statements(statements)

    @classmethod
    def copy(cls, name: str) -> None:
        remove_sqlite(name)
        copy_file(cls.path(), Path(name))

    @classmethod
    def reset(cls) -> None:
        """Overwrite the connected database: no DELETE, so no trigger of a sealed table has to look away."""
        connection.ensure_connection()
        with closing(sqlite3.connect(cls.path())) as template:
            template.backup(connection.connection, progress=impatient())


def impatient() -> Callable[[int, int, int], None]:
    """Give up where another connection keeps the database locked; `backup` alone would wait for ever."""
    end = time.monotonic() + LONGEST_LOCK

    def progress(_status: int, _remaining: int, _total: int) -> None:
        if time.monotonic() > end:
            raise TimeoutError("the test left a connection behind that keeps its database locked")

    return progress


def copy_file(source: Path, target: Path) -> None:
    with closing(sqlite3.connect(source)) as old, closing(sqlite3.connect(target)) as new:
        old.backup(new)


def remove_sqlite(name: str) -> None:
    """A database with its log: a log of an earlier file would be read into a new one."""
    for suffix in ("", "-wal", "-shm", "-journal"):
        Path(name + suffix).unlink(missing_ok=True)


class PostgresTemplate:
    """A database of the server, named after this checkout and its sources, with the checkout as its comment."""

    filled: ClassVar[list[tuple[object, ...]]] = []

    @staticmethod
    def prefix() -> str:
        return f"domino_template_{hashlib.sha256(str(settings.BASE_DIR).encode()).hexdigest()[:8]}_"

    @classmethod
    def name(cls) -> str:
        return cls.prefix() + key()

    @classmethod
    def exists(cls) -> bool:
        return any(name == cls.name() for name, _ in cls.all())

    @classmethod
    def all(cls) -> list[tuple[str, str]]:
        """Names of the templates on this server, of other checkouts too, each with the path of its checkout."""
        with connection._nodb_cursor() as cursor:
            cursor.execute(
                "SELECT datname, coalesce(shobj_description(oid, 'pg_database'), '') FROM pg_database"
                " WHERE datname LIKE 'domino\\_template\\_%'"
            )
            return cursor.fetchall()

    @classmethod
    def build(cls) -> None:
        for old in FOLDER.glob("*-postgresql.json"):
            old.unlink()
        name = connection.ops.quote_name(cls.name())
        with connection._nodb_cursor() as cursor:
            for other, checkout in cls.all():
                if other.startswith(cls.prefix()) or not Path(checkout).exists():
                    cursor.execute(f"DROP DATABASE {connection.ops.quote_name(other)} WITH (FORCE)")
            cursor.execute(f"CREATE DATABASE {name}")
            cursor.execute(f"COMMENT ON DATABASE {name} IS '{str(settings.BASE_DIR).replace(chr(39), chr(39) * 2)}'")
        with connected_to(cls.name()):
            statements = migrate_and_record()
        keep_statements(statements)

    @classmethod
    def copy(cls, name: str) -> None:
        with connection._nodb_cursor() as cursor:
            cursor.execute(f"DROP DATABASE IF EXISTS {connection.ops.quote_name(name)} WITH (FORCE)")
            cursor.execute(
                f"CREATE DATABASE {connection.ops.quote_name(name)} TEMPLATE {connection.ops.quote_name(cls.name())}"
            )
        with connected_to(name), connection.cursor() as cursor:
            cls.filled = cls._filled_by_migrate(cursor)

    @classmethod
    def reset(cls) -> None:
        """Delete the rows of tables that have some. TRUNCATE of all tables takes a second and more."""
        try:
            with transaction.atomic(), connection.cursor() as cursor:
                # Triggers guard rows of a site, and foreign keys hold again once every row is gone.
                cursor.execute("SET LOCAL session_replication_role = replica")
                for table in cls.tables_with_rows(cursor):
                    cursor.execute(f"DELETE FROM {connection.ops.quote_name(table)}")
                same = cls._filled_by_migrate(cursor) == cls.filled
        except DatabaseError:  # a test that removed tables, or a role that is no superuser
            same = False
        if not same:
            copy_to(connection.settings_dict["NAME"])

    @classmethod
    def tables_with_rows(cls, cursor: object) -> list[str]:
        tables = sorted(set(connection.introspection.table_names(cursor)) - FILLED_BY_MIGRATE)
        names = [(f"'{table}'", connection.ops.quote_name(table)) for table in tables]
        cursor.execute(" UNION ALL ".join(f"SELECT {text} WHERE EXISTS (SELECT 1 FROM {name})" for text, name in names))
        return [table for (table,) in cursor.fetchall()]

    @classmethod
    def _filled_by_migrate(cls, cursor: object) -> list[tuple[object, ...]]:
        """Number and range of the rows that every database starts with."""
        cursor.execute(
            " UNION ALL ".join(f"SELECT count(*), min(id), max(id) FROM {table}" for table in sorted(FILLED_BY_MIGRATE))
        )
        return cursor.fetchall()


KINDS = {"sqlite": SqliteTemplate, "postgresql": PostgresTemplate}


# --- Copies ---


def copy_to(name: str) -> None:
    """Make the database of that name (a path, on SQLite) a fresh copy of the template."""
    ensure()
    close()
    with lock():
        KINDS[connection.vendor].copy(name)


def put_into(folder: Path) -> Path:
    """Give a site that is started in this folder its migrated database. The folder is made."""
    ensure()
    folder.mkdir(parents=True, exist_ok=True)
    with lock():
        SqliteTemplate.copy(str(folder / "league.sqlite3"))
    return folder


def reset() -> None:
    """Bring the connected database back to the rows of the template, after a test that committed."""
    KINDS[connection.vendor].reset()
