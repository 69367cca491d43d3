"""Pages of the court after accounts were erased, without a record, and of a score pad alone."""

import pytest
from django.test import Client

from league.disputes import ruling
from league.disputes.models import DisputeText
from league.matches.clock.services import start_clock
from league.matches.logs.submission import confirm_result
from league.matches.models import Record, Result
from league.matches.tally.hand_in import hand_in
from league.players.erasing import erase_account
from league.web.disputes import mails
from tests.league.disputes import courtroom
from tests.league.disputes.courtroom import Outcome, now, score
from tests.league.matches.tapping import Pad, points, round_end, tap
from tests.league.world import make_world
from tests.web.disputes.test_case import text

pytestmark = pytest.mark.django_db


def pages(world, dispute) -> list[str]:
    found = ["/", "/organize/harbour/disputes/", f"/disputes/{dispute.code}/", f"/matches/{world.match.pk}/"]
    return [*found, "/leagues/harbour/rulings/", f"/matches/{world.match.pk}/games/1/protest/"]


def shown(court, dispute, name: str = "owner") -> str:
    """The text of every page of the court, each of which answers."""
    world, browser = court
    answers = [browser(name).get(address) for address in pages(world, dispute)]
    assert [one.status_code for one in answers] == [200] * len(answers)
    return " ".join(map(text, answers))


def test_erased_parties_and_referees_leave_a_case_that_is_decided(court) -> None:
    world, browser = court
    confirm_result(result=Result.objects.get(game=world.game), user=world.second_referee)
    dispute = courtroom.file(world)
    courtroom.find(dispute, world.referee)
    courtroom.rule(dispute, world.referee)
    for user in (world.referee, world.alice, world.bob):
        erase_account(user, with_names=True)
    told = shown(court, dispute)
    assert "Bo Chen" not in told
    assert "Rosa" not in told
    assert not DisputeText.objects.filter(text="I announced five").exists()
    assert mails.mail_party(dispute.pk, world.bob.pk) == 0
    assert "None" not in mails.mail_of(now(dispute))[1]
    page = browser("owner").get(f"/disputes/{dispute.code}/")  # the effect was shown with names before
    ruling.confirm_ruling(dispute, world.owner, seen_effect=page.context["confirming"].words.effect.digest)
    assert (now(dispute).state, score(world)) == ("ruled", ("115–165", "official"))
    assert "Bo Chen" not in shown(court, dispute)


@pytest.fixture
def bare():
    """The same people without a record; the clock of the match runs."""
    world = make_world()
    start_clock(world.game, world.referee)

    def browser(name: str) -> Client:
        client = Client()
        client.force_login(getattr(world, name))
        return client

    return world, browser


def test_a_game_without_a_record_is_protested_and_ruled(bare) -> None:
    world, browser = bare
    sent = {"where": "result", "kind": "result", "sentence": "Nobody wrote anything down"}
    assert browser("bob").post(f"/matches/{world.match.pk}/games/1/protest/", sent).status_code == 302
    (dispute,) = world.match.disputes.all()
    shown(bare, dispute)
    shown(bare, dispute, "second_referee")
    courtroom.find(dispute, world.referee, None)
    shown(bare, dispute, "referee")
    courtroom.rule(dispute, world.referee, Outcome.RESULT, scores=(150, 95), winner=1)
    ruling.confirm_ruling(dispute, world.owner)
    assert score(world) == ("150–95", "official")


def test_a_score_pad_alone_is_protested_by_its_hand(bare) -> None:
    world, browser = bare
    pad = Pad(world.game, world.alice, 1)
    for touch in (tap("muggins", seat=0, points=10), points(0, 35), points(1, 60), round_end(0, 25)):
        pad.send(touch)
    pad.send(tap("end", ended="bell", winner=0))
    hand_in(world.game, world.alice, pad=pad.id, after=pad.after, insist=True)
    sent = {
        "where": "hand:1",
        "kind": "muggins",
        "column": "muggins",
        "against": "1",
        "number": "0",
        "sentence": "Late",
    }
    assert browser("bob").post(f"/matches/{world.match.pk}/games/1/protest/", sent).status_code == 302
    (dispute,) = world.match.disputes.all()
    assert (dispute.hand, dispute.record) == (1, Record.objects.get())
    courtroom.find(dispute, world.referee, None)
    page = browser("referee").get(f"/disputes/{dispute.code}/")
    assert page.context["form"]["reason"].value() == "Not known: the points in question go to nobody."
    shown(bare, dispute, "referee")
