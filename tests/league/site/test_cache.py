"""A cache that goes away takes no page with it."""

import time

import pytest
from django.core.cache.backends.redis import RedisCache
from redis import RedisError

from league.cache import ForgivingRedisCache

NOWHERE = "redis://127.0.0.1:1/0"


def test_while_redis_is_away_it_is_an_empty_cache(caplog):
    cache = ForgivingRedisCache(NOWHERE, {})
    assert cache.get("key", "otherwise") == "otherwise"
    assert (cache.set("key", 1), cache.add("key", 1), cache.touch("key"), cache.delete("key")) == (
        None,
        True,
        False,
        False,
    )
    assert (cache.get_many(["a"]), cache.set_many({"a": 1}), cache.delete_many(["a"])) == ({}, [], None)
    assert (cache.has_key("a"), cache.incr("a", 2), cache.clear()) == (False, 2, False)
    assert caplog.text.count("the cache does not answer") == 1  # then it was left alone


def test_the_control_djangos_own_fails():
    with pytest.raises(RedisError):
        RedisCache(NOWHERE, {}).get("key")


@pytest.mark.redis
def test_while_redis_is_there_it_is_djangos(redis_url):
    cache = ForgivingRedisCache(redis_url, {"KEY_PREFIX": f"test-{time.time_ns()}"})
    cache.set("key", {"a": 1}, 5)
    assert (cache.get("key"), cache.has_key("key"), cache.get_many(["key", "x"])) == ({"a": 1}, True, {"key": {"a": 1}})
    assert (cache.add("key", 2), cache.delete("key"), cache.get("key")) == (False, True, None)
