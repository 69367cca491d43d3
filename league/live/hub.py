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
    """An open stream. A reader too slow for its queue loses it, and has to look again.

    `begins`: position of its first event; "" until the log is read.
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

    async def take(self) -> bytes:
        """Wait for events and return them as one text; empty once the stream is closed."""
        await self.woken.wait()
        self.woken.clear()
        if self.closed:
            return b""
        events = b"".join(self.waiting)
        self.waiting.clear()
        return events


class Hub:
    """All open streams of this process. `position`: text of the last published position."""

    def __init__(self) -> None:
        self.topics: dict[str, set[Subscriber]] = {}
        self.position = ""

    def subscribe(self, topic: str) -> Subscriber:
        subscriber = Subscriber(topic, self.position)
        self.topics.setdefault(topic, set()).add(subscriber)
        return subscriber

    def leave(self, subscriber: Subscriber) -> None:
        others = self.topics[subscriber.topic]
        others.discard(subscriber)
        if not others:
            del self.topics[subscriber.topic]

    def start(self, position: str) -> None:
        """Begin at a position. Streams that began at an earlier one have to look again."""
        self.position = position
        for subscriber in self:
            if subscriber.begins:
                subscriber.put(RESYNC)
            subscriber.begins = subscriber.begins or position

    def publish(self, events: Mapping[str, bytes], position: str) -> None:
        """Put each event into the streams of its topic."""
        self.position = position
        for topic, event in events.items():
            for subscriber in self.topics.get(topic, ()):
                subscriber.put(event)

    def sizes(self, kind: str) -> dict[str, int]:
        """Return the number of open streams by topic of this kind."""
        return {topic: len(some) for topic, some in self.topics.items() if topic.startswith(f"{kind}:")}

    def tell(self, topic: str, event: bytes) -> None:
        """Put an event that no position of the log belongs to into the streams of a topic."""
        for subscriber in self.topics.get(topic, ()):
            subscriber.put(event)

    def beat(self) -> None:
        """Show every idle reader, and every proxy, that the stream is alive."""
        for subscriber in self:
            if not subscriber.waiting:
                subscriber.put(BEAT)

    def close(self) -> None:
        for subscriber in list(self):
            subscriber.close()

    def __iter__(self) -> Iterator[Subscriber]:
        return (subscriber for subscribers in self.topics.values() for subscriber in subscribers)
