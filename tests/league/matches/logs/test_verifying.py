"""From a stored log to a verdict and a result: DESIGN.md 4.8."""

import threading
from contextlib import nullcontext
from types import SimpleNamespace

import pytest
from django.db import IntegrityError, connection, transaction
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from games.rulesets import get
from league.accounts.models import League
from league.competitions.queries.inbox import inbox
from league.house.mistakes import cut_short, misspelt, with_broken_rule, with_illegal_play, with_wrong_total
from league.matches import permissions, tasks
from league.matches.knowledge_level import Known, known_as
from league.matches.logs import submission
from league.matches.logs.submission import confirm_result, submit_log, verify_record
from league.matches.models import Match, Record, Result, StoredVerdict
from league.matches.results.reviews import choose
from league.matches.signals import match_decided
from referee import EDITION, verify_text
from tests.league.processes import PATIENCE
from tests.league.world import NOON, play, played_log, without_hands

MOST_STATEMENTS = 12
MOST_WITH_ANOTHER = 18  # somebody else said something about the game; one asks whether a dispatcher has a free table


def handed_in(world, text, **changes):
    record = world.submit(text, **changes)
    verify_record(record.pk)
    record.refresh_from_db()
    return record


def current(world):
    return Result.objects.filter(game=world.game, current=True).first()


def state(world):
    return Match.objects.get(pk=world.match.pk).state


def test_a_verified_log_gives_a_provisional_result_with_the_scores_of_the_book(world):
    game = play()
    record = handed_in(world, played_log())
    result = current(world)
    assert record.state == Record.State.VERIFIED
    assert record.verdict.status == "verified"
    assert result.scores == {"1": game.scores["A"], "2": game.scores["B"]}
    assert (result.winner, result.ended) == ({"A": 1, "B": 2}[game.winner], game.ended)
    assert (result.state, result.known_by, result.needs_decision) == ("provisional", "log", False)
    assert result.record == record
    assert state(world) == "provisional"


def test_sides_that_sit_the_other_way_round_get_their_own_points(world):
    game = play(names=("Bo Chen", "Ana Ruiz"))
    handed_in(world, played_log(names=("Bo Chen", "Ana Ruiz")))
    result = current(world)
    assert result.scores == {"2": game.scores["A"], "1": game.scores["B"]}
    assert result.winner == {"A": 2, "B": 1}[game.winner]


def test_the_stored_verdict_is_the_referees_without_the_plays_and_with_the_editions(world):
    record = handed_in(world, played_log())
    stored = record.verdict
    said = verify_text(record.sealed.text)[0].as_json(plays=False, stored=True)
    assert {
        "status": stored.status,
        "evidence": stored.evidence,
        "scores": stored.scores,
        "winner": stored.winner,
        "ended": stored.ended,
        "rounds": stored.rounds,
        "rulings": stored.rulings,
        "findings": stored.findings,
        "chips": stored.chips,
    } == {key: value for key, value in said.items() if key not in {"file", "game", "ruleset", "seats"}}
    assert (stored.engine_edition, stored.ruleset_edition) == (EDITION, get("udl").edition)


def test_a_wrong_total_is_corrected_and_the_result_has_the_right_score(world):
    game = play()
    record = handed_in(world, with_wrong_total(played_log()))
    assert record.verdict.status == "corrected"
    assert [finding["code"] for finding in record.verdict.findings].count("wrong-total") == 1
    assert current(world).scores == {"1": game.scores["A"], "2": game.scores["B"]}


def test_a_broken_rule_gives_a_result_that_needs_a_decision(world):
    record = handed_in(world, with_broken_rule(played_log()))
    assert record.verdict.status == "violation"
    assert (current(world).state, current(world).needs_decision) == ("provisional", True)
    assert state(world) == "provisional"


@pytest.mark.parametrize(
    ("mistake", "status"), [(with_illegal_play, "impossible"), (cut_short, "incomplete"), (misspelt, "unreadable")]
)
def test_an_illegal_an_unfinished_and_an_unreadable_log_give_no_result_and_are_kept(world, mistake, status):
    record = handed_in(world, mistake(played_log()))
    assert record.verdict.status == status
    assert record.verdict.findings != []
    assert (current(world), state(world)) == (None, "scheduled")
    assert record.sealed.text != ""
    # A mended log then gives one, and names the log before it.
    mended = handed_in(world, played_log())
    assert (mended.replaces, current(world).record) == (record, mended)


def test_an_unreadable_log_says_line_column_and_what_was_expected(world):
    text = misspelt(played_log())
    line = next(number for number, one in enumerate(text.split("\n"), start=1) if "first tile" in one)
    [finding] = handed_in(world, text).verdict.findings
    assert (finding["line"], finding["code"], finding["severity"]) == (line, "syntax", "impossible")
    assert finding["column"] > 1
    assert "expected" in finding["message"]


def said(world):
    """Of each result of the game, in order: whose it is, whether it counts, whether it is contested."""
    return [(one.record.submitted_by, one.current, one.contested) for one in Result.objects.order_by("pk")]


def test_a_newer_log_takes_the_place_of_one_of_the_same_side(world):
    first = handed_in(world, played_log(7))
    second = handed_in(world, played_log(8))
    assert said(world) == [(world.alice, False, False), (world.alice, True, False)]
    assert (second.replaces, state(world)) == (first, "provisional")


def test_two_logs_of_different_sides_that_differ_put_the_game_under_review(world):
    handed_in(world, played_log(7))
    handed_in(world, played_log(8), by=world.bob)
    assert said(world) == [(world.alice, False, True), (world.bob, True, True)]
    result = current(world)
    assert (result.needs_decision, result.state, state(world)) == (True, "provisional", "provisional")
    for user in (world.alice, world.bob):
        with pytest.raises(permissions.NotAllowed):
            confirm_result(result=result, user=user)


def test_whoever_hands_in_what_the_other_side_did_accepts_it(world):
    handed_in(world, played_log(7))
    handed_in(world, played_log(8), by=world.bob)
    handed_in(world, played_log(7), by=world.bob)
    assert said(world) == [(world.alice, False, False), (world.bob, False, False), (world.bob, True, False)]
    assert (current(world).state, current(world).confirmed_how, state(world)) == ("official", "agreed", "decided")


def test_an_official_takes_one_of_two_logs_that_differ(world):
    first = handed_in(world, played_log(7))
    handed_in(world, played_log(8), by=world.bob)
    choose(Result.objects.get(record=first), world.referee, reason="the card says so")
    assert (current(world).record, current(world).state, state(world)) == (first, "official", "decided")
    assert not Result.objects.filter(contested=True).exists()


def test_a_newer_log_without_a_result_leaves_the_provisional_one(world):
    first = handed_in(world, played_log())
    handed_in(world, with_illegal_play(played_log()), by=world.bob)
    assert (current(world).record, state(world)) == (first, "provisional")


def test_an_older_log_verified_late_does_not_displace_the_newer(world):
    first, second = world.submit(played_log(7)), world.submit(played_log(8))
    verify_record(second.pk)
    verify_record(first.pk)
    assert current(world).record == second
    assert StoredVerdict.objects.count() == 2


def test_a_log_verified_after_the_result_became_official_changes_nothing(world):
    League.objects.update(confirmation_required=False)
    first, second = world.submit(played_log(7)), world.submit(played_log(8))
    verify_record(first.pk)
    verify_record(second.pk)
    assert (current(world).record, current(world).state) == (first, "official")
    assert second.verdict.status == "verified"


def test_verifying_twice_has_one_effect(world):
    record = handed_in(world, played_log())
    before = list(StoredVerdict.objects.values()), list(Result.objects.values())
    with CaptureQueriesContext(connection) as statements:
        verify_record(record.pk)
    assert len(statements) == 1
    assert (list(StoredVerdict.objects.values()), list(Result.objects.values())) == before


def test_two_workers_on_one_record_make_one_verdict_and_one_result(shared_world, monkeypatch):
    record = shared_world.submit(played_log())
    barrier, errors, judge = threading.Barrier(2, timeout=PATIENCE), [], submission.judge

    def judge_together(one):
        barrier.wait()  # both have read the record as not verified
        return judge(one)

    monkeypatch.setattr(submission, "judge", judge_together)

    def work():
        try:
            verify_record(record.pk)
        except Exception as error:
            errors.append(error)
        finally:
            connection.close()

    workers = [threading.Thread(target=work) for _ in range(2)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert errors == []
    assert (StoredVerdict.objects.count(), Result.objects.count()) == (1, 1)


def test_verification_takes_at_most_twelve_statements_transaction_included(shared_world):
    world = shared_world
    record = world.submit(played_log(7))
    with CaptureQueriesContext(connection) as statements:
        verify_record(record.pk)
    assert len(statements.captured_queries) <= MOST_STATEMENTS


@pytest.mark.parametrize("confirmation", [True, False])
def test_a_log_beside_another_takes_a_few_statements_more(shared_world, confirmation):
    world = shared_world
    League.objects.update(confirmation_required=confirmation)
    verify_record(world.submit(played_log(7), by=world.referee).pk)
    if not confirmation:  # the game has to be open for the second log
        Result.objects.update(state="provisional")
        Match.objects.update(state="playing")
    second = world.submit(played_log(8))  # the longest way: it differs from an official's
    with CaptureQueriesContext(connection) as statements:
        verify_record(second.pk)
    said = [one["sql"].split()[0] for one in statements.captured_queries]
    assert said[0] == "SELECT"
    assert {"BEGIN", "COMMIT"} <= set(said)
    assert len(said) <= MOST_WITH_ANOTHER, "\n".join(one["sql"] for one in statements.captured_queries)
    assert current(world).record == second


# --- Confirmation ---


@pytest.fixture
def decided():
    found = []

    def listen(*, match_id, winner, **_):
        found.append((match_id, winner))

    match_decided.connect(listen)
    yield found
    match_decided.disconnect(listen)


def test_confirmed_by_the_other_side_the_result_is_official_and_others_are_told(
    world, decided, django_capture_on_commit_callbacks
):
    handed_in(world, played_log())
    with django_capture_on_commit_callbacks(execute=True):
        result = confirm_result(result=current(world), user=world.bob, at=NOON)
    result.refresh_from_db()
    assert (result.state, result.confirmed_by, result.confirmed_at) == ("official", world.bob, NOON)
    assert state(world) == "decided"
    assert decided == [(world.match.pk, result.winner)]


def test_confirming_what_is_official_is_refused(world):
    handed_in(world, played_log())
    confirm_result(result=current(world), user=world.bob)
    with pytest.raises(submission.Refused) as caught:
        confirm_result(result=current(world), user=world.referee)
    assert caught.value.code == "already-official"
    assert current(world).confirmed_by == world.bob


def test_confirming_a_result_that_was_replaced_meanwhile_is_refused(world):
    handed_in(world, played_log(7))
    seen = current(world)
    handed_in(world, played_log(8))
    with pytest.raises(submission.Refused) as caught:
        confirm_result(result=seen, user=world.bob)
    assert caught.value.code == "no-result"
    assert current(world).state == "provisional"


def test_a_decision_by_an_official_makes_a_broken_rules_result_official(world):
    handed_in(world, with_broken_rule(played_log()))
    confirm_result(result=current(world), user=world.referee)
    assert (current(world).state, current(world).needs_decision, state(world)) == ("official", False, "decided")
    assert (current(world).decided, current(world).confirmed_by) == (True, world.referee)


def test_a_result_that_needed_no_decision_was_confirmed_and_not_decided(world):
    handed_in(world, played_log())
    confirm_result(result=current(world), user=world.referee)
    assert (current(world).decided, current(world).confirmed_by) == (False, world.referee)


def test_the_database_keeps_no_decision_without_who_took_it(world):
    handed_in(world, with_broken_rule(played_log()))
    with pytest.raises(IntegrityError), transaction.atomic():
        Result.objects.update(decided=True, needs_decision=False)


def test_without_confirmation_a_proven_result_is_official_at_once(world, decided, django_capture_on_commit_callbacks):
    League.objects.update(confirmation_required=False)
    with django_capture_on_commit_callbacks(execute=True):
        handed_in(world, played_log())
    assert (current(world).state, current(world).confirmed_by, state(world)) == ("official", None, "decided")
    assert decided == [(world.match.pk, current(world).winner)]


def test_without_confirmation_a_broken_rule_still_needs_a_decision(world, decided):
    League.objects.update(confirmation_required=False)
    handed_in(world, with_broken_rule(played_log()))
    assert (current(world).state, current(world).needs_decision, state(world)) == ("provisional", True, "provisional")
    assert decided == []


def test_a_best_of_three_is_decided_by_two_games(world, decided, django_capture_on_commit_callbacks):
    world.match = world.fixture(best_of=3)
    games = list(world.match.games.select_related("match__league").order_by("number"))
    winner = play(7).winner
    seeds = [7, next(seed for seed in range(8, 50) if play(seed).winner == winner)]
    states = []
    for game, seed in zip(games, seeds, strict=False):
        with django_capture_on_commit_callbacks(execute=True):
            handed_in(world, played_log(seed), game=game)
            confirm_result(result=Result.objects.get(game=game), user=world.bob)
        states.append(state(world))
    assert states == ["playing", "decided"]
    assert [match for match, _winner in decided] == [world.match.pk]
    with pytest.raises(submission.Refused) as caught:
        submit_log(game=games[2], user=world.alice, raw=played_log(9).encode())
    assert caught.value.code == "match-decided"


def test_in_a_decided_match_no_other_game_counts_any_more(world, decided, django_capture_on_commit_callbacks):
    world.match = world.fixture(best_of=3)
    games = list(world.match.games.select_related("match__league").order_by("number"))
    winner = play(7).winner
    seeds = [7, *(seed for seed in range(8, 60) if play(seed).winner == winner)][:3]
    records = [world.submit(played_log(seed), game=game) for game, seed in zip(games, seeds, strict=True)]
    for record in records[:2]:
        verify_record(record.pk)
    late = world.submit(played_log(seeds[2] + 100), game=games[2])
    verify_record(records[2].pk)
    with django_capture_on_commit_callbacks(execute=True):
        for game in games[:2]:
            confirm_result(result=Result.objects.get(game=game), user=world.bob)
    assert (state(world), len(decided)) == ("decided", 1)
    verify_record(late.pk)
    left = Result.objects.get(game=games[2])
    assert (left.record, left.state) == (records[2], "provisional"), "the late log got a verdict and no result"
    assert StoredVerdict.objects.filter(record=late).exists()
    with pytest.raises(submission.Refused) as caught:
        confirm_result(result=left, user=world.bob)
    assert caught.value.code == "match-decided"
    assert inbox(world.bob) == []
    assert (state(world), len(decided)) == ("decided", 1)


def test_the_same_log_with_other_line_ends_is_the_same_log(world):
    text = played_log()
    first = world.submit(text)
    for spelt in (text.replace("\n", "\r\n"), "\ufeff" + text):
        again = submit_log(game=world.game, user=world.alice, raw=spelt.encode())
        assert (again.record, again.created) == (first, False)


def test_of_two_who_confirm_at_once_one_does_and_the_other_is_told(shared_world):
    handed_in(shared_world, played_log())
    result, barrier, found = current(shared_world), threading.Barrier(2, timeout=PATIENCE), []

    def confirm(user):
        try:
            barrier.wait()
            found.append(confirm_result(result=result, user=user).confirmed_by)
        except submission.Refused as refused:
            found.append(refused.code)
        finally:
            connection.close()

    threads = [threading.Thread(target=confirm, args=(user,)) for user in (shared_world.bob, shared_world.referee)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found.count("already-official") == 1
    assert current(shared_world).confirmed_by in found


def test_with_the_lock_away_two_confirmations_both_pass(shared_world, monkeypatch):
    # The control of the test before: both read before either writes.
    handed_in(shared_world, played_log())
    result, barrier, found = current(shared_world), threading.Barrier(2, timeout=PATIENCE), []
    allowed = permissions.why_not_confirm
    no_transaction = SimpleNamespace(atomic=nullcontext, on_commit=lambda act: act())
    monkeypatch.setattr(submission, "transaction", no_transaction)
    monkeypatch.setattr(submission, "locked_match", lambda match_id: Match.objects.get(pk=match_id))

    def meet(one, now):
        barrier.wait()  # both have read the result as provisional
        return allowed(one, now)

    monkeypatch.setattr(submission.permissions, "why_not_confirm", meet)

    def confirm(user):
        try:
            found.append(confirm_result(result=result, user=user).confirmed_by)
        finally:
            connection.close()

    threads = [threading.Thread(target=confirm, args=(user,)) for user in (shared_world.bob, shared_world.referee)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert set(found) == {shared_world.bob, shared_world.referee}


# --- Tasks ---


def test_the_task_is_given_an_id_and_calls_the_service(world):
    record = world.submit(played_log())
    tasks.verify_record(record.pk)
    record.refresh_from_db()
    assert record.state == Record.State.VERIFIED


def test_the_sweep_finds_what_was_missed_and_leaves_the_young_to_their_messages(world):
    missed = submit_log(
        game=world.game, user=world.alice, raw=played_log(7).encode(), at=NOON.replace(year=2020)
    ).record
    young = world.submit(played_log(8))
    assert tasks.sweep() == 1
    missed.refresh_from_db()
    young.refresh_from_db()
    assert (missed.state, young.state) == ("verified", "received")
    assert tasks.sweep() == 0


def test_one_record_that_fails_does_not_stop_the_sweep(world, monkeypatch, caplog):
    old = NOON.replace(year=2020)
    first, second = (
        submit_log(game=world.game, user=world.alice, raw=played_log(seed).encode(), at=old).record for seed in (7, 8)
    )
    judge = submission.judge

    def fails_on_the_first(due):
        if due.record_id == first.pk:
            raise RuntimeError("a fault of the engine")
        return judge(due)

    monkeypatch.setattr(submission, "judge", fails_on_the_first)
    assert tasks.sweep() == 2
    second.refresh_from_db()
    assert second.state == "verified"
    assert f"record {first.pk}" in caplog.text


def test_a_log_whose_points_nobody_saw_is_known_like_a_checked_card(world):
    handed_in(world, without_hands(played_log()))
    result = current(world)
    verdict = result.record.verdict
    assert (verdict.status, verdict.points_on_word) == ("consistent", 25)
    assert (result.known_by, result.needs_decision, result.state) == ("card", False, "provisional")
    assert known_as(result.known_by, verdict.status) == Known("card", proved=False)


def test_a_false_total_does_not_lift_such_a_log(world):
    handed_in(world, without_hands(with_wrong_total(played_log())))
    result = current(world)
    assert (result.record.verdict.status, result.known_by) == ("corrected", "card")


@pytest.mark.parametrize("level", ["log", "tally"])
def test_where_more_than_a_card_is_asked_for_such_a_result_needs_a_decision(world, level):
    Match.objects.update(level=level)
    handed_in(world, without_hands(played_log()))
    result = current(world)
    assert (result.known_by, result.needs_decision, result.state) == ("card", True, "provisional")


def test_the_match_page_says_how_many_points_rest_on_the_record(world, client):
    handed_in(world, without_hands(played_log()))
    text = client.get(reverse("matches:detail", args=[world.match.pk])).content.decode()
    assert "25 points are as written." in text
    assert "Plays checked" in text
    assert "Verified from the log" not in text
