"""The thread that reads the log, without its thread."""

import pytest
from django.db import transaction
from django.utils import timezone

from league.live import relay as relaying
from league.live.log import write
from league.matches.models import Match
from tests.league.world import World

pytestmark = pytest.mark.django_db(transaction=True)


def test_a_round_of_many_matches_is_one_word_for_everybody(shared_world: World) -> None:
    told = []
    relay = relaying.Relay(lambda position, messages: told.append((bool(position), messages)))
    relay.look()
    Match.objects.filter(pk=shared_world.match.pk).update(published_at=timezone.now())
    relay.look()
    assert f"match:{shared_world.match.pk}" in told[-1][1]
    with transaction.atomic():
        for key in range(relaying.MOST_AT_ONCE + 1):
            write(key, timezone.now())
    relay.look()
    assert told[-1] == (True, None)
    assert relay.messenger.last == {}


def test_nothing_is_told_where_nothing_changed(shared_world: World) -> None:
    told = []
    relay = relaying.Relay(lambda *words: told.append(words))
    relay.look()
    relay.look()
    assert [messages for _position, messages in told] == [None]
