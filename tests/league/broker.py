"""Another broker for a while."""

from collections.abc import Iterator
from contextlib import contextmanager

from kombu import pools

from league.celery import app

KEYS = ("broker_url", "broker_write_url", "broker_transport_options", "task_default_queue")


@contextmanager
def broker_at(url: str, queue: str = "celery") -> Iterator[None]:
    before = {key: app.conf[key] for key in KEYS}
    timeouts = {"socket_connect_timeout": 2, "socket_timeout": 5} if url.startswith("redis") else {}
    settings = (url, url, timeouts, queue)
    app.conf.update(zip(KEYS, settings, strict=True))
    forget()
    try:
        yield
    finally:
        app.conf.update(before)
        forget()


def forget() -> None:
    """The application opens its connections again, with what is configured now."""
    pools.reset()
    app._pool = None
    app.__dict__.pop("amqp", None)
