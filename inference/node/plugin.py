"""What runs inside vLLM's processes: grammars that resume in the middle, a bound on their size,
and logs without client text.

vLLM starts every grammar at its root. A request that goes on from text which another request wrote
under the same grammar says so (vllm_xargs: resume_tokens = n); its last n prompt tokens are then
replayed into the grammar before the first token is sampled.
"""

import functools
import logging
from collections.abc import Callable, Sequence
from typing import Any

from inference.node import cpu_sampling, logs

log = logging.getLogger("vllm.claimwright")

# vLLM compiles a grammar in the process that serves all streams, and the time grows with the square
# of the size: 0.25 million characters hold every stream up for 0.2 s, 5 million for minutes.
LARGEST_GRAMMAR = 131_072


class GrammarRefused(ValueError):
    """Ends the one request it belongs to. The message names positions, never text."""


def register() -> None:
    """Entry point of vllm.general_plugins; vLLM calls it in each of its processes."""
    from vllm.platforms import current_platform
    from vllm.v1.structured_output import StructuredOutputManager, backend_guidance

    if getattr(StructuredOutputManager._create_grammar, "resumes", False):
        return
    StructuredOutputManager._create_grammar = resuming(StructuredOutputManager._create_grammar)
    backend_guidance.validate_guidance_grammar = bounded(backend_guidance.validate_guidance_grammar)
    logs.install()
    if current_platform.is_cpu():
        cpu_sampling.mend()


def bounded(validate: Callable[..., None]) -> Callable[..., None]:
    """Wraps validate_guidance_grammar, which runs before a request is taken: a grammar that is too
    large is answered with status 400."""

    @functools.wraps(validate)
    def validate_small(sampling_params: Any, tokenizer: Any = None) -> None:
        from vllm.exceptions import VLLMValidationError

        grammar = sampling_params.structured_outputs.grammar
        if isinstance(grammar, str) and len(grammar) > LARGEST_GRAMMAR:
            raise VLLMValidationError(
                f"Grammar error: it has {len(grammar)} characters; at most {LARGEST_GRAMMAR} "
                "are allowed."
            )
        validate(sampling_params, tokenizer)

    return validate_small


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
