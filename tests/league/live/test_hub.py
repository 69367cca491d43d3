"""Fan-out to bounded queues. No database, no server."""

import asyncio

from league.live.hub import BEAT, MOST_WAITING, RESYNC, Hub


def event(number: int) -> bytes:
    return f"id: {number}\n\n".encode()


def test_a_stream_gets_the_events_of_its_topic_in_order() -> None:
    async def play() -> bytes:
        hub = Hub()
        own, other = hub.subscribe("match:1"), hub.subscribe("match:2")
        hub.publish({"match:1": event(1)}, "1")
        hub.publish({"match:1": event(2)}, "2")
        assert not other.waiting
        return await own.take()

    assert asyncio.run(play()) == event(1) + event(2)


def test_a_slow_reader_loses_its_queue_and_has_to_look_again() -> None:
    async def play() -> list[bytes]:
        hub = Hub()
        slow = hub.subscribe("match:1")
        for number in range(MOST_WAITING + 2):
            hub.publish({"match:1": event(number)}, str(number))
        return list(slow.waiting)

    assert asyncio.run(play()) == [RESYNC, event(MOST_WAITING + 1)]


def test_a_beat_reaches_only_idle_streams() -> None:
    async def play() -> list[list[bytes]]:
        hub = Hub()
        idle, busy = hub.subscribe("match:1"), hub.subscribe("match:2")
        hub.publish({"match:2": event(1)}, "1")
        hub.beat()
        return [list(stream.waiting) for stream in (idle, busy)]

    assert asyncio.run(play()) == [[BEAT], [event(1)]]


def test_after_a_gap_in_the_log_every_stream_looks_again() -> None:
    async def play() -> tuple[list[bytes], list[bytes], str]:
        hub = Hub()
        early = hub.subscribe("match:1")
        hub.start("1")
        at_first = list(early.waiting)
        hub.start("9")
        return at_first, list(early.waiting), early.begins

    assert asyncio.run(play()) == ([], [RESYNC], "1")
