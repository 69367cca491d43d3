"""Another broker for a while."""

from collections.abc import Iterator
from contextlib import contextmanager

from kombu import pools

from league.celery import app

KEYS = ("broker_url", "broker_write_url", "broker_transport_options")

# Celery's first message sets up Django's logging anew, which would take caplog's handler away in mid-test.
app.loader.import_default_modules()


@contextmanager
def broker_at(url: str, prefix: str = "") -> Iterator[None]:
    """`prefix` keeps the queues of a test apart from those of others on the same Redis."""
    before = {key: app.conf[key] for key in KEYS}
    options = {"socket_connect_timeout": 2, "socket_timeout": 5, "global_keyprefix": prefix}
    app.conf.update(zip(KEYS, (url, url, options if url.startswith("redis") else {}), strict=True))
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
