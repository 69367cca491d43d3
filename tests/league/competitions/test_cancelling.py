"""A published competition is cancelled: it stands in nobody's way, and its address says why."""

from functools import partial

import pytest

from league.competitions.amendments.rating_effects import ratings_without
from league.competitions.cancelling import cancel, consequences, word_to_cancel
from league.competitions.draw.advancing import sweep
from league.competitions.draw.bookings import double_booked
from league.competitions.draw.publishing import publish
from league.competitions.draw.rebuilding import differences
from league.competitions.draw.stages import draw
from league.competitions.formats.registry import SPECS
from league.competitions.honours import settle_missed
from league.competitions.integrity.draws import draw_differences
from league.competitions.models import Competition, Honour, Rating, Stage
from league.competitions.ratings.services import rate_league
from league.competitions.registration.fees import cash, give_back, take_fee
from league.errors import NotAllowed, Refused
from league.matches.models import KnownBy, Match, Record
from league.matches.results.entering import enter_sheet, undo_entry
from tests.league.competitions.draw.test_reopening import again, made_of, slots
from tests.league.matches.results.test_entering_at_once import at_once

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
