"""Key pair of the site for push services (VAPID, RFC 8292)."""

import base64
from typing import Any

from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from django.utils import timezone

from league.competitions.models import PushKey

KEY_BYTES = 32


def private_key() -> str:
    """Return the private key in base64url; make it at the first use."""
    made = {"private": _text(_new()), "made_at": timezone.now()}
    return PushKey.objects.get_or_create(pk=1, defaults=made)[0].private


def public_key() -> str:
    """Return the public key in base64url, as browsers want it (`applicationServerKey`)."""
    key = ec.derive_private_key(int.from_bytes(decoded(private_key())), ec.SECP256R1())
    return _text(key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint))


def decoded(text: str) -> bytes:
    """Decode base64url without padding. Raises ValueError."""
    return base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)


def _new() -> bytes:
    numbers: Any = ec.generate_private_key(ec.SECP256R1()).private_numbers()
    return bytes(numbers.private_value.to_bytes(KEY_BYTES))


def _text(raw: bytes) -> str:
    return base64.urlsafe_b64encode(raw).rstrip(b"=").decode()
