"""The first chain of migrations, frozen: 81 steps, which databases and backups of the first editions name.

Only `restore` and `backup` read it. It leads to the tables of `SAME_TABLES`, so the map from old tables to new ones is
short: each table keeps its name and its columns, and two constraints of PostgreSQL have other names.
"""

import pkgutil
from collections.abc import Iterable
from functools import cache

from django.db import connection
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder

from league.backups import BackupProblem

Migration = tuple[str, str]  # app, name

# Today's migrations that make the tables in which the chain ends.
SAME_TABLES = {
    ("accounts", "0001_tables"),
    ("api", "0001_tables"),
    ("competitions", "0001_tables"),
    ("matches", "0001_tables"),
    ("matches", "0002_rows_never_change"),
    ("players", "0001_tables"),
    ("players", "0002_names_by_three_letters"),
}
APPS = {app for app, _ in SAME_TABLES}
# They had no tables then.
LATER_APPS = {"disputes", "live", "play"}
# PostgreSQL: table, name in the chain, name today.
RENAMED = (
    ("matches_match", "matches_match_door_df3cf392_uniq", "matches_match_door_key"),
    ("players_entrant", "players_entrant_door_245cd6be_uniq", "players_entrant_door_key"),
)


class FirstChain(MigrationLoader):
    """The migrations of the chain, and today's of other packages. `applied`: those of a database or file."""

    def __init__(self, of: BaseDatabaseWrapper | None, applied: Iterable[Migration] = ()) -> None:
        self.applied = set(applied)
        super().__init__(of)

    @classmethod
    def migrations_module(cls, app_label: str) -> tuple[str | None, bool]:
        if app_label in APPS:
            return f"{__name__}.{app_label}", True
        return super().migrations_module(app_label)

    def load_disk(self) -> None:
        super().load_disk()
        later = [key for key in self.disk_migrations if key[0] in LATER_APPS]
        for key in later:
            del self.disk_migrations[key]


@cache
def names() -> frozenset[Migration]:
    return frozenset(
        (app.name, step.name)
        for app in pkgutil.iter_modules(__path__)
        for step in pkgutil.iter_modules([f"{place}/{app.name}" for place in __path__])
    )


def holds(migrations: Iterable[Migration]) -> bool:
    """Whether a database or file with these migrations comes from the first chain."""
    return not names().isdisjoint(migrations)


def refuse(migrations: Iterable[Migration]) -> None:
    """Raise BackupProblem for a database of the first chain: it cannot be migrated in its place."""
    if holds(migrations):
        raise BackupProblem(
            "The database is of an early edition of this program. Save it: python3 manage.py backup old.zip. Then put "
            "it into the tables of today: python3 manage.py restore old.zip --replace. (For a site in another folder "
            "add --data FOLDER to both.) Nothing was changed."
        )


def leave() -> None:
    """Migrate the connected database to the end of the chain, and record today's names of the same tables."""
    executor = MigrationExecutor(connection)
    executor.loader = FirstChain(connection)
    executor.migrate([leaf for leaf in executor.loader.graph.leaf_nodes() if leaf[0] in APPS])
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            for table, old, new in RENAMED:
                cursor.execute(f"ALTER TABLE {table} RENAME CONSTRAINT {old} TO {new}")
    recorder = MigrationRecorder(connection)
    recorder.migration_qs.filter(app__in=APPS).delete()
    for app, name in sorted(SAME_TABLES):
        recorder.record_applied(app, name)
