"""Grammars that hang naive compilers or eat their memory. explosive.jsonl gives each as pieces with
how often they stand in a row."""

import json
import subprocess
import sys
from itertools import islice, product
from pathlib import Path
from typing import Any

import pytest

from rules.compiler import PackError, compile_pack
from tests.rules.compiler.grammars import abstract

LINES = (Path(__file__).parent / "explosive.jsonl").read_text("utf-8").splitlines()
CASES = [json.loads(line) for line in LINES]
ENTRY = "%param kind: entry(text)\n"
SECONDS = 30
"""Far above what is needed (1 s), far below what a hanging compiler would take."""


def document(case: dict[str, Any]) -> dict[str, Any]:
    grammar = ENTRY + "".join(piece * times for piece, times in case["grammar"])
    changes = dict(case.get("pack", {}))
    if changes.get("forbidden") == "scattered":
        pairs = islice(product(range(0x4E00, 0x5E00, 64), range(0x6E00, 0x7E00, 128)), 2000)
        changes["forbidden"] = [
            {"term": chr(left) + chr(right), "rule": "W01", "severity": "error"}
            for left, right in pairs
        ]
    return abstract(grammar, **changes)


def test_there_are_at_least_twenty() -> None:
    assert len(CASES) >= 20


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])
def test_it_is_refused_with_a_reason(case: dict[str, Any]) -> None:
    with pytest.raises(PackError) as caught:
        compile_pack(document(case))
    assert case["code"] in [problem.code for problem in caught.value.problems]
    assert len(str(caught.value)) < 100_000


def test_all_of_them_together_take_little_time_and_memory() -> None:
    """In a process of its own, with a bound on its memory."""
    script = (
        "import json, resource, sys\n"
        "resource.setrlimit(resource.RLIMIT_AS, (3 << 30, 3 << 30))\n"
        "from rules.compiler import PackError, compile_pack\n"
        "for document in json.load(sys.stdin):\n"
        "    try: compile_pack(document)\n"
        "    except PackError: print('refused')\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script],
        input=json.dumps([document(case) for case in CASES]),
        capture_output=True,
        text=True,
        timeout=SECONDS * 4,
        cwd=Path(__file__).parents[3],
        check=False,
    )
    assert done.stdout.split() == ["refused"] * len(CASES), done.stderr[-2000:]
