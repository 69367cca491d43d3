"""Service workers: offline files of the site, fetched again after a new edition."""

import json
from collections.abc import Iterable, Mapping
from functools import cache
from hashlib import sha256
from pathlib import Path

from django.contrib.staticfiles import finders
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.templatetags.static import static
from django.urls import reverse
from django.utils.cache import patch_vary_headers
from django.views.decorators.http import require_safe


def worker_script(name: str, given: Mapping[str, object]) -> HttpResponse:
    """Serve a worker's script with constants before it.

    The script itself is never cached, or no new edition would be noticed.
    """
    head = "".join(f"const {constant} = {json.dumps(value)};\n" for constant, value in given.items())
    answer = HttpResponse(head + _source(name), content_type="text/javascript; charset=utf-8")
    answer["Cache-Control"] = "no-cache"
    return answer


def edition_of(names: Iterable[str]) -> str:
    """Return a fingerprint of the files in ten letters."""
    return sha256("".join(map(_source, names)).encode()).hexdigest()[:10]


@cache
def _source(name: str) -> str:
    return Path(str(finders.find(f"web/{name}"))).read_text("utf-8")


KEPT = ("base/tokens.css", "base/site.css", "base/icon.svg", "base/offline.js")


@require_safe
def page(request: HttpRequest) -> HttpResponse:
    """Show the offline page; it depends on language and theme, never on the user."""
    response = render(request, "shared/offline.html")
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
    }
    return worker_script("base/offline_worker.js", given)
