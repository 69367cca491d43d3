"""Adapter for django-allauth: limits on wrong passwords, and messages."""

import logging
import secrets
from smtplib import SMTPException
from typing import Any

from allauth.account.adapter import DefaultAccountAdapter
from allauth.core.internal.httpkit import get_client_ip
from django.conf import settings
from django.contrib import messages
from django.core import signing
from django.core.exceptions import ValidationError
from django.db.models import Q
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from league.accounts import attempts
from league.accounts.attempts import minutes_until
from league.accounts.models import User

log = logging.getLogger(__name__)

DEVICE_COOKIE = "device"
DEVICE_SALT = "league.accounts.device"
DEVICE_AGE = 180 * 86_400
# A desk's laptop is used by several people; the oldest is forgotten first.
MOST_ON_A_DEVICE = 8
WRONG = _("No account has this name or address with this password.")


class Adapter(DefaultAccountAdapter):
    """Counts wrong passwords by account and device, never by address alone.

    A hall of three hundred people has a single address, and wrong guesses at Ana's password must not lock Ana out of
    her own phone (RELIABILITY.md A-19).
    """

    error_messages = DefaultAccountAdapter.error_messages | {
        "email_password_mismatch": WRONG,
        "username_password_mismatch": WRONG,
        "username_taken": _("There is an account with this name."),
    }

    def pre_authenticate(self, request: HttpRequest, **credentials: Any) -> None:
        if free_at := attempts.count(attempts.PASSWORD, *self._guesser(request, **credentials)):
            raise ValidationError(
                gettext(
                    "There were too many wrong passwords for this account from unknown devices. Try again in "
                    "%(minutes)d minutes, or on a device on which you signed in before."
                )
                % {"minutes": minutes_until(free_at)}
            )

    def authenticate(self, request: HttpRequest, **credentials: Any) -> Any:
        user = super().authenticate(request, **credentials)
        if user:
            attempts.take_back(attempts.PASSWORD, *self._guesser(request, **credentials))
        return user

    def _guesser(self, request: HttpRequest, **credentials: Any) -> tuple[str, str]:
        login = str(credentials.get("email") or credentials.get("username") or "")
        user = User.objects.filter(Q(username__iexact=login) | Q(email__iexact=login)).order_by("pk").first()
        account = f"account {user.pk}" if user else f"name {login.casefold()}"
        known, device = read_device(request)
        return account, device if user and user.pk in known else ""

    def get_login_stages(self) -> list[str]:
        return ["league.accounts.stages.ConfirmAddressStage"]

    def get_client_ip(self, request: HttpRequest) -> str:
        """Return the address; "local" for an empty one, as behind a local socket."""
        return get_client_ip(request) or "local"

    def get_password_change_redirect_url(self, request: HttpRequest) -> str:
        return "/account/"

    def send_mail(self, template_prefix: str, email: str, context: dict[str, Any]) -> None:
        """Send a mail; a failure is shown and logged, so that no form input is lost."""
        if not settings.HAS_MAIL:
            return
        try:
            super().send_mail(template_prefix, email, context)
        except (OSError, SMTPException):
            log.exception("mail %s was not sent", template_prefix)
            messages.error(self.request, gettext("The mail could not be sent just now. Please try again later."))


# --- Devices ---


def read_device(request: HttpRequest) -> tuple[list[int], str]:
    """Return the accounts that signed in on this device (keys), and its own mark.

    Nothing from a forged cookie.
    """
    try:
        accounts, mark = signing.loads(request.COOKIES.get(DEVICE_COOKIE, ""), salt=DEVICE_SALT, max_age=DEVICE_AGE)
    except (signing.BadSignature, ValueError):
        return [], ""
    return accounts, mark


def remember_device(request: HttpRequest, response: HttpResponse, user: User) -> None:
    known, mark = read_device(request)
    accounts = [*(pk for pk in known if pk != user.pk), user.pk][-MOST_ON_A_DEVICE:]
    response.set_cookie(
        DEVICE_COOKIE,
        signing.dumps((accounts, mark or secrets.token_urlsafe(12)), salt=DEVICE_SALT),
        max_age=DEVICE_AGE,
        secure=settings.SESSION_COOKIE_SECURE,
        httponly=True,
        samesite="Lax",
    )
