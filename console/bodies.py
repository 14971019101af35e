"""What a request's body may cost before anybody has looked at the request.

Django writes the whole body to disk first and asks who sent it afterwards; a body in chunks, whose
length nobody announces, it cannot even parse. So bodies come in through here.
"""

from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
# Django's handler and the ASGI specification differ in what a scope may be.
Application = Callable[[Any, Any, Any], Awaitable[None]]


class BoundedBodies:
    """An ASGI application in front of another: of each body only `limit` bytes go on.

    The rest is read, so that the sender hears the answer, and dropped. Content-Length then says how
    many bytes came, in chunks or not, and whoever may not take so many refuses by it.
    """

    def __init__(self, application: Application, *, limit: int) -> None:
        self._application = application
        self._limit = limit

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        came = 0
        complete = False

        async def bounded() -> Message:
            nonlocal came, complete
            message = await receive()
            if complete or message["type"] != "http.request":
                return message
            body = message.get("body", b"")
            room = max(0, self._limit - came)
            came += len(body)
            complete = not message.get("more_body", False)
            if complete and came:
                # Django reads the headers after the body.
                scope["headers"] = [
                    *(one for one in scope["headers"] if one[0].lower() != b"content-length"),
                    (b"content-length", str(came).encode()),
                ]
            return {**message, "body": body[:room]}

        await self._application(scope, bounded, send)
