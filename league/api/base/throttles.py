"""Rate limits by token or account, else by address.

A hall full of telephones has one address (RELIABILITY.md A-19). A limit is no lock: if the cache does not answer, every
request passes.
"""

import logging
import time
from typing import TYPE_CHECKING

from django.conf import settings
from django.core.cache import cache
from rest_framework.request import Request
from rest_framework.throttling import BaseThrottle

from league.api.base.authentication import principal

if TYPE_CHECKING:  # import cycle at run time: rest_framework.views loads this module through the settings
    from rest_framework.views import APIView

log = logging.getLogger(__name__)

WINDOW = 60
"""Seconds. Counted from each full minute, so that one number is kept a client and not one an asking."""


class MinuteThrottle(BaseThrottle):
    """A number of requests a minute of one kind by one client (`settings.API_LIMITS`)."""

    def allow_request(self, request: Request, view: "APIView") -> bool:
        self.now = time.time()
        return all(self._counts(kind, request) for kind in self._kinds(request, view))

    def wait(self) -> float:
        return WINDOW - self.now % WINDOW

    def _kinds(self, request: Request, view: "APIView") -> list[str]:
        kinds = ["known" if principal(request) else "anonymous"]
        if limit := getattr(view, "limit", None):
            kinds.append(limit)
        return kinds

    def _counts(self, kind: str, request: Request) -> bool:
        who = principal(request) or f"address-{self.get_ident(request)}"
        key = f"api-{kind}-{who}-{int(self.now) // WINDOW}"
        try:
            cache.add(key, 0, 2 * WINDOW)
            asked = cache.incr(key)
        except Exception as error:
            log.warning("requests are not counted, the cache did not answer: %s", error)
            return True
        return asked <= settings.API_LIMITS[kind]
