"""An earlier log handed in again counts again, as long as nothing is official; no text is stored twice."""

import threading
from contextlib import nullcontext
from types import SimpleNamespace

import pytest
from django.db import connection

from league.accounts.models import League
from league.house.mistakes import with_broken_rule, with_illegal_play
from league.matches import permissions
from league.matches.logs import submission
from league.matches.logs.submission import Refused, Submission, confirm_result, submit_log, verify_record
from league.matches.models import Match, Record, Result, SealedLog, StoredVerdict, Upload
from league.matches.queries.match import match_page
from tests.league.processes import PATIENCE
from tests.league.world import played_log

X, Y = played_log(7), played_log(8)


def hand_in(world, text, by=None):
    return submit_log(game=world.game, user=by or world.alice, raw=text.encode())


def verified(world, text, by=None):
    record = hand_in(world, text, by).record
    verify_record(record.pk)
    record.refresh_from_db()
    return record


def standing(world):
    """The record that counts."""
    return Record.objects.get(result__current=True, game=world.game)


def test_an_earlier_log_counts_again_and_no_row_is_added(world):
    x, y = verified(world, X), verified(world, Y)
    before = Result.objects.get(record=x)
    again = hand_in(world, X)
    assert again == Submission(x, created=False, restored=True)
    assert list(Result.objects.values_list("record", "current")) == [(x.pk, True), (y.pk, False)]
    after = Result.objects.get(record=x)
    assert (after.pk, after.scores, after.state) == (before.pk, before.scores, "provisional")
    assert after.entered_at > before.entered_at
    assert [model.objects.count() for model in (Record, SealedLog, Upload, StoredVerdict)] == [2, 2, 2, 2]
    x.refresh_from_db()
    assert (x.replaces, x.submitted_by) == (None, world.alice)
    [view] = match_page(world.alice, world.match.pk).games
    assert (view.record, view.newer, view.records) == (x, None, [x, y])


def test_a_restored_log_handed_in_once_more_changes_nothing(world):
    x, _y = verified(world, X), verified(world, Y)
    hand_in(world, X)
    rows = list(Record.objects.values()), list(Result.objects.values())
    assert hand_in(world, X) == Submission(x, created=False)
    assert (list(Record.objects.values()), list(Result.objects.values())) == rows


def test_the_two_logs_can_take_turns_and_a_third_follows_the_one_that_counts(world):
    x, y = verified(world, X), verified(world, Y)
    for text, record in ((X, x), (Y, y), (X, x)):
        assert hand_in(world, text).restored
        assert standing(world) == record
    z = verified(world, played_log(9))
    assert (z.replaces, standing(world)) == (x, z)


def test_an_earlier_log_restored_before_its_verdict_counts_when_it_has_one(world):
    x, y = hand_in(world, X).record, hand_in(world, Y).record
    assert hand_in(world, X) == Submission(x, created=False, restored=True)
    verify_record(x.pk)
    verify_record(y.pk)
    assert standing(world) == x


def test_a_newer_log_verified_after_the_earlier_was_restored_stays_behind_it(world):
    x = verified(world, X)
    y = hand_in(world, Y).record
    assert hand_in(world, X).restored
    verify_record(y.pk)
    assert (standing(world), Result.objects.get(record=y).current) == (x, False)
    assert hand_in(world, Y).restored
    assert standing(world) == y


def test_a_log_restored_while_it_is_replayed_counts(world, monkeypatch):
    x, y = hand_in(world, X).record, hand_in(world, Y).record
    verify_record(y.pk)
    judge = submission.judge

    def restored_meanwhile(due):
        assert hand_in(world, X).restored
        return judge(due)

    monkeypatch.setattr(submission, "judge", restored_meanwhile)
    verify_record(x.pk)
    assert standing(world) == x


def test_an_earlier_log_that_gives_no_result_leaves_the_latest_and_says_why(world):
    x, y = verified(world, with_illegal_play(X)), verified(world, Y)
    assert hand_in(world, with_illegal_play(X)) == Submission(x, created=False, no_result="impossible")
    assert (standing(world), Record.objects.order_by("turn", "pk").last()) == (y, y)


def test_an_earlier_log_that_counts_because_the_newer_gave_no_result_is_as_it_was(world):
    x = verified(world, X)
    verified(world, with_illegal_play(Y))
    assert hand_in(world, X) == Submission(x, created=False)
    assert standing(world) == x


def test_once_a_result_is_official_an_earlier_log_changes_nothing(world):
    x, y = verified(world, X), verified(world, Y)
    confirm_result(result=Result.objects.get(record=y), user=world.bob)
    assert hand_in(world, X) == Submission(x, created=False)
    assert (standing(world), Result.objects.get(current=True).state) == (y, "official")


def test_the_result_of_a_restored_log_is_confirmed_by_the_other_side(world):
    verified(world, X)
    verified(world, Y)
    hand_in(world, X)
    result = Result.objects.get(current=True)
    with pytest.raises(Refused) as caught:
        confirm_result(result=result, user=world.alice)
    assert caught.value.code == "own-submission"
    assert confirm_result(result=result, user=world.bob).state == "official"


def test_without_confirmation_a_restored_proven_result_is_official_at_once(world):
    y = verified(world, Y)
    verified(world, with_broken_rule(X))
    League.objects.update(confirmation_required=False)
    assert hand_in(world, Y).restored
    assert (standing(world), Result.objects.get(current=True).state) == (y, "official")
    assert Match.objects.get(pk=world.match.pk).state == "decided"


def at_once(*acts):
    """What each gave, or the code of its refusal, when all began together."""
    barrier, found = threading.Barrier(len(acts), timeout=PATIENCE), {}

    def run(number, act):
        try:
            barrier.wait()
            found[number] = act()
        except Refused as refused:
            found[number] = refused.code
        except Exception as error:
            found[number] = error
        finally:
            connection.close()

    threads = [threading.Thread(target=run, args=one) for one in enumerate(acts)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return [found[number] for number in range(len(acts))]


def test_of_two_who_restore_at_once_one_does_and_the_other_finds_it_done(shared_world):
    world = shared_world
    x, y = verified(world, X), verified(world, Y)
    found = at_once(lambda: hand_in(world, X), lambda: hand_in(world, X))
    assert sorted(one.restored for one in found) == [False, True]
    assert (standing(world), Result.objects.count(), Record.objects.count()) == (x, 2, 2)
    y.refresh_from_db()
    x.refresh_from_db()
    assert (y.turn, x.turn) == (0, 1)


def test_a_restored_log_and_a_confirmation_at_once_leave_one_of_the_two(shared_world):
    world = shared_world
    x, y = verified(world, X), verified(world, Y)
    result = Result.objects.select_related("game__match__league").get(record=y)
    restored, confirmed = at_once(lambda: hand_in(world, X), lambda: confirm_result(result=result, user=world.bob))
    if confirmed == "no-result":
        assert (restored.restored, standing(world)) == (True, x)
    else:
        assert (confirmed.state, restored.restored, standing(world)) == ("official", False, y)


# --- Confirming while a newer log is being checked ---


def test_no_result_is_confirmed_while_a_newer_log_is_being_checked(world):
    x = verified(world, X)
    result = Result.objects.get(record=x)
    assert match_page(world.bob, world.match.pk).games[0].may_confirm
    y = hand_in(world, Y).record
    with pytest.raises(Refused) as caught:
        confirm_result(result=result, user=world.bob)
    assert (caught.value.code, str(caught.value)) == (
        "being-checked",
        "A log of this game is being checked. Wait for its verdict.",
    )
    [view] = match_page(world.bob, world.match.pk).games
    assert (view.may_confirm, view.being_checked, view.record) == (False, True, x)
    verify_record(y.pk)
    [view] = match_page(world.bob, world.match.pk).games
    assert (view.may_confirm, view.being_checked, view.record) == (True, False, y)


def test_an_older_log_still_unchecked_holds_up_no_confirmation(world):
    hand_in(world, X)
    y = verified(world, Y)
    assert match_page(world.bob, world.match.pk).games[0].may_confirm
    assert confirm_result(result=Result.objects.get(record=y), user=world.bob).state == "official"


def test_a_newer_log_without_a_result_lets_the_standing_one_be_confirmed(world):
    x = verified(world, X)
    verified(world, with_illegal_play(Y))
    assert confirm_result(result=Result.objects.get(record=x), user=world.bob).state == "official"


def test_a_log_and_a_confirmation_at_once_never_both_pass(shared_world):
    world = shared_world
    x = verified(world, X)
    result = Result.objects.select_related("game__match__league").get(record=x)
    submitted, confirmed = at_once(lambda: hand_in(world, Y), lambda: confirm_result(result=result, user=world.bob))
    if confirmed == "being-checked":
        assert submitted.created
    else:
        assert (submitted, confirmed.state) == ("already-official", "official")
    assert Result.objects.get(record=x).state == ("provisional" if confirmed == "being-checked" else "official")


def confirmed_while_a_log_comes_in(world, monkeypatch):
    """What became of a log that is handed in after the confirmation has read that no newer one waits, and the
    confirmed result.
    """
    x = verified(world, X)
    result = Result.objects.select_related("game__match__league").get(record=x)
    allowed, game, came = permissions.why_not_confirm, world.game, []

    def come():
        try:
            came.append(submit_log(game=game, user=world.alice, raw=Y.encode()).created)
        except Refused as refused:
            came.append(refused.code)
        finally:
            connection.close()

    newcomer = threading.Thread(target=come)

    def in_between(one, now):
        newcomer.start()
        newcomer.join(timeout=0.5)
        return allowed(one, now)

    monkeypatch.setattr(permissions, "why_not_confirm", in_between)
    confirmed = confirm_result(result=result, user=world.bob)
    newcomer.join()
    return came, confirmed.state


def test_a_log_that_comes_in_during_a_confirmation_waits_for_it_and_is_refused(shared_world, monkeypatch):
    assert confirmed_while_a_log_comes_in(shared_world, monkeypatch) == (["already-official"], "official")
    assert Record.objects.count() == 1


def test_with_the_lock_away_the_log_and_the_confirmation_would_both_pass(shared_world, monkeypatch):
    # The control of the test before.
    no_transaction = SimpleNamespace(atomic=nullcontext, on_commit=lambda act: None)
    monkeypatch.setattr(submission, "transaction", no_transaction)
    monkeypatch.setattr(submission, "locked_match", lambda match_id: Match.objects.get(pk=match_id))
    assert confirmed_while_a_log_comes_in(shared_world, monkeypatch) == ([True], "official")


# --- A log that differs from that of somebody else ---


def under_review(world):
    result = Result.objects.get(current=True)
    return result.contested and result.needs_decision


@pytest.mark.parametrize("official_first", [True, False])
def test_a_players_log_and_an_officials_that_differ_wait_for_a_decision(world, official_first):
    for official in (official_first, not official_first):
        verified(world, X if official else Y, world.referee if official else None)
    assert under_review(world)
    [view] = match_page(world.bob, world.match.pk).games
    assert not view.may_confirm
    with pytest.raises(Refused) as caught:
        confirm_result(result=view.result, user=world.bob)
    assert caught.value.code == "under-review"
    # A second log of the player does not get around it, but one that says what the official's says agrees with it.
    verified(world, played_log(9))
    assert under_review(world)
    verified(world, X)
    assert not under_review(world)
    assert Result.objects.get(current=True).state == "official"


def test_without_confirmation_logs_that_differ_are_not_official(world):
    verified(world, with_broken_rule(X), world.referee)
    League.objects.update(confirmation_required=False)
    verified(world, Y)
    assert (under_review(world), Result.objects.get(current=True).state) == (True, "provisional")
