"""The chain of a dispute, and the refusal of changes by models and databases."""

import pytest
from django.core.exceptions import ValidationError
from django.db import DatabaseError, connection, transaction

from league.competitions.integrity.derived import everything
from league.disputes import ruling
from league.disputes.models import Dispute, DisputeEntry, DisputeText, SealedRuling
from tests.league.disputes.courtroom import file, find, logged, rule
from tests.league.tampering import drop_triggers, taken_back

pytestmark = pytest.mark.django_db

TABLES = {"disputeentry": ("at", "head"), "sealedruling": ("text", "sha256")}


@pytest.fixture
def decided(world):
    logged(world)
    dispute = file(world)
    find(dispute, world.referee)
    rule(dispute, world.referee)
    ruling.confirm_ruling(dispute, world.owner)
    return dispute


def run(sql, *values):
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(sql, values)


def unguarded(table):
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute(f"DROP TRIGGER disputes_{table}_is_final ON disputes_{table}")
        else:
            cursor.execute(f"DROP TRIGGER disputes_{table}_is_final")
            cursor.execute(f"DROP TRIGGER disputes_{table}_is_kept")


def found():
    return [str(one) for one in everything()]


def test_a_decided_dispute_has_no_difference(decided):
    assert found() == []


def test_models_and_databases_refuse_changes(decided):
    for model in (DisputeEntry, SealedRuling):
        row = model.objects.last()
        for act in (row.save, row.delete, model.objects.all().delete, lambda model=model: model.objects.update(pk=9)):
            with pytest.raises(ValidationError):
                act()
        table = model._meta.db_table
        for sql in (f"UPDATE {table} SET {TABLES[model._meta.model_name][1]} = 'x'", f"DELETE FROM {table}"):
            with pytest.raises(DatabaseError, match="is never changed or removed"):
                run(sql)
    assert found() == []


@pytest.mark.parametrize(
    ("sql", "says"),
    [
        ("UPDATE disputes_disputeentry SET for_side = 1 WHERE number = 1", "broken at entry 1"),
        ("UPDATE disputes_disputeentry SET by_id = NULL WHERE number = 3", "broken at entry 3"),
        ("UPDATE disputes_disputeentry SET number = 9 WHERE number = 5", "broken at entry 5"),
        ("UPDATE disputes_dispute SET state = 'open'", "state is open, should be ruled"),
        ("UPDATE disputes_dispute SET outcome = 'dismissed'", "outcome is dismissed, should be call"),
        ("UPDATE disputes_dispute SET line = 14", "line is 14, should be 12"),
        ("UPDATE disputes_dispute SET kind = 'fraud'", "kind is fraud, should be muggins"),
        ("UPDATE disputes_dispute SET for_side = 1", "for_side is 1, should be 2"),
        ("UPDATE disputes_dispute SET via = 'desk'", "via is desk, should be account"),
        ("UPDATE disputes_dispute SET record_id = NULL", "record_id is None"),
        ("UPDATE disputes_dispute SET raised_by_id = NULL", "raised_by_id is None"),
        ("UPDATE disputes_dispute SET effect = 'hold'", "effect is hold, should be play_on"),
        ("UPDATE disputes_dispute SET hold_until = raised_at", "hold_until is"),
        ("UPDATE disputes_dispute SET deadline = raised_at", "deadline is"),
        ("UPDATE disputes_dispute SET closed_at = raised_at", "closed_at is"),
        ("UPDATE disputes_disputetext SET text = 'other'", "SHA-256 of its words"),
        ("UPDATE disputes_disputetext SET erased_at = '2026-11-01 12:00:00+00:00'", "SHA-256 of its words"),
        ("DELETE FROM disputes_disputetext", "SHA-256 of its words"),
        ("UPDATE disputes_sealedruling SET results_in = 'other'", "SHA-256 of the text after it"),
        ("UPDATE disputes_sealedruling SET text = 'other'", "ruling text"),
        ("UPDATE disputes_sealedruling SET amends = 'other'", "SHA-256 of the amended text"),
        ("UPDATE disputes_dispute SET kind = 'other'", "kind is other, should be one of its choices"),
        ("UPDATE disputes_disputeentry SET data = '[]' WHERE number = 4", "broken at entry 4"),
        ("UPDATE disputes_disputeentry SET data = '7' WHERE number = 1", "broken at entry 1"),
    ],
)
def test_a_change_behind_the_back_of_the_site_is_found(decided, sql, says):
    for table in TABLES:
        unguarded(table)
    run(sql)
    assert says in " ".join(found())


def test_a_removed_dispute_leaves_its_entries(decided):
    entry = decided.entries.first()
    with taken_back():
        drop_triggers()
        run("DELETE FROM disputes_dispute")
        assert f"entry of a dispute {entry.pk}: dispute is {decided.pk}, should be a row that is there" in found()


@pytest.mark.sqlite
@pytest.mark.parametrize(
    ("sql", "says"),
    [
        ("UPDATE disputes_disputeentry SET at = 'x' WHERE number = 2", "at is x, should be a date"),
        ("UPDATE disputes_disputeentry SET at = '2026-02-31 10:00:00' WHERE number = 2", "10:00:00, should be a date"),
        ("UPDATE disputes_dispute SET hold_until = '1'", "hold_until is 1, should be a date"),
        ("UPDATE disputes_dispute SET deadline = '2026-13-45 10:00:00'", "should be readable"),
        ("UPDATE disputes_dispute SET closed_at = '2026-13-45 10:00:00'", "closed_at is 2026-13-45 10:00:00"),
        ("UPDATE disputes_disputetext SET erased_at = 'x'", "erased_at is x, should be a date"),
    ],
)
def test_an_invalid_time_is_named_and_the_check_goes_on(decided, sql, says):
    unguarded("disputeentry")
    run(sql)
    assert says in " ".join(found())


@pytest.mark.parametrize("column", ["match_id", "game_id"])
def test_a_dispute_of_a_missing_match_is_named_and_the_check_goes_on(decided, column):
    with taken_back():
        drop_triggers()
        run(f"UPDATE disputes_dispute SET {column} = 999999")
        told = found()
    name = column.removesuffix("_id")
    assert f"dispute {decided.pk}: {name} is 999999, should be a row that is there" in told
    assert any(one.startswith(f"dispute {decided.code}: rows is DoesNotExist") for one in told)


def test_the_chain_needs_every_entry(decided):
    unguarded("disputeentry")
    DisputeText.objects.filter(entry__number=1).delete()
    run("DELETE FROM disputes_disputeentry WHERE number = 1")
    assert "first entry is taken, should be filed" in " ".join(found())
    assert Dispute.objects.count() == 1
