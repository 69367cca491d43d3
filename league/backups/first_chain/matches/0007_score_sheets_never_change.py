"""Both databases refuse to change what was entered, or to put another in its place (0002 says what SQLite lets pass)."""

from django.db import migrations

POSTGRESQL = """
CREATE FUNCTION matches_refuse_scoresheet_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'what was entered is never changed or removed' USING ERRCODE = 'restrict_violation';
END;
$$;
CREATE TRIGGER matches_scoresheet_is_final BEFORE UPDATE OR DELETE ON matches_scoresheet
    FOR EACH ROW EXECUTE FUNCTION matches_refuse_scoresheet_change();
"""
POSTGRESQL_UNDO = """
DROP TRIGGER matches_scoresheet_is_final ON matches_scoresheet;
DROP FUNCTION matches_refuse_scoresheet_change();
"""
SQLITE = """
CREATE TRIGGER matches_scoresheet_is_final BEFORE UPDATE ON matches_scoresheet
BEGIN
    SELECT RAISE(ABORT, 'what was entered is never changed or removed');
END;
"""
# REPLACE would remove the old row without an UPDATE.
SQLITE_REPLACE = """
CREATE TRIGGER matches_scoresheet_is_once BEFORE INSERT ON matches_scoresheet
WHEN EXISTS (SELECT 1 FROM matches_scoresheet WHERE id = NEW.id OR record_id = NEW.record_id)
BEGIN
    SELECT RAISE(ABORT, 'what was entered is never changed or removed');
END;
"""
SQLITE_UNDO = "DROP TRIGGER matches_scoresheet_is_final;"
SQLITE_REPLACE_UNDO = "DROP TRIGGER matches_scoresheet_is_once;"


def seal(apps, schema_editor):
    for statement in {"postgresql": [POSTGRESQL], "sqlite": [SQLITE, SQLITE_REPLACE]}[schema_editor.connection.vendor]:
        schema_editor.execute(statement)


def unseal(apps, schema_editor):
    undo = {"postgresql": [POSTGRESQL_UNDO], "sqlite": [SQLITE_UNDO, SQLITE_REPLACE_UNDO]}
    for statement in undo[schema_editor.connection.vendor]:
        schema_editor.execute(statement)


class Migration(migrations.Migration):
    dependencies = [("matches", "0006_records")]

    operations = [migrations.RunPython(seal, unseal)]
