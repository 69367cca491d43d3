"""An index of PostgreSQL for any three letters of a name. Where the database may not have the extension
the same questions are answered without it, only more slowly.
"""

from django.db import DatabaseError, transaction

INDEX = "CREATE INDEX players_by_three_letters ON players_player USING gin (folded gin_trgm_ops)"


def index_names(apps, schema_editor) -> None:
    if schema_editor.connection.vendor != "postgresql":
        return
    try:
        with transaction.atomic(using=schema_editor.connection.alias):
            schema_editor.execute("CREATE EXTENSION IF NOT EXISTS pg_trgm")
    except DatabaseError:
        return
    schema_editor.execute(INDEX)


def forget_index(apps, schema_editor) -> None:
    if schema_editor.connection.vendor == "postgresql":
        schema_editor.execute("DROP INDEX IF EXISTS players_by_three_letters")
