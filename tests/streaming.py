"""A site with streams on a port of its own, over the database of the test."""

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager

import uvicorn
from django.core.asgi import get_asgi_application
from django.test import override_settings

from league.live.streams import Streams

PATIENCE_S = 30


class Server(uvicorn.Server):
    """uvicorn in a thread: it takes no signals."""

    def __init__(self, streams: Streams) -> None:
        super().__init__(uvicorn.Config(streams, log_level="warning", lifespan="off", timeout_graceful_shutdown=2))
        self.streams, self.up = streams, threading.Event()

    async def startup(self, sockets=None) -> None:
        await super().startup(sockets=sockets)
        self.up.set()

    async def shutdown(self, sockets=None) -> None:
        self.streams.close()
        await super().shutdown(sockets=sockets)


class StreamingSite:
    """Pages and streams at `url`."""

    def __init__(self, port: int) -> None:
        self.streams = Streams(get_asgi_application())
        self.server = Server(self.streams)
        self.socket = socket.create_server(("127.0.0.1", port))
        self.url = f"http://localhost:{self.socket.getsockname()[1]}"
        self.port = self.socket.getsockname()[1]
        self.thread = threading.Thread(target=self.server.run, kwargs={"sockets": [self.socket]}, daemon=True)

    def start(self) -> None:
        self.thread.start()
        assert self.server.up.wait(PATIENCE_S)

    def stop(self) -> None:
        relay = self.streams.relay
        self.server.should_exit = True
        self.thread.join(PATIENCE_S)
        assert not self.thread.is_alive()
        if relay:
            relay.thread.join(PATIENCE_S)
        self.socket.close()


@contextmanager
def streaming(port: int = 0) -> Iterator[StreamingSite]:
    with override_settings(ALLOWED_HOSTS=["*"], STREAMS=True, SECURE_SSL_REDIRECT=False):
        site = StreamingSite(port)
        site.start()
        try:
            yield site
        finally:
            site.stop()
