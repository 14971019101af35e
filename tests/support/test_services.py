"""The fixtures' servers are the real ones."""

from typing import Any

import pytest
import redis
from django.db import connection

from tests.support.services import ServerProcess

pytestmark = pytest.mark.services


def test_valkey_keeps_what_was_written_over_a_kill(
    valkey: redis.Redis, valkey_server: ServerProcess
) -> None:
    valkey.set("kept", "1")
    # Once it says that the write has reached the disk: by itself it does so every second.
    assert valkey.execute_command("WAITAOF", 1, 0, 30_000)[0] == 1
    valkey_server.kill()
    valkey_server.start()
    assert valkey.get("kept") == b"1"


def test_etcd_answers(etcd: Any) -> None:
    etcd.put("/claimwright/v1/test", b"1")
    assert etcd.get("/claimwright/v1/test").value == b"1"


def test_the_database_is_the_one_asked_for(db: None) -> None:
    from tests.settings import ON_POSTGRESQL

    assert connection.vendor == ("postgresql" if ON_POSTGRESQL else "sqlite")
