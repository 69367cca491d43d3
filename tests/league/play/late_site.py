"""The site, whose answers to forms come late: an act is committed some time before its player hears of it."""

import time
from collections.abc import Iterable

from league.wsgi import application as site

LATE_S = 0.15


def application(environ: dict, start_response: object) -> Iterable[bytes]:
    answer = site(environ, start_response)
    if environ["REQUEST_METHOD"] == "POST":
        time.sleep(LATE_S)
    return answer
