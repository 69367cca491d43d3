"""The hour of a match on its page: two players, two proposals, one tap; nothing of it for others."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from allauth.account.models import EmailAddress
from django.core import mail
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone, translation
from django.utils.formats import date_format

from league.competitions.models import Competition, HourProposal, Slot
from league.matches.models import Match
from league.web.matches import hour_mails
from tests.web.matches.test_replay import words
from tests.web.world import World

LISBON = ZoneInfo("Europe/Lisbon")


def hour(days: int, at: int) -> datetime:
    """An hour in the league's time zone, this many days from now."""
    day = datetime.now(LISBON) + timedelta(days=days)
    return day.replace(hour=at, minute=0, second=0, microsecond=0)


def typed(at: datetime) -> str:
    return at.strftime("%Y-%m-%dT%H:%M")


def hour_words(at: datetime, language: str = "en") -> str:
    with translation.override(language):
        return date_format(at, "D j M, H:i")


@pytest.fixture
def open_match(world) -> Match:
    """The match of Alice and Bob, in a league without a timetable."""
    Competition.objects.update(starts_at=None)
    Slot.objects.update(starts_at=None)
    Match.objects.update(starts_at=None, published_at=timezone.now())
    return world.match


def page(client: Client, match: Match) -> str:
    return words(client.get(f"/matches/{match.pk}/").content.decode().replace("\xa0", " "))


def propose(client: Client, match: Match, *hours: datetime) -> str:
    """Send the form as the page shows it, and return the text of the answer."""
    address = f"/matches/{match.pk}/hours/"
    form = client.get(address).context["hours"]
    typed_hours = dict(zip(("first", "second"), map(typed, hours), strict=False))
    answer = client.post(address, {"proposal": form.proposal_id or "", **typed_hours}, follow=True)
    return words(answer.content.decode().replace("\xa0", " "))


def agree(client: Client, match: Match, at: datetime, proposal: int | None = None) -> str:
    """Press the button of an hour."""
    key = proposal or HourProposal.objects.get(agreed_at=None).pk
    sent = {"do": "agree", "proposal": key, "hour": at.astimezone(UTC).isoformat()}
    answer = client.post(f"/matches/{match.pk}/hours/", sent, follow=True)
    return words(answer.content.decode().replace("\xa0", " "))


def test_two_players_two_proposals_and_one_tap(world: World, browse, open_match) -> None:
    alice, bob, visitor = browse(world.alice), browse(world.bob), browse()
    first, second, third = hour(2, 20), hour(4, 18), hour(5, 21)
    assert "Propose a time" in page(alice, open_match)
    assert "Proposed. Bo Chen can answer now." in propose(alice, open_match, first, second)
    said = f"You proposed {hour_words(first)} or {hour_words(second)}; Bo Chen has not answered."
    assert said in page(alice, open_match)
    for address in ("/", f"/matches/{open_match.pk}/"):
        assert "propose" not in words(visitor.get(address).content.decode()).casefold()
    home = words(bob.get("/").content.decode())
    assert "Ana Ruiz – Bo Chen: a time is proposed" in home
    assert "Choose a time" in home
    assert "A time is proposed" in words(alice.get("/").content.decode())
    assert f"Ana Ruiz proposes {hour_words(first)} or {hour_words(second)}." in page(bob, open_match)
    propose(bob, open_match, third)  # neither
    assert f"Bo Chen proposes {hour_words(third)}." in page(alice, open_match)
    assert "The proposal has changed meanwhile." in agree(bob, open_match, first)
    assert f"Agreed: you play on {hour_words(third)}." in agree(alice, open_match, third)
    for client in (alice, bob, visitor):
        assert f"{hour_words(third)[-5:]}" in page(client, open_match)
        assert "Starts in 4 days" in page(client, open_match) or "Starts in 5 days" in page(client, open_match)
    assert "Choose a time" not in words(bob.get("/").content.decode())
    assert third.strftime("%H:%M") in words(bob.get("/").content.decode())
    calendar = visitor.get("/competitions/harbour/autumn/calendar.ics").content.decode()
    assert f"DTSTART;TZID=Europe/Lisbon:{third:%Y%m%dT%H%M%S}" in calendar
    assert "Play online" in page(alice, open_match)


def test_the_proposer_takes_it_back(world: World, browse, open_match) -> None:
    alice, bob = browse(world.alice), browse(world.bob)
    propose(alice, open_match, hour(2, 20))
    key = HourProposal.objects.get().pk
    answer = alice.post(f"/matches/{open_match.pk}/hours/", {"do": "take-back", "proposal": key}, follow=True)
    assert "The proposal is taken back." in words(answer.content.decode())
    assert "proposes" not in page(bob, open_match)
    assert "The proposal has changed meanwhile." in agree(bob, open_match, hour(2, 20), key)


def test_a_refused_hour_stays_in_the_form(world: World, browse, open_match) -> None:
    alice, past = browse(world.alice), hour(-1, 20)
    answer = alice.post(f"/matches/{open_match.pk}/hours/", {"proposal": "", "first": typed(past)})
    assert (answer.status_code, HourProposal.objects.count()) == (422, 0)
    assert "That time has passed. Choose a later one." in words(answer.content.decode())
    assert typed(past) in answer.content.decode()
    assert alice.post(f"/matches/{open_match.pk}/hours/", {"first": "soon"}).status_code == 422
    for wrong in ("", "soon", "2026-99-99T00:00", "2026-12-01T00:00"):
        sent = {"do": "agree", "proposal": "1", "hour": wrong}
        answer = alice.post(f"/matches/{open_match.pk}/hours/", sent, follow=True)
        assert "Choose one of the proposed times." in words(answer.content.decode())


def test_in_spanish(world: World, browse, open_match) -> None:
    alice, bob, at = browse(world.alice), browse(world.bob), hour(2, 20)
    propose(alice, open_match, at)
    bob.cookies["django_language"] = alice.cookies["django_language"] = "es"
    assert f"Ana Ruiz propone {hour_words(at, 'es')}." in page(bob, open_match)
    assert f"Usted propuso {hour_words(at, 'es')}; Bo Chen no ha respondido." in page(alice, open_match)


@pytest.mark.parametrize("who", ["ref", "owner", None])
def test_others_see_nothing_of_proposals(world: World, browse, open_match, who) -> None:
    propose(browse(world.alice), open_match, hour(2, 20))
    html = browse(who and getattr(world, who)).get(f"/matches/{open_match.pk}/").content.decode()
    assert "/hours/" not in html


def test_hours_take_six_statements_of_the_page_at_most(world: World, browse, open_match) -> None:
    client = browse(world.alice)
    counts = {}
    for closed in (True, True, False):  # the first look fills caches
        Competition.objects.update(dispatches=closed)
        with CaptureQueriesContext(connection) as made:
            client.get(f"/matches/{open_match.pk}/")
        counts[closed] = len(made)
    assert counts[False] - counts[True] <= 5


def test_the_other_side_gets_a_mail_of_the_proposal_and_of_the_agreement(
    world: World, browse, open_match, settings, monkeypatch, django_capture_on_commit_callbacks
) -> None:
    settings.HAS_MAIL, settings.SITE_ADDRESS = True, "https://league.example"
    monkeypatch.setattr(hour_mails, "send", lambda _task, *sent: hour_mails.mail_hours(*sent))
    for user, verified in ((world.alice, True), (world.bob, True), (world.owner, True)):
        EmailAddress.objects.create(user=user, email=user.email, verified=verified, primary=True)
    alice, bob, first, second = browse(world.alice), browse(world.bob), hour(2, 20), hour(4, 18)
    with django_capture_on_commit_callbacks(execute=True):
        propose(alice, open_match, first, second)
    with django_capture_on_commit_callbacks(execute=True):
        agree(bob, open_match, second)
    proposed, agreed = mail.outbox
    assert (proposed.to, agreed.to) == (["bob@example.org"], ["alice@example.org"])
    assert proposed.subject == f"Ana Ruiz proposes {hour_words(first)} or {hour_words(second)}."
    assert agreed.subject == f"Agreed: you play on {hour_words(second)}."
    for one in mail.outbox:
        assert f"https://league.example/matches/{open_match.pk}/" in one.body
    EmailAddress.objects.update(verified=False)
    proposal = HourProposal.objects.get()
    assert hour_mails.mail_hours(proposal.pk, world.bob.pk) == hour_mails.mail_hours(0, world.bob.pk) == 0


def test_a_site_without_mail_sends_none(
    world: World, browse, open_match, monkeypatch, django_capture_on_commit_callbacks
) -> None:
    sent: list[tuple[object, ...]] = []
    monkeypatch.setattr(hour_mails, "send", lambda *message: sent.append(message))
    with django_capture_on_commit_callbacks(execute=True):
        propose(browse(world.alice), open_match, hour(2, 20))
    assert sent == []
