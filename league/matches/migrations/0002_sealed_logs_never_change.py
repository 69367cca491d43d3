"""Both databases refuse to change a sealed log, whatever asks them to.

PostgreSQL refuses to remove one as well. SQLite does not: the test runner empties SQLite's tables with DELETE.
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
SQLITE_UNDO = "DROP TRIGGER matches_sealedlog_is_final;"


def seal(apps, schema_editor):
    schema_editor.execute({"postgresql": POSTGRESQL, "sqlite": SQLITE}[schema_editor.connection.vendor])


def unseal(apps, schema_editor):
    schema_editor.execute({"postgresql": POSTGRESQL_UNDO, "sqlite": SQLITE_UNDO}[schema_editor.connection.vendor])


class Migration(migrations.Migration):
    dependencies = [("matches", "0001_initial")]

    operations = [migrations.RunPython(seal, unseal)]
