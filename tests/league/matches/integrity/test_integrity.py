"""Comparison of rows with the records: changes by SQL are found and named."""

import re
from datetime import timedelta
from importlib import import_module

import pytest
from django.apps import apps
from django.core.management import CommandError, call_command
from django.db import OperationalError, connection
from django.test.utils import CaptureQueriesContext

from league.competitions.integrity.derived import everything
from league.management.commands import verify
from league.matches.integrity.running import Checked
from league.matches.models import (
    AdoptedVerdict,
    Amendment,
    Game,
    KnownBy,
    Match,
    Record,
    Reply,
    Result,
    StoredVerdict,
    TallyTap,
    Upload,
)
from league.matches.results.entering import enter_sheet, rule
from league.matches.seals import seal_of
from league.matches.tally.hand_in import hand_in
from league.matches.tally.services import next_head
from league.players.models import Player
from referee import EDITION
from tests.league.every_record import every_kind
from tests.league.matches.tapping import Pad, tap
from tests.league.tampering import drop_triggers
from tests.league.world import NOON


@pytest.fixture
def played(db):
    return every_kind()


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


def test_a_tally_that_was_kept_elsewhere_is_no_difference_from_the_taps_of_a_pad(played):
    sheet = Record.objects.get(kind=KnownBy.TALLY).score_sheet.data
    game = Game.objects.exclude(taps=None).get(records=None)
    enter_sheet(game, played.alice, sheet, kind=KnownBy.TALLY, insist=True)
    assert list(everything()) == []


def rehashed(taps: list[TallyTap]) -> None:
    """Store changed taps of one game with hashes that fit."""
    head = ""
    drop_triggers()
    with connection.cursor() as cursor:
        for one in taps:
            one.head = head = next_head(head, one)
            change = "UPDATE matches_tallytap SET points = %s, line = %s, head = %s WHERE id = %s"
            cursor.execute(change, [one.points, one.line, one.head, one.pk])
    Game.objects.filter(pk=taps[0].game_id).update(taps_head=head)


def test_taps_that_are_not_those_of_the_tally_are_found(played):
    """Also where the hashes of all taps are made anew."""
    taps = list(TallyTap.objects.filter(game__records__kind=KnownBy.TALLY).order_by("number"))
    taps[0].points += 5
    rehashed(taps)
    assert any(str(one).startswith("taps of game") for one in everything())


def test_taps_that_are_not_those_of_a_tile_log_are_found(world):
    """Also where the hashes of all taps are made anew."""
    pad = Pad(world.game, world.referee)
    pad.send(*(tap("line", line=line) for line in ("round 1", "A 5-5", "B concedes", "end")))
    hand_in(world.game, world.referee, pad=pad.id, after=pad.after, at=NOON + timedelta(minutes=20))
    assert list(everything()) == []
    taps = list(TallyTap.objects.filter(game=world.game).order_by("number"))
    taps[1].line = "A 6-6"
    rehashed(taps)
    assert [str(one).split(" is ")[0] for one in everything()] == [f"log of record {Record.objects.get().pk}: lines"]


def test_results_that_waited_before_rulings_were_weighed_so_are_brought_up_to_date(world):
    game = world.fixture(best_of=3).games.select_related("match__league").first()
    for who, scores in ((world.alice, [150, 95]), (world.bob, [95, 150])):
        enter_sheet(game, who, {"scores": scores}, kind=KnownBy.SCORE, at=NOON)
    rule(game, world.referee, scores=[150, 0], winner=1, reason="a rack too many", at=NOON)
    enter_sheet(world.game, world.alice, {"scores": [150, 95]}, kind=KnownBy.SCORE, at=NOON)
    said = list(Result.objects.order_by("pk").values())
    Result.objects.update(contested=False)
    Result.objects.filter(current=True).update(needs_decision=False)
    assert len(list(everything())) == 4
    import_module("league.backups.first_chain.matches.0029_reviews_of_old_rows").weigh_open(apps, None)
    assert list(everything()) == []
    assert list(Result.objects.order_by("pk").values()) == said


# --- One row of each kind that no hash of a record covers ---


def forged(statement: str, *values: object) -> list[str]:
    """Return the differences found after the statement."""
    drop_triggers()
    with connection.cursor() as cursor:
        cursor.execute(statement, values)
    return [str(one) for one in everything()]


@pytest.mark.sqlite
@pytest.mark.parametrize(
    ("table", "column", "says"),
    [("matches_match", "best_of", "games is [1]"), ("matches_upload", "raw", "should be readable")],
)
def test_a_huge_number_is_named_and_fills_no_memory(played, table, column, says):
    drop_triggers()
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA ignore_check_constraints = ON")
        cursor.execute(f"UPDATE {table} SET {column} = %s WHERE id = (SELECT min(id) FROM {table})", [2**62])
        cursor.execute("PRAGMA ignore_check_constraints = OFF")
    assert says in " ".join(str(one) for one in everything())


@pytest.mark.sqlite
@pytest.mark.parametrize("column", ["contested", "needs_decision", "decided"])
def test_a_flag_that_reads_false_and_filters_as_true_is_found(played, column):
    drop_triggers()
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA ignore_check_constraints = ON")
        cursor.execute(f"UPDATE matches_result SET {column} = 7 WHERE id = (SELECT min(id) FROM matches_result)")
        cursor.execute("PRAGMA ignore_check_constraints = OFF")
    result = Result.objects.order_by("pk").first()
    assert (getattr(result, column), Result.objects.filter(pk=result.pk, **{column: True}).exists()) == (False, True)
    assert f"result {result.pk}: {column} is" in " ".join(str(one) for one in everything())


def test_removed_last_taps_are_found(played):
    last = TallyTap.objects.filter(game__results=None).order_by("number").last()
    assert len(forged("DELETE FROM matches_tallytap WHERE id = %s", last.pk)) == 1


def test_the_current_one_of_two_scores_follows_from_the_entries(played):
    first, second = Result.objects.filter(contested=True, replies=None).order_by("pk")
    drop_triggers()
    Result.objects.filter(pk=second.pk).update(current=False)
    found = forged("UPDATE matches_result SET current = %s WHERE id = %s", True, first.pk)
    assert [line.split(": ")[1].split(" is ")[0] for line in found] == ["counts", "needs a decision"] * 2


def test_a_review_that_was_laid_aside_by_hand_is_found(played):
    doubted = Reply.objects.filter(result__contested=True).get().result_id
    found = forged("UPDATE matches_result SET contested = %s, needs_decision = %s WHERE id = %s", False, False, doubted)
    assert found == [
        f"result {doubted}: contested is False, should be True",
        f"result {doubted}: needs a decision is False, should be True",
    ]


def test_a_reply_that_was_changed_or_removed_is_found(played):
    first = Reply.objects.order_by("pk")[1]
    assert any(f"reply {first.pk}: chain head" in line for line in forged("UPDATE matches_reply SET for_side = 1"))
    assert len(forged("DELETE FROM matches_reply WHERE id = %s", first.pk)) >= 1


def test_a_verdict_of_an_unknown_edition_is_found(played):
    [found, *_] = forged("UPDATE matches_storedverdict SET engine_edition = %s", EDITION + 1)
    assert found.endswith(f"engine_edition is {EDITION + 1}, should be 1 to {EDITION}")


def test_proposer_and_confirmer_of_an_amendment_are_checked(played):
    amendment = Amendment.objects.get(state="confirmed")
    change = "UPDATE matches_amendment SET proposed_by_id = closed_by_id WHERE id = %s"
    assert forged(change, amendment.pk) == [
        f"amendment {amendment.pk}: proposed by is {amendment.closed_by_id}, should be {amendment.proposed_by_id}"
    ]


def test_the_score_of_a_waiting_amendment_is_checked(played):
    waits = Amendment.objects.get(state="proposed")
    [found] = forged("UPDATE matches_amendment SET winner = 2 WHERE id = %s", waits.pk)
    assert found.startswith(f"amendment {waits.pk}: scores and winner is ")


def test_an_invalid_choice_is_found(played):
    result = Result.objects.filter(one_device="").first()
    found = forged("UPDATE matches_result SET one_device = 'x' WHERE id = %s", result.pk)
    assert found == [f"result {result.pk}: one_device is x, should be one of its choices"]


def test_an_erasure_date_beside_existing_bytes_is_found(played):
    upload = Upload.objects.first()
    [found] = forged("UPDATE matches_upload SET erased_at = %s WHERE id = %s", f"{NOON:%F %T}", upload.pk)
    assert found.startswith(f"upload of record {upload.record_id}: erased is ")


@pytest.mark.sqlite
def test_an_invalid_date_is_found(played):
    record = Record.objects.first()
    [found] = forged("UPDATE matches_record SET withdrawn_at = 'x' WHERE id = %s", record.pk)
    assert found == f"record {record.pk}: withdrawn_at is x, should be a date"
    assert forged("UPDATE matches_reply SET said_at = replace(said_at, ' ', '!')") != []
    result = Result.objects.filter(confirmed_at__isnull=False).first()
    change = "UPDATE matches_result SET confirmed_at = '2026-10-05 12:00:00,5' WHERE id = %s"
    assert f"result {result.pk}: confirmed_at is 2026-10-05 12:00:00,5, should be a date" in forged(change, result.pk)


# --- Editions ---


def judged_by_an_earlier_edition(result: Result, **verdict: object) -> None:
    """Change a result as if an earlier edition had judged it differently."""
    drop_triggers()
    StoredVerdict.objects.filter(record=result.record_id).update(engine_edition=EDITION - 1, **verdict)


def found() -> list[tuple[str, str]]:
    return [(one.kind.value, one.row) for one in everything()]


def test_a_difference_of_edition_alone_is_no_difference(played, capsys):
    judged_by_an_earlier_edition(_official("log"))
    call_command("verify")
    assert found() == []


def test_a_verdict_that_today_is_another_one_is_listed_apart(played, capsys):
    result = _official("log")
    judged_by_an_earlier_edition(result, rounds=[])
    call_command("verify")
    assert found() == [("edition", f"verdict on record {result.record_id}")]
    assert "0 official results would be other ones, and 1 more verdicts" in capsys.readouterr().out


def test_an_official_result_that_today_would_change_is_listed_and_kept(played, capsys):
    result = _official("log")
    before = (result.scores, result.winner)
    scores = {seat: points + 5 for seat, points in result.record.verdict.scores.items()}
    judged_by_an_earlier_edition(result, scores=scores)
    result.scores = {side: points + 5 for side, points in result.scores.items()}
    result.seal = seal_of(result, result.record.head)
    Result.objects.filter(pk=result.pk).update(scores=result.scores, seal=result.seal)
    call_command("verify")
    out = capsys.readouterr().out
    assert f"result {result.pk}: score is {(result.scores, result.winner)}, should be {before} [official]" in out
    assert "1 official results would be other ones, and 0 more verdicts" in out
    assert Result.objects.get(pk=result.pk).scores == result.scores


def test_adopt_stores_todays_verdict_beside_the_old_one_and_moves_nothing(played, capsys):
    result = _official("log")
    judged_by_an_earlier_edition(result, rounds=[])
    rows = list(Result.objects.order_by("pk").values())
    for _ in range(2):
        call_command("verify", adopt=True)
    adopted = AdoptedVerdict.objects.get()
    assert (adopted.record_id, adopted.engine_edition) == (result.record_id, EDITION)
    assert adopted.verdict["rounds"] != []
    assert StoredVerdict.objects.get(record=result.record_id).engine_edition == EDITION - 1
    assert list(Result.objects.order_by("pk").values()) == rows
    assert capsys.readouterr().out.splitlines() == [
        f"{number} verdicts of today's edition are stored beside the old" for number in (1, 0)
    ]


# --- Wrong input ---


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--jobs", "0"], "0 is no number of processes: 1 to 61"),
        (["--jobs", "two"], "two is no number of processes: 1 to 61"),
        (["--after", "-5"], "-5 is no number of a match: take the one that the progress said last"),
        (["--after", "999999999"], "There is no match after 999999999: the last one is"),
    ],
)
def test_wrong_options_are_refused_in_words(world, options, said):
    with pytest.raises(CommandError, match=said):
        call_command("verify", *options)


def test_empty_outdated_and_locked_databases_are_reported_differently(world, monkeypatch):
    with monkeypatch.context() as patch:
        patch.setattr("league.management.telling.applied", list)
        with pytest.raises(CommandError, match="is empty: there is no site in it"):
            call_command("verify")
    with monkeypatch.context() as patch:
        patch.setattr("league.management.telling.behind", lambda: [("matches", "0099")])
        with pytest.raises(CommandError, match="of an earlier edition of this program"):
            call_command("verify")
    monkeypatch.setattr(verify, "everything", raising(OperationalError("database is locked")))
    with pytest.raises(CommandError, match="The database is busy"):
        call_command("verify")


@pytest.mark.sqlite
def test_no_file_is_made_where_there_is_no_database(db, monkeypatch, tmp_path):
    monkeypatch.setattr(connection, "is_in_memory_db", lambda: False)
    monkeypatch.setitem(connection.settings_dict, "NAME", str(tmp_path / "gone.sqlite3"))
    with pytest.raises(CommandError, match="There is no database"):
        call_command("verify")
    assert list(tmp_path.iterdir()) == []


def test_a_check_that_was_stopped_says_how_to_go_on(played, monkeypatch):
    half = Match.objects.order_by("pk")[3].pk

    def stopped(_after, *, progress, **_options):
        progress(Checked(half, matches=4))
        raise KeyboardInterrupt
        yield

    monkeypatch.setattr(verify, "everything", stopped)
    with pytest.raises(CommandError, match=f"Stopped. To go on from here: --after {half}"):
        call_command("verify")


def raising(problem: Exception):
    def act(*_arguments, **_options):
        raise problem

    return act


# --- Going on ---


def test_it_goes_on_after_the_match_that_was_named_last(played, capsys):
    half = Match.objects.order_by("pk")[Match.objects.count() // 2].pk
    call_command("verify", after=half)
    left = Record.objects.filter(game__match__gt=half).count()
    assert capsys.readouterr().out.startswith(f"{left} records of ")


def test_the_check_writes_nothing(played):
    with CaptureQueriesContext(connection) as asked:
        list(everything())
    reading = re.compile(r"SELECT|DECLARE \S+ NO SCROLL CURSOR FOR SELECT")  # PostgreSQL reads large tables by a cursor
    assert [one["sql"] for one in asked if not reading.match(one["sql"])] == []


def test_a_merged_player_without_a_merge_is_found(played):
    into, player = Player.objects.filter(entrants__sides__match=played.match).distinct().order_by("pk")
    found = forged("UPDATE players_player SET merged_into_id = %s WHERE id = %s", into.pk, player.pk)
    assert f"player {player.pk}: merged into is {into.code}, should be nobody" in found
