"""How one vLLM node is started: profile and machine in, command and environment out. Pure."""

import json
import math
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from inference.models.profiles import Profile
from inference.node.machine import Machine

# Requests that a node computes at once; as many again wait twice over, then it says "overloaded".
SEQUENCES = {"cpu": 64, "cuda": 256}
QUEUE_FACTOR = 3
# Beside weights and cache: activations, the interpreters and libraries of a node's processes.
WORKING_GIB = 2.0
CUDA_SHARE = 0.9
# From this many cores per rank on, one of them is left to the processes that do not compute.
ROOMY_CORES = 4


class PlanError(Exception):
    """The profile cannot run on this machine; the sentence says why and what would help."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


@dataclass(frozen=True)
class LaunchPlan:
    """`environment` is added to that of the launcher. `summary` is what the registry shows."""

    argv: tuple[str, ...]
    environment: Mapping[str, str]
    summary: Mapping[str, Any]


def plan(
    profile: Profile, machine: Machine, *, model: str, weights_gib: float, host: str, port: int
) -> LaunchPlan:
    """`model` is a local folder, or a repository id when the profile names one.

    Raises PlanError with code too_few_cores, too_few_gpus or too_little_memory.
    """
    sequences = SEQUENCES[machine.device]
    options: dict[str, str | None] = {
        "--model": model,
        "--served-model-name": profile.name,
        "--host": host,
        "--port": str(port),
        "--dtype": profile.dtype,
        "--max-model-len": str(profile.max_model_len),
        "--tensor-parallel-size": str(profile.tensor_parallel_size),
        "--max-num-seqs": str(sequences),
        "--max-num-queued-reqs": str(sequences * QUEUE_FACTOR),
        "--gpu-memory-utilization": f"{_memory_share(profile, machine, weights_gib):.2f}",
        "--enable-prefix-caching": None,
        # One backend per engine, latched by its first request: so it is named here.
        "--structured-outputs-config": json.dumps({"backend": "guidance"}),
        # Sampling defaults come with each request, not from a file beside the model.
        "--generation-config": "vllm",
        "--no-enable-log-requests": None,
        "--disable-uvicorn-access-log": None,
        "--uvicorn-log-level": "warning",
        "--disable-fastapi-docs": None,
        "--allowed-origins": "[]",
    }
    if profile.speculation is not None:
        options["--speculative-config"] = json.dumps(profile.speculation)
    if machine.device == "cpu":
        options["--enforce-eager"] = None
    argv = [sys.executable, "-m", "vllm.entrypoints.openai.api_server"]
    for name, value in options.items():
        argv += [name] if value is None else [name, value]
    return LaunchPlan(
        argv=tuple(argv),
        environment=_environment(profile, machine, local=bool(profile.recipe or weights_gib)),
        summary={
            "profile": profile.name,
            "device": machine.device,
            "dtype": profile.dtype,
            "tensor_parallel_size": profile.tensor_parallel_size,
            "max_model_len": profile.max_model_len,
            "max_sequences": sequences,
            "speculation": (profile.speculation or {}).get("method", "none"),
        },
    )


def _environment(profile: Profile, machine: Machine, *, local: bool) -> dict[str, str]:
    environment = {
        "VLLM_PLUGINS": "claimwright",
        "VLLM_NO_USAGE_STATS": "1",
        "DO_NOT_TRACK": "1",
        # llguidance would print what it refuses.
        "LLGUIDANCE_LOG_LEVEL": "0",
        "TOKENIZERS_PARALLELISM": "false",
    }
    if local:
        environment["HF_HUB_OFFLINE"] = "1"
    if machine.device == "cpu":
        environment["VLLM_CPU_KVCACHE_SPACE"] = str(profile.kv_cache_gib)
        environment["VLLM_CPU_OMP_THREADS_BIND"] = thread_binding(
            profile.tensor_parallel_size, machine
        )
    elif machine.gpus < profile.tensor_parallel_size:
        raise PlanError(
            "too_few_gpus",
            f"Profile {profile.name} splits the model over {profile.tensor_parallel_size} GPUs, "
            f"but {machine.gpus} are in sight.",
        )
    return environment


def thread_binding(ranks: int, machine: Machine) -> str:
    """VLLM_CPU_OMP_THREADS_BIND: the cores of each rank, ranks separated by |.

    vLLM's own "auto" gives each rank a memory node; with fewer nodes than ranks it refuses to
    start unless the cores are named, so they are shared out here.
    """
    if ranks <= len(machine.numa):
        return "auto"
    share = len(machine.cores) // ranks
    if share == 0:
        raise PlanError(
            "too_few_cores",
            f"The model is split over {ranks} ranks, but only {len(machine.cores)} cores may be "
            "used. Take a profile with a smaller tensor_parallel_size.",
        )
    used = share - 1 if share >= ROOMY_CORES else share
    groups = (machine.cores[rank * share : rank * share + used] for rank in range(ranks))
    return "|".join(",".join(map(str, group)) for group in groups)


def _memory_share(profile: Profile, machine: Machine, weights_gib: float) -> float:
    """The share of memory that vLLM may claim. On the CPU it refuses to start when less than this
    is free, so the share is what the node needs and not what there is."""
    if machine.device == "cuda":
        return CUDA_SHARE
    # Weight files hold 2 bytes a parameter; in float32 they take twice the room.
    weights = weights_gib * (2 if profile.dtype == "float32" else 1)
    needed = weights + profile.kv_cache_gib + WORKING_GIB
    if needed > machine.memory_gib:
        raise PlanError(
            "too_little_memory",
            f"Profile {profile.name} needs about {needed:.1f} GiB of memory; the machine has "
            f"{machine.memory_gib:.1f} GiB. Lower kv_cache_gib or take a smaller model.",
        )
    return min(0.95, math.ceil(100 * needed / machine.memory_gib) / 100)
