"""Several who enter a result at the same moment: one effect, nothing lost, differences shown. Real threads, on the
database of this run.
"""

import threading
from collections.abc import Callable, Sequence

import pytest
from django.db import connection

from league.accounts.models import Role
from league.errors import Refused
from league.matches import guests
from league.matches.logs.submission import confirm_result
from league.matches.models import KnownBy, Match, Record, Result, ScoreSheet, Side
from league.matches.permissions import Guest
from league.matches.results import entering
from league.matches.results.entering import enter_sheet, undo_entry
from league.matches.results.reviews import choose, under_review
from tests.league.processes import PATIENCE
from tests.league.world import NOON, person

ANA_WINS = {"scores": [150, 95]}
BO_WINS = {"scores": [95, 150]}

WHY = "the card says so"


def at_once(*acts: Callable[[], object]) -> Sequence[object]:
    """What each of them gave, or the refusal that it raised, in the order given. Any other error is raised here."""
    barrier, found = threading.Barrier(len(acts), timeout=PATIENCE), [None] * len(acts)

    def run(place: int, act: Callable[[], object]) -> None:
        try:
            barrier.wait()
            found[place] = act()
        except Exception as error:
            found[place] = error
        finally:
            connection.close()

    threads = [threading.Thread(target=run, args=one) for one in enumerate(acts)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for one in found:
        if isinstance(one, Exception) and not isinstance(one, Refused):
            raise one
    return found


@pytest.fixture
def world(shared_world):
    return shared_world


@pytest.fixture
def desks(world):
    made = [person("desk-1"), person("desk-2")]
    for one in made:
        Role.objects.create(user=one, league=world.league, kind=Role.Kind.DESK_HELPER)
    return made


def entering_as(game, who, data=ANA_WINS, **more):
    return lambda: enter_sheet(game, who, data, kind=KnownBy.SCORE, at=NOON, **more)


def standing(game):
    result = Result.objects.get(game=game, current=True)
    return result.state, result.confirmed_how, result.contested


def test_the_same_submission_twenty_times_at_once_is_one_record(world, desks):
    game = world.game
    found = at_once(*[entering_as(game, desks[0], signed=True, after=0) for _ in range(20)])
    assert sorted(one.created for one in found) == [False] * 19 + [True]
    assert (Record.objects.count(), ScoreSheet.objects.count(), Result.objects.count()) == (1, 1, 1)
    assert standing(game) == ("official", "signed", False)
    assert Match.objects.get(pk=world.match.pk).state == "decided"


@pytest.mark.postgres  # SQLite lets one in after the other, lock or no lock
def test_without_the_lock_the_same_submission_at_once_is_not_one_record(world, desks, monkeypatch):
    """The control: what both read before either wrote. The database still keeps one current result."""
    both, game = threading.Barrier(2, timeout=PATIENCE), world.game
    real = entering._said_before

    def wait_for_the_other(said):
        found = real(said)
        both.wait()
        return found

    monkeypatch.setattr(entering, "locked_match", lambda key: Match.objects.get(pk=key))
    monkeypatch.setattr(entering, "_said_before", wait_for_the_other)
    found = []

    def act():
        try:
            found.append(entering_as(game, desks[0], signed=True)().created)
        except Exception as error:
            found.append(error)
        finally:
            connection.close()

    threads = [threading.Thread(target=act) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found != [True, False]
    assert found != [False, True]
    assert Result.objects.filter(game=game, current=True).count() <= 1


def test_two_desks_that_type_the_same_at_once_have_one_effect_and_both_are_kept(world, desks):
    game = world.game
    at_once(*[entering_as(game, desk, signed=True) for desk in desks])
    assert Record.objects.count() == 2
    assert Result.objects.filter(current=True).count() == 1
    assert standing(game)[0] == "official"
    assert under_review([game.pk]) == {}


def test_two_desks_that_type_something_else_at_once_are_shown_side_by_side(world, desks):
    game = world.game
    at_once(
        entering_as(game, desks[0], signed=True),
        entering_as(game, desks[1], BO_WINS, signed=True),
    )
    rows = under_review([game.pk])[game.pk]
    assert sorted(str(row) for row in rows) == ["150–95", "95–150"]
    assert [row.current for row in rows] == [True, False]
    assert standing(game) == ("official", "signed", True)


def test_both_players_who_enter_the_same_at_once_agree(world):
    game = world.game
    at_once(entering_as(game, Guest(world.match.pk, 1)), entering_as(game, Guest(world.match.pk, 2)))
    assert Record.objects.count() == 2
    assert standing(game) == ("official", "agreed", False)


def test_both_players_who_enter_something_else_at_once_go_to_the_desk(world):
    game = world.game
    at_once(entering_as(game, Guest(world.match.pk, 1)), entering_as(game, Guest(world.match.pk, 2), BO_WINS))
    assert len(under_review([game.pk])[game.pk]) == 2
    assert standing(game) == ("provisional", "", True)
    assert Match.objects.get(pk=world.match.pk).state == "provisional"


def test_two_screens_of_one_account_that_differ_at_once_keep_the_first_and_tell_the_second(world, desks):
    game = world.game
    found = at_once(
        entering_as(game, desks[0], signed=True, after=0),
        entering_as(game, desks[0], BO_WINS, signed=True, after=0),
    )
    refused = [one for one in found if isinstance(one, Refused)]
    assert [one.code for one in refused] == ["stale-entry"]
    assert Record.objects.count() == 1
    assert str(Result.objects.get()) in str(refused[0])


def test_a_confirmation_and_a_correction_at_once_leave_one_of_both(world):
    """Either what was confirmed stands and the correction beside it, or the correction stands unconfirmed."""
    game = world.game
    first = enter_sheet(game, Guest(world.match.pk, 1), ANA_WINS, kind=KnownBy.SCORE, at=NOON).result
    confirmed, _corrected = at_once(
        lambda: confirm_result(result=first, user=Guest(world.match.pk, 2)),
        entering_as(game, Guest(world.match.pk, 1), BO_WINS),
    )
    now = Result.objects.get(game=game, current=True)
    if isinstance(confirmed, Refused):
        assert (str(now), now.state) == ("95–150", "provisional")
    else:
        assert (str(now), now.state, now.contested) == ("150–95", "official", True)
    assert Record.objects.count() == 2


def test_taking_back_at_once_counts_once(world, desks):
    game = world.game
    record = entering_as(game, desks[0], signed=True)().record
    found = at_once(*[lambda: undo_entry(record, desks[0], NOON) for _ in range(4)])
    assert sorted(one.code for one in found if isinstance(one, Refused)) == ["already-withdrawn"] * 3
    assert not Result.objects.filter(current=True).exists()


def test_two_officials_who_take_one_each_at_once_decide_once(world, desks):
    game = world.game
    one = entering_as(game, Guest(world.match.pk, 1))().result
    other = entering_as(game, Guest(world.match.pk, 2), BO_WINS)().result
    found = at_once(
        lambda: choose(one, world.referee, reason=WHY, at=NOON),
        lambda: choose(other, world.second_referee, reason=WHY, at=NOON),
    )
    assert [isinstance(answer, Refused) for answer in found].count(True) == 1
    assert standing(game) == ("official", "person", False)
    assert under_review([game.pk]) == {}


def test_two_phones_that_say_they_are_the_same_side_at_once_are_one(world):
    devices = [guests.new_device(), guests.new_device()]
    Match.objects.update(starts_at=NOON)
    found = at_once(*[lambda device=device: guests.take_side(world.match, 1, device, now=NOON) for device in devices])
    assert [one.code for one in found if isinstance(one, Refused)] == ["needs-pin"]
    assert Side.objects.get(match=world.match, number=1).device in devices
