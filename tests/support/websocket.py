"""A WebSocket to the console's ASGI application, in the test's own event loop."""

import json
from typing import Any

from asgiref.testing import ApplicationCommunicator

from console.asgi import application


class Socket(ApplicationCommunicator):
    """One connection as a browser would open it; `client` is a signed-in Django test client."""

    def __init__(self, client: Any, path: str, *, origin: str = "http://localhost") -> None:
        cookie = "; ".join(f"{name}={morsel.value}" for name, morsel in client.cookies.items())
        super().__init__(
            application,
            {
                "type": "websocket",
                "path": path,
                "query_string": b"",
                "subprotocols": [],
                "headers": [
                    (b"cookie", cookie.encode()),
                    (b"origin", origin.encode()),
                    (b"host", b"localhost"),
                ],
            },
        )

    async def connect(self) -> bool:
        """Whether the server accepted."""
        await self.send_input({"type": "websocket.connect"})
        answer = await self.receive_output(timeout=10)
        return bool(answer["type"] == "websocket.accept")

    async def say(self, message: Any) -> None:
        """Sends a message, or a text that is none."""
        text = message if isinstance(message, str) else json.dumps(message)
        await self.send_input({"type": "websocket.receive", "text": text})

    async def say_bytes(self, data: bytes) -> None:
        await self.send_input({"type": "websocket.receive", "bytes": data})

    async def hear(self, *kinds: str) -> dict[str, Any]:
        """The next message of one of these kinds; others are passed over."""
        while True:
            output = await self.receive_output(timeout=10)
            assert output["type"] == "websocket.send", output
            message: dict[str, Any] = json.loads(output["text"])
            if not kinds or message["type"] in kinds:
                return message

    async def events(self, count: int) -> list[dict[str, Any]]:
        """The next `count` events of jobs, or some more, in the order in which they came."""
        found: list[dict[str, Any]] = []
        while len(found) < count:
            found += (await self.hear("job.events"))["events"]
        return found

    async def closed(self) -> int:
        """The code with which the server closes; messages before that are passed over."""
        while True:
            output = await self.receive_output(timeout=15)
            if output["type"] == "websocket.close":
                return int(output["code"])

    async def disconnect(self) -> None:
        await self.send_input({"type": "websocket.disconnect", "code": 1001})
        await self.wait(timeout=10)
