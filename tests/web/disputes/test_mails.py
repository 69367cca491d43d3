"""Mails to the sides of a dispute: its state and its address, without private words."""

import pytest
from allauth.account.models import EmailAddress
from django.core import mail

from league.celery import app
from league.disputes.protests import agreeing
from league.web import tasks
from league.web.disputes import mails
from tests.league.disputes import courtroom

pytestmark = pytest.mark.django_db


@pytest.fixture
def mailing(settings, monkeypatch) -> list[tuple[str, int, int]]:
    """A site with mail; the tasks that were sent."""
    settings.HAS_MAIL, settings.SITE_ADDRESS = True, "https://league.example"
    sent: list[tuple[str, int, int]] = []
    monkeypatch.setattr(mails, "send", lambda *told: sent.append(told))
    return sent


def test_the_sides_get_the_state_and_no_private_words(court, mailing, django_capture_on_commit_callbacks) -> None:
    world, _browser = court
    for user, verified in ((world.alice, True), (world.bob, False), (world.referee, True)):
        EmailAddress.objects.create(user=user, email=user.email, verified=verified, primary=True)
    with django_capture_on_commit_callbacks(execute=True):
        dispute = courtroom.file(world)
    accounts = sorted([world.alice.pk, world.bob.pk])
    assert mailing == [("web.mail_dispute", dispute.pk, one) for one in accounts]
    assert sum(mails.mail_party(dispute.pk, one) for one in accounts) == 1
    (one,) = mail.outbox
    assert one.to == ["alice@example.org"]
    assert one.subject == "Ana Ruiz – Bo Chen: Protest by Bo Chen: Muggins – Under review"
    assert f"https://league.example/disputes/{dispute.code}/" in one.body
    assert "Protest by Bo Chen: Muggins. Under review." in one.body
    assert "The next matches wait for the ruling. They wait until" in one.body
    assert "I announced five" not in one.body


def test_a_site_without_mail_sends_none(court, mailing, settings, django_capture_on_commit_callbacks) -> None:
    settings.HAS_MAIL = False
    with django_capture_on_commit_callbacks(execute=True):
        courtroom.file(court[0])
    assert mailing == []


def test_the_task_is_known_to_the_workers() -> None:
    app.loader.import_default_modules()
    assert mails.TASK in app.tasks


def test_a_mail_that_fails_is_tried_again_later_and_longer(court, monkeypatch) -> None:
    world, _browser = court
    EmailAddress.objects.create(user=world.alice, email=world.alice.email, verified=True, primary=True)
    dispute, waits = courtroom.file(world), []

    def fails(*_: object) -> int:
        raise ConnectionRefusedError

    def again(*, exc: Exception, countdown: int) -> Exception:
        waits.append(countdown)
        return exc

    monkeypatch.setattr(mails, "send_mail", fails)
    monkeypatch.setattr(tasks.mail_dispute, "retry", again)
    for retries in range(3):
        tasks.mail_dispute.push_request(retries=retries)
        with pytest.raises(ConnectionRefusedError):
            tasks.mail_dispute.run(dispute.pk, world.alice.pk)
        tasks.mail_dispute.pop_request()
    assert waits == [60, 180, 540]
    monkeypatch.undo()
    assert tasks.mail_dispute(dispute.pk, world.alice.pk) == 1
    assert tasks.mail_dispute(dispute.pk, world.bob.pk) == 0


def test_a_closed_case_asks_for_no_act(court, settings) -> None:
    settings.SITE_ADDRESS = "https://league.example"
    dispute = courtroom.file(court[0])
    assert "what you may do now" in mails.mail_of(dispute)[1]
    agreeing.withdraw(dispute, court[0].bob)
    body = mails.mail_of(courtroom.now(dispute))[1]
    assert "The result stays as recorded." in body
    assert "The case:" in body
