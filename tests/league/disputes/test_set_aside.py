"""Protests of matches that were set aside: a cancelled competition leaves no case behind."""

import pytest
from django.utils import timezone

from league.competitions.cancelling import cancel
from league.competitions.models import Competition
from league.disputes.models import Dispute
from league.disputes.protests.effects import held_entrants
from league.disputes.protests.protesting import protest
from league.disputes.waiting import open_cases, queue
from league.matches.models import Game, KnownBy
from league.matches.results.entering import enter_sheet
from tests.league.competitions.draw.test_reopening import slots
from tests.league.competitions.test_cancelling import STORM, published
from tests.league.disputes.courtroom import FRAUD
from tests.league.world import World

pytestmark = pytest.mark.django_db


@pytest.fixture
def case(world: World) -> tuple[Competition, Dispute]:
    """A protest by an official in a match of a published competition, which nobody has decided."""
    made = published(world)
    world.league.confirmation_required = True
    world.league.save()
    game = Game.objects.select_related("match__league").get(match=slots(made)[0].match_id)
    enter_sheet(game, world.referee, {"scores": [150, 40]}, kind=KnownBy.SCORE)
    return made, protest(game, world.second_referee, FRAUD, "Tiles were marked")


def test_no_case_of_a_cancelled_competition_waits_or_holds_anybody(world, case) -> None:
    made, dispute = case
    now = timezone.now()
    assert [one.dispute for one in queue(world.league, world.referee)] == [dispute]
    assert [one.dispute for one in open_cases(world.referee)] == [dispute]
    assert held_entrants(now).count() == 2
    assert cancel(made, user=world.owner, reason=STORM)
    assert queue(world.league, world.referee) == []
    assert open_cases(world.referee) == []
    assert held_entrants(now).count() == 0


def test_its_address_says_that_the_competition_was_cancelled(case, world, client) -> None:
    made, dispute = case
    cancel(made, user=world.owner, reason=STORM)
    for user in (None, world.referee, world.owner):
        if user:
            client.force_login(user)
        answer = client.get(f"/disputes/{dispute.code}/")
        page = answer.content.decode()
        assert (answer.status_code, STORM in page, "marked" in page) == (410, True, False)
