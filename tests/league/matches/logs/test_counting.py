"""What each seat did in a game is counted with its verdict, and comes back from the log alone."""

from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from league.matches.amendments import Wanted
from league.matches.logs import figures as counting
from league.matches.logs.submission import confirm_result, verify_record
from league.matches.models import KnownBy, Result, StoredVerdict
from league.matches.tasks import count
from referee.figures import as_plain, verify_and_count
from tests.league.world import SHORT_LOG, played_log


def figures(record) -> dict:
    return StoredVerdict.objects.get(record=record).figures


@pytest.fixture
def three(world):
    """Logs that gave a result."""
    found = []
    for seed in (7, 8, 9):
        record = world.submit(played_log(seed))
        verify_record(record.pk)
        found.append(record)
        world.match = world.fixture()
    return found


def test_a_verdict_is_stored_with_what_each_seat_did(world):
    record = world.submit(played_log(7))
    verify_record(record.pk)
    assert figures(record) == as_plain(verify_and_count(record.sealed.text)[1])
    assert figures(record)["A"]["counts"] > 0


def test_a_log_without_a_result_has_no_figures_and_none_to_count(world):
    record = world.submit(SHORT_LOG)
    verify_record(record.pk)
    assert not Result.objects.exists()
    assert figures(record) == {}
    assert counting.count_missed() == 0


def test_an_amending_log_is_counted_too(world):
    record = world.submit(played_log(7))
    verify_record(record.pk)
    confirm_result(result=Result.objects.get(), user=world.bob)
    from league.competitions.amendments.services import confirm_amendment, propose_amendment

    wanted = Wanted(kind=KnownBy.LOG, data={"log": played_log(8)}, reason="the wrong file")
    confirm_amendment(propose_amendment(world.game, world.referee, wanted), world.second_referee)
    now = Result.objects.get(current=True)
    assert now.record.verdict.figures == as_plain(verify_and_count(now.record.sealed.text)[1]) != figures(record)


def test_the_sweep_counts_what_has_no_figures_and_gives_what_was_stored(three):
    before = [figures(record) for record in three]
    StoredVerdict.objects.update(figures=None)
    assert count() == 3
    assert [figures(record) for record in three] == before
    assert count() == 0


def test_one_that_fails_keeps_no_other_waiting(three, monkeypatch):
    StoredVerdict.objects.update(figures=None)
    monkeypatch.setattr(counting, "BATCH", 1)
    plain, bad = counting.verify_and_count, three[0].sealed.text

    def fails(text):
        if text == bad:
            raise ValueError("no")
        return plain(text)

    monkeypatch.setattr(counting, "verify_and_count", fails)
    assert counting.count_missed() == 2
    assert [figures(record) is None for record in three] == [True, False, False]


def test_the_command_names_figures_that_no_log_says_and_counts_them_anew(three):
    call_command("rebuild", check=True, stdout=StringIO())
    right = figures(three[1])
    wrong = {**right, "A": {**right["A"], "counts": right["A"]["counts"] + 1}}
    StoredVerdict.objects.filter(record=three[1]).update(figures=wrong)
    said = StringIO()
    with pytest.raises(CommandError):
        call_command("rebuild", check=True, stdout=said)
    assert f"record {three[1].pk}: its figures are not what its log says" in said.getvalue()
    call_command("rebuild", figures=True, stdout=said)
    assert figures(three[1]) == right
    assert "3 games" in said.getvalue()
