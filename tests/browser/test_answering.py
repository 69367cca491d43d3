"""The end of a test in Chromium waits for the answers of the server."""

import socket
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def visitor(live_server) -> Iterator[socket.socket]:
    """A visitor whose form is on its way: the server has its head, and answers without the rest."""
    asked = urlsplit(live_server.url)
    with socket.create_connection((asked.hostname, asked.port), timeout=30) as one:
        one.sendall(b"POST /nowhere/ HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\n")
        assert one.recv(12) == b"HTTP/1.1 404"
        yield one


def test_the_end_of_a_test_waits_for_the_last_request(visitor, answering) -> None:
    with pytest.raises(AssertionError, match=r"no answer after .* s: POST /nowhere/"):
        answering.wait(0.05)
    answering.wait(0)  # one request fails one test


def test_a_visitor_who_leaves_is_not_waited_for(visitor, answering) -> None:
    visitor.close()
    answering.wait()


def test_every_browser_of_a_test_is_waited_for() -> None:
    """Only the fixture `new_context` opens browsers: it closes them and waits."""
    others = [one for one in Path(__file__).parent.glob("test_*.py") if one.name != Path(__file__).name]
    assert [one.name for one in others if ").new_context(" in one.read_text("utf-8")] == []
