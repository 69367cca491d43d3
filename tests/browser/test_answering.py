"""The end of a test in Chromium waits for the answers of the server."""

import socket
from collections.abc import Iterator
from pathlib import Path
from threading import Event
from urllib.parse import urlsplit

import pytest

from tests.browser.answering import AnsweringServer

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


HEAD = b"POST /nowhere/ HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\n"
REST = b"word=good"


@pytest.fixture
def connection(live_server) -> Iterator[socket.socket]:
    asked = urlsplit(live_server.url)
    with socket.create_connection((asked.hostname, asked.port), timeout=30) as one:
        yield one


@pytest.fixture
def visitor(connection) -> socket.socket:
    """A visitor whose form is on its way: the server has its head, and answers without the rest."""
    connection.sendall(HEAD)
    assert connection.recv(12) == b"HTTP/1.1 404"
    return connection


@pytest.fixture
def thread(monkeypatch) -> Iterator[Event]:
    """The threads of the server begin when it is set."""
    go, begin = Event(), AnsweringServer.process_request_thread

    def wait(*given: object) -> None:
        go.wait(30)
        begin(*given)

    monkeypatch.setattr(AnsweringServer, "process_request_thread", wait)
    yield go
    go.set()


def test_the_end_of_a_test_waits_for_the_last_request(visitor, answering) -> None:
    with pytest.raises(AssertionError, match=r"no answer after .* s: POST /nowhere/"):
        answering.wait(0.05)
    answering.wait(0)  # one request fails one test


def test_a_visitor_who_leaves_is_not_waited_for(visitor, answering) -> None:
    visitor.close()
    answering.wait()


def test_a_request_counts_before_its_thread_has_begun(thread, connection, answering) -> None:
    connection.sendall(HEAD + REST)
    with pytest.raises(AssertionError, match="no answer after"):
        answering.wait(0.05)
    thread.set()
    assert connection.recv(12) == b"HTTP/1.1 404"
    answering.wait()


def test_a_connection_that_is_kept_for_more_is_not_waited_for(visitor, answering) -> None:
    visitor.sendall(REST)
    answering.wait()
    visitor.sendall(HEAD)
    answer = b""
    while b"HTTP/1.1 404" not in answer:  # after the rest of the answer before
        answer += visitor.recv(65_536)
        assert answer, "the connection was not kept"
    with pytest.raises(AssertionError, match=r"no answer after .* s: POST /nowhere/"):
        answering.wait(0.05)


def test_every_browser_of_a_test_is_waited_for() -> None:
    """Only the fixture `new_context` opens browsers: it closes them and waits."""
    others = [one for one in Path(__file__).parent.glob("test_*.py") if one.name != Path(__file__).name]
    assert [one.name for one in others if ").new_context(" in one.read_text("utf-8")] == []
