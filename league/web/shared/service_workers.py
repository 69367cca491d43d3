"""Scripts of service workers, with a fingerprint of the files that they keep."""

import json
from collections.abc import Iterable, Mapping
from functools import cache
from hashlib import sha256
from pathlib import Path

from django.contrib.staticfiles import finders
from django.http import HttpResponse


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
