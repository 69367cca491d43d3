"""Triggers: official results never change, and no record is removed."""

import pytest
from django.db import DatabaseError, connection, transaction

from league.matches.models import Result, TallyTap
from tests.league.every_record import every_kind

# The columns of an official result that may change: its state. All others are fixed.
STATE = {
    "state": "'amended'", "current": "false", "contested": "true", "needs_decision": "true", "decided": "false",
    "confirmed_by_id": "NULL", "confirmed_at": "NULL", "confirmed_how": "''", "seal": "'x'", "reason": "'x'",
    "one_device": "'same'",
}  # fmt: skip
FIXED = {
    "id": "9999", "game_id": "9999", "record_id": "9999", "scores": """'{"1": 1, "2": 2}'""", "winner": "NULL",
    "ended": "'other'", "known_by": "'ruled'", "entered_at": "'2020-01-01 00:00:00'",
}  # fmt: skip
TABLES = ("matches_result", "matches_record", "matches_sealedlog", "matches_scoresheet", "matches_tallytap")
TRIGGERS = ("matches_result_is_final", "matches_result_is_kept")


@pytest.fixture
def played(db):
    return every_kind()


def refusal(statement: str) -> str:
    """Return the refusal of a statement by the database, empty if it passes.

    Roll it back.
    """
    try:
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(statement)
            transaction.set_rollback(True)
    except DatabaseError as problem:
        return str(problem)
    return ""


def official() -> Result:
    return Result.objects.filter(state="official", record__kind="log").exclude(winner=None).order_by("pk").first()


def test_every_column_of_a_result_is_listed_as_state_or_as_fixed():
    assert {one.column for one in Result._meta.concrete_fields} == {*STATE, *FIXED}


def test_of_an_official_result_the_columns_of_its_state_alone_may_change(played):
    of = f"WHERE id = {official().pk}"
    for column, value in FIXED.items():
        assert "never changed" in refusal(f"UPDATE matches_result SET {column} = {value} {of}"), column
    assert refusal(f"UPDATE matches_result SET state = 'amended', current = false, contested = true {of}") == ""
    assert refusal(f"UPDATE matches_result SET seal = '' {of}") == ""
    assert refusal(f"UPDATE matches_result SET scores = scores {of}") == ""


def test_a_provisional_result_may_be_judged_again(played):
    provisional = Result.objects.filter(state="provisional").first()
    changed = """UPDATE matches_result SET scores = '{"1": 1, "2": 2}' WHERE id = %d"""
    assert refusal(changed % provisional.pk) == ""


def test_nothing_that_was_handed_in_is_removed(played):
    assert TallyTap.objects.exists()
    assert {table: "removed" in refusal(f"DELETE FROM {table}") for table in TABLES} == dict.fromkeys(TABLES, True)


@pytest.mark.sqlite
def test_every_trigger_is_there_after_all_migrations(db):
    with connection.cursor() as cursor:
        cursor.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'")
        there = {name for (name,) in cursor.fetchall()}
    once = {f"{table}_is_once" for table in TABLES}
    final = {f"{table}_is_final" for table in TABLES if table != "matches_record"}
    assert {*once, *final, *(f"{table}_is_kept" for table in TABLES)} <= there


@pytest.mark.sqlite
def test_results_and_taps_cannot_be_replaced(played):
    for table in ("matches_result", "matches_record", "matches_tallytap"):
        assert "remove" in refusal(f"REPLACE INTO {table} SELECT * FROM {table}"), table


def test_without_the_triggers_the_database_would_let_it_pass(played):
    # The control; the test's transaction puts the triggers back.
    where = " ON matches_result" if connection.vendor == "postgresql" else ""
    with connection.cursor() as cursor:
        for trigger in TRIGGERS:
            cursor.execute(f"DROP TRIGGER {trigger}{where}")
    of = f"WHERE id = {official().pk}"
    assert refusal(f"""UPDATE matches_result SET scores = '{{"1": 1, "2": 2}}' {of}""") == ""
