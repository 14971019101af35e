"""The node's own HTTP route beside vLLM's: the tokens that are not whole characters.

Readers need them to cut a stream at characters (inference.cluster.stream).
"""

import json
from typing import Any

from inference.node.tokens import partial_tokens

PATH = "/claimwright/partial-tokens"


class NodeEndpoint:
    """Entry point of vllm.endpoint_plugins; loaded when VLLM_PLUGINS names it."""

    name = "claimwright"
    required_tasks = ("generate",)

    def __init__(self) -> None:
        self._body = b"{}"

    def attach_router(self, app: Any) -> None:
        from starlette.responses import Response

        async def answer() -> Response:
            return Response(self._body, media_type="application/json")

        app.add_api_route(PATH, answer, methods=["GET"], response_class=Response)

    async def init_state(self, engine_client: Any, state: Any, args: Any) -> None:
        tokenizer = engine_client.get_tokenizer()
        decoder = json.loads(tokenizer.backend_tokenizer.to_str())["decoder"]
        found = partial_tokens(tokenizer.get_vocab(), byte_level="ByteLevel" in json.dumps(decoder))
        self._body = json.dumps({key: value.hex() for key, value in found.items()}).encode()
