"""Triggers of both databases: refuse changes of what was handed in and of official results, and removals.

A clock event may lose its reason only, which may name somebody. A result that is or was official may change in its
state only: `state`, `current`, `contested`, `needs_decision`, `decided`, `reason`, `confirmed_by`, `confirmed_at`,
`confirmed_how`, `one_device`, `seal`.

SQLite drops the triggers of a table that a later migration remakes (a column that is no longer null, a new constraint):
such a migration restores them. PostgreSQL does not refuse TRUNCATE, which is the owner's.
"""

CLOCK = "what was done to a clock is never changed or removed"
LOG = "a sealed log is never changed or removed"
SHEET = "what was entered is never changed or removed"
TAP = "a tap of a tally is never changed or removed"
RESULT = "what an official result says is never changed, and no result is removed"
REMOVAL = "what was handed in is never removed"

CLOCK_COLUMNS = "id, game_id, number, kind, at, by_id, given_ms, level_at, set_back_ms"
RESULT_COLUMNS = ("id", "game_id", "record_id", "scores", "winner", "ended", "known_by", "entered_at")
SAME_RECORD = "id = NEW.id OR record_id = NEW.record_id"


# --- PostgreSQL: trigger, when, refused by ---

FUNCTIONS = {
    "matches_refuse_clockevent_change": CLOCK,
    "matches_refuse_sealedlog_change": LOG,
    "matches_refuse_scoresheet_change": SHEET,
    "matches_refuse_tallytap_change": TAP,
    "matches_refuse_result_change": RESULT,
    "matches_refuse_record_removal": REMOVAL,
}
POSTGRESQL = (
    ("clockevent_is_final", f"UPDATE OF {CLOCK_COLUMNS} OR DELETE", "clockevent", "", "clockevent_change"),
    ("sealedlog_is_final", "UPDATE OR DELETE", "sealedlog", "", "sealedlog_change"),
    ("scoresheet_is_final", "UPDATE OR DELETE", "scoresheet", "", "scoresheet_change"),
    ("tallytap_is_final", "UPDATE OR DELETE", "tallytap", "", "tallytap_change"),
    (
        "result_is_final",
        "UPDATE",
        "result",
        (
            "WHEN (OLD.state IN ('official', 'amended') AND "
            f"({' OR '.join(f'OLD.{name} IS DISTINCT FROM NEW.{name}' for name in RESULT_COLUMNS)}))"
        ),
        "result_change",
    ),
    ("result_is_kept", "DELETE", "result", "", "result_change"),
    ("record_is_kept", "DELETE", "record", "", "record_removal"),
)


def on_postgresql():
    for function, refusal in FUNCTIONS.items():
        yield (
            f"CREATE FUNCTION {function}() RETURNS trigger LANGUAGE plpgsql AS $$\n"
            f"BEGIN\n    RAISE EXCEPTION '{refusal}' USING ERRCODE = 'restrict_violation';\nEND;\n$$;"
        )
    for trigger, event, table, when, refused in POSTGRESQL:
        yield (
            f"CREATE TRIGGER matches_{trigger} BEFORE {event} ON matches_{table} FOR EACH ROW {when} "
            f"EXECUTE FUNCTION matches_refuse_{refused}();"
        )


# --- SQLite: trigger, when, refusal. REPLACE removes the old row without a DELETE, so `once` refuses it. ---


def _differs(name):
    """Compare JSON columns as JSON, because their spaces may differ."""
    return f"json(OLD.{name}) IS NOT json(NEW.{name})" if name == "scores" else f"OLD.{name} IS NOT NEW.{name}"


def _once(table, same):
    return f"INSERT ON matches_{table} WHEN EXISTS (SELECT 1 FROM matches_{table} WHERE {same})"  # noqa: S608


SQLITE = (
    ("clockevent_is_final", f"UPDATE OF {CLOCK_COLUMNS} ON matches_clockevent", CLOCK),
    ("sealedlog_is_final", "UPDATE ON matches_sealedlog", LOG),
    ("sealedlog_is_once", _once("sealedlog", SAME_RECORD), LOG),
    ("sealedlog_is_kept", "DELETE ON matches_sealedlog", REMOVAL),
    ("scoresheet_is_final", "UPDATE ON matches_scoresheet", SHEET),
    ("scoresheet_is_once", _once("scoresheet", SAME_RECORD), SHEET),
    ("scoresheet_is_kept", "DELETE ON matches_scoresheet", REMOVAL),
    ("tallytap_is_final", "UPDATE ON matches_tallytap", TAP),
    (
        "tallytap_is_once",
        _once("tallytap", "id = NEW.id OR (game_id = NEW.game_id AND (number = NEW.number OR touch = NEW.touch))"),
        REMOVAL,
    ),
    ("tallytap_is_kept", "DELETE ON matches_tallytap", REMOVAL),
    (
        "result_is_final",
        (
            "UPDATE ON matches_result WHEN OLD.state IN ('official', 'amended') AND "
            f"({' OR '.join(map(_differs, RESULT_COLUMNS))})"
        ),
        RESULT,
    ),
    ("result_is_once", _once("result", SAME_RECORD), RESULT),
    ("result_is_kept", "DELETE ON matches_result", RESULT),
    ("record_is_once", _once("record", "id = NEW.id"), REMOVAL),
    ("record_is_kept", "DELETE ON matches_record", REMOVAL),
)


def on_sqlite():
    for trigger, event, refusal in SQLITE:
        yield f"CREATE TRIGGER matches_{trigger} BEFORE {event} BEGIN SELECT RAISE(ABORT, '{refusal}'); END;"


def guard(apps, schema_editor):
    for statement in on_postgresql() if schema_editor.connection.vendor == "postgresql" else on_sqlite():
        schema_editor.execute(statement)


def unguard(apps, schema_editor):
    if schema_editor.connection.vendor == "postgresql":
        for trigger, _event, table, _when, _refused in POSTGRESQL:
            schema_editor.execute(f"DROP TRIGGER matches_{trigger} ON matches_{table};")
        for function in FUNCTIONS:
            schema_editor.execute(f"DROP FUNCTION {function}();")
    else:
        for trigger, _event, _refusal in SQLITE:
            schema_editor.execute(f"DROP TRIGGER matches_{trigger};")
