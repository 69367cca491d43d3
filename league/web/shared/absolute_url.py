"""Where the site is, as a QR code: for the wall of a hall, and for handing the site from one phone to the next."""

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from league import qr


def index(request: HttpRequest) -> HttpResponse:
    address = absolute(request)
    size, path = qr.path(address)
    return render(request, "address/index.html", {"address": address, "size": size, "path": path})


def absolute(request: HttpRequest, path: str = "/") -> str:
    """The address of a page as a phone in the hall reaches it: what is printed, and what a QR code holds."""
    return (settings.SITE_ADDRESS or request.build_absolute_uri("/")) + path.removeprefix("/")
