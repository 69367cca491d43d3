"""The end of a ladder, and what goes on when it is opened again."""

import pytest

from league.accounts.models import League
from league.competitions.amendments.services import confirm_amendment, propose_amendment
from league.competitions.attendance.late_entries import walk_in
from league.competitions.attendance.late_places import offers
from league.competitions.attendance.withdrawals import undo_withdrawal, withdraw
from league.competitions.draw.rebuilding import differences
from league.competitions.entrant_names import placed
from league.competitions.ladders.closing import close_ladder, reopen_ladder, word_to_close
from league.competitions.ladders.queries import ladder_view
from league.competitions.models import Challenge, Slot, Stage, Withdrawal
from league.errors import NotAllowed, Refused
from league.matches.amendments import Wanted
from league.matches.models import KnownBy, Match
from league.matches.results.entering import enter_sheet, undo_entry
from tests.league.competitions.ladders.test_ladders import THEN, challenged, ladder, order, play, who
from tests.league.world import NOON

pytestmark = pytest.mark.django_db


def code_of(act) -> str:
    with pytest.raises((Refused, NotAllowed)) as refused:
        act()
    return refused.value.code


def test_a_closed_ladder_has_its_final_places_and_nobody_challenges(world):
    competition = ladder(world)
    play(world, challenged(world, competition, "P4", "Bo"), (20, 150))
    assert word_to_close(competition) == "", "nothing is open, so nothing is lost"
    assert close_ladder(competition, user=world.owner, typed="", now=THEN) is True
    assert Stage.objects.get(competition=competition).finished_at == THEN
    assert close_ladder(competition, user=world.owner, typed="") is False
    assert order(competition) == ["Ana", "P4", "Bo", "P3", "P5"]
    assert code_of(lambda: challenged(world, competition, "P5", "P3")) == "ladder-closed"
    assert code_of(lambda: withdraw(competition, who("Ana"), user=world.owner, reason="ill")) == "ladder-closed"
    assert offers(competition) == []
    assert code_of(lambda: walk_in(competition, "Zoe Late", user=world.owner)) == "no-bye"
    assert not Withdrawal.objects.exists()
    assert differences(competition) == []


def test_open_challenges_are_closed_unplayed_once_the_name_is_typed(world):
    competition = ladder(world)
    one = challenged(world, competition, "P4", "Bo")
    assert word_to_close(competition) == "Ladder"
    assert code_of(lambda: close_ladder(competition, user=world.owner, typed="Cup")) == "type-it"
    assert Challenge.objects.get().slot_id == one.slot_id
    assert Match.objects.filter(slot__pk=one.slot_id).exists()
    assert close_ladder(competition, user=world.owner, typed=" ladder")
    closed = Challenge.objects.get()
    assert (closed.slot, closed.closed_how) == (None, Challenge.Closed.EXPIRED)
    assert not Slot.objects.filter(matchday__stage__competition=competition).exists()
    assert differences(competition) == []


def test_what_has_begun_is_played_to_its_end_first(world):
    competition = ladder(world)
    begun, other = challenged(world, competition, "P4", "Bo"), challenged(world, competition, "P3", "Ana")
    match = Slot.objects.get(pk=begun.slot_id).match
    enter_sheet(match.games.get(), world.referee, {"scores": [20, 150]}, kind=KnownBy.SCORE, insist=True)
    with pytest.raises(Refused) as refused:
        close_ladder(competition, user=world.owner, typed="Ladder")
    assert refused.value.code == "results-missing"
    assert "Round 1: Bo Chen – P4: begun" in str(refused.value)
    assert Challenge.objects.get(pk=other.pk).slot_id is not None, "all or nothing"
    assert Stage.objects.get(competition=competition).finished_at is None


def test_an_amendment_of_a_closed_ladder_moves_its_places_and_it_stays_closed(world):
    competition = ladder(world)
    one = challenged(world, competition, "P4", "Bo")
    play(world, one, (20, 150))
    close_ladder(competition, user=world.owner, now=NOON)
    game = Slot.objects.get(pk=one.slot_id).match.games.get()
    wanted = Wanted(kind=KnownBy.SCORE, data={"scores": [150, 20]}, reason="swapped", later="")
    confirm_amendment(propose_amendment(game, world.referee, wanted), world.second_referee)
    assert order(competition) == ["Ana", "Bo", "P3", "P4", "P5"]
    assert Stage.objects.get(competition=competition).finished_at == NOON
    assert differences(competition) == []


def test_it_goes_on_from_its_places_when_it_is_opened_again(world):
    competition = ladder(world)
    play(world, challenged(world, competition, "P4", "Bo"), (20, 150))
    assert reopen_ladder(competition, user=world.owner) is False
    close_ladder(competition, user=world.owner)
    assert code_of(lambda: reopen_ladder(competition, user=world.referee)) == "no-permission"
    assert reopen_ladder(competition, user=world.owner) is True
    play(world, challenged(world, competition, "P4", "Ana"), (20, 150))
    assert order(competition) == ["P4", "Ana", "Bo", "P3", "P5"]


@pytest.mark.parametrize("name", ["referee", "bob"])
def test_only_whoever_manages_it_closes_it(world, name):
    competition = ladder(world)
    assert code_of(lambda: close_ladder(competition, user=getattr(world, name))) == "no-permission"


def test_nothing_moves_a_closed_ladder_in_silence(world):
    """Neither somebody who comes back, nor a result that is taken back."""
    League.objects.filter(pk=world.league.pk).update(confirmation_required=False)
    competition = ladder(world)
    one = challenged(world, competition, "P4", "Bo")
    match = Slot.objects.get(pk=one.slot_id).match
    done = enter_sheet(match.games.get(), world.referee, {"scores": [20, 150]}, kind=KnownBy.SCORE)
    left = withdraw(competition, who("P5"), user=world.owner, reason="ill")
    close_ladder(competition, user=world.owner)
    before = order(competition)
    assert code_of(lambda: undo_withdrawal(left, user=world.owner)) == "ladder-closed"
    assert code_of(lambda: undo_entry(done.record, world.referee)) == "ladder-closed"
    assert order(competition) == before
    assert Stage.objects.get(competition=competition).finished_at is not None


def test_a_closed_ladder_offers_nobody_a_challenge(world):
    competition = ladder(world)
    stage = competition.stages.get()
    assert any(rung.reach for rung in ladder_view(stage, placed(competition)).rungs)
    close_ladder(competition, user=world.owner)
    stage.refresh_from_db()
    assert not any(rung.reach for rung in ladder_view(stage, placed(competition)).rungs)
