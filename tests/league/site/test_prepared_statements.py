"""Statements that are compiled once say and do what Django's own would."""

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from unittest import mock

import pytest
from django.contrib.auth.models import AnonymousUser
from django.core.exceptions import FieldDoesNotExist
from django.db import IntegrityError, connection, transaction
from django.db.models import Prefetch, prefetch_related_objects
from django.db.models.expressions import RawSQL
from django.db.models.sql.compiler import SQLCompiler, SQLInsertCompiler, SQLUpdateCompiler
from django.db.transaction import TransactionManagementError
from django.test.utils import CaptureQueriesContext

from league.matches import locks as locking
from league.matches.logs import submission
from league.matches.logs.submission import verify_record
from league.matches.models import Game, Match, Record, Result, Side, StoredVerdict
from league.matches.queries import match as page
from league.matches.queries.lines import logs_of
from league.matches.queries.match import match_page
from league.matches.results import services as results
from league.players.models import PEOPLE
from league.prepared_statements import KEPT_LENGTH, FixedInsert, FixedSelect, FixedSelects, FixedUpdate, Given, attach
from tests.league.world import NOON, played_log

pytestmark = pytest.mark.both


def test_the_row_that_is_due_is_djangos_value_by_value_and_type_by_type(world):
    for record in (world.submit(played_log(7)), world.submit(played_log(8), by=world.referee)):
        row = submission.DUE_ROW.get(record=record.pk)
        said = Record.objects.values_list(*results.DUE).get(pk=record.pk)
        assert [(type(one), one) for one in row] == [(type(one), one) for one in said]


def test_a_record_that_is_not_there_is_said_to_be_missing(world):
    with pytest.raises(Record.DoesNotExist):
        verify_record(0)


def test_the_locked_match_has_the_fields_that_were_asked_for(world):
    world.match = world.fixture(best_of=3)
    Match.objects.filter(pk=world.match.pk).update(state=Match.State.PLAYING)
    with transaction.atomic(), CaptureQueriesContext(connection) as statements:
        match = locking.locked_match(world.match.pk)
    assert (match, match.best_of, match.state) == (world.match, 3, "playing")
    assert {"id", "best_of", "state"}.isdisjoint(match.get_deferred_fields())
    assert match.ruleset == "udl", "the others are read when they are asked for"
    locks = connection.features.has_select_for_update
    assert statements.captured_queries[-1]["sql"].endswith("FOR UPDATE") == locks


def test_a_lock_outside_of_a_transaction_is_refused(shared_world):
    with pytest.raises(TransactionManagementError):
        locking.locked_match(shared_world.match.pk)


def verdict(record, **more):
    return StoredVerdict(
        record=record,
        status="corrected",
        scores={"A": 150, "B": 5},
        findings=[{"code": "wrong-total", "message": "100 % sure: %s, “ñ”, 'B'; \\ {}"}],
        rounds=[],
        chips=more.get("chips"),
        engine_edition=1,
        ruleset_edition=None,
        verified_at=NOON + timedelta(microseconds=1),
    )


@pytest.mark.parametrize("chips", [None, {"A": 30}, []])
def test_an_inserted_row_is_the_one_that_django_saves(world, chips):
    fixed, saved = world.submit(played_log(7)), world.submit(played_log(8))
    submission.NEW_VERDICT.run(verdict(fixed, chips=chips))
    verdict(saved, chips=chips).save(force_insert=True)
    one, other = StoredVerdict.objects.order_by("record").values()
    assert one.keys() == other.keys()
    assert [key for key in one if one[key] != other[key]] == ["id", "record_id"]


def test_an_inserted_result_has_the_defaults_of_the_model(world):
    record = world.submit(played_log())
    results.NEW_RESULT.run(Result(game=world.game, record=record, scores={"1": 5}, entered_at=NOON))
    one = Result.objects.get()
    assert (one.state, one.known_by, one.current, one.decided, one.winner) == ("provisional", "log", True, False, None)
    assert (one.scores, one.entered_at, one.confirmed_by) == ({"1": 5}, NOON, None)


def test_the_constraints_of_the_database_hold_and_spoil_the_transaction(world):
    record = world.submit(played_log())
    submission.NEW_VERDICT.run(verdict(record))
    with pytest.raises(TransactionManagementError), transaction.atomic():  # noqa: PT012 - the second statement raises
        with pytest.raises(IntegrityError):
            submission.NEW_VERDICT.run(verdict(record))
        StoredVerdict.objects.count()


def test_an_update_counts_its_rows_and_touches_no_others(world):
    record, other = world.submit(played_log(7)), world.submit(played_log(8))
    assert [submission.NOW_VERIFIED.run(record=record.pk) for _ in range(2)] == [1, 0]
    other.refresh_from_db()
    assert other.state == Record.State.RECEIVED


def test_a_value_that_was_not_given_is_an_error_not_a_null(world):
    with pytest.raises(KeyError):
        results.MATCH_STATE.run(match=world.match.pk)


def test_a_column_that_the_database_fills_in_is_left_to_django(world):
    row = verdict(world.submit(played_log()))
    row.verified_at = RawSQL("CURRENT_TIMESTAMP", [])  # as a field with `db_default` has it
    with pytest.raises(TypeError, match="StoredVerdict has a column"):
        FixedInsert(StoredVerdict).run(row)


def test_a_field_that_is_not_there_is_an_error_at_the_first_use(world):
    with pytest.raises(FieldDoesNotExist, match="colour"):
        FixedUpdate(lambda: Match.objects.filter(pk=Given("match")), colour="red").run(match=world.match.pk)


def test_the_current_results_of_a_match_are_djangos(world):
    world.match = world.fixture(best_of=3)
    for game, text in zip(world.match.games.select_related("match__league"), (7, 8), strict=False):
        verify_record(world.submit(played_log(text), game=game).pk)
    said = Result.objects.filter(game__match=world.match).values_list(*results.CURRENT)
    assert sorted(results.CURRENT_ROWS.rows(match=world.match.pk)) == sorted(list(row) for row in said)
    assert {type(one.needs_decision) for one in results.current(world.match)} == {bool}
    world.match = world.fixture()
    assert results.current(world.match) == []


def test_once_warm_a_verification_compiles_nothing(world):
    def two_logs(*seeds):
        """Of a match: its first, one of the next game."""
        world.match = world.fixture(best_of=3)
        one, two, _three = world.match.games.select_related("match__league").order_by("number")
        return [world.submit(played_log(seed), game=game) for seed, game in zip(seeds, (one, two), strict=True)]

    for record in two_logs(7, 8):
        verify_record(record.pk)
    again = two_logs(10, 11)
    no = mock.Mock(side_effect=AssertionError("compiled again"))
    with (
        mock.patch.object(SQLCompiler, "as_sql", no),
        mock.patch.object(SQLInsertCompiler, "as_sql", no),
        mock.patch.object(SQLUpdateCompiler, "as_sql", no),
    ):
        for record in again:
            verify_record(record.pk)
    assert [record.verdict.status for record in again] == ["verified"] * 2
    assert [record.result.current for record in again] == [True, True]


def same(one, other) -> bool:
    return [getattr(one, field.attname) for field in one._meta.concrete_fields] == [
        getattr(other, field.attname) for field in other._meta.concrete_fields
    ]


def test_the_models_of_a_match_are_djangos_with_their_relations_and_annotations(world):
    for seed in (7, 8):
        verify_record(world.submit(played_log(seed)).pk)
    given = {"match": world.match.pk}
    for fixed, build in (
        (page.SIDES, lambda: Side.objects.filter(match=world.match).select_related(*PEOPLE).order_by("number")),
        (page.GAMES, lambda: Game.objects.filter(match=world.match).annotate(**logs_of())),
        (page.RECORDS, lambda: Record.objects.select_related("submitted_by", "verdict").order_by("-turn", "-pk")),
        (page.RESULTS, lambda: Result.objects.filter(current=True).select_related("record")),
    ):
        found, said = fixed.models(**given), list(build())
        assert found
        assert [type(one) for one in found] == [type(one) for one in said]
        assert all(same(*pair) for pair in zip(found, said, strict=True))
        assert not any(one._state.adding for one in found)
    with CaptureQueriesContext(connection) as asked:
        [record, _older] = page.RECORDS.models(**given)
        [game] = page.GAMES.models(**given)
        assert (record.submitted_by, record.verdict.status) == (world.alice, "verified")
        assert (game.has_log, game.has_unchecked_log) == (True, False)
    assert len(asked) == 2


def test_attached_rows_are_read_filtered_and_related_as_prefetched_ones(world):
    fixed, said = [Match.objects.get(pk=world.match.pk) for _ in range(2)]
    prefetch_related_objects([said], "games", Prefetch("sides", Side.objects.order_by("number"), to_attr="seated"))
    attach(page.GAMES.models(match=fixed.pk), [fixed], "match", "games")
    attach(page.SIDES.models(match=fixed.pk), [fixed], "match", "seated", as_list=True)
    with CaptureQueriesContext(connection) as asked:
        for match in (fixed, said):
            assert [game.match for game in match.games.all()] == [match]
            assert [side.number for side in match.seated] == [1, 2]
            assert match.games.all()[0].match is match
    assert not asked
    other = world.fixture()
    assert [match.games.filter(match=other).exists() for match in (fixed, said)] == [False, False]


@pytest.mark.parametrize("number", [0, 1, 2, KEPT_LENGTH + 1])
def test_a_list_of_values_is_djangos(world, number):
    matches = [world.fixture().pk for _ in range(number)]
    found = SIDES_OF.models(matches)
    said = Side.objects.filter(match__in=matches).order_by("match", "number")
    assert found == list(said)
    assert SIDES_OF.models(matches[:1]) == [one for one in said if one.match_id in matches[:1]]


SIDES_OF = FixedSelects(lambda matches: Side.objects.filter(match__in=matches).order_by("match", "number"))


def test_a_statement_is_compiled_once_for_all_threads(shared_world):
    fixed = FixedSelect(lambda: Match.objects.filter(pk=Given("match")))

    def ask() -> object:
        try:
            return fixed.model(match=shared_world.match.pk)
        finally:
            connection.close()

    with mock.patch.object(SQLCompiler, "as_sql", autospec=True, side_effect=SQLCompiler.as_sql) as compiled:
        for _ in range(3):
            with ThreadPoolExecutor(1) as thread:
                assert thread.submit(ask).result() == shared_world.match
    assert compiled.call_count == 1


def test_the_page_of_a_match_compiles_nothing_once_warm(world):
    verify_record(world.submit(played_log(7)).pk)
    for user in (world.alice, AnonymousUser()):
        match_page(user, world.match.pk)
        with mock.patch.object(SQLCompiler, "as_sql", mock.Mock(side_effect=AssertionError("compiled again"))):
            assert match_page(user, world.match.pk).games[0].verdict.status == "verified"


def test_a_match_that_the_asker_may_not_see_is_missing(world):
    Match.objects.update(published_at=None)
    for user in (AnonymousUser(), world.alice, world.charlie):
        with pytest.raises(Match.DoesNotExist):
            match_page(user, world.match.pk)
    assert match_page(world.owner, world.match.pk).match == world.match
