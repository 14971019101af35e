"""Packs for other documents than claims: their state is given by parameter name."""

from typing import Any

import pytest

from rules.compiler import (
    ClaimState,
    DocumentState,
    PackError,
    StateError,
    compile_pack,
    state_from,
)
from rules.compiler.verdict import judge
from tests.rules.compiler.grammars import pack

DRAWINGS = """\
%param kind: entry(figures_list)
%param earlier: numbers
%param last: number
figures_list: line final
line{figure each earlier}: "图" NUMBER{figure} "是" CAPTION "；\\n"
final: "图" NUMBER{last} "是" CAPTION "。"
CAPTION: /[一-鿿]{1,20}图/
"""
REPLY = """\
%param kind: entry(reply, closing)
%param notice: number
%param argued: claims
%param documents: texts
reply: "第" NUMBER{notice} "次审查意见" argument closing
argument{claim each argued}: "权利要求" NUMBER{claim} "的" TEXT{claim} "与" cited "不同。"
cited: ONE{documents}
closing: "此致" ("敬礼" | seen)
seen{document in documents}: "见" TEXT{document}
"""


def compiled(kind: str, grammar: str) -> Any:
    return compile_pack({**pack(grammar), "kind": kind})


def verdict(kind: str, grammar: str, state: dict[str, Any], text: str) -> str:
    return judge(compiled(kind, grammar).instantiate(state_from(kind, state)), text).kind


@pytest.mark.parametrize(
    ("figures", "text", "expected"),
    [
        ([1], "图1是结构图。", "accepted"),
        ([1, 2], "图1是结构图；\n图2是剖视图。", "accepted"),
        ([1, 2], "图2是剖视图。", "refused"),
        ([1, 2], "图1是结构图。", "refused"),
        ([1, 2, 3], "图1是甲图；\n图3是乙图；\n图2是丙图。", "refused"),
    ],
)
def test_a_rule_with_a_copy_for_each_number_stands_for_all_in_their_order(
    figures: list[int], text: str, expected: str
) -> None:
    assert verdict("drawings", DRAWINGS, {"figures": figures}, text) == expected


CLAIMS = [{"number": 1, "subject": "板"}, {"number": 4, "subject": "方法"}]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "第2次审查意见权利要求1的板与D1不同。权利要求4的方法与D2不同。此致敬礼",
            "accepted",
        ),
        ("第1次审查意见权利要求1的板与D1不同。", "refused"),
        ("第2次审查意见权利要求4的方法与D1不同。", "refused"),
        ("第2次审查意见权利要求1的板与D3不同。", "refused"),
        ("第2次审查意见权利要求1的板与D1不同。此致", "refused"),
    ],
)
def test_a_reply_argues_each_claim_over_the_documents_that_were_cited(
    text: str, expected: str
) -> None:
    state = {"notice": 2, "argued": CLAIMS, "documents": ["D1", "D2"]}
    assert verdict("reply", REPLY, state, text) == expected


def test_a_group_in_parentheses_is_copied_for_the_same_claims_as_its_rule() -> None:
    grammar = REPLY.replace('"的" TEXT{claim} "与"', '"的" TEXT{claim} ("与" | "同")')
    same = [{"number": 1, "subject": "板"}, {"number": 2, "subject": "板"}]
    state = {"notice": 1, "argued": same, "documents": ["D1"]}
    text = "第1次审查意见权利要求1的板与D1不同。权利要求2的板同D1不同。此致敬礼"
    assert verdict("reply", grammar, state, text) == "accepted"


def test_a_text_may_start_with_another_entry_rule() -> None:
    state = {"kind": "closing", "documents": ["D1"]}
    assert verdict("reply", REPLY, state, "此致见D1") == "accepted"
    assert verdict("reply", REPLY, {"kind": "closing"}, "此致见D1") == "refused"
    assert verdict("reply", REPLY, {"kind": "closing"}, "此致敬礼") == "accepted"


@pytest.mark.parametrize(
    ("state", "code"),
    [
        (DocumentState("drawings"), "nothing-to-write"),
        (DocumentState("drawings", {"figures": ("图1",)}), "value-type"),
        (DocumentState("drawings", {"last": "1"}), "value-type"),
        (DocumentState("drawings", {"sheets": 3}), "unknown-value"),
        (DocumentState("drawings", {"last": 1}, "line"), "unknown-entry"),
        (DocumentState("abstract", {"title": "板"}), "wrong-document"),
        (ClaimState(1, "independent", "板"), "wrong-document"),
    ],
)
def test_a_state_that_does_not_fit_the_pack_is_refused_in_words(state: Any, code: str) -> None:
    with pytest.raises(StateError) as caught:
        compiled("drawings", DRAWINGS).instantiate(state)
    assert caught.value.code == code
    assert caught.value.message_zh


@pytest.mark.parametrize(
    ("old", "new", "code"),
    [
        ("NUMBER{figure}", "TEXT{figure}", "argument-type"),
        ("NUMBER{figure}", "ONE{figure}", "argument-type"),
        ("figure each earlier", "figure each last", "argument-type"),
        ("figure each earlier", "title each earlier", "reserved-name"),
        ("%param last: number", "%param last: numbers", "parameter-type"),
        ("%param last: number", "%param citable: claims", "unknown-parameter"),
        ("entry(figures_list)", "entry", "entry"),
    ],
)
def test_parameters_are_used_as_their_types_allow(old: str, new: str, code: str) -> None:
    assert old in DRAWINGS
    with pytest.raises(PackError) as caught:
        compiled("drawings", DRAWINGS.replace(old, new))
    assert code in [problem.code for problem in caught.value.problems]


def test_the_number_of_a_claim_and_its_signs_can_be_asked_for() -> None:
    grammar = """\
%param kind: entry(independent, dependent)
%param number: number
%param signs: texts
independent: NUMBER{number} "." ("(" ONE{signs} ")")? "。"
dependent: "。"
"""
    state = {"number": 12, "kind": "independent", "subject": "板", "signs": ["1", "10a"]}
    assert verdict("claims", grammar, state, "12.(10a)。") == "accepted"
    assert verdict("claims", grammar, state, "12.(2)。") == "refused"
    assert verdict("claims", grammar, {**state, "signs": []}, "12.(1)。") == "refused"
