"""Taps on proposed hours at the same moment. Real threads, on the database of this run."""

from datetime import timedelta

import pytest

from league.competitions.agreed_hours import agree_on_hour, take_back_proposal
from league.competitions.draw.schedule.rescheduling import move
from league.competitions.models import Matchday, Slot
from tests.league.competitions.cup import published
from tests.league.competitions.test_agreed_hours import NOW, ONE, TWO, of_both, proposed
from tests.league.disputes.test_at_once import codes
from tests.league.matches.results.test_entering_at_once import at_once

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.both]


@pytest.fixture
def match(shared_world):
    return of_both(published(shared_world, 2, format="round_robin", starts_at=None))


def test_of_two_taps_on_different_hours_one_wins(shared_world, match) -> None:
    key = proposed(match, shared_world.alice).pk
    taps = [lambda at=at: agree_on_hour(match.pk, key, at, user=shared_world.bob) for at in (ONE, TWO)]
    assert codes(at_once(*taps)) == ["changed-meanwhile", "done"]
    slot = Slot.objects.select_related("match").get(match=match)
    assert slot.starts_at == slot.match.starts_at in (ONE, TWO)
    assert Matchday.objects.get(slots=slot).version == 2


def test_a_tap_and_an_organizer_and_the_proposer_at_once(shared_world, match) -> None:
    key = proposed(match, shared_world.alice).pk
    found = at_once(
        lambda: agree_on_hour(match.pk, key, ONE, user=shared_world.bob),
        lambda: move(match.slot, user=shared_world.owner, table=None, starts_at=NOW + timedelta(days=9)),
        lambda: take_back_proposal(match.pk, key, user=shared_world.alice),
    )
    slot = Slot.objects.select_related("match").get(match=match)
    assert set(codes(found)) == {"changed-meanwhile", "done"}
    assert slot.starts_at == slot.match.starts_at
