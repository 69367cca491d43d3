"""Fan-out in the process: one bounded queue for each open stream.

Everything here runs in the loop of the server, so nothing is locked.
"""

import asyncio
from collections import deque
from collections.abc import Iterator, Mapping

MOST_WAITING = 64
RESYNC = b"event: resync\ndata:\n\n"
BEAT = b"event: beat\ndata:\n\n"


class Subscriber:
    """An open stream. A reader too slow for its queue loses it, and gets the word to look again.

    `begins`: the position from which on it gets every event; "" until the log is read.
    """

    __slots__ = ("begins", "closed", "topic", "waiting", "woken")

    def __init__(self, topic: str, begins: str) -> None:
        self.topic = topic
        self.begins = begins
        self.waiting: deque[bytes] = deque()
        self.woken = asyncio.Event()
        self.closed = False

    def put(self, event: bytes) -> None:
        if len(self.waiting) >= MOST_WAITING:
            self.waiting.clear()
            event = RESYNC
        self.waiting.append(event)
        self.woken.set()

    def close(self) -> None:
        self.closed = True
        self.woken.set()

    async def taken(self) -> bytes:
        """Wait for events and return them as one text; empty once the stream is closed."""
        await self.woken.wait()
        self.woken.clear()
        if self.closed:
            return b""
        events = b"".join(self.waiting)
        self.waiting.clear()
        return events


class Hub:
    """All open streams of this process. `position`: the text of the position that they have been told up to."""

    def __init__(self) -> None:
        self.topics: dict[str, set[Subscriber]] = {}
        self.position = ""

    def subscribe(self, topic: str) -> Subscriber:
        one = Subscriber(topic, self.position)
        self.topics.setdefault(topic, set()).add(one)
        return one

    def leave(self, one: Subscriber) -> None:
        others = self.topics[one.topic]
        others.discard(one)
        if not others:
            del self.topics[one.topic]

    def start(self, position: str) -> None:
        """Begin at a position. Streams that were told up to another one look for themselves."""
        self.position = position
        for one in self:
            if one.begins:
                one.put(RESYNC)
            one.begins = one.begins or position

    def publish(self, events: Mapping[str, bytes], position: str) -> None:
        """Tell the streams of each topic, and note how far they know."""
        self.position = position
        for topic, event in events.items():
            for one in self.topics.get(topic, ()):
                one.put(event)

    def beat(self) -> None:
        """Show every idle reader, and every proxy, that the stream is alive."""
        for one in self:
            if not one.waiting:
                one.put(BEAT)

    def close(self) -> None:
        for one in list(self):
            one.close()

    def __iter__(self) -> Iterator[Subscriber]:
        return (one for others in self.topics.values() for one in others)
