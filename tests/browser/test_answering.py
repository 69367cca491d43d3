"""The end of a test in Chromium waits for the answers of the server."""

from threading import Timer

import pytest

from tests.browser.conftest import Answering

pytestmark = pytest.mark.browser


def test_the_end_of_a_test_waits_for_the_last_answer() -> None:
    one = Answering()
    one.begin()
    Timer(0.05, one.end).start()
    assert one.count == 1
    one.wait()
    assert one.count == 0
