"""Content-Security-Policy header in the shape of Django 6.

`SECURE_CSP`, `django.utils.csp.CSP`; remove this module after the upgrade to Django 6.
"""

import secrets
from collections.abc import Callable, Mapping, Sequence
from enum import StrEnum

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils.functional import SimpleLazyObject, empty


class CSP(StrEnum):
    """Values that need their own quotes."""

    NONE = "'none'"
    NONCE = "<CSP_NONCE_SENTINEL>"
    SELF = "'self'"


def build_policy(policy: Mapping[str, Sequence[str]], nonce: str | None) -> str:
    """Format a policy: `{"img-src": ["'self'", "data:"]}` → `img-src 'self' data:`.

    The nonce is included only if a template used it.
    """
    directives = []
    for name, values in policy.items():
        given = [value if value != CSP.NONCE else f"'nonce-{nonce}'" for value in values if value != CSP.NONCE or nonce]
        directives.append(f"{name} {' '.join(given)}")
    return "; ".join(directives)


class ContentSecurityPolicyMiddleware:
    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        request.csp_nonce = SimpleLazyObject(lambda: secrets.token_urlsafe(16))
        response = self.get_response(request)
        nonce = None if request.csp_nonce._wrapped is empty else str(request.csp_nonce)
        response.headers.setdefault("Content-Security-Policy", build_policy(settings.SECURE_CSP, nonce))
        return response


def csp(request: HttpRequest) -> dict[str, object]:
    """Context processor: `{{ csp_nonce }}`."""
    return {"csp_nonce": getattr(request, "csp_nonce", "")}
