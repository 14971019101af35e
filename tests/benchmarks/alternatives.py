"""The cost of masks under the pack, beside two other ways of holding a model to the same table.

The regular expression is the one that a filter with retries needs: contexts are read over, a term
outside them is a hit, and each hit means that the whole claim is written anew. What real claims
(they know no table) would be sent back for is counted.

xgrammar has neither intersections nor complements. What it can express is the terms without their
contexts, as an automaton spelled out in rules. It gets a process of its own and LIMIT_SECONDS:

    python -m tests.benchmarks.alternatives MODEL_DIR TABLE_JSON
"""

import json
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from rules.claimstates import normalised
from rules.compiler import CompiledPack
from rules.compiler.terms import NUMBER, Term
from rules.linter import Claim
from tests.benchmarks.evalsets import FILE
from tests.benchmarks.masks import Costs, percentile
from tests.benchmarks.report import Target, print_table

LIMIT_SECONDS = 40
XGRAMMAR_TERMS = (25, 200)
SHARES = (0.5, 0.9, 0.99)


def compare(model: Path, pack: CompiledPack, *, sets: int) -> dict[str, Target]:
    costs = Costs(model)
    lines = FILE.read_text("utf-8").splitlines()
    drafts = [
        [Claim(one["number"], normalised(one["text"])) for one in json.loads(line)["claims"]]
        for line in lines[:: max(1, len(lines) // sets)]
    ]
    for claims in drafts:
        costs.write(pack, claims)
    terms = pack.terms
    texts = [claim.text for claims in drafts for claim in claims]
    filtering, hits = filtered(filter_of(terms), texts)
    print(f"\nMasks over {len(drafts)} eval sets, {len(terms)} terms; {costs.errors} engine errors")
    print_table(
        ("milliseconds of processor", "count", "p50", "p90", "p99"),
        [
            _row("llguidance: grammar of a claim built", costs.build),
            _row("llguidance: mask", costs.masks),
            _row("regular expression: one claim filtered", filtering),
            *(_xgrammar(model, terms[:count], texts) for count in XGRAMMAR_TERMS),
        ],
    )
    share = hits / len(texts)
    print(
        f"The filter sends {hits} of {len(texts)} real claims back ({share:.1%}): at that rate a "
        f"claim is written {1 / max(1 - share, 1e-9):.2f} times, and no retry is sure to pass."
    )
    return {
        "mask_engine_errors": Target(costs.errors, 0, "lower"),
        "mask_p50_ms": Target(percentile(costs.masks, 0.5), 0.05, "lower"),
        "mask_p99_ms": Target(percentile(costs.masks, 0.99), 1, "lower"),
    }


def filter_of(terms: Sequence[Term]) -> "re.Pattern[str]":
    """A hit is a match of the group `hit`. Longest first: alternatives are tried in their order."""
    contexts = sorted({one for term in terms for one in term.contexts}, key=len, reverse=True)
    words = [
        re.escape(term.text) + (f"(?={NUMBER})" if term.before_number else "")
        for term in sorted(terms, key=lambda term: len(term.text), reverse=True)
    ]
    return re.compile(f"{'|'.join(map(re.escape, contexts))}|(?P<hit>{'|'.join(words)})")


def filtered(pattern: "re.Pattern[str]", texts: Sequence[str]) -> tuple[list[float], int]:
    """Seconds per text, and how many texts have a hit."""
    seconds, hits = [], 0
    for text in texts:
        start = time.thread_time()
        hits += any(found["hit"] for found in pattern.finditer(text))
        seconds.append(time.thread_time() - start)
    return seconds, hits


def _row(name: str, seconds: list[float]) -> tuple[object, ...]:
    return (name, len(seconds), *(f"{percentile(seconds, share):.3f}" for share in SHARES))


def _xgrammar(model: Path, terms: Sequence[Term], texts: Sequence[str]) -> tuple[object, ...]:
    name = f"xgrammar: mask, {len(terms)} terms without contexts"
    with tempfile.NamedTemporaryFile("w", suffix=".json", encoding="utf-8") as table:
        json.dump([[term.text for term in terms], texts[:60]], table, ensure_ascii=False)
        table.flush()
        command = [sys.executable, "-m", "tests.benchmarks.alternatives", str(model), table.name]
        try:
            done = subprocess.run(command, capture_output=True, timeout=LIMIT_SECONDS, check=True)
        except subprocess.TimeoutExpired:
            return (name, 0, f"not built within {LIMIT_SECONDS} s", "", "")
    built, masks = json.loads(done.stdout.splitlines()[-1])
    return _row(f"{name} (built in {built:.2f} s)", masks)


def automaton(words: Sequence[str]) -> str:
    """EBNF of all clauses up to 。 that hold none of the words (Aho and Corasick, 1975)."""
    states = {""} | {word[:end] for word in words for end in range(1, len(word))}
    forbidden = set(words)
    names = {state: f"s{number}" for number, state in enumerate(sorted(states))}
    letters = sorted({letter for word in words for letter in word})
    rules = [f"root ::= {names['']}"]
    for state, name in names.items():
        parts, noted = [], ["。", "\n"]
        for letter in letters:
            read = state + letter
            suffixes = [read[start:] for start in range(len(read))]
            if any(suffix in forbidden for suffix in suffixes):
                noted.append(letter)
            elif found := next((suffix for suffix in suffixes if suffix in states), ""):
                noted.append(letter)
                parts.append(f'"{letter}" {names[found]}')
        others = "".join("\\n" if letter == "\n" else letter for letter in noted)
        parts += [f"[^{others}] {names['']}", '"。"']
        rules.append(f"{name} ::= {' | '.join(parts)}")
    return "\n".join(rules)


def _measured(model: str, words: Sequence[str], texts: Sequence[str]) -> tuple[float, list[float]]:
    """Seconds that the grammar took to build, and of each mask."""
    import xgrammar
    from transformers import AutoTokenizer

    tokenizer = AutoTokenizer.from_pretrained(model)
    info = xgrammar.TokenizerInfo.from_huggingface(tokenizer)
    compiler = xgrammar.GrammarCompiler(info, max_threads=1, cache_enabled=False)
    start = time.process_time()
    compiled = compiler.compile_grammar(automaton(words))
    built = time.process_time() - start
    mask = xgrammar.allocate_token_bitmask(1, info.vocab_size)
    masks = []
    for text in texts:
        matcher = xgrammar.GrammarMatcher(compiled)
        for token in _tokens(tokenizer, text):
            start = time.thread_time()
            matcher.fill_next_token_bitmask(mask)
            masks.append(time.thread_time() - start)
            if not matcher.accept_token(token):
                break
    return built, masks


def _tokens(tokenizer: Any, text: str) -> Iterator[int]:
    yield from tokenizer(text, add_special_tokens=False).input_ids


if __name__ == "__main__":
    table = json.loads(Path(sys.argv[2]).read_text("utf-8"))
    print(json.dumps(_measured(sys.argv[1], *table)))
