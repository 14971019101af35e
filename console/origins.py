"""Which page may open a WebSocket: one of this very address, its port included.

A browser sends its cookies to every port of a host. Django's check of forms compares ports as well.
"""

from collections.abc import Awaitable, Callable
from typing import Any
from urllib.parse import urlsplit

Application = Callable[[Any, Any, Any], Awaitable[None]]
_USUAL_PORTS = {"http": ":80", "https": ":443"}


class SameOrigin:
    """An ASGI application in front of another: a page of another origin is turned away, unless it
    is one of `trusted` ("https://claims.example:8443")."""

    def __init__(self, application: Application, *, trusted: list[str]) -> None:
        self._application = application
        self._trusted = trusted

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        headers = dict(scope["headers"])
        origin = headers.get(b"origin", b"").decode("latin-1")
        host = headers.get(b"host", b"").decode("latin-1")
        if self._admits(origin, host):
            await self._application(scope, receive, send)
        else:
            # Before it was accepted: the browser gets 403.
            await receive()
            await send({"type": "websocket.close"})

    def _admits(self, origin: str, host: str) -> bool:
        try:
            asked_by = urlsplit(origin.lower())
        except ValueError:
            return False
        usual = _USUAL_PORTS.get(asked_by.scheme, "")
        same = asked_by.netloc.removesuffix(usual) == host.lower().removesuffix(usual)
        return (bool(usual) and bool(host) and same) or origin in self._trusted
