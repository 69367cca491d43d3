"""Both databases refuse to change what was done to a clock; PostgreSQL refuses to remove it as well (0002 says why not
SQLite). A reason may name somebody, so it alone can be emptied.
"""

from django.db import migrations

POSTGRESQL = """
CREATE FUNCTION matches_refuse_clockevent_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'what was done to a clock is never changed or removed' USING ERRCODE = 'restrict_violation';
END;
$$;
CREATE TRIGGER matches_clockevent_is_final
    BEFORE UPDATE OF id, game_id, number, kind, at, by_id, given_ms, level_at, set_back_ms OR DELETE
    ON matches_clockevent FOR EACH ROW EXECUTE FUNCTION matches_refuse_clockevent_change();
"""
POSTGRESQL_UNDO = """
DROP TRIGGER matches_clockevent_is_final ON matches_clockevent;
DROP FUNCTION matches_refuse_clockevent_change();
"""
SQLITE = """
CREATE TRIGGER matches_clockevent_is_final
BEFORE UPDATE OF id, game_id, number, kind, at, by_id, given_ms, level_at, set_back_ms ON matches_clockevent
BEGIN
    SELECT RAISE(ABORT, 'what was done to a clock is never changed or removed');
END;
"""
SQLITE_UNDO = "DROP TRIGGER matches_clockevent_is_final;"


def seal(apps, schema_editor):
    schema_editor.execute({"postgresql": POSTGRESQL, "sqlite": SQLITE}[schema_editor.connection.vendor])


def unseal(apps, schema_editor):
    schema_editor.execute({"postgresql": POSTGRESQL_UNDO, "sqlite": SQLITE_UNDO}[schema_editor.connection.vendor])


class Migration(migrations.Migration):
    dependencies = [("matches", "0004_clocks")]

    operations = [migrations.RunPython(seal, unseal)]
