"""Site address as a QR code, for other phones, and the certificate with which phones trust it (`serve --lan`)."""

from pathlib import Path

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_safe

from league import qr
from league.certificates import authority_file, fingerprint
from league.web.shared.absolute_url import absolute, secure
from league.web.shared.return_address import next_page

# A code with more modules than for this is hard to scan.
LONGEST_PATH = 200


def index(request: HttpRequest) -> HttpResponse:
    """Show the address of the site as a QR code; with `?next=` that of one of its pages."""
    page = next_page(request, reverse("home:index"))
    address = absolute(request, page if len(page) <= LONGEST_PATH else reverse("home:index"))
    size, path = qr.path(address)
    return render(request, "address/index.html", {"address": address, "size": size, "path": path})


@require_safe
def trust(request: HttpRequest) -> HttpResponse:
    """Show how a phone trusts this laptop. Raises Http404 on a site without a certificate of its own."""
    content = _authority()
    address = absolute(request, reverse("address:trust"))
    size, path = qr.path(address)
    context = {
        "address": address,
        "size": size,
        "path": path,
        "fingerprint": fingerprint(content),
        "secure": secure(request, next_page(request, reverse("home:index"))),
    }
    return render(request, "address/trust.html", context)


@require_safe
def authority(_request: HttpRequest) -> HttpResponse:
    """Serve the certificate of the laptop's authority; phones offer to install this type."""
    answer = HttpResponse(_authority(), content_type="application/x-x509-ca-cert")
    answer["Content-Disposition"] = 'attachment; filename="domino-league.crt"'
    answer["Cache-Control"] = "no-store"
    return answer


def _authority() -> bytes:
    content = authority_file(Path(settings.DATA_DIR)) if settings.HTTPS_PORT else None
    if content is None:
        raise Http404
    return content
