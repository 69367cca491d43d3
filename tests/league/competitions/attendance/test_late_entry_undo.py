"""A late entry is taken back with one act, as long as none of its matches has begun (see test_way_back.py)."""

from random import Random

import pytest

from league.competitions.attendance.late_entries import walk_in
from league.competitions.attendance.late_entry_undo import undo_late_entry, undoable_entry
from league.competitions.attendance.late_places import offers
from league.competitions.attendance.withdrawals import undo_withdrawal, withdraw
from league.competitions.draw.advancing import advance
from league.competitions.draw.publishing import publish_matchday
from league.competitions.draw.rebuilding import differences
from league.competitions.draw.reopening import reopen
from league.competitions.draw.stages import draw_next
from league.competitions.integrity.draws import draw_differences
from league.competitions.ladders.services import challenge
from league.competitions.models import Slot, Stage
from league.errors import NotAllowed, Refused
from league.matches.models import Match
from tests.league.competitions.attendance.evening import PLANS, seen
from tests.league.competitions.cup import enter_result, published, slot
from tests.volume import seeds

COUNTS = {"groups, knock-out": 7, "tables": 7, "ladder": 4}


def evening(world, kind, **more):
    return published(world, COUNTS.get(kind, 5), **({"tables": ["1", "2", "3"]} | PLANS[kind] | more))


def late(world, cup, name="Zoe Late", **more):
    return walk_in(cup, name, user=world.owner, **more).registration


def refused(world, row):
    before = seen(row.competition)
    with pytest.raises(Refused) as caught:
        undo_late_entry(row, user=world.owner)
    assert seen(row.competition) == before
    return caught.value.code, str(caught.value)


def mine(row):
    return Match.objects.filter(slot__berths__entrant=row.entrant).order_by("slot__matchday__number").first()


@pytest.mark.parametrize("kind", PLANS)
def test_the_draw_is_as_it_was(world, kind):
    cup = evening(world, kind)
    before = seen(cup)
    row = late(world, cup)
    assert seen(cup) != before
    assert undoable_entry(cup) == row
    assert undo_late_entry(row, user=world.owner) is True
    assert seen(cup) == before
    assert undo_late_entry(row, user=world.owner) is False
    assert undoable_entry(cup) is None


@pytest.mark.parametrize("kind", PLANS)
def test_two_entries_are_taken_back_the_last_first(world, kind):
    cup = evening(world, kind, **({"groups": 3} if "groups" in PLANS[kind] else {}))
    before = seen(cup)
    first = late(world, cup)
    if not offers(cup):
        return
    second = late(world, cup, "Zed Later")
    assert refused(world, first) == ("later-entry", "Zed Later came later. Take that entry back first.")
    undo_late_entry(second, user=world.owner)
    undo_late_entry(first, user=world.owner)
    assert seen(cup) == before


@pytest.mark.parametrize("seed", seeds(12))
@pytest.mark.parametrize("kind", ["knock-out", "double elimination"])
def test_results_that_came_meanwhile_stay_and_the_evening_ends(world, kind, seed):
    chance = Random(f"{kind} {seed}")
    cup = published(world, chance.choice([5, 6, 9, 10, 11]), **PLANS[kind], tables=["1", "2", "3"])
    for _ in range(chance.randrange(3)):
        play_one(world, cup, chance)
    found = offers(cup)
    if not found:
        return
    row = late(world, cup, slot_id=chance.choice(found).first.slot.pk)
    for _ in range(chance.randrange(1, 8)):
        play_one(world, cup, chance, without=row.entrant)
    undo_late_entry(row, user=world.owner)
    assert [*differences(cup), *draw_differences(cup)] == []
    while play_one(world, cup, chance):
        assert differences(cup) == []
    assert cup.stages.get().finished_at is not None


def play_one(world, cup, chance, without=None) -> bool:
    matches = Match.objects.filter(slot__matchday__stage__competition=cup, state=Match.State.SCHEDULED)
    matches = matches.exclude(sides__entrant=without) if without else matches
    match = matches.order_by("slot__matchday__number", "slot__number").first()
    if match is not None:
        enter_result(world, match, chance.choice([1, 2]))
        advance(match.pk)
    return match is not None


def test_a_match_that_waited_for_the_newcomer_keeps_its_code_and_goes_where_its_place_was_moved(world):
    cup = evening(world, "knock-out")
    waits = slot(cup, 2, 2)
    before = (waits.match_id, waits.match.door)
    row = late(world, cup, slot_id=slot(cup, 1, 4).pk)
    assert slot(cup, 2, 2).match is None
    other = cup.tables.get(name="3")
    Slot.objects.filter(pk=waits.pk).update(table=other)
    undo_late_entry(row, user=world.owner)
    now = slot(cup, 2, 2).match
    assert (now.pk, now.door, now.table) == (*before, other)


def test_a_match_of_the_newcomer_that_has_begun_is_in_the_way(world):
    cup = evening(world, "round robin")
    row = late(world, cup)
    enter_result(world, mine(row), 1)
    code, told = refused(world, row)
    assert (code, undoable_entry(cup)) == ("entry-begun", None)
    assert told.startswith("This has begun: Round 1: Ana Ruiz – Zoe Late")


def test_a_forfeit_of_the_opponent_is_in_the_way_too(world):
    cup = evening(world, "round robin")
    row = late(world, cup)
    withdraw(cup, world.ana, user=world.owner, reason="ill")
    assert refused(world, row)[0] == "entry-begun"


def test_whoever_was_paired_since_withdraws(world):
    cup = published(world, 4, **PLANS["Swiss"])
    row = late(world, cup)
    for match in Match.objects.filter(slot__matchday__stage__competition=cup):
        enter_result(world, match, 1)
        advance(match.pk)
    assert undoable_entry(cup) == row
    publish_matchday(draw_next(cup, user=world.owner), user=world.owner)
    assert refused(world, row)[0] in {"paired-since", "entry-begun"}


def test_a_challenge_keeps_the_newcomer_on_the_ladder(world):
    cup = evening(world, "ladder")
    row = late(world, cup)
    challenge(cup, row.entrant, cup.registrations.get(seed=4).entrant, by=world.owner)
    assert refused(world, row)[0] == "paired-since"


def test_whoever_was_drawn_withdraws_instead_and_so_does_everybody_after_reopening(world):
    cup = evening(world, "knock-out")
    drawn = cup.registrations.get(seed=2)
    assert refused(world, drawn)[0] == "not-late"
    row = late(world, cup)
    reopen(cup, user=world.owner)
    row.refresh_from_db()
    assert refused(world, row)[0] == "not-late"


@pytest.mark.parametrize("who", ["referee", "alice"])
def test_only_whoever_enters_takes_back(world, who):
    row = late(world, evening(world, "round robin"))
    with pytest.raises(NotAllowed):
        undo_late_entry(row, user=getattr(world, who))


def test_a_stage_that_waited_for_the_newcomer_alone_is_over(world):
    cup = published(world, 3, format=Stage.Format.ROUND_ROBIN)
    row = late(world, cup)
    for match in Match.objects.filter(slot__matchday__stage__competition=cup).exclude(sides__entrant=row.entrant):
        enter_result(world, match, 1)
        advance(match.pk)
    assert cup.stages.get().finished_at is None
    undo_late_entry(row, user=world.owner)
    assert cup.stages.get().finished_at is not None


@pytest.mark.parametrize("plan", [{"count": 8}, {"count": 5}, {"count": 5, "format": "double_elimination"}])
def test_a_withdrawal_that_was_taken_back_takes_no_place_away(world, plan):
    """The match whose forfeit was taken back may wait for a winner again, and returns with the undo of the entry."""
    cup = published(world, **{"format": "single_elimination"} | plan)
    before, offered = seen(cup), [one.first.slot.pk for one in offers(cup)]
    rows = cup.registrations.order_by("seed").select_related("entrant")
    for row in rows:
        undo_withdrawal(withdraw(cup, row.entrant, user=world.owner, reason="ill"), user=world.owner)
    assert seen(cup) == before
    assert [one.first.slot.pk for one in offers(cup)] == offered
    for slot_id in offered:
        late = walk_in(cup, "Zoe Late", user=world.owner, slot_id=None if plan["count"] == 8 else slot_id)
        assert [*differences(cup), *draw_differences(cup)] == []
        undo_late_entry(late.registration, user=world.owner)
        assert seen(cup) == before
