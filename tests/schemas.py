"""The schema of the connected database, as tests compare it."""

from collections.abc import Iterator

from django.db import connection

Schema = list[tuple[object, ...]]

POSTGRESQL_SCHEMA = """
    SELECT 'column', table_name, column_name, data_type, is_nullable, column_default, identity_generation,
           character_maximum_length::text, collation_name
      FROM information_schema.columns WHERE table_schema = current_schema()
    UNION ALL SELECT 'constraint', conrelid::regclass::text, conname, pg_get_constraintdef(oid), '', '', '', '', ''
      FROM pg_constraint WHERE connamespace = current_schema()::regnamespace
    UNION ALL SELECT 'index', tablename, indexname, indexdef, '', '', '', '', ''
      FROM pg_indexes WHERE schemaname = current_schema()
    UNION ALL SELECT 'trigger', tgrelid::regclass::text, tgname, pg_get_triggerdef(oid), '', '', '', '', ''
      FROM pg_trigger WHERE NOT tgisinternal
    UNION ALL SELECT 'function', proname, '', prosrc, '', '', '', '', ''
      FROM pg_proc WHERE pronamespace = current_schema()::regnamespace AND prolang <> 13
"""


def schema() -> Schema:
    """Tables, columns, constraints, indexes, triggers and functions of the connected database."""
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute(POSTGRESQL_SCHEMA)
        else:
            cursor.execute("SELECT type, tbl_name, name, sql FROM sqlite_master WHERE name NOT LIKE 'sqlite_%'")
            return sorted((row for found in cursor.fetchall() for row in _in_parts(*found)), key=repr)
        return sorted(cursor.fetchall(), key=repr)


def _in_parts(kind: str, table: str, name: str, sql: str) -> Iterator[tuple[str, ...]]:
    """Give a row for each column and constraint of SQLite's tables, which need not stand in the same order."""
    sql = " ".join(sql.replace('"', "").split())
    if kind != "table":
        yield kind, table, name, sql
        return
    depth, part = 0, ""
    for sign in sql[sql.index("(") + 1 : sql.rindex(")")] + ",":
        depth += (sign == "(") - (sign == ")")
        if sign == "," and not depth:
            yield kind, table, part.strip()
            part = ""
        else:
            part += sign


def triggers(found: Schema) -> list[tuple[object, ...]]:
    return [row for row in found if row[0] == "trigger"]
