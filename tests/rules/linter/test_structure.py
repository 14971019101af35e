import pytest

from rules.linter import Claim, LintSettings, lint_claims
from tests.rules.linter.support import SETTINGS, lint, marked, only

PUMP = "一种水泵，其特征在于，包括叶轮。"
SECOND = "根据权利要求1所述的水泵，其特征在于，叶轮为铁质。"


def test_C01_a_gap_in_the_numbers_is_reported_once() -> None:
    found = lint_claims([Claim(1, PUMP), Claim(3, SECOND), Claim(4, SECOND)], SETTINGS)
    assert [(f.claim, f.severity) for f in found if f.rule == "C01"] == [(3, "error")]


@pytest.mark.parametrize("word", ["权利要求1：", "权项1、", "权利要求1."])
def test_C02_a_word_before_the_number(word: str) -> None:
    (found,) = only("C02", word + PUMP)
    assert found.severity == "error"


def test_C03_the_title_as_a_first_line() -> None:
    found = [f for f in lint("水泵\n" + PUMP, title="水泵") if f.rule == "C03"]
    assert [(f.start, f.end) for f in found] == [(0, 2)]


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("一种水泵，其特征在于，包括叶轮。叶轮为铁质。", "。"),
        ("一种水泵，其特征在于，包括叶轮", "轮"),
        ("一种水泵，其特征在于，包括叶轮；", "；"),
        ("一种水泵，其特征在于，包括叶轮。。", "。。"),
    ],
)
def test_C04_exactly_one_full_stop_at_the_end(text: str, place: str) -> None:
    (found,) = only("C04", text)
    assert marked(found, text) == place
    assert found.severity == "error"


@pytest.mark.parametrize(
    "text",
    [
        "一种陶瓷，其特征在于，组成式为(Mg₁/₃Nb₂/₃)。(Zn₁/₃Nb₂/₃)。(Zr,Ti)O₃。",
        "一种前驱体，其特征在于，化学通式为NiₓMn。(OH)₂。",
        "一种陶瓷，其特征在于，平面机电耦合系数k。≥0.57。",
        "一种判定方法，其特征在于，若贡献率d。小于1，则继续。",
    ],
)
def test_C04_a_subscript_read_as_a_full_stop_is_none(text: str) -> None:
    assert only("C04", text) == []


def test_C04_an_empty_claim() -> None:
    assert [(f.claim, f.start, f.end) for f in only("C04", " ")] == [(1, 0, 0)]


def test_C05_a_line_inside_a_claim_must_not_end_with_a_full_stop() -> None:
    text = "一种水泵，其特征在于，包括：\n叶轮。\n电机。"
    (found,) = only("C05", text)
    assert (found.severity, marked(found, text)) == ("error", "。")
    assert only("C04", text) == []


def test_C05_lines_that_end_with_a_comma_semicolon_or_colon_are_right() -> None:
    assert only("C05", "一种水泵，其特征在于，包括：\n叶轮；\n电机，\n和轴。") == []


def test_C05_a_line_without_any_mark_is_a_warning() -> None:
    assert [f.severity for f in only("C05", "一种水泵，其特征在于，包括叶轮\n和电机。")] == [
        "warning"
    ]


def test_C07_a_set_without_an_independent_claim() -> None:
    assert [f.severity for f in only("C07", "根据权利要求1所述的水泵，A。")] == ["error"]


def test_C08_two_independent_claims_on_one_subject() -> None:
    found = only("C08", PUMP, "一种水泵，其特征在于，包括活塞。")
    assert [(f.claim, f.severity) for f in found] == [(2, "warning")]


def test_C08_storage_media_of_two_different_methods_are_two_inventions() -> None:
    texts = (
        "一种方法甲，其特征在于，A。",
        "一种方法乙，其特征在于，B。",
        "一种存储介质，其特征在于，存有实现权利要求1所述的方法甲的程序。",
        "一种存储介质，其特征在于，存有实现权利要求2所述的方法乙的程序。",
    )
    assert only("C08", *texts) == []


def test_C09_a_dependent_claim_after_the_next_independent_claim() -> None:
    found = only("C09", PUMP, "一种水厂，其特征在于，包括水池。", SECOND)
    assert [(f.claim, f.severity) for f in found] == [(3, "error")]


def test_C09_is_silent_where_the_dependent_also_cites_the_newest_independent_claim() -> None:
    both = "根据权利要求1或2所述的水泵，其特征在于，A。"
    assert only("C09", PUMP, "一种水泵，其特征在于，包括活塞。", both) == []


def test_C10_the_same_claim_twice_but_for_its_punctuation() -> None:
    again = "根据权利要求1所述的水泵，其特征在于：所述叶轮为铁质。"
    found = only("C10", PUMP, SECOND, again)
    assert [(f.claim, f.severity) for f in found] == [(3, "warning")]


@pytest.mark.parametrize(
    "other",
    [
        "根据权利要求2所述的水泵，其特征在于，叶轮为铁质。",
        "根据权利要求1所述的水泵，其特征在于，叶轮为铜质。",
    ],
)
def test_C10_another_parent_or_another_feature_is_another_scope(other: str) -> None:
    assert only("C10", PUMP, SECOND, other) == []


def test_C11_the_eleventh_claim_costs_a_fee_and_is_no_defect() -> None:
    texts = [PUMP] + [f"根据权利要求1所述的水泵，其特征在于，含{n}个叶轮。" for n in range(11)]
    (found,) = only("C11", *texts)
    assert (found.claim, found.severity, found.consequence) == (11, "info", "fee")
    assert only("C11", *texts[:10]) == []
    assert only("C11", *texts, settings=LintSettings(free_claims=15)) == []


def test_rules_can_be_switched_off_by_the_pack() -> None:
    settings = LintSettings.from_pack({"linter": {"off": ["C04"]}})
    assert lint("一种水泵，其特征在于，包括叶轮", settings=settings) == []
