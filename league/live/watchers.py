"""How many people look at each match: its open streams, in all processes of streams. A number, never a person.

Each process notes its own numbers in the cache, and reads those of the others. A lost note makes the number smaller for
some seconds; that of a process which ended counts until its lifetime is over.
"""

import os
import secrets
import time
from collections.abc import Mapping

from django.core.cache import cache

NOTED_S = 40
"""Lifetime of a note: longer than two heartbeats."""


class Watchers:
    """Numbers by topic. `others`: of other processes, as last read; `told`: as last sent to the pages."""

    def __init__(self) -> None:
        self.token = secrets.token_hex(4)
        self.others: dict[str, int] = {}
        self.told: dict[str, int] = {}

    @property
    def process(self) -> str:
        return f"{self.token}-{os.getpid()}"

    def exchange(self, own: Mapping[str, int]) -> None:
        """Note the own numbers, and read those of the others. Waits for the cache."""
        left = {topic: 0 for topic in self.told if topic not in own}
        keys = {f"watching:{topic}": count for topic, count in {**left, **own}.items()}
        noted, now = cache.get_many(keys) if keys else {}, time.time()
        self.others = {}
        for key, count in keys.items():
            notes = {name: note for name, note in noted.get(key, {}).items() if now - note[1] < NOTED_S}
            others = {name: note for name, note in notes.items() if name != self.process}
            self.others[key.removeprefix("watching:")] = sum(number for number, _at in others.values())
            cache.set(key, others | {self.process: (count, now)}, NOTED_S)

    def news(self, own: Mapping[str, int]) -> dict[str, int]:
        """Return the numbers that the pages do not know yet, and remember them. A first number of one is no news."""
        now = {topic: count + self.others.get(topic, 0) for topic, count in own.items()}
        found = {topic: count for topic, count in now.items() if count != self.told.get(topic, 1)}
        self.told = now
        return found

    def tell_again(self, topic: str) -> None:
        """Tell a number once more: another page has come to it."""
        self.told.pop(topic, None)


def as_event(count: int) -> bytes:
    return f"event: watching\ndata: {count}\n\n".encode()
