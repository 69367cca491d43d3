"""Authentication: a program's token, else the browser's session, else anonymous."""

from typing import TYPE_CHECKING

from allauth.core.internal.ratelimit import get_ip
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from rest_framework.authentication import BaseAuthentication, SessionAuthentication
from rest_framework.exceptions import AuthenticationFailed, NotAuthenticated, Throttled
from rest_framework.permissions import SAFE_METHODS, BasePermission
from rest_framework.request import Request

from league.accounts import attempts
from league.accounts.models import User
from league.api.base.problems import CHALLENGE
from league.api.base.tokens import token_with, was_token
from league.api.models import Token, TokenScope
from league.errors import NotAllowed

if TYPE_CHECKING:  # import cycle at run time: rest_framework.views loads this module through the settings
    from rest_framework.views import APIView

LONGEST_KEY = 100


class BearerAuthentication(BaseAuthentication):
    """`Authorization: Bearer dom_…`.

    Token and owner are read at every request, so a revoked token and a closed account stop at once.
    """

    def authenticate(self, request: Request) -> tuple[User, Token] | None:
        given = request.META.get("HTTP_AUTHORIZATION", "")
        scheme, _space, key = given.partition(" ")
        if scheme.casefold() != "bearer":
            return None
        token = token_with(key.strip(), timezone.now()) if 0 < len(key) <= LONGEST_KEY else None
        if token is None:
            self._count(request, key.strip())
            raise AuthenticationFailed(_("This token is unknown, revoked or expired, or its account is closed."))
        return token.user, token

    def _count(self, request: Request, key: str) -> None:
        """Count an unknown token by address. A revoked token is no guess.

        Raises Throttled.
        """
        now = timezone.now()
        if was_token(key):
            return
        if free_at := attempts.count(attempts.TOKEN, get_ip(request._request), at=now):
            raise Throttled(wait=(free_at - now).total_seconds())

    def authenticate_header(self, request: Request) -> str:
        return CHALLENGE


class BrowserAuthentication(SessionAuthentication):
    """Session of a signed-in browser; every change needs the CSRF token in `X-CSRFToken`."""


class ScopeOpens(BasePermission):
    """Allow reading to everybody, and to a token that may read.

    An act needs an account, and a token with the scope of the view (`act_scope`; None for acts open to all).
    """

    def has_permission(self, request: Request, view: "APIView") -> bool:
        scope = TokenScope.READ if request.method in SAFE_METHODS else view.act_scope
        if scope is None:
            return True
        if scope != TokenScope.READ and not request.user.is_authenticated:
            raise NotAuthenticated
        if request.auth is not None and not request.auth.opens(scope):
            raise NotAllowed(
                "insufficient-scope",
                _("This token may not do that: it lacks the scope “%(scope)s”."),
                scope=str(scope),
            )
        return True


def principal(request: Request) -> str:
    """Return the key of the token, else of the account, that asks; empty for anonymous."""
    if request.auth is not None:
        return f"token-{request.auth.pk}"
    return f"account-{request.user.pk}" if request.user.is_authenticated else ""
