"""Table of changes, and the triggers of both databases that fill it.

SQLite drops the triggers of a table that a later migration remakes: such a migration calls `watch` again
(tests/league/live/test_log.py fails until then).
"""

from django.db import migrations, models

OF_GAME = "(SELECT match_id FROM matches_game WHERE id = {row}.game_id)"
OF_STAGE = "(SELECT competition_id FROM competitions_stage WHERE id = {row}.stage_id)"
OF_REGISTRATION = "(SELECT competition_id FROM competitions_registration WHERE id = {row}.registration_id)"

# Table, what is written, columns that count in an update, column of the change, key of what changed. A tap that changes
# no public score changes no `tally`, so it leaves no row.
WATCHED = (
    (
        "matches_match",
        "UPDATE",
        "state starts_at table_id published_at voided_by_id set_aside_at called_at here_at on_hold",
        "match_id",
        "{row}.id",
    ),
    ("matches_game", "UPDATE", "tally", "match_id", "{row}.match_id"),
    ("matches_side", "UPDATE", "entrant_id opener", "match_id", "{row}.match_id"),
    ("matches_result", "INSERT", "", "match_id", OF_GAME),
    ("matches_result", "UPDATE", "state current contested needs_decision decided", "match_id", OF_GAME),
    ("matches_record", "INSERT", "", "match_id", OF_GAME),
    ("matches_record", "UPDATE", "state", "match_id", OF_GAME),
    ("matches_clockevent", "INSERT", "", "clock", OF_GAME),
    ("competitions_slot", "UPDATE", "match_id", "match_id", "{row}.match_id"),
    ("competitions_matchday", "INSERT", "", "competition_id", OF_STAGE),
    ("competitions_matchday", "UPDATE", "published_at version reason", "competition_id", OF_STAGE),
    ("competitions_matchday", "DELETE", "", "competition_id", OF_STAGE),
    ("competitions_competition", "UPDATE", "published_at cancelled_at", "competition_id", "{row}.id"),
    ("competitions_stage", "UPDATE", "finished_at", "competition_id", "{row}.competition_id"),
    ("competitions_withdrawal", "INSERT", "", "competition_id", "{row}.competition_id"),
    ("competitions_withdrawal", "UPDATE", "undone_at", "competition_id", "{row}.competition_id"),
    ("competitions_adjustment", "INSERT", "", "competition_id", OF_REGISTRATION),
    ("competitions_adjustment", "DELETE", "", "competition_id", OF_REGISTRATION),
)


def trigger_name(table, event):
    return f"live_{table}_{event.casefold()}"


def _insert(column, key, event, transaction, now, flag):
    source = key.format(row="OLD" if event == "DELETE" else "NEW")
    target, truth = ("match_id", "TRUE") if column == "clock" else (column, "FALSE")
    if flag != "clock":
        flag, truth = f"clock, {flag}", "FALSE, TRUE"
    return (
        f"INSERT INTO live_livechange ({target}, {flag}, transaction_id, at) "
        f"SELECT {source}, {truth}, {transaction}, {now} WHERE {source} IS NOT NULL;"
    )


def _when(columns, differs):
    return f"WHEN ({' OR '.join(f'OLD.{one} {differs} NEW.{one}' for one in columns.split())})" if columns else ""


def on_sqlite(watched, flag):
    now = "strftime('%Y-%m-%d %H:%M:%f', 'now')"
    for table, event, columns, column, key in watched:
        of = f" OF {', '.join(columns.split())}" if columns else ""
        yield (
            f"CREATE TRIGGER {trigger_name(table, event)} AFTER {event}{of} ON {table} {_when(columns, 'IS NOT')} "
            f"BEGIN {_insert(column, key, event, 'NULL', now, flag)} END;"
        )


def on_postgresql(watched, flag):
    for table, event, columns, column, key in watched:
        name = trigger_name(table, event)
        of = f" OF {', '.join(columns.split())}" if columns else ""
        written = _insert(column, key, event, "pg_current_xact_id()::text::bigint", "clock_timestamp()", flag)
        yield (
            f"CREATE FUNCTION {name}() RETURNS trigger LANGUAGE plpgsql AS $$\n"
            f"BEGIN\n    {written}\n    RETURN NULL;\nEND;\n$$;"
        )
        yield (
            f"CREATE TRIGGER {name} AFTER {event}{of} ON {table} FOR EACH ROW {_when(columns, 'IS DISTINCT FROM')} "
            f"EXECUTE FUNCTION {name}();"
        )


def watch(apps, schema_editor, watched=WATCHED, flag="clock"):
    made = on_postgresql if schema_editor.connection.vendor == "postgresql" else on_sqlite
    for statement in made(watched, flag):
        schema_editor.execute(statement)


def unwatch(apps, schema_editor, watched=WATCHED):
    for table, event, *_rest in watched:
        name = trigger_name(table, event)
        if schema_editor.connection.vendor == "postgresql":
            schema_editor.execute(f"DROP TRIGGER {name} ON {table};")
            schema_editor.execute(f"DROP FUNCTION {name}();")
        else:
            schema_editor.execute(f"DROP TRIGGER {name};")


class Migration(migrations.Migration):
    initial = True
    dependencies = [
        ("matches", "0005_ruled_taps"),
        ("competitions", "0014_delay_of_running_scores"),
    ]

    operations = [
        migrations.CreateModel(
            name="LiveChange",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("match_id", models.BigIntegerField(null=True)),
                ("competition_id", models.BigIntegerField(null=True)),
                ("clock", models.BooleanField(default=False)),
                ("transaction_id", models.BigIntegerField(db_index=True, null=True)),
                ("at", models.DateTimeField(db_index=True)),
            ],
        ),
        migrations.RunPython(watch, unwatch),
    ]
