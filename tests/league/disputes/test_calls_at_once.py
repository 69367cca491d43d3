"""Two at once: one open call a match, one ruling a call."""

from league.disputes.calls.ending import TableFinding, rule_at_table
from league.disputes.calls.services import call_referee
from league.disputes.models import RefereeCall
from league.matches.models.tally import TallyTap
from league.matches.permissions import Guest
from tests.league.matches.tally.test_tallying import together
from tests.league.matches.tapping import Pad, points
from tests.league.world import NOON


def test_eight_callers_at_once_join_one_call(shared_world) -> None:
    match = shared_world.match
    askers = [shared_world.alice, shared_world.bob, shared_world.referee, Guest(match.pk, 1)] * 2
    together([lambda who=who: call_referee(match, who, "count", at=NOON).pk for who in askers])
    assert RefereeCall.objects.get().callers.count() == 4


def test_two_referees_at_once_rule_once(shared_world) -> None:
    Pad(shared_world.game, shared_world.alice).send(points(0, 15))
    call = call_referee(shared_world.match, shared_world.bob, "muggins", at=NOON)
    found = TableFinding(about="muggins", side=2, points=10, upheld=True)
    referees = (shared_world.referee, shared_world.second_referee)
    ruled = together([lambda one=one: rule_at_table(call, one, found, at=NOON).upheld for one in referees])
    assert ruled == [True, "call-ended"]
    assert TallyTap.objects.filter(ruled=True).count() == 1
