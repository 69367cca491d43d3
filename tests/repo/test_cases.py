"""A test over many cases runs them all, and names the one that fails."""

import pytest

from tests.cases import for_each


def test_every_case_of_every_list_is_run() -> None:
    seen = []

    @for_each("b", [1, 2])
    @for_each(("a", "c"), [("x", 7), pytest.param("y", 8, id="why")])
    def check(a: str, b: int, c: int) -> None:
        seen.append((a, b, c))

    check()
    assert seen == [("x", 1, 7), ("y", 1, 8), ("x", 2, 7), ("y", 2, 8)]


def test_the_case_that_fails_is_named() -> None:
    @for_each("n", range(5))
    def check(n: int) -> None:
        assert n < 3

    with pytest.raises(AssertionError) as caught:
        check()
    assert caught.value.__notes__ == ["case: {'n': 3}"]


def test_a_list_without_a_case_is_refused() -> None:
    with pytest.raises(AssertionError, match="no case of n"):
        for_each("n", [])
