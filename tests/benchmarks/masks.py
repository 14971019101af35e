"""What a pack costs the engine: building a claim's grammar, and the mask of each token.

    python -m tests.benchmarks.masks MODEL_DIR FILE.jsonl [--pack cn-claims] [--sets 60] [--terms N]

Real claims are written token by token under their own grammar, with the model's tokenizer and
without the model, as far as the grammar goes with them. Times are of the thread's processor, so
that other load does not count. An engine error (out of fuel) at any token is counted; there must be
none. With --terms the pack's table is filled up to N enforced terms with words of the model's
vocabulary that stand in none of the claims. The last line is JSON: {"targets": …}, times in
milliseconds.
"""

import argparse
import json
import random
import re
import time
from pathlib import Path
from typing import Any

import llguidance.hf
import llguidance.numpy as bitmask
from llguidance import LLMatcher
from transformers import AutoTokenizer

from rules.claimstates import normalised, states
from rules.compiler import CompiledPack, StateError, compile_pack
from rules.linter import Claim
from rules.packs import load_builtin
from tests.benchmarks.report import Target, machine, print_table, print_targets

CLAIMS_PER_SET = 4


class Costs:
    """Seconds of processor time per grammar and per mask, and the engine's errors."""

    def __init__(self, model: Path) -> None:
        self.words = AutoTokenizer.from_pretrained(model)
        self.engine = llguidance.hf.from_tokenizer(self.words)
        self.mask = bitmask.allocate_token_bitmask(1, self.engine.vocab_size)
        self.instantiate: list[float] = []
        self.build: list[float] = []
        self.masks: list[float] = []
        self.errors = 0

    def write(self, pack: CompiledPack, claims: list[Claim]) -> None:
        for claim, state in list(states(claims))[:CLAIMS_PER_SET]:
            start = time.thread_time()
            try:
                grammar = pack.instantiate(state)
            except StateError:
                continue
            ready = time.thread_time()
            writer = LLMatcher(self.engine, LLMatcher.grammar_from_lark(grammar), log_level=0)
            self.instantiate.append(ready - start)
            self.build.append(time.thread_time() - ready)
            self._follow(writer, self.words(claim.text, add_special_tokens=False).input_ids)

    def _follow(self, writer: LLMatcher, tokens: list[int]) -> None:
        for token in tokens:
            start = time.thread_time()
            bitmask.fill_next_token_bitmask(writer, self.mask, 0)
            self.masks.append(time.thread_time() - start)
            if writer.is_error():
                self.errors += 1
                return
            if not int(self.mask[0, token // 32]) >> (token % 32) & 1:
                return
            writer.consume_token(token)


def filled_up(document: dict[str, Any], wanted: int, words: list[str]) -> dict[str, Any]:
    """The document with a table of as many enforced terms, out of the words."""
    rows = list(document["forbidden"])
    known = {row["term"] for row in rows}
    missing = wanted - sum(row["rule"] in document["enforces"] for row in rows)
    rule = document["enforces"][-1]
    fresh = [word for word in words if word not in known][: max(missing, 0)]
    rows += [{"term": word, "rule": rule, "severity": "error"} for word in fresh]
    return {**document, "forbidden": rows}


def unused_words(model: Path, texts: str) -> list[str]:
    """Chinese words of the model's vocabulary that the texts do not hold, in an order by chance."""
    words = AutoTokenizer.from_pretrained(model).get_vocab()
    chinese = sorted(word for word in words if re.fullmatch("[\u4e00-\u9fff]{2,4}", word))
    random.Random(9).shuffle(chinese)
    return [word for word in chinese if word not in texts]


def percentile(values: list[float], share: float) -> float:
    """In milliseconds."""
    return sorted(values)[min(int(len(values) * share), len(values) - 1)] * 1000


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("model", type=Path)
    parser.add_argument("file", type=Path)
    parser.add_argument("--pack", default="cn-claims")
    parser.add_argument("--sets", type=int, default=60)
    parser.add_argument("--terms", type=int, default=0)
    options = parser.parse_args()
    costs = Costs(options.model)
    lines = options.file.read_text("utf-8").splitlines()
    words = unused_words(options.model, "\n".join(lines))
    document = filled_up(load_builtin(options.pack), options.terms, words)
    pack = compile_pack(document)
    for line in lines[:: max(1, len(lines) // options.sets)]:
        entry = json.loads(line)
        costs.write(pack, [Claim(c["number"], normalised(c["text"])) for c in entry["claims"]])
    print(machine())
    print(f"{costs.engine.vocab_size} tokens in the vocabulary, {costs.errors} engine errors")
    print(f"{len(pack.terms)} terms in the grammar, {len(pack.left_to_linter)} left to the linter")
    shares = (0.5, 0.9, 0.99)
    print_table(
        ("milliseconds", "count", *(f"p{share * 100:.0f}" for share in shares)),
        (
            (name, len(values), *(f"{percentile(values, share):.3f}" for share in shares))
            for name, values in (
                ("instantiate", costs.instantiate),
                ("build", costs.build),
                ("mask", costs.masks),
            )
        ),
    )
    print_targets(
        {
            "engine_errors": Target(costs.errors, 0, "lower"),
            "instantiate_p99_ms": Target(percentile(costs.instantiate, 0.99), 5, "lower"),
            "build_p50_ms": Target(percentile(costs.build, 0.5), 20, "lower"),
            "mask_p50_ms": Target(percentile(costs.masks, 0.5), 0.05, "lower"),
            "mask_p99_ms": Target(percentile(costs.masks, 0.99), 1, "lower"),
        }
    )


if __name__ == "__main__":
    main()
