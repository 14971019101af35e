"""Misconfiguration, found before anything starts. Each finding has an id and says what to do.

claimwright.E001  SQLite although the console serves other machines
claimwright.E002  plain HTTP although the console serves other machines
claimwright.E003  DEBUG although the console serves other machines
claimwright.E004  the one-machine Valkey or etcd although the console serves other machines
claimwright.E005  the built front end is missing
claimwright.W001  no node list and no etcd user: whoever reaches etcd can register a node
claimwright.W002  a secret stands in a world-readable file
"""

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.checks import CheckMessage, Error, Tags, Warning, register

LOOPBACK = frozenset({"localhost", "127.0.0.1", "[::1]"})


def serves_others() -> bool:
    """Whether a host name lets in that is not this machine's own."""
    return bool(set(settings.ALLOWED_HOSTS) - LOOPBACK)


@register()
def database_fits(app_configs: Any = None, **kwargs: Any) -> Sequence[CheckMessage]:
    sqlite = settings.DATABASES["default"]["ENGINE"].endswith("sqlite3")
    if not (sqlite and serves_others()):
        return []
    return [
        Error(
            "The database is SQLite, but CLAIMWRIGHT_HOSTS lets other machines in.",
            hint="SQLite is for one machine. Set DATABASE_URL to a PostgreSQL database.",
            id="claimwright.E001",
        )
    ]


@register(Tags.security)
def transport_fits(app_configs: Any = None, **kwargs: Any) -> Sequence[CheckMessage]:
    found: list[CheckMessage] = []
    if serves_others() and not settings.HTTPS:
        found.append(
            Error(
                "HTTPS is off, but CLAIMWRIGHT_HOSTS lets other machines in.",
                hint="Put a proxy with TLS in front and set CLAIMWRIGHT_HTTPS=1.",
                id="claimwright.E002",
            )
        )
    if serves_others() and settings.DEBUG:
        found.append(
            Error(
                "Debugging is on, but CLAIMWRIGHT_HOSTS lets other machines in.",
                hint="Unset CLAIMWRIGHT_DEBUG: error pages would show client text and settings.",
                id="claimwright.E003",
            )
        )
    return found


@register()
def services_fit(app_configs: Any = None, **kwargs: Any) -> Sequence[CheckMessage]:
    found: list[CheckMessage] = []
    unset = [name for name in ("CLAIMWRIGHT_REDIS_URL", "CLAIMWRIGHT_ETCD") if not _is_set(name)]
    if serves_others() and unset:
        found.append(
            Error(
                f"{' and '.join(unset)} not set, but CLAIMWRIGHT_HOSTS lets other machines in.",
                hint="The servers that come with Claimwright are for one machine. Name yours.",
                id="claimwright.E004",
            )
        )
    if serves_others() and not settings.NODES and not (settings.ETCD_USER or settings.ETCD_CERT):
        found.append(
            Warning(
                "etcd is used without a user or a client certificate: whoever reaches it can "
                "register a node and would be sent disclosures.",
                hint="Set CLAIMWRIGHT_ETCD_USER and _PASSWORD_FILE, or CLAIMWRIGHT_ETCD_CERT and "
                "_KEY, or name the nodes in CLAIMWRIGHT_NODES.",
                id="claimwright.W001",
            )
        )
    return found


@register(Tags.staticfiles)
def front_end_is_built(app_configs: Any = None, **kwargs: Any) -> Sequence[CheckMessage]:
    bundle = settings.BASE_DIR / "static" / "dist" / "workspace.js"
    if bundle.is_file():
        return []
    return [
        Error(
            f"The built front end is missing: {bundle} does not exist.",
            hint="It is part of the repository. Restore it, or build it: make static",
            id="claimwright.E005",
        )
    ]


@register(Tags.security)
def secrets_are_private(app_configs: Any = None, **kwargs: Any) -> Sequence[CheckMessage]:
    named = [Path(path) for name, path in os.environ.items() if _names_secret_file(name) and path]
    kept = settings.DATA_DIR / "secret_key"
    files = [path for path in [*named, kept] if path.is_file() and path.stat().st_mode & 0o004]
    return [
        Warning(
            f"{path} holds a secret and can be read by everybody on this machine.",
            hint=f"chmod o-r {path}",
            id="claimwright.W002",
        )
        for path in files
    ]


def _names_secret_file(name: str) -> bool:
    return name.startswith("CLAIMWRIGHT_") and name.endswith("_FILE")


def _is_set(name: str) -> bool:
    return bool(os.environ.get(name) or os.environ.get(f"{name}_FILE"))
