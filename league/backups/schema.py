"""Tables of a site by its applied migrations."""

from collections.abc import Iterable

from django.apps import apps as todays_apps
from django.apps.registry import Apps
from django.db import connection
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder
from django.db.models import Model

from league.backups import BackupProblem, first_chain
from league.backups.first_chain import Migration

# Written by `migrate` itself, never by a person.
FILLED_BY_MIGRATE = {"contenttypes.ContentType", "auth.Permission", "sites.Site"}
# A page view may create these.
PASSING = {"sessions.Session"}
# Of the last hour, for open pages only; every insert of a restore writes some.
NEVER_SAVED = {"live.LiveChange"}


def applied() -> list[Migration]:
    return sorted(MigrationRecorder(connection).applied_migrations())


def behind() -> list[Migration]:
    """Return the migrations that the code has and the database has not."""
    loader = MigrationLoader(connection)
    return [key for key in loader.graph.nodes if key not in loader.applied_migrations]


def unknown(migrations: Iterable[Migration]) -> list[Migration]:
    """Return the migrations that this edition of the program does not have."""
    return sorted(set(migrations) - set(_loader(migrations).disk_migrations))


class ChainOf(MigrationLoader):
    """The migrations of a database with `applied`: the squashed ones if all that they replace were applied, else these.

    Django decides it app by app, so a squashed migration would name tables of another app that are not made yet.
    """

    def __init__(self, of: BaseDatabaseWrapper | None, applied: Iterable[Migration]) -> None:
        self.applied = set(applied)
        super().__init__(of, replace_migrations=False)

    def build_graph(self) -> None:
        super().build_graph()
        replaced = {key: migration.replaces for key, migration in self.replacements.items()}
        if all(self.applied.issuperset(names) for names in replaced.values()):
            for key, names in replaced.items():
                self.graph.remove_replaced_nodes(key, names)
                self.applied = {*self.applied.difference(names), key}
        else:
            for key, names in replaced.items():
                self.graph.remove_replacement_node(key, names)
            self.applied -= replaced.keys()


def _loader(migrations: Iterable[Migration], of: BaseDatabaseWrapper | None = None) -> ChainOf | first_chain.FirstChain:
    return first_chain.FirstChain(of, migrations) if first_chain.holds(migrations) else ChainOf(of, migrations)


def apps_after(migrations: Iterable[Migration]) -> Apps:
    """Return the models as of these migrations only."""
    loader = _loader(migrations)
    return loader.project_state(sorted(loader.applied)).apps


def models_of(apps: Apps) -> list[type[Model]]:
    """Return every model with a table, by name; the record of migrations first."""
    found = [
        model
        for model in apps.get_models(include_auto_created=True)
        if model._meta.managed and not model._meta.proxy and not model._meta.swapped
    ]
    return [MigrationRecorder.Migration, *sorted(found, key=lambda model: model._meta.label)]


def saved_models(apps: Apps) -> list[type[Model]]:
    """Return every model whose rows a backup holds."""
    return [model for model in models_of(apps) if model._meta.label not in NEVER_SAVED]


def filled_tables() -> list[str]:
    """Return names of models with rows made by people. Empty: nothing would be lost."""
    done = applied()
    if not done:
        return []
    spare = {*FILLED_BY_MIGRATE, *PASSING, *NEVER_SAVED, MigrationRecorder.Migration._meta.label}
    return [
        model._meta.label
        for model in models_of(apps_after(done))
        if model._meta.label not in spare and model._base_manager.exists()
    ]


def check_known(migrations: Iterable[Migration], what: str) -> None:
    if names := unknown(migrations):
        told = ", ".join(f"{app} {name}" for app, name in names[:3])
        raise BackupProblem(
            f"{what} was made by a newer edition of this program (it knows {told}, this one does not). "
            f"Update the program first; nothing was changed."
        )


def drop_tables() -> None:
    """Remove every table of the site, and the functions of its triggers.

    The rows of sealed logs are dropped with their table, as its owner may; no trigger is ever switched off.

    Raises BackupProblem if tables of these names belong to another program.
    """
    done, present = applied(), set(connection.introspection.table_names())
    known = {model._meta.db_table for model in (*models_of(todays_apps), *models_of(apps_after(done)))}
    tables = sorted(present & known)
    if not tables:
        return
    if not done:
        raise BackupProblem(
            f"The database holds tables of another program ({', '.join(tables[:3])}). Take an empty database."
        )
    quoted = [connection.ops.quote_name(table) for table in tables]
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            functions = _functions_of_triggers(cursor, tables)
            cursor.execute(f"DROP TABLE {', '.join(quoted)}")
            for function in functions:
                cursor.execute(f"DROP FUNCTION {function}")
        else:
            for table in quoted:
                cursor.execute(f"DROP TABLE {table}")


def _functions_of_triggers(cursor: object, tables: list[str]) -> list[str]:
    cursor.execute(
        "SELECT DISTINCT tgfoid::regprocedure::text FROM pg_trigger JOIN pg_class ON pg_class.oid = tgrelid"
        " WHERE NOT tgisinternal AND relnamespace = current_schema()::regnamespace AND relname = ANY(%s)",
        [tables],
    )
    return [name for (name,) in cursor.fetchall()]


def make_tables(migrations: Iterable[Migration]) -> None:
    """Create the tables as of these migrations, with only the rows of the migrations."""
    executor = MigrationExecutor(connection)
    executor.loader = _loader(migrations, connection)
    asked = executor.loader.applied
    children = executor.loader.graph.node_map
    last = [key for key in asked if not asked & {child.key for child in children[key].children}]
    executor.migrate(sorted(last))


def migrate_to_today() -> bool:
    """Migrate to today's code, and return whether anything was to do."""
    if is_old := first_chain.holds(applied()):
        first_chain.leave()
    executor = MigrationExecutor(connection)
    targets = executor.loader.graph.leaf_nodes()
    plan = executor.migration_plan(targets)
    _check_references("IMMEDIATE")
    executor.migrate(targets, plan)  # records squashed migrations, also without anything to do
    _check_references("DEFERRED")
    return bool(plan) or is_old


def _check_references(when: str) -> None:
    """Check foreign keys of the transaction IMMEDIATE, or DEFERRED to its end.

    PostgreSQL alters no table while a check of its rows is pending, and a migration may change rows before the next one
    alters their table.
    """
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute(f"SET CONSTRAINTS ALL {when}")
