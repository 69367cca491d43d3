"""``python3 manage.py live``: the process of the streams, on a site with several processes."""

from argparse import ArgumentParser

from django.core.management.base import BaseCommand, CommandError

from league import embedded
from league.management.embedded_command import port_number
from league.serving import settle

DEFAULT_PORT = 8001


class Command(BaseCommand):
    help = "Serve the streams under /live/, and the same pages as the web process while that is away."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--host", default="127.0.0.1", help="address to listen at (default: %(default)s)")
        parser.add_argument("--port", type=port_number, default=DEFAULT_PORT, help="default: %(default)s")

    def handle(self, *, host: str, port: int, **_options: object) -> None:
        try:
            bound = embedded.listen(host, port)
        except embedded.PortTaken:
            raise CommandError(f"Port {port} on {host} is taken by another program.") from None
        except OSError as problem:
            raise CommandError(f"Cannot listen at {host}, port {port}: {problem}") from None
        settle()
        embedded.serve(bound, lambda: self.stdout.write(f"Streams at http://{host}:{port}/live/"))
