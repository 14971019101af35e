"""The ready checks against real servers."""

import socket
import threading
from collections.abc import Iterator
from typing import Any

import pytest
import redis
from django.conf import settings

from console.operations.supervisor import probes
from inference.cluster.nodes import NodeRecord
from inference.cluster.registry import PREFIX
from inference.etcd import Etcd
from rules.store.client import etcd_settings
from tests.support.ports import free_ports
from tests.support.services import ServerProcess

pytestmark = pytest.mark.services


@pytest.fixture
def answering() -> Iterator[Any]:
    """A server that answers each connection with the given bytes."""
    stopped = threading.Event()
    listener = socket.create_server(("127.0.0.1", 0))
    listener.settimeout(0.1)
    replies: list[bytes] = []

    def serve() -> None:
        while not stopped.is_set():
            try:
                connection, _ = listener.accept()
            except TimeoutError:
                continue
            with connection:
                connection.recv(65_536)
                connection.sendall(replies[0])

    thread = threading.Thread(target=serve)
    thread.start()

    def answer(reply: bytes) -> int:
        replies[:] = [reply]
        return int(listener.getsockname()[1])

    yield answer
    stopped.set()
    thread.join()
    listener.close()


async def test_valkey_and_etcd_are_ready_when_they_answer(
    valkey: redis.Redis, etcd_server: ServerProcess, valkey_server: ServerProcess
) -> None:
    assert await probes.valkey(valkey_server.port)()
    assert await probes.http(etcd_server.port, "/health")()


async def test_nobody_at_the_port_is_not_ready() -> None:
    port = free_ports(1)[0]
    assert not await probes.valkey(port)()
    assert not await probes.http(port, "/health")()


@pytest.mark.parametrize(
    ("reply", "ready"),
    [
        (b"HTTP/1.1 200 OK\r\n\r\n", True),
        (b"HTTP/1.1 503 Service Unavailable\r\n\r\n", False),
        (b"HTTP/1.1 301 Moved Permanently\r\n\r\n", False),
        (b"\xff" * 100_000, False),
        (b"", False),
    ],
)
async def test_only_200_is_ready(answering: Any, reply: bytes, ready: bool) -> None:
    assert await probes.http(answering(reply), "/healthz")() is ready


async def test_a_valkey_that_still_loads_is_not_ready(answering: Any) -> None:
    assert not await probes.valkey(answering(b"-LOADING Valkey is loading the dataset\r\n"))()


async def test_a_node_is_ready_when_it_answers_and_says_so_in_the_registry(
    etcd: Etcd, answering: Any
) -> None:
    port = answering(b"HTTP/1.1 200 OK\r\n\r\n")
    is_ready = probes.node("local", port, etcd_settings())
    assert not await is_ready()
    record = NodeRecord(id="local", address="http://127.0.0.1:1", model="m")
    for state in ("starting", "ready", "draining"):
        etcd.put(f"{PREFIX}local", NodeRecord(**{**vars(record), "state": state}).to_json())
        assert await is_ready() is (state == "ready")
    etcd.put(f"{PREFIX}local", b"junk")
    assert not await is_ready()


async def test_the_entry_of_a_dead_node_is_not_believed(etcd: Etcd) -> None:
    record = NodeRecord(id="local", address="http://127.0.0.1:1", model="m", state="ready")
    etcd.put(f"{PREFIX}local", record.to_json())
    assert not await probes.node("local", free_ports(1)[0], etcd_settings())()


async def test_no_worker_is_not_ready(valkey: redis.Redis) -> None:
    assert settings.CELERY_BROKER_URL == settings.REDIS_URL
    assert not await probes.celery_worker()()
