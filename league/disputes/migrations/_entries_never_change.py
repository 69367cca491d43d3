"""Triggers of both databases: refuse changes and removals of entries and ruling texts (as matches/0002 does).

SQLite drops the triggers of a table that a later migration remakes: such a migration restores them.
"""

ENTRY = "an entry of a dispute is never changed or removed"
RULING = "a ruling text is never changed or removed"
TABLES = (("disputeentry", ENTRY), ("sealedruling", RULING))
SAME = {
    "disputeentry": "id = NEW.id OR (dispute_id = NEW.dispute_id AND number = NEW.number)",
    "sealedruling": "id = NEW.id OR entry_id = NEW.entry_id",
}


def on_postgresql():
    for table, refusal in TABLES:
        yield (
            f"CREATE FUNCTION disputes_refuse_{table}_change() RETURNS trigger LANGUAGE plpgsql AS $$\n"
            f"BEGIN\n    RAISE EXCEPTION '{refusal}' USING ERRCODE = 'restrict_violation';\nEND;\n$$;"
        )
        yield (
            f"CREATE TRIGGER disputes_{table}_is_final BEFORE UPDATE OR DELETE ON disputes_{table} FOR EACH ROW "
            f"EXECUTE FUNCTION disputes_refuse_{table}_change();"
        )


def on_sqlite():
    for table, refusal in TABLES:
        same = f"EXISTS (SELECT 1 FROM disputes_{table} WHERE {SAME[table]})"  # noqa: S608
        for name, event in (
            ("is_final", f"UPDATE ON disputes_{table}"),
            ("is_kept", f"DELETE ON disputes_{table}"),
            ("is_once", f"INSERT ON disputes_{table} WHEN {same}"),
        ):
            yield f"CREATE TRIGGER disputes_{table}_{name} BEFORE {event} BEGIN SELECT RAISE(ABORT, '{refusal}'); END;"


def guard(apps, schema_editor):
    for statement in on_postgresql() if schema_editor.connection.vendor == "postgresql" else on_sqlite():
        schema_editor.execute(statement)


def unguard(apps, schema_editor):
    for table, _refusal in TABLES:
        if schema_editor.connection.vendor == "postgresql":
            schema_editor.execute(f"DROP TRIGGER disputes_{table}_is_final ON disputes_{table};")
            schema_editor.execute(f"DROP FUNCTION disputes_refuse_{table}_change();")
        else:
            for name in ("is_final", "is_kept", "is_once"):
                schema_editor.execute(f"DROP TRIGGER disputes_{table}_{name};")
