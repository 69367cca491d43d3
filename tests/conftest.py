"""What a test may need of the machine, and what happens where the machine lacks it.

A test that needs a browser, a database or a Redis says so with a marker. Where the thing is absent the test
is skipped with the reason; with ``CI=true``, where everything is provided, a skip fails the session.
"""

import gc
import os
import shutil
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from random import Random
from urllib.parse import urlsplit

import pytest
from django.test import override_settings
from hypothesis import HealthCheck, settings

from league.management import test_stages

# How long the machine takes, to think of an example or to try it, says nothing about the code.
settings.register_profile("suite", suppress_health_check=[HealthCheck.too_slow], deadline=None)
settings.load_profile("suite")

REDIS = os.environ.get("TEST_REDIS_URL") or "redis://127.0.0.1:6379/15"


def chromium() -> str | None:
    """The path of a Chromium, or None."""
    names = (os.environ.get("CHROMIUM"), "chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
    return next(filter(None, (shutil.which(name) for name in names if name)), None)


def redis_answers() -> bool:
    import redis

    try:
        return bool(redis.Redis.from_url(REDIS, socket_connect_timeout=2).ping())
    except redis.RedisError:
        return False


def engine() -> str:
    from django.conf import settings

    return settings.DATABASES["default"]["ENGINE"].rpartition(".")[2]


NEEDS = {
    "browser": (
        lambda: chromium() is not None,
        "no Chromium on the PATH or in CHROMIUM (apt install chromium)",
    ),
    "curl": (
        lambda: all(map(shutil.which, ("curl", "bash"))),
        "no curl or no bash on the PATH, in which the API's document is typed (apt install curl)",
    ),
    "redis": (redis_answers, f"no Redis answers at {urlsplit(REDIS).netloc} (set TEST_REDIS_URL)"),
    "postgres": (
        lambda: engine() == "postgresql",
        "this run is not on PostgreSQL (start one at 127.0.0.1:5432 or set DATABASE_URL)",
    ),
    "sqlite": (lambda: engine() == "sqlite3", "this run is not on SQLite (unset DATABASE_URL)"),
}


def commits(item: pytest.Item) -> bool:
    """Whether the test sees more than one transaction, where the two databases differ most."""
    marker = item.get_closest_marker("django_db")
    return "transactional_db" in getattr(item, "fixturenames", ()) or bool(marker and marker.kwargs.get("transaction"))


has_word = cache(test_stages.has_word)


def is_hidden(item: pytest.Item) -> bool:
    """Whether a stage would not read the file of a test, which has its mark from elsewhere."""
    marked = {"slow": test_stages.SLOW, "both": test_stages.COMMITS, "postgres": test_stages.COMMITS}
    return any(item.get_closest_marker(one) and not has_word(item.path, words) for one, words in marked.items())


def shuffle_modules(items: list[pytest.Item], seed: str) -> None:
    """Put the modules into another order, each with its tests in theirs."""
    modules: dict[Path, list[pytest.Item]] = {}
    for item in items:
        modules.setdefault(item.path, []).append(item)
    paths = list(modules)
    Random(seed).shuffle(paths)
    items[:] = [item for path in paths for item in modules[path]]


@pytest.hookimpl(tryfirst=True)  # before tests are chosen by their markers
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    if seed := os.environ.get("SHUFFLE"):
        shuffle_modules(items, seed)
    for item in items:
        if commits(item) and not any(map(item.get_closest_marker, ("browser", "sqlite", "postgres"))):
            item.add_marker(pytest.mark.both)
    if hidden := sorted({str(item.path) for item in items if is_hidden(item)}):
        raise pytest.UsageError(f"no stage reads these for their slow or committing tests: {', '.join(hidden)}")
    for marker, (present, reason) in NEEDS.items():
        marked = [item for item in items if item.get_closest_marker(marker)]
        if marked and not present():
            for item in marked:
                item.add_marker(pytest.mark.skip(reason=f"{marker}: {reason}"))


def pytest_collection_finish() -> None:
    """Every full look of the collector for garbage goes over all tests and modules: an eighth of the processor time."""
    gc.freeze()
    gc.set_threshold(50_000, 20, 20)


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item, nextitem: pytest.Item | None) -> object:
    """Run a test with room on the stack of frames, as the site answers requests (league/frame_room.py).

    It begins in the site's language, not in that of the last page.
    """
    from django.utils import translation

    from league.frame_room import with_room

    translation.deactivate()

    runner = item.config.pluginmanager.get_plugin("runner")
    return with_room(runner.pytest_runtest_protocol, item, nextitem)


@pytest.hookimpl(tryfirst=True)
def pytest_sessionfinish(session: pytest.Session) -> None:
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    if os.environ.get("CI") == "true" and reporter and reporter.stats.get("skipped"):
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    if os.environ.get("CI") == "true" and terminalreporter.stats.get("skipped"):
        terminalreporter.write_line("CI: a skipped test is a failure", red=True)


@pytest.fixture(scope="session")
def django_db_setup(django_test_environment, django_db_blocker, django_db_modify_db_settings) -> Iterator[None]:
    """Give this process a database of its own, copied from the template instead of migrated."""
    from django.conf import settings
    from django.db import connection
    from django.test import TransactionTestCase

    from tests import template_database

    with django_db_blocker.unblock():
        usual = connection.settings_dict["NAME"]
        name = connection.creation._get_test_db_name()
        template_database.copy_to(name)
        settings.DATABASES["default"]["NAME"] = connection.settings_dict["NAME"] = name
    with pytest.MonkeyPatch.context() as patch:
        # Django empties every table and emits post_migrate after each test that commits.
        patch.setattr(TransactionTestCase, "_fixture_teardown", lambda _case: template_database.reset())
        yield
    with django_db_blocker.unblock():
        connection.creation.destroy_test_db(usual, verbosity=0)


@pytest.fixture(scope="session", autouse=True)
def _cheap_settings(django_test_environment) -> Iterator[None]:
    """WhiteNoise lists every static file when a test makes a client, which takes longer than most pages; and a password
    takes 0.3 s to hash, which was a fifth of the tests of accounts.
    """
    hashers = ["django.contrib.auth.hashers.MD5PasswordHasher"]
    with override_settings(WHITENOISE_AUTOREFRESH=True, PASSWORD_HASHERS=hashers):
        yield


@pytest.fixture
def at_once() -> Iterator[None]:
    """Background work is done where it is queued. Celery does not look at Django's settings again."""
    from league.celery import app

    usual = app.conf.task_always_eager
    app.conf.task_always_eager = True
    yield
    app.conf.task_always_eager = usual


@pytest.fixture(scope="session")
def chromium_path() -> str:
    """Where the machine's Chromium is; only tests with the marker ``browser`` ask."""
    return chromium()


@pytest.fixture(scope="session")
def redis_url() -> str:
    """A Redis that answers; only tests with the marker ``redis`` ask."""
    return REDIS
