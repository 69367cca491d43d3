"""Absolute addresses of pages, for phones in the hall, in print and in QR codes."""

from django.conf import settings
from django.http import HttpRequest


def absolute(request: HttpRequest, path: str = "/") -> str:
    """Return a page's address at `SITE_ADDRESS`, else at the address of the request."""
    root = settings.SITE_ADDRESS or request.build_absolute_uri("/")
    return f"{root.rstrip('/')}{path}"
