"""A push service of our own on 127.0.0.1, and browsers that are subscribed to it."""

import base64
import json
import secrets
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import http_ece
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from league.competitions.push.subscriptions import BrowserKeys


def text(raw: bytes) -> str:
    return base64.urlsafe_b64encode(raw).rstrip(b"=").decode()


@dataclass
class PushBrowser:
    """What a browser gives to a site, and the key that only it has."""

    endpoint: str
    private: ec.EllipticCurvePrivateKey = field(default_factory=lambda: ec.generate_private_key(ec.SECP256R1()))
    secret: bytes = field(default_factory=lambda: secrets.token_bytes(16))

    @property
    def keys(self) -> BrowserKeys:
        point = self.private.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
        return BrowserKeys(text(point), text(self.secret))

    def read(self, body: bytes) -> dict[str, str]:
        plain = http_ece.decrypt(body, private_key=self.private, auth_secret=self.secret, version="aes128gcm")
        return json.loads(plain)


@dataclass
class PushService:
    """Requests as they came: path, headers with small letters, body. `answers`: the status of each path, else 201."""

    address: str
    received: list[tuple[str, dict[str, str], bytes]] = field(default_factory=list)
    answers: dict[str, int] = field(default_factory=dict)

    def browser(self, name: str = "one") -> PushBrowser:
        return PushBrowser(f"{self.address}/{name}")

    def bodies(self, name: str = "one") -> list[bytes]:
        return [body for path, _headers, body in self.received if path == f"/{name}"]


@contextmanager
def push_service() -> Iterator[PushService]:
    class Answers(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            service.received.append((self.path, {name.lower(): said for name, said in self.headers.items()}, body))
            self.send_response(service.answers.get(self.path, 201))
            self.send_header("Location", f"{service.address}/elsewhere")
            self.end_headers()

        def log_message(self, *_: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Answers) as server:
        service = PushService(f"http://127.0.0.1:{server.server_port}")
        running = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        running.start()
        try:
            yield service
        finally:
            server.shutdown()
            running.join()
