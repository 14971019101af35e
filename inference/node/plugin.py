"""What runs inside vLLM's processes: grammars that resume in the middle, and quiet logs.

vLLM starts every grammar at its root. A request that goes on from text which another request wrote
under the same grammar says so (vllm_xargs: resume_tokens = n); its last n prompt tokens are then
replayed into the grammar before the first token is sampled.
"""

import functools
import logging
from collections.abc import Callable, Sequence
from typing import Any

log = logging.getLogger("vllm.claimwright")

# Loggers that print tokens or quote grammars, and with them what a client wrote.
TALKATIVE = (
    "vllm.v1.structured_output",
    "vllm.v1.structured_output.backend_guidance",
    "vllm.v1.core.sched.scheduler",
)


class GrammarRefused(ValueError):
    """Ends the one request it belongs to. The message names positions, never text."""


def register() -> None:
    """Entry point of vllm.general_plugins; vLLM calls it in each of its processes."""
    from vllm.v1.structured_output import StructuredOutputManager

    original = StructuredOutputManager._create_grammar
    if not getattr(original, "resumes", False):
        StructuredOutputManager._create_grammar = resuming(original)
        for name in TALKATIVE:
            logging.getLogger(name).addFilter(without_client_text)


def resuming(create: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    """Wraps StructuredOutputManager._create_grammar. An exception from here reaches the scheduler
    through the grammar's future, and the scheduler fails this request alone."""

    @functools.wraps(create)
    def create_and_replay(manager: Any, request: Any) -> Any:
        grammar = create(manager, request)
        try:
            check_built(grammar)
            replay(grammar, request.request_id, tokens_to_replay(request))
        except GrammarRefused as refused:
            log.warning("Request %s ends with an error: %s", request.request_id, refused)
            raise
        return grammar

    create_and_replay.resumes = True  # type: ignore[attr-defined]
    return create_and_replay


def check_built(grammar: Any) -> None:
    """The guidance backend only logs that a grammar could not be built; such a grammar would let
    nothing but the end of the text through."""
    matcher = getattr(grammar, "ll_matcher", None)
    if matcher is not None and matcher.get_error():
        raise GrammarRefused("the grammar could not be built for this model's tokens.")


def tokens_to_replay(request: Any) -> Sequence[int]:
    count = (request.sampling_params.extra_args or {}).get("resume_tokens", 0)
    prompt = request.prompt_token_ids or []
    if not isinstance(count, int) or not 0 <= count <= len(prompt):
        raise GrammarRefused(f"resume_tokens must be a whole number from 0 to {len(prompt)}.")
    return prompt[len(prompt) - count :]


def replay(grammar: Any, request_id: str, tokens: Sequence[int]) -> None:
    if not tokens:
        return
    # Asked before it is told: accept_tokens says yes to anything once the grammar has ended.
    accepted = len(grammar.validate_tokens(list(tokens)))
    if accepted < len(tokens):
        raise GrammarRefused(
            f"the grammar does not accept token {accepted + 1} of the {len(tokens)} to be resumed."
        )
    grammar.accept_tokens(request_id, list(tokens))


def without_client_text(record: logging.LogRecord) -> bool:
    """A logging filter: keeps the sentence and its place, drops what is filled into it."""
    if record.levelno >= logging.WARNING and (record.args or record.exc_info):
        record.msg = f"{record.msg} [values left out]"
        record.args, record.exc_info, record.exc_text = (), None, None
    return True
