"""Settings of the console, grouped by concern. Every deployment uses this one file.

All values come from CLAIMWRIGHT_* environment variables; the defaults make one machine with its
state in one data folder. deploy/claimwright.env.example lists the variables.
"""

from pathlib import Path
from typing import Any

import dj_database_url
from csp.constants import NONCE, NONE, SELF
from django.templatetags.static import static
from django.utils.translation import gettext_lazy as _

from console import env

BASE_DIR = Path(__file__).resolve().parent.parent
DATA_DIR = Path(env.text("CLAIMWRIGHT_DATA", str(BASE_DIR / "var"))).resolve()

# --- Security -------------------------------------------------------------------------------------
SECRET_KEY = env.kept_secret("CLAIMWRIGHT_SECRET_KEY", DATA_DIR / "secret_key")
DEBUG = env.flag("CLAIMWRIGHT_DEBUG")
ALLOWED_HOSTS = env.words("CLAIMWRIGHT_HOSTS", "localhost,127.0.0.1,[::1]")
CSRF_TRUSTED_ORIGINS = env.words("CLAIMWRIGHT_ORIGINS")
# HTTPS is the production default; the one-machine supervisor serves plain HTTP on loopback only.
HTTPS = env.flag("CLAIMWRIGHT_HTTPS", default=False)
SECURE_SSL_REDIRECT = HTTPS
SECURE_HSTS_SECONDS = 31_536_000 if HTTPS else 0
SECURE_HSTS_INCLUDE_SUBDOMAINS = HTTPS
SECURE_HSTS_PRELOAD = HTTPS
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if HTTPS else None
SESSION_COOKIE_SECURE = HTTPS
CSRF_COOKIE_SECURE = HTTPS
SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_AGE = env.number("CLAIMWRIGHT_SESSION_SECONDS", 12 * 3600)
CSRF_FAILURE_VIEW = "console.matters.jsonviews.csrf_failure"
SECURE_REFERRER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"
CONTENT_SECURITY_POLICY = {
    "EXCLUDE_URL_PREFIXES": ["/admin"],
    "DIRECTIVES": {
        "default-src": [SELF],
        "script-src": [SELF],
        # CodeMirror mounts its theme as a style element; the nonce admits exactly that one.
        "style-src": [SELF, NONCE],
        "img-src": [SELF, "data:"],
        "connect-src": [SELF],
        "object-src": [NONE],
        "base-uri": [NONE],
        "frame-ancestors": [NONE],
        "form-action": [SELF],
    },
}

# --- Applications ---------------------------------------------------------------------------------
INSTALLED_APPS = [
    "unfold.apps.BasicAppConfig",
    "console.accounts.admin_config.ConsoleAdminConfig",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "channels",
    "console.accounts",
    "console.matters",
    "console.drafting",
    "console.operations",
    "rules",
]
MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "csp.middleware.CSPMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "console.accounts.middleware.SignedInMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
]
ROOT_URLCONF = "console.urls"
ASGI_APPLICATION = "console.asgi.application"
TEMPLATES: list[dict[str, Any]] = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "csp.context_processors.nonce",
            ]
        },
    }
]
AUTH_USER_MODEL = "accounts.User"
LOGIN_URL = "login"
LOGIN_REDIRECT_URL = "matters:list"
LOGOUT_REDIRECT_URL = "login"
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}"}
    for name in (
        "UserAttributeSimilarityValidator",
        "MinimumLengthValidator",
        "CommonPasswordValidator",
        "NumericPasswordValidator",
    )
]
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

# --- Database -------------------------------------------------------------------------------------
DATABASE_URL = env.text("DATABASE_URL", f"sqlite:///{DATA_DIR / 'claimwright.sqlite3'}")
DATABASES = {"default": dj_database_url.parse(DATABASE_URL, conn_health_checks=True)}
if DATABASES["default"]["ENGINE"] == "django.db.backends.sqlite3":
    # IMMEDIATE takes the write lock at BEGIN: a read that becomes a write cannot fail half-way.
    DATABASES["default"]["OPTIONS"] = {
        "transaction_mode": "IMMEDIATE",
        "timeout": 20,
        "init_command": (
            "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL; PRAGMA foreign_keys=ON;"
        ),
    }

# --- One machine: what `manage.py run` starts, and where ------------------------------------------
WEB_PORT = env.number("CLAIMWRIGHT_WEB_PORT", 8000)
VALKEY_PORT = env.number("CLAIMWRIGHT_VALKEY_PORT", 6479)
ETCD_PORT = env.number("CLAIMWRIGHT_ETCD_PORT", 2479)
ETCD_PEER_PORT = env.number("CLAIMWRIGHT_ETCD_PEER_PORT", ETCD_PORT + 1)
NODE_PORT = env.number("CLAIMWRIGHT_NODE_PORT", 8100)
MODELS_DIR = Path(
    env.text("CLAIMWRIGHT_MODELS", str(Path.home() / ".cache" / "claimwright" / "models"))
)

# --- Valkey or Redis: broker, event streams, channel layer ----------------------------------------
REDIS_URL = env.text("CLAIMWRIGHT_REDIS_URL", f"redis://127.0.0.1:{VALKEY_PORT}/0")
CHANNEL_LAYERS = {
    "default": {
        "BACKEND": "channels_redis.core.RedisChannelLayer",
        # The layer only wakes consumers; what they send comes from the event log. A short expiry
        # and capacity are therefore safe.
        # The layer waits 5 s in one blocking read; the client's own limit, 5 s too, would end the
        # WebSocket of whoever hears nothing for so long.
        "CONFIG": {
            "hosts": [{"address": REDIS_URL, "socket_timeout": 20}],
            "prefix": "cw:layer",
            "expiry": 15,
            "capacity": 200,
        },
    }
}
CELERY_BROKER_URL = REDIS_URL
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_ACKS_LATE = True
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_TASK_DEFAULT_QUEUE = "drafting"
CELERY_TASK_ROUTES = {"rules.*": {"queue": "rules"}}
# The framework would otherwise print task arguments; ours carry ids only, and logs stay short.
CELERY_WORKER_HIJACK_ROOT_LOGGER = False

# --- etcd and inference nodes ---------------------------------------------------------------------
ETCD_ENDPOINTS = env.words("CLAIMWRIGHT_ETCD", f"127.0.0.1:{ETCD_PORT}")
ETCD_CA = env.text("CLAIMWRIGHT_ETCD_CA")
ETCD_CERT = env.text("CLAIMWRIGHT_ETCD_CERT")
ETCD_KEY = env.text("CLAIMWRIGHT_ETCD_KEY")
ETCD_USER = env.text("CLAIMWRIGHT_ETCD_USER")
ETCD_PASSWORD = env.text("CLAIMWRIGHT_ETCD_PASSWORD")
# Empty: nodes are found in etcd. Otherwise a fixed list of base URLs.
NODES = env.words("CLAIMWRIGHT_NODES")
# Who shows it as a bearer token may read /metrics; empty: nobody but operators who are signed in.
METRICS_TOKEN = env.text("CLAIMWRIGHT_METRICS_TOKEN")
NODE_PROFILE = env.text("CLAIMWRIGHT_PROFILE", "gemma3-270m-cn")

# --- Limits ---------------------------------------------------------------------------------------
MAX_IMPORT_BYTES = env.number("CLAIMWRIGHT_MAX_IMPORT_MIB", 20) * 1024 * 1024
MAX_RUNNING_DRAFTS_PER_USER = env.number("CLAIMWRIGHT_DRAFTS_PER_USER", 3)
DATA_UPLOAD_MAX_MEMORY_SIZE = 4 * 1024 * 1024
# Around an imported file: boundaries, names, the CSRF token.
IMPORT_FORM_BYTES = 64 * 1024
# What of any request's body reaches Django; console/bodies.py drops the rest.
MAX_BODY_BYTES = max(MAX_IMPORT_BYTES + IMPORT_FORM_BYTES, DATA_UPLOAD_MAX_MEMORY_SIZE + 1)

# --- Language and static files --------------------------------------------------------------------
LANGUAGE_CODE = "zh-hans"
LANGUAGES = [("zh-hans", _("简体中文")), ("en", "English")]
LOCALE_PATHS = [BASE_DIR / "console" / "locale"]
USE_TZ = True
TIME_ZONE = env.text("CLAIMWRIGHT_TIME_ZONE", "Asia/Shanghai")
STATIC_URL = "static/"
STATIC_ROOT = DATA_DIR / "staticfiles"
STATICFILES_DIRS = [("dist", BASE_DIR / "static" / "dist"), ("img", BASE_DIR / "static" / "img")]
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "whitenoise.storage.CompressedStaticFilesStorage"},
}
WHITENOISE_USE_FINDERS = DEBUG

# --- Logs: ids and codes, never client text -------------------------------------------------------
LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"line": {"format": "%(asctime)s %(levelname)s %(name)s %(message)s"}},
    "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "line"}},
    "root": {"handlers": ["stderr"], "level": env.text("CLAIMWRIGHT_LOG_LEVEL", "INFO")},
    "loggers": {"httpx": {"level": "WARNING"}, "django.db.backends": {"level": "INFO"}},
}

# --- Admin ----------------------------------------------------------------------------------------
# The colour of what can be acted on, as in the rest of the console (static/src/css/tokens.css).
_AZURITE = {
    "50": "#f1f6fa",
    "100": "#e3ecf4",
    "200": "#cbddec",
    "300": "#a9cdec",
    "400": "#86b7e0",
    "500": "#5590c4",
    "600": "#1a4c79",
    "700": "#164268",
    "800": "#123a5e",
    "900": "#1d2d3b",
    "950": "#14202b",
}
# Paper, ink and the rules between them, from the light ground to the dark one.
_INK = {
    "50": "#f2f4f2",
    "100": "#e9ecea",
    "200": "#d9dedb",
    "300": "#b3bcb7",
    "400": "#8b9791",
    "500": "#5b6660",
    "600": "#45504b",
    "700": "#38423d",
    "800": "#2a322f",
    "900": "#181d1b",
    "950": "#101413",
}
UNFOLD = {
    "SITE_TITLE": "Claimwright",
    "SITE_HEADER": "Claimwright",
    "SITE_SUBHEADER": _("管理"),
    # The way back is in the sidebar, by the user's role (console/accounts/admin_site.py).
    "SITE_URL": None,
    "SITE_ICON": lambda request: static("img/seal.svg"),
    "SITE_FAVICONS": [
        {
            "rel": "icon",
            "type": "image/svg+xml",
            "href": lambda request: static("img/seal.svg"),
        }
    ],
    "SCRIPTS": [lambda request: static("dist/admin.js")],
    "SHOW_LANGUAGES": False,
    "BORDER_RADIUS": "3px",
    "COLORS": {"primary": _AZURITE, "base": _INK},
}
