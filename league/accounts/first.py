"""Setup of a site: its first account and league, created once."""

import secrets
from pathlib import Path

from django.conf import settings
from django.db import IntegrityError, transaction
from django.http.request import split_domain_port
from django.utils.translation import gettext_lazy as _

from league.accounts import attempts
from league.accounts.codes import new_code
from league.accounts.founding import create_league
from league.accounts.models import Founding, League, Role, User
from league.environment import keep_once
from league.errors import NotAllowed, Refused

LOOPBACK = {"localhost", "127.0.0.1", "[::1]", "::1"}


def is_empty() -> bool:
    """Return whether the site has no account, so that the setup page is open."""
    return not User.objects.exists()


def setup_code() -> str:
    """Return the setup code, which proves that the first owner runs the machine.

    FIRST_OWNER_CODE, or else a code that is made once and kept under DATA_DIR, readable by its owner alone.
    """
    if settings.FIRST_OWNER_CODE:
        return settings.FIRST_OWNER_CODE
    path = Path(settings.DATA_DIR) / "setup.code"
    if not path.exists():
        keep_once(path, new_code())
    return path.read_text("utf-8").strip()


def code_needed(address: str) -> bool:
    """Return whether a browser at this address must show the setup code.

    Every browser must, except on the machine itself if the site was set up for this machine alone.
    """
    hosts = {split_domain_port(host)[0] for host in settings.ALLOWED_HOSTS}
    return not (settings.EMBEDDED and hosts <= LOOPBACK and address in LOOPBACK)


def check_code(code: str) -> None:
    """Check the setup code. Raises Refused `too-many-codes`, NotAllowed `wrong-code`.

    Each code has its own count.
    """
    given, right = ("".join(text.split()).upper() for text in (code, setup_code()))
    if free_at := attempts.count(attempts.SETUP_CODE, right):
        raise Refused(
            "too-many-codes",
            _("Too many wrong codes. Try again in %(minutes)d minutes, or start the site with another code."),
            minutes=attempts.minutes_until(free_at),
        )
    if not secrets.compare_digest(given.encode(), right.encode()):
        raise NotAllowed(
            "wrong-code", _("That is not the setup code. Look in the terminal where the site was started.")
        )
    attempts.take_back(attempts.SETUP_CODE, right)


@transaction.atomic
def found_site(
    *, username: str, password: str, league_name: str, email: str = "", full_name: str = "", time_zone: str = "UTC"
) -> tuple[User, League]:
    """Create the first account, which may also enter the admin site, and its league.

    The account owns the league. Two requests at once give one owner. Raises Refused `site-founded`, and those of
    `create_league`.
    """
    if not is_empty():
        raise _founded()
    user = User.objects.create_superuser(username, email, password, first_name=full_name)
    try:
        with transaction.atomic():
            Founding.objects.create(pk=Founding.ONLY, user=user)
    except IntegrityError:  # another request was faster
        raise _founded() from None
    league = create_league(name=league_name, time_zone=time_zone)
    Role.objects.create(user=user, league=league, kind=Role.Kind.OWNER)
    return user, league


def _founded() -> Refused:
    return Refused("site-founded", _("The site has its first owner already."))
