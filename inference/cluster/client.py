"""The console's way to one node: tokens in, pieces of text out, from any thread."""

import json
from collections.abc import Mapping
from typing import Any

from inference.cluster import exchange
from inference.cluster.generation import Generation
from inference.cluster.network import Network, network
from inference.cluster.request import GenerationRequest, NodeError, TimeLimits
from inference.cluster.stream import Piece

__all__ = ["Generation", "GenerationRequest", "NodeClient", "NodeError", "Piece", "TimeLimits"]

GAUGES = {
    "vllm:num_requests_running{": "running",
    "vllm:num_requests_waiting{": "waiting",
    "vllm:kv_cache_usage_perc{": "kv_use",
}
# Questions that a healthy node answers at once.
PROBE_SECONDS = 5.0


class NodeClient:
    """The node at `base_url` (http://host:port). Cheap to make; threads may share it."""

    def __init__(self, base_url: str, *, limits: TimeLimits | None = None) -> None:
        self.base_url = base_url.rstrip("/")
        self.limits = limits or TimeLimits()
        self._partial: Mapping[int, bytes] | None = None

    def tokenize(self, text: str) -> list[int]:
        """Token ids of the text, with the beginning-of-sequence token in front."""
        answer = json.loads(self._call("POST", "/tokenize", {"prompt": text}))
        return [int(token_id) for token_id in answer["tokens"]]

    def generate(self, request: GenerationRequest) -> Generation:
        """Starts the request and returns at once; failures come out of Generation.read()."""
        net = network()
        generation = Generation(net.loop)
        generation.runs_as(net.submit(self._run(net, request, generation)))
        return generation

    def running_requests(self) -> int:
        """How many requests the node computes or holds in its queue right now."""
        load = self.load()
        return round(load["running"] + load["waiting"])

    def load(self) -> dict[str, float]:
        """running and waiting requests, and kv_use: the share of the cache in use, 0 to 1."""
        load = dict.fromkeys(GAUGES.values(), 0.0)
        metrics = self._call("GET", "/metrics", seconds=PROBE_SECONDS)
        for line in metrics.decode().splitlines():
            for start, name in GAUGES.items():
                if line.startswith(start):
                    load[name] += float(line.rsplit(" ", 1)[1])
        return load

    def healthy(self) -> bool:
        """True when the node's engine answers. Not yet true of its grammars: see the agent."""
        try:
            self._call("GET", "/health", seconds=PROBE_SECONDS)
        except NodeError:
            return False
        return True

    def _call(
        self,
        method: str,
        path: str,
        body: Any = None,
        *,
        seconds: float = exchange.CALL_SECONDS,
    ) -> bytes:
        net = network()
        work = exchange.call(net.session, method, self.base_url, path, body, seconds=seconds)
        status, content = net.submit(work).result()
        if status != 200:
            raise exchange.refusal(status, exchange.message(content))
        return content

    async def _run(self, net: Network, request: GenerationRequest, generation: Generation) -> None:
        try:
            partial = await self._partial_tokens(net)
        except NodeError as error:
            generation.end(None, error)
            return
        await exchange.stream(net.session, self.base_url, request, generation, self.limits, partial)
        if generation.failed:
            # The node may come back with another model, and so with other tokens.
            self._partial = None

    async def _partial_tokens(self, net: Network) -> Mapping[int, bytes]:
        """The node's tokens that are not whole characters; none when it does not tell them."""
        if self._partial is None:
            status, content = await exchange.call(
                net.session, "GET", self.base_url, "/claimwright/partial-tokens"
            )
            listed: dict[str, str] = json.loads(content) if status == 200 else {}
            self._partial = {int(key): bytes.fromhex(value) for key, value in listed.items()}
        return self._partial
