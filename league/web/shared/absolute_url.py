"""Absolute addresses of pages, for phones in the hall, in print and in QR codes."""

from functools import lru_cache
from urllib.parse import urlsplit

from django.conf import settings
from django.http import HttpRequest

from league import qr
from league.certificates import local_names
from league.lan import EVERY_ADDRESS, in_url

# Cached in each process: a QR code takes longer to make than the rest of a page's head.
MOST_CODES = 256


def absolute(request: HttpRequest, path: str = "/") -> str:
    """Return a page's address at `SITE_ADDRESS`, else at the address of the request."""
    root = settings.SITE_ADDRESS or request.build_absolute_uri("/")
    return f"{root.rstrip('/')}{path}"


def secure(request: HttpRequest, path: str) -> str:
    """Return the https address of a page (`serve --lan`): by the name in the request, if it is certified."""
    host = urlsplit(f"//{request.get_host()}").hostname or ""
    names = local_names(EVERY_ADDRESS[0])
    return f"https://{in_url(host if host in names else names[0])}:{settings.HTTPS_PORT}{path}"


@lru_cache(MOST_CODES)
def public_code(address: str) -> tuple[int, str]:
    """Make the QR code of an address that is no secret."""
    return qr.path(address)
