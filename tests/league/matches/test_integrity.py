"""Rows held against the records: what was changed by SQL is found and named."""

import pytest
from django.core.management import CommandError, call_command
from django.db import connection

from league.competitions.integrity import everything
from league.matches.models import Match, Record, Result
from tests.league.every_record import play_every_kind
from tests.league.tampering import drop_triggers


@pytest.fixture
def played(world, django_capture_on_commit_callbacks):
    with django_capture_on_commit_callbacks(execute=True):
        play_every_kind(world)
    return world


def test_untouched_rows_raise_no_alarm(played):
    assert [str(one) for one in everything()] == []


def test_a_score_that_was_changed_by_sql_is_found_and_the_command_fails(played, capsys):
    result = _official("log")
    drop_triggers()
    with connection.cursor() as cursor:
        cursor.execute("UPDATE matches_result SET scores = %s WHERE id = %s", ['{"1": 7, "2": 150}', result.pk])
    with pytest.raises(CommandError, match="differences: rows are not what the records say"):
        call_command("verify")
    assert f"result {result.pk}: scores is {{'1': 7, '2': 150}}, should be {result.scores}" in capsys.readouterr().out


def _official(kind: str) -> Result:
    return Result.objects.filter(state="official", record__kind=kind).order_by("pk").first()


def test_the_command_says_how_much_it_held_against_the_records(played, capsys):
    call_command("verify")
    expected = f"{Record.objects.count()} records of {Match.objects.count()} matches: every row is what they say\n"
    assert capsys.readouterr().out == expected
