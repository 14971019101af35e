"""The launch plan as data."""

import json
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inference.models import profiles
from inference.models.profiles import Profile
from inference.node.machine import Machine, this_machine
from inference.node.plan import LaunchPlan, PlanError, plan, thread_binding

LAPTOP = Machine(device="cpu", cores=(0, 1), numa=((0, 1),), memory_gib=24.0)
SERVER = Machine(
    device="cpu",
    cores=tuple(range(32)),
    numa=(tuple(range(16)), tuple(range(16, 32))),
    memory_gib=256.0,
)
GPUS = Machine(
    device="cuda", cores=tuple(range(16)), numa=(tuple(range(16)),), memory_gib=128, gpus=2
)
PROFILE = Profile(
    name="toy",
    title="A toy",
    dtype="bfloat16",
    tensor_parallel_size=1,
    max_model_len=4096,
    kv_cache_gib=1,
    recipe="toy",
    speculation={"method": "ngram", "num_speculative_tokens": 4},
)


def planned(profile: Profile = PROFILE, machine: Machine = LAPTOP, **changes: Any) -> LaunchPlan:
    values = {"model": "/models/toy", "weights_gib": 0.25, "host": "127.0.0.1", "port": 8100}
    return plan(profile, machine, **(values | changes))


def option(launch: LaunchPlan, name: str) -> str:
    return launch.argv[launch.argv.index(name) + 1]


def test_the_server_is_started_as_a_module() -> None:
    # The `vllm` command of the CPU build does not start.
    assert planned().argv[1:3] == ("-m", "vllm.entrypoints.openai.api_server")


def test_model_and_engine_come_from_the_profile() -> None:
    launch = planned()
    assert option(launch, "--model") == "/models/toy"
    assert option(launch, "--served-model-name") == "toy"
    assert option(launch, "--dtype") == "bfloat16"
    assert option(launch, "--max-model-len") == "4096"
    assert option(launch, "--tensor-parallel-size") == "1"
    assert json.loads(option(launch, "--speculative-config")) == PROFILE.speculation
    assert json.loads(option(launch, "--structured-outputs-config")) == {"backend": "guidance"}
    assert "--enable-prefix-caching" in launch.argv
    assert launch.environment["VLLM_CPU_KVCACHE_SPACE"] == "1"


def test_without_speculation_nothing_is_said_of_it() -> None:
    launch = planned(replace(PROFILE, speculation=None))
    assert "--speculative-config" not in launch.argv
    assert launch.summary["speculation"] == "none"


def test_nothing_that_clients_write_is_logged_and_nothing_is_reported_home() -> None:
    launch = planned()
    assert {"--no-enable-log-requests", "--disable-uvicorn-access-log"} <= set(launch.argv)
    assert launch.environment["VLLM_NO_USAGE_STATS"] == "1"
    assert launch.environment["LLGUIDANCE_LOG_LEVEL"] == "0"
    assert launch.environment["HF_HUB_OFFLINE"] == "1"


def test_only_our_plugin_is_loaded() -> None:
    assert planned().environment["VLLM_PLUGINS"] == "claimwright"


def test_a_repository_id_may_be_fetched() -> None:
    launch = planned(
        replace(PROFILE, recipe="", repo="org/model"), model="org/model", weights_gib=0
    )
    assert "HF_HUB_OFFLINE" not in launch.environment


def test_cpu_and_cuda_differ_only_where_they_must() -> None:
    cpu, cuda = planned(), planned(machine=GPUS)
    assert "--enforce-eager" in cpu.argv
    assert "--enforce-eager" not in cuda.argv
    assert not [name for name in cuda.environment if name.startswith("VLLM_CPU")]
    assert float(option(cuda, "--gpu-memory-utilization")) == 0.9
    assert set(cuda.argv) - set(cpu.argv) <= {"0.90", "256", "768"}


def test_on_the_cpu_the_node_claims_what_it_needs_so_that_two_fit_one_machine() -> None:
    assert float(option(planned(), "--gpu-memory-utilization")) == pytest.approx(0.14)
    wide = planned(replace(PROFILE, dtype="float32"))
    assert float(option(wide, "--gpu-memory-utilization")) == pytest.approx(0.15)


def test_too_little_memory_is_a_sentence_with_both_numbers() -> None:
    with pytest.raises(PlanError, match=r"needs about 42\.2 GiB .* has 24\.0 GiB") as caught:
        planned(replace(PROFILE, kv_cache_gib=40))
    assert caught.value.code == "too_little_memory"


@pytest.mark.parametrize(
    ("ranks", "machine", "binding"),
    [
        (1, LAPTOP, "auto"),
        (2, LAPTOP, "0|1"),
        (2, SERVER, "auto"),
        (4, replace(SERVER, cores=tuple(range(12))), "0,1,2|3,4,5|6,7,8|9,10,11"),
        (4, SERVER, "0,1,2,3,4,5,6|8,9,10,11,12,13,14|16,17,18,19,20,21,22|24,25,26,27,28,29,30"),
        (2, Machine("cpu", (3, 5, 9), ((3, 5, 9),), 24.0), "3|5"),
    ],
)
def test_each_rank_gets_cores_of_its_own(ranks: int, machine: Machine, binding: str) -> None:
    assert thread_binding(ranks, machine) == binding


@given(st.integers(2, 8), st.sets(st.integers(0, 63), min_size=1, max_size=64))
def test_no_core_is_shared_and_none_is_invented(ranks: int, cores: set[int]) -> None:
    machine = Machine("cpu", tuple(sorted(cores)), (tuple(sorted(cores)),), 24.0)
    if len(cores) < ranks:
        with pytest.raises(PlanError):
            thread_binding(ranks, machine)
        return
    groups = [group.split(",") for group in thread_binding(ranks, machine).split("|")]
    named = [int(core) for group in groups for core in group]
    assert len(groups) == ranks
    assert len(named) == len(set(named))
    assert set(named) <= cores
    assert len({len(group) for group in groups}) == 1


def test_more_ranks_than_gpus_is_refused() -> None:
    with pytest.raises(PlanError, match="4 GPUs, but 2 are in sight") as caught:
        planned(replace(PROFILE, tensor_parallel_size=4), GPUS)
    assert caught.value.code == "too_few_gpus"


@pytest.mark.parametrize("name", profiles.names())
def test_every_shipped_profile_can_be_planned_on_a_small_machine(name: str) -> None:
    profile = profiles.load(name)
    launch = planned(profile)
    assert launch.summary["profile"] == name
    assert option(launch, "--tensor-parallel-size") == str(profile.tensor_parallel_size)


def test_this_machine_is_described_as_the_kernel_sees_it() -> None:
    import os

    found = this_machine()
    assert set(found.cores) == os.sched_getaffinity(0)
    assert sorted(core for node in found.numa for core in node) == list(found.cores)
    assert (
        0.5 < found.memory_gib <= os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    )
