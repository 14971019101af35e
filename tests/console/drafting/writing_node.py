"""A scripted node that writes given claims, letter by letter, and resumes them as a real node does.

What a model would write is the script; protocol, streaming, cancelling and resuming are real. Token
ids are code points, so that what was delivered can be read back from a resumed prompt.
"""

import asyncio
from collections.abc import Mapping, Sequence

from aiohttp import web

from tests.support.scripted_node import DONE, ScriptedNode, event


class WritingNode(ScriptedNode):
    """Each new request gets the next text; a resumed one gets the rest of the text it belongs to.

    `pause` is the time between letters, `pauses` that of single texts: what is to be seen in the
    middle is written slowly from its first letter, then the test cannot come too late. Both may be
    changed at any time. `break_after` cuts the first stream after so many letters.
    """

    def __init__(
        self,
        texts: Sequence[str],
        *,
        pause: float = 0.0,
        pauses: Mapping[str, float] | None = None,
        break_after: int | None = None,
    ) -> None:
        super().__init__()
        self.texts = list(texts)
        self.pause = pause
        self.pauses = dict(pauses or {})
        self.break_after = break_after
        self.prompts: list[str] = []
        self.resumed: list[str] = []
        self.stopped = False
        self._current = ""

    def __exit__(self, *_: object) -> None:
        self.stopped = True
        super().__exit__()

    async def _complete(self, request: web.Request) -> web.StreamResponse:
        body = await request.json()
        self.requests.append(body)
        ids = body["prompt"]
        kept = body.get("vllm_xargs", {}).get("resume_tokens", 0)
        delivered = "".join(map(chr, ids[len(ids) - kept :])) if kept else ""
        self.prompts.append("".join(map(chr, ids[1 : len(ids) - kept])))
        if kept:
            self.resumed.append(delivered)
            self._current = next(
                (text for text in [self._current, *self.texts] if text.startswith(delivered)), ""
            )
            if self._current in self.texts:
                self.texts.remove(self._current)
        else:
            self._current = self.texts.pop(0)
        text = self._current
        response = web.StreamResponse(headers={"Content-Type": "text/event-stream"})
        await response.prepare(request)
        try:
            await self._write(request, response, text, len(delivered), body)
        except (asyncio.CancelledError, ConnectionError):
            self.closed_by_reader.set()
            raise
        return response

    async def _write(
        self,
        request: web.Request,
        response: web.StreamResponse,
        text: str,
        begun: int,
        body: dict[str, int],
    ) -> None:
        rest, limit = text[begun:], body["max_tokens"]
        for place, letter in enumerate(rest[:limit]):
            if place == self.break_after:
                self.break_after = None
                assert request.transport is not None
                request.transport.abort()
                return
            finish = None
            if place == min(len(rest), limit) - 1:
                finish = "stop" if len(rest) <= limit else "length"
            await response.write(event(letter, [ord(letter)], finish))
            if pause := self.pauses.get(text, self.pause):
                await asyncio.sleep(pause)
        await response.write(DONE)
