"""Where the site is, as a QR code: for the wall of a hall, and for handing the site from one phone to the next."""

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from league import qr


def index(request: HttpRequest) -> HttpResponse:
    address = settings.SITE_ADDRESS or request.build_absolute_uri("/")
    size, path = qr.path(address)
    return render(request, "address/index.html", {"address": address, "size": size, "path": path})
