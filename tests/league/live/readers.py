"""Many readers of streams in one thread: the points that each got, and how long after they were written."""

import asyncio
import json
import re
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from random import Random

POINTS = re.compile(r"<b>(\d+)–0</b>")
RECONNECT_S = 0.05


@dataclass
class Reader:
    """A reader of one stream. `matches`: those in its stream; `points`: the last points of each."""

    path: str
    matches: frozenset[int]
    points: dict[int, int] = field(default_factory=dict)
    ids: set[str] = field(default_factory=set)
    last_id: str = ""
    faults: list[str] = field(default_factory=list)
    lateness: list[float] = field(default_factory=list)
    resyncs: int = 0
    connected: int = 0
    writer: asyncio.StreamWriter | None = None

    def hang_up(self) -> None:
        if self.writer:
            self.writer.close()

    async def read(self, port: int, written: Mapping[tuple[int, int], float], over: asyncio.Event) -> None:
        """Read until it is over; come back, with the id of the last event, whenever the stream ends."""
        while not over.is_set():
            try:
                await self._connect(port, written)
            except (OSError, asyncio.IncompleteReadError, ValueError):
                pass
            finally:
                self.hang_up()
            await asyncio.sleep(RECONNECT_S)

    async def _connect(self, port: int, written: Mapping[tuple[int, int], float]) -> None:
        stream, self.writer = await asyncio.open_connection("127.0.0.1", port)
        since = f"Last-Event-ID: {self.last_id}\r\n" if self.last_id else ""
        at = f"?at={int(time.time())}"
        self.writer.write(f"GET {self.path}{at} HTTP/1.1\r\nHost: 127.0.0.1\r\n{since}\r\n".encode())
        head = await stream.readuntil(b"\r\n\r\n")
        if b" 200 " not in head.split(b"\r\n", 1)[0] + b" ":
            self.faults.append(head.decode())
            raise ValueError
        self.connected += 1
        rest = ""
        while size := int(await stream.readline(), 16):
            rest += (await stream.readexactly(size + 2))[:-2].decode()
            *events, rest = rest.split("\n\n")
            for event in events:
                self._take(event, written)

    def _take(self, event: str, written: Mapping[tuple[int, int], float]) -> None:
        facts = dict(line.partition(": ")[::2] for line in event.split("\n"))
        if facts.get("event") == "resync":
            self.resyncs += 1
        if facts.get("event") != "change":
            return
        if event_id := facts.get("id"):
            if event_id in self.ids:
                self.faults.append(f"{event_id} twice")
            self.ids.add(event_id)
            self.last_id = event_id
        for message in json.loads(facts["data"]):
            self._note(message["match"], int(POINTS.search(message["tally"]["en"])[1]), written)

    def _note(self, match: int, points: int, written: Mapping[tuple[int, int], float]) -> None:
        before = self.points.get(match, 0)
        if points < before:
            self.faults.append(f"match {match}: {points} after {before}")
        if points > before and (match, points) in written:
            self.lateness.append(time.monotonic() - written[match, points])
        self.points[match] = points


@dataclass
class Crowd:
    """All readers at a port. `churn`: how many hang up each second, and come back."""

    port: int
    readers: Sequence[Reader]
    churn: int
    written: dict[tuple[int, int], float] = field(default_factory=dict)
    random: Random = field(default_factory=lambda: Random(7))
    loop: asyncio.AbstractEventLoop | None = None

    def run(self) -> None:
        asyncio.run(self._run())

    async def _run(self) -> None:
        self.loop, self.over = asyncio.get_running_loop(), asyncio.Event()
        tasks = [asyncio.ensure_future(reader.read(self.port, self.written, self.over)) for reader in self.readers]
        while not self.over.is_set():
            for reader in self.random.sample(self.readers, self.churn):
                reader.hang_up()
            await asyncio.wait([asyncio.ensure_future(self.over.wait())], timeout=1)
        for reader in self.readers:
            reader.hang_up()
        await asyncio.wait(tasks, timeout=10)

    def end(self) -> None:
        if self.loop:
            self.loop.call_soon_threadsafe(self.over.set)

    def behind(self, last: Mapping[int, int]) -> list[str]:
        """List the readers without the last points of a match."""
        return [
            f"{reader.path}: {reader.points.get(match)} of match {match}, not {last[match]}"
            for reader in self.readers
            for match in reader.matches
            if reader.points.get(match) != last[match]
        ]
