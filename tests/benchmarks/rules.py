"""Rules from the author to the nodes: compiling, publishing, masks, regression.

    python -m tests.benchmarks.rules [MODEL_DIR] [--quick] [--only fleet,masks,regression]

The pack is cn-claims with its table filled up to 200 forbidden terms. MODEL_DIR is a built model,
the default one unless named: its tokenizer is used, not its weights. The last line is JSON:
{"targets": …}. --quick takes less of everything and ends within five minutes.
"""

import argparse
import os
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.benchmarks.report import Target, machine, print_table, print_targets

TERMS = 200


def filled(model: Path) -> list[dict[str, Any]]:
    """The pack with TERMS terms, twice: the two differ in one row of the table."""
    from rules.packs import load_builtin
    from tests.benchmarks.evalsets import FILE
    from tests.benchmarks.masks import filled_up, unused_words

    pack = load_builtin("cn-claims")
    examples = "".join(example["text"] for example in pack["examples"])
    words = unused_words(model, FILE.read_text("utf-8") + examples)
    return [filled_up(pack, TERMS, words[skipped:]) for skipped in (0, 1)]


def percentile(values: list[float], share: float) -> float:
    return sorted(values)[min(int(len(values) * share), len(values) - 1)]


def row(name: str, values: list[float]) -> tuple[object, ...]:
    shares = (0.5, 0.9, 0.99, 1.0)
    return (name, len(values), *(f"{percentile(values, share):.3f}" for share in shares))


HEADINGS = ("milliseconds", "count", "p50", "p90", "p99", "longest")


def fleet(model: Path, quick: bool) -> dict[str, Target]:
    from inference.node.engine import GrammarEngine
    from rules.compiler import compile_pack, state_from
    from rules.store.probe import largest_grammar
    from tests.benchmarks.fleet import NODES, Prepared, publish_over_and_over

    documents, pack_ms = [], []
    for document in filled(model):
        began = time.thread_time()
        pack = compile_pack(document)
        pack_ms.append(1000 * (time.thread_time() - began))
        documents.append(Prepared(document, largest_grammar(pack, document)))
    example = max(
        (one for one in document["examples"] if one["verdict"] == "accepted"),
        key=lambda one: len(pack.instantiate(state_from(pack.kind, one["state"]))),
    )
    tokenizer = model / "tokenizer.json"
    engine = GrammarEngine(tokenizer)
    compile_ms = []
    for _ in range(40 if quick else 200):
        began = time.thread_time()
        engine.build(documents[0].grammar)
        compile_ms.append(1000 * (time.thread_time() - began))
    count = 40 if quick else 200
    with tempfile.TemporaryDirectory(prefix="claimwright-bench-") as folder:
        found = publish_over_and_over(Path(folder), tokenizer, documents, example["text"], count)
    print(
        f"\nPublishing {count} times to {len(NODES)} nodes (real etcd, registration, acknowledging"
    )
    print("and tokenizer, each in a process; no model: streams are written from a known text)")
    print_table(
        HEADINGS,
        (
            row("pack compiled by the publisher, before (processor)", pack_ms),
            row("grammar built on a node, alone (processor)", compile_ms),
            row("grammar built on a node, while publishing (clock)", found.compile_ms),
            row("published to all acknowledged", [1000 * one for one in found.seconds]),
        ),
    )
    streams = sum(one["streams"] for one in found.streams)
    broken = sum(one["broken"] for one in found.streams)
    gap = max(one["longest_gap_ms"] for one in found.streams)
    print(f"over a crash of etcd: {found.over_the_crash:.2f} s; words lost: {found.lost}")
    print(f"streams under way: {streams} finished, {broken} broken, longest gap {gap} ms")
    return {
        "compile_p99_ms": Target(percentile(compile_ms, 0.99), 20, "lower"),
        "publish_p99_ms": Target(1000 * percentile(found.seconds, 0.99), 250, "lower"),
        "acknowledgements_lost": Target(found.lost, 0, "lower"),
        "streams_broken": Target(broken, 0, "lower"),
        "streams_finished": Target(streams, 1, "higher"),
    }


def masks(model: Path, quick: bool) -> dict[str, Target]:
    from rules.compiler import compile_pack
    from tests.benchmarks.alternatives import compare

    return compare(model, compile_pack(filled(model)[0]), sets=12 if quick else 96)


def regression(model: Path, quick: bool) -> dict[str, Target]:
    from rules.packs import load_builtin
    from tests.benchmarks.manytexts import measure

    return measure(load_builtin("cn-claims"), filled(model)[0], 5_000 if quick else 100_000)


PARTS: dict[str, Callable[[Path, bool], dict[str, Target]]] = {
    "fleet": fleet,
    "masks": masks,
    "regression": regression,
}


def built_model() -> Path:
    """The folder of the one-machine default, built now where it is missing."""
    from django.conf import settings
    from django.core.management import call_command

    from inference.models import profiles

    call_command("models", "build", settings.NODE_PROFILE, verbosity=0)
    return Path(settings.MODELS_DIR) / str(profiles.load(settings.NODE_PROFILE).recipe)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("model", type=Path, nargs="?")
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--only", default=",".join(PARTS))
    options = parser.parse_args()
    os.environ["DJANGO_SETTINGS_MODULE"] = "tests.settings"
    os.environ["LLGUIDANCE_LOG_LEVEL"] = "0"
    import django

    django.setup()
    print(machine())
    model = options.model or built_model()
    targets: dict[str, Target] = {}
    for name in options.only.split(","):
        targets |= PARTS[name](model, options.quick)
    print_targets(targets)


if __name__ == "__main__":
    main()
