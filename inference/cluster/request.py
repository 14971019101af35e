"""What is asked of a node, and how it fails."""

from dataclasses import dataclass
from typing import Any


class NodeError(Exception):
    """`code` is one of

    node_unreachable      nothing listens there, or it does not answer: try another node
    overloaded            the node's queue is full: wait, or try another node
    node_refused_grammar  the grammar is wrong, too large, or does not accept the resumed tokens
    prompt_too_long       prompt and max_tokens exceed the model's context
    node_error            the node answered with something else than a completion
    stream_broken         the stream began and then broke, stalled or was aborted by the node

    `detail` is what the node said; it may quote a client's text, so it is for the author of the
    grammar and never for a log.
    """

    def __init__(self, code: str, message: str, detail: str = "") -> None:
        super().__init__(message)
        self.code = code
        self.detail = detail


@dataclass(frozen=True)
class TimeLimits:
    """Seconds without a byte from the node before the stream counts as broken: until its first
    event (the request may queue, and its prompt must be read), and between events."""

    first_event: float = 120.0
    next_event: float = 30.0


@dataclass(frozen=True)
class GenerationRequest:
    """The last `resume_tokens` of the prompt were written under this grammar already: the node
    replays them into it before it goes on. `seed` fixes the sampling; None leaves it free."""

    prompt_ids: tuple[int, ...]
    resume_tokens: int
    grammar: str | None
    max_tokens: int
    temperature: float
    top_p: float
    seed: int | None
    request_id: str

    def body(self) -> dict[str, Any]:
        """The JSON body for /v1/completions."""
        body: dict[str, Any] = {
            "prompt": self.prompt_ids,
            "add_special_tokens": False,
            "max_tokens": self.max_tokens,
            "temperature": self.temperature,
            "top_p": self.top_p,
            "request_id": self.request_id,
            "stream": True,
            "return_token_ids": True,
        }
        if self.seed is not None:
            body["seed"] = self.seed
        if self.grammar is not None:
            body["structured_outputs"] = {"grammar": self.grammar}
        if self.resume_tokens:
            body["vllm_xargs"] = {"resume_tokens": self.resume_tokens}
        return body
