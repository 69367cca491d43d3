"""Embedded site: pages, background work and sweeps in one process.

In production these are gunicorn, Celery workers and beat; here they are threads around one uvicorn server, with
Celery's ``memory://`` broker, which no other process can see.
"""

import asyncio
import contextlib
import errno
import logging
import signal
import socket
import ssl
import sys
import threading
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

import uvicorn
from celery import Celery
from celery.beat import EmbeddedService
from celery.worker import WorkController
from django.core.asgi import get_asgi_application

if TYPE_CHECKING:
    from league.live.streams import Streams

log = logging.getLogger(__name__)

WORKERS = 2  # threads for background work; SQLite takes one writer at a time anyway
PATIENCE = 3  # seconds for open requests and running tasks at a stop

# Seconds between two looks into an empty queue in memory. Kombu's own 1.0 would also be the time between two
# tasks of a backlog.
POLLING_INTERVAL = 0.05

# A computing task must not delay pages: with Python's default of 5 ms the slowest answers took seconds under load, with
# a tenth of it a quarter of a second.
SWITCH_INTERVAL = 0.0005


Secure = tuple[socket.socket, ssl.SSLContext]
"""A socket that is answered over https."""


class PortTaken(Exception):
    """Another program already listens at the address."""


class Stopped(BaseException):
    """A stop before the site was up. Like KeyboardInterrupt, no ``Exception``."""


def listen(host: str, port: int) -> socket.socket:
    """Return a socket bound to the address, so that a taken port is known early.

    Raises PortTaken, or OSError for an address this machine does not have.
    """
    family, _, _, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
    bound = socket.socket(family, socket.SOCK_STREAM)
    # On Windows SO_REUSEADDR lets two programs listen at one port.
    bound.setsockopt(socket.SOL_SOCKET, getattr(socket, "SO_EXCLUSIVEADDRUSE", socket.SO_REUSEADDR), 1)
    try:
        bound.bind(address)
        bound.listen(128)  # SO_REUSEADDR lets two bind, but only one listen
    except OSError as problem:
        bound.close()
        if problem.errno == errno.EADDRINUSE or "in use" in str(problem):
            raise PortTaken(f"{host}:{port}") from problem
        raise
    return bound


@contextlib.contextmanager
def stoppable() -> Iterator[Callable[[], None]]:
    """Turn Ctrl-C and SIGTERM into a clean end.

    Inside, either signal raises Stopped, until the yielded function is called: from then on uvicorn receives the
    signals first, and those it passes on after its own stop are ignored.
    """
    before = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}

    def leave(_number: int, _frame: object) -> None:
        raise Stopped

    def hand_over() -> None:
        for number in before:
            signal.signal(number, lambda *_: None)

    for number in before:
        signal.signal(number, leave)
    try:
        yield hand_over
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


@contextlib.contextmanager
def background_work(app: Celery) -> Iterator[None]:
    """Run Celery's worker and beat as threads, ended in order when the block ends."""
    # "Got shutdown from remote" is our own stop.
    logging.getLogger("celery.worker.control").setLevel(logging.ERROR)
    app.conf.broker_transport_options = {"polling_interval": POLLING_INTERVAL}
    worker = WorkController(
        app=app,
        pool_cls="threads",
        concurrency=WORKERS,
        loglevel="WARNING",
        without_heartbeat=True,
        without_mingle=True,
        without_gossip=True,
    )
    running = threading.Thread(target=worker.start, name="worker", daemon=True)
    # The schedule in memory: the default keeps it in a file of the current folder.
    beat = EmbeddedService(app, thread=True, scheduler_cls="celery.beat:Scheduler")
    beat.daemon = True
    running.start()
    beat.start()
    try:
        yield
    finally:
        beat.service.stop()
        # A message ends the worker's wait for messages; its stop flag is checked only every two seconds.
        app.control.shutdown()
        running.join(PATIENCE)


@contextlib.contextmanager
def repeated(act: Callable[[], None], every: float) -> Iterator[None]:
    """Call `act` in a thread of its own, every so many seconds until the block ends.

    An error is logged, and does not end the calls: the site goes on.
    """
    from django.db import connections

    over = threading.Event()

    def run() -> None:
        while not over.wait(every):
            try:
                act()
            except Exception:
                log.exception("%s failed", act.__qualname__)
        connections.close_all()

    running = threading.Thread(target=run, name="repeated", daemon=True)
    running.start()
    try:
        yield
    finally:
        over.set()
        running.join(PATIENCE)


def serve(bound: socket.socket, ready: Callable[[], None], secure: Secure | None = None) -> None:
    """Answer requests on the sockets until a signal; call ``ready`` at the start."""
    from league.live.streams import Streams

    streams = Streams(get_asgi_application())
    server = Server(
        uvicorn.Config(
            streams,
            log_level="warning",
            lifespan="off",
            timeout_graceful_shutdown=PATIENCE,
            server_header=False,
        )
    )
    server.ready, server.streams, server.secure = ready, streams, secure
    before = sys.getswitchinterval()
    sys.setswitchinterval(SWITCH_INTERVAL)
    try:
        server.run(sockets=[bound])
    finally:
        sys.setswitchinterval(before)
        bound.close()


class Server(uvicorn.Server):
    """uvicorn that reports when it is up, and ends the open streams when it stops."""

    ready: Callable[[], None]
    streams: "Streams"
    secure: Secure | None

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets=sockets)
        if self.secure is not None:
            await self.listen_securely(*self.secure)
        if not self.should_exit:
            self.ready()

    async def listen_securely(self, bound: socket.socket, context: ssl.SSLContext) -> None:
        """Answer on one more socket; uvicorn itself has one context for all of its sockets."""

        def protocol() -> asyncio.Protocol:
            made = self.config.http_protocol_class
            return made(config=self.config, server_state=self.server_state, app_state=self.lifespan.state)  # type: ignore[call-arg,union-attr,operator]

        loop = asyncio.get_running_loop()
        self.servers.append(await loop.create_server(protocol, sock=bound, ssl=context))

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        self.streams.close()
        await super().shutdown(sockets=sockets)
