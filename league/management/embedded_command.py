"""Base of ``demo`` and ``serve``: the site in one process and one data folder."""

import time
from argparse import ArgumentParser, ArgumentTypeError
from pathlib import Path

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.db import connections

from league import embedded
from league.management.folders import Kind, alone

DEFAULT_PORT = 8000


class EmbeddedCommand(BaseCommand):
    """Bind, prepare, serve, stop. Subclasses define preparation and welcome."""

    requires_system_checks = ()
    name: str
    kind: Kind
    default_host: str

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--host", default=self.default_host, help="address to listen at (default: %(default)s)")
        parser.add_argument("--port", type=port_number, default=DEFAULT_PORT, help="default: %(default)s")

    def handle(self, *, host: str, port: int, **options: object) -> None:
        self.started = time.monotonic()
        self.allow(host)
        bound = self.bind(host, port)
        with embedded.stoppable() as hand_over:
            try:
                with alone(Path(settings.DATA_DIR), self.kind):
                    secure = self.secure(host, **options)
                    self.prepare(**options)
                    self.run(bound, hand_over, secure)
            except embedded.Stopped:
                self.say("Stopped before the site was up")
            finally:
                bound.close()
                connections.close_all()

    def allow(self, host: str) -> None:
        """Allow requests for this host."""
        raise NotImplementedError

    def prepare(self, **options: object) -> None:
        """Prepare the database, with exclusive use of the folder."""
        raise NotImplementedError

    def secure(self, _host: str, **_options: object) -> embedded.Secure | None:
        """Return a second socket, for https."""
        return None

    def welcome(self, host: str, port: int) -> None:
        """Print the address of the site, which answers now."""
        raise NotImplementedError

    def bind(self, host: str, port: int, option: str = "--port") -> embedded.socket.socket:
        try:
            return embedded.listen(host, port)
        except embedded.PortTaken:
            raise CommandError(
                f"Port {port} on {host} is taken by another program. "
                f"Choose another one: python3 manage.py {self.name} {option} {port + 1}"
            ) from None
        except OSError as problem:
            raise CommandError(f"Cannot listen at {host}, port {port}: {problem}") from None

    def run(
        self, bound: embedded.socket.socket, hand_over: embedded.Callable[[], None], secure: embedded.Secure | None
    ) -> None:
        from league.celery import app

        with embedded.background_work(app):
            hand_over()
            embedded.serve(bound, lambda: self.welcome(*bound.getsockname()[:2]), secure)
            self.stdout.write("\nStopping.")
        self.stdout.write("Stopped.")

    def say(self, text: str) -> None:
        self.stdout.write(f"{time.monotonic() - self.started:5.1f} s  {text}")
        self.stdout.flush()


def port_number(text: str) -> int:
    if not text.isdecimal() or not 0 < int(text) < 65536:
        raise ArgumentTypeError(f"{text} is no port: 1 to 65535")
    return int(text)
