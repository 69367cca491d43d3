"""Offline page of the site and its service worker."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.templatetags.static import static
from django.urls import reverse
from django.utils.cache import patch_vary_headers
from django.views.decorators.http import require_safe

from league.web.shared.service_workers import edition_of, worker_script

KEPT = ("base/tokens.css", "base/site.css", "base/icon.svg", "base/offline.js")


@require_safe
def page(request: HttpRequest) -> HttpResponse:
    """Show the offline page; it depends on language and theme, never on the user."""
    response = render(request, "offline.html")
    patch_vary_headers(response, ["Cookie"])
    return response


@require_safe
def worker(request: HttpRequest) -> HttpResponse:
    """Serve the offline worker at the site's top, so that its scope is every page.

    Its address contains language and theme of the cached page; a new address makes the browser fetch the page again.
    """
    given = {
        "EDITION": edition_of(KEPT),
        "PAGE": reverse("offline:page"),
        "KEPT": [static(f"web/{name}") for name in KEPT],
        "ICON": static("web/base/icon.svg"),
    }
    return worker_script("base/offline_worker.js", given)
