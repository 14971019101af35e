"""The state of what the console depends on, each probed with a short time-out."""

from dataclasses import dataclass
from functools import lru_cache

import redis
from django.conf import settings
from django.db import DatabaseError, connection
from django.utils.translation import gettext as _

from inference.etcd import Etcd, EtcdError, connect
from rules.store.client import etcd_settings

PROBE_SECONDS = 2.0
# etcd has no ping for everybody: reading one key is what every user of it may do.
PROBE_KEY = "/claimwright/v1/packs/"


@dataclass(frozen=True)
class ConnectionState:
    """`name` is a slug, `title` for people; `reason` is empty while connected."""

    name: str
    title: str
    connected: bool
    reason: str = ""


def all_states() -> list[ConnectionState]:
    return [database(), valkey(), etcd()]


def database() -> ConnectionState:
    title = _("数据库（%(vendor)s）") % {"vendor": connection.display_name}
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
    except DatabaseError as error:
        return ConnectionState("database", title, False, type(error).__name__)
    return ConnectionState("database", title, True)


def valkey() -> ConnectionState:
    title = _("Valkey（任务队列与事件日志）")
    client = redis.Redis.from_url(
        settings.REDIS_URL, socket_timeout=PROBE_SECONDS, socket_connect_timeout=PROBE_SECONDS
    )
    try:
        client.ping()
    except redis.RedisError as error:
        return ConnectionState("valkey", title, False, type(error).__name__)
    finally:
        client.close()
    return ConnectionState("valkey", title, True)


def etcd() -> ConnectionState:
    title = _("etcd（规则库与节点登记）")
    try:
        _etcd().get(PROBE_KEY)
    except EtcdError as error:
        return ConnectionState("etcd", title, False, str(error))
    return ConnectionState("etcd", title, True)


@lru_cache(maxsize=1)
def _etcd() -> Etcd:
    return connect(etcd_settings())
