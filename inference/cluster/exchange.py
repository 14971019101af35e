"""One request to one node, as a coroutine on the network loop."""

import asyncio
import json
from collections.abc import Mapping
from typing import Any

import aiohttp

from inference.cluster.generation import Generation
from inference.cluster.request import GenerationRequest, NodeError, TimeLimits
from inference.cluster.stream import (
    Assembler,
    Event,
    EventLines,
    FinishReason,
    MalformedStream,
    Piece,
    parse_event,
)

CALL_SECONDS = 30.0
# How long a finished stream may take to say goodbye; after that its connection is not used again.
GOODBYE_SECONDS = 1.0
FINISHED: Mapping[str, FinishReason] = {"stop": "stop", "length": "length"}
CONTEXT_EXCEEDED = ("context length", "max_model_len")
# What vLLM says when it gives one request up; anything else is about the node.
REQUEST_FAILED = "Internal server error"


class Watchdog:
    """Closes a response that stays silent too long. Touching it costs next to nothing, which a
    time-out around every read would not."""

    def __init__(self, response: aiohttp.ClientResponse, limits: TimeLimits) -> None:
        self._loop = asyncio.get_running_loop()
        self._response = response
        self._touched = self._loop.time()
        self._limits = limits
        self._arm(limits.first_event)
        self.barked_after: float | None = None

    def touch(self) -> None:
        self._touched = self._loop.time()
        if self._limit == self._limits.first_event:
            self.expect(self._limits.next_event)

    def expect(self, seconds: float) -> None:
        self._timer.cancel()
        self._arm(seconds)

    def stop(self) -> None:
        self._timer.cancel()

    def _arm(self, seconds: float) -> None:
        self._limit = seconds
        self._timer = self._loop.call_later(seconds, self._look)

    def _look(self) -> None:
        left = self._touched + self._limit - self._loop.time()
        if left > 0:
            self._timer = self._loop.call_later(left, self._look)
        else:
            self.barked_after = self._limit
            self._response.close()


async def call(
    session: aiohttp.ClientSession,
    method: str,
    base_url: str,
    path: str,
    body: Any = None,
    *,
    seconds: float = CALL_SECONDS,
) -> tuple[int, bytes]:
    """Status and content of a short call. Raises NodeError(node_unreachable)."""
    try:
        async with (
            asyncio.timeout(seconds),
            session.request(method, base_url + path, json=body) as response,
        ):
            return response.status, await response.read()
    except (aiohttp.ClientError, TimeoutError, OSError) as error:
        raise _unreachable(base_url) from error


async def stream(
    session: aiohttp.ClientSession,
    base_url: str,
    request: GenerationRequest,
    generation: Generation,
    limits: TimeLimits,
    partial: Mapping[int, bytes],
) -> None:
    """Runs the request and fills the generation until its end, failure included."""
    try:
        response = await _open(session, base_url, request, limits)
    except NodeError as error:
        generation.end(None, error)
        return
    watchdog = Watchdog(response, limits)
    try:
        if response.status != 200:
            raise refusal(response.status, message(await response.read()))
        await _read(response, request, generation, Assembler(partial), watchdog)
    except NodeError as error:
        generation.end(None, error)
    except (aiohttp.ClientError, OSError, MalformedStream) as error:
        silent = watchdog.barked_after
        said = "broke off" if silent is None else f"sent nothing for {silent:g} s"
        broken = NodeError("stream_broken", f"The stream from {base_url} {said}.")
        broken.__cause__ = error
        generation.end(None, broken)
    finally:
        watchdog.stop()
        # Closing what was read to its end gives the connection back; anything else is cut.
        response.close()


async def _open(
    session: aiohttp.ClientSession, base_url: str, request: GenerationRequest, limits: TimeLimits
) -> aiohttp.ClientResponse:
    body = json.dumps(request.body(), ensure_ascii=False, separators=(",", ":")).encode()
    headers = {"Content-Type": "application/json"}
    again = True
    while True:
        try:
            async with asyncio.timeout(limits.first_event):
                return await session.post(base_url + "/v1/completions", data=body, headers=headers)
        except aiohttp.ServerDisconnectedError as error:
            # The node closed an idle connection at the moment it was taken up again.
            if not again:
                raise _unreachable(base_url) from error
            again = False
        except (aiohttp.ClientError, TimeoutError, OSError) as error:
            raise _unreachable(base_url) from error


async def _read(
    response: aiohttp.ClientResponse,
    request: GenerationRequest,
    generation: Generation,
    assembler: Assembler,
    watchdog: Watchdog,
) -> None:
    lines = EventLines()
    seen = False
    reason: FinishReason | None = None
    async for data in response.content.iter_any():
        watchdog.touch()
        pieces: list[Piece] = []
        for payload in lines.feed(data):
            if reason is not None or payload == b"[DONE]":
                continue
            event = parse_event(payload)
            piece = assembler.add(event.text, event.token_ids)
            if piece is not None:
                pieces.append(piece)
            reason = _finish_reason(event, request, seen=seen)
            seen = seen or bool(event.token_ids)
            if reason is not None and (rest := assembler.finish()) is not None:
                pieces.append(rest)
        if pieces:
            await generation.put(pieces)
        if reason is not None:
            generation.end(reason, None)
            watchdog.expect(GOODBYE_SECONDS)
    if reason is None:
        raise MalformedStream("The stream ended without a finish reason.")


def _finish_reason(event: Event, request: GenerationRequest, *, seen: bool) -> FinishReason | None:
    if event.error_status is not None:
        if event.error_status != 500:
            raise refusal(event.error_status, event.error)
        if not event.error.startswith(REQUEST_FAILED):
            raise NodeError("stream_broken", "The node stopped in the middle.", event.error)
        if seen:
            return "error"
        if request.grammar is None:
            raise NodeError("node_error", "The node gave the request up.", event.error)
        subject = (
            "the resumed tokens under this grammar" if request.resume_tokens else "the grammar"
        )
        raise NodeError("node_refused_grammar", f"The node refused {subject}.", event.error)
    if event.finish_reason is None:
        return None
    if event.finish_reason in FINISHED:
        return FINISHED[event.finish_reason]
    raise NodeError("stream_broken", "The node aborted the request.", event.finish_reason)


def refusal(status: int, detail: str) -> NodeError:
    """The NodeError for a request that the node did not take."""
    if status in (429, 503):
        return NodeError("overloaded", "The node's queue is full.", detail)
    if status in (400, 422):
        if any(words in detail for words in CONTEXT_EXCEEDED):
            return NodeError("prompt_too_long", "Prompt and answer exceed the model's context.")
        if "rammar" in detail:
            return NodeError("node_refused_grammar", "The node refused the grammar.", detail)
    return NodeError("node_error", f"The node answered with status {status}.", detail)


def message(content: bytes) -> str:
    """What the node says in an error answer."""
    try:
        return str(json.loads(content)["error"]["message"])
    except (ValueError, KeyError, TypeError):
        return content[:500].decode(errors="replace")


def _unreachable(base_url: str) -> NodeError:
    return NodeError("node_unreachable", f"The node at {base_url} does not answer.")
