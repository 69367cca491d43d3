"""An entry that was taken back is no beginning: latecomers, absences and undo go on as if it were not there."""

import pytest

from league.competitions.attendance.late_entries import walk_in
from league.competitions.attendance.late_entry_undo import undo_late_entry
from league.competitions.attendance.late_places import offers
from league.competitions.attendance.withdrawals import undo_withdrawal, withdraw
from league.competitions.draw.advancing import advance
from league.competitions.draw.rebuilding import differences
from league.competitions.integrity.draws import draw_differences
from league.competitions.models import Slot
from league.competitions.queries.former_cards import new_places
from league.matches.models import KnownBy, Match, Record
from league.matches.results.entering import enter_sheet, undo_entry
from tests.league.competitions import at_tables, cup
from tests.league.competitions.attendance.evening import PLANS, seen

pytestmark = pytest.mark.django_db


def entered_and_taken_back(world, match: Match) -> Record:
    scores = [150, 60, 40, 20][: match.sides.count()]
    game = match.games.get(number=1)
    record = enter_sheet(game, world.referee, {"scores": scores}, kind=KnownBy.SCORE, insist=True).record
    advance(match.pk)
    undo_entry(record, user=world.referee)
    advance(match.pk)
    return record


def faults(competition) -> list[object]:
    return [*differences(competition), *draw_differences(competition)]


def test_a_newcomer_sits_at_a_table_whose_result_was_taken_back(world):
    competition = at_tables.published(world, 7)
    [small] = [one for one in at_tables.slots(competition, 1) if one.match.sides.count() == 3]
    record = entered_and_taken_back(world, small.match)
    before = seen(competition)
    row = walk_in(competition, "Zoe Late", user=world.owner).registration
    small.refresh_from_db()
    assert "Zoe Late" in at_tables.sides(small.match)
    assert record.game.match.sides.count() == 3, "the entry keeps the table for which it was made"
    assert faults(competition) == []
    undo_late_entry(row, user=world.owner)
    assert seen(competition) == before
    assert faults(competition) == []


def test_undo_of_a_late_entry_at_a_table_whose_result_was_taken_back(world):
    competition = at_tables.published(world, 7)
    before = [at_tables.sides(slot.match) for slot in at_tables.slots(competition, 1)]
    row = walk_in(competition, "Zoe Late", user=world.owner).registration
    slot = Slot.objects.get(matchday__stage__competition=competition, matchday__number=1, berths__entrant=row.entrant)
    printed = slot.match.door
    entered_and_taken_back(world, slot.match)
    undo_late_entry(row, user=world.owner)
    assert [at_tables.sides(slot.match) for slot in at_tables.slots(competition, 1)] == before
    assert faults(competition) == []
    slot.refresh_from_db()
    there = [place.line.id for place in new_places(door=printed).places if place.line]
    assert there == [slot.match_id] * 3, "the printed code leads those who play to the new match"


@pytest.mark.parametrize("count", [6, 8])
def test_a_withdrawal_leaves_a_table_whose_result_was_taken_back(world, count):
    competition = at_tables.published(world, count)
    slot = Slot.objects.get(matchday__stage__competition=competition, matchday__number=1, berths__entrant=world.ana)
    record = entered_and_taken_back(world, slot.match)
    before = seen(competition)
    done = withdraw(competition, world.ana, user=world.owner, reason="ill")
    slot.refresh_from_db()
    assert "Ana Ruiz" not in at_tables.sides(slot.match)
    assert record.game.match.sides.filter(entrant=world.ana).exists()
    assert faults(competition) == []
    undo_withdrawal(done, user=world.owner)
    assert seen(competition) == before
    assert faults(competition) == []


@pytest.mark.parametrize("kind", [kind for kind in PLANS if kind != "tables"])
def test_undo_of_a_late_entry_after_an_entry_of_its_match_was_taken_back(world, kind):
    competition = cup.published(world, {"groups, knock-out": 7, "ladder": 4}.get(kind, 5), **PLANS[kind])
    before = seen(competition)
    row = walk_in(competition, "Zoe Late", user=world.owner).registration
    match = Match.objects.filter(slot__berths__entrant=row.entrant).order_by("slot__matchday__number").first()
    if match is not None:
        entered_and_taken_back(world, match)
    undo_late_entry(row, user=world.owner)
    assert seen(competition) == before
    assert faults(competition) == []


def test_a_match_that_waits_for_the_winner_of_a_bye_comes_back_with_its_record(world):
    competition = cup.published(world, 5)
    waits = next(slot for place in (1, 2) if (slot := cup.slot(competition, 2, place)).match is not None)
    record = entered_and_taken_back(world, waits.match)
    before = seen(competition)
    for offer in offers(competition):
        row = walk_in(competition, "Zoe Late", user=world.owner, slot_id=offer.first.slot.pk).registration
        assert faults(competition) == []
        undo_late_entry(row, user=world.owner)
        assert seen(competition) == before
        assert faults(competition) == []
    assert Record.objects.get(pk=record.pk).game.match_id == waits.match_id
