"""The state of what the console depends on, each probed with a short time-out."""

from dataclasses import dataclass

import redis
from django.conf import settings
from django.db import DatabaseError, connection

PROBE_SECONDS = 2.0


@dataclass(frozen=True)
class ConnectionState:
    """`reason` is a sentence for operators, empty while connected."""

    name: str
    connected: bool
    reason: str = ""


def database() -> ConnectionState:
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
    except DatabaseError as error:
        return ConnectionState("database", False, type(error).__name__)
    return ConnectionState("database", True)


def valkey() -> ConnectionState:
    client = redis.Redis.from_url(
        settings.REDIS_URL, socket_timeout=PROBE_SECONDS, socket_connect_timeout=PROBE_SECONDS
    )
    try:
        client.ping()
    except redis.RedisError as error:
        return ConnectionState("valkey", False, type(error).__name__)
    finally:
        client.close()
    return ConnectionState("valkey", True)
