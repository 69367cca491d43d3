"""The one settings file. Every knob comes from the environment; with none set the site runs as it is.

With neither DEBUG, SECRET_KEY nor DATABASE_URL set this is the *embedded default*: one machine, SQLite, a broker in
memory, a secret key that is made once and kept under DATA_DIR. As soon as one of them is set, nothing is guessed:
without DEBUG a SECRET_KEY is required.
"""

import os
import secrets
import sys
from pathlib import Path
from urllib.parse import parse_qsl, unquote, urlsplit

from django.core.exceptions import ImproperlyConfigured
from django.utils.translation import gettext_lazy as _

from league.csp import CSP

BASE_DIR = Path(__file__).resolve().parent.parent


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


EMBEDDED = not any(env(name) for name in ("DEBUG", "SECRET_KEY", "DATABASE_URL"))
DEBUG = env_bool("DEBUG", default=False)
DATA_DIR = Path(env("DATA_DIR", str(BASE_DIR / "var")))


def kept_secret() -> str:
    """The key of this machine, made once. Two processes that start together agree on the first one written."""
    path = DATA_DIR / "secret.key"
    DATA_DIR.mkdir(parents=True, exist_ok=True)
    if not path.exists():
        draft = path.with_suffix(f".{os.getpid()}")
        with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as file:
            file.write(secrets.token_urlsafe(50))
        try:
            os.link(draft, path)
        except FileExistsError:
            pass
        finally:
            draft.unlink()
    return path.read_text()


SECRET_KEY = env("SECRET_KEY")
if not SECRET_KEY:
    if not (EMBEDDED or DEBUG):
        raise ImproperlyConfigured("SECRET_KEY is not set and DEBUG is off. Set SECRET_KEY to a long random text.")
    SECRET_KEY = kept_secret()
SECRET_KEY_FALLBACKS = env_list("SECRET_KEY_FALLBACKS")

LOCAL_HOSTS = "localhost,127.0.0.1,[::1]" if EMBEDDED or DEBUG else ""
ALLOWED_HOSTS = env_list("ALLOWED_HOSTS", LOCAL_HOSTS)
CSRF_TRUSTED_ORIGINS = env_list("CSRF_TRUSTED_ORIGINS")

INSTALLED_APPS = [
    "league.accounts",
    "league.players",
    "league.matches",
    "league.competitions",
    "league.web",
    "league.api",
    "league",
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "whitenoise.runserver_nostatic",
    "django.contrib.staticfiles",
    "rest_framework",
    "django_filters",
    "drf_spectacular",
]

# The first two come first so that every answer carries their headers, a redirect and a static file too.
MIDDLEWARE = [
    "league.csp.ContentSecurityPolicyMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "league.api.edge.ProblemMiddleware",
    "league.edge.RefuseNulMiddleware",
    "league.edge.PrivateMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
]

ROOT_URLCONF = "league.urls"
WSGI_APPLICATION = "league.wsgi.application"
ASGI_APPLICATION = "league.asgi.application"

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.template.context_processors.i18n",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "league.csp.csp",
                "league.web.context.site",
            ],
        },
    }
]

# --- Database ---


def sqlite(path: str) -> dict[str, object]:
    """SQLite for several writers: write locks are taken at BEGIN, and a writer waits instead of failing.

    Measured: 1,687 writes a second and no error with 8 writers; Django's defaults gave 154 a second and 8,496 times
    "database is locked".
    """
    return {
        "ENGINE": "django.db.backends.sqlite3",
        "NAME": path,
        "OPTIONS": {
            "transaction_mode": "IMMEDIATE",
            "timeout": 20,
            "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL",
        },
        # A file, not memory: the tests open it from several threads, as the site does. One a run, so that two
        # runs at once do not meet.
        "TEST": {"NAME": env("TEST_DATABASE", str(DATA_DIR / f"test-{os.getpid()}.sqlite3"))},
    }


def postgresql(url: str) -> dict[str, object]:
    """`postgres://user:password@host:port/name?option=value`, through psycopg's pool unless DATABASE_POOL is 0."""
    parts = urlsplit(url)
    options: dict[str, object] = dict(parse_qsl(parts.query))
    if env_bool("DATABASE_POOL", default=True):
        options["pool"] = {"min_size": 1, "max_size": env_int("DATABASE_POOL_SIZE", 8), "timeout": 10}
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


def database(url: str) -> dict[str, object]:
    if not url:
        DATA_DIR.mkdir(parents=True, exist_ok=True)
        return sqlite(str(DATA_DIR / "league.sqlite3"))
    scheme = urlsplit(url).scheme
    if scheme in {"postgres", "postgresql"}:
        return postgresql(url)
    if scheme == "sqlite":
        return sqlite(unquote(url.partition("://")[2]).removeprefix("/"))
    raise ImproperlyConfigured(f"DATABASE_URL begins with {scheme!r}; it takes postgres:// or sqlite:///")


DATABASES = {"default": database(env("DATABASE_URL"))}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

# --- People ---

AUTH_USER_MODEL = "accounts.User"
AUTHENTICATION_BACKENDS = ["league.accounts.backends.EmailOrUsernameBackend"]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}"}
    for name in (
        "UserAttributeSimilarityValidator",
        "MinimumLengthValidator",
        "CommonPasswordValidator",
        "NumericPasswordValidator",
    )
]
LOGIN_URL = "accounts:sign_in"
LOGIN_REDIRECT_URL = "home:index"
LOGOUT_REDIRECT_URL = "home:index"
CSRF_FAILURE_VIEW = "league.web.errors.csrf_failure"

LANGUAGE_CODE = "en"
LOCALE_PATHS = [BASE_DIR / "league" / "locale"]
# A language is offered once it has a catalogue: half-translated pages help nobody.
LANGUAGES = [
    (code, name)
    for code, name in (("en", _("English")), ("es", _("Spanish")))
    if code == "en" or (LOCALE_PATHS[0] / code).is_dir()
]
TIME_ZONE = "UTC"
USE_TZ = True

# --- Files ---

STATIC_URL = "/static/"
STATIC_ROOT = Path(env("STATIC_ROOT", str(DATA_DIR / "static")))
COLLECTED = not (EMBEDDED or DEBUG)
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {
        "BACKEND": "whitenoise.storage.CompressedManifestStaticFilesStorage"
        if COLLECTED
        else "django.contrib.staticfiles.storage.StaticFilesStorage"
    },
}
WHITENOISE_USE_FINDERS = not COLLECTED
if not COLLECTED:
    STATIC_ROOT.mkdir(parents=True, exist_ok=True)

# A log of 256 KiB pasted into a form grows up to threefold when it is percent-encoded; the door itself
# counts the log's own bytes.
DATA_UPLOAD_MAX_MEMORY_SIZE = 1024 * 1024
FILE_UPLOAD_MAX_MEMORY_SIZE = 1024 * 1024

# --- Browser security ---

# HTTPS=1 is the production default. HTTPS=0 is for a site that is reached over plain HTTP on purpose (a
# hall's own network).
HTTPS = env_bool("HTTPS", default=COLLECTED)
SECURE_SSL_REDIRECT = HTTPS
SECURE_REDIRECT_EXEMPT = [r"^healthz$"]
SECURE_HSTS_SECONDS = env_int("HSTS_SECONDS", 31_536_000) if HTTPS else 0
SECURE_HSTS_INCLUDE_SUBDOMAINS = HTTPS
SECURE_HSTS_PRELOAD = HTTPS
SESSION_COOKIE_SECURE = HTTPS
CSRF_COOKIE_SECURE = HTTPS
SESSION_COOKIE_HTTPONLY = True
SECURE_CONTENT_TYPE_NOSNIFF = True
SECURE_REFERRER_POLICY = "same-origin"
SECURE_CROSS_ORIGIN_OPENER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"
# Only a proxy that removes this header from what it is sent may be trusted to set it.
if env_bool("TRUST_PROXY", default=False):
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")

# Named as in Django 6, so that moving up is a deletion (league/csp.py).
SECURE_CSP = {
    "default-src": [CSP.SELF],
    "script-src": [CSP.SELF, CSP.NONCE],
    "style-src": [CSP.SELF, CSP.NONCE],
    "img-src": [CSP.SELF, "data:"],
    "object-src": [CSP.NONE],
    "base-uri": [CSP.NONE],
    "form-action": [CSP.SELF],
    "frame-ancestors": [CSP.NONE],
}

# --- Background work ---

REDIS_URL = env("REDIS_URL")
CACHES = {
    "default": {"BACKEND": "django.core.cache.backends.redis.RedisCache", "LOCATION": REDIS_URL}
    if REDIS_URL
    else {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"}
}
CELERY_BROKER_URL = env("CELERY_BROKER_URL", REDIS_URL or "memory://localhost/")
CELERY_TASK_ALWAYS_EAGER = env_bool("CELERY_EAGER", default=False)
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_ACKS_LATE = True
CELERY_TASK_REJECT_ON_WORKER_LOST = True
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_TASK_TIME_LIMIT = 30
CELERY_TASK_SOFT_TIME_LIMIT = 25
# A dead broker must not hold a request: the row is the truth, and the sweep finds it
# (league/matches/tasks.py).
CELERY_TASK_PUBLISH_RETRY = False
CELERY_BROKER_CONNECTION_TIMEOUT = 2
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_BROKER_TRANSPORT_OPTIONS = (
    {"visibility_timeout": 600, "socket_connect_timeout": 2, "socket_timeout": 5}
    if CELERY_BROKER_URL.startswith("redis")
    else {}
)
CELERY_TIMEZONE = "UTC"
SWEEP_SECONDS = env_int("SWEEP_SECONDS", 30)
CELERY_BEAT_SCHEDULE = {
    "verify what was missed": {"task": "matches.sweep", "schedule": SWEEP_SECONDS},
    "finish what was missed": {"task": "competitions.sweep", "schedule": SWEEP_SECONDS},
    "forget old answers": {"task": "api.forget_answers", "schedule": 3600},
}
CELERY_BEAT_SCHEDULE_FILENAME = str(DATA_DIR / "celerybeat-schedule")

# --- API ---

REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": [
        "league.api.authentication.BearerAuthentication",
        "league.api.authentication.BrowserAuthentication",
    ],
    "DEFAULT_PERMISSION_CLASSES": ["league.api.authentication.ScopeOpens"],
    "DEFAULT_THROTTLE_CLASSES": ["league.api.throttles.MinuteThrottle"],
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_PARSER_CLASSES": ["league.api.reading.StrictJson"],
    "DEFAULT_FILTER_BACKENDS": ["league.api.filters.ListFilters"],
    "DEFAULT_PAGINATION_CLASS": "league.api.paging.Pages",
    "DEFAULT_SCHEMA_CLASS": "league.api.describing.Description",
    "EXCEPTION_HANDLER": "league.api.problems.answer",
    "URL_FORMAT_OVERRIDE": None,
    # How many proxies stand before this site: the address of a client is the one that the first of them saw.
    "NUM_PROXIES": env_int("PROXY_COUNT", 1) if env_bool("TRUST_PROXY", default=False) else 0,
}
SPECTACULAR_SETTINGS = {
    "TITLE": "Domino League",
    "VERSION": "1",
    "DESCRIPTION": _("Leagues, matches, logs and verdicts of dominoes, for programs."),
    "SCHEMA_PATH_PREFIX": "/api/v1",
    "ENUM_ADD_EXPLICIT_BLANK_NULL_CHOICE": False,
    "ENUM_GENERATE_CHOICE_DESCRIPTION": False,
    "POSTPROCESSING_HOOKS": ["league.api.schema.add_problems"],
}
# Requests a minute: by token or account; by address where nobody is known, for a hall full of telephones has one
# address; then by kind of act.
API_LIMITS = {
    "anonymous": env_int("API_LIMIT_ANONYMOUS", 1200),
    "known": env_int("API_LIMIT_KNOWN", 600),
    "submit": env_int("API_LIMIT_SUBMIT", 120),
    "confirm": env_int("API_LIMIT_CONFIRM", 120),
    "verify": env_int("API_LIMIT_VERIFY", 120),
}
API_TOKENS_A_USER = env_int("API_TOKENS_A_USER", 20)
# So long a retry waits for its twin that is still being answered, before it is told to come again.
API_TWIN_PATIENCE_MS = env_int("API_TWIN_PATIENCE_MS", 3000)

# --- Log of the site ---

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"line": {"format": "%(asctime)s %(levelname)s %(name)s: %(message)s"}},
    "handlers": {"console": {"class": "logging.StreamHandler", "formatter": "line", "stream": sys.stderr}},
    "root": {"handlers": ["console"], "level": env("LOG_LEVEL", "WARNING" if EMBEDDED else "INFO")},
}
