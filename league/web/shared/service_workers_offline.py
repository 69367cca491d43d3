"""What a browser shows of this site without a network: one page that says so, kept by a service worker."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.templatetags.static import static
from django.urls import reverse
from django.utils.cache import patch_vary_headers
from django.views.decorators.http import require_safe

from league.web.shared.service_workers import edition_of, worker_script

KEPT = ("tokens.css", "site.css", "icon.svg", "offline.js")


@require_safe
def page(request: HttpRequest) -> HttpResponse:
    """The same for everybody but for language and theme; says nothing of who is signed in."""
    response = render(request, "offline.html")
    patch_vary_headers(response, ["Cookie"])
    return response


@require_safe
def worker(request: HttpRequest) -> HttpResponse:
    """It stands at the top of the site, so that every page is in its reach. Its address says for which language and
    theme a browser keeps the page; another one makes it keep the page anew.
    """
    given = {
        "EDITION": edition_of(KEPT),
        "PAGE": reverse("offline:page"),
        "KEPT": [static(f"web/{name}") for name in KEPT],
    }
    return worker_script("offline_worker.js", given)
