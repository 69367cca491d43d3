"""One settings file: what it takes from the environment and when it refuses to start."""

import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
PRODUCTION = {
    "SECRET_KEY": "k" * 20 + "0123456789abcdefghijABCDEFGHIJ-_",
    "ALLOWED_HOSTS": "league.example.org",
    "DATABASE_URL": "postgres://user:p%40ss@db.example.org:5433/league?sslmode=require",
    "REDIS_URL": "redis://redis.example.org:6379/0",
}


def run(tmp_path, *arguments, **environment):
    """Django in a process of its own that has nothing but these variables."""
    given = {"PATH": os.environ["PATH"], "DATA_DIR": str(tmp_path), "DJANGO_SETTINGS_MODULE": "league.settings"}
    return subprocess.run(
        [sys.executable, *arguments], cwd=ROOT, env=given | environment, capture_output=True, text=True, check=False
    )


def setting(tmp_path, name, **environment):
    code = f"from django.conf import settings; print(repr(settings.{name}))"
    done = run(tmp_path, "-c", code, **environment)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def test_with_nothing_set_the_embedded_default_runs_and_keeps_its_key(tmp_path):
    first = setting(tmp_path, "SECRET_KEY")
    assert first == setting(tmp_path, "SECRET_KEY")
    assert len(first) > 50
    assert stat.S_IMODE((tmp_path / "secret.key").stat().st_mode) == 0o600
    assert setting(tmp_path, "DEBUG") == "False"
    assert setting(tmp_path, "CELERY_BROKER_URL").startswith("'memory://")
    assert setting(tmp_path, "ALLOWED_HOSTS") == "['localhost', '127.0.0.1', '[::1]']"


@pytest.mark.parametrize("environment", [{"DEBUG": "0"}, {"DATABASE_URL": PRODUCTION["DATABASE_URL"]}])
def test_it_refuses_to_start_without_a_secret_key_when_debug_is_off(tmp_path, environment):
    done = run(tmp_path, "-m", "django", "check", **environment)
    assert done.returncode == 1
    assert "SECRET_KEY is not set and DEBUG is off" in done.stderr
    assert not (tmp_path / "secret.key").exists()


@pytest.mark.parametrize(
    ("environment", "sentence"),
    [
        ({"DEBUG": "perhaps"}, "DEBUG is 'perhaps'; it takes 1 or 0"),
        ({"DATABASE_URL": "mysql://x/y", "SECRET_KEY": "x"}, "DATABASE_URL begins with 'mysql'"),
        ({"SWEEP_SECONDS": "soon"}, "SWEEP_SECONDS is 'soon'; it takes a whole number"),
    ],
)
def test_a_value_that_makes_no_sense_is_refused_by_name(tmp_path, environment, sentence):
    done = run(tmp_path, "-m", "django", "check", **environment)
    assert done.returncode == 1
    assert sentence in done.stderr


@pytest.mark.slow("starts a process")
def test_check_deploy_is_clean_in_production(tmp_path):
    done = run(tmp_path, "-m", "django", "check", "--deploy", "--fail-level", "INFO", **PRODUCTION)
    assert (done.returncode, done.stdout) == (0, "System check identified no issues (0 silenced).\n"), done.stderr


def test_the_database_address_is_read_whole(tmp_path):
    database = setting(tmp_path, "DATABASES['default']", **PRODUCTION)
    for part in (
        "'ENGINE': 'django.db.backends.postgresql'",
        "'NAME': 'league'",
        "'USER': 'user'",
        "'PASSWORD': 'p@ss'",
        "'HOST': 'db.example.org'",
        "'PORT': '5433'",
        "'sslmode': 'require'",
        "'pool': {",
    ):
        assert part in database
    assert "'pool'" not in setting(tmp_path, "DATABASES['default']", **PRODUCTION, DATABASE_POOL="0")


@pytest.mark.parametrize(("url", "path"), [("sqlite:////srv/a.db", "/srv/a.db"), ("sqlite:///b.db", "b.db")])
def test_sqlite_may_lie_elsewhere(tmp_path, url, path):
    assert setting(tmp_path, "DATABASES['default']['NAME']", DATABASE_URL=url, SECRET_KEY="x") == repr(path)


def test_a_site_over_plain_http_says_so_itself(tmp_path):
    assert setting(tmp_path, "SECURE_SSL_REDIRECT", **PRODUCTION) == "True"
    assert setting(tmp_path, "SESSION_COOKIE_SECURE", **PRODUCTION, HTTPS="0") == "False"
