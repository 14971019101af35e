"""The mended kernels of the CPU build's rejection sampler."""

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from inference.node.cpu_sampling import (
    UNREACHABLE,
    expand,
    keeping_generators,
    without_struck_drafts,
)


@given(st.lists(st.tuples(st.sampled_from([0.0, 0.5, 0.9, 1.0]), st.integers(0, 5)), min_size=1))
def test_each_value_stands_once_for_each_token_of_its_request(
    requests: list[tuple[float, int]],
) -> None:
    temperatures = torch.tensor([value for value, _ in requests])
    counts = torch.tensor([count for _, count in requests], dtype=torch.int32)
    found = torch.full((int(counts.sum()),), -7.0)
    expand(found, temperatures, counts.cumsum(0, dtype=torch.int32), 0, 1, MAX_NUM_TOKENS=128)
    wanted = [value or 1.0 for value, count in requests for _ in range(count)]
    assert torch.equal(found, torch.tensor(wanted))


def test_whole_numbers_can_be_expanded_too() -> None:
    found = torch.zeros(3, dtype=torch.int64)
    expand(found, torch.tensor([5, 0]), torch.tensor([2, 3]), 0, 0)
    assert found.tolist() == [5, 5, 0]


def test_a_struck_draft_is_never_accepted_and_the_others_are_untouched() -> None:
    seen: dict[str, Any] = {}

    def kernel(out, cu, draft, probs, target, bonus, recovered, uniform, *rest, **named):  # type: ignore[no-untyped-def]
        seen.update(draft=draft.tolist(), uniform=uniform.tolist(), rest=rest, named=named)

    draft = torch.tensor([7, -1, -1])
    uniform = torch.tensor([0.25, 0.5, 0.75], dtype=torch.float64)
    nothing = torch.zeros(1)
    without_struck_drafts(kernel)(
        nothing, nothing, draft, None, nothing, nothing, nothing, uniform, "greedy", 3, last=4
    )
    assert seen == {
        "draft": [7, 0, 0],
        "uniform": [0.25, UNREACHABLE, UNREACHABLE],
        "rest": ("greedy", 3),
        "named": {"last": 4},
    }
    assert draft.tolist() == [7, -1, -1], "the caller's tensor is not changed"


@pytest.mark.parametrize("fails", [False, True])
def test_a_sample_that_is_thrown_away_does_not_touch_its_generator(fails: bool) -> None:
    batch = SimpleNamespace(num_reqs=3, generators={0: "first", 2: "third"})
    mask = SimpleNamespace(np=np.array([True, True, False, True]))
    runner = SimpleNamespace(input_batch=batch, discard_request_mask=mask)

    def sample_tokens(runner: Any, grammar_output: str) -> str:
        assert runner.input_batch.generators == {2: "third"}
        if fails:
            raise RuntimeError(grammar_output)
        return grammar_output

    if fails:
        with pytest.raises(RuntimeError):
            keeping_generators(sample_tokens)(runner, "output")
    else:
        assert keeping_generators(sample_tokens)(runner, "output") == "output"
    assert batch.generators == {0: "first", 2: "third"}
