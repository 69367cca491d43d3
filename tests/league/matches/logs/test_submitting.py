"""Storing a log: once, for ever, and without waiting for anybody."""

import threading
import time

import pytest
from django.core.exceptions import ValidationError
from django.db import DatabaseError, IntegrityError, connection, transaction

from league import celery
from league.celery import app
from league.matches.hash_chain import broken_at, heads, sha256
from league.matches.logs import submission as services
from league.matches.logs.submission import submit_log
from league.matches.models import Match, Record, Result, SealedLog, Upload
from league.players.services import erase
from tests.league.broker import broker_at
from tests.league.processes import PATIENCE
from tests.league.world import NOON, SHORT_LOG


@pytest.fixture
def sent(monkeypatch):
    """Ids of the records that were given to the broker."""
    ids = []
    monkeypatch.setattr(services, "queue_verification", ids.append)
    return ids


def test_the_same_log_twice_is_one_record_and_one_message(world, sent, django_capture_on_commit_callbacks):
    with django_capture_on_commit_callbacks(execute=True):
        first = submit_log(game=world.game, user=world.alice, raw=SHORT_LOG.encode())
        second = submit_log(game=world.game, user=world.alice, raw=SHORT_LOG.encode())
    assert (first.created, second.created) == (True, False)
    assert first.record == second.record
    assert second.record.submitted_by == world.alice
    assert sent == [first.record.pk]
    assert (Record.objects.count(), SealedLog.objects.count(), Upload.objects.count()) == (1, 1, 1)


def test_the_same_log_of_the_other_side_is_its_own_word(world):
    first, second = (
        submit_log(game=world.game, user=user, raw=SHORT_LOG.encode()).record for user in (world.alice, world.bob)
    )
    assert [(one.for_side, one.seats, one.sealed.sha256) for one in (first, second)] == [
        (1, first.seats, first.sealed.sha256),
        (2, first.seats, first.sealed.sha256),
    ]


def test_the_same_log_after_the_result_became_official_is_answered_as_before(world):
    record = world.submit()
    Result.objects.create(game=world.game, record=record, scores={}, state="official", entered_at=record.submitted_at)
    assert submit_log(game=world.game, user=world.alice, raw=SHORT_LOG.encode()) == services.Submission(
        record, created=False
    )


def test_a_log_of_a_game_already_official_is_refused_and_nothing_is_stored(world):
    record = world.submit()
    Result.objects.create(game=world.game, record=record, scores={}, state="official", entered_at=record.submitted_at)
    with pytest.raises(services.Refused) as caught:
        world.submit(SHORT_LOG + "\n")
    assert (caught.value.code, str(caught.value)) == (
        "already-official",
        f"The result of game {world.game.code} is confirmed; its log is closed.",
    )
    assert Record.objects.get() == record


def test_a_game_of_a_match_that_is_decided_is_not_played(world):
    Match.objects.update(state=Match.State.DECIDED)
    with pytest.raises(services.Refused) as caught:
        world.submit()
    assert caught.value.code == "match-decided"


def test_the_page_with_the_form_is_told_what_the_service_would_say(world):
    def answer(user):
        try:
            services.check_may_submit(user, world.game)
        except services.Refused as refused:
            return refused.code
        return None

    assert [answer(user) for user in (world.alice, world.referee, world.charlie)] == [None, None, "not-your-match"]
    record = world.submit()
    Result.objects.create(game=world.game, record=record, scores={}, state="official", entered_at=NOON)
    assert answer(world.alice) == "already-official"


def test_the_same_log_may_be_of_two_games(world):
    other = world.fixture().games.select_related("match__league").get()
    assert world.submit() != world.submit(game=other)


def test_a_new_log_names_the_one_before_it(world):
    first = world.submit()
    second = world.submit(SHORT_LOG + "\n", by=world.bob)
    third = world.submit(SHORT_LOG + "\n\n")
    assert [record.replaces for record in (first, second, third)] == [None, first, second]


def test_the_sealed_log_carries_its_hash_and_one_head_a_round(world):
    sealed = world.submit().sealed
    assert sealed.sha256 == sha256(sealed.text.encode())
    assert sealed.heads == heads(sealed.text)
    assert len(sealed.heads) == 2
    assert broken_at(sealed.text, sealed.heads) is None


def test_a_sealed_log_cannot_be_changed_by_the_application(world):
    sealed = world.submit().sealed
    sealed.text = "other"
    for act in (
        sealed.save,
        sealed.delete,
        SealedLog.objects.all().delete,
        lambda: SealedLog.objects.update(text="other"),
        lambda: SealedLog.objects.bulk_update([sealed], ["text"]),
    ):
        with pytest.raises(ValidationError), transaction.atomic():
            act()
    sealed.refresh_from_db()
    assert sealed.text != "other"


def test_a_sealed_log_cannot_be_changed_by_the_database(world):
    world.submit()
    with (
        pytest.raises(DatabaseError, match="never changed"),
        transaction.atomic(),
        connection.cursor() as cursor,
    ):
        cursor.execute("UPDATE matches_sealedlog SET text = 'other'")
    with (
        pytest.raises(DatabaseError, match="never"),
        transaction.atomic(),
        connection.cursor() as cursor,
    ):
        cursor.execute("DELETE FROM matches_sealedlog")


def test_with_the_trigger_away_the_database_would_let_a_sealed_log_be_changed(world):
    # The control of the test before; the test's transaction puts the trigger back.
    record = world.submit()
    where = " ON matches_sealedlog" if connection.vendor == "postgresql" else ""
    with connection.cursor() as cursor:
        cursor.execute(f"DROP TRIGGER matches_sealedlog_is_final{where}")
        cursor.execute("UPDATE matches_sealedlog SET text = 'other'")
    kept = SealedLog.objects.get(record=record)
    assert (kept.text, broken_at(kept.text, kept.heads)) == ("other", 0)


def test_erasing_a_player_forgets_name_and_upload_and_leaves_the_proof(world, django_capture_on_commit_callbacks):
    record = world.submit()
    sealed = (record.sealed.text, record.sealed.sha256, record.sealed.heads)
    with django_capture_on_commit_callbacks(execute=True):
        erase(world.ana.player)
    world.ana.player.refresh_from_db()
    upload = Upload.objects.get(record=record)
    assert (world.ana.player.name, world.ana.player.user, str(world.ana.player)) == (
        "",
        None,
        world.ana.player.code,
    )
    assert (bytes(upload.raw), upload.erased_at is not None) == (b"", True)
    kept = SealedLog.objects.get(record=record)
    assert (kept.text, kept.sha256, kept.heads) == sealed
    assert broken_at(kept.text, kept.heads) is None
    assert "Ana" not in kept.text
    # The same bytes are still known as a log of this game, and what was erased stays so.
    again = submit_log(game=world.game, user=world.bob, raw=SHORT_LOG.encode(), filename="Ana.domino").record
    assert (again.sealed.text, bytes(again.upload.raw), again.upload.erased_at) == (kept.text, b"", upload.erased_at)
    assert again.upload.filename == ""


def test_a_name_in_remarks_and_reasons_is_a_code_in_the_sealed_log_too(world):
    text = SHORT_LOG.replace("round 1\n", '[Annotator "Ana Ruiz"]\n[Event "Ana Ruiz at home"]\nround 1\n', 1)
    text = text.replace("round 1\n", 'round 1 # for Ana Ruiz\nnote "ana ruiz is late"\n', 1)
    kept = world.submit(text).sealed.text
    assert "ruiz" not in kept.casefold()
    assert kept.count(world.ana.player.code) == 5, "seat, annotator, event, comment and note"


@pytest.mark.sqlite
def test_another_row_cannot_take_the_place_of_a_sealed_log(world):
    record = world.submit()
    with pytest.raises(DatabaseError, match="never changed"), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(
            "REPLACE INTO matches_sealedlog (id, record_id, text, sha256, heads) VALUES (%s, %s, 'forged', '', '[]')",
            [record.sealed.pk, record.pk],
        )
    assert SealedLog.objects.get(record=record).text == record.sealed.text


def test_two_who_submit_the_same_log_at_once_make_one_record_of_each_side(shared_world):
    world, barrier, found, errors = shared_world, threading.Barrier(4, timeout=PATIENCE), [], []
    game = world.game

    def submit(user):
        try:
            barrier.wait()
            found.append(submit_log(game=game, user=user, raw=SHORT_LOG.encode()))
        except Exception as error:
            errors.append(error)
        finally:
            connection.close()

    threads = [threading.Thread(target=submit, args=(user,)) for user in (world.alice, world.bob) * 2]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert errors == []
    assert sorted(one.created for one in found) == [False, False, True, True]
    assert len({one.record.pk for one in found}) == 2
    assert (Record.objects.count(), SealedLog.objects.count(), Upload.objects.count()) == (2, 2, 2)


def test_two_who_submit_different_logs_at_once_make_two_that_follow_each_other(shared_world):
    world, barrier, errors = shared_world, threading.Barrier(2, timeout=PATIENCE), []
    game = world.game

    def submit(user, text):
        try:
            barrier.wait()
            submit_log(game=game, user=user, raw=text.encode())
        except Exception as error:
            errors.append(error)
        finally:
            connection.close()

    threads = [
        threading.Thread(target=submit, args=(world.alice, SHORT_LOG)),
        threading.Thread(target=submit, args=(world.bob, SHORT_LOG + "\n")),
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert errors == []
    first, second = Record.objects.order_by("pk")
    assert (first.replaces, second.replaces) == (None, first)


def test_without_the_lock_the_database_still_keeps_one_record(world):
    # The control: the constraint stands behind the lock.
    record = world.submit()
    with pytest.raises(IntegrityError), transaction.atomic():
        Record.objects.create(
            game=world.game,
            submitted_by=world.bob,
            for_side=record.for_side,
            submitted_at=record.submitted_at,
            upload_sha256=record.upload_sha256,
        )


def test_a_dead_broker_fails_no_request_and_loses_nothing(world, caplog, django_capture_on_commit_callbacks):
    begun = time.monotonic()
    with broker_at("redis://127.0.0.1:1/0"), django_capture_on_commit_callbacks(execute=True):
        submission = submit_log(game=world.game, user=world.alice, raw=SHORT_LOG.encode())
    assert time.monotonic() - begun < 5
    assert submission.record.state == Record.State.RECEIVED
    assert f"matches.verify_record({submission.record.pk},) waits for the sweep" in caplog.text
    assert "refused" in caplog.text


@pytest.mark.parametrize(("limits", "at_most"), [(celery.SENDING, 1), ({}, None)], ids=["limits", "control"])
def test_a_dead_broker_is_given_up_at_once(monkeypatch, limits, at_most):
    monkeypatch.setattr(celery, "SENDING", limits)
    with broker_at("redis://127.0.0.1:1/0"):
        services.queue_verification(1)  # the first gives up at once in any case
        begun = time.monotonic()
        services.queue_verification(1)
        took = time.monotonic() - begun
    assert took < at_most if at_most else took > 1.5


def test_a_broker_that_lives_takes_the_message(world, caplog, django_capture_on_commit_callbacks):
    # The control of the test before.
    with broker_at("memory://localhost/"):
        with app.connection_for_write() as broker:
            broker.default_channel.queue_purge("verify")
        with django_capture_on_commit_callbacks(execute=True):
            world.submit()
        with app.connection_for_write() as broker:
            assert broker.default_channel.queue_purge("verify") == 1
    assert caplog.text == ""
