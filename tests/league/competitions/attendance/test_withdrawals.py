"""Withdrawals: forfeits of the matches left, and the way back."""

from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from league.accounts.models import League, Role
from league.competitions.attendance import withdrawals
from league.competitions.attendance.late_entries import walk_in
from league.competitions.attendance.withdrawals import forfeit_left, undo_withdrawal, withdraw
from league.competitions.draw.advancing import advance
from league.competitions.draw.publishing import publish, publish_matchday
from league.competitions.draw.rebuilding import differences
from league.competitions.draw.stages import draw, draw_next
from league.competitions.integrity.draws import draw_differences
from league.competitions.models import Competition, Matchday, Registration, Withdrawal
from league.competitions.queries.check_in import gone
from league.competitions.registration.fees import let_off
from league.errors import NotAllowed, Refused
from league.matches.integrity.running import check_range
from league.matches.logs.submission import confirm_result
from league.matches.models import KnownBy, Match, Record, Result
from league.matches.results.entering import enter_sheet, undo_entry
from league.players.services import erase
from tests.league.competitions.cup import drafted, enter_result, names, published, slot
from tests.league.competitions.draw.test_advancing import both_at_once
from tests.league.tampering import drop_triggers
from tests.league.world import person

ROUND_ROBIN = "round_robin"


def leave(cup, entrant, user, reason="goes home"):
    return withdraw(cup, entrant, user=user, reason=reason)


def refused(act, *arguments, **more):
    with pytest.raises(Refused) as caught:
        act(*arguments, **more)
    return caught.value.code


def results(cup):
    found = Result.objects.filter(game__match__slot__matchday__stage__competition=cup, current=True)
    return sorted(
        (str(one), one.winner, one.ended, one.known_by, one.state, one.record.reason)
        for one in found.select_related("record")
    )


def decided(cup):
    return Match.objects.filter(slot__matchday__stage__competition=cup, state=Match.State.DECIDED).count()


def test_in_a_draft_who_withdraws_is_taken_out(world):
    cup = drafted(world, 4)
    assert leave(cup, world.ana, world.owner, "") is None
    assert [str(row.entrant) for row in cup.registrations.order_by("seed")] == ["Bo Chen", "P3", "P4"]
    assert not Withdrawal.objects.exists()


def test_what_is_played_stands_and_the_rest_is_forfeited_to_the_target(at_once):
    cup = published(at_once, 4, format=ROUND_ROBIN)
    first = Match.objects.get(slot__matchday__number=1, sides__entrant=at_once.ana)
    enter_result(at_once, first, 1)
    advance(first.pk)
    leave(cup, at_once.ana, at_once.owner)
    assert results(cup) == [
        ("0–150", 2, "forfeit", KnownBy.RULED, "official", "goes home"),
        ("150–0", 1, "forfeit", KnownBy.RULED, "official", "goes home"),
        ("150–95", 1, "target", KnownBy.LOG, "official", ""),
    ]
    assert decided(cup) == 3


def test_best_of_three_forfeits_as_many_games_as_the_other_side_needs(at_once):
    cup = published(at_once, 2, best_of=3, options={"target": 100})
    leave(cup, at_once.bo, at_once.owner)
    assert [row[:2] for row in results(cup)] == [("100–0", 1), ("100–0", 1)]
    assert decided(cup) == 1


def test_where_results_are_confirmed_somebody_else_confirms_the_forfeit(world):
    cup = published(world, 4)
    leave(cup, world.ana, world.owner)
    [result] = Result.objects.filter(current=True)
    assert (result.state, decided(cup)) == (Result.State.PROVISIONAL, 0)
    confirm_result(result=result, user=world.referee)
    advance(result.game.match_id)
    assert (decided(cup), names(cup, 2)) == (1, [["P4", None]])


def test_the_bracket_moves_on_and_what_it_would_bring_is_forfeited_too(at_once, django_capture_on_commit_callbacks):
    cup = published(at_once, 4)
    semi = slot(cup, 1, 1).match
    enter_result(at_once, semi, 1)
    advance(semi.pk)
    with django_capture_on_commit_callbacks(execute=True):
        leave(cup, at_once.ana, at_once.owner)
    assert decided(cup) == 1, "nobody is there yet to win the final"
    other = slot(cup, 1, 2).match
    enter_result(at_once, other, 1)
    with django_capture_on_commit_callbacks(execute=True):
        advance(other.pk)
    final = slot(cup, 2, 1).match
    assert (final.state, [str(one) for one in Result.objects.filter(game__match=final)]) == ("decided", ["0–150"])
    assert cup.stages.get().finished_at is not None


def test_a_match_of_two_who_have_left_waits_for_an_official(at_once):
    cup = published(at_once, 4)
    for place in (1, 2):
        semi = slot(cup, 1, place).match
        enter_result(at_once, semi, 1)
        advance(semi.pk) if place == 1 else None
    leave(cup, at_once.ana, at_once.owner)
    leave(cup, at_once.bo, at_once.owner)
    advance(slot(cup, 1, 2).match_id)
    assert slot(cup, 2, 1).match.state == Match.State.SCHEDULED


def test_who_comes_back_wins_against_somebody_who_left_meanwhile(at_once):
    cup = published(at_once, 2)
    mine = leave(cup, at_once.ana, at_once.owner)
    leave(cup, at_once.bo, at_once.owner)
    assert [row[:2] for row in results(cup)] == [("0–150", 2)]
    assert undo_withdrawal(mine, user=at_once.owner)
    assert [row[:2] for row in results(cup)] == [("150–0", 1)]


def test_nobody_rules_in_a_match_of_their_own(at_once):
    Role.objects.create(user=at_once.bob, league=at_once.league, kind=Role.Kind.MANAGER)
    cup = published(at_once, 4, format=ROUND_ROBIN)
    done = leave(cup, at_once.ana, at_once.bob)
    assert (decided(cup), len(done.forfeits)) == (2, 2)
    still = withdrawals.open_matches(cup, at_once.ana)
    assert [sorted(str(side) for side in match.sides.all()) for match in still] == [["Ana Ruiz", "Bo Chen"]]


def test_another_official_forfeits_it_and_the_undo_takes_that_back_too(at_once):
    Role.objects.create(user=at_once.bob, league=at_once.league, kind=Role.Kind.MANAGER)
    cup = published(at_once, 4, format=ROUND_ROBIN, best_of=3)
    done = leave(cup, at_once.ana, at_once.bob)
    [match] = withdrawals.open_matches(cup, at_once.ana)
    for player in (at_once.alice, at_once.bob):
        with pytest.raises(NotAllowed):
            forfeit_left(match, user=player)
    assert len(forfeit_left(match, user=at_once.referee)) == 2
    assert list(forfeit_left(match, user=at_once.referee)) == []
    assert {row[1:] for row in results(cup)} >= {(2, "forfeit", KnownBy.RULED, "official", "goes home")}
    assert decided(cup) == 3
    assert undo_withdrawal(done, user=at_once.owner)
    assert (results(cup), decided(cup)) == ([], 0)
    assert list(forfeit_left(match, user=at_once.referee)) == [], "nobody has left"


def test_a_match_whose_forfeit_was_refused_waits_too_once_both_have_left(at_once):
    """Bob withdraws his opponent, then leaves himself: neither of the two wins by having left first."""
    Role.objects.create(user=at_once.bob, league=at_once.league, kind=Role.Kind.MANAGER)
    cup = published(at_once, 4, format=ROUND_ROBIN)
    first = leave(cup, at_once.ana, at_once.bob)
    [match] = withdrawals.open_matches(cup, at_once.ana)
    second = leave(cup, at_once.bo, at_once.owner)
    assert (decided(cup), len(first.forfeits), len(second.forfeits)) == (4, 2, 2)
    assert list(forfeit_left(match, user=at_once.referee)) == [], "an official chooses the winner"
    assert undo_withdrawal(first, user=at_once.owner)
    match.refresh_from_db()
    assert match.state == Match.State.DECIDED, "of the two only Bo has left now"
    assert len(Withdrawal.objects.get(pk=second.pk).forfeits) == 3
    assert [*differences(cup), *draw_differences(cup)] == []


@pytest.mark.parametrize("who", ["ana", "bo"])
def test_an_organizer_whose_own_match_was_ruled_is_told_who_takes_it_back(at_once, who):
    """Bob plays as Bo; the referee ruled the forfeit of his match with Ana, whoever of the two has left."""
    Role.objects.create(user=at_once.bob, league=at_once.league, kind=Role.Kind.MANAGER)
    cup = published(at_once, 4, format=ROUND_ROBIN)
    done = leave(cup, getattr(at_once, who), at_once.bob)
    rows = gone(cup, timezone.now(), at_once.referee, official=True)
    assert [(one.undoable, one.has_ruled) for one in rows] == [(True, False)]
    with pytest.raises(NotAllowed):
        undo_withdrawal(done, user=at_once.referee)
    for match in withdrawals.open_matches(cup, done.entrant):
        forfeit_left(match, user=at_once.referee)
    sentence = f"{at_once.referee} has ruled on your own match. Only they or another organizer can take this back."
    [row] = gone(cup, timezone.now(), at_once.bob, official=True)
    assert (row.undoable, row.stays) == (False, sentence)
    with pytest.raises(Refused) as caught:
        undo_withdrawal(done, user=at_once.bob)
    assert (caught.value.code, str(caught.value)) == ("not-yours", sentence)
    [row] = gone(cup, timezone.now(), at_once.owner, official=True)
    assert (row.undoable, row.stays) == (True, "")
    [row] = gone(cup, timezone.now(), at_once.referee, official=True)
    assert (row.undoable, row.has_ruled, row.stays) == (True, True, "")
    assert undo_withdrawal(done, user=at_once.referee)
    assert (results(cup), decided(cup)) == ([], 0)


def test_a_referee_who_has_ruled_ends_no_old_withdrawal(at_once):
    Role.objects.create(user=at_once.bob, league=at_once.league, kind=Role.Kind.MANAGER)
    cup = published(at_once, 4, format="swiss", rounds=3)
    match = Match.objects.get(slot__matchday__stage__competition=cup, sides__entrant=at_once.bo)
    done = leave(cup, at_once.bo, at_once.bob)
    forfeit_left(match, user=at_once.referee)
    [row] = gone(cup, timezone.now() + timedelta(minutes=12), at_once.referee, official=True)
    assert row.has_ruled is False
    with pytest.raises(NotAllowed):
        undo_withdrawal(long_ago(done), user=at_once.referee)
    assert undo_withdrawal(done, user=at_once.bob), "the forfeits stay"


def test_it_can_be_undone_for_ten_minutes(at_once, monkeypatch):
    cup = published(at_once, 4, format=ROUND_ROBIN)
    done = leave(cup, at_once.ana, at_once.owner)
    assert undo_withdrawal(done, user=at_once.owner)
    assert not undo_withdrawal(done, user=at_once.owner)
    assert (results(cup), decided(cup)) == ([], 0)
    assert set(Match.objects.filter(slot__isnull=False).values_list("state", flat=True)) == {"scheduled"}
    again = leave(cup, at_once.ana, at_once.owner)
    Withdrawal.objects.filter(pk=again.pk).update(made_at=timezone.now() - timedelta(minutes=11))
    assert refused(undo_withdrawal, again, user=at_once.owner) == "too-late"
    assert decided(cup) == 3


# --- After ten minutes ---


def long_ago(done):
    Withdrawal.objects.filter(pk=done.pk).update(made_at=timezone.now() - timedelta(minutes=12))
    done.refresh_from_db()
    return done


def play_round(world, cup, number):
    matches = Match.objects.filter(slot__matchday__stage__competition=cup, slot__matchday__number=number)
    for match in matches.exclude(state=Match.State.DECIDED):
        enter_result(world, match, 1)
        advance(match.pk)


def next_round(world, cup):
    day = draw_next(cup, user=world.owner)
    publish_matchday(day, user=world.owner)
    return day.number


def in_round(cup, number):
    return {name for both in names(cup, number) for name in both}


@pytest.mark.parametrize("missed", [0, 1])
def test_a_withdrawal_between_two_swiss_rounds_can_be_undone_at_any_time(at_once, missed):
    cup = published(at_once, 6, format="swiss", rounds=4)
    play_round(at_once, cup, 1)
    done = leave(cup, at_once.ana, at_once.owner)
    for _round in range(missed):
        play_round(at_once, cup, next_round(at_once, cup))
    [row] = gone(cup, timezone.now() + timedelta(minutes=12), at_once.owner, official=False)
    assert (row.undoable, row.stays) == (True, "")
    assert undo_withdrawal(long_ago(done), user=at_once.owner)
    number = next_round(at_once, cup)
    assert [("Ana Ruiz" in in_round(cup, one)) for one in range(1, number + 1)] == [True, *[False] * missed, True]
    assert [*differences(cup), *draw_differences(cup)] == []


def test_after_ten_minutes_the_forfeits_of_a_swiss_system_stay_and_the_next_round_is_played(at_once):
    cup = published(at_once, 6, format="swiss", rounds=3)
    done = leave(cup, at_once.ana, at_once.owner)
    play_round(at_once, cup, 1)
    before = results(cup)
    assert undo_withdrawal(long_ago(done), user=at_once.owner)
    assert (results(cup), not Withdrawal.objects.filter(undone_at=None).exists()) == (before, True)
    assert "Ana Ruiz" in in_round(cup, next_round(at_once, cup))
    assert [*differences(cup), *draw_differences(cup)] == []


def test_the_late_entry_of_who_left_leads_to_the_withdrawal(at_once):
    cup = published(at_once, 5, format="swiss", rounds=3)
    leave(cup, at_once.ana, at_once.owner)
    with pytest.raises(Refused) as caught:
        walk_in(cup, "Ana Ruiz", user=at_once.owner)
    sentence = "Ana Ruiz has left Cup. Take the withdrawal back on the page of the competition."
    assert (caught.value.code, str(caught.value)) == ("already-registered", sentence)


def test_after_the_last_round_of_a_swiss_system_forfeits_stay(at_once):
    cup = published(at_once, 4, format="swiss", rounds=1)
    done = long_ago(leave(cup, at_once.ana, at_once.owner))
    assert refused(undo_withdrawal, done, user=at_once.owner) == "too-late"
    [row] = gone(cup, timezone.now(), at_once.owner, official=False)
    sentence = "Ana Ruiz left more than 10 minutes ago: the forfeits stay, and no round is left to pair."
    assert (row.undoable, row.stays) == (False, sentence)


def test_without_forfeits_it_is_undone_until_the_next_stage_is_published(at_once):
    cup = published(at_once, 6, format="groups", groups=2, advance_each=1, then="single_elimination")
    for number in (1, 2, 3):
        play_round(at_once, cup, number)
    assert cup.stages.get(number=1).finished_at is not None
    Matchday.objects.update(published_at=timezone.now() - timedelta(hours=2))
    first = long_ago(leave(cup, at_once.ana, at_once.owner))
    assert first.forfeits == []
    assert undo_withdrawal(first, user=at_once.owner)
    second = long_ago(leave(cup, at_once.ana, at_once.owner))
    next_round(at_once, cup)
    [row] = gone(cup, timezone.now(), at_once.owner, official=False)
    sentence = "Ana Ruiz left more than 10 minutes ago, and play has gone on without them."
    assert (row.undoable, row.stays) == (False, sentence)
    assert refused(undo_withdrawal, second, user=at_once.owner) == "too-late"


def test_it_is_not_undone_once_the_next_stage_was_published_without_the_entrant(at_once):
    """Also in the first ten minutes: nobody could tell where the entrant plays."""
    cup = published(at_once, 6, format="groups", groups=2, advance_each=1, then="single_elimination")
    for number in (1, 2, 3):
        play_round(at_once, cup, number)
    done = leave(cup, at_once.ana, at_once.owner)
    draw_next(cup, user=at_once.owner)
    [row] = gone(cup, timezone.now(), at_once.owner, official=False)
    assert (row.undoable, row.stays) == (True, "")
    publish_matchday(Matchday.objects.get(number=4), user=at_once.owner)
    sentence = "The next stage was drawn without Ana Ruiz and is published, so the withdrawal stays."
    [row] = gone(cup, timezone.now(), at_once.owner, official=False)
    assert (row.undoable, row.stays) == (False, sentence)
    with pytest.raises(Refused) as caught:
        undo_withdrawal(done, user=at_once.owner)
    assert (caught.value.code, str(caught.value)) == ("next-begun", sentence)
    assert [*differences(cup), *draw_differences(cup)] == []


def test_it_is_not_undone_once_the_next_match_has_begun(at_once, django_capture_on_commit_callbacks):
    cup = published(at_once, 4)
    with django_capture_on_commit_callbacks(execute=True):
        done = leave(cup, at_once.ana, at_once.owner)
    other = slot(cup, 1, 2).match
    enter_result(at_once, other, 1)
    advance(other.pk)
    final = slot(cup, 2, 1).match
    assert names(cup, 2) == [["P4", "Bo Chen"]]
    enter_result(at_once, final, 1, official=False)
    assert refused(undo_withdrawal, done, user=at_once.owner) == "next-begun"
    assert Withdrawal.objects.get().undone_at is None
    drop_triggers()
    Result.objects.filter(game__match=final).delete()
    Record.objects.filter(game__match=final).delete()
    assert undo_withdrawal(done, user=at_once.owner)
    assert names(cup, 2) == [[None, "Bo Chen"]]
    assert slot(cup, 2, 1).match is None


def test_a_forfeit_that_somebody_confirmed_stays(world):
    cup = published(world, 4)
    done = leave(cup, world.ana, world.owner)
    confirm_result(result=Result.objects.get(current=True), user=world.referee)
    assert refused(undo_withdrawal, done, user=world.owner) == "confirmed-already"
    assert Withdrawal.objects.get().undone_at is None


def test_a_reason_is_given_and_nobody_leaves_twice(world):
    cup = published(world, 4, format=ROUND_ROBIN)
    for reason, code in (("  ", "no-reason"), ("x" * 201, "long-reason")):
        assert refused(leave, cup, world.ana, world.owner, reason) == code
    leave(cup, world.ana, world.owner)
    assert refused(leave, cup, world.ana, world.owner) == "withdrawn-already"
    stranger = published(world, 3, name="Other").registrations.get(seed=3).entrant
    assert refused(leave, cup, stranger, world.owner) == "not-registered"


@pytest.mark.parametrize("who", ["referee", "alice", "charlie"])
def test_only_whoever_manages_the_competition_withdraws_somebody(world, who):
    cup = published(world, 4)
    with pytest.raises(NotAllowed):
        leave(cup, world.ana, getattr(world, who))
    done = leave(cup, world.ana, world.owner)
    with pytest.raises(NotAllowed):
        undo_withdrawal(done, user=getattr(world, who))


@pytest.mark.parametrize("required", [False, True])
def test_once_somebody_has_left_their_result_is_not_taken_back(world, required):
    """Open again, the match would have nobody to play it, official or not."""
    League.objects.filter(pk=world.league.pk).update(confirmation_required=required)
    cup = published(world, 4, format=ROUND_ROBIN)
    first = Match.objects.get(slot__matchday__number=1, sides__entrant=world.ana)
    entered = enter_sheet(first.games.get(), world.referee, {"scores": [150, 95]}, kind=KnownBy.SCORE).record
    done = leave(cup, world.ana, world.owner)
    before = results(cup)
    assert refused(undo_entry, entered, world.referee) == "withdrawn-already"
    ruled = Record.objects.get(pk=done.forfeits[0])
    assert refused(undo_entry, ruled, world.owner) == "withdrawn-already"
    assert results(cup) == before
    undo_withdrawal(done, user=world.owner)
    undo_entry(entered, world.referee)
    assert results(cup) == []


def test_two_who_withdraw_the_same_one_at_once_do_it_once(shared_world):
    cup = published(shared_world, 4)
    second = person("third")
    Role.objects.create(user=second, league=shared_world.league, kind=Role.Kind.MANAGER)
    errors = both_at_once(lambda user: leave(cup, shared_world.ana, user), shared_world.owner, second)
    assert [one.code for one in errors] == ["withdrawn-already"]
    assert (Withdrawal.objects.count(), Record.objects.count()) == (1, 1)


def test_the_reasons_go_with_the_name(world):
    cup = published(world, 4)
    let_off(cup, world.ana, user=world.owner, reason="Ana lent the tables")
    leave(cup, world.ana, world.owner, "Ana is ill")
    erase(world.ana.player)
    assert Withdrawal.objects.get().reason == "–"
    assert Registration.objects.get(competition=cup, entrant=world.ana).free_reason == "–"


# --- What a match demands ---


def test_a_competition_says_how_well_its_results_are_known_and_its_final_more(world):
    cup = drafted(world, 4, third_place=True)
    type(cup).objects.filter(pk=cup.pk).update(level=KnownBy.CARD, final_level=KnownBy.LOG)
    draw(cup, user=world.owner)
    publish(cup, user=world.owner)
    for place in (1, 2):
        match = slot(cup, 1, place).match
        assert match.level == KnownBy.CARD
        enter_result(world, match, 1)
        advance(match.pk)
    assert [slot(cup, 2, place).match.level for place in (1, 2)] == [KnownBy.LOG, KnownBy.LOG]


def test_in_rounds_that_are_shown_one_by_one_a_match_is_forfeited_when_its_round_is(at_once):
    cup = published(at_once, 4, format=ROUND_ROBIN, release=Competition.Release.ROUND_BY_ROUND)
    done = leave(cup, at_once.ana, at_once.owner)
    assert (len(done.forfeits), withdrawals.hidden_matches(cup, at_once.ana).count()) == (1, 2)
    assert {day for (day,) in Result.objects.values_list("game__match__slot__matchday__number")} == {1}
    day = Matchday.objects.get(stage__competition=cup, number=2)
    publish_matchday(day, user=at_once.owner, reason="late")
    done.refresh_from_db()
    assert (len(done.forfeits), withdrawals.hidden_matches(cup, at_once.ana).count()) == (2, 1)
    assert [one[3:] for one in results(cup)] == [(KnownBy.RULED, Result.State.OFFICIAL, "goes home")] * 2


def test_undo_also_removes_what_another_withdrawal_forfeited_since(at_once, django_capture_on_commit_callbacks):
    """The finalist has left: whoever comes into the final wins it at once."""
    cup = published(at_once, 4)
    semi = slot(cup, 1, 1).match
    enter_result(at_once, semi, 1)
    advance(semi.pk)
    leave(cup, at_once.ana, at_once.owner)
    with django_capture_on_commit_callbacks(execute=True):
        done = leave(cup, at_once.bo, at_once.owner)
    final = slot(cup, 2, 1).match
    assert (final.state, cup.stages.get().finished_at is None) == (Match.State.DECIDED, False)
    assert undo_withdrawal(done, user=at_once.owner)
    assert (slot(cup, 2, 1).match, slot(cup, 1, 2).match.state) == (None, Match.State.SCHEDULED)
    assert names(cup, 2) == [["Ana Ruiz", None]]
    assert cup.stages.get().finished_at is None
    final.refresh_from_db()
    assert (final.state, final.published_at, final.set_aside_at is None) == (Match.State.DECIDED, None, False)
    assert not Record.objects.filter(game__match=final, withdrawn_at=None).exists()
    assert [*differences(cup), *draw_differences(cup)] == []
    assert [one for part in check_range() for one in part.found if one.match == final.pk] == []
    answer = [Client(), Client()]
    answer[1].force_login(at_once.owner)
    assert [one.get(f"/matches/{final.pk}/").status_code for one in answer] == [404, 404]


def test_a_typed_result_after_it_still_prevents_the_undo(at_once, django_capture_on_commit_callbacks):
    cup = published(at_once, 4)
    semi = slot(cup, 1, 1).match
    enter_result(at_once, semi, 1)
    advance(semi.pk)
    with django_capture_on_commit_callbacks(execute=True):
        done = leave(cup, at_once.bo, at_once.owner)
    enter_sheet(slot(cup, 2, 1).match.games.get(), at_once.referee, {"scores": [150, 5]}, kind=KnownBy.SCORE)
    assert refused(undo_withdrawal, done, user=at_once.owner) == "next-begun"


def test_an_entry_taken_back_leaves_its_match_upcoming(at_once):
    cup = published(at_once, 4)
    match = slot(cup, 1, 1).match
    entered = enter_sheet(match.games.get(), at_once.referee, {"scores": [150, 5]}, kind=KnownBy.SCORE)
    undo_entry(entered.record, at_once.referee)
    match.refresh_from_db()
    assert match.state == Match.State.SCHEDULED
