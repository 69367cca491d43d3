"""A competition with a delay: its running scores go out later, by every way."""

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from league.competitions.draw.schedule.table_wishes import delay_scores
from league.competitions.models import Competition
from league.errors import NotAllowed, Refused
from league.live.relay import Relay
from tests.browser.hours import Hours
from tests.league.matches.tapping import Pad, points
from tests.web import world as small

# PostgreSQL hides the rows of an open transaction from its own position in the log.
pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def world() -> small.World:
    return small.build()


@pytest.fixture
def hours(monkeypatch: pytest.MonkeyPatch) -> Hours:
    made = Hours()
    monkeypatch.setattr(timezone, "now", lambda: made.now)
    return made


class Stream:
    """The messages of a match from a relay."""

    def __init__(self, match: int) -> None:
        self.match, self.messages = match, list[dict[str, Any]]()
        self.relay = Relay(lambda _position, messages: self.messages.extend((messages or {}).get(f"match:{match}", [])))
        self.relay.look()

    def score(self) -> str:
        """Return the words of the running score after another look."""
        self.relay.look()
        self.relay.look()
        return self.messages[-1]["tally"].get("en", "") if self.messages else ""


def test_a_delayed_score_is_sent_once_after_its_delay(world: small.World, hours: Hours) -> None:
    assert delay_scores(world.competition, user=world.owner, seconds=30)
    stream, pad = Stream(world.match.pk), Pad(world.game(), world.ref)
    pad.send(points(0, 10), points(1, 5), at=hours.now)
    assert "10–0" not in stream.score()
    page = f"/now/scores/?of={world.match.pk}"
    pages = (page, f"/matches/{world.match.pk}/", "/leagues/harbour/now/", "/competitions/harbour/autumn/now/")
    assert not [one for one in pages if "10–0" in Client().get(one).content.decode()]
    hours.now += timedelta(seconds=29)
    assert "10–0" not in stream.score()
    hours.now += timedelta(seconds=1)
    assert "10–0" in stream.score()
    assert [one for one in pages if "10–0" in Client().get(one).content.decode()] == list(pages)
    count = len(stream.messages)
    hours.now += timedelta(seconds=60)
    stream.score()
    assert len(stream.messages) == count


def test_a_relay_that_starts_during_the_delay_sends_it_too(world: small.World, hours: Hours) -> None:
    delay_scores(world.competition, user=world.owner, seconds=60)
    Pad(world.game(), world.ref).send(points(0, 10), points(1, 5), at=hours.now)
    stream = Stream(world.match.pk)
    hours.now += timedelta(seconds=60)
    assert "10–0" in stream.score()


def test_without_a_delay_it_is_sent_at_once(world: small.World, hours: Hours) -> None:
    """The control."""
    stream = Stream(world.match.pk)
    Pad(world.game(), world.ref).send(points(0, 10), points(1, 5), at=hours.now)
    assert "10–0" in stream.score()


def test_an_organizer_sets_it_on_the_page_of_the_tables(world: small.World) -> None:
    client = Client()
    client.force_login(world.owner)
    path = f"/organize/harbour/competitions/{world.competition.slug}/wishes/"
    assert client.post(path, {"do": "delay", "delay": "30"}).status_code == 302
    assert Competition.objects.get(pk=world.competition.pk).live_delay_s == 30
    assert '<option value="30" selected>' in client.get(path).content.decode()


def test_others_and_other_delays_are_refused(world: small.World) -> None:
    with pytest.raises(NotAllowed):
        delay_scores(world.competition, user=world.charlie, seconds=30)
    with pytest.raises(Refused):
        delay_scores(world.competition, user=world.owner, seconds=31)
