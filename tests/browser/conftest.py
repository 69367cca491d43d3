"""A real browser against a real server: Chromium on the machine's own path, pages over HTTP, one database for both."""

import os
from collections.abc import Callable, Iterator
from functools import partial
from random import Random
from typing import Any

import pytest
from django.conf import settings
from django.contrib.staticfiles.handlers import StaticFilesHandler
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.middleware.gzip import GZipMiddleware
from django.test import Client, override_settings
from django.test.testcases import LiveServerThread
from playwright.sync_api import Browser, BrowserContext, Page, expect
from pytest_django.live_server_helper import LiveServer

from games.notation.reading import dumps
from league.accounts.models import User
from league.certificates import Authority
from referee.playouts.pips import playout
from tests.browser import fonts
from tests.browser.answering import Answering, AnsweringServer
from tests.browser.hours import hours
from tests.web import world as small
from tests.web.world import PASSWORD, World

__all__ = ["hours"]  # a fixture

# How long a state that lasts may take to come on a loaded machine. A test waits no longer than it needs to.
PATIENCE_MS = 30_000
expect.set_options(timeout=PATIENCE_MS)
SERVE_FILE = StaticFilesHandler.serve
# Playwright's synchronous API runs an event loop in this thread, which Django's ORM would refuse.
os.environ.setdefault("DJANGO_ALLOW_ASYNC_UNSAFE", "1")


@pytest.fixture(scope="session")
def browser_type_launch_args(browser_type_launch_args, chromium_path) -> dict[str, object]:
    # Chromium refuses its sandbox to root, which is who runs in containers.
    return browser_type_launch_args | {"executable_path": chromium_path, "args": ["--no-sandbox"]}


@pytest.fixture(scope="session")
def browsers(launch_browser, tmp_path_factory) -> Iterator[Callable[[str], Browser]]:
    """A browser for each font, started when it is first asked for."""
    folder, started = tmp_path_factory.mktemp("fonts"), {}

    def with_font(font: str) -> Browser:
        if font not in started:
            started[font] = launch_browser(env=fonts.environment(font, folder))
        return started[font]

    yield with_font
    for one in started.values():
        one.close()


@pytest.fixture
def font(request) -> str:
    """The font of the machine that the page is read on: `every_font` asks for each in turn."""
    if not hasattr(request, "param"):
        return fonts.USUAL
    if not fonts.is_installed(request.param):
        pytest.skip(
            f"this machine has no font {request.param} (apt install fontconfig {fonts.FONTS[request.param].package})"
        )
    return request.param


@pytest.fixture(scope="session")
def live_server(tmp_path_factory) -> Iterator[LiveServer]:
    """Pages over plain HTTP, as of `serve --lan`, whatever the environment of this run asks for.

    pytest-django's own starts with the settings of the run, and middleware reads them once.
    """

    folder = tmp_path_factory.mktemp("site")
    Authority(folder)
    with (
        override_settings(
            DATA_DIR=folder,
            HTTPS_PORT=8443,
            SECURE_SSL_REDIRECT=False,
            SESSION_COOKIE_SECURE=False,
            CSRF_COOKIE_SECURE=False,
            ALLOWED_HOSTS=["*"],
            STREAMS=False,
            STORAGES=settings.STORAGES
            | {"staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}},
        ),
        pytest.MonkeyPatch.context() as patch,
    ):
        patch.setattr(StaticFilesHandler, "serve", compressed)
        patch.setattr(LiveServerThread, "server_class", AnsweringServer)
        server = LiveServer("localhost")
        yield server
        server.stop()


@pytest.fixture(scope="session")
def answering(live_server) -> Answering:
    return live_server.thread.httpd.answering


def compressed(handler: StaticFilesHandler, request: HttpRequest) -> HttpResponseBase:
    """A file as a real site sends it, which has it compressed already."""
    return GZipMiddleware(partial(SERVE_FILE, handler))(request)


@pytest.fixture
def world(live_server) -> World:
    return small.build()


@pytest.fixture
def log() -> str:
    """A whole game between Ana Ruiz and Bo Chen that verifies."""
    return dumps(playout("udl", rng=Random(7), seats=("Ana Ruiz", "Bo Chen")).log)


@pytest.fixture
def new_context(browsers, font, live_server, answering) -> Iterator[Callable[..., BrowserContext]]:
    """A browser of its own for each person, until the end of the test."""
    contexts = []

    def take(**options: Any) -> BrowserContext:
        contexts.append(browsers(font).new_context(base_url=live_server.url, **options))
        contexts[-1].set_default_timeout(PATIENCE_MS)
        return contexts[-1]

    yield take
    for context in contexts:
        for page in context.pages:
            page.unroute_all(behavior="ignoreErrors")  # a handler may wait for its answer still
        context.close()
    # A request on its way would write into the rows of the next test.
    answering.wait()


@pytest.fixture
def visit(new_context) -> Callable[..., Page]:
    """A page of its own for each visitor; `width`, `scheme`, `js`, `locale`, `zone`, `workers` and `touch`
    say what kind of one.
    """

    def arrive(
        *,
        width: int = 1280,
        scheme: str = "light",
        js: bool = True,
        locale: str = "en",
        zone: str | None = None,
        workers: str = "allow",
        touch: bool = False,
    ) -> Page:
        context = new_context(
            viewport={"width": width, "height": 844},
            color_scheme=scheme,
            java_script_enabled=js,
            locale=locale,
            timezone_id=zone,
            service_workers=workers,
            has_touch=touch,
            is_mobile=touch,
        )
        return context.new_page()

    return arrive


def leave_for(page: Page, address: str) -> None:
    """Go from a page that follows news or refreshes itself: it may load itself again, which would stop the way."""
    page.goto("about:blank")
    page.goto(address)


def become(page: Page, name: str) -> None:
    """Sign the browser in by a cookie. `sign_in_by_form` fills the form in."""
    client = Client()
    client.force_login(User.objects.get(username=name))
    session = {"name": settings.SESSION_COOKIE_NAME, "value": client.cookies[settings.SESSION_COOKIE_NAME].value}
    page.context.add_cookies([session | {"domain": "localhost", "path": "/"}])


def sign_in(page: Page, name: str) -> None:
    """Be at home as somebody, where the form of the sign-in leads to."""
    become(page, name)
    page.goto("/")


def sign_in_by_form(page: Page, name: str, said: Callable[[str, str], str] = lambda text, _context: text) -> None:
    """As people do; `said` gives the words of the page in its language."""
    page.goto("/sign-in/")
    page.get_by_label(said("User name or e-mail", "form field")).fill(name)
    page.locator("input[type=password]").fill(PASSWORD)
    page.get_by_role("main").get_by_role("button", name=said("Sign in", "button")).click()
