"""Triggers of both databases: refuse changes to official results, and removals.

No result, record, sheet, log or tap is removed. A result that is or was official may change in its state only: `state`,
`current`, `contested`, `needs_decision`, `decided`, `reason`, `confirmed_by`, `confirmed_at`, `confirmed_how`,
`one_device`, `seal`. SQLite drops the triggers of a table that a later migration remakes (a column that is no longer
null, a new constraint): such a migration restores them.
"""

from django.db import migrations

FIXED = ("id", "game_id", "record_id", "scores", "winner", "ended", "known_by", "entered_at")
REFUSAL = "what an official result says is never changed, and no result is removed"
REMOVAL = "what was handed in is never removed"
KEPT = ("matches_record", "matches_sealedlog", "matches_scoresheet", "matches_tallytap")
# REPLACE would remove the old row without a DELETE.
ONCE = {
    "matches_result": "id = NEW.id OR record_id = NEW.record_id",
    "matches_record": "id = NEW.id",
    "matches_tallytap": "id = NEW.id OR (game_id = NEW.game_id AND (number = NEW.number OR touch = NEW.touch))",
}

POSTGRESQL = [
    f"""
CREATE FUNCTION matches_refuse_result_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION '{REFUSAL}' USING ERRCODE = 'restrict_violation';
END;
$$;
""",
    f"""
CREATE TRIGGER matches_result_is_final BEFORE UPDATE ON matches_result FOR EACH ROW
    WHEN (OLD.state IN ('official', 'amended')
          AND ({" OR ".join(f"OLD.{name} IS DISTINCT FROM NEW.{name}" for name in FIXED)}))
    EXECUTE FUNCTION matches_refuse_result_change();
""",
    """
CREATE TRIGGER matches_result_is_kept BEFORE DELETE ON matches_result
    FOR EACH ROW EXECUTE FUNCTION matches_refuse_result_change();
""",
    f"""
CREATE FUNCTION matches_refuse_record_removal() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION '{REMOVAL}' USING ERRCODE = 'restrict_violation';
END;
$$;
""",
    """
CREATE TRIGGER matches_record_is_kept BEFORE DELETE ON matches_record
    FOR EACH ROW EXECUTE FUNCTION matches_refuse_record_removal();
""",
]
POSTGRESQL_UNDO = [
    "DROP TRIGGER matches_result_is_final ON matches_result;",
    "DROP TRIGGER matches_result_is_kept ON matches_result;",
    "DROP TRIGGER matches_record_is_kept ON matches_record;",
    "DROP FUNCTION matches_refuse_result_change();",
    "DROP FUNCTION matches_refuse_record_removal();",
]


def _differs(name):
    """Compare JSON columns as JSON, because their spaces may differ."""
    return f"json(OLD.{name}) IS NOT json(NEW.{name})" if name == "scores" else f"OLD.{name} IS NOT NEW.{name}"


def _refusing(name, event, text):
    return f"CREATE TRIGGER {name} {event} BEGIN SELECT RAISE(ABORT, '{text}'); END;"


SQLITE = [
    _refusing(
        "matches_result_is_final",
        "BEFORE UPDATE ON matches_result WHEN OLD.state IN ('official', 'amended') AND "
        f"({' OR '.join(map(_differs, FIXED))})",
        REFUSAL,
    ),
    _refusing("matches_result_is_kept", "BEFORE DELETE ON matches_result", REFUSAL),
    *(_refusing(f"{table}_is_kept", f"BEFORE DELETE ON {table}", REMOVAL) for table in KEPT),
    *(
        _refusing(
            f"{table}_is_once",
            f"BEFORE INSERT ON {table} WHEN EXISTS (SELECT 1 FROM {table} WHERE {same})",  # noqa: S608
            REFUSAL if table == "matches_result" else REMOVAL,
        )
        for table, same in ONCE.items()
    ),
]
SQLITE_UNDO = [
    "DROP TRIGGER matches_result_is_final;",
    "DROP TRIGGER matches_result_is_kept;",
    *(f"DROP TRIGGER {table}_is_kept;" for table in KEPT),
    *(f"DROP TRIGGER {table}_is_once;" for table in ONCE),
]


def guard(apps, schema_editor):
    for statement in {"postgresql": POSTGRESQL, "sqlite": SQLITE}[schema_editor.connection.vendor]:
        schema_editor.execute(statement)


def unguard(apps, schema_editor):
    for statement in {"postgresql": POSTGRESQL_UNDO, "sqlite": SQLITE_UNDO}[schema_editor.connection.vendor]:
        schema_editor.execute(statement)


class Migration(migrations.Migration):
    dependencies = [("matches", "0023_chain_of_records")]

    operations = [migrations.RunPython(guard, unguard)]
