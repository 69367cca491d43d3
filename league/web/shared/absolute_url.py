"""Site address as a QR code, for the wall of a hall and for other phones."""

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from league import qr


def index(request: HttpRequest) -> HttpResponse:
    address = absolute(request)
    size, path = qr.path(address)
    return render(request, "shared/address.html", {"address": address, "size": size, "path": path})


def absolute(request: HttpRequest, path: str = "/") -> str:
    """Return a page's address for phones in the hall, in print and in QR codes."""
    return (settings.SITE_ADDRESS or request.build_absolute_uri("/")) + path.removeprefix("/")
