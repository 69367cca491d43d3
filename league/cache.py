"""Cache that survives an outage of Redis, as an empty cache.

Nothing that counts is in it (limits on attempts, heartbeats, pauses), so no page fails without it. After a failure
Redis is not asked for a moment: otherwise each access would cost a time-out.
"""

import logging
import time
from collections.abc import Callable
from typing import Any

import redis
from django.core.cache.backends.redis import RedisCache, RedisCacheClient

log = logging.getLogger(__name__)

LEFT_ALONE = 5.0  # seconds


class ForgivingClient(RedisCacheClient):
    """Redis client that answers as an empty cache while Redis does not."""

    def __init__(self, *args: object, **options: object) -> None:
        super().__init__(*args, **options)
        self._away_until = float("-inf")

    def _ask(self, act: Callable[..., Any], otherwise: object, *arguments: object) -> Any:
        if time.monotonic() < self._away_until:
            return otherwise
        try:
            return act(*arguments)
        except redis.RedisError as error:
            log.warning("the cache does not answer, the site goes on without: %s", error)
            self._away_until = time.monotonic() + LEFT_ALONE
            return otherwise

    def add(self, key: str, value: object, timeout: int | None) -> bool:
        return self._ask(super().add, True, key, value, timeout)

    def get(self, key: str, default: object) -> object:
        return self._ask(super().get, default, key, default)

    def set(self, key: str, value: object, timeout: int | None) -> None:
        self._ask(super().set, None, key, value, timeout)

    def touch(self, key: str, timeout: int | None) -> bool:
        return self._ask(super().touch, False, key, timeout)

    def delete(self, key: str) -> bool:
        return self._ask(super().delete, False, key)

    def get_many(self, keys: object) -> dict[str, object]:
        return self._ask(super().get_many, {}, keys)

    def has_key(self, key: str) -> bool:
        return self._ask(super().has_key, False, key)

    def incr(self, key: str, delta: int) -> int:
        return self._ask(super().incr, delta, key, delta)

    def set_many(self, data: dict[str, object], timeout: int | None) -> None:
        self._ask(super().set_many, None, data, timeout)

    def delete_many(self, keys: list[str]) -> None:
        self._ask(super().delete_many, None, keys)

    def clear(self) -> bool:
        return self._ask(super().clear, False)


class ForgivingRedisCache(RedisCache):
    """Django's Redis cache with the forgiving client."""

    def __init__(self, server: str | list[str], params: dict[str, Any]) -> None:
        super().__init__(server, params)
        self._class = ForgivingClient
