"""The streams as a browser asks for them: who may follow, with which headers, and from where on."""

import threading
import time
from collections.abc import Callable, Iterator
from http.client import HTTPConnection, HTTPResponse

import pytest
from django.core.cache import cache
from django.utils import timezone

from league.live import streams
from league.live.models import LiveChange
from league.matches.models import Game, Match
from tests.league.world import World
from tests.streaming import StreamingSite, streaming

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def site(shared_world: World) -> Iterator[StreamingSite]:
    Match.objects.filter(pk=shared_world.match.pk).update(published_at=timezone.now())
    LiveChange.objects.all().delete()
    cache.clear()  # the numbers of watchers of earlier sites
    with streaming() as running:
        yield running


@pytest.fixture
def ask(site: StreamingSite) -> Iterator[Callable[..., HTTPResponse]]:
    """Ask for a path, with `headers`, and hang up at the end."""
    opened = []

    def asked(path: str, method: str = "GET", **headers: str) -> HTTPResponse:
        connection = HTTPConnection("localhost", site.port, timeout=20)
        connection.request(method, path, headers={name.replace("_", "-"): value for name, value in headers.items()})
        answer = connection.getresponse()
        opened.extend([answer, connection])
        return answer

    yield asked
    for closable in opened:
        closable.close()


def events(answer: HTTPResponse, count: int) -> list[dict[str, str]]:
    """Return the next events, each as its fields."""
    found: list[dict[str, str]] = [{}]
    while len(found) <= count:
        line = answer.readline().decode().rstrip("\n")
        if line:
            name, _colon, value = line.partition(": ")
            found[-1][name.rstrip(":")] = value
        else:
            found.append({})
    return found[:count]


def tallied(match: Match, points: int) -> None:
    tally = {"points": [points, 0], "round": 2, "at": timezone.now().isoformat()}
    Game.objects.filter(match=match, number=1).update(tally=tally)


def test_no_cache_on_the_way_keeps_a_stream(shared_world: World, ask) -> None:
    answer = ask(f"/live/matches/{shared_world.match.pk}/")
    assert answer.status == 200
    assert answer.headers["Content-Type"] == "text/event-stream; charset=utf-8"
    assert answer.headers["X-Accel-Buffering"] == "no"
    assert answer.headers["Cache-Control"] == "no-store, no-transform"
    assert answer.headers["X-Live-Topic"] is None
    retry, beat = events(answer, 2)
    assert 1_000 <= int(retry["retry"]) <= 4_000
    assert beat["event"] == "beat"


def test_a_draft_has_no_stream_and_other_methods_have_none(shared_world: World, site: StreamingSite, ask) -> None:
    path = f"/live/matches/{shared_world.match.pk}/"
    assert ask(path, "HEAD").status == 204
    assert ask(path, "POST").status in {403, 405}
    Match.objects.filter(pk=shared_world.match.pk).update(published_at=None)
    assert ask(path).status == 404
    assert ask("/live/matches/999999/").status == 404
    assert not site.streams.hub.topics


def test_a_reader_who_comes_back_gets_the_missed_score(shared_world: World, ask) -> None:
    path = f"/live/matches/{shared_world.match.pk}/"
    stays, leaves = ask(path), ask(path)
    tallied(shared_world.match, 10)
    *_begin, change = events(leaves, 4)
    assert (change["event"], "10–0" in change["data"]) == ("change", True)
    tallied(shared_world.match, 25)
    while "25–0" not in events(stays, 1)[0].get("data", ""):
        pass
    back = ask(path, Last_Event_ID=change["id"])
    *_begin, missed = events(back, 4)
    assert "25–0" in missed["data"]
    nothing = ask(path, Last_Event_ID=f"{int(time.time()) - 100_000}.1")
    assert "resync" in {event.get("event") for event in events(nothing, 3)}


def test_a_page_older_than_a_change_has_to_look(shared_world: World, ask) -> None:
    path = f"/live/matches/{shared_world.match.pk}/"
    quiet = ask(f"{path}?at={int(time.time())}")
    assert "resync" not in {event.get("event") for event in events(quiet, 3)}
    tallied(shared_world.match, 10)
    late = ask(f"{path}?at={int(time.time())}")
    assert "resync" in {event.get("event") for event in events(late, 3)}


def test_streams_end_if_the_relay_fails_and_another_follows(
    shared_world: World, site: StreamingSite, ask, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = f"/live/matches/{shared_world.match.pk}/"
    monkeypatch.setattr(streams, "HEARTBEAT_S", 0.2)
    monkeypatch.setattr(threading, "excepthook", lambda _failure: None)
    answer = ask(path)
    events(answer, 2)
    failed = site.streams.relay
    monkeypatch.setattr(failed, "look", lambda: 1 / 0)
    assert answer.read().endswith(b"\n\n")
    back = ask(path)
    tallied(shared_world.match, 10)
    while "10–0" not in events(back, 1)[0].get("data", ""):
        pass
    assert site.streams.relay is not failed


FORGED = ("-1", "text", "9" * 12, "9" * 13, "9" * 21, "9" * 5_000, "9" * 12 + ".-1", "9" * 12 + "." + "9" * 40)


@pytest.mark.parametrize("position", FORGED)
def test_a_forged_position_does_no_harm(shared_world: World, ask, position: str) -> None:
    path = f"/live/matches/{shared_world.match.pk}/"
    for answer in (ask(path, Last_Event_ID=position), ask(f"{path}?at={position}")):
        _retry, _beat, first = events(answer, 3)
        assert first.get("event") in {"resync", "beat" if "." in position else "resync"}


def numbers(answer: HTTPResponse, last: str) -> list[str]:
    """Read until this number of watchers, and return all of them."""
    found: list[str] = []
    while last not in found:
        event = events(answer, 1)[0]
        if event.get("event") == "watching":
            found.append(event["data"])
    return found


def test_the_readers_of_a_match_are_told_how_many_they_are(
    shared_world: World, site: StreamingSite, ask, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(streams, "HEARTBEAT_S", 0.3)
    path = f"/live/matches/{shared_world.match.pk}/"
    first = ask(path)
    ask("/live/")
    second = ask(path)
    assert numbers(first, "2") == numbers(second, "2") == ["2"], "one is no news, and the site's stream no reader"
    leaves = HTTPConnection("localhost", site.port, timeout=20)
    leaves.request("GET", path)
    third = leaves.getresponse()
    assert numbers(third, "3") == ["3"]
    assert "3" in numbers(first, "3")
    third.close()
    leaves.close()
    assert numbers(first, "2")[-1] == "2"
