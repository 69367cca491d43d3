"""The dispatcher of an evening: which match is called, to which table, and when nothing is called."""

from datetime import timedelta
from random import Random
from unittest.mock import patch

import pytest
from django.utils import timezone

from league.accounts.models import Role
from league.competitions.attendance.no_shows import all_here, forfeit_absent, give_time, wait_for
from league.competitions.attendance.withdrawals import undo_withdrawal, withdraw
from league.competitions.draw import advancing, publishing
from league.competitions.draw.advancing import advance, take_back
from league.competitions.draw.reopening import reopen
from league.competitions.draw.schedule import calling
from league.competitions.draw.schedule.calling import hold, put_out_of_order
from league.competitions.draw.schedule.rescheduling import move
from league.competitions.draw.schedule.table_wishes import put_on_stream, set_wishes
from league.competitions.models import Berth, Competition, Matchday, Slot, Stage
from league.errors import NotAllowed, Refused
from league.matches.guests import is_open
from league.matches.models import KnownBy, Match, Table
from league.matches.results.entering import enter_sheet, undo_entry
from league.players.models import people_in
from tests.league.competitions import at_tables
from tests.league.competitions.cup import drafted, enter_result, published, slot

DOUBLE = Stage.Format.DOUBLE_ELIMINATION
HOUR = timedelta(hours=1)


def evening(world, count=8, **plan) -> Competition:
    usual = {"dispatches": True, "tables": ["1", "2"], "starts_at": timezone.now() - timedelta(minutes=1)}
    return published(world, count, **(usual | plan))


def matches(competition):
    return Match.objects.filter(slot__matchday__stage__competition=competition)


def called(competition):
    """Matches at their tables: table, and place in the draw."""
    rows = matches(competition).filter(called_at__isnull=False, state__in=["scheduled", "playing"])
    return sorted(rows.values_list("table__name", "slot__matchday__number", "slot__number"))


def finish(world, competition, round_number, place, winner=1):
    match = slot(competition, round_number, place).match
    enter_result(world, match, winner)
    advance(match.pk)


def table(name):
    return Table.objects.get(name=name)


def code_of(act, *args, **more):
    with pytest.raises(Refused) as refused:
        act(*args, **more)
    return refused.value.code


# --- Which match, which table ---


def test_at_publication_ready_matches_are_called_to_the_tables(world):
    cup = evening(world)
    assert called(cup) == [("1", 1, 1), ("2", 1, 2)]
    first = slot(cup, 1, 1)
    assert first.starts_at == first.match.starts_at == first.match.called_at.replace(second=0, microsecond=0)
    assert slot(cup, 1, 3).match.called_at is None


def test_a_table_that_comes_free_goes_to_the_next_match_of_either_bracket(world):
    cup = evening(world, format=DOUBLE)
    finish(world, cup, 1, 1)
    finish(world, cup, 1, 2)
    # The plan gives round 1 to the tables before any later round.
    assert called(cup) == [("1", 1, 3), ("2", 1, 4)]
    finish(world, cup, 1, 3)
    assert called(cup) == [("1", 2, 1), ("2", 1, 4)]
    finish(world, cup, 1, 4)
    assert called(cup) == [("1", 2, 1), ("2", 2, 2)]
    # The losers' bracket goes on beside the winners' semi-final.
    finish(world, cup, 2, 1)
    assert called(cup) == [("1", 3, 1), ("2", 2, 2)]
    assert slot(cup, 3, 1).matchday.section == "losers"


def test_a_changed_table_is_noted_for_printed_sheets_and_a_changed_hour_is_not(world):
    cup = evening(world, tables=["1", "2", "3"])
    assert set(Matchday.objects.values_list("version", flat=True)) == {1}
    finish(world, cup, 1, 2)
    assert called(cup) == [("1", 1, 1), ("2", 1, 4), ("3", 1, 3)]  # planned for table 1, half an hour later
    assert Matchday.objects.get(number=1).version == 2
    assert slot(cup, 1, 4).table == slot(cup, 1, 4).match.table == table("2")


def test_the_control_without_a_dispatcher_tables_and_hours_are_those_of_the_plan(world):
    cup = evening(world, dispatches=False)
    before = list(Slot.objects.order_by("pk").values_list("table", "starts_at"))
    finish(world, cup, 1, 2)
    assert called(cup) == []
    assert calling.sweep() == 0
    assert list(Slot.objects.order_by("pk").values_list("table", "starts_at")) == before


def test_a_result_that_waits_for_its_confirmation_frees_the_table(world, django_capture_on_commit_callbacks):
    cup = evening(world)
    match = slot(cup, 1, 1).match
    with django_capture_on_commit_callbacks(execute=True):
        enter_sheet(match.games.get(), world.alice, {"scores": [150, 95]}, kind=KnownBy.SCORE)
    match.refresh_from_db()
    assert match.state == Match.State.PROVISIONAL
    assert called(cup) == [("1", 1, 3), ("2", 1, 2)]


def test_wishes_are_honoured_and_waited_for(world):
    cup = drafted(world, 8, dispatches=True, tables=["1", "2"], starts_at=timezone.now() - HOUR)
    Table.objects.filter(name="2").update(accessible=True)
    Table.objects.filter(name="1").update(stream=True)
    last = slot(cup, 1, 4)
    set_wishes(cup, last.berths.first().entrant, user=world.owner, table=None, needs_accessible=True)
    publishing.publish(cup, user=world.owner)
    assert called(cup) == [("1", 1, 1), ("2", 1, 4)]
    put_on_stream(slot(cup, 1, 3), user=world.owner, on=True)
    finish(world, cup, 1, 4)
    assert called(cup) == [("1", 1, 1), ("2", 1, 2)]
    finish(world, cup, 1, 1)
    assert called(cup) == [("1", 1, 3), ("2", 1, 2)]


@pytest.mark.parametrize("key", [Stage.Format.ROUND_ROBIN, DOUBLE])
def test_whoever_comes_back_is_called_as_before(world, key):
    """Forfeits that are taken back with a withdrawal put no match on hold, but for one that was."""
    world.league.confirmation_required = False
    world.league.save()
    cup = evening(world, 4, format=key)
    other = slot(cup, 1, 2).match
    hold(slot(cup, 1, 2), user=world.owner)
    assert called(cup) == [("1", 1, 1)]
    for entrant in [slot(cup, 1, place).berths.get(number=1).entrant for place in (1, 2)]:
        undo_withdrawal(withdraw(cup, entrant, user=world.owner, reason="ill"), user=world.owner)
        assert list(matches(cup).filter(on_hold=True)) == [other]
        assert called(cup)


def test_nobody_rests_after_a_forfeit(world):
    """Ana goes home: her opponents of all rounds have won without playing, and are called at once."""
    cup = evening(world, 6, format=Stage.Format.ROUND_ROBIN, rest_minutes=20, starts_at=timezone.now() + HOUR)
    assert called(cup) == []
    withdraw(cup, world.ana, user=world.owner, reason="ill")
    Competition.objects.update(starts_at=timezone.now() - timedelta(minutes=1))
    calling.sweep()
    assert len(called(cup)) == 2


def test_a_player_rests_and_the_sweep_calls_after_it(world):
    cup = evening(world, 4, rest_minutes=5, tables=["1", "2", "3"])
    finish(world, cup, 1, 1)
    finish(world, cup, 1, 2)
    assert called(cup) == []
    assert calling.sweep() == 0
    with patch("django.utils.timezone.now", return_value=timezone.now() + timedelta(minutes=6)):
        assert advancing.sweep() == 1
    assert called(cup) == [("1", 2, 1)]


# --- When ---


def test_nothing_is_called_before_the_evening_and_the_sweep_begins_it(world):
    cup = evening(world, starts_at=timezone.now() + HOUR)
    assert called(cup) == []
    assert calling.sweep() == 0
    Competition.objects.update(starts_at=timezone.now() - timedelta(seconds=1))
    assert calling.sweep() == 2
    assert called(cup) == [("1", 1, 1), ("2", 1, 2)]
    assert calling.sweep() == 0


def test_an_evening_that_begins_early_is_dispatched_and_a_forfeit_before_it_begins_nothing(world):
    cup = evening(world, starts_at=timezone.now() + 5 * HOUR)
    world.league.confirmation_required = False
    world.league.save()
    absent = slot(cup, 1, 4).berths.first().entrant
    withdraw(cup, absent, user=world.owner, reason="ill")
    advance(slot(cup, 1, 4).match_id)
    assert called(cup) == []
    finish(world, cup, 1, 1)
    assert called(cup) == [("1", 1, 3), ("2", 1, 2)]
    # The hour of the plan is no gate for the code at the table.
    assert is_open(slot(cup, 1, 3).match, timezone.now())


def test_an_evening_that_nobody_ended_is_called_no_more(world):
    cup = evening(world)
    long_ago = timezone.now() - 13 * HOUR
    Competition.objects.update(starts_at=long_ago)
    Matchday.objects.update(published_at=long_ago)
    Match.objects.update(called_at=long_ago)
    assert calling.sweep() == 0
    # The next time, the first result starts it again.
    finish(world, cup, 1, 3)
    assert matches(cup).filter(called_at__gt=long_ago).count() == 2


def test_rounds_that_are_not_published_are_not_called(world):
    cup = evening(world, 4, format=Stage.Format.ROUND_ROBIN, release=Competition.Release.ROUND_BY_ROUND)
    assert called(cup) == [("1", 1, 1), ("2", 1, 2)]
    finish(world, cup, 1, 1)
    finish(world, cup, 1, 2)
    assert called(cup) == []
    publishing.publish_matchday(Matchday.objects.get(number=2), user=world.owner)
    assert called(cup) == [("1", 2, 1), ("2", 2, 2)]


# --- Nobody and nothing twice ---


def test_tables_and_people_of_other_competitions_are_left_to_them(world):
    fixed = evening(world, 4, dispatches=False, name="Fixed", tables=["1"])
    assert fixed.dispatches is False
    cup = drafted(world, 2, dispatches=True, tables=["1", "2"], starts_at=timezone.now() - HOUR, name="Pair")
    publishing.publish(cup, user=world.owner)
    # Ana and Bo play in the first round of the other, in the hours of its plan.
    assert called(cup) == []
    for place in (1, 2):
        finish(world, fixed, 1, place)
    Match.objects.filter(slot__matchday__stage__competition=fixed, state="scheduled").update(
        starts_at=timezone.now() + 3 * HOUR
    )
    assert calling.sweep() == 1
    assert len(called(cup)) == 1


@pytest.mark.parametrize("seed", range(3))
def test_a_whole_evening_has_no_table_and_nobody_twice_and_no_free_table_beside_a_ready_match(world, seed):
    random = Random(seed)
    cup = evening(world, 11, format=random.choice([DOUBLE, Stage.Format.ROUND_ROBIN]), tables=["1", "2", "3"])
    played = 0
    while rows := list(matches(cup).filter(state="scheduled", called_at__isnull=False)):
        assert len({one.table_id for one in rows}) == len(rows)
        people = [
            person
            for berth in Berth.objects.filter(slot__match__in=rows).select_related("entrant")
            for person in people_in(berth.entrant)
        ]
        assert len(set(people)) == len(people)
        free = 3 - len(rows)
        ready = (
            matches(cup)
            .filter(state="scheduled", called_at=None)
            .exclude(sides__entrant__in=[one.entrant_id for row in rows for one in row.sides.all()])
        )
        assert not (free and ready.exists())
        match = random.choice(rows)
        enter_result(world, match, random.choice([1, 2]))
        advance(match.pk)
        played += 1
    assert not matches(cup).exclude(state="decided").exists()
    assert not cup.stages.filter(finished_at=None).exists()
    assert played == matches(cup).count()


# --- Rounds in turn ---


def groups(world, **plan):
    """Two groups of four: round 1 is all called."""
    return evening(world, format=Stage.Format.GROUPS, groups=2, tables=["1", "2", "3", "4"], **plan)


def tables_of_four(world):
    """Two tables of four: round 1 is all called."""
    start = timezone.now() - timedelta(minutes=1)
    return at_tables.published(world, 8, dispatches=True, tables=["1", "2"], starts_at=start)


def in_round(competition, number):
    """Places of the called matches of a round."""
    return [place for _table, of, place in called(competition) if of == number]


def come(competition, number):
    """Places of the matches of a round that are called next."""
    order = Slot.objects.in_bulk(calling.next_calls(competition, timezone.now()))
    return sorted(one.number for one in order.values() if one.matchday.number == number)


def type_in(match, user):
    return enter_sheet(match.games.get(), user, {"scores": [150, 95]}, kind=KnownBy.SCORE)


def without(entrant, slots):
    return [one.number for one in slots if not one.berths.filter(entrant=entrant).exists()]


def of_round(competition, number):
    rows = Slot.objects.filter(matchday__stage__competition=competition, matchday__number=number)
    return list(rows.select_related("match").order_by("number"))


def test_a_result_that_waits_for_its_confirmation_lets_both_play_their_next_round(
    world, django_capture_on_commit_callbacks
):
    cup = groups(world)
    assert in_round(cup, 1) == [1, 2, 3, 4]
    first, second = slot(cup, 1, 1), slot(cup, 1, 2)
    with django_capture_on_commit_callbacks(execute=True):
        type_in(first.match, world.referee)
        type_in(second.match, world.referee)
    # A group of four: after its two matches of round 1 it is free for round 2.
    assert in_round(cup, 1) == [3, 4]
    assert in_round(cup, 2) == [1, 2]


@pytest.mark.parametrize("kind", ["groups", "tables"])
def test_an_evening_without_any_confirmation_is_played_to_its_end(world, kind):
    cup = groups(world) if kind == "groups" else tables_of_four(world)
    random = Random(1)
    while rows := list(matches(cup).filter(state=Match.State.SCHEDULED, called_at__isnull=False).order_by("pk")):
        people = [side.entrant_id for one in rows for side in one.sides.all()]
        assert len(set(people)) == len(people)
        one = random.choice(rows)
        Match.objects.filter(pk=one.pk).update(state=Match.State.PROVISIONAL)
        calling.go_on_after(one.pk)
    assert not matches(cup).exclude(state=Match.State.PROVISIONAL).exists()


def test_the_control_a_match_at_its_table_keeps_the_next_round_of_its_people(world):
    cup = groups(world)
    finish(world, cup, 1, 1)
    assert in_round(cup, 1) == [2, 3, 4]
    assert in_round(cup, 2) == []
    assert come(cup, 2) == []
    Match.objects.filter(slot=slot(cup, 1, 2)).update(state=Match.State.PLAYING, called_at=None)
    assert come(cup, 2) == []


@pytest.mark.parametrize("why", ["on hold", "awaited"])
def test_a_match_that_gave_its_table_back_lets_its_people_play_the_next_round(world, why):
    cup = groups(world)
    put_off = slot(cup, 1, 1)
    absent = put_off.berths.order_by("number").first().entrant
    if why == "on hold":
        hold(put_off, user=world.referee)
    else:
        give_time(put_off, absent, user=world.referee)
    finish(world, cup, 1, 2)
    # A player who is awaited is called nowhere.
    free = [1, 2] if why == "on hold" else without(absent, of_round(cup, 2)[:2])
    assert in_round(cup, 2) == free
    # Nobody sits at two tables: it waits until its people are free, and is then called in its turn.
    if why == "on hold":
        hold(put_off, user=world.referee, on=False)
    else:
        all_here(put_off, user=world.referee)
    assert 1 not in in_round(cup, 1)
    for one in free:
        finish(world, cup, 2, one)
    assert 1 in in_round(cup, 1)


def test_at_tables_a_result_that_waits_for_its_confirmation_lets_all_four_play_on(
    world, django_capture_on_commit_callbacks
):
    cup = tables_of_four(world)
    assert in_round(cup, 1) == [1, 2]
    with django_capture_on_commit_callbacks(execute=True):
        for one in of_round(cup, 1):
            at_tables.play(world, one, (150, 100, 50, 0), official=False)
    assert in_round(cup, 2) == [1, 2]


def test_a_dispute_that_holds_an_entrant_does_not_hold_the_next_opponent(world):
    cup = groups(world)
    held = slot(cup, 1, 1).berths.order_by("number").first().entrant
    hold(slot(cup, 1, 1), user=world.referee)
    with patch("league.competitions.draw.schedule.calling.answers", return_value=[[held.pk]]):
        hold(slot(cup, 1, 1), user=world.referee, on=False)
        finish(world, cup, 1, 2)
        assert in_round(cup, 2) == without(held, of_round(cup, 2)[:2])


@pytest.fixture
def plays_too(world):
    """Alice runs the evening and plays in it."""
    Role.objects.filter(user=world.alice).update(kind=Role.Kind.OWNER)
    return world.alice


def opponent(slot, entrant):
    return slot.berths.exclude(entrant=entrant).get().entrant


@pytest.mark.parametrize("state", [Match.State.SCHEDULED, Match.State.PLAYING])
def test_a_forfeit_that_waits_for_another_official_holds_no_table(world, plays_too, state):
    cup = evening(world)
    own = slot(cup, 1, 1)
    Match.objects.filter(pk=own.match_id).update(state=state)
    withdraw(cup, opponent(own, world.ana), user=plays_too, reason="ill")
    assert Match.objects.get(pk=own.match_id).state == state
    assert called(cup) == [("1", 1, 3), ("2", 1, 2)]


@pytest.mark.parametrize("state", [Match.State.SCHEDULED, Match.State.PLAYING])
def test_a_forfeit_that_waits_for_another_official_lets_the_opponent_play_the_next_round(
    world, plays_too, state, django_capture_on_commit_callbacks
):
    cup = groups(world)
    own = slot(cup, 1, 1)
    absent = opponent(own, world.ana)
    Match.objects.filter(pk=own.match_id).update(state=state)
    with django_capture_on_commit_callbacks(execute=True):
        withdraw(cup, absent, user=plays_too, reason="ill")
    finish(world, cup, 1, 2)
    assert in_round(cup, 1) == [3, 4]
    assert in_round(cup, 2) == without(absent, of_round(cup, 2)[:2])


def test_the_control_at_tables_of_four_the_others_play_on_at_a_table_that_has_begun(world, plays_too):
    cup = tables_of_four(world)
    own = next(one for one in of_round(cup, 1) if one.berths.filter(entrant=world.ana).exists())
    Match.objects.filter(pk=own.match_id).update(state=Match.State.PLAYING)
    left = own.berths.exclude(entrant=world.ana).first().entrant
    withdraw(cup, left, user=plays_too, reason="ill")
    finish_table = next(one for one in of_round(cup, 1) if one.pk != own.pk)
    at_tables.play(world, finish_table, (150, 100, 50, 0))
    assert in_round(cup, 1) == [own.number]
    assert in_round(cup, 2) == []


# --- On hold, out of order ---


def test_a_match_on_hold_gives_its_table_to_the_next_and_is_called_when_released(world):
    cup = evening(world)
    assert hold(slot(cup, 1, 1), user=world.referee)
    assert not hold(slot(cup, 1, 1), user=world.referee)
    assert called(cup) == [("1", 1, 3), ("2", 1, 2)]
    finish(world, cup, 1, 2)
    finish(world, cup, 1, 3)
    assert called(cup) == [("2", 1, 4)]
    assert hold(slot(cup, 1, 1), user=world.referee, on=False)
    assert called(cup) == [("1", 1, 1), ("2", 1, 4)]
    Match.objects.filter(slot=slot(cup, 1, 1)).update(state=Match.State.PLAYING)
    assert code_of(hold, slot(cup, 1, 1), user=world.referee) == "begun-already"
    with pytest.raises(NotAllowed):
        hold(slot(cup, 1, 4), user=world.alice)


def test_a_table_out_of_order_is_left_and_not_used(world):
    cup = evening(world)
    finish(world, cup, 1, 2)
    assert called(cup) == [("1", 1, 1), ("2", 1, 3)]
    Match.objects.filter(slot=slot(cup, 1, 3)).update(state=Match.State.PLAYING)
    assert put_out_of_order(table("1"), user=world.owner) == 0
    assert called(cup) == [("2", 1, 3)]
    finish(world, cup, 1, 3)
    assert called(cup) == [("2", 1, 1)]
    assert put_out_of_order(table("1"), user=world.owner, on=False) == 1
    assert called(cup) == [("1", 1, 4), ("2", 1, 1)]
    with pytest.raises(NotAllowed):
        put_out_of_order(table("1"), user=world.referee)


def test_a_new_draw_plans_nothing_at_a_table_out_of_order(world):
    drafted(world, 2, name="First", tables=["1", "2"])
    put_out_of_order(table("1"), user=world.owner)
    cup = drafted(world, 4, name="Second", tables=["1", "2"])
    tables = Slot.objects.filter(matchday__stage__competition=cup).values_list("table__name", flat=True)
    assert set(tables) == {"2"}


# --- Who is missing ---


def test_with_more_minutes_the_table_goes_to_the_next_match_and_here_calls_again(world):
    cup = evening(world)
    here = slot(cup, 1, 1)
    give_time(here, world.ana, user=world.referee)
    assert called(cup) == [("1", 1, 3), ("2", 1, 2)]
    since = Berth.objects.get(slot=here, entrant=world.ana).awaited_since
    assert timedelta(minutes=4) < since - timezone.now() < timedelta(minutes=5)  # 15 minutes from the call, and 5 more
    finish(world, cup, 1, 3)
    assert called(cup) == [("1", 1, 4), ("2", 1, 2)]
    finish(world, cup, 1, 2)
    assert called(cup) == [("1", 1, 4)]
    all_here(here, user=world.referee)
    assert called(cup) == [("1", 1, 4), ("2", 1, 1)]
    assert code_of(give_time, slot(cup, 1, 2), world.bo, user=world.referee) == "not-in-match"


def test_the_countdown_of_a_call_ends_in_a_forfeit(world):
    cup = evening(world)
    here = slot(cup, 1, 1)
    assert code_of(forfeit_absent, here, world.ana, user=world.referee) == "still-waiting"
    Match.objects.filter(pk=here.match_id).update(called_at=timezone.now() - timedelta(minutes=15))
    assert len(forfeit_absent(here, world.ana, user=world.referee)) == 1


def test_players_who_are_here_are_not_counted_down(world):
    cup = evening(world)
    all_here(slot(cup, 1, 1), user=world.referee)
    assert slot(cup, 1, 1).match.here_at
    assert called(cup) == [("1", 1, 1), ("2", 1, 2)]
    Match.objects.filter(slot=slot(cup, 1, 1)).update(state=Match.State.PLAYING)
    assert code_of(all_here, slot(cup, 1, 1), user=world.referee) == "begun-already"


def test_a_countdown_that_is_started_by_hand_frees_the_table_too(world):
    cup = evening(world)
    wait_for(slot(cup, 1, 1), world.ana, user=world.referee)
    assert called(cup) == [("1", 1, 3), ("2", 1, 2)]
    finish(world, cup, 1, 2)
    finish(world, cup, 1, 3)
    wait_for(slot(cup, 1, 1), world.ana, user=world.referee, waiting=False)
    assert called(cup) == [("1", 1, 1), ("2", 1, 4)] or called(cup) == [("1", 1, 4), ("2", 1, 1)]


# --- Changes by hand ---


def test_a_result_that_is_taken_back_holds_its_match_until_it_is_released(world):
    cup = evening(world)
    finish(world, cup, 1, 1)
    take_back(slot(cup, 1, 1).match_id)
    Match.objects.filter(slot=slot(cup, 1, 1)).update(state=Match.State.SCHEDULED)
    assert slot(cup, 1, 1).match.on_hold
    finish(world, cup, 1, 2)
    assert called(cup) == [("1", 1, 3), ("2", 1, 4)]


def test_a_match_whose_entry_was_taken_back_is_called_when_it_is_released(world):
    world.league.confirmation_required = False
    world.league.save()
    cup = evening(world)
    first = slot(cup, 1, 1)
    undo_entry(type_in(first.match, world.referee).record, world.referee)
    for place in (2, 3):
        finish(world, cup, 1, place)
    assert called(cup) == [("2", 1, 4)]
    hold(first, user=world.referee, on=False)
    assert called(cup) == [("1", 1, 1), ("2", 1, 4)]


def test_an_organizer_moves_a_called_match_and_its_table_is_free(world):
    cup = evening(world, tables=["1", "2", "3"])
    finish(world, cup, 1, 3)
    assert called(cup) == [("1", 1, 1), ("2", 1, 2), ("3", 1, 4)]
    put_out_of_order(table("3"), user=world.owner)
    finish(world, cup, 1, 2)
    assert called(cup) == [("1", 1, 1), ("2", 1, 4)]
    put_out_of_order(table("3"), user=world.owner, on=False)
    move(slot(cup, 1, 1), user=world.owner, table=table("3"), starts_at=slot(cup, 1, 1).starts_at)
    assert called(cup) == [("2", 1, 4), ("3", 1, 1)]


def test_a_reopened_competition_has_no_calls(world):
    cup = evening(world)
    hold(slot(cup, 1, 3), user=world.owner)
    reopen(cup, user=world.owner)
    assert not matches(cup).exclude(called_at=None, on_hold=False).exists()
