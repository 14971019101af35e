import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from rules.compiler import CitableClaim, ClaimState, CompiledPack, compile_pack
from rules.compiler.document import terms_of
from rules.compiler.verdict import judge
from rules.packs import builtin_slugs, load_builtin

SLUGS = builtin_slugs()


@pytest.fixture(scope="module", params=SLUGS)
def document(request: pytest.FixtureRequest) -> dict[str, Any]:
    return load_builtin(request.param)


@pytest.fixture(scope="module")
def compiled(document: dict[str, Any]) -> CompiledPack:
    return compile_pack(document)


def state_of(example: dict[str, Any]) -> ClaimState:
    state = dict(example["state"])
    citable = tuple(CitableClaim(**claim) for claim in state.pop("citable", ()))
    return ClaimState(citable=citable, **state)


def test_the_claims_pack_is_there() -> None:
    assert "cn-claims" in SLUGS


def test_an_unknown_pack_is_an_error_that_names_the_known_ones() -> None:
    with pytest.raises(LookupError, match="cn-claims"):
        load_builtin("xx-claims")


def test_every_example_gets_the_verdict_that_it_states(
    document: dict[str, Any], compiled: CompiledPack
) -> None:
    wrong = []
    for example in document["examples"]:
        verdict = judge(compiled.instantiate(state_of(example)), example["text"])
        if verdict.kind != example["verdict"]:
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
    notes = [example.get("note", "") for example in load_builtin("cn-claims")["examples"]]
    used = {note.rpartition(" ")[2].partition("#")[0] for note in notes if "#" in note}
    assert used
    assert used.isdisjoint(held_back)


def test_every_forbidden_term_is_refused_on_its_own_and_lawful_in_its_contexts(
    compiled: CompiledPack,
) -> None:
    state = ClaimState(1, "independent", "装置")
    grammar = compiled.instantiate(state)
    document = compiled.document
    enforced = [row for row in document["forbidden"] if row["rule"] in document["enforces"]]
    for row in enforced:
        number = "5" if row.get("only") == "before_number" else "，"
        text = f"一种装置，甲{row['term']}{number}乙。"
        assert judge(grammar, text).kind == "refused", text
    words = [row["term"] for row in enforced]
    for term in terms_of(document):
        for context in term.contexts:
            if [word for word in words if word in context] != [term.text]:
                continue
            text = f"一种装置，甲{context}乙。"
            assert judge(grammar, text).kind == "accepted", text
