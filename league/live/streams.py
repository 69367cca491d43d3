"""ASGI application of the streams, in front of Django's.

The page of a request under ``/live/`` answers first (`league/web/live.py`); a header of its answer names the topic.
Then its database connection is closed, and only then the stream begins: a stream never touches session or database.
"""

import asyncio
import contextlib
import logging
import random
import time
from collections.abc import Awaitable, Callable, Iterable, MutableMapping
from datetime import UTC, datetime, timedelta
from typing import Any
from urllib.parse import parse_qs

from asgiref.sync import sync_to_async
from django.db import DatabaseError, connection

from league.live.hub import BEAT, RESYNC, Hub, Subscriber
from league.live.log import RESUMED, LogPosition
from league.live.messages import Messages, as_text, has_changed, of_topic
from league.live.relay import Relay
from league.live.watchers import Watchers, as_event

log = logging.getLogger(__name__)

Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
Application = Callable[[Message, Receive, Send], Awaitable[None]]

PREFIX = "/live/"
TOPIC_HEADER = "X-Live-Topic"
HEARTBEAT_S = 15
COUNTS_A_BEAT = 3
"""So often between two beats the readers of each match are counted."""
PAGE_TAKES = timedelta(seconds=3)
"""Longest time between the reading of a page and its hour."""
RETRY_MS = (1_000, 4_000)
LONGEST_TIME = 12
"""Digits of a time in seconds; a longer time is forged."""
AT_ONCE = 1
"""Requests authorised or resumed at the same time: each has a database connection for that long."""
NOT_OURS = {b"content-type", b"content-length", TOPIC_HEADER.lower().encode(), b"content-encoding", b"cache-control"}


class Streams:
    """The streams of this process; `pages` answers all other requests."""

    def __init__(self, pages: Application) -> None:
        self.pages = pages
        self.hub = Hub()
        self.watchers = Watchers()
        self.relay: Relay | None = None
        self.ready = asyncio.Event()
        self.gate = asyncio.Semaphore(AT_ONCE)
        self.beats: asyncio.Task[None] | None = None

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or not scope["path"].startswith(PREFIX):
            await self.pages(scope, receive, send)
            return
        async with self.gate:
            answer = await self._authorise(scope, receive)
        if answer.topic and scope["method"] == "GET":
            await self._stream(scope, answer, receive, send)
        else:
            for message in answer.messages:
                await send(message)

    async def _authorise(self, scope: Message, receive: Receive) -> "PageAnswer":
        answer = PageAnswer()
        await self.pages(scope, _empty_request(), answer.keep)
        return answer

    async def _stream(self, scope: Message, answer: "PageAnswer", receive: Receive, send: Send) -> None:
        subscriber = self.hub.subscribe(answer.topic)
        self.watchers.tell_again(answer.topic)
        left = asyncio.ensure_future(_close_when_left(receive, subscriber))
        try:
            await self._begin()
            await send({"type": "http.response.start", "status": 200, "headers": answer.headers_of_stream()})
            await send(_body(f"retry: {random.randint(*RETRY_MS)}\n\n".encode() + BEAT))  # noqa: S311  no secret
            await send(_body(await self._missed(scope, subscriber)))
            while events := await subscriber.take():
                await send(_body(events))
            await send({"type": "http.response.body", "body": b""})
        finally:
            left.cancel()
            self.hub.leave(subscriber)
            if not self.hub.topics:
                self._rest()

    async def _begin(self) -> None:
        """Read the log from here on. A stream begins once its place in the log is known."""
        if self.relay is None:
            loop = asyncio.get_running_loop()
            self.ready = asyncio.Event()
            self.relay = Relay(lambda position, messages: _in_loop(loop, self._publish, position, messages))
            self.relay.start()
            self.beats = asyncio.ensure_future(self._beat(self.relay))
        await self.ready.wait()

    def _publish(self, position: str, messages: Messages | None) -> None:
        if messages is None:
            self.hub.start(position)
        else:
            self.hub.publish({topic: _event(position, some) for topic, some in messages.items()}, position)
        self.ready.set()

    async def _beat(self, relay: Relay) -> None:
        """Keep every stream alive; end them if the relay failed, so that browsers come back and start another."""
        while relay.thread.is_alive():
            for _count in range(COUNTS_A_BEAT):
                await asyncio.sleep(HEARTBEAT_S / COUNTS_A_BEAT)
                await self._tell_watchers()
            self.hub.beat()
        log.error("the relay of the streams has stopped")
        self.ready.set()
        self.hub.close()

    async def _tell_watchers(self) -> None:
        """Tell the pages of each match how many look at it."""
        await sync_to_async(self.watchers.exchange, thread_sensitive=False)(self.hub.sizes("match"))
        for topic, count in self.watchers.news(self.hub.sizes("match")).items():
            self.hub.tell(topic, as_event(count))

    def _rest(self) -> None:
        if self.relay and self.beats:
            self.relay.stop()
            self.beats.cancel()
        self.relay = self.beats = None
        self.hub.position = ""

    async def _missed(self, scope: Message, subscriber: Subscriber) -> bytes:
        """Return the events before the stream began.

        A stream that comes back names its last event. A new stream gives in `?at=` the second of its page, and has to
        look again if anything changed since.
        """
        since = _header(scope, b"last-event-id")
        at, _dot, text = (since or _query(scope, "at")).partition(".")
        if not at.isdecimal() or len(at) > LONGEST_TIME or time.time() - int(at) > RESUMED.total_seconds():
            return RESYNC if since or at else BEAT
        ask = sync_to_async(_changed_between if since else _changed_since, thread_sensitive=False)
        async with self.gate:
            try:
                changed = await ask(subscriber, text if since else at)
            except (DatabaseError, ValueError):
                return RESYNC
        return self._repeated(subscriber, changed)

    def _repeated(self, subscriber: Subscriber, changed: "set[int] | None") -> bytes:
        """Put the last messages of these matches behind the waiting events, so that no score goes back."""
        if changed is None or self.relay is None:
            return RESYNC
        messages = self.relay.messenger.repeated(changed)
        if messages is None:
            return RESYNC
        if messages:
            subscriber.put(f"event: change\ndata: {as_text(messages)}\n\n".encode())
        return BEAT

    def close(self) -> None:
        """End every stream: the server stops."""
        self.hub.close()


class PageAnswer:
    """The answer of a page, kept until its headers are known."""

    def __init__(self) -> None:
        self.messages: list[Message] = []

    async def keep(self, message: Message) -> None:
        self.messages.append(message)

    @property
    def headers(self) -> Iterable[tuple[bytes, bytes]]:
        return self.messages[0].get("headers", ())

    @property
    def topic(self) -> str:
        wanted = TOPIC_HEADER.lower().encode()
        return next((value.decode() for name, value in self.headers if name.lower() == wanted), "")

    def headers_of_stream(self) -> list[tuple[bytes, bytes]]:
        """Return the headers of the page, for safety's sake, with those of a stream."""
        kept = [(name, value) for name, value in self.headers if name.lower() not in NOT_OURS]
        return [
            *kept,
            (b"content-type", b"text/event-stream; charset=utf-8"),
            (b"cache-control", b"no-store, no-transform"),
            (b"x-accel-buffering", b"no"),
        ]


def _in_loop(loop: asyncio.AbstractEventLoop, act: Callable[..., None], *given: object) -> None:
    with contextlib.suppress(RuntimeError):  # the server has stopped, and its loop is closed
        loop.call_soon_threadsafe(act, *given)


def _empty_request() -> Receive:
    """Return a `receive` of a request without a body, whose client stays."""
    messages = [{"type": "http.request", "body": b"", "more_body": False}]

    async def receive() -> Message:
        if messages:
            return messages.pop()
        await asyncio.Event().wait()
        raise AssertionError

    return receive


async def _close_when_left(receive: Receive, subscriber: Subscriber) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
    subscriber.close()


Changes = set[int] | None
"""Matches that changed; None: the page has to look again."""


def _changed_between(subscriber: Subscriber, since: str) -> Changes:
    upto = LogPosition(subscriber.begins.partition(".")[2])
    try:
        changes, _after = LogPosition(since).changes_after(upto)
        return of_topic(changes, subscriber.topic) if changes else set()
    finally:
        connection.close()


def _changed_since(subscriber: Subscriber, at: str) -> Changes:
    try:
        return None if has_changed(subscriber.topic, datetime.fromtimestamp(int(at), UTC) - PAGE_TAKES) else set()
    finally:
        connection.close()


def _event(position: str, messages: list[dict[str, object]]) -> bytes:
    return f"id: {position}\nevent: change\ndata: {as_text(messages)}\n\n".encode()


def _body(text: bytes) -> Message:
    return {"type": "http.response.body", "body": text, "more_body": True}


def _query(scope: Message, wanted: str) -> str:
    return parse_qs(scope["query_string"].decode("latin-1")).get(wanted, [""])[0]


def _header(scope: Message, wanted: bytes) -> str:
    return next((value.decode("latin-1") for name, value in scope["headers"] if name == wanted), "")
