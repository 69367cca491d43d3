"""A protest at a line of a log, its facts, its ruling and the result."""

import pytest

from league.disputes.models import SealedRuling
from league.disputes.ruling import WantedRuling, confirm_ruling, preview
from league.errors import Refused
from league.matches.logs.submission import confirm_result
from league.matches.models import Amendment
from referee.rulings.text import digest
from tests.league.disputes.courtroom import Outcome, file, find, logged, now, rule, score

pytestmark = pytest.mark.django_db


def test_a_ruling_on_a_provisional_log_waits_for_a_second_official(world):
    logged(world)
    dispute = file(world)
    assert (dispute.state, dispute.for_side, dispute.via) == ("open", 2, "account")
    find(dispute, world.referee)
    seen = preview(dispute, world.referee, WantedRuling(outcome=Outcome.CALL, reason="late"))
    assert (seen.waits, seen.appeal, seen.effect is not None) == (True, True, True)
    rule(dispute, world.referee)
    assert now(dispute).state == "waiting"
    assert score(world)[1] == "provisional"
    with pytest.raises(Refused) as caught:
        confirm_ruling(dispute, world.referee)
    assert caught.value.code == "own-ruling"
    confirm_ruling(dispute, world.second_referee)
    assert (now(dispute).state, now(dispute).outcome) == ("ruled", "call")
    assert score(world) == ("115–165", "official")
    sealed = SealedRuling.objects.get()
    assert sealed.amends == digest(dispute.record.sealed.text)
    names = [world.ana.player.code, world.bo.player.code, "Ana", "Bo Chen"]
    assert [name in sealed.text for name in names] == [True, True, False, False]


def test_a_ruling_on_an_official_log_is_an_amendment(world):
    result = logged(world)
    confirm_result(result=result, user=world.referee)
    dispute = file(world)
    find(dispute, world.referee)
    seen = preview(dispute, world.referee, WantedRuling(outcome=Outcome.CALL, reason="late"))
    assert seen.outlooks is not None
    rule(dispute, world.referee, seen_effect=seen.digest)
    assert (now(dispute).state, Amendment.objects.get().state) == ("waiting", "proposed")
    confirm_ruling(dispute, world.second_referee)
    assert (now(dispute).state, Amendment.objects.get().state) == ("ruled", "confirmed")
    assert score(world) == ("115–165", "official")


def test_a_dismissed_protest_leaves_the_result(world):
    logged(world)
    dispute = file(world)
    find(dispute, world.referee, "yes")
    with pytest.raises(Refused) as caught:
        rule(dispute, world.referee)
    assert caught.value.code == "nothing-changes"
    rule(dispute, world.referee, Outcome.DISMISSED)
    assert (now(dispute).state, score(world)) == ("ruled", ("120–165", "provisional"))
