"""How many look at a match: counted over processes, told when it changes, and forgotten with a process."""

import pytest
from django.core.cache import cache

from league.live import watchers
from league.live.watchers import NOTED_S, Watchers


@pytest.fixture(autouse=True)
def _empty_cache() -> None:
    cache.clear()


def looks(one: Watchers, **own: int) -> dict[str, int]:
    counts = {f"match:{name[1:]}": count for name, count in own.items()}
    one.exchange(counts)
    return one.news(counts)


def test_a_number_is_told_once_and_again_when_it_changes() -> None:
    one = Watchers()
    assert looks(one, m7=1) == {}
    assert looks(one, m7=2) == {"match:7": 2}
    assert looks(one, m7=2) == {}
    assert looks(one, m7=1) == {"match:7": 1}


def test_a_page_that_comes_is_told_although_the_number_is_the_same() -> None:
    one = Watchers()
    looks(one, m7=2)
    one.tell_again("match:7")
    assert looks(one, m7=2) == {"match:7": 2}


def test_readers_in_several_processes_are_one_number() -> None:
    one, other = Watchers(), Watchers()
    looks(one, m7=1, m8=1)
    assert looks(other, m7=2) == {"match:7": 3}
    assert looks(one, m7=1, m8=1) == {"match:7": 3}


def test_the_readers_of_a_process_go_with_them_and_with_it(monkeypatch: pytest.MonkeyPatch) -> None:
    one, left, killed = Watchers(), Watchers(), Watchers()
    looks(left, m7=1)
    looks(killed, m7=1)
    assert looks(one, m7=1) == {"match:7": 3}
    looks(left)
    assert looks(one, m7=1) == {"match:7": 2}
    now = watchers.time.time()
    monkeypatch.setattr(watchers.time, "time", lambda: now + NOTED_S)
    assert looks(one, m7=1) == {"match:7": 1}


def test_without_its_cache_a_process_tells_its_own_number(monkeypatch: pytest.MonkeyPatch) -> None:
    one, other = Watchers(), Watchers()
    looks(other, m7=5)
    cache.clear()
    assert looks(one, m7=2) == {"match:7": 2}


def test_nothing_of_a_person_is_noted() -> None:
    one = Watchers()
    looks(one, m7=2)
    [(name, (count, _at))] = cache.get("watching:match:7").items()
    assert (name, count) == (one.process, 2)
