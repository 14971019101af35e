"""A proxy before a node that keeps what was asked of it, in order.

The overhead benchmark sends the same requests to the bare server afterwards. A request that the
console cut short (a loop, a claim that has said its note) is kept with as many tokens as were
taken. The proxy stands on the console's side alone, and its work counts as the console's.
"""

import asyncio
import json
import threading
from dataclasses import dataclass, field
from typing import Any

from aiohttp import ClientSession, ClientTimeout, web


@dataclass
class Exchange:
    """One request and what the node streamed for it, read later: reading costs time."""

    body: bytes
    answer: list[bytes] = field(default_factory=list)
    cut: bool = False

    def again(self) -> dict[str, Any]:
        """The request that makes the node do as much once more."""
        body: dict[str, Any] = json.loads(self.body)
        if self.cut:
            body["max_tokens"] = max(1, sum(map(_tokens_in, b"".join(self.answer).split(b"\n"))))
        return body


class Recorder:
    """Listens on `port` in a thread of its own and passes everything on to `node`."""

    def __init__(self, port: int, node: str) -> None:
        self._exchanges: list[Exchange] = []
        self._port = port
        self._node = node
        self._loop = asyncio.new_event_loop()
        self._ready = threading.Event()
        self._thread = threading.Thread(target=self._serve, daemon=True)

    def take(self) -> list[Exchange]:
        """What was exchanged since the last call."""
        taken, self._exchanges = self._exchanges, []
        return taken

    def start(self) -> None:
        self._thread.start()
        self._ready.wait(10)

    def stop(self) -> None:
        asyncio.run_coroutine_threadsafe(self._session.close(), self._loop).result(10)
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(10)

    def _serve(self) -> None:
        asyncio.set_event_loop(self._loop)
        self._loop.run_until_complete(self._listen())
        self._ready.set()
        self._loop.run_forever()

    async def _listen(self) -> None:
        self._session = ClientSession(timeout=ClientTimeout(total=None))
        application = web.Application(client_max_size=64 * 1024**2)
        application.router.add_route("*", "/{path:.*}", self._pass)
        runner = web.AppRunner(application, access_log=None)
        await runner.setup()
        await web.TCPSite(runner, "127.0.0.1", self._port).start()

    async def _pass(self, request: web.Request) -> web.StreamResponse:
        exchange = Exchange(await request.read())
        if request.path == "/v1/completions":
            self._exchanges.append(exchange)
        async with self._session.request(
            request.method,
            self._node + request.path_qs,
            data=exchange.body,
            headers={"Content-Type": "application/json"},
        ) as answer:
            response = web.StreamResponse(status=answer.status)
            response.content_type = answer.content_type
            await response.prepare(request)
            try:
                async for chunk in answer.content.iter_any():
                    await response.write(chunk)
                    exchange.answer.append(chunk)
                await response.write_eof()
            except ConnectionError:
                exchange.cut = True
            return response


def _tokens_in(line: bytes) -> int:
    """Token ids in one line of a stream of server-sent events."""
    if not line.startswith(b"data: {"):
        return 0
    choices = json.loads(line[len(b"data: ") :])["choices"]
    return sum(len(choice.get("token_ids") or ()) for choice in choices)
