"""Somebody with a browser and an account, over real HTTP."""

import re
from dataclasses import dataclass
from http.cookiejar import Cookie, CookieJar
from urllib.error import HTTPError, URLError
from urllib.parse import urlencode
from urllib.request import HTTPCookieProcessor, HTTPRedirectHandler, OpenerDirector, build_opener

from django.conf import settings
from django.test import Client

from league.accounts.models import User
from tests.league.processes import PATIENCE, until

TOKEN = re.compile(r'name="csrfmiddlewaretoken" value="(\w+)"')


@dataclass
class Seen:
    status: int
    address: str
    text: str


class Stays(HTTPRedirectHandler):
    """Follows no redirect."""

    def redirect_request(self, *_: object) -> None:
        return None


class Visitor:
    """Signed in through a session that was made in the database, so that no password has to be hashed."""

    def __init__(self, address: str, user: User | None = None) -> None:
        self.address = address
        jar = CookieJar()
        if user:
            client = Client()
            client.force_login(user)
            name = settings.SESSION_COOKIE_NAME
            jar.set_cookie(cookie(name, client.cookies[name].value, address))
        self._opener = build_opener(HTTPCookieProcessor(jar))
        self._stays = build_opener(HTTPCookieProcessor(jar), Stays())

    def get(self, path: str) -> Seen:
        return self._open(path)

    def form(self, path: str) -> dict[str, str]:
        """What a form on that page sends without being filled in."""
        return {"csrfmiddlewaretoken": TOKEN.search(self.get(path).text)[1]}

    def post(self, path: str, fields: dict[str, str]) -> Seen:
        """Without going where the answer points to."""
        return self._open(path, urlencode(fields).encode(), self._stays)

    def _open(self, path: str, body: bytes | None = None, opener: OpenerDirector | None = None) -> Seen:
        try:
            with (opener or self._opener).open(self.address + path, body, timeout=PATIENCE) as answer:
                return Seen(answer.status, answer.url, answer.read().decode())
        except HTTPError as answer:
            return Seen(answer.status, answer.url, answer.read().decode())

    def wait(self) -> bool:
        """Whether the site answered before the patience was over."""

        def answers() -> bool:
            try:
                return self.get("/healthz").status == 200
            except URLError:
                return False

        return until(answers)


def cookie(name: str, value: str, address: str) -> Cookie:
    host = address.partition("://")[2].partition(":")[0]
    return Cookie(
        version=0, name=name, value=value, port=None, port_specified=False, domain=host, domain_specified=False,
        domain_initial_dot=False, path="/", path_specified=True, secure=False, expires=None, discard=True,
        comment=None, comment_url=None, rest={},
    )  # fmt: skip
