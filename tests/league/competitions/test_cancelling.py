"""A published competition is cancelled: it stands in nobody's way, and its address says why."""

from datetime import timedelta
from functools import partial

import pytest

from league.competitions.amendments.rating_effects import ratings_without
from league.competitions.amendments.services import close_amendment, confirm_amendment, propose_amendment
from league.competitions.attendance.late_entries import walk_in
from league.competitions.cancelling import cancel, consequences, word_to_cancel
from league.competitions.draw.advancing import advance, sweep
from league.competitions.draw.plans import Plan, found
from league.competitions.draw.publishing import publish
from league.competitions.draw.rebuilding import differences
from league.competitions.draw.schedule.bookings import double_booked
from league.competitions.draw.schedule.rescheduling import move
from league.competitions.draw.stages import draw
from league.competitions.formats.registry import SPECS
from league.competitions.honours import settle_missed
from league.competitions.integrity.draws import draw_differences
from league.competitions.models import Competition, Honour, Rating, Slot, Stage
from league.competitions.queries.inbox import InboxKind, inbox
from league.competitions.ratings.services import rate_league
from league.competitions.registration.entries import register
from league.competitions.registration.fees import cash, give_back, take_fee
from league.competitions.seasons.dates import move_matchday
from league.errors import NotAllowed, Refused
from league.matches.models import Amendment, KnownBy, Match, Record, Table
from league.matches.results.entering import enter_sheet, undo_entry
from tests.league.competitions import at_tables, cup
from tests.league.competitions.amended import score
from tests.league.competitions.cup import enter_result
from tests.league.competitions.draw.test_reopening import again, made_of, slots
from tests.league.competitions.season_world import FIRST, published_season
from tests.league.matches.results.test_entering_at_once import at_once
from tests.league.world import NOON

STORM = "The hall is flooded"


def published(world, key: str = Stage.Format.ROUND_ROBIN, **changes) -> Competition:
    world.league.confirmation_required = False
    world.league.save()
    made = made_of(world, key, **changes)
    publish(made, user=world.owner)
    return again(made)


def play(world, match: Match, scores: tuple[int, int] = (150, 40)) -> Record:
    return enter_sheet(match.games.get(), world.owner, {"scores": list(scores)}, kind=KnownBy.SCORE).record


def cancelled(made: Competition, world, **more) -> Competition:
    assert cancel(made, user=world.owner, reason=STORM, **more) is True
    return again(made)


@pytest.mark.parametrize("key", SPECS)
def test_open_matches_are_gone_and_no_check_finds_a_fault(world, key) -> None:
    made = published(world, key)
    found = slots(made)
    if found and not made.stages.get(number=1).is_at_tables:
        play(world, found[0].match)
    made = cancelled(made, world)
    of_it = Match.objects.filter(slot__matchday__stage__competition=made)
    assert not of_it.filter(published_at__isnull=False).exclude(state=Match.State.DECIDED).exists()
    assert not of_it.exclude(state=Match.State.DECIDED).exists()
    assert sweep() == settle_missed() == 0
    assert differences(made) == draw_differences(made) == []
    assert not Honour.objects.exists()
    assert not made.stages.exclude(finished_at=None).exists()
    assert cancel(made, user=world.owner, reason="again") is False
    assert again(made).cancel_reason == STORM


def test_played_matches_stay_and_entries_of_open_ones_do_not_count(world) -> None:
    made = published(world)
    first, second = slots(made)[:2]
    play(world, first.match)
    world.league.confirmation_required = True
    world.league.save()
    play(world, second.match)
    effect = consequences(made)
    assert (effect.played, [slot.pk for slot in effect.dropped], effect.unplayed) == (1, [second.pk], 34)
    cancelled(made, world)
    assert Match.objects.get(pk=first.match_id).published_at is not None
    assert not second.match.games.get().results.filter(current=True).exists()
    assert Record.objects.filter(game__match=second.match).exclude(withdrawn_at=None).count() == 1


@pytest.mark.parametrize("rated", [True, False])
def test_ratings_stay_or_go_as_the_preview_says(world, rated) -> None:
    made = published(world)
    for slot in slots(made)[:4]:
        play(world, slot.match)
    rate_league(world.league.pk)
    before = dict(Rating.objects.filter(latest=True).values_list("player", "rating"))
    preview = ratings_without(made, user=world.owner)
    assert before
    assert {one.player for one in preview} == set(before)
    assert {one.after for one in preview} == {None}
    assert dict(Rating.objects.filter(latest=True).values_list("player", "rating")) == before
    cancelled(made, world, rated=rated)
    after = dict(Rating.objects.filter(latest=True).values_list("player", "rating"))
    assert after == (before if rated else {})


def test_fees_are_given_back_afterwards_too(world) -> None:
    made = published(world, fee=500, currency="€")
    payment = take_fee(made, made.registrations.first().entrant, user=world.owner, owed=500)
    made = cancelled(made, world)
    assert (consequences(made).payments, consequences(made).amount) == (1, 500)
    assert give_back(payment, user=world.owner) is True
    assert (consequences(made).payments, cash(made).total) == (0, 0)


def test_nothing_more_is_done_to_it(world) -> None:
    made = published(world)
    match = slots(made)[0].match
    record = play(world, match)
    made = cancelled(made, world)
    for act in (
        lambda: undo_entry(record, world.owner),
        lambda: draw(made, user=world.owner),
        lambda: take_fee(made, made.registrations.first().entrant, user=world.owner, owed=500),
    ):
        with pytest.raises(Refused) as refused:
            act()
        assert refused.value.code == "cancelled"
        assert STORM in str(refused.value)


def test_its_open_amendments_are_closed(world) -> None:
    made = published(world)
    world.league.confirmation_required = True
    world.league.save()
    games = []
    for one, user in zip(slots(made), (world.owner, world.referee), strict=False):
        enter_result(world, one.match, 1)
        games.append(one.match.games.select_related("match__league").get())
        propose_amendment(games[-1], user, score(95, 150))
    cancelled(made, world)
    closed = Amendment.objects.order_by("pk").values_list("state", "closed_by", "new")
    assert list(closed) == [("withdrawn", world.owner.pk, None), ("refused", world.owner.pk, None)]
    assert [game.results.get(current=True).scores["1"] for game in games] == [150, 150]
    assert not any(one.kind is InboxKind.AMENDMENT for one in inbox(world.second_referee))


def test_an_amendment_left_open_by_an_earlier_edition_can_be_closed(world) -> None:
    made = published(world)
    world.league.confirmation_required = True
    world.league.save()
    match = slots(made)[0].match
    enter_result(world, match, 1)
    left = propose_amendment(match.games.select_related("match__league").get(), world.referee, score(95, 150))
    Competition.objects.filter(pk=made.pk).update(cancelled_at=NOON, cancelled_by=world.owner, cancel_reason=STORM)
    with pytest.raises(Refused) as refused:
        confirm_amendment(left, world.second_referee)
    assert refused.value.code == "cancelled"
    assert close_amendment(left, world.second_referee).state == Amendment.State.REFUSED


@pytest.mark.parametrize("code", ["not-published", "no-reason", "type-it", "is-over"])
def test_it_says_why_it_cannot_be_cancelled(world, code) -> None:
    made = made_of(world, Stage.Format.ROUND_ROBIN, count=3) if code == "not-published" else published(world, count=3)
    reason, typed = "" if code == "no-reason" else STORM, None
    found = slots(made)
    if code == "type-it":
        play(world, found[0].match)
        assert word_to_cancel(made) == made.name
        typed = "something"
    if code == "is-over":
        for slot in found:
            play(world, slot.match)
        assert sweep() == 1
    with pytest.raises(Refused) as refused:
        cancel(made, user=world.owner, reason=reason, typed=typed)
    assert refused.value.code == code
    assert again(made).cancelled_at is None


def test_only_managers_cancel(world) -> None:
    made = published(world)
    with pytest.raises(NotAllowed):
        cancel(made, user=world.referee, reason=STORM)


def test_drafts_and_cancelled_ones_book_nobody(world) -> None:
    cup = made_of(world, Stage.Format.ROUND_ROBIN)
    rival = made_of(world, Stage.Format.ROUND_ROBIN, name="Rival")
    assert [slot.starts_at for slot in slots(rival)] == [slot.starts_at for slot in slots(cup)]
    assert double_booked(rival) == []
    publish(cup, user=world.owner)
    assert len(double_booked(rival)) == len(slots(rival))
    draw(rival, user=world.owner)
    assert double_booked(rival) == []
    assert slots(rival)[0].starts_at > slots(cup)[-1].starts_at
    cancelled(again(cup), world)
    draw(rival, user=world.owner)
    assert slots(rival)[0].starts_at < slots(cup)[-1].starts_at


@pytest.mark.postgres
def test_of_a_result_and_a_cancellation_at_once_the_result_counts_or_is_refused(shared_world) -> None:
    made = published(shared_world)
    match = slots(made)[0].match
    entering = partial(play, shared_world, match)
    found = at_once(entering, partial(cancel, made, user=shared_world.owner, reason=STORM))
    refused = [one for one in found if isinstance(one, Refused)]
    assert again(made).cancelled_at is not None
    stands = match.games.get().results.filter(current=True).exists()
    assert stands == (not refused)
    assert (Match.objects.get(pk=match.pk).published_at is not None) == stands


# --- Tables and people of later rounds, which have no match yet ---


def final_called_off(world) -> Slot:
    """The final of a cancelled knock-out: it keeps an hour, a table and a finalist, but has no match."""
    made = cup.published(world, 4, name="Called off", tables=["1"])
    first = cup.slot(made, 1, 1).match
    cup.enter_result(world, first, 1)
    advance(first.pk)
    final = Slot.objects.get(matchday__stage__competition=made, matchday__number=2)
    assert cancel(made, user=world.owner, reason=STORM, typed=made.name)
    final.refresh_from_db()
    assert (final.match, final.table.name, final.berths.exclude(entrant=None).count()) == (None, "1", 1)
    return final


def test_a_match_moves_to_a_table_and_an_hour_of_a_cancelled_one(world) -> None:
    final = final_called_off(world)
    new = cup.published(world, 2, name="New evening", tables=["1"], starts_at=final.starts_at + timedelta(hours=3))
    moved = move(slots(new)[0], user=world.owner, table=final.table, starts_at=final.starts_at)
    assert (moved.table, moved.starts_at) == (final.table, final.starts_at)


@pytest.mark.parametrize("kind", ["cancelled", "draft"])
def test_a_late_entry_plays_at_a_table_and_an_hour_of_one_that_is_not_played(world, kind) -> None:
    if kind == "cancelled":
        final = final_called_off(world)
        start, table = final.starts_at, final.table
    else:
        [slot] = Slot.objects.filter(matchday__stage__competition=cup.drafted(world, 2, name="Draft", tables=["1"]))
        start, table = slot.starts_at, slot.table
    plan = {"format": Stage.Format.ROUND_ROBIN, "tables": ["1", "2"], "starts_at": start}
    new = cup.published(world, 3, name="New evening", **plan)
    Slot.objects.filter(matchday__stage__competition=new, matchday__number=1).update(
        table=Table.objects.get(name="2", league=new.league)
    )
    [place, *_] = walk_in(new, "Zoe Late", user=world.owner).places
    assert (place.slot.matchday.number, place.slot.starts_at, place.slot.table) == (1, start, table)


@pytest.mark.parametrize("kind", ["cancelled", "draft"])
def test_a_late_entry_sits_down_at_an_hour_of_one_that_is_not_played(world, kind) -> None:
    if kind == "cancelled":
        final = final_called_off(world)
    else:
        final = Slot.objects.get(matchday__stage__competition=cup.drafted(world, 2, name="Draft"))
    who = final.berths.exclude(entrant=None).first().entrant
    others = [one for one in cup.people(world, 9)[2:] if one != who][:7]
    new = found(world.league, at_tables.plan(name="New evening"), user=world.owner)
    register(new, others)
    draw(new, user=world.owner)
    publish(new, user=world.owner)
    Slot.objects.filter(matchday__stage__competition=new, matchday__number=2).update(starts_at=final.starts_at)
    done = walk_in(new, who.player.code, user=world.owner)
    assert [place.slot.matchday.number for place in done.places] == [1, 2, 3]


def test_a_matchday_moves_to_a_table_and_an_hour_of_a_cancelled_one(world) -> None:
    season = published_season(world, plan=Plan(name="-", ruleset="udl", tables=["1", "2", "3", "4", "5", "6"]))
    to = FIRST + timedelta(days=1)
    final = final_called_off(world)
    Slot.objects.filter(pk=final.pk).update(starts_at=to)
    assert move_matchday(season, 1, to, user=world.owner) == 6
