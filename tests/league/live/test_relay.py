"""The thread that reads the log, without its thread."""

import pytest
from django.db import transaction
from django.utils import timezone

from league.live import relay as relaying
from league.live.log import write
from league.live.messages import Messages, Messenger
from league.matches.models import Match
from tests.league.world import World

pytestmark = pytest.mark.django_db(transaction=True)


class Published:
    """A relay and its messages, each with whether it had a position."""

    def __init__(self) -> None:
        self.all: list[tuple[bool, Messages | None]] = []
        self.relay = relaying.Relay(lambda position, messages: self.all.append((bool(position), messages)))
        self.relay.look()


def test_after_a_round_of_many_matches_every_page_looks_again(shared_world: World) -> None:
    published = Published()
    Match.objects.filter(pk=shared_world.match.pk).update(published_at=timezone.now())
    published.relay.look()
    assert f"match:{shared_world.match.pk}" in published.all[-1][1]
    with transaction.atomic():
        for key in range(relaying.MOST_AT_ONCE + 1):
            write(key, timezone.now())
    published.relay.look()
    assert published.all[-1] == (True, None)
    assert published.relay.messenger.last == {}


def test_without_a_change_nothing_is_published(shared_world: World) -> None:
    published = Published()
    published.relay.look()
    assert published.all == [(True, None)]


def test_a_change_without_a_message_is_logged_once_and_every_page_looks_again(
    shared_world: World, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    published = Published()
    with monkeypatch.context() as broken:
        broken.setattr(Messenger, "messages_of", lambda *_given: 1 / 0)
        write(shared_world.match.pk, timezone.now())
        published.relay.look()
    published.relay.look()
    assert published.all == [(True, None), (True, None)]
    assert caplog.text.count("ZeroDivisionError") == 1
