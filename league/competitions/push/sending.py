"""One request to the push service of a browser.

The address comes from a browser, so it may name any machine: a connection is made to public addresses only, and no
redirection is followed.
"""

import ipaddress
import json
import socket
import ssl
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from urllib.parse import SplitResult, urlsplit

import http_ece
from cryptography.hazmat.primitives.asymmetric import ec
from django.conf import settings
from django.utils import timezone
from py_vapid import Vapid02

from league.competitions.push.keys import decoded

HTTPS_PORT = 443
LOOPBACK = "127.0.0.1"
PATIENCE_S = 3
UNREACHABLE = 0
# Lifetime of a signature; push services accept a day at most.
VALID_FOR = timedelta(hours=12)


@dataclass(frozen=True, slots=True, kw_only=True)
class PushMessage:
    """A message for one browser.

    `keys`: p256dh and auth of its subscription. `ttl`: seconds for which the service keeps it; `topic`: a later message
    of the same topic replaces it there. `signer`: private key of the site; `contact`: of its owner, a URL.
    """

    endpoint: str
    keys: Mapping[str, str]
    said: Mapping[str, str]
    ttl: int
    topic: str
    signer: str
    contact: str


class NotPublic(OSError):
    """The push service is at an address of a private network."""


def is_public(endpoint: str) -> bool:
    """Tell whether the address of a push service is https under a name of the internet, in ASCII. No look-up.

    With the setting PUSH_LOOPBACK, which only tests have, also plain HTTP at 127.0.0.1.
    """
    try:
        parts = urlsplit(endpoint)
        port = parts.port
    except ValueError:
        return False
    if _is_loopback(parts):
        return True
    if parts.scheme != "https" or parts.username is not None or port not in {None, HTTPS_PORT}:
        return False
    return endpoint.isascii() and _is_name(parts.hostname or "")


def _is_loopback(parts: SplitResult) -> bool:
    return bool(settings.PUSH_LOOPBACK and parts.scheme == "http" and parts.hostname == LOOPBACK)


def _is_name(host: str) -> bool:
    """Tell whether it is a name with a domain, and not an address."""
    last = host.rpartition(".")[2]
    return "." in host.strip(".") and not last.isdecimal() and ":" not in host


def post(message: PushMessage) -> int:
    """Encrypt, sign and send a message; return the status of the answer, or UNREACHABLE."""
    parts = urlsplit(message.endpoint)
    body, headers = _encrypted(message), _headers(message, f"{parts.scheme}://{parts.netloc}")
    try:
        connection = _connected(parts)
        try:
            connection.request("POST", f"{parts.path}?{parts.query}".rstrip("?") or "/", body, headers)
            return connection.getresponse().status
        finally:
            connection.close()
    except (OSError, HTTPException):
        return UNREACHABLE


def _encrypted(message: PushMessage) -> bytes:
    keys = {name: decoded(text) for name, text in message.keys.items()}
    own = ec.generate_private_key(ec.SECP256R1())
    said = json.dumps(message.said).encode()
    return bytes(http_ece.encrypt(said, private_key=own, dh=keys["p256dh"], auth_secret=keys["auth"]))


def _headers(message: PushMessage, audience: str) -> dict[str, str]:
    expires = timezone.now() + VALID_FOR
    claims = {"aud": audience, "sub": message.contact, "exp": int(expires.timestamp())}
    signed = Vapid02.from_raw(message.signer.encode()).sign(claims)
    return {
        "Authorization": str(signed["Authorization"]),
        "Content-Encoding": "aes128gcm",
        "Content-Type": "application/octet-stream",
        "TTL": str(message.ttl),
        "Topic": message.topic,
        "Urgency": "high",
    }


def _connected(parts: SplitResult) -> HTTPConnection:
    """Connect to a public address of the host, which the certificate is then checked for."""
    host, port = parts.hostname or "", parts.port or HTTPS_PORT
    if _is_loopback(parts):
        return HTTPConnection(host, port, timeout=PATIENCE_S)
    connection = HTTPSConnection(host, port, timeout=PATIENCE_S)
    plain = socket.create_connection((public_address(host, port), port), timeout=PATIENCE_S)
    connection.sock = ssl.create_default_context().wrap_socket(plain, server_hostname=host)
    return connection


def public_address(host: str, port: int) -> str:
    """Look up a host; return its first address. Raises NotPublic if any of its addresses is private, and OSError."""
    found = [str(one[4][0]) for one in socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)]
    if not all(map(_is_of_the_internet, found)):
        raise NotPublic(host)
    return found[0]


def _is_of_the_internet(address: str) -> bool:
    given = ipaddress.ip_address(address.partition("%")[0])
    one = getattr(given, "ipv4_mapped", None) or given
    return bool(one.is_global and not one.is_multicast)
