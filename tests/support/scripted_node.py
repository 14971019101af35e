"""A small real HTTP server that speaks the node's protocol and follows a script.

In a test it runs in a thread of its own (`ScriptedNode`), so that the client's failures can be
brought about at will. As a program (`python -m tests.support.scripted_node PORT [RUNNING]`) it is
the child of an agent under test, and says that RUNNING requests run. What a real vLLM node does is
tested with a real node (tests.support.node).
"""

import asyncio
import json
import sys
import threading
from collections.abc import Sequence
from typing import Any

from aiohttp import web

Script = Sequence[bytes | float | str]
DONE = b"data: [DONE]\n\n"


def event(text: str, ids: Sequence[int], finish: str | None = None) -> bytes:
    """One event as vLLM writes it."""
    choice = {
        "index": 0,
        "text": text,
        "logprobs": None,
        "finish_reason": finish,
        "stop_reason": None,
        "prompt_token_ids": None,
        "token_ids": list(ids),
    }
    document = {"id": "cmpl-1", "object": "text_completion", "choices": [choice]}
    return b"data: " + json.dumps(document, ensure_ascii=False).encode() + b"\n\n"


def error_event(message: str, status: int) -> bytes:
    error = {"message": message, "type": "Error", "param": None, "code": status}
    return b"data: " + json.dumps({"error": error}).encode() + b"\n\n"


class ScriptedNode:
    """Answers each /v1/completions with the script: bytes are sent, numbers are seconds to wait,
    "cut" breaks the connection. `answer` replaces it with a status and a body.

    `requests` holds the bodies that came, `closed_by_reader` is set when a reader went away.
    """

    def __init__(self, script: Script = (), *, partial: dict[int, bytes] | None = None) -> None:
        self.script = script
        self.answer: tuple[int, str] | None = None
        self.partial = {str(key): value.hex() for key, value in (partial or {}).items()}
        self.requests: list[dict[str, Any]] = []
        self.sent = 0
        self.closed_by_reader = threading.Event()
        self.metrics = ""
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)

    def __enter__(self) -> "ScriptedNode":
        self._thread.start()
        self.port = asyncio.run_coroutine_threadsafe(self._listen(0), self._loop).result()
        self.url = f"http://127.0.0.1:{self.port}"
        return self

    def __exit__(self, *_: object) -> None:
        asyncio.run_coroutine_threadsafe(self._runner.cleanup(), self._loop).result()
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    def application(self) -> web.Application:
        app = web.Application(client_max_size=64 * 1024 * 1024)
        app.router.add_get("/health", self._health)
        app.router.add_get("/metrics", self._metrics)
        app.router.add_get("/claimwright/partial-tokens", self._partial)
        app.router.add_post("/tokenize", self._tokenize)
        app.router.add_post("/v1/completions", self._complete)
        return app

    async def _listen(self, port: int) -> int:
        self._runner = web.AppRunner(
            self.application(), shutdown_timeout=0.1, handler_cancellation=True
        )
        await self._runner.setup()
        site = web.TCPSite(self._runner, "127.0.0.1", port)
        await site.start()
        return int(self._runner.addresses[0][1])

    async def _health(self, request: web.Request) -> web.Response:
        return web.Response()

    async def _metrics(self, request: web.Request) -> web.Response:
        return web.Response(text=self.metrics)

    async def _partial(self, request: web.Request) -> web.Response:
        return web.json_response(self.partial)

    async def _tokenize(self, request: web.Request) -> web.Response:
        text = (await request.json())["prompt"]
        return web.json_response({"tokens": [2, *map(ord, text)]})

    async def _complete(self, request: web.Request) -> web.StreamResponse:
        self.requests.append(await request.json())
        if self.answer is not None:
            return web.Response(status=self.answer[0], text=self.answer[1])
        response = web.StreamResponse(headers={"Content-Type": "text/event-stream"})
        await response.prepare(request)
        try:
            for step in self.script:
                if isinstance(step, bytes):
                    await response.write(step)
                    self.sent += 1
                elif step == "cut":
                    assert request.transport is not None
                    request.transport.abort()
                    return response
                else:
                    await asyncio.sleep(float(step))
        except (asyncio.CancelledError, ConnectionError):
            self.closed_by_reader.set()
            raise
        return response


if __name__ == "__main__":
    answers = ScriptedNode([event("一种", [7], "stop"), DONE])
    answers.metrics = f"vllm:num_requests_running{{}} {(sys.argv[2:] or ['0'])[0]}\n"
    web.run_app(answers.application(), host="127.0.0.1", port=int(sys.argv[1]), print=None)
