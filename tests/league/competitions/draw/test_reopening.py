"""A published competition is reopened before play; printed codes stay where they still say the truth."""

from functools import partial

import pytest

from league.competitions.attendance.withdrawals import undo_withdrawal, withdraw
from league.competitions.draw.plans import replan
from league.competitions.draw.publishing import publish
from league.competitions.draw.rebuilding import differences
from league.competitions.draw.reopening import reason_against, reopen
from league.competitions.draw.stages import draw
from league.competitions.draw.undo import bring_back, discard, undo
from league.competitions.formats.registry import SPECS
from league.competitions.integrity.draws import draw_differences
from league.competitions.models import Competition, EarlierState, FormerCard, FormerSeat, Slot, Stage
from league.competitions.queries.former_cards import new_places
from league.competitions.registration.entries import register, unregister
from league.competitions.registration.seeding import reseed
from league.competitions.seasons.plans import plan_like
from league.competitions.seasons.services import draw_season, publish_season
from league.competitions.snapshots import undoable
from league.errors import NotAllowed, Refused
from league.matches.clock import services as clocks
from league.matches.logs.submission import submit_log
from league.matches.models import KnownBy, Match, Record
from league.matches.results.entering import enter_sheet, rule, undo_entry
from league.players.models import Entrant
from league.players.services import merge
from tests.league.competitions import at_tables
from tests.league.competitions.attendance.evening import seen
from tests.league.competitions.draw.test_undoing_every_kind import of_a_division, of_pairs
from tests.league.competitions.earlier import drafted, everything, newest, people
from tests.league.matches.results.test_entering_at_once import at_once
from tests.league.world import played_log

PLANS = {
    Stage.Format.GROUPS: {"groups": 2, "then": Stage.Format.SINGLE_ELIMINATION, "advance_each": 1},
    Stage.Format.TABLE_ROUNDS: {
        "seats": 4, "rounds": 3, "place_points": (5, 3, 1, 0), "ruleset": "all-fives", "tie_breaks": at_tables.ORDER,
        "bye_points": 1,
    },
    Stage.Format.LADDER: {"challenge_reach": 2},
}  # fmt: skip
RELEASES = [Competition.Release.ALL, Competition.Release.ROUND_BY_ROUND]


def made_of(world, key: str, count: int = 9, **changes) -> Competition:
    return drafted(world.league, world.owner, people(world.league, count), format=key, **PLANS.get(key, {}) | changes)


def slots(made: Competition) -> list[Slot]:
    found = Slot.objects.filter(matchday__stage__competition=made, match__isnull=False)
    return list(found.select_related("match", "matchday__stage").order_by("matchday__number", "number"))


def codes(made: Competition) -> dict[tuple[int, int], tuple]:
    """By place in the draw what a card has: its entrants, its secret, the codes of its games; and its address."""
    return {
        (slot.matchday.place, slot.number): (
            frozenset(slot.match.sides.values_list("entrant", flat=True)),
            slot.match.door,
            tuple(slot.match.games.order_by("number").values_list("code", flat=True)),
            slot.match_id,
        )
        for slot in slots(made)
    }


def again(made: Competition) -> Competition:
    return Competition.objects.get(pk=made.pk)


def refused(made: Competition, user, code: str) -> str:
    before = everything(made)
    with pytest.raises(Refused) as one:
        reopen(made, user=user)
    assert one.value.code == code
    assert everything(made) == before
    return str(one.value)


@pytest.mark.parametrize("release", RELEASES)
@pytest.mark.parametrize("key", SPECS)
def test_publish_and_reopen_leave_every_row_as_it_was(world, key, release) -> None:
    made = made_of(world, key, release=release)
    before = everything(made)
    publish(made, user=world.owner)
    assert everything(made) != before
    assert reopen(made, user=world.owner) is True
    assert everything(made) == before
    assert reopen(made, user=world.owner) is False
    assert everything(made) == before


@pytest.mark.parametrize("key", SPECS)
def test_the_same_draw_again_has_the_same_addresses_and_codes(world, key) -> None:
    made = made_of(world, key)
    publish(made, user=world.owner)
    before = codes(made)
    reopen(made, user=world.owner)
    draw(made, user=world.owner)
    assert codes(made) == before
    publish(again(made), user=world.owner)
    assert codes(made) == before
    assert FormerCard.objects.count() == len(before)


def test_pairs_are_known_by_their_entrants_too(world) -> None:
    made = of_pairs(world)
    draw(made, user=world.owner)
    publish(made, user=world.owner)
    before = codes(made)
    reopen(made, user=world.owner)
    draw(made, user=world.owner)
    assert codes(made) == before


def test_a_code_stays_where_the_same_two_meet_in_the_same_place_and_only_there(world) -> None:
    """Without the last of nine there is no first round, and the same three of the quarter-finals are known."""
    made = made_of(world, Stage.Format.SINGLE_ELIMINATION)
    draw(made, user=world.owner)
    publish(made, user=world.owner)
    before = codes(made)
    reopen(made, user=world.owner)
    order = list(made.registrations.order_by("seed").values_list("entrant", flat=True))
    unregister(made, Entrant.objects.get(pk=order[8]), user=world.owner)
    draw(made, user=world.owner)
    now = codes(made)
    same = {place for place in now if place in before and before[place][0] == now[place][0]}
    assert len(same) == 3
    assert len(now) == 4
    for place, (_who, door, games, key) in now.items():
        assert (place in same) == ((door, games, key) in {one[1:] for one in before.values()})
        assert place not in same or now[place] == before[place]


def test_another_table_and_hour_and_more_games_keep_the_code(world) -> None:
    made = made_of(world, Stage.Format.ROUND_ROBIN)
    publish(made, user=world.owner)
    before = codes(made)
    reopen(made, user=world.owner)
    replan(again(made), plan_like(again(made), best_of=3, tables=("7",), minutes=50), user=world.owner)
    draw(again(made), user=world.owner)
    now = codes(made)
    assert {place: (one[0], one[1], one[2][:1], one[3]) for place, one in now.items()} == before
    assert {len(one[2]) for one in now.values()} == {3}
    assert {slot.match.table.name for slot in slots(made)} == {"7"}


def test_a_code_that_says_another_thing_answers_with_the_new_tables(world) -> None:
    made = made_of(world, Stage.Format.ROUND_ROBIN)
    publish(made, user=world.owner)
    card = slots(made)[0].match
    first, second = (side.entrant for side in card.sides.order_by("number").select_related("entrant__player"))
    reopen(made, user=world.owner)
    assert new_places(door=card.door).places == []
    order = list(made.registrations.order_by("seed").values_list("entrant", flat=True))
    reseed(made, [one for one in order[::-1] if one != second.pk] + [second.pk], user=world.owner)
    unregister(made, second, user=world.owner)
    draw(made, user=world.owner)
    assert new_places(door=card.door).places == []
    publish(again(made), user=world.owner)
    found = new_places(door=card.door)
    assert new_places(match=card.pk) == found
    assert [(one.name, one.out) for one in found.places] == [(first.player.name, False), (second.player.name, True)]
    assert found.places[1].line is None
    line = found.places[0].line
    assert first.pk in {side.entrant_id for side in line.sides}
    assert line.table
    assert not Match.objects.filter(door=card.door).exists()
    assert new_places(door="NO-SUCH-CODE") is None


def test_undo_of_the_new_draw_brings_back_the_published_one_with_its_codes(world) -> None:
    made = made_of(world, Stage.Format.SINGLE_ELIMINATION)
    publish(made, user=world.owner)
    before = codes(made)
    reopen(made, user=world.owner)
    order = list(made.registrations.order_by("seed").values_list("entrant", flat=True))
    reseed(made, order[::-1], user=world.owner)
    draw(made, user=world.owner)
    assert codes(made) != before
    first = undoable(made).order_by("pk").get(before=EarlierState.Before.SEEDED)
    assert undo(made, first.pk, newest=newest(made).pk, user=world.owner).done
    assert codes(made) == before
    publish(again(made), user=world.owner)
    assert codes(made) == before


def test_whoever_was_entered_twice_is_one_player_after_reopening(world) -> None:
    made = made_of(world, Stage.Format.SINGLE_ELIMINATION)
    draw(made, user=world.owner)
    publish(made, user=world.owner)
    one, other = (side.entrant for side in slots(made)[0].match.sides.select_related("entrant__player"))
    reopen(made, user=world.owner)
    unregister(made, other, user=world.owner)
    merge(kept=one.player, absorbed=other.player, league=world.league, by=world.owner)
    assert set(FormerSeat.objects.filter(card__match__isnull=False, entrant=other.pk)) == set()
    draw(made, user=world.owner)


def test_nothing_is_reopened_that_has_begun(world) -> None:
    made = made_of(world, Stage.Format.ROUND_ROBIN)
    publish(made, user=world.owner)
    game = slots(made)[0].match.games.get()
    entered = enter_sheet(game, world.owner, {"scores": [150, 40]}, kind=KnownBy.SCORE)
    told = "Play has begun, so it stays published: Round 1: Player 02 – Player 09."
    assert refused(made, world.owner, "has-begun") == told
    undo_entry(entered.record, world.owner)
    assert reason_against(made) is None
    clocks.start_clock(slots(made)[1].match.games.get(), world.owner)
    assert refused(made, world.owner, "has-begun") == told.replace("02 – Player 09", "03 – Player 08")


def came_back(made: Competition, world) -> Match:
    """An entrant leaves and returns before anything has begun; the match with the forfeit that was taken back."""
    match = slots(made)[0].match
    done = withdraw(again(made), match.sides.get(number=1).entrant, user=world.owner, reason="ill")
    undo_withdrawal(done, user=world.owner)
    return match


@pytest.mark.parametrize("key", SPECS)
def test_a_withdrawal_that_was_taken_back_is_no_beginning(world, key) -> None:
    made = made_of(world, key)
    before = seen(made)
    publish(made, user=world.owner)
    done = withdraw(again(made), made.registrations.order_by("seed")[1].entrant, user=world.owner, reason="ill")
    undo_withdrawal(done, user=world.owner)
    assert reopen(made, user=world.owner) is True
    assert seen(again(made)) == before


def test_a_result_that_was_taken_back_is_no_beginning_and_stays_on_record(world) -> None:
    made = made_of(world, Stage.Format.ROUND_ROBIN)
    before = seen(made)
    publish(made, user=world.owner)
    match = slots(made)[0].match
    entered = enter_sheet(match.games.get(), world.owner, {"scores": [150, 40]}, kind=KnownBy.SCORE)
    assert refused(made, world.owner, "has-begun").startswith("Play has begun")
    undo_entry(entered.record, world.owner)
    assert reopen(made, user=world.owner) is True
    assert seen(again(made)) == before
    draw(made, user=world.owner)
    assert Match.objects.get(pk=match.pk).set_aside_at
    assert Record.objects.filter(pk=entered.record.pk, withdrawn_at__isnull=False).exists()
    publish(again(made), user=world.owner)
    assert [*differences(made), *draw_differences(made)] == []


def test_a_draw_after_a_withdrawal_that_was_taken_back_keeps_its_record(world) -> None:
    """The match with the record is set aside; its card answers with the new table, the others stay valid."""
    made = made_of(world, Stage.Format.SINGLE_ELIMINATION, release=Competition.Release.ALL)
    publish(made, user=world.owner)
    match, before = came_back(made, world), codes(made)
    kept = list(Record.objects.values_list("pk", "head"))
    reopen(made, user=world.owner)
    draw(made, user=world.owner)
    now = codes(made)
    assert {place for place in now if now[place] != before[place]} == {
        place for place, one in before.items() if one[3] == match.pk
    }
    aside = Match.objects.get(pk=match.pk)
    assert (aside.set_aside_at is None, aside.published_at) == (False, None)
    assert list(Record.objects.values_list("pk", "head")) == kept
    publish(again(made), user=world.owner)
    assert [one.line is not None for one in new_places(door=match.door).places] == [True, True]


def test_undo_of_a_draw_brings_back_the_match_with_the_record(world) -> None:
    made = made_of(world, Stage.Format.ROUND_ROBIN)
    publish(made, user=world.owner)
    came_back(made, world)
    reopen(made, user=world.owner)
    before = everything(made)
    draw(made, user=world.owner)
    assert everything(made) != before
    state = newest(made)
    assert undo(made, state.pk, newest=state.pk, user=world.owner).done
    assert everything(made) == before
    assert not Match.objects.filter(set_aside_at__isnull=False).exists()


def test_a_draft_after_a_withdrawal_that_was_taken_back_is_discarded_and_comes_back(world) -> None:
    made = made_of(world, Stage.Format.ROUND_ROBIN)
    publish(made, user=world.owner)
    match = came_back(made, world)
    reopen(made, user=world.owner)
    before = codes(made)
    state = discard(made, user=world.owner)
    assert not Competition.objects.filter(pk=made.pk).exists()
    assert Match.objects.get(pk=match.pk).set_aside_at
    back = bring_back(world.league, state.pk, user=world.owner)
    assert codes(back) == before


def test_a_clock_that_runs_has_begun(world) -> None:
    made = made_of(world, Stage.Format.ROUND_ROBIN)
    publish(made, user=world.owner)
    clocks.start_clock(slots(made)[0].match.games.get(), world.owner)
    refused(made, world.owner, "has-begun")


def test_whoever_left_is_there_again_first(world) -> None:
    made = made_of(world, Stage.Format.LADDER)
    publish(made, user=world.owner)
    withdraw(again(made), made.registrations.first().entrant, user=world.owner, reason="ill")
    refused(made, world.owner, "has-begun")


def test_a_division_stays_with_its_season(world) -> None:
    made = of_a_division(world)
    season = made.division.season
    draw_season(season, user=world.owner)
    publish_season(season, user=world.owner)
    refused(made, world.owner, "in-season")


def test_only_who_may_publish_may_reopen(world) -> None:
    made = made_of(world, Stage.Format.ROUND_ROBIN)
    publish(made, user=world.owner)
    with pytest.raises(NotAllowed):
        reopen(made, user=world.referee)
    assert again(made).published_at


def test_somebody_new_is_registered_and_the_ratings_are_taken_again(world) -> None:
    made = made_of(world, Stage.Format.ROUND_ROBIN)
    publish(made, user=world.owner)
    made.registrations.update(rating=1500)
    reopen(made, user=world.owner)
    assert set(made.registrations.values_list("rating", flat=True)) == {None}
    register(made, people(world.league, 1, prefix="New"), user=world.owner)
    draw(made, user=world.owner)
    assert publish(again(made), user=world.owner)
    assert made.registrations.count() == 10


@pytest.mark.postgres
def test_of_a_result_and_a_reopening_at_once_one_is_refused(shared_world) -> None:
    made = made_of(shared_world, Stage.Format.ROUND_ROBIN)
    publish(made, user=shared_world.owner)
    game = slots(made)[0].match.games.get()
    entering = partial(enter_sheet, game, shared_world.owner, {"scores": [150, 40]}, kind=KnownBy.SCORE)
    found = at_once(entering, partial(reopen, made, user=shared_world.owner))
    assert sum(isinstance(one, Refused) for one in found) == 1
    assert (again(made).published_at is None) == (Record.objects.filter(game=game).count() == 0)


@pytest.mark.parametrize("act", ["score", "log", "ruling"])
def test_a_match_of_a_reopened_draw_takes_no_result(world, act) -> None:
    made = made_of(world, Stage.Format.ROUND_ROBIN)
    publish(made, user=world.owner)
    game = slots(made)[0].match.games.get()
    log = played_log(7).replace("Ana Ruiz", "Player 02").replace("Bo Chen", "Player 09").encode()
    acts = {
        "score": partial(enter_sheet, game, world.owner, {"scores": [150, 40]}, kind=KnownBy.SCORE),
        "log": partial(submit_log, game=game, user=world.owner, raw=log),
        "ruling": partial(rule, game, world.owner, scores=[150, 0], winner=1, reason="did not come"),
    }
    reopen(made, user=world.owner)
    with pytest.raises(Refused, match="This match is a draft"):
        acts[act]()
    assert not Record.objects.exists()
