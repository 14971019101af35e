import json
import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from rules.compiler import ClaimState, CompiledPack, compile_pack, state_from
from rules.compiler.document import terms_of
from rules.compiler.verdict import judge
from rules.packs import builtin_slugs, load_builtin, load_source

SLUGS = builtin_slugs()
CLAIMS = [slug for slug in SLUGS if load_source(slug)["kind"] == "claims"]
CARRIERS = {
    "zh": ("装置", "一种装置，其特征在于，甲{}{}乙。", "，"),
    "en": ("device", "A device, comprising a part {} {} mm.", "high"),
}
"""By language: a subject, a claim that takes a term and what follows it, a harmless word."""


@pytest.fixture(scope="module", params=SLUGS)
def document(request: pytest.FixtureRequest) -> dict[str, Any]:
    return load_builtin(request.param)


@pytest.fixture(scope="module")
def compiled(document: dict[str, Any]) -> CompiledPack:
    return compile_pack(document)


def test_the_claims_packs_are_there() -> None:
    assert {"cn-claims", "cn-claims-house", "ep-claims", "us-claims"} <= set(CLAIMS)


def test_an_unknown_pack_is_an_error_that_names_the_known_ones() -> None:
    with pytest.raises(LookupError, match="cn-claims"):
        load_builtin("xx-claims")


def test_every_example_gets_the_verdict_that_it_states(
    document: dict[str, Any], compiled: CompiledPack
) -> None:
    wrong = []
    for example in document["examples"]:
        state = state_from(document["kind"], example["state"])
        verdict = judge(compiled.instantiate(state), example["text"])
        tightened = example.get("inherited") and verdict.kind != "accepted"
        if verdict.kind != example["verdict"] and not tightened:
            wrong.append((example["text"], example["verdict"], verdict))
    assert wrong == []


def test_there_are_at_least_a_hundred_examples_of_each_kind(document: dict[str, Any]) -> None:
    kinds = Counter(example["verdict"] == "accepted" for example in document["examples"])
    assert kinds[True] >= 100
    assert kinds[False] >= 100


def test_every_negative_example_names_a_rule_that_the_pack_enforces(
    document: dict[str, Any],
) -> None:
    negatives = [example for example in document["examples"] if example["verdict"] != "accepted"]
    assert {example.get("rule") for example in negatives} <= set(document["enforces"])


def test_every_enforced_rule_that_one_claim_can_break_has_a_negative_example(
    document: dict[str, Any],
) -> None:
    shown = {example["rule"] for example in document["examples"] if "rule" in example}
    # C01 is the console's numbering; I01 is met by a claim in one part as well (细则24.2).
    assert set(document["enforces"]) - shown <= {"C01", "I01"}


def test_no_example_stands_twice(document: dict[str, Any]) -> None:
    keys = [json.dumps([e["text"], e["state"]], ensure_ascii=False) for e in document["examples"]]
    assert len(keys) == len(set(keys))


def test_no_example_is_taken_from_the_sets_that_the_benchmarks_draft() -> None:
    path = Path(__file__).parents[2] / "benchmarks" / "data" / "eval_claim_sets.jsonl"
    held_back = {json.loads(line)["publication"] for line in path.read_text("utf-8").splitlines()}
    examples = [e for slug in SLUGS for e in load_builtin(slug)["examples"]]
    used = {number for e in examples for number in re.findall(r"CN[0-9]+[A-Z]", e.get("note", ""))}
    assert used
    assert used.isdisjoint(held_back)


@pytest.mark.parametrize("slug", CLAIMS)
def test_every_forbidden_term_is_refused_on_its_own_and_lawful_in_its_contexts(slug: str) -> None:
    document = load_builtin(slug)
    subject, carrier, harmless = CARRIERS[document["language"]]
    grammar = compile_pack(document).instantiate(ClaimState(1, "independent", subject))
    enforced = [row for row in document["forbidden"] if row["rule"] in document["enforces"]]
    for row in enforced:
        behind = "5" if row.get("only") == "before_number" else harmless
        text = carrier.format(row["term"], behind)
        assert judge(grammar, text).kind == "refused", text
    words = [row["term"] for row in enforced]
    for term in terms_of(document):
        for context in term.contexts:
            if [word for word in words if word in context] != [term.text]:
                continue
            text = carrier.format(context, harmless)
            assert judge(grammar, text).kind == "accepted", text
