"""Several who change the past, or build on it, at the same moment. Real threads, on the database of this run."""

import threading

import pytest
from django.db import connection

from league.competitions.amendments import services as amending
from league.competitions.amendments.services import confirm_amendment, propose_amendment
from league.competitions.draw.advancing import advance
from league.competitions.draw.rebuilding import differences
from league.errors import Refused
from league.matches.amendments import Wanted
from league.matches.models import Amendment, Game, KnownBy, Match, Record, Result
from league.matches.results.entering import enter_sheet
from tests.league.competitions.cup import enter_result, names, published, slot
from tests.league.matches.results.test_entering_at_once import at_once
from tests.league.processes import PATIENCE

BO_WINS = Wanted(kind=KnownBy.SCORE, data={"scores": [95, 150]}, reason="names were swapped")


@pytest.fixture
def world(shared_world):
    return shared_world


@pytest.fixture
def cup(world):
    """Both semi-finals are played, and nobody has begun the final."""
    made = published(world, 4)
    for place in (1, 2):
        match = slot(made, 1, place).match
        enter_result(world, match, 1)
        advance(match.pk)
    return made


def codes(found):
    return sorted(one.code if isinstance(one, Refused) else "done" for one in found)


def test_two_officials_who_confirm_at_once_amend_it_once(world, cup):
    match = slot(cup, 1, 1).match
    proposal = propose_amendment(match.games.get(), world.referee, BO_WINS)
    found = at_once(
        *[lambda user=user: confirm_amendment(proposal, user) for user in (world.owner, world.second_referee)]
    )
    assert codes(found) == ["closed-already", "done"]
    assert Result.objects.filter(game__match=match, current=True).count() == 1
    assert Result.objects.filter(game__match=match, state="amended").count() == 1
    assert names(cup, 2) == [["P4", "Bo Chen"]]
    assert differences(cup) == []


def test_two_proposals_at_once_are_one(world, cup):
    game = slot(cup, 1, 1).match.games.get()
    found = at_once(
        *[lambda user=user: propose_amendment(game, user, BO_WINS) for user in (world.owner, world.referee)]
    )
    assert codes(found) == ["done", "proposed-already"]
    assert Amendment.objects.count() == 1


def test_a_result_that_comes_while_the_match_is_replaced_is_kept_or_never_was(world, cup):
    match, final = slot(cup, 1, 1).match, slot(cup, 2, 1).match
    proposal = propose_amendment(match.games.get(), world.referee, BO_WINS)
    game = final.games.get()

    def enter():
        try:
            return enter_sheet(game, world.referee, {"scores": [150, 95]}, kind=KnownBy.SCORE)
        except (Match.DoesNotExist, Game.DoesNotExist):
            return "the match is gone"

    amended, entered = at_once(lambda: confirm_amendment(proposal, world.second_referee), enter)
    if isinstance(amended, Refused):
        assert amended.code == "choose-later"
        assert entered.record.game == game
        assert names(cup, 2) == [["Ana Ruiz", "Bo Chen"]]
    else:
        assert entered == "the match is gone"
        assert names(cup, 2) == [["P4", "Bo Chen"]]
        assert not Record.objects.filter(game__match=slot(cup, 2, 1).match).exists()
    assert differences(cup) == []


@pytest.mark.postgres  # SQLite lets one in after the other, lock or no lock
def test_without_the_lock_both_confirm_and_the_database_refuses_one(world, cup, monkeypatch):
    """The control: without the lock both find the proposal waiting; what stops the second is a constraint, no answer
    that people could read.
    """
    both, real = threading.Barrier(2, timeout=PATIENCE), amending._waiting
    monkeypatch.setattr(amending, "lock_game", lambda game: Match.objects.get(pk=game.match_id))
    proposal = propose_amendment(slot(cup, 1, 1).match.games.get(), world.referee, BO_WINS)
    seen = threading.local()

    def wait_for_the_other(amendment):
        # What each found once stands for it: it asks again in its rehearsal, when the other may be through already.
        if not hasattr(seen, "waiting"):
            seen.waiting = real(amendment)
            both.wait()
        return seen.waiting

    monkeypatch.setattr(amending, "_waiting", wait_for_the_other)
    outcomes = []

    def confirm(user):
        try:
            outcomes.append(confirm_amendment(proposal, user).state)
        except Exception as error:
            outcomes.append(type(error).__name__ if not isinstance(error, Refused) else error.code)
        finally:
            connection.close()

    threads = [threading.Thread(target=confirm, args=[user]) for user in (world.owner, world.second_referee)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(outcomes) != ["closed-already", "confirmed"]
