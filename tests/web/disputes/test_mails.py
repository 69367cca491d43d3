"""Mails to the sides of a dispute: its state and its address, without private words."""

import pytest
from allauth.account.models import EmailAddress
from django.core import mail

from league.celery import app
from league.web.disputes import mails
from tests.league.disputes import courtroom

pytestmark = pytest.mark.django_db


@pytest.fixture
def mailing(settings, monkeypatch) -> list[tuple[str, int]]:
    """A site with mail; the tasks that were sent."""
    settings.HAS_MAIL, settings.SITE_ADDRESS = True, "https://league.example"
    sent: list[tuple[str, int]] = []
    monkeypatch.setattr(mails, "send", lambda name, key: sent.append((name, key)))
    return sent


def test_the_sides_get_the_state_and_no_private_words(court, mailing, django_capture_on_commit_callbacks) -> None:
    world, _browser = court
    for user, verified in ((world.alice, True), (world.bob, False), (world.referee, True)):
        EmailAddress.objects.create(user=user, email=user.email, verified=verified, primary=True)
    with django_capture_on_commit_callbacks(execute=True):
        dispute = courtroom.file(world)
    assert mailing == [("web.mail_dispute", dispute.pk)]
    assert mails.mail_sides(dispute.pk) == 1
    (one,) = mail.outbox
    assert one.to == ["alice@example.org"]
    assert one.subject == "Ana Ruiz – Bo Chen: Protest by Bo Chen: Muggins – Under review"
    assert f"https://league.example/disputes/{dispute.code}/" in one.body
    assert "The next matches wait for the ruling." in one.body
    assert "I announced five" not in one.body


def test_a_site_without_mail_sends_none(court, mailing, settings, django_capture_on_commit_callbacks) -> None:
    settings.HAS_MAIL = False
    with django_capture_on_commit_callbacks(execute=True):
        courtroom.file(court[0])
    assert mailing == []


def test_the_task_is_known_to_the_workers() -> None:
    app.loader.import_default_modules()
    assert mails.TASK in app.tasks
