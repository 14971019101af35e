from typing import Any

import pytest

from rules.compiler import ClaimState, PackError, compile_pack, resolve
from rules.compiler.verdict import judge
from tests.rules.compiler.grammars import pack

BASE = {
    **pack(forbidden=({"term": "优选", "allowed_in": ["优选法"]}, {"term": "最好"})),
    "citations": {"W01": {"article": "法26.4"}},
    "linter": {"free_claims": 10},
    "examples": [
        {
            "text": "板，甲连接乙。",
            "state": {"number": 1, "kind": "independent", "subject": "板"},
            "verdict": "accepted",
        }
    ],
}
PACKS = {"small": BASE}
STATE = ClaimState(1, "independent", "板")


def house(**changes: Any) -> dict[str, Any]:
    empty: dict[str, Any] = {"enforces": [], "forbidden": [], "grammar": ""}
    return {**pack(), "slug": "house", "extends": "small", **empty, **changes}


def verdict(document: dict[str, Any], text: str) -> str:
    compiled = compile_pack(resolve(document, PACKS.__getitem__))
    return judge(compiled.instantiate(STATE), text).kind


def test_a_house_rule_of_one_row_bans_a_word_and_keeps_the_rest() -> None:
    document = house(forbidden=[{"term": "连接", "rule": "W01", "severity": "error"}])
    assert verdict(document, "板，甲连接乙。") == "refused"
    assert verdict(document, "板，甲最好乙。") == "refused"
    assert verdict(document, "板，甲耦合乙。") == "accepted"


def test_contexts_are_added_to_those_of_the_base() -> None:
    row = {"term": "优选", "rule": "W01", "severity": "warning", "allowed_in": ["优选器"]}
    merged = resolve(house(forbidden=[row]), PACKS.__getitem__)
    assert merged["forbidden"][0]["allowed_in"] == ["优选器", "优选法"]
    assert merged["forbidden"][0]["severity"] == "warning"


def test_a_redefined_rule_takes_the_place_of_the_base_s_and_of_what_only_that_used() -> None:
    document = house(grammar='citing_any{group in basis}: "第" ONE{group} "项" CLOSING\n')
    grammar = resolve(document, PACKS.__getitem__)["grammar"]
    assert grammar.count("citing_any{") == 1
    assert 'comma: "、"' not in grammar
    assert verdict(document, "板，甲乙。") == "accepted"


def test_a_mistake_in_the_house_grammar_is_shown_at_its_own_line() -> None:
    document = house(grammar="// ours\ncomma: missing_word\n")
    with pytest.raises(PackError) as caught:
        compile_pack(resolve(document, PACKS.__getitem__))
    assert (caught.value.problems[0].line, caught.value.problems[0].column) == (2, 8)


def test_settings_and_examples_are_put_together_and_the_base_is_named() -> None:
    own = {**BASE["examples"][0], "text": "板，乙。"}
    document = house(linter={"off": ["W03"]}, examples=[own])
    merged = resolve(document, PACKS.__getitem__)
    assert merged["linter"] == {"free_claims": 10, "off": ["W03"]}
    assert merged["citations"] == BASE["citations"]
    assert merged["examples"] == [own, {**BASE["examples"][0], "inherited": True}]
    assert merged["bases"] == [{"slug": "small", "version": 3}]
    assert "extends" not in merged


def test_an_own_example_takes_the_place_of_the_base_s() -> None:
    own = {**BASE["examples"][0], "verdict": "refused", "rule": "W01"}
    assert resolve(house(examples=[own]), PACKS.__getitem__)["examples"] == [own]


def test_a_pack_may_extend_one_that_extends_another() -> None:
    client = house(slug="client", extends="house", forbidden=[])
    packs = {**PACKS, "house": house(enforces=["W02"])}
    merged = resolve(client, packs.__getitem__)
    assert [base["slug"] for base in merged["bases"]] == ["house", "small"]
    assert merged["enforces"] == ["W01", "W02"]
    assert merged["slug"] == "client"


@pytest.mark.parametrize(
    ("document", "packs", "code", "said"),
    [
        (house(extends="nobody"), PACKS, "base-missing", "nobody"),
        (house(), {"small": {**BASE, "extends": "house"}, "house": house()}, "base-cycle", "house"),
        (house(extends="house"), PACKS, "base-cycle", "house → house"),
        (house(kind="abstract"), PACKS, "base-differs", "kind"),
        (house(language="en"), PACKS, "base-differs", "language"),
    ],
)
def test_a_base_that_does_not_fit_is_refused_in_words(
    document: dict[str, Any], packs: dict[str, Any], code: str, said: str
) -> None:
    with pytest.raises(PackError) as caught:
        resolve(document, packs.__getitem__)
    assert caught.value.code == code
    assert said in str(caught.value)


def test_what_is_compiled_stands_alone() -> None:
    with pytest.raises(PackError) as caught:
        compile_pack(house(grammar=BASE["grammar"]))
    assert caught.value.code == "base-missing"
