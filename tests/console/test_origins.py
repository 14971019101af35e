"""A page of another port is another page, though the browser sends it the same cookies."""

from typing import Any

import pytest

from console.origins import SameOrigin


async def admitted(origin: str, host: str, trusted: list[str]) -> bool:
    reached: list[Any] = []
    sent: list[Any] = []

    async def application(scope: Any, receive: Any, send: Any) -> None:
        reached.append(scope)

    async def receive() -> Any:
        return {"type": "websocket.connect"}

    async def send(message: Any) -> None:
        sent.append(message)

    headers = [(b"origin", origin.encode())] if origin else []
    scope = {"type": "websocket", "headers": [*headers, (b"host", host.encode())]}
    await SameOrigin(application, trusted=trusted)(scope, receive, send)
    assert bool(reached) != bool(sent)
    return bool(reached)


@pytest.mark.parametrize(
    ("origin", "host"),
    [
        ("http://localhost:8000", "localhost:8000"),
        ("https://claims.example", "claims.example"),
        ("https://claims.example", "claims.example:443"),
        ("http://[::1]:8000", "[::1]:8000"),
        ("https://claims.example:8443", "claims.example"),  # trusted by name
    ],
)
async def test_a_page_of_this_address_gets_through(origin: str, host: str) -> None:
    assert await admitted(origin, host, ["https://claims.example:8443"])


@pytest.mark.parametrize(
    ("origin", "host"),
    [
        ("http://localhost:3000", "localhost:8000"),
        ("http://localhost", "localhost:8000"),
        ("https://elsewhere.example", "claims.example"),
        ("https://claims.example.evil.example", "claims.example"),
        ("https://claims.example:9443", "claims.example"),
        ("file://", ""),
        ("null", "localhost:8000"),
        ("", "localhost:8000"),
        ("http://[", "localhost:8000"),
    ],
)
async def test_any_other_page_is_turned_away(origin: str, host: str) -> None:
    assert not await admitted(origin, host, ["https://claims.example:8443"])
