"""/healthz and /readyz with the real services."""

import pytest
import redis
from django.test import Client

from tests.support.services import ServerProcess

pytestmark = pytest.mark.services


def test_liveness_asks_nobody(client: Client) -> None:
    """Without the database fixture: touching the database would fail this test."""
    assert client.get("/healthz").json() == {"status": "alive"}


def test_ready_with_database_and_valkey(client: Client, db: None, valkey: redis.Redis) -> None:
    response = client.get("/readyz")
    assert (response.status_code, response.json()) == (200, {"status": "ready", "broken": []})


def test_unready_while_valkey_is_away(
    client: Client, db: None, valkey_server: ServerProcess
) -> None:
    valkey_server.kill()
    try:
        response = client.get("/readyz")
    finally:
        valkey_server.start()
    assert (response.status_code, response.json()["broken"]) == (503, ["valkey"])


def test_only_reading_is_allowed(client: Client, db: None) -> None:
    assert client.post("/healthz").status_code == 405
    assert client.post("/readyz").status_code == 405
