"""ASGI application of the streams, in front of Django's.

A request under ``/live/`` is answered by its page first (`league/web/live.py`), which says in a header what may be
followed. Then its database connection is closed, and only then the stream begins: a stream never touches session or
database.
"""

import asyncio
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

log = logging.getLogger(__name__)

Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
Application = Callable[[Message, Receive, Send], Awaitable[None]]

PREFIX = "/live/"
TOPIC_HEADER = "X-Live-Topic"
HEARTBEAT_S = 15
PAGE_TAKES = timedelta(seconds=3)
"""Longest time between the reading of a page and its hour."""
RETRY_MS = (1_000, 4_000)
LONGEST_TIME = 12
"""Digits of a time in seconds; a longer one is forged."""
AT_ONCE = 1
"""Requests that are authorised, or resumed, at the same time: each has a database connection for that long."""
NOT_OURS = {b"content-type", b"content-length", TOPIC_HEADER.lower().encode(), b"content-encoding", b"cache-control"}


class Streams:
    """The streams of this process, and the pages of `pages` for all else."""

    def __init__(self, pages: Application) -> None:
        self.pages = pages
        self.hub = Hub()
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
        await self.pages(scope, _asked_once(), answer.keep)
        return answer

    async def _stream(self, scope: Message, answer: "PageAnswer", receive: Receive, send: Send) -> None:
        one = self.hub.subscribe(answer.topic)
        gone = asyncio.ensure_future(_gone(receive, one))
        try:
            await self._begin()
            await send({"type": "http.response.start", "status": 200, "headers": answer.headers_of_stream()})
            await send(_body(f"retry: {random.randint(*RETRY_MS)}\n\n".encode() + BEAT))  # noqa: S311  no secret
            await send(_body(await self._missed(scope, one)))
            while events := await one.taken():
                await send(_body(events))
            await send({"type": "http.response.body", "body": b""})
        finally:
            gone.cancel()
            self.hub.leave(one)
            if not self.hub.topics:
                self._rest()

    async def _begin(self) -> None:
        """Read the log from here on. A stream begins once its place in the log is known."""
        if self.relay is None:
            loop = asyncio.get_running_loop()
            self.ready = asyncio.Event()
            self.relay = Relay(lambda position, told: _in_loop(loop, self._tell, position, told))
            self.relay.start()
            self.beats = asyncio.ensure_future(self._beat())
        await self.ready.wait()

    def _tell(self, position: str, told: Messages | None) -> None:
        if told is None:
            self.hub.start(position)
        else:
            self.hub.publish({topic: _event(position, messages) for topic, messages in told.items()}, position)
        self.ready.set()

    async def _beat(self) -> None:
        while True:
            await asyncio.sleep(HEARTBEAT_S)
            self.hub.beat()

    def _rest(self) -> None:
        if self.relay and self.beats:
            self.relay.stop()
            self.beats.cancel()
        self.relay = self.beats = None
        self.hub.position = ""

    async def _missed(self, scope: Message, one: Subscriber) -> bytes:
        """Return what happened before the stream began.

        A stream that comes back says by the id of its last event how far it was told. A new one says in `?at=` when
        its page was made, and gets the word to look again if anything changed since.
        """
        since = _header(scope, b"last-event-id")
        at, _dot, text = (since or _query(scope, "at")).partition(".")
        if not at.isdecimal() or len(at) > LONGEST_TIME or time.time() - int(at) > RESUMED.total_seconds():
            return RESYNC if since or at else BEAT
        ask = sync_to_async(_changed_between if since else _changed_since, thread_sensitive=False)
        async with self.gate:
            try:
                changed = await ask(one, text if since else at)
            except (DatabaseError, ValueError):
                return RESYNC
        return self._repeated(one, changed)

    def _repeated(self, one: Subscriber, changed: "set[int] | None") -> bytes:
        """Return the last word on these matches, behind all that waits for the reader, so that nothing goes back."""
        if changed is None or self.relay is None:
            return RESYNC
        told = self.relay.messenger.repeated(changed)
        if told is None:
            return RESYNC
        if told:
            one.put(f"event: change\ndata: {as_text(told)}\n\n".encode())
        return BEAT

    def close(self) -> None:
        """End every stream: the server stops."""
        self.hub.close()


class PageAnswer:
    """The answer of a page, kept until it is known whether a stream follows."""

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
    if not loop.is_closed():
        loop.call_soon_threadsafe(act, *given)


def _asked_once() -> Receive:
    """Return a `receive` of a request without a body, whose client stays."""
    asked = [{"type": "http.request", "body": b"", "more_body": False}]

    async def receive() -> Message:
        if asked:
            return asked.pop()
        await asyncio.Event().wait()
        raise AssertionError

    return receive


async def _gone(receive: Receive, one: Subscriber) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
    one.close()


Changes = set[int] | None
"""Matches that changed; None: the page has to look for itself."""


def _changed_between(one: Subscriber, since: str) -> Changes:
    upto = LogPosition(one.begins.partition(".")[2])
    try:
        changes, _after = LogPosition(since).changes_after(upto)
        return of_topic(changes, one.topic) if changes else set()
    finally:
        connection.close()


def _changed_since(one: Subscriber, at: str) -> Changes:
    try:
        return None if has_changed(one.topic, datetime.fromtimestamp(int(at), UTC) - PAGE_TAKES) else set()
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
