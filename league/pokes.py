"""News of a commit over Redis: that something changed, never what. A hint, which may be lost."""

import contextlib
import logging
import threading
from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING

from django.conf import settings
from django.db import transaction

if TYPE_CHECKING:  # imported at use: a site without Redis starts without it
    import redis

log = logging.getLogger(__name__)

CHANNEL = "live"
PAUSE_S = 1.0
SOCKET = {"socket_connect_timeout": 0.3, "socket_timeout": 0.3}


def after_commit() -> None:
    """Send the news once this transaction is committed; nothing without Redis."""
    if settings.REDIS_URL:
        transaction.on_commit(_send, robust=True)


def _send() -> None:
    from redis import RedisError

    with contextlib.suppress(RedisError):
        _client().publish(f"{settings.REDIS_PREFIX}{CHANNEL}", "")


@cache
def _client() -> "redis.Redis":
    import redis

    return redis.Redis.from_url(settings.REDIS_URL, **SOCKET)


class Listener:
    """Calls `wake` for every news, in a thread. `heard`: whether Redis is listened to now."""

    def __init__(self, wake: Callable[[], None]) -> None:
        self.wake = wake
        self.heard = False
        self.stopped = threading.Event()

    def start(self) -> None:
        if settings.REDIS_URL:
            threading.Thread(target=self._run, name="live news", daemon=True).start()

    def stop(self) -> None:
        self.stopped.set()

    def _run(self) -> None:
        import redis

        while not self.stopped.is_set():
            try:
                self._listen()
            except redis.RedisError as error:
                if self.heard:
                    log.warning("live pages look by themselves, Redis does not answer: %s", error)
            self.heard = False
            self.wake()
            self.stopped.wait(PAUSE_S)

    def _listen(self) -> None:
        import redis

        client = redis.Redis.from_url(settings.REDIS_URL, socket_connect_timeout=2, health_check_interval=5)
        with client, client.pubsub(ignore_subscribe_messages=True) as channel:
            channel.subscribe(f"{settings.REDIS_PREFIX}{CHANNEL}")
            while not self.stopped.is_set():
                message = channel.get_message(timeout=1.0)
                self.heard = True
                if message:
                    self.wake()
