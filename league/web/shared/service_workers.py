"""Service workers: what a browser keeps of this site, and asks for anew once it is another edition."""

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
    """The worker of this file, with constants before it. Never kept itself, or no other edition would be noticed."""
    head = "".join(f"const {constant} = {json.dumps(value)};\n" for constant, value in given.items())
    answer = HttpResponse(head + _source(name), content_type="text/javascript; charset=utf-8")
    answer["Cache-Control"] = "no-cache"
    return answer


def edition_of(names: Iterable[str]) -> str:
    """Ten letters, others whenever one of these files is."""
    return sha256("".join(map(_source, names)).encode()).hexdigest()[:10]


@cache
def _source(name: str) -> str:
    return Path(str(finders.find(f"web/{name}"))).read_text("utf-8")


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
