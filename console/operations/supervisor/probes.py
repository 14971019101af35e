"""Ready checks: coroutines without arguments that say whether a program does its work."""

import asyncio
from collections.abc import Awaitable, Callable

from inference.cluster.nodes import NodeRecord
from inference.cluster.registry import PREFIX
from inference.etcd import EtcdError, EtcdSettings, connect

Probe = Callable[[], Awaitable[bool]]
PROBE_SECONDS = 3.0


def http(port: int, path: str, *, host: str = "127.0.0.1") -> Probe:
    """200 at that path. The headers are those that a proxy in front of the console would send."""
    request = f"GET {path} HTTP/1.1\r\nHost: {host}\r\nX-Forwarded-Proto: https\r\n"
    return _exchange(port, f"{request}Connection: close\r\n\r\n".encode(), b" 200 ")


def valkey(port: int) -> Probe:
    """It answers PING; while it still loads its files it answers with an error instead."""
    return _exchange(port, b"PING\r\n", b"+PONG")


def celery_worker() -> Probe:
    """A worker of this application answers over the broker."""
    from console.celery import app

    def ping() -> bool:
        try:
            return bool(app.control.ping(timeout=1.0))
        except OSError:  # kombu's connection errors are among these
            return False

    return lambda: asyncio.to_thread(ping)


def node(node_id: str, port: int, settings: EtcdSettings) -> Probe:
    """The node answers and has registered itself as ready, which it does after its warm-up.

    Both are asked: the entry of a node that was killed stays until its lease has run out.
    """
    etcd = connect(settings)
    answers = http(port, "/health")

    def registered() -> bool:
        try:
            entry = etcd.get(f"{PREFIX}{node_id}")
            return entry is not None and NodeRecord.from_json(node_id, entry.value).state == "ready"
        except (EtcdError, ValueError):
            return False

    async def both() -> bool:
        return await answers() and await asyncio.to_thread(registered)

    return both


def _exchange(port: int, request: bytes, expected: bytes) -> Probe:
    async def ask() -> bool:
        try:
            async with asyncio.timeout(PROBE_SECONDS):
                reader, writer = await asyncio.open_connection("127.0.0.1", port)
                try:
                    writer.write(request)
                    return expected in await reader.readline()
                finally:
                    writer.close()
        except (OSError, TimeoutError, ValueError):
            return False

    return ask
