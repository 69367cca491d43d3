"""Idempotency: one effect for one `Idempotency-Key`, however often it is sent.

Key, effect and answer are written in one transaction. A second request with the key waits on the unique index until the
first has ended; then it returns the stored answer or, if the first failed, runs itself. A process that dies half way
leaves nothing behind.
"""

import re
import secrets
from base64 import urlsafe_b64encode
from collections.abc import Callable
from datetime import timedelta

from django.conf import settings
from django.db import OperationalError, connection, transaction
from django.http import HttpResponse
from django.utils import timezone
from django.utils.crypto import salted_hmac
from django.utils.translation import gettext_lazy as _
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response

from league.api.base.authentication import principal
from league.api.base.problems import Malformed
from league.api.models import StoredAnswer
from league.matches.hash_chain import sha256
from league.outages import Outage, outage_of

HEADER = "Idempotency-Key"
REPLAY = "Idempotent-Replay"
KEY = re.compile(r"[\x21-\x7e]{1,128}")
# One season (a year), because a phone may retry weeks later.
KEPT_FOR = timedelta(days=366)
# The same request may succeed a little later.
NOT_KEPT = frozenset({409, 429})
KEPT_HEADERS = ("Location", "Retry-After")
# Replaces a secret in a stored body; a body has none of its own, because JSON escapes it.
HIDDEN = "\x1a"
SECRET_BYTES = 18
WAIT = 2  # seconds, for a client whose first request is still being answered

Act = Callable[[], Response]


def once(
    request: Request, act: Act, refusal: Callable[[Exception], Response], secret: str = ""
) -> HttpResponse | Response:
    """Return the answer of `act`, or the stored answer of an earlier request with this key.

    `refusal` makes the answer to an error. `secret`: the one of `secret_of`, if the answer shows it; it is not kept.

    Raises Malformed `bad-key`, `key-reused`, `in-progress`, and errors that `refusal` does not take.
    """
    key = request.headers.get(HEADER)
    if key is None:
        return act()
    if not KEY.fullmatch(key):
        raise Malformed("bad-key", _("An Idempotency-Key has 1 to 128 visible ASCII characters."))
    try:
        with transaction.atomic():
            row, is_new = _claim(request, key)
            if not is_new:
                return _replay(row, request, secret)
            answer = _answer(act, refusal)
            if answer.status_code in NOT_KEPT or answer.status_code >= 500:
                raise _Forget(answer)
            return _keep(row, answer, secret)
    except _Forget as forgotten:
        return forgotten.answer


class _Forget(Exception):
    """Undo the transaction and the key, and hand the answer out."""

    def __init__(self, answer: Response) -> None:
        super().__init__()
        self.answer = answer


def _claim(request: Request, key: str) -> tuple[StoredAnswer, bool]:
    """Return the key's row, and whether this request created it.

    Waits for a first request that is still being answered.
    """
    try:
        with _patience(settings.API_TWIN_PATIENCE_MS):
            return StoredAnswer.objects.get_or_create(
                principal=principal(request),
                method=request.method,
                path=request.path[:255],
                key=key,
                defaults={"fingerprint": fingerprint(request), "created_at": timezone.now()},
            )
    except OperationalError as error:
        if outage_of(error) is not Outage.BUSY:
            raise
        busy = _("The same request is still being answered. Ask again in a moment.")
        raise Malformed("in-progress", busy, wait=WAIT) from error


class _patience:  # noqa: N801  # lower case, as it is used only in a `with` statement
    """Limit the wait of PostgreSQL for a lock, in milliseconds, inside the block.

    SQLite has its own timeout.
    """

    def __init__(self, milliseconds: int) -> None:
        self.milliseconds = milliseconds

    def __enter__(self) -> None:
        self._set(f"{self.milliseconds:d}")

    def __exit__(self, kind: object, *_: object) -> None:
        if kind is None:
            self._set("0")

    def _set(self, value: str) -> None:
        if connection.vendor == "postgresql":
            with connection.cursor() as cursor:
                cursor.execute("SELECT set_config('lock_timeout', %s, true)", [value])


def fingerprint(request: Request) -> str:
    """Return the hash that distinguishes requests under one key."""
    parts = [request.META.get("QUERY_STRING", ""), request.content_type or ""]
    return sha256(b"\n".join([*(part.encode() for part in parts), request._request.body]))


def secret_of(request: Request) -> str:
    """Return the secret that an act shows once: the same for every retry under a key, random without a key.

    It follows from the request and the key of the site, so the answer is kept without it.
    """
    key = request.headers.get(HEADER)
    if not key:
        return secrets.token_urlsafe(SECRET_BYTES)
    asked = "\n".join([principal(request), request.path, key, fingerprint(request)])
    made = salted_hmac("league.api.secret", asked, algorithm="sha256").digest()
    return urlsafe_b64encode(made[:SECRET_BYTES]).decode()


def _replay(row: StoredAnswer, request: Request, secret: str) -> HttpResponse:
    if row.fingerprint != fingerprint(request):
        raise Malformed(
            "key-reused",
            _("This Idempotency-Key was sent with another request. Take a new key for a new request."),
        )
    answer = HttpResponse(row.body.replace(HIDDEN, secret).encode(), status=row.status, headers=row.headers)
    answer[REPLAY] = "true"
    return answer


def _answer(act: Act, refusal: Callable[[Exception], Response]) -> Response:
    try:
        return act()
    except Exception as error:
        return refusal(error)


def _keep(row: StoredAnswer, answer: Response, secret: str) -> HttpResponse:
    """Store the answer in its final bytes, so that every replay is the same."""
    body = JSONRenderer().render(answer.data).decode()
    row.status = answer.status_code
    row.body = body.replace(secret, HIDDEN) if secret else body
    row.headers = {name: answer[name] for name in KEPT_HEADERS if name in answer}
    row.headers["Content-Type"] = answer.content_type or "application/json"
    row.save(update_fields=["status", "body", "headers"])
    return HttpResponse(body.encode(), status=row.status, headers=row.headers)


def forget_old(now=None) -> int:
    """Remove the answers that are older than a season, and return their number."""
    return StoredAnswer.objects.filter(created_at__lt=(now or timezone.now()) - KEPT_FOR).delete()[0]
