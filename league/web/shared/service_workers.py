"""Service workers: what a browser keeps of this site, and asks for anew once it is another edition."""

import json
from collections.abc import Iterable, Mapping
from functools import cache
from hashlib import sha256
from pathlib import Path

from django.contrib.staticfiles import finders
from django.http import HttpResponse


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
