"""The common end of every benchmark: a table for people, then one JSON line for programs."""

import json
import platform
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal


@dataclass(frozen=True)
class Target:
    """A figure that was measured beside the figure that was promised."""

    value: float
    target: float
    better: Literal["higher", "lower"] = "higher"

    @property
    def met(self) -> bool:
        if self.better == "higher":
            return self.value >= self.target
        return self.value <= self.target


def machine() -> str:
    """The processor and the number of cores, for the head of a report."""
    model = platform.processor()
    for line in Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines():
        if line.startswith("model name"):
            model = line.partition(":")[2].strip()
            break
    with Path("/proc/self/status").open(encoding="utf-8") as status:
        allowed = next(line for line in status if line.startswith("Cpus_allowed_list"))
    return f"{model}, cores {allowed.partition(':')[2].strip()}"


def print_table(headings: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    """Columns as wide as their widest cell; East Asian wide characters count as two."""
    cells = [[_shown(cell) for cell in row] for row in rows]
    table = [list(headings), *cells]
    widths = [max(_width(row[column]) for row in table) for column in range(len(headings))]
    for row in table:
        print(
            "  ".join(cell + " " * (w - _width(cell)) for cell, w in zip(row, widths, strict=True))
        )


def print_targets(targets: dict[str, Target]) -> None:
    """The last line of the benchmark's output."""
    document = {
        name: {"value": round(target.value, 6), "target": target.target, "met": target.met}
        for name, target in targets.items()
    }
    print(json.dumps({"targets": document}, ensure_ascii=False), flush=True)


def _shown(cell: object) -> str:
    return f"{cell:.2f}" if isinstance(cell, float) else str(cell)


def _width(text: str) -> int:
    return sum(2 if ord(character) > 0x2E7F else 1 for character in text)
