"""Both databases refuse to change a row of a sealed log, or to put another in its place.

PostgreSQL refuses to remove one as well (not to TRUNCATE, which is the owner's). SQLite does not: the test runner empties
SQLite's tables with DELETE.
"""

from django.db import migrations

POSTGRESQL = """
CREATE FUNCTION matches_refuse_sealedlog_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'a sealed log is never changed or removed' USING ERRCODE = 'restrict_violation';
END;
$$;
CREATE TRIGGER matches_sealedlog_is_final BEFORE UPDATE OR DELETE ON matches_sealedlog
    FOR EACH ROW EXECUTE FUNCTION matches_refuse_sealedlog_change();
"""
POSTGRESQL_UNDO = """
DROP TRIGGER matches_sealedlog_is_final ON matches_sealedlog;
DROP FUNCTION matches_refuse_sealedlog_change();
"""
SQLITE = """
CREATE TRIGGER matches_sealedlog_is_final BEFORE UPDATE ON matches_sealedlog
BEGIN
    SELECT RAISE(ABORT, 'a sealed log is never changed or removed');
END;
"""
# REPLACE would remove the old row without an UPDATE.
SQLITE_REPLACE = """
CREATE TRIGGER matches_sealedlog_is_once BEFORE INSERT ON matches_sealedlog
WHEN EXISTS (SELECT 1 FROM matches_sealedlog WHERE id = NEW.id OR record_id = NEW.record_id)
BEGIN
    SELECT RAISE(ABORT, 'a sealed log is never changed or removed');
END;
"""
SQLITE_UNDO = "DROP TRIGGER matches_sealedlog_is_final;"
SQLITE_REPLACE_UNDO = "DROP TRIGGER matches_sealedlog_is_once;"


def seal(apps, schema_editor):
    for statement in {"postgresql": [POSTGRESQL], "sqlite": [SQLITE, SQLITE_REPLACE]}[schema_editor.connection.vendor]:
        schema_editor.execute(statement)


def unseal(apps, schema_editor):
    undo = {"postgresql": [POSTGRESQL_UNDO], "sqlite": [SQLITE_UNDO, SQLITE_REPLACE_UNDO]}
    for statement in undo[schema_editor.connection.vendor]:
        schema_editor.execute(statement)


class Migration(migrations.Migration):
    dependencies = [("matches", "0001_initial")]

    operations = [migrations.RunPython(seal, unseal)]
