"""A protest on the match page, at a table, on a slip, and in the public list of rulings."""

import re
from html import unescape

import pytest
from django.test import Client
from django.utils import timezone

from league.accounts.models import Role
from league.disputes.models import Dispute
from league.disputes.ruling import confirm_ruling
from league.matches.logs.submission import confirm_result
from league.matches.models import Match, Result
from tests.league.disputes import courtroom
from tests.web.disputes.test_case import text

pytestmark = pytest.mark.django_db


def test_everybody_sees_that_a_result_is_under_review_and_why(court) -> None:
    world, browser = court
    courtroom.file(world)
    page = text(browser("").get(f"/matches/{world.match.pk}/"))
    assert "Under review. Protest by Bo Chen: Muggins. The next matches wait for the ruling." in page
    assert "I announced five" not in page
    assert "Open the case" not in page
    assert "Open the case" in text(browser("alice").get(f"/matches/{world.match.pk}/"))


def test_a_phone_with_a_slip_sees_it_and_protests_with_the_slip(court) -> None:
    world, _browser = court
    dispute = courtroom.file(world)
    phone = Client()
    slip = text(phone.get(f"/me/{world.bo.door}/"))
    assert "Protest by Bo Chen: Muggins" in slip
    case = text(phone.get(f"/disputes/{dispute.code}/"))
    assert "Your options" in case
    answer = phone.post(
        f"/matches/{world.match.pk}/games/1/protest/",
        {"where": "result", "kind": "fraud", "sentence": "Tiles were marked"},
    )
    assert answer.status_code == 302
    assert Dispute.objects.get().entries.count() == 2


def test_a_public_ruling_has_a_permanent_address_and_no_sentence_of_a_side(court) -> None:
    world, browser = court
    dispute = courtroom.file(world)
    courtroom.find(dispute, world.referee, "yes")
    courtroom.rule(dispute, world.referee, "dismissed", reason="The call was in time")
    listed = browser("").get("/leagues/harbour/rulings/")
    assert "Muggins: Protest dismissed" in text(listed)
    assert '<meta name="robots" content="noindex">' in listed.content.decode()
    page = text(browser("").get(f"/leagues/harbour/rulings/{dispute.code}/"))
    assert "The call was in time" in page
    assert "yes" in page
    assert "I announced five" not in page
    assert "Read the ruling" in text(browser("").get(f"/matches/{world.match.pk}/"))


def test_a_ruling_about_cheating_is_not_public(court) -> None:
    world, browser = court
    dispute = courtroom.file(world, point=courtroom.FRAUD)
    courtroom.find(dispute, world.referee, None)
    courtroom.rule(dispute, world.referee, "dismissed")
    assert browser("").get(f"/leagues/harbour/rulings/{dispute.code}/").status_code == 404
    assert "Cheating" not in text(browser("").get(f"/matches/{world.match.pk}/"))


def test_the_desk_lists_what_waits_and_the_last_decisions(court) -> None:
    world, browser = court
    referee = browser("referee")
    assert "No open disputes" in text(referee.get("/organize/harbour/disputes/"))
    dispute = courtroom.file(world)
    page = text(referee.get("/organize/harbour/disputes/"))
    assert "Ana Ruiz – Bo Chen" in page
    assert "Waits for the facts" in page
    courtroom.find(dispute, world.referee, "yes")
    courtroom.rule(dispute, world.referee, "dismissed")
    assert "Ana Ruiz – Bo Chen: Protest by Bo Chen: Muggins Protest dismissed" in text(
        referee.get("/organize/harbour/disputes/")
    )
    assert browser("alice").get("/organize/harbour/disputes/").status_code == 403


def test_home_tells_sides_and_officials(court) -> None:
    world, browser = court
    courtroom.file(world)
    told = "Ana Ruiz – Bo Chen: Protest by Bo Chen: Muggins"
    home = text(browser("alice").get("/"))
    assert f"{told}. Your statement is missing." in home
    assert "Give your statement" in home
    assert told in text(browser("referee").get("/"))
    assert told in text(browser("referee").get("/organize/harbour/"))
    assert told not in text(browser("charlie").get("/"))


def test_a_ruling_that_nobody_can_hear_on_appeal_says_so(court) -> None:
    world, browser = court
    dispute = courtroom.file(world)
    courtroom.find(dispute, world.owner, "yes")
    courtroom.rule(dispute, world.owner, "dismissed", reason="The call was in time")
    pages = (f"/matches/{world.match.pk}/", f"/leagues/harbour/rulings/{dispute.code}/", "/")
    for address in pages:
        assert "ppeal" in text(browser("alice").get(address))
        assert "Nobody is left" not in text(browser("alice").get(address))
    Role.objects.filter(user=world.second_referee).delete()
    for address in pages:
        page = text(browser("alice").get(address))
        assert "Nobody is left to hear an appeal." in page
        assert "ppeal until" not in page
        assert "appeal is possible" not in page


def test_a_case_leads_to_the_protested_step_of_the_replay(court) -> None:
    world, browser = court
    dispute = courtroom.file(world)
    page = browser("alice").get(f"/disputes/{dispute.code}/")
    (link,) = re.findall(r'href="(/matches/[^"]*#r1\.\d+)"', page.content.decode())[:1]
    address, _sign, anchor = unescape(link).partition("#")
    assert f'id="{anchor}"' in browser("alice").get(address).content.decode()
    shown = browser("referee").get(f"/disputes/{dispute.code}/").content.decode()
    assert f'data-at="{anchor}"' in shown
    assert f'href="#{anchor}"' in shown
    assert f'id="{anchor}"' in shown


def test_an_amended_log_shows_the_ruling_at_its_line(court) -> None:
    world, browser = court
    dispute = courtroom.file(world)
    courtroom.find(dispute, world.referee, "no")
    courtroom.rule(dispute, world.referee, reason="The call came too late")
    confirm_ruling(dispute, world.second_referee)
    page = browser("").get(f"/matches/{world.match.pk}/")
    told = text(page)
    assert "Ruling The call came too late – before:" in told
    (sheet,) = page.context["sheets"]
    assert [one.code for one in sheet.view.findings].count("ruling") == 1
    assert any(one.code == "ruling" for part in sheet.replay.rounds for step in part.steps for one in step.findings)


def test_sides_read_neither_finding_nor_proposal_before_the_ruling(court) -> None:
    world, browser = court
    dispute = courtroom.file(world)
    courtroom.find(dispute, world.referee, "no")
    address = f"/disputes/{dispute.code}/"
    assert "115–165" in text(browser("referee").get(address))
    for name in ("alice", "bob"):
        page = text(browser(name).get(address))
        assert "115–165" not in page
        assert "Proposal" not in page
        assert "Did Ana Ruiz call" not in page


def test_a_phone_that_only_chose_a_name_protests_with_the_pin(court) -> None:
    world, _browser = court
    Match.objects.filter(pk=world.match.pk).update(published_at=timezone.now())  # guest access is open
    phone = Client()
    phone.post(f"/t/{world.match.door}/", {"do": "side", "side": "2"})
    address = f"/matches/{world.match.pk}/games/1/protest/"
    page = phone.get(address)
    assert "pin" in page.context["form"].fields
    sent = {"where": "result", "kind": "fraud", "sentence": "Tiles were marked"}
    wrong = "0000" if world.bo.pin != "0000" else "1111"
    assert phone.post(address, sent | {"pin": wrong}).status_code in {403, 422}
    assert not Dispute.objects.exists()
    assert phone.post(address, sent | {"pin": world.bo.pin}).status_code == 302
    assert Dispute.objects.get().via == "pin"


@pytest.mark.parametrize("chosen", [True, False])
def test_a_phone_with_only_the_pin_protests_after_the_decision(court, chosen) -> None:
    world, _browser = court
    Match.objects.filter(pk=world.match.pk).update(published_at=timezone.now())
    phone, table = Client(), f"/t/{world.match.door}/"
    if chosen:
        phone.post(table, {"do": "side", "side": "2"})
    confirm_result(result=Result.objects.get(game=world.game), user=world.referee)
    assert Match.objects.get(pk=world.match.pk).state == "decided"
    sent = {"where": "result", "kind": "fraud", "sentence": "Tiles were marked"}
    address = f"/matches/{world.match.pk}/games/1/protest/"
    if not chosen:
        assert "Did you play? Protest with your PIN" in text(phone.get(table))
        assert phone.post(table, {"do": "move", "side": "2", "pin": "0"}).status_code == 422
        assert phone.post(table, {"do": "move", "side": "2", "pin": world.bo.pin}).status_code == 302
        assert phone.get(table).context["seen"].side == 2
        assert address in phone.get(table).content.decode()
        assert phone.post(table, {"do": "undo", "game": str(world.game.pk)}).status_code in {403, 422}
    answer = phone.post(address, sent | {"pin": world.bo.pin})
    assert answer.status_code == 302
    assert Dispute.objects.get().for_side == 2
    assert "Your options" in text(phone.get(answer.headers["Location"]))


def test_a_card_without_pin_does_not_protest_after_the_decision(court) -> None:
    world, _browser = court
    Match.objects.filter(pk=world.match.pk).update(published_at=timezone.now())
    confirm_result(result=Result.objects.get(game=world.game), user=world.referee)
    phone, table = Client(), f"/t/{world.match.door}/"
    assert phone.post(table, {"do": "side", "side": "2"}).status_code in {403, 422}
    assert "/protest/" not in phone.get(table).content.decode()
