"""Settings, all from the environment; with none set the site runs with defaults.

With neither DEBUG, SECRET_KEY nor DATABASE_URL set this is the *embedded default*: one machine, SQLite, a broker in
memory, a secret key that is made once and kept under DATA_DIR. As soon as one of them is set, nothing is guessed:
without DEBUG a SECRET_KEY is required.
"""

import logging
import secrets
import sys
from pathlib import Path

from django.core.exceptions import ImproperlyConfigured
from django.utils.translation import gettext_lazy as _
from kombu import Exchange, Queue

from league.csp import CSP
from league.environment import database, env, env_bool, env_int, env_list, keep_once, mail

BASE_DIR = Path(__file__).resolve().parent.parent


EMBEDDED = not any(env(name) for name in ("DEBUG", "SECRET_KEY", "DATABASE_URL"))
DEBUG = env_bool("DEBUG", default=False)
DATA_DIR = Path(env("DATA_DIR", str(BASE_DIR / "var")))


SECRET_KEY = env("SECRET_KEY")
if not SECRET_KEY:
    if not (EMBEDDED or DEBUG):
        raise ImproperlyConfigured("SECRET_KEY is not set and DEBUG is off. Set SECRET_KEY to a long random text.")
    SECRET_KEY = keep_once(DATA_DIR / "secret.key", secrets.token_urlsafe(50))
SECRET_KEY_FALLBACKS = env_list("SECRET_KEY_FALLBACKS")

LOCAL_HOSTS = "localhost,127.0.0.1,[::1]" if EMBEDDED or DEBUG else ""
ALLOWED_HOSTS = env_list("ALLOWED_HOSTS", LOCAL_HOSTS)
# Public address of the site, for the page with its QR code. Empty: the address of the request.
SITE_ADDRESS = env("SITE_ADDRESS")
# Port where the same process also answers https, with a certificate of its own (`serve --lan`). 0: nowhere.
HTTPS_PORT = 0
CSRF_TRUSTED_ORIGINS = env_list("CSRF_TRUSTED_ORIGINS")

INSTALLED_APPS = [
    "league.accounts",
    "league.players",
    "league.matches",
    "league.competitions",
    "league.disputes",
    "league.play",
    "league.live",
    "league.web",
    "league.api",
    "league",
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "allauth",
    "allauth.account",
    "whitenoise.runserver_nostatic",
    "django.contrib.staticfiles",
    "rest_framework",
    "django_filters",
    "drf_spectacular",
]

# The first two come first so that every answer has their headers, also redirects and static files.
MIDDLEWARE = [
    # The first: all others run in its room.
    "league.frame_room.FrameRoomMiddleware",
    "league.csp.ContentSecurityPolicyMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django.middleware.security.SecurityMiddleware",
    "league.edge.StaticFilesMiddleware",
    # It adds random bytes to compressed answers, so that nobody can guess a secret from the length.
    "django.middleware.gzip.GZipMiddleware",
    "league.api.base.middleware.ProblemMiddleware",
    "league.web.shared.errors.OutageMiddleware",
    "league.edge.RefuseNulMiddleware",
    "league.edge.PrivateMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "league.web.shared.errors.FormAddressMiddleware",
    "league.web.competitions.cancelled.CancelledMiddleware",
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
                "league.web.shared.context.site",
            ],
        },
    }
]

# --- Database ---

DATABASES = {"default": database(env("DATABASE_URL"), DATA_DIR)}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

# --- Accounts and mail ---

AUTH_USER_MODEL = "accounts.User"
SESSION_ENGINE = "league.accounts.sessions"
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
PASSWORD_RESET_TIMEOUT = env_int("PASSWORD_RESET_SECONDS", 86_400)
# Set by the host of a public site; without it a code is made and kept under DATA_DIR.
FIRST_OWNER_CODE = env("FIRST_OWNER_CODE")

# Mail: smtp://user:password@host:587 (smtp+tls:// for STARTTLS, smtp+ssl:// for TLS from the start, console:// to print
# it). A site without mail asks for no addresses: people sign up by a name, and a manager resets forgotten passwords.
MAIL = mail(env("EMAIL_URL"))
HAS_MAIL = bool(MAIL)
EMAIL_BACKEND = MAIL.get("backend", "django.core.mail.backends.dummy.EmailBackend")
EMAIL_HOST, EMAIL_PORT = MAIL.get("host", ""), MAIL.get("port", 25)
EMAIL_HOST_USER, EMAIL_HOST_PASSWORD = MAIL.get("user", ""), MAIL.get("password", "")
EMAIL_USE_TLS, EMAIL_USE_SSL = MAIL.get("scheme") == "smtp+tls", MAIL.get("scheme") == "smtp+ssl"
DEFAULT_FROM_EMAIL = SERVER_EMAIL = env("MAIL_FROM", f"no-reply@{(ALLOWED_HOSTS or ['localhost'])[0].strip('.*[]')}")
EMAIL_TIMEOUT = 10

ACCOUNT_ADAPTER = "league.accounts.adapter.Adapter"
ACCOUNT_LOGIN_METHODS = {"username", "email"}
ACCOUNT_SIGNUP_FIELDS = ["username*", *(["email*"] if HAS_MAIL else []), "password1*"]
# Only a confirmed address prevents strangers from finding out which addresses have accounts, by signing up with them.
ACCOUNT_EMAIL_VERIFICATION = "mandatory" if HAS_MAIL else "none"
ACCOUNT_EMAIL_NOTIFICATIONS = HAS_MAIL
ACCOUNT_EMAIL_SUBJECT_PREFIX = ""
ACCOUNT_PREVENT_ENUMERATION = True
ACCOUNT_SESSION_REMEMBER = True
ACCOUNT_LOGOUT_REDIRECT_URL = "home:index"
ACCOUNT_CHANGE_EMAIL = True
ACCOUNT_FORMS = {
    "login": "league.web.shared.forms.SignInForm",
    "signup": "league.web.shared.forms.SignUpForm",
    "reset_password": "league.web.shared.forms.ForgottenForm",
    "reset_password_from_key": "league.web.shared.forms.NewPasswordForm",
    "change_password": "league.web.shared.forms.ChangePasswordForm",
    "add_email": "league.web.shared.forms.AddressForm",
}
# Wrong passwords an hour for one account from devices that never signed in to it (league/accounts/adapter.py).
SIGN_IN_GUESSES = env_int("SIGN_IN_GUESSES", 10)
# Against floods, by address and in the cache: a hall is one address (RELIABILITY.md A-19). Wrong secrets are counted in
# the database (league/accounts/attempts.py).
ACCOUNT_RATE_LIMITS = {
    # 300 sign-ins and a guesser at ten a second are 915 a minute.
    "login": "1800/m/ip",
    "signup": "120/m/ip",
    "reset_password": "60/m/ip,3/h/key",
    "reset_password_from_key": "60/m/ip",
}

CSRF_FAILURE_VIEW = "league.web.shared.errors.csrf_failure"

LANGUAGE_CODE = "en"
LOCALE_PATHS = [BASE_DIR / "league" / "locale"]
# A language may define its date formats beside its catalogue: league/locale/es/formats.py.
FORMAT_MODULE_PATH = "league.locale"
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

# A log of 256 KiB pasted into a form grows up to threefold when it is percent-encoded; the limit of the log itself is
# checked on its own bytes.
DATA_UPLOAD_MAX_MEMORY_SIZE = 1024 * 1024
FILE_UPLOAD_MAX_MEMORY_SIZE = 1024 * 1024
# A checkbox for each of 7,000 players is a field; the bytes of a form are limited above.
DATA_UPLOAD_MAX_NUMBER_FIELDS = 20_000

# --- Browser security ---

# HTTPS=1 is the production default. HTTPS=0 is for a site on plain HTTP by intention (a hall's own network).
HTTPS = env_bool("HTTPS", default=COLLECTED)
SECURE_SSL_REDIRECT = HTTPS
SECURE_REDIRECT_EXEMPT = [r"^healthz$", r"^readyz$"]
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
# Trust this header only behind a proxy that removes it from requests.
if env_bool("TRUST_PROXY", default=False):
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
    ALLAUTH_TRUSTED_PROXY_COUNT = env_int("PROXY_COUNT", 1)

# Named as in Django 6, so that the upgrade only deletes (league/csp.py).
SECURE_CSP = {
    "default-src": [CSP.SELF],
    "script-src": [CSP.SELF, CSP.NONCE],
    "style-src": [CSP.SELF, CSP.NONCE],
    "img-src": [CSP.SELF, "data:"],
    "object-src": [CSP.NONE],
    "worker-src": [CSP.SELF],
    "base-uri": [CSP.NONE],
    "form-action": [CSP.SELF],
    "frame-ancestors": [CSP.NONE],
}

# --- Background work ---

REDIS_URL = env("REDIS_URL")
# Several sites on one Redis: each has its own prefix for every key and channel.
REDIS_PREFIX = env("REDIS_PREFIX")
CACHES = {
    "default": {
        "BACKEND": "league.cache.ForgivingRedisCache",
        "LOCATION": REDIS_URL,
        "KEY_PREFIX": REDIS_PREFIX,
        # An outage of Redis must not delay a page.
        "OPTIONS": {"socket_connect_timeout": 0.3, "socket_timeout": 0.3},
    }
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
# A dead broker must not delay a request: the row is the truth, and the sweep finds it (league/matches/tasks.py).
CELERY_TASK_PUBLISH_RETRY = False
CELERY_BROKER_CONNECTION_TIMEOUT = 2
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_BROKER_TRANSPORT_OPTIONS = (
    {
        "visibility_timeout": env_int("VISIBILITY_SECONDS", 600),
        "global_keyprefix": REDIS_PREFIX,
        "socket_connect_timeout": 2,
        "socket_timeout": 5,
    }
    if CELERY_BROKER_URL.startswith("redis")
    else {}
)
# A person waits for a verdict; scheduled tasks may take longer. A worker without `-Q` does both.
QUEUES = ("default", "verify")
CELERY_TASK_DEFAULT_QUEUE = "default"
CELERY_TASK_QUEUES = [Queue(name, Exchange(name), routing_key=name) for name in QUEUES]
CELERY_TASK_ROUTES = {"matches.verify_record": {"queue": "verify", "routing_key": "verify"}}
CELERY_TIMEZONE = "UTC"
SWEEP_SECONDS = env_int("SWEEP_SECONDS", 30)
# It compares every rated game of the site with its result.
RATING_SWEEP_SECONDS = env_int("RATING_SWEEP_SECONDS", 600)
# Seconds between comparisons of every row with the records (league/competitions/integrity/row_check.py).
ROW_CHECK_SECONDS = env_int("ROW_CHECK_SECONDS", 24 * 3600)
HEARTBEAT_SECONDS = env_int("HEARTBEAT_SECONDS", 10)
# Days in which an earlier state of a draft, or a discarded one, can be restored.
EARLIER_DAYS = env_int("EARLIER_DAYS", 30)
CELERY_BEAT_SCHEDULE = {
    "verify what was missed": {"task": "matches.sweep", "schedule": SWEEP_SECONDS},
    "count what was missed": {"task": "matches.count", "schedule": SWEEP_SECONDS},
    "ring what was missed": {"task": "matches.ring_due", "schedule": SWEEP_SECONDS},
    "take silence for a yes": {"task": "matches.confirm_by_silence", "schedule": SWEEP_SECONDS},
    "follow the court": {"task": "disputes.sweep", "schedule": SWEEP_SECONDS},
    "finish what was missed": {"task": "competitions.sweep", "schedule": SWEEP_SECONDS},
    "push what was missed": {"task": "competitions.push_calls", "schedule": SWEEP_SECONDS},
    "rate what was missed": {"task": "competitions.rate_missed", "schedule": RATING_SWEEP_SECONDS},
    "forget old contacts": {"task": "competitions.forget_contacts", "schedule": 24 * 3600},
    "forget old answers": {"task": "api.forget_answers", "schedule": 3600},
    "prune changes": {"task": "live.prune", "schedule": 600},
    "forget old attempts": {"task": "accounts.forget_attempts", "schedule": 3600},
    "rehearse what was missed": {"task": "house.rehearse_missed", "schedule": SWEEP_SECONDS},
    "check all rows": {"task": "competitions.check_rows", "schedule": SWEEP_SECONDS},
    "review what was missed": {"task": "play.review_missed", "schedule": SWEEP_SECONDS},
    "ring online games, and end them for the absent": {"task": "play.sweep_online", "schedule": SWEEP_SECONDS},
    "forget old practice games": {"task": "play.forget_old", "schedule": 3600},
    "forget old states": {"task": "competitions.forget_old_states", "schedule": 3600},
    # One a queue, through the broker and back: /readyz names the queue that has no worker.
    **{
        f"heartbeat of {name}": {
            "task": "league.heartbeat",
            "schedule": HEARTBEAT_SECONDS,
            "args": (name,),
            # Expires in a queue without workers.
            "options": {"queue": name, "routing_key": name, "expires": HEARTBEAT_SECONDS},
        }
        for name in QUEUES
    },
}
CELERY_BEAT_SCHEDULE_FILENAME = str(DATA_DIR / "celerybeat-schedule")

# --- Clocks, live pages, notifications ---

# Whether the players of a match may run its clock. Off: only officials and desk helpers of the league.
CLOCKS_BY_PLAYERS = env_bool("CLOCKS_BY_PLAYERS", default=True)
# Whether pages follow a stream under /live/. Off: no process serves them, and pages ask every few seconds.
STREAMS = env_bool("STREAMS", default=True)
# Push services at http://127.0.0.1, besides public ones by https. Tests only: no variable turns it on.
PUSH_LOOPBACK = False

# --- API ---

REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": [
        "league.api.base.authentication.BearerAuthentication",
        "league.api.base.authentication.BrowserAuthentication",
    ],
    "DEFAULT_PERMISSION_CLASSES": ["league.api.base.authentication.ScopeOpens"],
    "DEFAULT_THROTTLE_CLASSES": ["league.api.base.throttles.MinuteThrottle"],
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_PARSER_CLASSES": ["league.api.base.parsers.StrictJson"],
    "DEFAULT_FILTER_BACKENDS": ["league.api.base.filters.ListFilters"],
    "DEFAULT_PAGINATION_CLASS": "league.api.base.pagination.Pages",
    "DEFAULT_SCHEMA_CLASS": "league.api.docs.schema.Description",
    "EXCEPTION_HANDLER": "league.api.base.problems.answer",
    "URL_FORMAT_OVERRIDE": None,
    # Number of proxies before this site: the client's address is the one seen by the first of them.
    "NUM_PROXIES": env_int("PROXY_COUNT", 1) if env_bool("TRUST_PROXY", default=False) else 0,
}
SPECTACULAR_SETTINGS = {
    "TITLE": "Domino League",
    "VERSION": "1",
    "DESCRIPTION": _("Leagues, matches, logs and verdicts of dominoes, for programs."),
    "SCHEMA_PATH_PREFIX": "/api/v1",
    "ENUM_ADD_EXPLICIT_BLANK_NULL_CHOICE": False,
    "ENUM_GENERATE_CHOICE_DESCRIPTION": False,
    "POSTPROCESSING_HOOKS": ["league.api.docs.schema.add_problems"],
}
# Requests a minute: by token or account; by address for anonymous ones, because a hall full of phones has one address;
# then by kind of act.
API_LIMITS = {
    "anonymous": env_int("API_LIMIT_ANONYMOUS", 1200),
    "known": env_int("API_LIMIT_KNOWN", 600),
    "submit": env_int("API_LIMIT_SUBMIT", 120),
    "confirm": env_int("API_LIMIT_CONFIRM", 120),
    "verify": env_int("API_LIMIT_VERIFY", 120),
}
API_TOKENS_A_USER = env_int("API_TOKENS_A_USER", 20)
# Milliseconds that a retry waits for the same request still being answered, before it is asked to come again.
API_TWIN_PATIENCE_MS = env_int("API_TWIN_PATIENCE_MS", 3000)

# --- Logging ---


def in_one_line(record: logging.LogRecord) -> bool:
    record.exc_info = None
    return True


LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    # A request with a foreign host name is no fault of the site: it is logged without a traceback.
    "filters": {"in one line": {"()": "django.utils.log.CallbackFilter", "callback": in_one_line}},
    "loggers": {"django.security.DisallowedHost": {"filters": ["in one line"]}},
    "formatters": {"line": {"format": "%(asctime)s %(levelname)s %(name)s: %(message)s"}},
    "handlers": {"console": {"class": "logging.StreamHandler", "formatter": "line", "stream": sys.stderr}},
    "root": {"handlers": ["console"], "level": env("LOG_LEVEL", "WARNING" if EMBEDDED else "INFO")},
}
