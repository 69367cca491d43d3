"""``python3 manage.py serve``: a club's own site, in one process and one folder."""

import sys
from argparse import ArgumentParser
from pathlib import Path
from urllib.parse import urlencode

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import CommandError
from django.db import DatabaseError

from league import embedded, lan, qr
from league.accounts import services
from league.backups import BackupProblem
from league.certificates import Authority, CertificateProblem, RenewedContext, is_local, local_names
from league.management.embedded_command import EmbeddedCommand, port_number
from league.management.folders import Kind

DARK_ON_LIGHT = "\033[97;40m"  # light blocks on a dark ground, for any colours of the terminal
PLAIN = "\033[0m"
HTTPS_PORT = 8443


class Command(EmbeddedCommand):
    help = "Start a club's own site: pages and background work in one process, all data in one folder."
    name = "serve"
    kind = Kind.SITE
    # It listens for the phones in the hall. No stranger can take it over: the setup page asks for a code that only this
    # terminal shows.
    default_host = "0.0.0.0"  # noqa: S104

    def add_arguments(self, parser: ArgumentParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("--data", metavar="FOLDER", help="where all data is kept (default: var/site)")
        parser.add_argument("--lan", action="store_true", help="also answer https, with a certificate of this laptop")
        parser.add_argument("--https-port", type=port_number, default=HTTPS_PORT, help="default: %(default)s")

    def allow(self, host: str) -> None:
        if host in lan.EVERY_ADDRESS:
            settings.ALLOWED_HOSTS = lan.OwnNames(settings.ALLOWED_HOSTS)
        else:
            settings.ALLOWED_HOSTS = [*settings.ALLOWED_HOSTS, host]

    def secure(self, host: str, *, lan: bool, https_port: int, **_options: object) -> embedded.Secure | None:  # type: ignore[override]
        if not lan:
            return None
        bound = self.bind(host, https_port, "--lan --https-port")
        settings.HTTPS_PORT, address = https_port, bound.getsockname()[0]
        try:
            self.authority = Authority(Path(settings.DATA_DIR))
            return bound, RenewedContext(self.authority, lambda: local_names(address)).first
        except CertificateProblem as problem:
            raise CommandError(str(problem)) from problem

    def prepare(self, **_options: object) -> None:
        self.say(f"The site's data: {settings.DATA_DIR}")
        self.save_before_migrating()
        self.say("Preparing the database")
        try:
            call_command("migrate", verbosity=0, interactive=False)
        except DatabaseError as problem:
            raise CommandError(f"The database could not be prepared: {problem}") from problem
        # Read here: the welcome runs in the server's loop, which must not wait for the database.
        self.code = services.setup_code() if services.is_empty() else ""

    def save_before_migrating(self) -> None:
        """Save the data before a new edition migrates it.

        Raises CommandError for data of a newer edition, or of the first chain of migrations.
        """
        from league.backups import first_chain, places, schema, writing

        try:
            done = schema.applied()
            schema.check_known(done, "The data")
            first_chain.refuse(done)
            if schema.behind() and schema.filled_tables():
                path = places.automatic("before-migration")
                self.say(f"A new edition of the program: saving what is there to {path}")
                writing.save(path)
        except (BackupProblem, OSError) as problem:
            raise CommandError(str(problem)) from problem

    def welcome(self, host: str, port: int) -> None:
        settings.SITE_ADDRESS = lan.site_address(host, port)
        self.say("Ready")
        if settings.SITE_ADDRESS:
            self.stdout.write(self.style.SUCCESS(f"\n  {settings.SITE_ADDRESS}\n"))
            self.show_code(settings.SITE_ADDRESS)
            self.stdout.write("  For everybody in the same network: type the address, or point a camera at the code.")
        if host in lan.EVERY_ADDRESS:
            self.stdout.write(f"  On this machine: http://localhost:{port}/")
        elif not settings.SITE_ADDRESS:
            self.stdout.write(self.style.SUCCESS(f"\n  http://{lan.in_url(host)}:{port}/"))
        if not settings.SITE_ADDRESS:
            self.stdout.write("  Only this machine reaches it: " + self.why_alone(host))
        if settings.HTTPS_PORT:
            self.show_https(host, port)
        self.show_first_owner(port)
        self.stdout.write("\n  Ctrl-C stops it.")
        self.stdout.flush()

    def show_https(self, host: str, port: int) -> None:
        """Print the secure address, and how phones come to trust it."""
        name, site = local_names(host)[0], settings.SITE_ADDRESS or f"http://localhost:{port}/"
        self.stdout.write(
            f"\n  With https, so that the score pads open without a network: https://{lan.in_url(name)}:"
            f"{settings.HTTPS_PORT}/\n"
            f"  The scorers' phones trust it once, by the steps of {site}address/trust/\n"
            f"  Its fingerprint is {self.authority.fingerprint}"
        )
        if host in lan.EVERY_ADDRESS and (others := [one for one in lan.addresses() if not is_local(one)]):
            self.stdout.write(f"  No https at {', '.join(others)}: the certificate is for local networks only.")

    def why_alone(self, host: str) -> str:
        return "there is no network here." if host in lan.EVERY_ADDRESS else "it was started with --host."

    def show_code(self, address: str) -> None:
        colours = (DARK_ON_LIGHT, PLAIN) if sys.stdout.isatty() else ("", "")
        for line in qr.half_blocks(address):
            self.stdout.write(f"  {colours[0]}{line}{colours[1]}")

    def show_first_owner(self, port: int) -> None:
        if not self.code:
            return
        site = settings.SITE_ADDRESS or f"http://localhost:{port}/"
        self.stdout.write(
            f"\n  The site has no owner yet. To set it up, open\n"
            f"  {site}first/?{urlencode({'code': self.code})}\n"
            f"  and make the first account: it owns the site's first league. The setup code is {self.code}"
        )
