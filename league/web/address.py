"""Site address as a QR code, for the wall of a hall and for other phones."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from league import qr
from league.web.shared.absolute_url import absolute


def index(request: HttpRequest) -> HttpResponse:
    address = absolute(request)
    size, path = qr.path(address)
    return render(request, "address/index.html", {"address": address, "size": size, "path": path})
