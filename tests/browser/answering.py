"""A live server that knows which requests it has not answered yet, for the end of a test to wait for them."""

from contextlib import suppress
from select import select
from socket import MSG_PEEK, socket
from threading import Condition
from typing import Any

from django.core.servers.basehttp import ThreadedWSGIServer
from django.test.testcases import QuietWSGIRequestHandler

# As long as a page may take on a loaded machine.
PATIENCE_S = 30
NAMELESS = "a request without its first line"


class Answering:
    """`open`: connections with a request to be answered, by its method and address. `idle`: kept for the next request.

    A request counts as soon as this machine has its first byte: its connection may not be accepted yet, or its thread
    may not have begun. Django's signals do not do: if a visitor leaves while the server reads the rest of a request,
    `request_finished` is never sent.
    """

    def __init__(self, listener: socket) -> None:
        self.listener, self.changed = listener, Condition()
        self.open, self.idle = dict[socket, str](), set[socket]()

    def begin(self, connection: socket, name: str = NAMELESS) -> None:
        with self.changed:
            self.idle.discard(connection)
            self.open[connection] = name
            self.changed.notify_all()

    def end(self, connection: socket, *, kept: bool) -> None:
        with self.changed:
            self.open.pop(connection, None)
            if kept:
                self.idle.add(connection)
            self.changed.notify_all()

    def wait(self, seconds: float = PATIENCE_S) -> None:
        with self.changed:
            answered = self.changed.wait_for(self._is_quiet, seconds)
            late, self.open = self.open, {}  # so that one request fails one test
        assert answered, f"no answer after {seconds:g} s: {', '.join(late.values())}"

    def _is_quiet(self) -> bool:
        """What can be read is a request, or the end of a connection: its thread will soon tell."""
        return not self.open and not select([self.listener, *self.idle], [], [], 0)[0]


class AnsweringHandler(QuietWSGIRequestHandler):
    def handle_one_request(self) -> None:
        """Wait for a request without taking a byte of it, so that it is seen before it counts."""
        answering = self.server.answering
        answering.end(self.connection, kept=True)
        with suppress(OSError):  # the server meets it again
            self.connection.recv(1, MSG_PEEK)
        answering.begin(self.connection)
        super().handle_one_request()

    def get_environ(self) -> dict[str, Any]:
        environ = super().get_environ()
        self.server.answering.begin(self.connection, "{REQUEST_METHOD} {PATH_INFO}".format_map(environ))
        return environ


class AnsweringServer(ThreadedWSGIServer):
    def __init__(self, address: tuple[str, int], _handler: type, **options: Any) -> None:
        super().__init__(address, AnsweringHandler, **options)
        self.answering = Answering(self.socket)

    def get_request(self) -> tuple[socket, Any]:
        with self.answering.changed:  # an accepted connection counts at once
            connection, address = super().get_request()
            self.answering.begin(connection)
        return connection, address

    def close_request(self, request: socket) -> None:
        try:
            super().close_request(request)
        finally:
            self.answering.end(request, kept=False)
